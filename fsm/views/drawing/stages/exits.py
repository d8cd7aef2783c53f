"""The ways through a stage view: out of each thing drawn, into the view from outside, and from
anywhere in a box.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from fsm.model import Layer, State, Transition
from fsm.views.drawing.captions import special
from fsm.views.drawing.rowlabels import event_words, is_else
from fsm.views.drawing.stages.extent import Extent
from fsm.wording import blanks, guard_in_brackets, label_of

BEFORE, AFTER = "from:", "to:"
MOST_RULES = 3


@dataclass(frozen=True, slots=True)
class Exit:
    """A way from one thing drawn to another; `rows` are its transitions, `words` what its label
    says.
    """

    source: str
    target: str
    layer: Layer
    rows: tuple[Transition, ...]
    words: tuple[str, ...]
    rules: tuple[str, ...]
    ring: bool
    event: str


class Exits:
    """All ways through an extent. Those with the same ends and layer are one, with both labels."""

    def __init__(self, extent: Extent) -> None:
        self.extent = extent
        self.model = extent.model

    def all(self) -> list[Exit]:
        """From outside, between what is drawn, and from anywhere in a box, in this order."""
        groups: dict[tuple[object, ...], list[Exit]] = {}
        for way in (*self._entering(), *self._own(), *self._rings()):
            groups.setdefault((way.source, way.target, way.layer, way.event), []).append(way)
        return [self._joined(group) for group in groups.values()]

    def _joined(self, group: Sequence[Exit]) -> Exit:
        """Ways with the same ends as one; one from outside that is taken in any case needs no
        words.
        """
        rows = tuple(dict.fromkeys(row for way in group for row in way.rows))
        words = tuple(dict.fromkeys(word for way in group for word in way.words))
        rules = tuple(dict.fromkeys(rule for way in group for rule in way.rules))
        joined = replace(group[0], rows=rows, words=words, rules=rules)
        return replace(joined, words=()) if self._in_any_case(joined) else joined

    def _in_any_case(self, way: Exit) -> bool:
        """Do all transitions of its source outside lead the same way, so that it needs no guard?"""
        if not way.source.startswith(BEFORE):
            return False
        sources = {r.source for r in way.rows if r.source not in self.extent.ids}
        rows = [r for s in sources for r in self.extent.finishing(s)]
        return bool(rows) and set(self.extent.ways(rows)) == {way.target}

    def _own(self) -> Iterator[Exit]:
        for state in self.extent.nodes():
            for row in self.extent.rows(state.id):
                if not (state.kind == "choice" and row.event in self.extent.signals):
                    yield from self._exits(state.id, row)

    def _exits(self, source: str, row: Transition, ring: bool = False) -> Iterator[Exit]:
        for end, rows in self.extent.ways([row]).items():
            target = end if end in self.extent.ids else AFTER + end
            layer = special(
                [r for r in rows if r.source in self.extent.ids or r.target == end] or rows
            )
            layer = row.layer if row.layer != "core" else layer
            decided = [row, *(r for r in rows if r is not row and self._decides(r))]
            words = [
                text
                for text in dict.fromkeys(self.label(r, numbered=not ring) for r in decided)
                if text
            ]
            if words and self._anywhere(source, row.event):
                words[0] = f"from any step: {words[0]}"
            rules = self._rules(layer, words, decided, rows)
            yield Exit(
                source,
                target,
                layer,
                tuple(rows),
                tuple(words),
                tuple(rules),
                ring,
                row.event if ring else "",
            )

    def _rules(
        self,
        layer: Layer,
        words: Sequence[str],
        decided: Sequence[Transition],
        rows: Sequence[Transition],
    ) -> list[str]:
        """What is cited: what decided, or what is special on the way; nothing for an ordinary way
        on.
        """
        if layer == "core":
            cited = [] if all(text.endswith("else") for text in words) else decided
        else:
            cited = [r for r in rows if r.layer == layer]
        rules = [rule for rule in dict.fromkeys(r.rule for r in cited) if rule]
        return rules if len(rules) <= MOST_RULES else [r.rule for r in decided[:1] if r.rule]

    def _anywhere(self, source: str, event: str) -> bool:
        """Is this the phase that the whole view shows, and does nothing in it take the event
        otherwise?
        """
        inner = [s.id for s in self.extent.holders if s.id != source]
        own = any(r.event == event for s in inner for r in self.extent.rows(s))
        return source == self.extent.root.id and len(inner) > 1 and not own

    # labels ---------------------------------------------------------------------------------------

    def _decides(self, row: Transition) -> bool:
        """Does it lead elsewhere than another transition of its source?"""
        others = [r for r in self.extent.rows(row.source) if r.event == row.event]
        return bool(row.guard) and len({tuple(self.extent.ways([r])) for r in others}) > 1

    def tried_before(self, row: Transition) -> list[Transition]:
        """The transitions of the same source and event that come first."""
        rows = [t for t in self.extent.rows(row.source) if t.event == row.event]
        return rows[: rows.index(row)] if row in rows else []

    def label(self, row: Transition, numbered: bool = True) -> str:
        """Number in guard order, event, guard: "1  [first strike in combat]", "2  else"."""
        rows = [t for t in self.extent.rows(row.source) if t.event == row.event]
        several = len(rows) > 1
        guard = guard_in_brackets(row.guard)
        if not guard and (several or is_else(self.model, row)) and rows[0] is not row:
            guard = "else"
        number = f"{rows.index(row) + 1} " if several and numbered else ""
        return " ".join(part for part in (number, event_words(self.model, row), guard) if part)

    # from outside ---------------------------------------------------------------------------------

    def _entering(self) -> Iterator[Exit]:
        for row in self.model.transitions:
            outside = row.source not in self.extent.ids and not self._holds(row.source)
            if not outside or row.target not in self.extent.ids or not self.extent.shown(row):
                continue
            for name in self.origins(row):
                yield from (
                    way
                    for way in self._exits(BEFORE + name, row)
                    if not way.target.startswith(AFTER)
                )

    def _holds(self, holder: str) -> bool:
        return any(s.id == holder for s in self.extent.holders)

    def origins(self, row: Transition) -> list[str]:
        """Where a transition from outside comes from: the step or phase, or the signals that set it
        going.
        """
        source = self.model.state(row.source)
        if source.composite:
            return [f"on {blanks(row.event)}"]
        if source.role == "procedure":
            return [f"on {event}" for event in self._signals(source)]
        name = self.place(source)
        return [
            name if name == label_of(source) and source.role in ("begin", "end") else f"from {name}"
        ]

    def _signals(self, source: State) -> list[str]:
        """The signals from outside the view that lead to this stage of a procedure."""
        seen, queue, found = {source.id}, [source.id], []
        while queue:
            for row in self.extent.into.get(queue.pop(0), ()):
                if row.event in self.extent.signals:
                    found += (
                        []
                        if self._holds(row.source) or row.source in self.extent.ids
                        else [blanks(row.event)]
                    )
                elif self.model.state(row.source).role == "procedure" and row.source not in seen:
                    seen.add(row.source)
                    queue.append(row.source)
        return list(dict.fromkeys(found))

    def place(self, state: State) -> str:
        """What people call the place where a way ends or comes from: the step or phase, when it is
        its border.
        """
        holder = self.model.state(state.parent) if state.parent else None
        if holder is None or state.kind == "final" or state.role in ("hub", "resume", "procedure"):
            return label_of(state)
        around = any(s.id == holder.id for s in self.model.path(self.extent.root.id))
        if holder.kind == "turn" or around or (state.role == "end" and state.kind == "action"):
            return label_of(state)
        if state.role in ("before", "begin", "end", "after"):
            return label_of(holder)
        return f"{label_of(holder)}: {label_of(state)}"

    # from anywhere in a box -----------------------------------------------------------------------

    def _rings(self) -> Iterator[Exit]:
        for holder in self.extent.holders:
            for row in self.extent.rows(holder.id):
                yield from self._exits(holder.id, row, ring=True)
        for state in self.extent.leaves:
            signal = [r for r in self.extent.rows(state.id) if r.event in self.extent.signals]
            for row in (
                signal if state.id not in self.extent.drawn or state.kind == "choice" else ()
            ):
                yield from self._exits(state.parent, row, ring=True)
