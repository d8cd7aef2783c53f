"""Transitions that every state has alike: one "from anywhere" instead of one from each."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from fsm.foreign.reading import Arrow

Kind = tuple[object, ...]


@dataclass(frozen=True, slots=True)
class Common:
    """One arrow that stands for those of all states; `again`: each of them leads back to where it starts."""

    arrow: Arrow
    again: bool


class Everywhere:
    """Which arrows start at all of these states alike, tried after whatever else a state has for the same event."""

    def __init__(self, sources: Sequence[str], arrows: Sequence[Arrow]) -> None:
        rows: dict[tuple[str, str], list[Arrow]] = {}
        kinds: dict[Kind, list[Arrow]] = {}
        for arrow in (a for a in arrows if not a.scope and a.source in sources):
            rows.setdefault((arrow.event, arrow.source), []).append(arrow)
            for kind in arrow.kinds:
                kinds.setdefault(kind, []).append(arrow)
        whole = {kind for kind, found in kinds.items() if len(sources) > 1 and {a.source for a in found} >= {*sources}}
        self._kinds = {k for k in whole if all(_last(k, rows[str(k[0]), source], whole) for source in sources)}
        self.common = [Common(found[0], k[1] == ("again", "")) for k, found in kinds.items() if k in self._kinds]
        self._standing_for = {id(a.transition) for kind in self._kinds for a in kinds[kind]}

    def holds(self, arrow: Arrow) -> bool:
        """Is this arrow one of those said once for all?"""
        return id(arrow.transition) in self._standing_for


def _last(kind: Kind, rows: Sequence[Arrow], whole: Collection[Kind]) -> bool:
    """Is nothing of the state's own tried after it? Then the order stays what it is."""
    first = next(i for i, arrow in enumerate(rows) if kind in arrow.kinds)
    return all(any(k in whole for k in arrow.kinds) for arrow in rows[first:])
