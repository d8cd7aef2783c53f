"""Explores windows apart from the turn: what is inside a window depends on the turn only by what
the guards of the window ask. So one exploration serves all turns whose windows are alike.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from copy import copy
from functools import partial
from typing import Literal, NamedTuple

from fsm.checks.observing import Labels, observed
from fsm.checks.stepping import Attempt, Stepper, Values
from fsm.engine.semantics import WINDOW
from fsm.model import State
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


class Exit(NamedTuple):
    """An answer at which the turn may change.

    Attributes
    ----------
    kind
        "close": the window closes. "effects": an order is given with it, or a fact is told that
        stays true. "signals": a signal comes with it.
    word, values, label
        The answer, the facts that it tells, and the label of what is observed.
    quiet
        Whether it starts nothing new.
    stack, latched
        What the window leaves behind as it closes.
    mid
        Where a signal finds the game: right after the transition of the word.
    free
        Whether any signal can come, and not just one that players declare.
    at
        The number of the position to which the answer leads.
    number
        The number of the exit in its window.
    """

    kind: Literal["close", "effects", "signals"]
    word: str
    values: Values
    label: int
    quiet: bool = False
    stack: int = 0
    latched: frozenset[str] = frozenset()
    mid: Inside | None = None
    free: bool = False
    at: int = -1
    number: int = -1


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


class Window:
    """The positions inside a window, and the moves between them.

    `exits` are all exits, by number. `inner` and `out` have the moves and the numbers of the exits
    of each position, and `problems` the moves that get stuck.
    """

    def __init__(
        self,
        stepper: Stepper,
        live: dict[tuple[str, str], frozenset[str]],
        labels: Labels,
        run: Run,
    ) -> None:
        self.stepper, self.live, self.labels, self.run = stepper, live, labels, run
        window = stepper.model.window
        assert window is not None
        self.model = window
        self.facts = frozenset(fact.name for fact in window.facts)
        self.finals = {state.id for state in window.leaves if state.kind == "final"}
        self.resolves = any(state.asks == "resolve" for state in window.leaves)
        self.insides: list[Inside] = []
        self.exits: list[Exit] = []
        self.inner: list[list[Edge]] = []
        self.out: list[list[int]] = []
        self.problems: dict[int, list[tuple[str, Edge]]] = {}
        self._numbers: dict[Inside, int] = {}
        self._exit_numbers: dict[Exit, int] = {}
        self._reached: dict[tuple[int, bool], int] = {}
        self._ways_out: dict[int, dict[int, list[int]]] = {}
        self._crossings: dict[int, tuple[int, Counter[int]]] = {}

    def number(self, run: Run, stack: int, latched: frozenset[str]) -> int:
        """Return the number of the position at which a run stands. A new one is explored."""
        inside = self._inside(run, stack, latched)
        if inside not in self._numbers:
            todo = [self._add(inside)]
            while todo:
                todo += self._expand(todo.pop())
        return self._numbers[inside]

    def _inside(self, run: Run, stack: int, latched: frozenset[str]) -> Inside:
        """Return a position without the facts that make no difference there."""
        own = latched & self.facts & self.live[WINDOW, run.frame]
        passed, out = tuple(sorted(run.passed)), tuple(sorted(run.out))
        return Inside(run.frame, run.holder, passed, out, run.interrupted, stack, own)

    def _add(self, inside: Inside) -> int:
        number = self._numbers[inside] = len(self.insides)
        self.insides.append(inside)
        self.inner.append([])
        self.out.append([])
        return number

    def enter(self, run: Run, inside: Inside) -> None:
        """Put a run inside the window."""
        run.frame, run.holder, run.passed, run.out, run.interrupted = inside[:5]
        run.latched = (run.latched - self.facts) | inside.latched

    def _expand(self, number: int) -> Iterator[int]:
        """Explore a position. Yield the numbers of new ones."""
        inside, run = self.insides[number], copy(self.run)
        self.enter(run, inside)
        state = self.model.state(inside.frame)
        environment, most = self.stepper.environment, self.stepper.bounds.stack
        for word in state.words:
            begin = partial(_fire, word)
            for stack in environment.stacks(state.asks, state.action, word, inside.stack, most):
                for way in self.stepper.ways(run, stack, begin, ends=self.finals):
                    yield from self._note(number, state, word, way)
                if self._free(state, word) or (word == "acted" and environment.declared):
                    for way in self.stepper.ways(run, stack, begin, onward=False):
                        self._note_signals(number, state, word, way)

    def _free(self, state: State, word: str) -> bool:
        """Say whether orders, signals and facts that stay true can come with this answer: as
        something resolves or, where nothing ever does, as a player acts.
        """
        return state.asks == "resolve" or (word == "acted" and not self.resolves)

    def _note(self, number: int, state: State, word: str, way: Attempt) -> Iterator[int]:
        label, values, run = self.labels.number(observed(self.run, way.fired)), way.facts, way.run
        quiet = word != "acted" and way.stack <= self.insides[number].stack
        quiet = quiet and self.stepper.is_quiet(values)
        if way.problem:
            problem = (way.problem, Edge(0, label, False, word, values))
            self.problems.setdefault(number, []).append(problem)
            return
        inside = self._inside(run, way.stack, run.latched)
        if run.frame in self.finals:
            exit = Exit("close", word, values, label, quiet, way.stack, inside.latched)
            self._exit(number, exit)
            return
        if inside not in self._numbers:
            yield self._add(inside)
        to = self._numbers[inside]
        self.inner[number].append(Edge(to, label, quiet, word, values))
        if self._free(state, word):
            self._exit(number, Exit("effects", word, values, label, at=to))

    def _note_signals(self, number: int, state: State, word: str, way: Attempt) -> None:
        run, label = way.run, self.labels.number(observed(self.run, way.fired))
        own = run.latched & self.facts
        passed, out = tuple(sorted(run.passed)), tuple(sorted(run.out))
        mid = Inside(run.frame, run.holder, passed, out, run.interrupted, way.stack, own)
        free = self._free(state, word)
        self._exit(number, Exit("signals", word, way.facts, label, mid=mid, free=free))

    def _exit(self, at: int, exit: Exit) -> None:
        number = self._exit_numbers.setdefault(exit, len(self.exits))
        if number == len(self.exits):
            self.exits.append(exit._replace(number=number))
        self.out[at].append(number)

    # what can be reached --------------------------------------------------------------------------

    def reached(self, entry: int, *, quietly: bool = False) -> int:
        """Return the positions that can be reached from this one, as a mask of bits."""
        key = (entry, quietly)
        if key not in self._reached:
            mask, todo = 1 << entry, [entry]
            while todo:
                for edge in self.inner[todo.pop()]:
                    if not mask >> edge.to & 1 and (edge.quiet or not quietly):
                        mask |= 1 << edge.to
                        todo.append(edge.to)
            self._reached[key] = mask
        return self._reached[key]

    def stuck(self, entry: int) -> list[int]:
        """Return the positions that can be reached from this one, where something is wrong."""
        return [at for at in self.problems if self.reached(entry) >> at & 1]

    def ways_out(self, entry: int) -> dict[int, list[int]]:
        """Return the numbers of the exits that can be reached from this position, each with the
        positions that have it.
        """
        if entry not in self._ways_out:
            exits = self._ways_out[entry] = {}
            for at in bits(self.reached(entry)):
                for exit in self.out[at]:
                    exits.setdefault(exit, []).append(at)
        return self._ways_out[entry]

    def crossings(self, mask: int) -> tuple[int, Counter[int]]:
        """Return how many moves stay inside, from these positions, and how many take each exit."""
        if mask not in self._crossings:
            moves, exits = 0, Counter[int]()
            for at in bits(mask):
                moves += len(self.inner[at])
                exits.update(self.out[at])
            self._crossings[mask] = moves, exits
        return self._crossings[mask]


def _fire(word: str, attempt: Attempt) -> None:
    attempt.fire(WINDOW, word)


def bits(mask: int) -> Iterator[int]:
    """Yield the positions of the ones in a mask."""
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low
