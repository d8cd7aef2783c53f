"""Collects what scenarios of a Model may name: steps, phases, stages, actions, facts and durations."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from fsm.engine.semantics import semantics_of
from fsm.model import Fact, Model, State, Transition
from fsm.model.elements import LEAVING
from fsm.runs.visits import turn_based
from fsm.scenarios.combat import MANNERS
from fsm.state.scheduling import names_of

ASSIGN = "assign_"
"""The prefix of actions that assign damage."""


@dataclass(frozen=True)
class ModelWords:
    """The names in one Model that scenarios may use."""

    model: Model

    @cached_property
    def steps(self) -> Mapping[str, str]:
        """The state ids of the steps by name, in the model's order."""
        return {s.name: s.id for s in self.model.of_kind("step")}

    @cached_property
    def phases(self) -> tuple[str, ...]:
        """The names of phases in `expect`."""
        return tuple(s.name for s in self.model.of_kind("phase"))

    @cached_property
    def families(self) -> tuple[str, ...]:
        """The names of phases in effects."""
        return tuple(dict.fromkeys(s.family or s.name for s in self.model.of_kind("phase")))

    @cached_property
    def stages(self) -> Mapping[str, Mapping[str, State]]:
        """The actions and windows of each step by state id, in the model's order. `when` may name
        them.
        """
        return {
            name: {s.id: s for s in self.model.children(id) if is_stage(s)}
            for name, id in self.steps.items()
        }

    @cached_property
    def every_stage(self) -> Mapping[str, State]:
        """Every action and window of the turn by state id, also outside steps."""
        return {s.id: s for s in self.model.leaves if is_stage(s)}

    @cached_property
    def actions(self) -> Mapping[str, frozenset[str]]:
        """The turn-based actions, with the names of the steps that have them."""
        found: dict[str, set[str]] = {}
        for state in self.model.leaves:
            step = self.model.enclosing(state.id, "step")
            if state.action:
                found.setdefault(state.action, set()).update({step.name} if step else ())
        return {action: frozenset(steps) for action, steps in found.items()}

    @cached_property
    def ordered_actions(self) -> tuple[str, ...]:
        """The actions that `tba_order` may name, in the model's order."""
        return tuple(dict.fromkeys(self.model.state(id).action for id in turn_based(self.model)))

    @cached_property
    def with_priority(self) -> frozenset[str]:
        """The steps in which players always get priority."""
        return frozenset(
            name
            for name, id in self.steps.items()
            if any(s.opens == "natural" for s in self.model.children(id))
        )

    @cached_property
    def reported(self) -> Mapping[str, Fact]:
        """The facts that the game reports, by name, of the model and its window."""
        return semantics_of(self.model).facts

    @cached_property
    def signals(self) -> tuple[str, ...]:
        """The events that break the ordinary course of a turn."""
        return self.model.signals

    def phases_with(self, action: str) -> frozenset[str]:
        """Return the names of the phases that have a step with this action."""
        homes = (
            self.model.enclosing(self.steps[step], "phase") for step in self.actions.get(action, ())
        )
        return frozenset(home.name for home in homes if home)

    def hearing(self, event: str) -> frozenset[str]:
        """Return the steps in which this event leads somewhere while players may act."""
        return frozenset(
            name
            for name, stages in self.stages.items()
            if any(s.kind == "window" and self.hears(s.id, event) for s in stages.values())
        )

    def hears(self, stage: str, event: str) -> bool:
        """Say whether this event leads anywhere from this stage."""
        return any(row.target is not None for row in self.model.rows(stage, event))

    def can_end(self, stage: str, phase: str) -> bool:
        """Say whether a procedure can end this phase from this stage."""
        rows = self.model.rows(stage, "end_phase")
        first = next((row for row in rows if self._may_fire(row, phase)), None)
        return first is not None and first.target is not None

    def _may_fire(self, row: Transition, phase: str) -> bool:
        """Say whether the row may fire, as far as the phase decides it."""
        family = next((s.family for s in self.model.of_kind("phase") if s.name == phase), None)
        tests = [(self.model.fact(term.fact).test, term.value) for term in row.guard]
        return all(
            (family == test[1]) == value
            for test, value in tests
            if test[:1] == ("phase_under_way",)
        )

    def knows(self, need: str) -> bool:
        """Say whether the model has what a word needs.

        `need` is "", "fact:NAME", "action:NAME", "by:role", "event:NAME", "test:NAME" or
        "test:NAME:ARGUMENT...".
        Several of these can be joined by "|", of which one is enough.
        """
        return not need or any(one in self._known for one in need.split("|"))

    @cached_property
    def _known(self) -> frozenset[str]:
        return frozenset(self._everything())

    def _everything(self) -> Iterator[str]:
        yield from (f"action:{action}" for action in self.actions)
        if names_of(self.model).roles:
            yield "by:role"
        if self._assigns():
            yield "action:assign_*"
        if self.model.leaving:
            yield f"event:{LEAVING}"
        for model in self.model.machines.values():
            yield from (f"event:{event.name}" for event in model.events)
            yield from (f"fact:{fact.name}" for fact in model.facts)
            tests = (fact.test for fact in model.facts)
            yield from (
                f"test:{':'.join(test[:n])}" for test in tests for n in range(1, len(test) + 1)
            )

    def _assigns(self) -> bool:
        """Say whether damage is assigned, and always in a manner that the scripted game knows."""
        manners = {state.manner for state in self.model.leaves if state.action.startswith(ASSIGN)}
        return bool(manners) and manners <= set(MANNERS)


def is_stage(state: State) -> bool:
    """Say whether the state is an action or a window, at which something can happen."""
    return state.kind == "window" or (state.kind == "action" and bool(state.asks))
