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
from fsm.state.registry import HERE, Opening, opening_of

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

    def of(self, machine: Model, row: Transition) -> list[Opening]:
        """Return what can make the terms of a guard hold, and then what can make them fail."""
        terms = sorted(row.guard, key=lambda term: not term.value)
        tests = [machine.fact(term.fact).test for term in terms]
        return [opening for test in tests if (opening := opening_of(test)) is not None]

    def steps(self, machine: Model, row: Transition) -> set[str]:
        """Return the names of the steps in which its orders must be given. If empty, any will do."""
        states = [opening.at for opening in self.of(machine, row) if opening.at]
        homes = [self.homes(state)[0] for state in states or [row.source]]
        return {step.name for step in homes if step is not None}

    def orders(self, machine: Model, row: Transition) -> list[tuple[Order, ...]]:
        """Return the orders that may open the guard: one alone, then one with another.

        The other one leads to the transition once more.
        """
        openings = self.of(machine, row)
        alone = [order for opening in openings for order in self._opened_by(opening, row.source)]
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

    def _opened_by(self, opening: Opening, at: str) -> Iterator[Order]:
        """Yield the orders that may make a test true."""
        match opening:
            case Opening("skip", "turn"):
                yield from self._kind(SkipTurn)
            case Opening("skip", "phase", what):
                yield SkipPhase(what)
            case Opening("skip", "step", what):
                yield SkipStep(what)
            case Opening("other turn"):
                yield from self._kind(AddTurn, ControlNextTurn)
            case Opening("lone step", what=other):
                phase = self.homes(at)[1]
                steps = [s for s in self.model.of_kind("step") if phase and s.parent == phase.id]
                names = [step.name for step in steps if step.name != other]
                yield from (AddStep(name, "current_phase") for name in names[:FEW])
            case Opening("extra", "turn"):
                yield from self._kind(AddTurn)
            case Opening("extra"):
                yield from self._extras(opening, at)

    def _kind(self, *kinds: type[Order]) -> Iterator[Order]:
        return (order for order in self.every if isinstance(order, kinds))

    def _extras(self, opening: Opening, at: str) -> Collection[Order]:
        """Return the orders that add such a phase or step. If any will do, these are a few."""
        what, (step, phase) = opening.what, self.homes(at)
        if what == HERE:
            inside = step if step is not None and opening.level != "phase" else phase
            what = (inside.family if inside is phase else inside.name) if inside else ""
        steps = [o for o in self.every if isinstance(o, AddStep) and o.before == opening.before]
        phases = [o for o in self.every if isinstance(o, AddPhase) and not opening.before]
        if opening.level == "phase":
            steps = []
        if opening.level == "step":
            phases = []
        if what:
            return [
                *(order for order in steps if order.step == what),
                *(order for order in phases if what in order.phases),
            ]
        return [*phases[1:FEW], *steps[FEW : 2 * FEW], *steps[-2:]]
