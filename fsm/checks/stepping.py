"""How the games of a proof go on: every way from one request to the next, and inside windows.

What is inside a window depends on the turn only by what the guards of the window ask. So it is
explored apart from the turn, and once for all turns whose windows are alike.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Set
from copy import copy
from functools import cache
from operator import methodcaller
from typing import Any, Literal, NamedTuple

from fsm.checks.facts import changes, lasting, live_facts
from fsm.checks.observing import Labels, Numbered
from fsm.checks.surroundings import Bounds, environment_of
from fsm.engine.semantics import (
    SILENT_LIMIT,
    TURN,
    WINDOW,
    Fired,
    NothingFires,
    Told,
    every_choice,
    semantics_of,
)
from fsm.errors import StuckError
from fsm.model import Model, State
from fsm.model.graph import reachable_from
from fsm.state.orders import Order
from fsm.state.run import Interrupted, Run

Values = tuple[tuple[tuple[int, str], bool], ...]
"""Facts that are told, each with the number of the answer that tells it: 0, or that of a forced
answer after it.
"""


class Stepper:
    """Lets runs of one Model go on in every way, within bounds.

    `lasting` has the latched facts with their scopes, `live_facts` those that a run may still read
    in a state, and `window_facts` the facts of the window. Something new begins only with a fact in
    `stirring`. `labels` are what is observed.
    """

    def __init__(self, model: Model, bounds: Bounds) -> None:
        self.model = model
        self.bounds = bounds
        self.semantics = semantics_of(model)
        self.environment = environment_of(model)
        self.labels = Labels(model)
        self.live_facts = live_facts(model)
        self.lasting = dict[str, str]()
        window = model.window.facts if model.window is not None else ()
        self.window_facts = frozenset(fact.name for fact in window)
        stated = {fact.name for fact in model.facts if fact.quiet is not None}
        self.stirring = (self.window_facts | stated) - {self.environment.empty}
        for machine in model.machines.values():
            self.lasting |= lasting(machine)
        self.changes = dict[tuple[str, str], dict[str, bool]]()
        for (name, *_), rows in self.semantics.rows.items():
            for row in rows:
                self.changes[name, row.id] = changes(row.transition, self.lasting)

    def is_forced(self, state: State) -> bool:
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
        known: Any = dict(values)
        for told in every_choice(known):
            attempt = Attempt(self, copy(run), stack, told)
            attempt.go(begin, ends, onward=onward)
            yield attempt

    def is_quiet(self, values: Values) -> bool:
        """Say whether facts are as in a game in which nothing happens. Those of the turn without a
        stated quiet value are decisions.
        """
        quiet = self.semantics.quiet
        return all(value is quiet[name] for (_, name), value in values if name in self.stirring)


class Attempt(Told):
    """One way in which a run goes on. It tells the facts that are read, and notes what happens."""

    def __init__(self, stepper: Stepper, run: Run, stack: int, told: Any) -> None:
        super().__init__()
        self.stepper = stepper
        self.run = run
        self.stack = stack
        self.told: dict[tuple[int, str], bool] = told
        self.fired: list[Fired] = []
        self.changed: dict[str, bool] = {}
        self.forced = 0
        self.problem = ""
        self._performed: set[str] = set()

    def __missing__(self, name: str) -> bool:
        """Return a fact at this answer: a value that is chosen, unless only one is possible."""
        key = (self.forced, name)
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
        if run.frame or state.id in self._performed or not stepper.is_forced(state):
            return False
        self.forced += 1
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


# inside a window ----------------------------------------------------------------------------------


class Inside(NamedTuple):
    """A position inside a window, with the facts of the window that are latched."""

    frame: str
    holder: int
    passed: tuple[int, ...]
    out: tuple[int, ...]
    interrupted: tuple[Interrupted, ...]
    stack: int
    latched: frozenset[str]


class Edge(NamedTuple):
    """A move, and the node or the position inside a window to which it leads.

    Attributes
    ----------
    to
        The number of the node or position.
    label
        The number of the label of what is observed.
    quiet
        Whether it starts nothing new.
    word
        The word of the answer. It is "" as a game begins.
    values
        The facts that are told, by this answer and by the forced ones after it.
    forced
        How many forced answers come after it.
    order
        An order that is given with it.
    exit
        The number of the exit by which it leaves a window, or -1.
    """

    to: int
    label: int
    quiet: bool
    word: str
    values: Values = ()
    forced: int = 0
    order: Order | None = None
    exit: int = -1


class Exit(NamedTuple):
    """An answer at which the turn may change.

    Attributes
    ----------
    kind
        "close": the window closes. "effects": an order is given with it, or a fact is told that
        stays true. "signals": a signal comes with it.
    move
        The answer as a move inside the window.
    stack, latched
        What the window leaves behind as it closes.
    mid
        Where a signal finds the game: right after the transition of the word.
    free
        Whether any signal can come, and not just one that players declare.
    """

    kind: Literal["close", "effects", "signals"]
    move: Edge
    stack: int = 0
    latched: frozenset[str] = frozenset()
    mid: Inside | None = None
    free: bool = False


class Window:
    """The positions inside a window, and the moves between them.

    `exits` are all exits, by number. `inner` and `out` have the moves and the numbers of the exits
    of each position, and `problems` the moves that get stuck.
    """

    def __init__(self, stepper: Stepper, model: Model, run: Run) -> None:
        self.stepper = stepper
        self.model = model
        self.run = run
        self.finals = {state.id for state in model.leaves if state.kind == "final"}
        self.resolves = any(state.asks == "resolve" for state in model.leaves)
        self.insides = Numbered[Inside]()
        self.exits = Numbered[Exit]()
        self.inner: list[list[Edge]] = []
        self.out: list[list[int]] = []
        self.problems: dict[int, list[tuple[str, Edge]]] = {}
        self.reached = cache(self._reached)
        self.ways_out = cache(self._ways_out)

    def number(self, run: Run, stack: int, latched: frozenset[str]) -> int:
        """Return the number of the position at which a run stands. A new one is explored."""
        number = self.insides.number(self._inside(run, stack, latched))
        while len(self.inner) < len(self.insides):
            self._expand(len(self.inner))
        return number

    def _inside(self, run: Run, stack: int, latched: frozenset[str]) -> Inside:
        """Return where a run stands, with the facts of the window that make a difference later."""
        own = latched & self.stepper.window_facts & self.stepper.live_facts[WINDOW, run.frame]
        passed = tuple(sorted(run.passed))
        out = tuple(sorted(run.out))
        return Inside(run.frame, run.holder, passed, out, run.interrupted, stack, own)

    def _expand(self, number: int) -> None:
        """Explore a position."""
        self.inner.append([])
        self.out.append([])
        inside = self.insides[number]
        run = copy(self.run)
        run.frame, run.holder, run.passed, run.out, run.interrupted = inside[:5]
        run.latched = (run.latched - self.stepper.window_facts) | inside.latched
        state = self.model.state(inside.frame)
        environment = self.stepper.environment
        most = self.stepper.bounds.stack
        for word in state.words:
            begin = methodcaller("fire", WINDOW, word)
            for stack in environment.stacks(state.asks, state.action, word, inside.stack, most):
                for way in self.stepper.ways(run, stack, begin, ends=self.finals):
                    self._note(number, state, word, way)
                if self._free(state, word) or (word == "acted" and environment.declared):
                    for way in self.stepper.ways(run, stack, begin, onward=False):
                        self._note_signals(number, state, word, way)

    def _free(self, state: State, word: str) -> bool:
        """Say whether orders, signals and facts that stay true can come with this answer: as
        something resolves or, where nothing ever does, as a player acts.
        """
        return state.asks == "resolve" or (word == "acted" and not self.resolves)

    def _note(self, number: int, state: State, word: str, way: Attempt) -> None:
        """Note a way to go on."""
        run = way.run
        label = self.stepper.labels.observed(self.run, way.fired)
        move = Edge(-1, label, False, word, way.facts)
        if way.problem:
            self.problems.setdefault(number, []).append((way.problem, move))
            return
        new = word == "acted" or way.stack > self.insides[number].stack
        quietly = move._replace(quiet=not new and self.stepper.is_quiet(way.facts))
        inside = self._inside(run, way.stack, run.latched)
        if run.frame in self.finals:
            self._exit(number, Exit("close", quietly, way.stack, inside.latched))
            return
        to = self.insides.number(inside)
        self.inner[number].append(quietly._replace(to=to))
        if self._free(state, word):
            self._exit(number, Exit("effects", move._replace(to=to)))

    def _note_signals(self, number: int, state: State, word: str, way: Attempt) -> None:
        """Note that a signal may come."""
        run = way.run
        label = self.stepper.labels.observed(self.run, way.fired)
        latched = run.latched & self.stepper.window_facts
        mid = self._inside(run, way.stack, latched)._replace(latched=latched)
        move = Edge(-1, label, False, word, way.facts)
        self._exit(number, Exit("signals", move, mid=mid, free=self._free(state, word)))

    def _exit(self, at: int, exit: Exit) -> None:
        number = self.exits.number(exit)
        self.exits[number] = exit._replace(move=exit.move._replace(exit=number))
        self.out[at].append(number)

    # what can be reached --------------------------------------------------------------------------

    def _reached(self, entry: int, *, quietly: bool = False) -> Set[int]:
        """Return the positions that can be reached from this one."""

        def onward(at: int) -> Iterator[int]:
            return (edge.to for edge in self.inner[at] if edge.quiet or not quietly)

        return reachable_from([entry], onward)

    def _ways_out(self, entry: int) -> dict[int, list[int]]:
        """Return the numbers of the exits that can be reached from this position, each with the
        positions that have it.
        """
        exits: dict[int, list[int]] = {}
        for at in self.reached(entry):
            for exit in self.out[at]:
                exits.setdefault(exit, []).append(at)
        return exits
