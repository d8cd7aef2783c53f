"""How a fact can change from one firing to the next: it stays the same, is known, only rises, or
may be anything.

Everything that may happen in between counts: the actions of the firing, an answer with its facts,
orders and signal, and a whole window. So a fact that counts as the same is the same in every run.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

from fsm.checks.feasibility.effects import BY_ANSWERS, reads, writes
from fsm.checks.feasibility.testresults import result_after
from fsm.model import Action, Fact
from fsm.model.graph import Arc, Graph, graphs_of
from fsm.state.primitives import Fields

LEFT = frozenset(("left",))
HAS_LEFT = ("active_left", "candidate_left", "holder_left")
"""Tests that are true once a player has left, because players do not come back."""
FactChange = Literal["same", "true", "false", "up", "any"]
"""`up`: a true fact stays true, and a false one may change."""


@dataclass(frozen=True)
class FactChanges:
    """Says how the facts of one machine can change from firing to firing."""

    graph: Graph
    _cache: dict[tuple[str, int, str], FactChange] = field(default_factory=dict, compare=False)

    def change(self, fact: Fact, before: Arc, event: str = "") -> FactChange:
        """Return how this fact can have changed between `before` and the attempt to take the next
        row.

        `event` is the event of the next row, if it is known.
        """
        key = (fact.name, id(before), event)
        if key not in self._cache:
            self._cache[key] = self._change(fact, before, event)
        return self._cache[key]

    def _change(self, fact: Fact, before: Arc, event: str) -> FactChange:
        if not self.graph.played:
            return "any"
        if fact.timing == "latched":
            return self._latched(fact, before)
        if fact.owner == "game":
            return "same" if self.graph.silent(before.to) else "any"
        return self._tested(fact, before, event)

    def _tested(self, fact: Fact, before: Arc, event: str) -> FactChange:
        change: FactChange = "same"
        for action in before.row.actions:
            known = result_after(action, fact.test)
            if known is not None:
                change = "true" if known else "false"
            elif not reads(fact.test).isdisjoint(writes((action,))):
                change = "any"
        changed = reads(fact.test) & self._otherwise(before, event)
        if changed == LEFT and fact.test[0] in HAS_LEFT and change in ("same", "true"):
            return "up" if change == "same" else "true"
        return "any" if changed else change

    def changed_fields(self, before: Arc) -> Fields:
        """Return every field that may have changed by the next firing."""
        return writes(before.row.actions) | self._otherwise(before, "")

    def _otherwise(self, before: Arc, event: str) -> Fields:
        """Return every field that something other than the row's actions may have changed."""
        by_answer: Fields = BY_ANSWERS - LEFT if not self.graph.silent(before.to) else frozenset()
        moved = frozenset(("state",)) if self.graph.model is self.graph.whole else frozenset()
        return writes(self._meanwhile(before)) | by_answer | moved | self._left(before, event)

    def _left(self, before: Arc, event: str) -> Fields:
        """Somebody may leave right after an answer, or between two answers.

        If that is an event, the next row to fire is a row for it.
        """
        graph = self.graph
        kind = graph.state(before.to).kind
        heard = (
            graph.answered(before)
            or kind == "action"
            or (graph.model is graph.whole and kind == "window")
        )
        leaving = graph.whole.leaving
        other = event not in ("", leaving) and graph.model.rows(before.to, leaving)
        return LEFT if heard and not other else frozenset()

    def _meanwhile(self, before: Arc) -> tuple[Action, ...]:
        """Return the actions of the other machine that may run in between."""
        if self.graph.model is not self.graph.whole:
            return self._of_signals if self.graph.answered(before) else ()
        return self._of_window if self.graph.state(before.to).kind == "window" else ()

    def _latched(self, fact: Fact, before: Arc) -> FactChange:
        change = self._after(fact, before.row.actions, "same")
        if not self.graph.silent(before.to) and fact.owner == "game":
            change = {"same": "up", "false": "any"}.get(change, change)  # type: ignore[assignment]
        meanwhile = self._meanwhile(before)
        cleared = any(self._clears(action, fact) for action in meanwhile)
        set_ = any(action.name == "latch" and action.args == (fact.name,) for action in meanwhile)
        if cleared:
            return "any"
        return {"same": "up", "false": "any"}.get(change, change) if set_ else change  # type: ignore[return-value]

    def _after(self, fact: Fact, actions: Iterable[Action], change: FactChange) -> FactChange:
        for action in actions:
            if action.name == "latch" and action.args == (fact.name,):
                change = "true"
            elif self._clears(action, fact):
                change = "false"
        return change

    def _clears(self, action: Action, fact: Fact) -> bool:
        return action.name == "clear" and (action.args[0], fact.name) in self._scopes

    @cached_property
    def _scopes(self) -> frozenset[tuple[str, str]]:
        """The scopes and the facts that are latched for them, in both machines."""
        return frozenset(
            (f.scope, f.name) for graph in graphs_of(self.graph.whole) for f in graph.model.facts
        )

    @cached_property
    def _of_window(self) -> tuple[Action, ...]:
        window = self.graph.whole.window
        return (
            tuple(a for row in window.transitions for a in row.actions)
            if window is not None
            else ()
        )

    @cached_property
    def _of_signals(self) -> tuple[Action, ...]:
        """The actions of the turn's rows that leave the window open on a signal."""
        rows = self.graph.whole.transitions
        return tuple(a for row in rows if row.target is None for a in row.actions)
