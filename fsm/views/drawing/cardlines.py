"""What a card says of its step: what is done and where players may act, in the order of the
rulebook.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from fsm.model import Model, State, Transition
from fsm.views.drawing.collapsed import CollapsedTurn
from fsm.views.drawing.diagram import Mark
from fsm.views.drawing.rowlabels import event_words
from fsm.views.drawing.texts import MARKS
from fsm.wording import citation, doc_of, guard_words, label_of, lower_first, plain, plain_words


def mark_of(state: State) -> Mark:
    """How a window is marked: does it open in any case?"""
    return "conditional" if state.opens.startswith("conditional") else "natural"


class CardLines:
    """The lines of each card and of its tooltip."""

    def __init__(self, model: Model, collapsed: CollapsedTurn) -> None:
        self.model = model
        self.collapsed = collapsed

    def mark(self, stages: Sequence[State]) -> Mark:
        """The mark of a whole step: natural if any of its windows is."""
        marks = {mark_of(s) for s in stages if s.kind == "window"}
        return "natural" if "natural" in marks else "conditional" if marks else ""

    def lines(self, card: State, stages: Sequence[State]) -> tuple[str, ...]:
        """What is done, in the order of the rulebook. Where players may act is told by the card's
        mark.
        """
        if card.says:
            return (plain(card.says),)
        shown = [s for s in stages if self._acts(s)]
        said = dict.fromkeys(self._line(card, s, shown[:i]) for i, s in enumerate(shown))
        return (", ".join(said),) if said else ()

    def tips(self, stages: Sequence[State]) -> list[str]:
        """One line of the tooltip per action and window: what it is, and its rule."""
        shown = [s for s in stages if s.kind == "window" or self._acts(s)]
        return [
            f"{self._glyph(s)}{': '.join(filter(None, (label_of(s), plain(doc_of(s)))))}{citation(plain(s.rule))}"
            for s in shown
        ]

    def _acts(self, stage: State) -> bool:
        return stage.kind in ("action", "stage") and stage.role in ("", "action")

    def _glyph(self, stage: State) -> str:
        return f"{MARKS[mark_of(stage)]} " if stage.kind == "window" else ""

    def _into(self, stage: State) -> list[Transition]:
        return [
            t
            for t in self.collapsed.into.get(stage.id, ())
            if not t.generic and t not in self.collapsed.backs
        ]

    def _line(self, card: State, stage: State, earlier: Sequence[State]) -> str:
        if stage.says:
            return plain_words(self.model, stage)
        name, into = label_of(stage), self._into(stage)
        if name.casefold() == label_of(card).casefold() and doc_of(stage):
            name = plain(doc_of(replace(stage, doc=stage.doc.partition(",")[0])))
        events = dict.fromkeys(event_words(self.model, t) for t in into)
        if all(events) and events:
            name = f"on {' or '.join(events)}: {lower_first(name)}"
        elif self._instead(stage, earlier):
            name = f"else {lower_first(name)}"
        condition = (
            f" (if {guard_words(into[0].guard)})" if into and all(t.guard for t in into) else ""
        )
        return lower_first(name) + condition + self._repeated(stage)

    def _instead(self, stage: State, earlier: Sequence[State]) -> bool:
        """Is this what is done when the guard of the one before does not hold?"""
        if not earlier:
            return False
        before = earlier[-1]
        sources = {t.source for t in self._into(stage)}
        return before.id not in sources and bool(
            sources & {t.source for t in self._into(before) if t.guard}
        )

    def _repeated(self, stage: State) -> str:
        """The ways back from here that no line shows."""
        rows = [t for t in self.collapsed.rows(stage.id) if t.guard and t.layer == "core"]
        said = [
            f" ({'again' if t.target == stage.id else f'back to {self._called(t)}'} if {guard_words(t.guard)})"
            for t in rows
            if t in self.collapsed.backs and self.collapsed.inside_again(t)
        ]
        return "".join(said)

    def _called(self, row: Transition) -> str:
        return lower_first(label_of(self.model.state(row.target or row.source)))
