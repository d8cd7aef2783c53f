"""Finds a short way to every transition of a plain machine, for tests: which events, and what
conditions must say.

The ways are searched on one copy of the machine whose conditions answer as the search wants and
whose callbacks do nothing. So each state of the object needs one try for each transition, and none
of the user's code runs. Each way is then run on a fresh machine as its test will run it, and the
states that come are kept.
"""

from __future__ import annotations

import asyncio
import copy
import inspect
import keyword
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cached_property, partial
from itertools import chain
from typing import Any, Literal

from fsm.adapters.building import TOGETHER
from fsm.adapters.parts import is_async, transitions_of
from fsm.coverage.machines import ReadMachine
from fsm.errors import ModelError
from fsm.model import Transition

Callbacks = Literal["real", "stub"]
PATIENCE = 5.0
"""The number of seconds that a coroutine may take. A longer one counts as an error."""
MOST_TRIED = 400
"""At most this many sequences of events are tried without stubs."""
MOST_STATES = 5_000
"""At most this many different values of the state attribute are searched."""
Answers = Mapping[str, bool]
"""What conditions must say, by the names of the Model's facts."""


@dataclass(frozen=True, slots=True)
class Stub:
    """A condition that a test replaces.

    `kind` is "method" (a name that the object has), "attribute" (a value, or nothing yet),
    "property" (on its class), "path" (a dotted name), or "function": then it is number `number` of
    those of `event` in `source`. A function stays in its condition, so that the definition is the
    same and coverage knows it. The condition does not ask it, and `wanted` is what it would have to
    say for the condition to hold.
    """

    kind: Literal["method", "attribute", "property", "path", "function"]
    name: str
    event: str = ""
    source: str = ""
    number: int = 0
    wanted: bool = True


@dataclass(frozen=True, slots=True)
class Step:
    """An event, what conditions are made to say before it, and the value of the state attribute
    after it.
    """

    event: str
    stubs: tuple[tuple[Stub, bool], ...]
    value: object
    called: str
    """How the object is asked: "trigger" if `object.event` is not the machine's."""


@dataclass(frozen=True, slots=True)
class Way:
    """A way for a fresh machine, whose last step takes `row` in the state `at`. `start` is the
    value at its begin.
    """

    row: Transition
    at: str
    start: object
    steps: tuple[Step, ...]


@dataclass(frozen=True, slots=True)
class Run:
    """What came of a plan. `taken` are the transitions of its last event. `standing` are the plain
    attributes of the object at the end.
    """

    start: object
    steps: tuple[Step, ...]
    taken: tuple[str, ...]
    standing: str


@dataclass(frozen=True, slots=True)
class Ways:
    """The ways of a machine, one for each transition that can be taken, in the order of the
    machine.

    `missing` are the other transitions, each with the reason.
    """

    machine: Any
    callbacks: Callbacks
    found: tuple[Way, ...]
    missing: tuple[tuple[Transition, str], ...]


def ways_of(make: Callable[[], Any], callbacks: Callbacks = "real") -> Ways:
    """Return a way to every transition that can be taken.

    `make` returns a fresh machine each time. With callbacks "stub", no callback runs, and every
    condition on the way is made to say what the way needs. With "real", callbacks run, and
    conditions are asked as far as they say so anyway.

    Raises ModelError if the machine has no object to drive.
    """
    search = WaySearch(make, callbacks)
    found = {row.id: search.way(row, plan) for row, plan in search.plans.items()}
    missing: list[tuple[Transition, str]] = []
    for row in search.rows:
        if row not in search.plans:
            missing.append((row, "no way leads to it"))
        elif found[row.id] is None:
            missing.append(
                (row, "its callbacks do not let it pass: --callbacks stub does without them")
            )
    ways = tuple(way for row in search.rows if (way := found.get(row.id)) is not None)
    return Ways(search.original, callbacks, ways, tuple(missing))


@dataclass(frozen=True, slots=True)
class PlannedStep:
    """One event of a plan, where it is triggered, and what conditions must say then."""

    event: str
    at: str
    answers: Answers


Plan = tuple[PlannedStep, ...]


