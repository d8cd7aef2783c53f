"""Decides which way of a column goes where, before anything has a place: along the rail, in a lane
at the right, or to a name.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import count
from typing import NamedTuple

from fsm.views.reading import Part, Phase, Step, Way, steps_of


class Span(NamedTuple):
    """What runs in a lane: from where to where, in numbers of steps, and what it is."""

    low: float
    high: float
    what: tuple[Way | Part, ...]

    def rank(self) -> tuple[float, float]:
        """How far out it runs."""
        return self.high - self.low, self.low

    def meets(self, other: Span) -> bool:
        """Return whether two spans cannot have one lane."""
        return self.low < other.high and other.low < self.high


def straight(
    parts: Sequence[Part], ways: Iterable[Way], gone: Collection[str], after: str
) -> set[Way]:
    """Return the ways that the rail takes: to the next step, into a phase beside it, and to what
    comes after all. Steps that are gone are no part of the rail.
    """
    nexts = {(way.source, way.target): way for way in ways if way.kind == "next"}
    pairs: list[tuple[str, str]] = []
    last = _pair(parts, "", gone, pairs)
    return {nexts[pair] for pair in [*pairs, (last, after)] if pair in nexts}


def _pair(
    parts: Sequence[Part], before: str, gone: Collection[str], pairs: list[tuple[str, str]]
) -> str:
    """Add the neighbours on the rail, and return the last step."""
    for part in parts:
        first = next(iter(steps_of([part])), None)
        if first is None or first.id in gone:
            continue
        pairs.append((before, first.id))
        if isinstance(part, Step):
            before = part.id
            continue
        last = _pair(part.parts, "", gone, pairs)
        if not is_aside(part, parts):
            before = last
    return before


def lanes_of(
    parts: Sequence[Part], ways: Iterable[Way], order: dict[str, int]
) -> dict[Way | Part, int]:
    """Return the number of the lane of each thing that runs beside one level, from the cards on.

    That are its ways, and what goes around parts that may be left out. A way belongs to the
    innermost level that holds both its ends. Ways with the same words to the same step have one
    lane. Short ones are inside, so they nest.
    """
    spans = sorted(_spans(parts, ways, order), key=Span.rank)
    lanes = defaultdict[int, list[Span]](list)
    found: dict[Way | Part, int] = {}
    for span in spans:
        for number in count():
            if not any(map(span.meets, lanes[number])):
                break
        lanes[number].append(span)
        found |= dict.fromkeys(span.what, number)
    return found


def _spans(parts: Sequence[Part], ways: Iterable[Way], order: dict[str, int]) -> Iterator[Span]:
    groups = defaultdict[object, list[Way]](list)
    for way in ways:
        if way.target in order and _is_of(parts, {way.source, way.target}):
            alike = (way.target, way.kind, way.words)
            groups[alike if way.words else way].append(way)
    for same in groups.values():
        ends = [order[way.source] + 0.5 for way in same] + [order[same[0].target]]
        yield Span(min(ends), max(ends), tuple(same))
    for part in parts:
        if part.left_out:
            inside = [order[step.id] for step in steps_of([part])]
            yield Span(min(inside) - 0.5, max(inside) + 0.5, (part,))


def levels(parts: Sequence[Part]) -> Iterator[Sequence[Part]]:
    """Yield these parts, and those of each phase inside."""
    yield parts
    for part in parts:
        if isinstance(part, Phase):
            yield from levels(part.parts)


def is_aside(part: Part, parts: Sequence[Part]) -> bool:
    """Return whether a part is a phase among steps. It stands beside the rail, since the step
    before it waits.
    """
    return isinstance(part, Phase) and any(isinstance(other, Step) for other in parts)


def _is_of(parts: Sequence[Part], ids: set[str]) -> bool:
    """Whether these parts hold all these steps, and none of the phases among them does."""
    if not _holds(parts, ids):
        return False
    inner = [part for part in parts if isinstance(part, Phase) and not part.single]
    return not any(_holds(phase.parts, ids) for phase in inner)


def _holds(parts: Sequence[Part], ids: set[str]) -> bool:
    return ids <= {step.id for step in steps_of(parts)}
