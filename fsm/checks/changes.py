"""How a fact can change from one firing to the next: it stays the same, is known, only rises, or
may be anything.

Everything that may happen in between counts: the actions of the firing, an answer with its facts,
orders and signals, and a whole window. So a fact that counts as the same is the same in every run.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import Literal

from fsm.model import Action, Fact
from fsm.model.graph import Arc, Graph
from fsm.state.primitives import ACTIONS, TESTS
from fsm.state.registry import Fields

Change = Literal["same", "true", "false", "up", "any"]
"""`up`: a true fact stays true, and a false one may change."""
BY_ORDERS: Fields = frozenset(("turns", "skips", "controls", "extras", "reversed", "appointed"))
"""What the orders of an answer can change before anything fires."""
LEFT: Fields = frozenset(("left",))
HAS_LEFT = ("active_left", "candidate_left", "holder_left")
"""Tests that are true once a player has left, because players do not come back."""


@cache
def reads(test: tuple[str, ...]) -> Fields:
    """Return the fields that a test with these arguments reads. A fact of the game has no test."""
    return TESTS[test[0]].touches(test[1:]) if test else frozenset()


def writes(actions: Iterable[Action]) -> Fields:
    """Return the fields that these actions change."""
    return frozenset().union(*map(_written, actions))


@cache
def _written(action: Action) -> Fields:
    return ACTIONS[action.name].touches(action.args)


class Changes:
    """Says how the facts of one machine can change from firing to firing."""

    def __init__(self, graph: Graph) -> None:
        self.graph, window = graph, graph.whole.window
        inside = window.transitions if window is not None else ()
        self._of_window = tuple(action for row in inside for action in row.actions)
        staying = (row for row in graph.whole.transitions if row.target is None)
        self._of_signals = tuple(action for row in staying for action in row.actions)
        self._written = cache(self._fields)
        self.change = cache(self._change)

    def _change(self, fact: Fact, before: Arc) -> Change:
        """Return how this fact can have changed between `before` and the attempt to take the next
        transition.
        """
        if not self.graph.played:
            return "any"
        if fact.timing == "latched":
            return self._latched(fact, before)
        if fact.owner == "game":
            return "same" if self.graph.silent(before.to) else "any"
        changed = reads(fact.test) & self._written(before)
        if changed == LEFT and fact.test[0] in HAS_LEFT:
            return "up"
        return "any" if changed else "same"

    def _fields(self, before: Arc) -> Fields:
        """Return every field that may have changed."""
        graph = self.graph
        fields = writes(before.row.actions) | writes(self._meanwhile(before))
        waits = not graph.silent(before.to)
        if waits:
            fields |= BY_ORDERS
        if waits or graph.answered(before) or before.row.event in graph.signals:
            fields |= LEFT
        return fields | {"state"} if graph.model is graph.whole else fields

    def _meanwhile(self, before: Arc) -> tuple[Action, ...]:
        """Return the actions of the other machine that may be performed in between."""
        if self.graph.model is not self.graph.whole:
            return self._of_signals if self.graph.answered(before) else ()
        return self._of_window if self.graph.model.state(before.to).kind == "window" else ()

    def _latched(self, fact: Fact, before: Arc) -> Change:
        latch, clear = f"latch({fact.name})", f"clear({fact.scope})"
        change: Change = "same"
        for action in before.row.actions:
            if action == latch:
                change = "true"
            elif action == clear:
                change = "false"
        meanwhile = self._meanwhile(before)
        if clear in meanwhile:
            return "any"
        told = fact.owner == "game" and not self.graph.silent(before.to)
        if told or latch in meanwhile:
            return {"same": "up", "false": "any"}.get(change, change)  # type: ignore[return-value]
        return change