@dataclass
class WaySearch:
    """Searches ways on machines that `make` makes, and runs them."""

    make: Callable[[], Any]
    callbacks: Callbacks = "real"

    @cached_property
    def original(self) -> Any:
        """A machine for reading. Raises ModelError if it has no object to drive."""
        machine = self.make()
        if not machine.models:
            raise ModelError(
                f"machine {machine.name or type(machine).__name__!r} drives no object: give it one with add_model(), "
                "or name a function that makes both: --make module:function"
            )
        return machine

    @cached_property
    def known(self) -> ReadMachine:
        """The machine as it was read."""
        return ReadMachine(self.original)

    @cached_property
    def rows(self) -> tuple[Transition, ...]:
        """The transitions of the machine."""
        return tuple(t for t in self.known.model.transitions if t.event != TOGETHER)

    # planning -------------------------------------------------------------------------------------

    @cached_property
    def plans(self) -> Mapping[Transition, Plan]:
        """The shortest plan for each transition that can be taken, in the order in which they are
        found.
        """
        rows, stubbed = self.rows, StubbedMachine(self.make())
        plans: dict[Transition, Plan] = {}
        start = stubbed.value
        seen, waiting = {repr(start)}, deque([(start, Plan())])
        while waiting and len(seen) < MOST_STATES and len(plans) < len(rows):
            value, plan = waiting.popleft()
            for at, row in self._tried(value):
                answers = answers_for(self.known.model.rows(at, row.event), row)
                if answers is None:
                    continue
                fired, after = stubbed.fire(value, row.event, answers)
                longer = (*plan, PlannedStep(row.event, at, answers))
                if row in fired:
                    plans.setdefault(row, longer)
                    if repr(after) not in seen:
                        seen.add(repr(after))
                        waiting.append((after, longer))
        return plans

    def _tried(self, value: object) -> Iterator[tuple[str, Transition]]:
        """Yield each transition that can be tried where the state attribute has this value, with
        the inner state.
        """
        model = self.known.model
        for name in _flat(value):
            at = self.known.leaf(name)
            for event in model.events_at(at):
                yield from ((at, row) for row in model.rows(at, event) if event != TOGETHER)

    # running --------------------------------------------------------------------------------------

    def way(self, row: Transition, plan: Plan) -> Way | None:
        """Return the way that a test takes to this transition, or None if its callbacks stop it."""
        if self.callbacks == "real":
            if (way := self._steady(row, plan, stubs=False)) is not None:
                return way
            events = self._unstubbed.get(row.id)
            if events and (way := self._steady(row, plan, stubs=False, events=events)) is not None:
                return way
        return self._steady(row, plan, stubs=True)

    @cached_property
    def _unstubbed(self) -> Mapping[str, tuple[str, ...]]:
        """The fewest events that take each transition without stubs, found by trying them."""
        found: dict[str, tuple[str, ...]] = {}
        waiting = deque[tuple[tuple[str, ...], object]]([((), value_of(self.original))])
        seen, tried = set[str](), 0
        while waiting and tried < MOST_TRIED and len(found) < len(self.rows):
            before, value = waiting.popleft()
            for event in dict.fromkeys(row.event for _, row in self._tried(value)):
                events, tried = (*before, event), tried + 1
                run = self.run((), stubs=False, events=events)
                if run is None or not run.taken:
                    continue
                for id in run.taken:
                    found.setdefault(id, events)
                after = run.steps[-1].value
                if repr((after, run.standing)) not in seen:
                    seen.add(repr((after, run.standing)))
                    waiting.append((events, after))
        return found

    def _steady(
        self, row: Transition, plan: Plan, *, stubs: bool, events: Sequence[str] = ()
    ) -> Way | None:
        """Return the way if it takes the transition, twice the same, as chance and time may play a
        part in it.
        """
        first, second = (self.run(plan, stubs=stubs, events=events) for _ in range(2))
        if first is None or repr(first) != repr(second) or row.id not in first.taken:
            return None
        return Way(row, plan[-1].at, first.start, first.steps)

    def run(self, plan: Plan, *, stubs: bool = True, events: Sequence[str] = ()) -> Run | None:
        """Run a plan, or these events instead, on a fresh machine. Return None if an event raises
        an error.
        """
        machine = self.make()
        subject = machine.models[0]
        if self.callbacks == "stub":
            silence(machine)
        known, undo = ReadMachine(machine), Undo()
        planned = [stubs_of(machine, known, step) for step in plan] if stubs else []
        taken = watched(machine, known)
        start, steps = value_of(machine), list[Step]()
        answered: dict[Stub, bool] = {}
        names = events or [step.event for step in plan]
        try:
            for number, event in enumerate(names):
                said: dict[Stub, bool] = {}
                if stubs:
                    said = {s: a for s, a in planned[number].items() if answered.get(s) is not a}
                    answered |= said
                    for stub, answer in said.items():
                        undo.put(machine, stub, answer)
                way_to_call = "event" if _bound(subject, event) else "trigger"
                taken.clear()
                if not _sent(subject, event, way_to_call):
                    return None
                steps.append(
                    Step(event, tuple(said.items()), copy.copy(value_of(machine)), way_to_call)
                )
        finally:
            undo.all()
        ids = tuple(row.id for row in taken)
        return Run(start, tuple(steps), ids, _standing(subject))


