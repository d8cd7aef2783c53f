"""What is known when an interrupted sequence continues: only what the interruption changed can be
different.

The interruption lies above the sequence on the return stack. The firings in it are found by
following the transitions, and tests whether something is interrupted have a known result there. So
the firing that continues the sequence may be treated as the successor of the firing that
interrupted it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from fsm.checks.feasibility.effects import reads, writes
from fsm.checks.feasibility.factchanges import FactChange, FactChanges
from fsm.checks.feasibility.testresults import emptied
from fsm.model import Fact, Transition
from fsm.model.graph import Arc, Graph
from fsm.model.reachability import reachable_from
from fsm.state.primitives import Fields

LEVELS = ("phase", "step")


@dataclass(frozen=True)
class ReturnStack:
    """The return stack of one level, in one machine. `live` has the transitions that a run may
    take.
    """

    graph: Graph
    changes: FactChanges
    level: str
    live: frozenset[Arc]

    @cached_property
    def pushes(self) -> tuple[Arc, ...]:
        """The transitions that interrupt."""
        return tuple(
            arc for arc in self.graph.arcs if arc in self.live and self._pushed(arc.row) is not None
        )

    @cached_property
    def pops(self) -> frozenset[Arc]:
        """The transitions that resume."""
        return frozenset(
            a for a in self.graph.arcs if a in self.live and _does(a.row, "pop_return", self.level)
        )

    def before(self, pop: Arc) -> tuple[Arc, ...]:
        """Return the transitions that may have interrupted what this one resumes."""
        known = {
            test[2] for test in self._asked(pop.row, True) if test[:2] == ("returns_to", self.level)
        }
        return tuple(push for push in self.pushes if not known or self._pushed(push.row) in known)

    def change(self, fact: Fact, push: Arc, pop: Arc) -> FactChange:
        """Return how a fact can have changed between the interruption and the resumption."""
        if fact.timing == "latched":
            return _in_any_order(
                self.changes.change(fact, arc) for arc in (push, *self._between, pop)
            )
        if fact.owner == "game":
            return "any"
        changed = self._changed | writes(push.row.actions) | writes(pop.row.actions)
        return "same" if reads(fact.test).isdisjoint(changed - self._restored(push)) else "any"

    def _restored(self, push: Arc) -> Fields:
        """Return the fields that resuming restores."""
        names = [action.name for action in push.row.actions]
        earlier = writes(push.row.actions[: names.index("push_return")])
        return (
            frozenset(f"{what}_{self.level}" for what in ("candidate", "cursor", "returns"))
            - earlier
        )

    def _pushed(self, row: Transition) -> str | None:
        return next(
            (a.args[1] for a in row.actions if a.name == "push_return" and a.args[0] == self.level),
            None,
        )

    @cached_property
    def _changed(self) -> Fields:
        """Every field that may have changed in between."""
        return frozenset().union(*map(self.changes.changed_fields, self._between))

    @cached_property
    def _between(self) -> tuple[Arc, ...]:
        """The transitions that may fire in between: reachable from an interruption and leading to a
        resumption.
        """
        graph = self.graph
        inside = dict.fromkeys(
            arc for arc in graph.arcs if arc in self.live and self._may_fire_inside(arc)
        )
        pushed, popped = (arc.to for arc in self.pushes), (arc.at for arc in self.pops)
        reached = reachable_from(
            pushed, lambda at: (arc.to for arc in graph.leaving[at] if arc in inside)
        )
        leading = reachable_from(
            popped, lambda to: (arc.at for arc in graph.arriving[to] if arc in inside)
        )
        return tuple(arc for arc in inside if arc.at in reached and arc.to in leading)

    def _may_fire_inside(self, arc: Arc) -> bool:
        """Say whether it may fire while this stack is not empty, and leave it so."""
        if any(self.level in emptied(action) for action in arc.row.actions):
            return False
        above = self.graph.model.above(arc.row, arc.at)
        inside = {("inside_extra", self.level), ("inside_any_extra",)}
        return inside.isdisjoint(self._asked(arc.row, False)) and not any(
            self._sure(row, inside) for row in above
        )

    def _sure(self, row: Transition, inside: set[tuple[str, ...]]) -> bool:
        return inside.issuperset(self._asked(row, True)) and not self._asked(row, False)

    def _asked(self, row: Transition, value: bool) -> list[tuple[str, ...]]:
        return [self.graph.model.fact(term.fact).test for term in row.guard if term.value is value]


def _does(row: Transition, name: str, level: str) -> bool:
    return any(action.name == name and action.args[0] == level for action in row.actions)


def _in_any_order(changes: Iterable[FactChange]) -> FactChange:
    """Return what is known if all these changes may have happened, in any order and number."""
    found = set(changes)
    if found <= {"same"}:
        return "same"
    return "up" if found <= {"same", "up", "true"} else "any"
