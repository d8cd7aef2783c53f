"""What becomes of a fact from one firing to the next: the same, known, only ever up, or anything.

Everything that may have happened in between counts: the actions of the firing, an answer with its facts, orders and
signal, a whole window. So whatever is held to be the same is the same in every run.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from fsm.coverage.graph import Arc, Graph, graphs_of
from fsm.coverage.proving.effects import BY_ANSWERS, Fields, reads, writes
from fsm.model import Action, Fact

Link = Literal["same", "true", "false", "up", "any"]
"""`up`: what was true is still true, what was false may be either."""


@dataclass(frozen=True)
class Links:
    """How the facts of one machine go from firing to firing."""

    graph: Graph

    def link(self, fact: Fact, before: Arc) -> Link:
        """What is known of this fact when the next row is tried, from what it was when `before` was."""
        if not self.graph.played:
            return "any"
        if fact.timing == "latched":
            return self._latched(fact, before)
        if fact.owner == "game":
            return "same" if self.graph.silent(before.to) else "any"
        return "same" if reads(fact.test).isdisjoint(self._changed(before)) else "any"

    def _changed(self, before: Arc) -> Fields:
        """Every field that may have changed."""
        waits = not self.graph.silent(before.to)
        own = writes((*before.row.actions, *self._meanwhile(before)))
        by_answer: Fields = BY_ANSWERS if waits else frozenset()
        left = frozenset(("left",)) if self.graph.answered(before) else frozenset()
        moved = frozenset(("state",)) if self.graph.model is self.graph.whole else frozenset()
        return own | by_answer | left | moved

    def _meanwhile(self, before: Arc) -> tuple[Action, ...]:
        """The actions of the other machine that may run in between."""
        if self.graph.model is not self.graph.whole:
            return self._of_signals if self.graph.answered(before) else ()
        return self._of_window if self.graph.state(before.to).kind == "window" else ()

    def _latched(self, fact: Fact, before: Arc) -> Link:
        link = self._after(fact, before.row.actions, "same")
        if not self.graph.silent(before.to) and fact.owner == "game":
            link = {"same": "up", "false": "any"}.get(link, link)  # type: ignore[assignment]
        meanwhile = self._meanwhile(before)
        cleared = any(self._clears(action, fact) for action in meanwhile)
        set_ = any(action.name == "latch" and action.args == (fact.name,) for action in meanwhile)
        if cleared:
            return "any"
        return {"same": "up", "false": "any"}.get(link, link) if set_ else link  # type: ignore[return-value]

    def _after(self, fact: Fact, actions: Iterable[Action], link: Link) -> Link:
        for action in actions:
            if action.name == "latch" and action.args == (fact.name,):
                link = "true"
            elif self._clears(action, fact):
                link = "false"
        return link

    def _clears(self, action: Action, fact: Fact) -> bool:
        return action.name == "clear" and (action.args[0], fact.name) in self._scopes

    @cached_property
    def _scopes(self) -> frozenset[tuple[str, str]]:
        """Scopes and the facts that are latched for them, in both machines."""
        return frozenset((f.scope, f.name) for graph in graphs_of(self.graph.whole) for f in graph.model.facts)

    @cached_property
    def _of_window(self) -> tuple[Action, ...]:
        window = self.graph.whole.window
        return tuple(a for row in window.transitions for a in row.actions) if window is not None else ()

    @cached_property
    def _of_signals(self) -> tuple[Action, ...]:
        """What the turn's rows do by which a signal leaves the window open."""
        rows = self.graph.whole.transitions
        return tuple(a for row in rows if row.target is None for a in row.actions)
