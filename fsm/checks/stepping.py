"""How the games of a proof go on: every way from one request to the next, and which runs go on
alike, because no guard reads what they differ in.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Set
from copy import copy
from itertools import chain
from typing import Any

from fsm.checks.facts import changes, lasting, live_facts
from fsm.checks.observing import Labels
from fsm.checks.surroundings import Bounds, environment_of
from fsm.engine.semantics import (
    SILENT_LIMIT,
    TURN,
    Fired,
    NothingFires,
    Told,
    every_choice,
    semantics_of,
)
from fsm.errors import StuckError
from fsm.model import Fact, Model, State
from fsm.state.primitives import TESTS
from fsm.state.run import Candidate, Extra, Progress, Run

INSIDE = frozenset(("frame", "holder", "passed", "out", "interrupted"))
"""The fields of a run that say where it is inside a window."""
Values = tuple[tuple[tuple[int, str], bool], ...]
"""Facts that are told, each with the number of the answer that tells it: 0, or that of a forced
answer after it.
"""


class Stepper:
    """Lets runs of one Model go on in every way, within bounds.

    `lasting` has the latched facts with their scopes, `live` those that a run may still read in a
    state, `of_window` the facts of the window, and `of_inside` those whose tests read where a run
    is inside a window. `labels` are what is observed.
    """

    def __init__(self, model: Model, bounds: Bounds) -> None:
        self.model = model
        self.bounds = bounds
        self.semantics = semantics_of(model)
        self.environment = environment_of(model)
        self.labels = Labels(model)
        self.live = live_facts(model)
        self.lasting = dict[str, str]()
        self.of_inside = set[str]()
        window = model.window.facts if model.window is not None else ()
        self.of_window = frozenset(fact.name for fact in window)
        stated = {fact.name for fact in model.facts if fact.quiet is not None}
        self.stirring = (self.of_window | stated) - {self.environment.empty}
        for machine in model.machines.values():
            self.lasting |= lasting(machine)
            self.of_inside.update(fact.name for fact in machine.facts if _is_inside(fact))
        self.changes = dict[tuple[str, str], dict[str, bool]]()
        for (name, *_), rows in self.semantics.rows.items():
            for row in rows:
                self.changes[name, row.id] = changes(row.transition, self.lasting)

    def forced(self, state: State) -> bool:
        """Say whether a state of the turn asks for something that has only one answer."""
        return state.asks == "perform" and state.action not in self.environment.pushes

    def ways(
        self,
        run: Run,
        stack: int,
        begin: Callable[[Attempt], object],
        values: Values = (),
        ends: Set[str] = frozenset(),
        onward: bool = True,
    ) -> Iterator[Attempt]:
        """Yield every way in which a run goes on: something begins it, then it needs no answer.

        `values` are facts that are known, `ends` the states of a window at which a way ends.
        Without `onward`, a way is only what begins it.
        """
        for choices in every_choice():
            told: dict[Any, bool] = choices
            told.update(values)
            attempt = Attempt(self, copy(run), stack, told)
            attempt.go(begin, ends, onward=onward)
            yield attempt

    def is_quiet(self, values: Values) -> bool:
        """Say whether facts are as in a game in which nothing happens. Those of the turn without a
        stated quiet value are decisions.
        """
        quiet = self.semantics.quiet
        return all(value is quiet[name] for (_, name), value in values if name in self.stirring)


def _is_inside(fact: Fact) -> bool:
    return bool(fact.test) and not INSIDE.isdisjoint(TESTS[fact.test[0]].touches(fact.test[1:]))


class Attempt(Told):
    """One way in which a run goes on. It tells the facts that are read, and notes what happens."""

    def __init__(self, stepper: Stepper, run: Run, stack: int, told: dict[Any, bool]) -> None:
        super().__init__()
        self.stepper = stepper
        self.run = run
        self.stack = stack
        self.told = told
        self.fired: list[Fired] = []
        self.changed: dict[str, bool] = {}
        self.answers = 0
        self.problem = ""
        self._performed: set[str] = set()

    def __missing__(self, name: str) -> bool:
        """Tell a fact: each value that it can have at this answer, in one way or another."""
        key = (self.answers, name)
        stepper = self.stepper
        if key not in self.told:
            only = stepper.environment.only_value(name, self.stack, stepper.bounds.stack)
            if only is not None:
                self.told[key] = only
        return self.told[key]

    @property
    def facts(self) -> Values:
        """The facts that were told."""
        return tuple(self.told.items())

    @property
    def read(self) -> set[str]:
        """The facts that were read."""
        return {name for one in self.fired for name, _ in one.guards}

    @property
    def leaves(self) -> bool:
        """Whether the turn goes to another state."""
        return any(one.machine == TURN and one.row.transition.target for one in self.fired)

    def go(self, begin: Callable[[Attempt], object], ends: Set[str], *, onward: bool) -> None:
        """Begin, and fire what needs no answer. `problem` says why that leads nowhere."""
        try:
            begin(self)
            for _ in range(SILENT_LIMIT):
                if not (onward and self._goes_on(ends)):
                    return
        except NothingFires as hole:
            self.problem = hole.what
            return
        except StuckError:
            pass
        self.problem = "nothing is asked any more: it goes round and round"

    def _goes_on(self, ends: Set[str]) -> bool:
        """Fire one transition that needs no answer, or give a forced one. Say whether there was
        one.
        """
        run = self.run
        stepper = self.stepper
        if run.frame in ends if run.frame else run.turns_begun > stepper.bounds.turns:
            return False
        event = stepper.semantics.onward(run)
        if event is not None:
            self.fire(*event)
            return True
        state = stepper.semantics.waiting(run)
        if run.frame or state.id in self._performed or not stepper.forced(state):
            return False
        self.answers += 1
        if state.action in stepper.environment.clears:
            self.stack = 0
        self.answer(state, "done")
        return True

    def answer(self, state: State, word: str) -> None:
        """Answer what a state of the turn asks, with the facts that must be told there."""
        self._performed.add(state.id)
        for name in state.tells:
            if self[name] and name in self.stepper.semantics.latching:
                self.run.latched |= {name}
                self.changed[name] = True
        self.fire(TURN, word)

    def fire(self, machine: str, event: str) -> None:
        """Fire the first transition that can fire."""
        one = self.stepper.semantics.microstep(self.run, machine, event, self, self.fired)
        self.changed.update(self.stepper.changes[machine, one.row.id])

    def signal(self, event: str) -> None:
        """Take a signal."""
        self.stepper.semantics.interrupt(self.run, event, self, self.fired)
        for one in self.fired:
            self.changed.update(self.stepper.changes[one.machine, one.row.id])


# which runs go on alike ---------------------------------------------------------------------------


class Likeness:
    """Makes keys of one Model's runs. Runs with equal keys go on in the same ways, but for what is
    inside their windows, and for the facts that stay true.
    """

    def __init__(self, model: Model) -> None:
        self.begun = dict[tuple[str, ...], None]()
        self.counts = dict[str, None]()
        self.tallied = dict[str, int]()
        for machine in model.machines.values():
            for name, *args in (fact.test for fact in machine.facts if fact.test):
                if name == "begun":
                    self.begun[tuple(args)] = None
                if name == "tallied":
                    self.tallied[args[0]] = max(int(args[1]), self.tallied.get(args[0], 0))
                if TESTS[name].counts:
                    self.counts[TESTS[name].counts] = None

    def key(self, run: Run) -> Hashable:
        """Return everything in the run that can make a difference later."""
        number = _Numbers()
        sequences = (run.phase, run.step, *chain.from_iterable(run.suspended))
        return (
            run.state,
            (run.turns_begun, run.active, run.natural, run.reversed, run.left),
            run.turn.current,
            tuple([number.sequence(sequence) for sequence in sequences]),
            tuple([number.extra(run, extra) for extra in run.extras]),
            (run.interrupted, run.appointed, run.heard),
            (run.turns, run.controls, run.skips),
            tuple([bool(run.visits(*what)) for what in self.begun]),
            tuple([min(run.tallies.count(name), most) for name, most in self.tallied.items()]),
            tuple([getattr(run, name) for name in self.counts]),
        )


class _Numbers(dict[int, int]):
    """Numbers the phases and steps of a turn anew, in the order in which they are seen."""

    def __init__(self) -> None:
        super().__init__({0: 0})

    def __missing__(self, id: int) -> int:
        self[id] = len(self)
        return self[id]

    def sequence(self, sequence: Progress) -> Hashable:
        """Return where the phases or steps have come to."""
        current = sequence.current
        returns = [(r.state, self[r.cursor], _candidate(r.candidate)) for r in sequence.returns]
        return (
            current and (self[current.id], current.name, current.family, current.label),
            current and (current.extra, current.only, current.under_way),
            self[sequence.cursor],
            _candidate(sequence.candidate),
            tuple(returns),
        )

    def extra(self, run: Run, e: Extra) -> Hashable:
        """Return an extra phase or step that is due, and after how many more like its anchor."""
        more = e.nth - len(run.visits(e.level, e.after))
        due = self[run.due_after(e)] or (e.after, more)
        return e.level, e.what, e.only, e.order.id, due, e.before


def _candidate(candidate: Candidate) -> Hashable:
    return candidate.what, candidate.only, candidate.label, candidate.extra