def _standing(subject: object) -> str:
    """Return the attributes of an object that tell one of its conditions from another."""
    held = getattr(subject, "__dict__", {})
    return repr({n: v for n, v in held.items() if isinstance(v, str | int | float | Enum)})


def answers_for(rows: Sequence[Transition], row: Transition) -> Answers | None:
    """Return answers with which this row is the first of these to hold, or None if there are none.

    The facts of all rows up to this one have an answer, since their conditions are asked.
    """
    above = rows[: rows.index(row)]
    answers: dict[str, bool] = {}
    for term in row.guard:
        if answers.setdefault(term.fact, term.value) is not term.value:
            return None
    found = _all_fail(above, answers)
    if found is None:
        return None
    asked = chain.from_iterable(one.guard for one in (*above, row))
    return {term.fact: found.get(term.fact, False) for term in asked}


def _all_fail(rows: Sequence[Transition], answers: dict[str, bool]) -> dict[str, bool] | None:
    """Extend the answers so that none of these rows holds."""
    if not rows:
        return answers
    for term in rows[0].guard:
        if answers.get(term.fact, not term.value) is not term.value:
            found = _all_fail(rows[1:], {**answers, term.fact: not term.value})
            if found is not None:
                return found
    return None


# the machine as the search drives it --------------------------------------------------------------


class StubbedMachine:
    """A machine whose conditions answer as told, whose callbacks do nothing, and which can be put
    into any state.
    """

    def __init__(self, machine: Any) -> None:
        self.machine, self.subject, self._answers = machine, machine.models[0], dict[str, bool]()
        known = ReadMachine(machine)
        silence(machine)
        for transition in transitions_of(machine):
            row = known.row(transition)
            for condition, term in zip(
                transition.conditions, row.guard if row else (), strict=False
            ):
                condition.func = partial(self._answer, term.fact)
        self._taken = watched(machine, known)

    def _answer(self, fact: str, *_: object, **__: object) -> bool:
        return self._answers.get(fact, False)

    @property
    def value(self) -> Any:
        """The value of the state attribute."""
        return copy.copy(value_of(self.machine))

    def fire(self, value: Any, event: str, answers: Answers) -> tuple[list[Transition], Any]:
        """Return the transitions that an event takes where the state attribute has this value, and
        the new value.
        """
        setattr(self.subject, self.machine.model_attribute, copy.copy(value))
        self._answers = dict(answers)
        self._taken.clear()
        _sent(self.subject, event, "event" if _bound(self.subject, event) else "trigger")
        return list(self._taken), self.value


def silence(machine: Any) -> None:
    """Keep every callback of the machine from running."""
    machine.callback = _nothing_later if is_async(machine) else _nothing


def _nothing(func: object, event_data: object) -> None:
    pass


async def _nothing_later(func: object, event_data: object) -> None:
    pass


def watched(machine: Any, known: ReadMachine) -> list[Transition]:
    """Return a list to which every transition of this machine is added as it is taken."""
    taken: list[Transition] = []
    for transition in transitions_of(machine):
        row = known.row(transition)
        if row is not None:
            transition.execute = partial(_executed, transition.execute, row, taken)
    return taken


def _executed(
    original: Callable[[Any], Any], row: Transition, taken: list[Transition], event_data: Any
) -> Any:
    done = original(event_data)
    if inspect.isawaitable(done):
        return _executed_later(done, row, taken)
    if done:
        taken.append(row)
    return done


