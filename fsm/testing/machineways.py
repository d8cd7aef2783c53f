"""Finds a short way to every transition of a plain machine, for tests: which events, and what
conditions must say. `module:name` is the machine, or makes one.

Events are tried on fresh machines, as long as they lead to something new: first with conditions as
they are, then, for what that does not take, with conditions that say what is needed. Each way is
run twice more, as its test will run it, and the states that come are kept.
"""

from __future__ import annotations

import asyncio
import copy
import inspect
import keyword
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from functools import cached_property, partial
from importlib import import_module
from itertools import chain
from typing import Any, Literal, NamedTuple

from fsm import rulesets
from fsm.adapters import importable, is_machine, machine_behind
from fsm.adapters.reading import TOGETHER, is_async, names_in, transitions_of
from fsm.checks.facts import Solver
from fsm.coverage.data import Subject
from fsm.coverage.machines import ReadMachine
from fsm.coverage.sessions import listening
from fsm.coverage.traversed import Listener
from fsm.errors import ModelError
from fsm.model import Transition

Callbacks = Literal["real", "stub"]
PATIENCE = 5.0
"""The number of seconds that a coroutine may take. A longer one counts as an error."""
MOST_TRIED = 1_000
"""At most this many sequences of events are tried."""
Answers = tuple[tuple[str, bool], ...]
"""What conditions must say, by the names of the Model's facts."""


@dataclass(frozen=True, slots=True)
class MachineSource:
    """What `module:name` is.

    `made` says whether it is a function (or class) that is called; otherwise it is copied. `driven`
    says whether the result is an object that a machine drives, and not the machine itself.
    """

    module: str
    name: str
    made: bool
    driven: bool

    @property
    def spec(self) -> str:
        """Both names, `module:name`."""
        return f"{self.module}:{self.name}"

    def fresh(self) -> Any:
        """Return a fresh machine. Raises ModelError if it cannot be copied."""
        found: Any = getattr(import_module(self.module), self.name)
        try:
            return machine_behind(found() if self.made else copy.deepcopy(found))
        except Exception as error:
            raise ModelError(
                f"{self.spec!r} cannot be copied ({type(error).__name__}: {error}); "
                "name a function that makes one: module:function"
            ) from None

    @property
    def subject(self) -> Subject:
        """Under which name and definition coverage records such a machine."""
        return ReadMachine(self.fresh()).subject


def source_of(spec: str) -> MachineSource:
    """Return what `module:name` is. Raises FsmError if it neither is nor makes a machine of
    `transitions`.
    """
    spec = importable(spec, "machine", ModelError)
    machine = rulesets.machine_of(spec)
    if machine is None:
        raise ModelError(f"{spec!r} is no machine of the transitions library, and makes none")
    module, _, name = spec.partition(":")
    found: Any = getattr(import_module(module), name)
    made = callable(found) and not is_machine(found)
    return MachineSource(module, name, made, driven=not is_machine(found() if made else found))


# ways ---------------------------------------------------------------------------------------------


class Stub(NamedTuple):
    """A condition that a test replaces, with what it says and whether it then holds.

    One that the object has is replaced there: `name`, and whether it is called. Any other one is
    number `number` of those of `event` in `source`. Its function stays, so that the definition is
    the same and coverage knows it.
    """

    says: bool
    holds: bool
    fact: str
    name: str = ""
    called: bool = False
    event: str = ""
    source: str = ""
    number: int = 0


@dataclass(frozen=True, slots=True)
class Step:
    """An event, the conditions that are replaced before it, and the value of the state attribute
    after it. `called` is false if `object.event` is not the machine's.
    """

    event: str
    stubs: tuple[Stub, ...]
    value: object
    called: bool


@dataclass(frozen=True, slots=True)
class Way:
    """A way for a fresh machine, whose last step takes `row` in the state `at`."""

    row: Transition
    at: str
    steps: tuple[Step, ...]


