"""The steps of the turn in a proof. Each is computed once for all wait points that are alike to it.

A step depends on the place at which the turn stands and, of the facts that stay true, only on those
that it has read. What was inside a window makes no difference to a signal that leaves it.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from typing import NamedTuple

from fsm.checks.modelchecking.equivalencekey import EquivalenceKey
from fsm.checks.modelchecking.labels import GivenOrder, Labels
from fsm.checks.modelchecking.stepping import StepOutcome, Stepper
from fsm.checks.modelchecking.windows import FactItems, WindowPosition
from fsm.engine.semantics import CLOSED
from fsm.errors import OrderError
from fsm.state.orders import Order
from fsm.state.run import Run
from fsm.state.scheduling import apply

_Inside = tuple[str, str, tuple[str, ...]]
"""The state of a window, who holds priority, and who has passed."""


@dataclass(slots=True, eq=False)
class Place:
    """Where the turn stands, apart from the facts that stay true and from the stack: a run that
    stands there.
    """

    run: Run


class Landing(NamedTuple):
    """Where a step leads. Of the facts that stay true, those in `kept` stay as they were, and those
    in `added` hold.

    `inside` is what is inside the window there. `label`, `facts`, `forced` and `problem` are those
    of its outcome.
    """

    place: Place
    inside: _Inside
    stack: int
    kept: frozenset[str]
    added: frozenset[str]
    label: int
    facts: FactItems
    forced: int
    problem: str

    def latched(self, before: frozenset[str]) -> frozenset[str]:
        """Return the facts that stay true there, if these did before the step."""
        return before & self.kept | self.added


Landings = tuple[Landing, ...]


class _Known(NamedTuple):
    """Where a step leads if of the facts in `needs` those in `holding` hold."""

    needs: frozenset[str]
    holding: frozenset[str]
    landings: Landings


class TurnSteps:
    """The steps of the turn in the games of one Model. `stepper` computes each of them once."""

    def __init__(self, stepper: Stepper, equivalence: EquivalenceKey, labels: Labels) -> None:
        self.stepper, self.equivalence, self.labels = stepper, equivalence, labels
        self._places: dict[Hashable, Place] = {}
        self._known: dict[Hashable, list[_Known]] = {}
        self._ordered: dict[tuple[Place, int], tuple[Place, int] | None] = {}

    def place(self, run: Run) -> Place:
        """Return the place at which a run stands."""
        key = (run.state, self.equivalence.key(run.agenda))
        place = self._places.get(key)
        if place is None:
            place = self._places[key] = Place(run.copy())
        return place

    # steps ----------------------------------------------------------------------------------------

    def started(self, place: Place) -> Landings:
        """Return where the game leads as it begins."""
        return self._computed(place, place.run.latched, self.stepper.onward(place.run, 0, {}))

    def answered(self, place: Place, latched: frozenset[str], stack: int, word: str) -> Landings:
        """Return where an answer to an action of the turn leads."""
        key = (place, stack, word)
        return self._found(key, latched) or self._computed(
            key, latched, self.stepper.outcomes(_standing(place, latched), stack, word)
        )

    def closed(
        self, place: Place, latched: frozenset[str], stack: int, facts: FactItems
    ) -> Landings:
        """Return where the turn leads after its window closes."""
        key = (place, stack, CLOSED, facts)
        return self._found(key, latched) or self._computed(
            key, latched, self.stepper.closed(_standing(place, latched), stack, dict(facts))
        )

    def signalled(
        self, place: Place, latched: frozenset[str], mid: WindowPosition, event: str
    ) -> Landings:
        """Return where a signal leads from this position inside the window."""
        key = (place, mid.stack, event)
        inside = (*key, mid.frame, mid.holder, mid.passed)
        found = self._found(key, latched) or self._found(inside, latched)
        if found is None:
            run = _standing(place, latched)
            run.frame, run.holder, run.passed = mid.frame, mid.holder, mid.passed
            outcomes = [*self.stepper.onward(run, mid.stack, {}, event=event)]
            found = self._computed(
                inside if any(one.inside for one in outcomes) else key, latched, outcomes
            )
        return found

    def ordered(self, place: Place, number: int, order: Order) -> tuple[Place, int] | None:
        """Return the place after an order and the label of the order, or None if the order is
        refused.
        """
        key = (place, number)
        if key not in self._ordered:
            self._ordered[key] = None
            run = place.run.copy()
            with suppress(OrderError):
                apply(order, run)
                self._ordered[key] = (
                    self.place(run),
                    self.labels.number((GivenOrder.in_run(number, place.run),)),
                )
        return self._ordered[key]

    def _found(self, key: Hashable, latched: frozenset[str]) -> Landings | None:
        for needs, holding, landings in self._known.get(key, ()):
            if latched & needs == holding:
                return landings
        return None

    def _computed(
        self, key: Hashable, latched: frozenset[str], outcomes: Iterable[StepOutcome]
    ) -> Landings:
        found = [*outcomes]
        needs = frozenset().union(*(outcome.needs for outcome in found))
        landings = tuple([self._landing(outcome) for outcome in found])
        self._known.setdefault(key, []).append(_Known(needs, latched & needs, landings))
        return landings

    def _landing(self, outcome: StepOutcome) -> Landing:
        run, changes = outcome.run, outcome.changes
        return Landing(
            self.place(run),
            (run.frame, run.holder, run.passed),
            outcome.stack,
            self.stepper.lasting.difference(changes),
            frozenset([name for name, value in changes.items() if value]),
            self.labels.number(outcome.seen),
            tuple(outcome.facts.items()),
            outcome.forced,
            outcome.problem,
        )


def _standing(place: Place, latched: frozenset[str]) -> Run:
    run = place.run.copy()
    run.latched = latched
    return run
