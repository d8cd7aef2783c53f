"""What a stage view says instead of drawing it: rules for every step alike, and what changes
nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from fsm.model import State, Transition
from fsm.views.drawing.captions import caption_of, headline, holes_said, nothing_changes
from fsm.views.drawing.diagram import Note
from fsm.views.drawing.rowlabels import event_words
from fsm.views.drawing.stages.extent import Extent
from fsm.wording import (
    citation,
    doc_of,
    guard_in_brackets,
    label_of,
    listed,
    lower_first,
    plain,
    rules_of,
    upper_first,
)


class Sentences:
    """The caption of a view, and the notes of its boxes."""

    def __init__(self, extent: Extent) -> None:
        self.extent = extent
        self.model = extent.model

    def caption(self) -> tuple[str, ...]:
        """The lines under the title."""
        first = [*headline(self.model), *self._generic(), *self._ends()]
        holes = [holes_said(self.model, self.extent.leaves)]
        return caption_of((first, [*self._noted(), *self._loose()], self._turn(), holes))

    def _rows(self) -> Iterator[Transition]:
        for state in (*self.extent.holders, *self.extent.leaves):
            yield from self.extent.own.get(state.id, ())

    def _generic(self) -> Iterator[str]:
        """What every step and phase has alike, and is not drawn."""
        hidden = [t for t in self._rows() if t.generic]
        skips = [t for t in hidden if t.layer == "skip"]
        extras = [t for t in hidden if t.layer == "extra"]
        if skips:
            whom = "It" if self.extent.root.kind == "step" else upper_first(self._whom(skips))
            yield f"{whom} can be skipped{_cited(skips)}."
        if extras:
            one = self.extent.root.kind == "step"
            where = "Before and after it" if one else f"Before and after {self._whom(extras)}"
            yield f"{where}, extra ones can come{_cited(extras)}."

    def _whom(self, rows: Sequence[Transition]) -> str:
        """ "the phase and each of its steps"."""
        held = {self.model.state(t.source).parent for t in rows}
        parts = ["the phase"] if self.extent.root.id in held else []
        inner = [s for s in self.extent.holders if s is not self.extent.root and s.id in held]
        if len(inner) > 1:
            parts.append("each of its steps" if parts else "each step")
        else:
            parts += [lower_first(label_of(s)) for s in inner]
        return listed(parts)

    def _ends(self) -> Iterator[str]:
        """What is done as each step ends."""
        said: dict[str, list[State]] = {}
        for state in self.extent.leaves:
            if (
                state.kind == "action"
                and state.role == "end"
                and self.extent.said_at_every_end(state)
            ):
                said.setdefault(lower_first(plain(doc_of(state))) or label_of(state), []).append(
                    state
                )
        for words, states in said.items():
            yield f"As each step ends, {words}{_cited(states)}."

    def _noted(self) -> Iterator[str]:
        for rows in self.extent.noted.values():
            steps = [
                lower_first(label_of(self.model.state(self.model.state(t.source).parent)))
                for t in rows
            ]
            yield f"{guard_in_brackets(rows[0].guard)} leaves out {listed(steps)}{_cited(rows)}."

    def _loose(self) -> Iterator[str]:
        """What changes nothing in a phase or step that is no box."""
        bare = [s for s in self.extent.holders if s.id not in self.extent.boxed]
        ids = {s.id for s in bare}
        for note in self.notes([*bare, *(s for s in self.extent.leaves if s.parent in ids)]):
            yield f"{upper_first(note.words)}."

    def _turn(self) -> Iterator[str]:
        """The signals that the whole turn takes."""
        around = [s.id for s in self.model.path(self.extent.root.id)[1:]]
        rows = [t for s in around for t in self.extent.own.get(s, ())]
        by_event: dict[str, list[Transition]] = {}
        for row in rows:
            if row.target:
                by_event.setdefault(event_words(self.model, row), []).append(row)
        if by_event:
            yield f"From anywhere in the turn: {', '.join(f'{e}{_cited(same)}' for e, same in by_event.items())}."

    def notes(self, states: Sequence[State]) -> Iterator[Note]:
        """What changes nothing in these states: "attack [first turn] at main window: nothing
        happens (1.1)".
        """
        rows = [t for s in states for t in self.extent.own.get(s.id, ()) if t.target is None]
        groups: dict[tuple[object, ...], list[Transition]] = {}
        for row in rows:
            groups.setdefault((row.event, row.guard, row.layer, row.doc, row.rule), []).append(row)
        for same in groups.values():
            yield Note(self._stays(same), same[0].layer)

    def _stays(self, rows: Sequence[Transition]) -> str:
        sources = [self.model.state(t.source) for t in rows]
        names = [lower_first(label_of(s)) for s in sources if not s.composite]
        at = f"at {' or '.join(dict.fromkeys(names))}" if names else ""
        return nothing_changes(self.model, rows[0], at=at, rule=rules_of(rows))


def _cited(rows: Sequence[Transition] | Sequence[State]) -> str:
    return citation(rules_of(rows))