@dataclass(frozen=True, slots=True)
class Run:
    """What came of events. `taken` has the transitions of the last one, each with its state.
    `standing` is the value of the state attribute at the end, and the plain attributes of the
    object.
    """

    steps: tuple[Step, ...]
    taken: Mapping[str, str]
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
    conditions are asked as they are if that leads to the transition.

    Raises ModelError if the machine has no object to drive.
    """
    search = WaySearch(make, callbacks)
    ways = {row: search.way(row) for row in search.rows}
    found = tuple(way for way in ways.values() if way is not None)
    reason = "no way leads to it"
    if callbacks == "real":
        reason += " with its callbacks: --callbacks stub does without them"
    missing = tuple((row, reason) for row, way in ways.items() if way is None)
    return Ways(search.original, callbacks, found, missing)


@dataclass(frozen=True, slots=True)
class PlannedStep:
    """One event of a plan, where it is triggered, and what conditions must say then. Without
    answers, they are asked as they are.
    """

    event: str
    at: str
    answers: Answers = ()


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
            name = machine.name or type(machine).__name__
            raise ModelError(
                f"machine {name!r} drives no object: give it one with add_model(), "
                "or name a function that makes both: module:function"
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

    def way(self, row: Transition) -> Way | None:
        """Return the way that a test takes to this transition, or None if there is none.

        It takes the transition twice the same, as chance and time may play a part in it.
        """
        for stubs in (False, True):
            plan = (self.plans if stubs else self._asked).get(row.id)
            if plan is not None:
                first, second = self.run(plan), self.run(plan)
                if first is not None and repr(first) == repr(second) and row.id in first.taken:
                    return Way(row, plan[-1].at, first.steps)
        return None

    @cached_property
    def _asked(self) -> Mapping[str, Plan]:
        """The fewest events that take each transition if conditions are asked as they are."""
        return self._tried(stubs=False) if self.callbacks == "real" else {}

    @cached_property
    def plans(self) -> Mapping[str, Plan]:
        """The fewest events that take each transition if conditions say what it needs."""
        return self._tried(stubs=True)

    def _tried(self, *, stubs: bool) -> Mapping[str, Plan]:
        """Try events on fresh machines, breadth first, as long as they lead to something new."""
        found: dict[str, Plan] = {}
        waiting = deque[tuple[Plan, object]]([((), value_of(self.original))])
        seen, tries = set[str](), 0
        while waiting:
            before, value = waiting.popleft()
            for step in dict.fromkeys(self._moves(value, stubs)):
                if tries == MOST_TRIED or len(found) == len(self.rows):
                    return found
                tries += 1
                run = self.run((*before, step))
                if run is None or not run.taken:
                    continue
                for id, at in run.taken.items():
                    found.setdefault(id, (*before, replace(step, at=at)))
                standing = repr(run.steps[-1].value) if stubs else run.standing
                if standing not in seen:
                    seen.add(standing)
                    waiting.append(((*before, step), run.steps[-1].value))
        return found

    def _moves(self, value: object, stubs: bool) -> Iterator[PlannedStep]:
        """Yield what can be tried where the state attribute has this value."""
        model = self.known.model
        for name in names_in(value):
            at = self.known.leaf(name)
            for event in model.events_at(at):
                rows = model.rows(at, event)
                for row in rows if event != TOGETHER else ():
                    answers = answers_for(rows, row) if stubs else ()
                    if answers is not None:
                        yield PlannedStep(event, at if stubs else "", answers)

    def run(self, plan: Plan) -> Run | None:
        """Run a plan on a fresh machine. Return None if an event raises an error."""
        machine = self.make()
        subject = machine.models[0]
        if self.callbacks == "stub":
            silence(machine)
        known = ReadMachine(machine)
        planned = [[*stubs_of(machine, known, step)] for step in plan]
        steps, said = list[Step](), dict[object, bool]()
        listener = Listener(machine)
        with listening(listener):
            for step, asked in zip(plan, planned, strict=True):
                stubs = list[Stub]()
                for stub in asked:
                    if said.get(stub[3:]) is not stub.says:
                        said[stub[3:]] = stub.says
                        stubs.append(stub)
                        put(machine, stub)
                called = _bound(subject, step.event)
                listener.firings.clear()
                if not _sent(subject, step.event, called):
                    return None
                value = copy.copy(value_of(machine))
                steps.append(Step(step.event, tuple(stubs), value, called))
        ids = [row.id for row in self.rows]
        taken = {id: at for _, id, at in listener.firings if id in ids}
        held = getattr(subject, "__dict__", {}).items()
        plain = {name: v for name, v in held if isinstance(v, str | int | float | Enum)}
        return Run(tuple(steps), taken, repr((value_of(machine), plain)))


def fails(machine: Any, steps: Iterable[Step]) -> bool:
    """Say whether a test of these steps fails on a fresh machine."""
    for step in steps:
        try:
            for stub in step.stubs:
                put(machine, stub)
        except Exception:
            return True
        sent = _sent(machine.models[0], step.event, step.called)
        if not sent or repr(value_of(machine)) != repr(step.value):
            return True
    return False


def answers_for(rows: Sequence[Transition], row: Transition) -> Answers | None:
    """Return answers with which this row is the first of these to hold, or None if there are none.

    The facts of all rows up to this one have an answer, since their conditions are asked.
    """
    above = rows[: rows.index(row)]
    found = Solver().solve(row.guard, [one.guard for one in above])
    if found is None:
        return None
    asked = chain.from_iterable(one.guard for one in (*above, row))
    return tuple({term.fact: found.get(term.fact, False) for term in asked}.items())


# the machine as the search drives it --------------------------------------------------------------


def silence(machine: Any) -> None:
    """Keep every callback of the machine from running."""
    machine.callback = _nothing_later if is_async(machine) else _nothing


def _nothing(func: object, event_data: object) -> None:
    pass


async def _nothing_later(func: object, event_data: object) -> None:
    pass


def value_of(machine: Any) -> Any:
    """Return the value of the state attribute of the first object."""
    return getattr(machine.models[0], machine.model_attribute)


def _bound(subject: Any, event: str) -> bool:
    """Whether `subject.event()` triggers the event: the object may have had an attribute of this
    name before.
    """
    found = getattr(subject, event, None)
    return event.isidentifier() and not keyword.iskeyword(event) and isinstance(found, partial)


def _sent(subject: Any, event: str, called: bool) -> bool:
    """Trigger an event, and return whether nothing went wrong."""
    try:
        done = getattr(subject, event)() if called else subject.trigger(event)
        if inspect.isawaitable(done):
            asyncio.run(_within(done))
    except (Exception, SystemExit):
        return False
    return True


async def _within(done: Any) -> Any:
    return await asyncio.wait_for(done, PATIENCE)


# conditions as tests replace them -----------------------------------------------------------------


def stubs_of(machine: Any, known: ReadMachine, step: PlannedStep) -> Iterator[Stub]:
    """Yield what must be replaced so that the conditions asked in this step say what it needs."""
    answers, asked = dict(step.answers), known.model.rows(step.at, step.event)
    for transition in transitions_of(machine) if answers else ():
        row = known.row(transition)
        if row is None or row not in asked or not {t.fact for t in row.guard} <= answers.keys():
            continue
        for condition, term in zip(transition.conditions, row.guard, strict=False):
            yield _stub(machine, condition, row, answers[term.fact], term.fact)


def _stub(machine: Any, condition: Any, row: Transition, says: bool, fact: str) -> Stub:
    name, subject = condition.func, machine.models[0]
    told = (says, says is condition.target, fact)
    own = isinstance(name, str) and (hasattr(subject, name) or "." not in name)
    if own and not hasattr(getattr(type(subject), name, None), "__set__"):
        return Stub(*told, name, callable(getattr(subject, name, None)))
    asked = conditions(machine, row.event, row.source)
    number = next(number for number, one in enumerate(asked) if one is condition)
    return Stub(*told, event=row.event, source=row.source, number=number)


def conditions(machine: Any, event: str, source: str) -> list[Any]:
    """Return the conditions of an event in a state, in the order in which they are asked."""
    rows = machine.get_transitions(event, source)
    return [*chain.from_iterable(row.conditions for row in rows)]


def put(machine: Any, stub: Stub) -> None:
    """Replace a condition, as the code of a test does."""
    if stub.name:
        says = partial(_says, stub.says) if stub.called else stub.says
        setattr(machine.models[0], stub.name, says)
    else:
        condition = conditions(machine, stub.event, stub.source)[stub.number]
        condition.check = partial(_says_later if is_async(machine) else _says, stub.holds)


def _says(answer: bool, *_: object, **__: object) -> bool:
    return answer


async def _says_later(answer: bool, event_data: object) -> bool:
    return answer
