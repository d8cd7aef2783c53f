"""Computes every result of one answer, for all values of the facts that the model reads on the way.

It interprets the Model on the real run, agenda and primitives. It fires the transitions that a controller would fire,
and records what can be observed. `tests/analysis/test_proof_exploring.py` compares it with the controller.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from fsm.analysis.modelchecking.bounds import Bounds
from fsm.analysis.modelchecking.environment import ENVIRONMENTS, Environment
from fsm.engine.quiet import quiet_facts
from fsm.engine.requesting import SILENT_LIMIT
from fsm.engine.requests import Answer, Word
from fsm.model import Model, State, Transition
from fsm.state.primitives import ACTIONS, TESTS
from fsm.state.run import Run
from fsm.state.scheduling import apply

BOTH = (False, True)


class ObservedFiring(NamedTuple):
    """One firing as properties observe it: the number of its row in its machine, its source and its target.

    `stage` is the state of the turn. `step` and `phase` are the names of what was under way before. `extra` says
    whether the step or phase under way after it is extra.
    """

    machine: str
    row: int
    source: str
    target: str
    stage: str
    step: str
    phase: str
    extra: bool


FactsByAnswer = dict[tuple[int, str], bool]
"""Reported facts, by the number of the answer and the name of the fact."""


@dataclass(slots=True)
class StepOutcome:
    """The result of an answer and of the forced answers after it. `problem` says why it led nowhere, or is "".

    `facts` are the facts that were read on the way. `forced` is the number of forced answers.
    """

    run: Run
    facts: FactsByAnswer
    seen: tuple[ObservedFiring, ...]
    problem: str = ""
    stack: int = 0
    forced: int = 0


@dataclass(slots=True)
class _PreparedRow:
    number: int
    row: Transition
    terms: list[tuple[str, Callable[..., bool] | None, tuple[str, ...], bool, bool]]
    actions: list[tuple[Callable[..., None], tuple[str, ...]]]


@dataclass
class Stepper:
    """Computes the results of answers for one Model within bounds."""

    model: Model
    bounds: Bounds
    environment: Environment = field(init=False)
    quiet: frozenset[str] = field(init=False)

    def __post_init__(self) -> None:
        self.quiet = frozenset(quiet_facts(self.model))
        self.environment = ENVIRONMENTS.get(self.model.name) or derived_environment(self.model, self.quiet)
        self.machines = {"turn": self.model, "window": self.model.window}
        self.rows = {
            (name, leaf.id, event): [_prepared(m, m.transitions.index(row), row) for row in m.rows(leaf.id, event)]
            for name, m in self.machines.items()
            if m is not None
            for leaf in m.leaves
            for event in m.events_at(leaf.id)
        }
        self.kinds = {(name, s.id): s.kind for name, m in self.machines.items() if m is not None for s in m.leaves}
        self.finals = {s.id for s in self.model.window.leaves if s.kind == "final"} if self.model.window else set()
        self.groups = {place: found for place in self.rows if (found := self._groups(place))}
        self.latched = frozenset(
            f.name
            for m in self.machines.values()
            if m is not None
            for f in m.facts
            if f.owner == "game" and f.timing == "latched"
        )
        self.signals = tuple(event for event in self.model.signals if event != "player_left")

    def waits(self, run: Run) -> State:
        """Return the state of turn or window in which a run waits."""
        window = self.model.window
        return window.state(run.frame) if run.frame and window is not None else self.model.state(run.state)

    def outcomes(self, run: Run, stack: int, word: str) -> Iterator[StepOutcome]:
        """Yield every result of this answer to an action of the turn. A fact that is read has both values."""
        todo: list[FactsByAnswer] = [{}]
        while todo:
            facts = todo.pop()
            attempt = _AnswerAttempt(self, run.copy(), stack, facts, todo)
            state = self.model.state(run.state)
            attempt.passed.add(state.id)
            attempt.report(state)
            attempt.fire("turn", word)
            yield attempt.onward()

    def onward(
        self, run: Run, stack: int, facts: Mapping[tuple[int, str], bool], *, event: str = ""
    ) -> Iterator[StepOutcome]:
        """Yield every way for a run to reach the next request, after a signal if there is one."""
        todo: list[FactsByAnswer] = [dict(facts)]
        while todo:
            now = todo.pop()
            attempt = _AnswerAttempt(self, run.copy(), stack, now, todo)
            if event:
                attempt.signal(event)
            yield attempt.onward()

    def closed(self, run: Run, stack: int, facts: Mapping[tuple[int, str], bool]) -> Iterator[StepOutcome]:
        """Yield every way for a run to reach the next request after its window closes."""
        todo: list[FactsByAnswer] = [dict(facts)]
        while todo:
            now = todo.pop()
            attempt = _AnswerAttempt(self, run.copy(), stack, now, todo)
            attempt.run.frame = ""
            attempt.fire("turn", "closed")
            yield attempt.onward()

    def inside(self, run: Run, stack: int, word: str) -> Iterator[StepOutcome]:
        """Yield every result of a word inside a window, up to the next request or to the end of the window."""
        todo: list[FactsByAnswer] = [{}]
        while todo:
            now = todo.pop()
            attempt = _AnswerAttempt(self, run.copy(), stack, now, todo, ends=self.finals)
            attempt.fire("window", word)
            yield attempt.onward()

    def fired(self, run: Run, stack: int, word: str) -> Iterator[StepOutcome]:
        """Yield every result of a word inside a window, before any transition that needs no answer fires."""
        todo: list[FactsByAnswer] = [{}]
        while todo:
            now = todo.pop()
            attempt = _AnswerAttempt(self, run.copy(), stack, now, todo)
            attempt.fire("window", word)
            yield attempt.outcome()

    def answered(self, run: Run, answer: Answer) -> StepOutcome:
        """Return the result of this answer, up to the next request. The run is changed."""
        attempt = _AnswerAttempt(self, run, 0, {(0, name): value for name, value in answer.facts.items()}, [])
        attempt.waits = True
        run.latched |= {name for name, value in answer.facts.items() if value and name in self.latched}
        for order in answer.orders:
            apply(order, run)
        attempt.fire("window" if run.frame else "turn", answer.word)
        if answer.signal is not None and not attempt.problem:
            attempt.signal(answer.signal.event)
        return attempt.onward()

    def started(self, run: Run) -> StepOutcome:
        """Return what happens as the game begins, up to the first request. The run is changed."""
        attempt = _AnswerAttempt(self, run, 0, {}, [])
        attempt.waits = True
        return attempt.onward()

    def values(self, name: str, stack: int) -> tuple[bool, ...]:
        """Return the values that a game with this stack may report for the fact. The quiet value comes first."""
        environment = self.environment
        if name == environment.empty:
            return (stack == 0,)
        if name == environment.waiting and stack >= self.bounds.stack:
            return (False,)
        if name in environment.present and not stack:
            return (False,)
        return BOTH

    def _groups(self, place: tuple[str, str, str]) -> list[list[tuple[Callable[..., bool], tuple[str, ...]]]]:
        """Return the one-of groups that every row of this state reads."""
        machine = self.machines[place[0]]
        assert machine is not None
        guards = [row.row.guard for row in self.rows[place]]
        if not all(guards):
            return []
        names = {machine.fact(t.fact).group for guard in guards for t in guard} - {""}
        facts = ([f for f in machine.facts if f.group == name and f.test] for name in sorted(names))
        return [[(TESTS[f.test[0]].run, f.test[1:]) for f in group] for group in facts]


class _AnswerAttempt:
    """Processes one answer in one run. When a fact is undecided, the other value is put into `todo`."""

    def __init__(
        self,
        stepper: Stepper,
        run: Run,
        stack: int,
        facts: FactsByAnswer,
        todo: list[FactsByAnswer],
        ends: Container[str] = (),
    ) -> None:
        self.stepper, self.run, self.stack, self.facts, self.todo, self.ends = stepper, run, stack, facts, todo, ends
        self.seen: list[ObservedFiring] = []
        self.problem = ""
        self.answers = 0
        self.passed: set[str] = set()
        self.waits = False

    def outcome(self) -> StepOutcome:
        """Return the result so far."""
        return StepOutcome(self.run, self.facts, tuple(self.seen), self.problem, self.stack, self.answers)

    def onward(self) -> StepOutcome:
        """Fire every transition that needs no answer."""
        for _ in range(SILENT_LIMIT):
            if self.problem or not self._once():
                return self.outcome()
        self.problem = "nothing is asked any more: it goes round and round"
        return self.outcome()

    def _once(self) -> bool:
        run, kinds = self.run, self.stepper.kinds
        if run.frame:
            kind = kinds["window", run.frame]
            if kind == "action" or run.frame in self.ends:
                return False
            if kind == "final":
                run.frame = ""
                self.fire("turn", "closed")
            else:
                self.fire("window", "done")
            return True
        kind = kinds["turn", run.state]
        if kind == "final" or run.agenda.turn > self.stepper.bounds.turns:
            return False
        if kind == "action":
            return self._forced()
        if kind == "window" and self.stepper.model.window is not None:
            run.frame = self.stepper.model.window.initial
        else:
            self.fire("turn", "done")
        return True

    def _forced(self) -> bool:
        """Answer an action that has only one possible answer, unless the run was here before."""
        run, stepper = self.run, self.stepper
        state = stepper.model.state(run.state)
        if (
            self.waits
            or state.asks != "perform"
            or state.action in stepper.environment.pushes
            or state.id in self.passed
        ):
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
        self.fire("turn", "done")

    def report(self, state: State) -> None:
        """Process the facts that the answer reports in this state."""
        for name in state.tells:
            if self._reported(name) and name in self.stepper.latched:
                self.run.latched |= {name}

    def signal(self, event: str) -> None:
        """Process the signal, if this state hears it."""
        run, rows = self.run, self.stepper.rows
        if ("turn", run.state, event) not in rows:
            return
        row = self.fire("turn", event)
        if row is None:
            return
        if row.target is not None:
            run.frame = ""
        elif run.frame and ("window", run.frame, event) in rows:
            self.fire("window", event)

    def fire(self, machine: str, event: str) -> Transition | None:
        """Fire the first row that can fire."""
        run, stepper = self.run, self.stepper
        here = run.frame if machine == "window" else run.state
        place = (machine, here, event)
        for group in stepper.groups.get(place, ()):
            if sum(ask(run, *args) for ask, args in group) != 1:
                self.problem = f"ambiguous: not exactly one of a one-of group holds in {here!r}"
                return None
        for row in stepper.rows.get(place, ()):
            if all(self._holds(term) for term in row.terms):
                break
        else:
            self.problem = f"nothing can fire on {event!r} in {here!r}"
            return None
        self._do(machine, row)
        return row.row

    def _do(self, machine: str, row: _PreparedRow) -> None:
        run = self.run
        agenda = run.agenda
        step, phase = agenda.current_step, agenda.current_phase
        was_step = step.name if step is not None and step.under_way else ""
        was_phase = phase.name if phase is not None and phase.under_way else ""
        source = run.frame if machine == "window" else run.state
        target = row.row.target or source
        for do, args in row.actions:
            do(run, *args)
        if machine == "window":
            run.frame = target
        else:
            run.state = target
        step, phase = agenda.current_step, agenda.current_phase
        extra = (step is not None and step.extra) or (phase is not None and phase.extra)
        self.seen.append(ObservedFiring(machine, row.number, source, target, run.state, was_step, was_phase, extra))

    def _holds(self, term: tuple[str, Callable[..., bool] | None, tuple[str, ...], bool, bool]) -> bool:
        name, ask, args, latched, value = term
        if latched:
            return (name in self.run.latched) is value
        if ask is not None:
            return ask(self.run, *args) is value
        return self._reported(name) is value

    def _reported(self, name: str) -> bool:
        """Return the reported value of this fact. If there is none yet, try both."""
        key = (self.answers, name)
        if key not in self.facts:
            first, *others = self.stepper.values(name, self.stack)
            self.todo += [{**self.facts, key: other} for other in others]
            self.facts[key] = first
        return self.facts[key]


def _prepared(model: Model, number: int, row: Transition) -> _PreparedRow:
    terms = []
    for term in row.guard:
        fact = model.fact(term.fact)
        ask = TESTS[fact.test[0]].run if fact.test and fact.owner != "game" else None
        terms.append((fact.name, ask, fact.test[1:], fact.timing == "latched", term.value))
    return _PreparedRow(number, row, terms, [(ACTIONS[a.name].run, a.args) for a in row.actions])


def derived_environment(model: Model, quiet: frozenset[str]) -> Environment:
    """Derive assumptions for a model whose ruleset states none."""
    window = {f.name for f in model.window.facts} if model.window is not None else set()
    return Environment(empty=next(iter(sorted(quiet & window)), ""))


def words_of(state: State) -> tuple[Word, ...]:
    """Return the words that may be answered in this state."""
    words: Mapping[str, tuple[Word, ...]] = {"priority": ("passed", "acted")}
    return words.get(state.asks, ("done",))
