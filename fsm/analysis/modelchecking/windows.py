"""Explores windows separately: the inside of a window depends on the turn only through the guards of the window.

So the window is explored once for each kind of wait point, and the product of turn and window is computed exactly.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from fsm.analysis.modelchecking.live import Location
from fsm.analysis.modelchecking.stepping import Outcome, Seen, Stepper, words_of
from fsm.state.primitives import TESTS
from fsm.state.run import Run

OWN = frozenset({"everyone_passed", "holder_left"})
"""Tests that ask for what is inside the window."""


Facts = tuple[tuple[tuple[int, str], bool], ...]


class Inside(NamedTuple):
    """Where a window stands: its state, who holds priority, who passed, objects on the stack, facts latched in it."""

    frame: str
    holder: str
    passed: tuple[str, ...]
    stack: int
    latched: frozenset[str]


class Ending(NamedTuple):
    """How a window closes: with so much on the stack, these facts latched, and those told with the last answer."""

    stack: int
    latched: frozenset[str]
    told: Facts


@dataclass(frozen=True, slots=True)
class Inner:
    """One answer inside a window. `quiet`: nothing happens by it but what was on its way."""

    word: str
    told: Facts
    target: int
    seen: tuple[Seen, ...]
    quiet: bool


@dataclass(frozen=True, slots=True)
class Exit:
    """An answer at which a window closes, or something more can happen: then `mid` is where its word has led to."""

    at: int
    word: str
    ending: Ending | None
    mid: Inside | None
    entry: int
    seen: tuple[Seen, ...]
    quiet: bool
    told: Facts = ()


@dataclass(slots=True)
class Node:
    """One place inside a window."""

    inside: Inside
    inner: list[Inner] = field(default_factory=list)
    exits: list[Exit] = field(default_factory=list)
    problem: str = ""


class WaysOut(NamedTuple):
    """How a window can be left: by closing, by more that happens; and the places in it where it is stuck.

    `places`: all places inside where an exit (by identity) is found, of which it names the first.
    """

    closings: tuple[Exit, ...]
    happenings: tuple[Exit, ...]
    stuck: tuple[int, ...]
    places: dict[int, tuple[int, ...]]


class Windows:
    """The windows at places of a turn that are alike."""

    def __init__(self, stepper: Stepper, live: Mapping[Location, frozenset[str]], run: Run) -> None:
        self.stepper, self.live, self.run = stepper, live, run
        window = stepper.model.window
        assert window is not None
        self.window = window
        self.own = frozenset(f.name for f in window.facts)
        self.nodes: list[Node] = []
        self.numbers: dict[Inside, int] = {}
        self._reached: dict[tuple[int, bool], int] = {}
        self._out: dict[int, WaysOut] = {}

    def number(self, inside: Inside) -> int:
        """The number of a place inside, which is looked at if it is new."""
        if inside not in self.numbers:
            todo = [self._new(inside)]
            while todo:
                number = todo.pop()
                todo += self._expand(number)
        return self.numbers[inside]

    def reached(self, entry: int, *, quietly: bool = False) -> int:
        """All places inside that can be reached from this one without leaving it, as a mask.

        `quietly`: so that nothing happens but what was on its way.
        """
        key = (entry, quietly)
        if key not in self._reached:
            mask, todo = 1 << entry, [entry]
            while todo:
                for move in self.nodes[todo.pop()].inner:
                    if not mask >> move.target & 1 and (move.quiet or not quietly):
                        mask |= 1 << move.target
                        todo.append(move.target)
            self._reached[key] = mask
        return self._reached[key]

    def ways_out(self, entry: int) -> WaysOut:
        """The ways out of a window entered here, each once, however it is come to; and where it is stuck inside."""
        if entry not in self._out:
            closings: dict[Hashable, list[Exit]] = {}
            happenings: dict[Hashable, list[Exit]] = {}
            stuck = []
            for at in bits(self.reached(entry)):
                node = self.nodes[at]
                if node.problem:
                    stuck.append(at)
                for exit in node.exits:
                    if exit.ending is not None:
                        closings.setdefault((exit.ending, exit.seen, exit.quiet), []).append(exit)
                    else:
                        happenings.setdefault((exit.mid, exit.seen, exit.entry), []).append(exit)
            ways = [[found[0] for found in kind.values()] for kind in (closings, happenings)]
            places = {
                id(found[0]): tuple(exit.at for exit in found)
                for kind in (closings, happenings)
                for found in kind.values()
            }
            self._out[entry] = WaysOut(tuple(ways[0]), tuple(ways[1]), tuple(stuck), places)
        return self._out[entry]

    def inside(self, run: Run, stack: int) -> Inside:
        """Where this run stands inside its window."""
        latched = run.latched & self.own & self.live["window", run.frame]
        return Inside(run.frame, run.holder, tuple(sorted(run.passed)), stack, latched)

    def _new(self, inside: Inside) -> int:
        self.numbers[inside] = len(self.nodes)
        self.nodes.append(Node(inside))
        return self.numbers[inside]

    def _expand(self, number: int) -> Iterator[int]:
        node = self.nodes[number]
        run = self.standing(self.run, node.inside)
        state = self.window.state(node.inside.frame)
        for word in words_of(state):
            for stack in stacks(self.stepper, state.asks, state.action, word, node.inside.stack):
                for outcome in self.stepper.inside(run, stack, word):
                    yield from self._note(node, number, word, stack, outcome)
                if happens(self.stepper, state.asks, word):
                    self._note_happening(node, number, word, stack, run)

    def _note(self, node: Node, number: int, word: str, stack: int, outcome: Outcome) -> Iterator[int]:
        told, seen = tuple(outcome.told.items()), outcome.seen
        quiet = word != "acted" and all(
            value == (name in self.stepper.quiet) or name == self.stepper.around.empty for (_, name), value in told
        )
        quiet = quiet and stack <= node.inside.stack
        if outcome.problem:
            node.problem = outcome.problem
            return
        if outcome.run.frame in self.stepper.finals:
            latched = outcome.run.latched & self.own & self.live["window", outcome.run.frame]
            node.exits.append(Exit(number, word, Ending(stack, latched, told), None, -1, seen, quiet, told))
            return
        inside = self.inside(outcome.run, stack)
        if inside not in self.numbers:
            yield self._new(inside)
        node.inner.append(Inner(word, told, self.numbers[inside], seen, quiet))

    def _note_happening(self, node: Node, number: int, word: str, stack: int, run: Run) -> None:
        for outcome in self.stepper.fired(run, stack, word):
            for after in self.stepper.onward(outcome.run, stack, outcome.told):
                if outcome.problem or after.problem or not after.run.frame:
                    continue
                mid = Inside(
                    outcome.run.frame, outcome.run.holder, outcome.run.passed, stack, outcome.run.latched & self.own
                )
                inside = self.inside(after.run, stack)
                seen = outcome.seen + after.seen
                node.exits.append(Exit(number, word, None, mid, self.numbers.get(inside, -1), seen, False))

    def standing(self, run: Run, inside: Inside) -> Run:
        """A copy of a run, which stands so inside its window."""
        twin = run.copy()
        twin.frame, twin.holder, twin.passed = inside.frame, inside.holder, inside.passed
        twin.latched = (twin.latched - self.own) | inside.latched
        return twin


def context(stepper: Stepper, run: Run) -> Hashable:
    """Equal for runs whose windows are the same inside."""
    agenda, window = run.agenda, stepper.model.window
    assert window is not None
    step, phase = agenda.current_step, agenda.current_phase
    asked = [f.test for f in window.facts if f.test and f.owner != "game" and f.test[0] not in OWN]
    values = tuple(TESTS[name].run(run, *args) for name, *args in asked)
    latched = run.latched & {t.fact for row in window.transitions for t in row.guard}
    return (
        run.state,
        agenda.first,
        agenda.left,
        values,
        latched - {f.name for f in window.facts},
        step is not None and step.under_way and step.name,
        phase is not None and phase.under_way and phase.name,
        (step is not None and step.extra) or (phase is not None and phase.extra),
    )


def stacks(stepper: Stepper, asks: str, action: str, word: str, stack: int) -> tuple[int, ...]:
    """How much can be on the stack after this answer."""
    more = (stack, stack + 1) if stack < stepper.bounds.stack else (stack,)
    if asks == "place" or (asks == "priority" and word == "acted") or action in stepper.around.pushes:
        return more
    if asks == "resolve":
        return (max(stack - 1, 0),)
    return (0,) if action and action in stepper.around.clears else (stack,)


def happens(stepper: Stepper, asks: str, word: str) -> bool:
    """Can something more happen together with this answer: an order, a signal, a fact that stays true?

    As an object resolves; or as a player acts, where nothing ever resolves.
    """
    window = stepper.model.window
    if asks == "resolve":
        return True
    if asks != "priority" or word != "acted" or window is None:
        return False
    return bool(stepper.around.declared) or not any(s.asks == "resolve" for s in window.leaves)


def bits(mask: int) -> Iterator[int]:
    """The places of the ones in a mask."""
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low
