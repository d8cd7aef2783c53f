"""Generated transition code: Python code for everything that happens between two requests.

The code has one function for each state in which a run waits and each word that can be answered
there. The transitions of the Model become `if` statements, their actions become calls of
primitives, and transitions that need no answer follow at once. So a turn costs what hand-written
code costs. `write` returns the text, which is the same for equal models.

Each Model has two texts: one for any run, and a shorter one for a run whose agenda has nothing
scheduled. In the shorter one, the tests that only ask for scheduled things are known to be false
and left out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property, partial
from graphlib import CycleError, TopologicalSorter
from typing import Any, NamedTuple, NoReturn

from fsm.compiled.naming import comment, identifier
from fsm.compiled.sharing import code_of
from fsm.engine.refusals import no_window, refusal_of, stuck
from fsm.model import Action, Fact, Model, State, Transition
from fsm.model.model import per_model
from fsm.state.arguments import check_primitives
from fsm.state.primitives import ACTIONS, TESTS, holds
from fsm.state.run import Run

GeneratedFunction = Callable[[Run], Any]
Functions = Mapping[tuple[str, str], GeneratedFunction]
DEEPEST = 8
"""The generated code continues in another function when blocks are nested this deep."""
SILENT = frozenset({"choice", "stage"})


@dataclass(frozen=True)
class GeneratedCode:
    """The generated transition code of one Model.

    The text for any run is written and compiled when a run that has something scheduled first needs
    it: to compile a text takes longer than many games do.

    Attributes
    ----------
    model
        The Model.
    idle_turn, idle_window
        The functions for a run that has nothing scheduled, by state and event.
    idle_start, idle_source
        The function that begins such a run, and the text.
    sure
        Whether the code cannot meet a hole in the model or run for ever, if nothing is scheduled
        and every fact is reported.
    """

    model: Model
    idle_turn: Functions
    idle_window: Functions
    idle_start: GeneratedFunction
    idle_source: str
    sure: bool = False

    @cached_property
    def _full(self) -> _Loaded:
        return _load(self.model, write(self.model), "transition code")

    @property
    def turn(self) -> Functions:
        """The functions for any run."""
        return self._full.turn

    @property
    def window(self) -> Functions:
        """The functions for any run, in the window."""
        return self._full.window

    @property
    def sources(self) -> tuple[str, str]:
        """The two texts."""
        return self._full.source, self.idle_source

    def start(self, run: Run) -> Any:
        """Begin a run."""
        return (self.idle_start if run.agenda.idle else self._full.start)(run)

    def function(self, machine: str, state: str, event: str) -> GeneratedFunction:
        """Return the function for any run, or as long as there is none one that gets it when it is
        called.
        """
        if "_full" in self.__dict__:
            return self._of(machine)[state, event]
        return lambda run: self._of(machine)[state, event](run)

    def _of(self, machine: str) -> Functions:
        return self._full.turn if machine == "turn" else self._full.window


@per_model
def generated_code_of(model: Model) -> GeneratedCode:
    """Return the generated transition code that all games of this model share.

    Raises
    ------
    ModelError
        If the model names a primitive that does not exist.
    """
    for machine in model.machines.values():
        check_primitives(machine)
    writer = _Writer(model, idle=True)
    found = _load(model, "\n".join(writer.lines()), "idle transition code")
    return GeneratedCode(model, found.turn, found.window, found.start, found.source, writer.sure)


def write(model: Model, *, idle: bool = False) -> str:
    """Return the text of the generated transition code of a model. With `idle`, the shorter one."""
    return "\n".join(_Writer(model, idle).lines())


class _Loaded(NamedTuple):
    """A text, and the functions in it."""

    source: str
    turn: Functions
    window: Functions
    start: GeneratedFunction


def _load(model: Model, text: str, what: str) -> _Loaded:
    """Compile a text. Tracebacks show its lines."""
    facts = {f.name: f for m in model.machines.values() for f in m.facts}
    space: dict[str, Any] = {
        **{f"ask_{name}": test.run for name, test in TESTS.items()},
        **{f"do_{name}": action.run for name, action in ACTIONS.items()},
        "told": partial(_told, facts),
        "nothing": partial(_nothing, model),
    }
    exec(code_of(text, f"{what} of {comment(model.name)}"), space)
    return _Loaded(text, space["TURN"], space["WINDOW"], space["start"])


def _told(facts: Mapping[str, Fact], run: Run, name: str) -> bool:
    return holds(run, facts[name])


def _nothing(model: Model, run: Run, attribute: str, event: str) -> NoReturn:
    """Raise the error for a run that has no transition to fire."""
    machine = model if attribute == "state" else model.window
    if machine is None:
        raise no_window(run)
    raise stuck(refusal_of(machine, run, getattr(run, attribute), event))


@dataclass
class _Writer:
    """Writes the generated transition code of a Model, for turn and window, as one module."""

    model: Model
    idle: bool
    wanted: list[tuple[str, str, str]] = field(default_factory=list)
    written: set[tuple[str, str, str]] = field(default_factory=set)
    here: tuple[str, str, str] = ("", "", "")

    def __post_init__(self) -> None:
        self.machines = {"turn": self.model, "window": self.model.window}
        self.names: dict[tuple[str, str, str], str] = {}
        self.alike = Counter[str]()
        self.holes = 0
        self.onward: dict[tuple[str, str, str], set[tuple[str, str, str]]] = {}
        self.led = Counter((machine, row.target) for machine, row in self._everything())

    def lines(self) -> Iterator[str]:
        """Yield the whole text, line by line."""
        yield f"# {comment(self.model.name)}, {comment(self.model.edition)}: what happens between two requests"
        entries = {m: list(self._entries(m)) for m in self.machines}
        self.wanted = [(m, *entry) for m in self.machines for entry in entries[m]]
        first = self.model.state(self.model.initial)
        yield from ("", "", "def start(run):", *self._goto("turn", first, "    ", ()))
        while self.wanted:
            where = self.wanted.pop(0)
            if where not in self.written:
                self.written.add(where)
                yield from self._function(*where)
        for machine, found in entries.items():
            yield from ("", "", f"{machine.upper()} = {{")
            yield from (
                f"    ({state!r}, {event!r}): {self._name(machine, state, event)},"
                for state, event in found
            )
            yield "}"

    @property
    def sure(self) -> bool:
        """Is the text without holes, and without a way from a function back to itself that has no
        wait?
        """
        try:
            tuple(TopologicalSorter(self.onward).static_order())
        except CycleError:
            return False
        return not self.holes

    def _everything(self) -> Iterator[tuple[str, Transition]]:
        """Yield every transition that can fire, once for each state in which it can."""
        for machine, model in self.model.machines.items():
            rows = (row for _, _, rows in model.choices for row in rows)
            yield from ((machine, row) for row in rows if self._tests(model, row) is not None)

    def _entries(self, machine: str) -> Iterator[tuple[str, str]]:
        """Yield the states in which a run waits, each with a word that can be answered there."""
        model = self.machines[machine]
        for state in model.leaves if model else ():
            for word in state.words if state.kind in ("action", "window") else ():
                yield state.id, word

    def _name(self, machine: str, state: str, event: str) -> str:
        """Return the name of a function. Every function has another name, whatever the states are
        called.
        """
        key = (machine, state, event)
        if key not in self.names:
            words = f"{machine}_{state}" if event == "done" else f"{machine}_{state}_{event}"
            name = identifier(words)
            alike = self.alike[name] = self.alike[name] + 1
            self.names[key] = name if alike == 1 else f"{name}·{alike}"
        return self.names[key]

    def _function(self, machine: str, state: str, event: str) -> Iterator[str]:
        self.here = (machine, state, event)
        yield from ("", "", f"def {self._name(machine, state, event)}(run):")
        yield from self._rows(machine, state, event, "    ", (state,))

    def _rows(
        self, machine: str, state: str, event: str, pad: str, inside: tuple[str, ...]
    ) -> Iterator[str]:
        model = self.machines[machine]
        assert model is not None
        for row in model.rows(state, event):
            tests = self._tests(model, row)
            if tests is None:
                continue
            if not tests:
                yield from self._fired(machine, state, row, pad, inside)
                return
            cites = f"  # {comment(row.rule)}" if row.rule else ""
            yield f"{pad}if {' and '.join(tests)}:{cites}"  # no elif: each block returns, and a chain can be too long
            yield from self._fired(machine, state, row, pad + "    ", inside)
        attribute = "state" if machine == "turn" else "frame"
        self.holes += 1
        yield f"{pad}run.{attribute} = {state!r}"
        yield f"{pad}return nothing(run, {attribute!r}, {event!r})"

    def _tests(self, model: Model, row: Transition) -> list[str] | None:
        """Return the guard as expressions, or None if it cannot hold in an idle run."""
        found = []
        for term in row.guard:
            fact = model.fact(term.fact)
            if self.idle and fact.test and TESTS[fact.test[0]].scheduled:
                if term.value:
                    return None
                continue
            found.append(f"{'' if term.value else 'not '}{_read(fact)}")
        return found

    def _fired(
        self, machine: str, state: str, row: Transition, pad: str, inside: tuple[str, ...]
    ) -> Iterator[str]:
        model = self.machines[machine]
        assert model is not None
        yield from (f"{pad}{_call(action)}" for action in row.actions)
        target = model.state(state if row.target is None else row.target)
        yield from self._goto(machine, target, pad, inside)

    def _goto(
        self, machine: str, target: State, pad: str, inside: tuple[str, ...]
    ) -> Iterator[str]:
        """Yield the code that enters a state: it waits there, or it goes on."""
        attribute = "state" if machine == "turn" else "frame"
        if target.kind in SILENT:
            if (
                self.led[machine, target.id] == 1
                and target.id not in inside
                and len(pad) < 4 * DEEPEST
            ):
                yield from self._rows(machine, target.id, "done", pad, (*inside, target.id))
                return
            self.wanted.append((machine, target.id, "done"))
            self.onward.setdefault(self.here, set()).add((machine, target.id, "done"))
            yield f"{pad}return {self._name(machine, target.id, 'done')}"
        elif machine == "window" and target.kind == "final":
            closes = {("turn", state.id, "closed") for state in self.model.of_kind("window")}
            self.onward.setdefault(self.here, set()).update(closes)
            yield from (f'{pad}run.frame = ""', f'{pad}return TURN[run.state, "closed"]')
        elif target.kind == "window":
            yield f"{pad}run.state = {target.id!r}"
            yield from self._open(pad)
        else:
            yield from (f"{pad}run.{attribute} = {target.id!r}", f"{pad}return None")

    def _open(self, pad: str) -> Iterator[str]:
        window = self.model.window
        if window is None:
            self.holes += 1
            yield f'{pad}return nothing(run, "frame", "closed")'
        else:
            yield from self._goto("window", window.state(window.initial), pad, ())


def _read(fact: Fact) -> str:
    if fact.timing == "latched":
        return f"{fact.name!r} in run.latched"
    if fact.owner == "game":
        return (
            f"(run.told[{fact.name!r}] if {fact.name!r} in run.told else told(run, {fact.name!r}))"
        )
    name, *args = fact.test
    return f"ask_{name}({', '.join(('run', *map(repr, args)))})"


def _call(action: Action) -> str:
    return f"do_{action.name}({', '.join(('run', *map(repr, action.args)))})"
