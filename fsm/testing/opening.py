"""Which orders open the guard of a transition."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence

from fsm.checks.surroundings import every_order
from fsm.engine.controller import TurnController
from fsm.errors import FsmError
from fsm.model import Model, State, Transition
from fsm.state.orders import (
    AddPhase,
    AddStep,
    AddTurn,
    ControlNextTurn,
    Order,
    SkipPhase,
    SkipStep,
    SkipTurn,
)

FEW = 3
"""How many orders are tried of those of which any will do."""


def taken(model: Model, players: Sequence[str], orders: Iterable[Order]) -> Iterator[Order]:
    """Yield those of the orders that the model takes before a game of these players begins."""
    for order in orders:
        try:
            TurnController(model, players, orders=(order,))
        except FsmError:
            continue
        yield order


class Openings:
    """What can open the guards of transitions of a model in games of these players."""

    def __init__(self, model: Model, players: tuple[str, ...]) -> None:
        self.model = model
        control = ControlNextTurn(players[0], players[1])
        self.every: list[Order] = [*taken(model, players, every_order(model, players)), control]
        self._inside = {state.id for state in model.window.states} if model.window else set()

    def tests(self, machine: Model, row: Transition) -> list[tuple[str, ...]]:
        """Return the tests of the terms of a guard, those that must hold first."""
        terms = sorted(row.guard, key=lambda term: not term.value)
        return [machine.fact(term.fact).test for term in terms]

    def steps(self, machine: Model, row: Transition) -> set[str]:
        """Return the names of the steps in which its orders must be given. If empty, any will do."""
        states = [test[2] for test in self.tests(machine, row) if test[:1] == ("returns_to",)]
        homes = [self.homes(state)[0] for state in states or [row.source]]
        return {step.name for step in homes if step is not None}

    def orders(self, machine: Model, row: Transition) -> list[tuple[Order, ...]]:
        """Return the orders that may open the guard: one alone, then one with another.

        The other one leads to the transition once more.
        """
        alone = list[Order]()
        for test in self.tests(machine, row):
            alone += self._opening(test, row.source)
        step, phase = self.homes(row.source)
        again: list[Order] = [AddStep(step.name)] if step is not None else []
        if phase is not None:
            again.append(AddPhase(phase.family or phase.name))
        pairs = [(order, other) for order in alone for other in again]
        return [*((order,) for order in alone), *pairs]

    def homes(self, at: str) -> tuple[State | None, State | None]:
        """Return the step and the phase of a state of the turn."""
        if at in self._inside:
            return None, None
        return self.model.enclosing(at, "step"), self.model.enclosing(at, "phase")

    def _opening(self, test: tuple[str, ...], at: str) -> Iterable[Order]:
        """Return the orders that may make a test true, where it is read in this state."""
        match test:
            case ("skip_due", "turn", _):
                return self._kind(SkipTurn)
            case ("skip_due", "phase", what):
                return [SkipPhase(what)]
            case ("skip_due", _, what):
                return [SkipStep(what)]
            case ("own_turn_is", _):
                return self._kind(AddTurn, ControlNextTurn)
            case ("extra_due", "turn"):
                return self._kind(AddTurn)
            case ("only_another", other):
                phase = self.homes(at)[1]
                steps = [s for s in self.model.of_kind("step") if phase and s.parent == phase.id]
                names = [step.name for step in steps if step.name != other]
                return [AddStep(name, "current_phase") for name in names[:FEW]]
            case ("candidate_is" | "begun", level, what):
                return self._extras(level, what)
            case ("inside_extra", level):
                return self._extras(level, self._here(level, at))
            case ("inside_any_extra",):
                return self._extras("", self._here("", at))
            case ("extra_due", level) | ("returns_to", level, _):
                return self._extras(level)
            case ("extra_before", step):
                return self._extras("step", before=step)
        return ()

    def _kind(self, *kinds: type[Order]) -> Iterator[Order]:
        return (order for order in self.every if isinstance(order, kinds))

    def _here(self, level: str, at: str) -> str:
        """Return the name of the step of a state, or the family of its phase."""
        step, phase = self.homes(at)
        if step is not None and level != "phase":
            return step.name
        return phase.family if phase is not None else ""

    def _extras(self, level: str, what: str = "", before: str = "") -> Collection[Order]:
        """Return the orders that add such a phase or step. If any will do, these are a few."""
        steps = [o for o in self.every if isinstance(o, AddStep) and o.before == before]
        phases = [o for o in self.every if isinstance(o, AddPhase) and not before]
        if level == "phase":
            steps = []
        if level == "step":
            phases = []
        if what:
            return [
                *(order for order in steps if order.step == what),
                *(order for order in phases if what in order.phases),
            ]
        return [*phases[1:FEW], *steps[FEW : 2 * FEW], *steps[-2:]]
