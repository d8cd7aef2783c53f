"""How a fact can change from one firing to the next: it stays the same, is known, only rises, or may be anything.

Everything that may happen in between counts: the actions of the firing, an answer with its facts, orders and signal,
and a whole window. So a fact that counts as the same is the same in every run.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

from fsm.analysis.feasibility.effects import BY_ANSWERS, Fields, reads, writes
from fsm.analysis.feasibility.knowing import answers
from fsm.model import Action, Fact
from fsm.model.graph import Arc, Graph, graphs_of

LEAVING, LEFT = "player_left", frozenset(("left",))
HAS_LEFT = ("active_left", "candidate_left", "holder_left")
"""Tests that are true once a player has left, because players do not come back."""
Link = Literal["same", "true", "false", "up", "any"]
"""`up`: a true fact stays true, and a false one may change."""


@dataclass(frozen=True)
class Links:
    """How the facts of one machine go from firing to firing."""

    graph: Graph
    _known: dict[tuple[str, int, str], Link] = field(default_factory=dict, compare=False)

    def link(self, fact: Fact, before: Arc, event: str = "") -> Link:
        """What is known of this fact when the next row is tried, from what it was when `before` was.

        `event` is the next row's, where that is known.
        """
        key = (fact.name, id(before), event)
        if key not in self._known:
            self._known[key] = self._link(fact, before, event)
        return self._known[key]

    def _link(self, fact: Fact, before: Arc, event: str) -> Link:
        if not self.graph.played:
            return "any"
        if fact.timing == "latched":
            return self._latched(fact, before)
        if fact.owner == "game":
            return "same" if self.graph.silent(before.to) else "any"
        return self._tested(fact, before, event)

    def _tested(self, fact: Fact, before: Arc, event: str) -> Link:
        link: Link = "same"
        for action in before.row.actions:
            known = answers(action, fact.test)
            if known is not None:
                link = "true" if known else "false"
            elif not reads(fact.test).isdisjoint(writes((action,))):
                link = "any"
        changed = reads(fact.test) & self._otherwise(before, event)
        if changed == LEFT and fact.test[0] in HAS_LEFT and link in ("same", "true"):
            return "up" if link == "same" else "true"
        return "any" if changed else link

    def changed(self, before: Arc) -> Fields:
        """Every field that may have changed by the next firing."""
        return writes(before.row.actions) | self._otherwise(before, "")

    def _otherwise(self, before: Arc, event: str) -> Fields:
        """Every field that may have changed but by the actions of the row."""
        by_answer: Fields = BY_ANSWERS - LEFT if not self.graph.silent(before.to) else frozenset()
        moved = frozenset(("state",)) if self.graph.model is self.graph.whole else frozenset()
        return writes(self._meanwhile(before)) | by_answer | moved | self._left(before, event)

    def _left(self, before: Arc, event: str) -> Fields:
        """Somebody leaves right after an answer; where that is an event, what fires next is its row."""
        graph = self.graph
        heard = graph.answered(before) or (graph.model is graph.whole and graph.state(before.to).kind == "window")
        other = event not in ("", LEAVING) and graph.model.rows(before.to, LEAVING)
        return LEFT if heard and not other else frozenset()

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
