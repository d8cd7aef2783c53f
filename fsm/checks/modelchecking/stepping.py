"""Computes every result of one answer, for all values of the facts that the model reads on the way.

It fires the transitions that a controller would fire, and records what can be observed.
`tests/checks/test_proofs.py` plays its witnesses with the controller.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from fsm.checks.feasibility.effects import reads, writes
from fsm.checks.modelchecking.bounds import Bounds
from fsm.checks.modelchecking.environment import Environment, environment_of
from fsm.engine.answers import quiet_facts
from fsm.engine.requests import Answer, Signal, Word
from fsm.engine.semantics import (
    CLOSED,
    DONE,
    TURN,
    WINDOW,
    Choices,
    Fired,
    Note,
    NothingFires,
    Read,
    Row,
    Semantics,
    every_choice,
)
from fsm.errors import StuckError
from fsm.model import Action, Fact, Model, State
from fsm.state.orders import Interruption
from fsm.state.primitives import holds
from fsm.state.run import Run
from fsm.state.scheduling import apply

NO_FACTS: Mapping[tuple[int, str], bool] = {}


class ObservedFiring(NamedTuple):
    """One firing as properties observe it: the number of its row in its machine, its source and its
    target.

    `stage` is the state of the turn. `step` and `phase` are the names of what was under way before.
    `extra` says whether the step or phase under way after it is extra.
    """

    machine: str
    row: int
    source: str
    target: str
    stage: str
    step: str
    phase: str
    extra: bool


FactsByAnswer = Choices[tuple[int, str]]
"""Reported facts, by the number of the answer and the name of the fact."""


@dataclass(slots=True)
class StepOutcome:
    """The result of an answer and of the forced answers after it. `problem` says why it led
    nowhere, or is "".

    `facts` are the facts that were read on the way. `forced` is the number of forced answers.
    `needs` are the latched facts whose values made a difference, and `changes` those that were set
    or cleared, with their values. `inside` says whether it made a difference where a signal found
    the run in its window.
    """

    run: Run
    facts: FactsByAnswer
    seen: tuple[ObservedFiring, ...]
    problem: str
    stack: int
    forced: int
    needs: frozenset[str]
    changes: Mapping[str, bool]
    inside: bool


ANYTHING = ""
"""Stands for the name of any fact."""
INSIDE = frozenset({"frame", "holder", "passed"})
"""The fields of a run that say where it is inside a window."""


class Ambiguous(NothingFires):
    """Not exactly one fact of a one-of group holds, but a transition would fire all the same."""

    def __init__(self, machine: str, state: str, event: str) -> None:
        super().__init__(machine, state, event)
        self.args = (f"ambiguous: not exactly one of a one-of group holds in {state!r}",)


class GroupSemantics(Semantics):
    """The semantics of a Model, in which a firing also needs that exactly one fact of each one-of
    group holds.
    """

    def __init__(self, model: Model) -> None:
        super().__init__(model)
        machines = {TURN: model, WINDOW: model.window}
        self._groups = {
            place: found
            for place in self.rows
            if (found := _groups(machines[place[0]], self.rows[place]))
        }

    def microstep(self, run: Run, machine: str, event: str, read: Read, note: Note) -> Fired | None:
        """Check the groups, and fire."""
        place = (machine, run.state if machine == TURN else run.frame, event)
        for group in self._groups.get(place, ()):
            if sum(holds(run, fact) for fact in group) != 1:
                raise Ambiguous(*place)
        return super().microstep(run, machine, event, read, note)


def _changes(model: Model, actions: Iterable[Action]) -> dict[str, bool]:
    """Return which latched facts these actions set or clear. ANYTHING is among them if that is not
    known.
    """
    found: dict[str, bool] = {}
    for action in actions:
        if action.name == "latch":
            found[action.args[0]] = True
        elif action.name == "clear":
            facts = [f for machine in model.machines.values() for f in machine.facts]
            found.update((f.name, False) for f in facts if f.scope == action.args[0])
        elif "latched" in writes([action]):
            found[ANYTHING] = True
    return found


def _groups(machine: Model | None, rows: Iterable[Row]) -> list[list[Fact]]:
    """Return the one-of groups that all of these rows read."""
    guards = [row.transition.guard for row in rows]
    if machine is None or not all(guards):
        return []
    names = {machine.fact(term.fact).group for guard in guards for term in guard} - {""}
    return [[f for f in machine.facts if f.group == name and f.test] for name in sorted(names)]


@dataclass
class Stepper:
    """Computes the results of answers for one Model within bounds.

    `lasting` are all latched facts. `of_latched` are the facts whose tests may read any of them,
    and `of_inside` those whose tests may read where a run is inside a window. `checked` are those
    of them that are read with a group. `writes` says which latched facts a row of a machine sets or
    clears.
    """

    model: Model
    bounds: Bounds
    environment: Environment = field(init=False)
    quiet: frozenset[str] = field(init=False)

    def __post_init__(self) -> None:
        self.quiet = frozenset(quiet_facts(self.model))
        self.environment = environment_of(self.model)
        self.semantics = GroupSemantics(self.model)
        self.latched = self.semantics.latched
        self.kinds = self.semantics.kinds
        self.finals = (
            {s.id for s in self.model.window.leaves if s.kind == "final"}
            if self.model.window
            else set()
        )
        self.signals = tuple(event for event in self.model.signals if event != self.model.leaving)
        facts = [f for machine in self.model.machines.values() for f in machine.facts]
        self.lasting = frozenset(f.name for f in facts if f.timing == "latched")
        tests = [(f.name, reads(f.test)) for f in facts if f.test]
        self.of_inside = frozenset(name for name, fields in tests if not fields.isdisjoint(INSIDE))
        self.of_latched = frozenset(name for name, fields in tests if "latched" in fields)
        self.checked = {f.name for f in facts if f.group} & (self.of_inside | self.of_latched)
        self.writes = {
            (place[0], row.number): _changes(self.model, row.transition.actions)
            for place, rows in self.semantics.rows.items()
            for row in rows
        }

    def outcomes(self, run: Run, stack: int, word: str) -> Iterator[StepOutcome]:
        """Yield every result of this answer to an action of the turn. A fact that is read has both
        values.
        """
        state = self.model.state(run.state)
        for attempt in self._attempts(run, stack):
            attempt.passed.add(state.id)
            attempt.report(state)
            attempt.fire(TURN, word)
            yield attempt.onward()

    def onward(
        self, run: Run, stack: int, facts: Mapping[tuple[int, str], bool], *, event: str = ""
    ) -> Iterator[StepOutcome]:
        """Yield every way for a run to reach the next request, after a signal if there is one."""
        for attempt in self._attempts(run, stack, facts):
            if event:
                attempt.signal(Signal(event))
            yield attempt.onward()

    def closed(
        self, run: Run, stack: int, facts: Mapping[tuple[int, str], bool]
    ) -> Iterator[StepOutcome]:
        """Yield every way for a run to reach the next request after its window closes."""
        for attempt in self._attempts(run, stack, facts):
            attempt.fire(TURN, CLOSED)
            yield attempt.onward()

    def inside(self, run: Run, stack: int, word: str) -> Iterator[StepOutcome]:
        """Yield every result of a word inside a window, up to the next request or to the end of the
        window.
        """
        for attempt in self._attempts(run, stack, ends=self.finals):
            attempt.fire(WINDOW, word)
            yield attempt.onward()

    def fired(self, run: Run, stack: int, word: str) -> Iterator[StepOutcome]:
        """Yield every result of a word inside a window, before any transition that needs no answer
        fires.
        """
        for attempt in self._attempts(run, stack):
            attempt.fire(WINDOW, word)
            yield attempt.outcome()

    def goes_on(self, state: State) -> bool:
        """Say whether this is an action of the turn that has only one possible answer."""
        return state.asks == "perform" and state.action not in self.environment.pushes

    def answered(self, run: Run, answer: Answer) -> StepOutcome:
        """Return the result of this answer, up to the next request. The run is changed."""
        facts = {(0, name): value for name, value in answer.facts.items()}
        attempt = _AnswerAttempt(self, run, 0, Choices(facts, []))
        attempt.waits = True
        run.latched |= {
            name for name, value in answer.facts.items() if value and name in self.latched
        }
        for order in answer.orders:
            apply(order, run)
        attempt.fire(WINDOW if run.frame else TURN, answer.word)
        for interruption in answer.interruptions:
            attempt.signal(interruption)
        return attempt.onward()

    def started(self, run: Run) -> StepOutcome:
        """Return what happens as the game begins, up to the first request. The run is changed."""
        attempt = _AnswerAttempt(self, run, 0, Choices({}, []))
        attempt.waits = True
        return attempt.onward()

    def _attempts(
        self,
        run: Run,
        stack: int,
        facts: Mapping[tuple[int, str], bool] = NO_FACTS,
        ends: Container[str] = (),
    ) -> Iterator[_AnswerAttempt]:
        """Yield one attempt on a copy of the run for each combination of values of the facts that
        are read.
        """
        for choices in every_choice(facts):
            yield _AnswerAttempt(self, run.copy(), stack, choices, ends)


class _AnswerAttempt:
    """Processes one answer in one run."""

    def __init__(
        self,
        stepper: Stepper,
        run: Run,
        stack: int,
        facts: FactsByAnswer,
        ends: Container[str] = (),
    ) -> None:
        self.stepper, self.run, self.stack, self.facts, self.ends = stepper, run, stack, facts, ends
        self.seen: list[ObservedFiring] = []
        self.problem = ""
        self.answers = 0
        self.passed: set[str] = set()
        self.waits = False
        self.read = set(stepper.checked)
        self.changes: dict[str, bool] = {}
        self.inside = False

    def outcome(self) -> StepOutcome:
        """Return the result so far."""
        stepper, needs = self.stepper, self.stepper.lasting & self.read
        unknown = (
            bool(self.problem)
            or ANYTHING in self.changes
            or not stepper.of_latched.isdisjoint(self.read)
        )
        if unknown:  # what was read or changed
            needs = stepper.lasting
            self.changes = {name: name in self.run.latched for name in needs}
        inside = self.inside or unknown or not stepper.of_inside.isdisjoint(self.read)
        return StepOutcome(
            self.run,
            self.facts,
            tuple(self.seen),
            self.problem,
            self.stack,
            self.answers,
            needs,
            self.changes,
            inside,
        )

    def onward(self) -> StepOutcome:
        """Fire every transition that needs no answer."""
        semantics, run = self.stepper.semantics, self.run
        try:
            while not self.problem:
                semantics.macrostep(run, self._read, self._note, self._stops)
                if self._stops(run) or not self._forced():
                    break
        except NothingFires as hole:
            self.problem = str(hole)
        except StuckError:
            self.problem = "nothing is asked any more: it goes round and round"
        return self.outcome()

    def _stops(self, run: Run) -> bool:
        return run.frame in self.ends if run.frame else run.agenda.turn > self.stepper.bounds.turns

    def _forced(self) -> bool:
        """Answer an action that has only one possible answer, unless the run was here before."""
        run, state = self.run, self.stepper.model.state(self.run.state)
        if self.waits or run.frame or state.id in self.passed or not self.stepper.goes_on(state):
            return False
        self.perform(state)
        return True

    def perform(self, state: State) -> None:
        """Answer that the game has performed this action, with its facts."""
        self.passed.add(state.id)
        self.answers += 1
        if state.action in self.stepper.environment.clears:
            self.stack = 0
        self.report(state)
        self.fire(TURN, DONE)

    def report(self, state: State) -> None:
        """Process the facts that the answer reports in this state."""
        for name in state.tells:
            if self._reported(name) and name in self.stepper.latched:
                self.run.latched |= {name}
                self.changes[name] = True

    def fire(self, machine: str, event: str) -> None:
        """Fire the first row that can fire."""
        try:
            self.stepper.semantics.microstep(self.run, machine, event, self._read, self._note)
        except NothingFires as hole:
            self.problem = str(hole)

    def signal(self, signal: Interruption) -> None:
        """Process a signal, if this state hears it."""
        try:
            if not self.problem:
                self.stepper.semantics.signal(self.run, signal, self._read, self._note)
        except NothingFires as hole:
            self.problem = str(hole)
        self.inside = bool(self.run.frame)

    def _note(self, fired: Fired) -> None:
        run, step, phase, row = self.run, fired.step, fired.phase, fired.row.number
        now = run.agenda.current_step, run.agenda.current_phase
        extra = (now[0] is not None and now[0].extra) or (now[1] is not None and now[1].extra)
        self.read.update(fired.guards)
        self.changes.update(self.stepper.writes[fired.machine, row])
        self.seen.append(
            ObservedFiring(
                fired.machine,
                row,
                fired.source,
                fired.target,
                run.state,
                step.name if step is not None and step.under_way else "",
                phase.name if phase is not None and phase.under_way else "",
                extra,
            )
        )

    def _read(self, run: Run, fact: Fact) -> bool:
        return fact.name in run.latched if fact.timing == "latched" else self._reported(fact.name)

    def _reported(self, name: str) -> bool:
        """Return the reported value of this fact. If there is none yet, both are tried."""
        key = (self.answers, name)
        if key in self.facts:
            return self.facts[key]
        return self.facts.choose(
            key, self.stepper.environment.values(name, self.stack, self.stepper.bounds.stack)
        )


def words_of(state: State) -> tuple[Word, ...]:
    """Return the words that may be answered in this state."""
    return ("passed", "acted") if state.asks == "priority" else ("done",)
