"""Explores windows apart from the turn: what is inside a window depends on the turn only by what
the guards of the window ask. So one exploration serves all turns whose windows are alike.
"""

from __future__ import annotations

from collections.abc import Iterator, Set
from copy import copy
from functools import cache
from operator import methodcaller
from typing import Literal, NamedTuple

from fsm.checks.observing import Numbered
from fsm.checks.stepping import Attempt, Stepper, Values
from fsm.engine.semantics import WINDOW
from fsm.model import Model, State
from fsm.model.graph import reachable_from
from fsm.state.orders import Order
from fsm.state.run import Interrupted, Run


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
        own = latched & self.stepper.of_window & self.stepper.live[WINDOW, run.frame]
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
        run.latched = (run.latched - self.stepper.of_window) | inside.latched
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
        latched = run.latched & self.stepper.of_window
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