async def _executed_later(done: Any, row: Transition, taken: list[Transition]) -> Any:
    result = await done
    if result:
        taken.append(row)
    return result


def value_of(machine: Any) -> Any:
    """Return the value of the state attribute of the first object."""
    return getattr(machine.models[0], machine.model_attribute)


def _flat(value: object) -> Iterator[object]:
    if isinstance(value, list | tuple):
        for one in value:
            yield from _flat(one)
    else:
        yield value


def _bound(subject: Any, event: str) -> bool:
    """Whether `subject.event()` triggers the event: the object may have had an attribute of this
    name before.
    """
    found = getattr(subject, event, None)
    return event.isidentifier() and not keyword.iskeyword(event) and isinstance(found, partial)


def _sent(subject: Any, event: str, called: str) -> bool:
    """Trigger an event, and return whether nothing went wrong."""
    try:
        done = getattr(subject, event)() if called == "event" else subject.trigger(event)
        if inspect.isawaitable(done):
            asyncio.run(_within(done))
    except (Exception, SystemExit):
        return False
    return True


async def _within(done: Any) -> Any:
    return await asyncio.wait_for(done, PATIENCE)


# conditions as tests replace them -----------------------------------------------------------------


def stubs_of(machine: Any, known: ReadMachine, step: PlannedStep) -> dict[Stub, bool]:
    """Return what must be replaced so that the conditions asked in this step say what it needs."""
    asked = known.model.rows(step.at, step.event)
    rows = {row.id for row in asked if all(term.fact in step.answers for term in row.guard)}
    found: dict[Stub, bool] = {}
    for transition in transitions_of(machine):
        row = known.row(transition)
        if row is None or row.id not in rows:
            continue
        for condition, term in zip(transition.conditions, row.guard, strict=False):
            stub = _stub(machine, condition, row)
            found[stub] = step.answers[term.fact]
    return found


def _stub(machine: Any, condition: Any, row: Transition) -> Stub:
    func, subject = condition.func, machine.models[0]
    if isinstance(func, str):
        if hasattr(type(subject), func) and not callable(getattr(type(subject), func)):
            plain = func in getattr(subject, "__dict__", ()) or not hasattr(
                getattr(type(subject), func), "__get__"
            )
            return Stub("attribute" if plain else "property", func)
        if hasattr(subject, func) or "." not in func:
            return Stub("method" if callable(getattr(subject, func, None)) else "attribute", func)
        return Stub("path", func)
    number = next(
        n for n, one in enumerate(conditions(machine, row.event, row.source)) if one is condition
    )
    return Stub("function", "", row.event, row.source, number, condition.target)


def conditions(machine: Any, event: str, source: str) -> list[Any]:
    """The conditions of the transitions of an event from a state, in the order in which they are
    asked.
    """
    rows = machine.get_transitions(event, source)
    return [condition for row in rows for condition in row.conditions]


class Undo:
    """Replaces conditions, and brings back those on classes and in modules, which other machines
    have too.
    """

    def __init__(self) -> None:
        self._before: list[tuple[Any, str, object]] = []

    def put(self, machine: Any, stub: Stub, answer: bool) -> None:
        """Replace a condition, as the code of a test does."""
        subject = machine.models[0]
        says = partial(_says, answer)
        if stub.kind == "function":
            condition = conditions(machine, stub.event, stub.source)[stub.number]
            condition.check = partial(
                _holds_later if is_async(machine) else _says, answer is stub.wanted
            )
        elif stub.kind == "property":
            self._set(type(subject), stub.name, answer)
        elif stub.kind == "path":
            home, _, name = stub.name.rpartition(".")
            self._set(_resolved(home), name, says)
        else:
            setattr(subject, stub.name, says if stub.kind == "method" else answer)

    def _set(self, owner: Any, name: str, value: object) -> None:
        self._before.append((owner, name, inspect.getattr_static(owner, name)))
        setattr(owner, name, value)

    def all(self) -> None:
        """Bring everything back."""
        for owner, name, value in reversed(self._before):
            setattr(owner, name, value)
        self._before.clear()


def _says(answer: bool, *_: object, **__: object) -> bool:
    return answer


async def _holds_later(answer: bool, event_data: object) -> bool:
    return answer


def _resolved(path: str) -> Any:
    from pkgutil import resolve_name

    return resolve_name(path)
