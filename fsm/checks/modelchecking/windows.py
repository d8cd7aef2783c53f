"""Explores windows separately: the inside of a window depends on the turn only through the guards
of the window.

So the window is explored once for each kind of wait point, and the product of turn and window is
computed exactly.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from fsm.checks.modelchecking.labels import Label, Labels
from fsm.checks.modelchecking.live import Location
from fsm.checks.modelchecking.stepping import StepOutcome, Stepper, words_of
from fsm.state.primitives import TESTS
from fsm.state.run import Run

WINDOW_TESTS = frozenset({"everyone_passed", "holder_left"})
"""Tests whose result depends on the inside of the window."""


FactItems = tuple[tuple[tuple[int, str], bool], ...]


class WindowPosition(NamedTuple):
    """The state of a window: who holds priority, who has passed, the objects on the stack, and its
    latched facts.
    """

    frame: str
    holder: str
    passed: tuple[str, ...]
    stack: int
    latched: frozenset[str]


class WindowClosing(NamedTuple):
    """How a window closes: the stack, the latched facts, and the facts reported with the last
    answer.
    """

    stack: int
    latched: frozenset[str]
    facts: FactItems


@dataclass(frozen=True, slots=True)
class WindowAnswer:
    """One answer inside a window, with the number of its label. `quiet` means that it starts
    nothing new.
    """

    word: str
    facts: FactItems
    target: int
    label: int
    quiet: bool


@dataclass(frozen=True, slots=True)
class WindowExit:
    """An answer that closes a window, or with which an effect may come. Then `mid` is where its
    word has led.

    `label` is the number of what is observed, and `first` that of the first observation alone.
    """

    at: int
    word: str
    closing: WindowClosing | None
    mid: WindowPosition | None
    entry: int
    label: int
    first: int
    quiet: bool
    facts: FactItems = ()


@dataclass(slots=True)
class PositionNode:
    """One position inside a window."""

    inside: WindowPosition
    inner: list[WindowAnswer] = field(default_factory=list)
    exits: list[WindowExit] = field(default_factory=list)
    problem: str = ""


class WindowExits(NamedTuple):
    """How a window can be left: by closing, or by an effect. `stuck` has the positions inside where
    it is stuck.

    An exit stands for equal exits. `places` maps its identity to the positions of all of them.
    """

    closings: tuple[WindowExit, ...]
    effects: tuple[WindowExit, ...]
    stuck: tuple[int, ...]
    positions: dict[int, tuple[int, ...]]


class WindowGraph:
    """The positions inside a window and the answers between them, shared by all equivalent wait
    points.
    """

    def __init__(
        self, stepper: Stepper, live: Mapping[Location, frozenset[str]], labels: Labels, run: Run
    ) -> None:
        self.stepper, self.live, self.labels, self.run = stepper, live, labels, run
        window = stepper.model.window
        assert window is not None
        self.window = window
        self.own = frozenset(f.name for f in window.facts)
        self.nodes: list[PositionNode] = []
        self.numbers: dict[WindowPosition, int] = {}
        self._reached: dict[tuple[int, bool], int] = {}
        self._out: dict[int, WindowExits] = {}

    def number(self, inside: WindowPosition) -> int:
        """Return the number of a position inside. A new position is explored."""
        if inside not in self.numbers:
            todo = [self._new(inside)]
            while todo:
                number = todo.pop()
                todo += self._expand(number)
        return self.numbers[inside]

    def reached(self, entry: int, *, quietly: bool = False) -> int:
        """Return all positions that can be reached from this one inside the window, as a bit mask.

        `quietly` follows only quiet answers.
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

    def exits_from(self, entry: int) -> WindowExits:
        """Return the exits of a window that is entered here, each once, and the positions where it
        is stuck.
        """
        if entry not in self._out:
            closings: dict[Hashable, list[WindowExit]] = {}
            effects: dict[Hashable, list[WindowExit]] = {}
            stuck = []
            for at in bits(self.reached(entry)):
                node = self.nodes[at]
                if node.problem:
                    stuck.append(at)
                for exit in node.exits:
                    if exit.closing is not None:
                        closings.setdefault((exit.closing, exit.label, exit.quiet), []).append(exit)
                    else:
                        effects.setdefault((exit.mid, exit.label, exit.entry), []).append(exit)
            ways = [[found[0] for found in kind.values()] for kind in (closings, effects)]
            positions = {
                id(found[0]): tuple(exit.at for exit in found)
                for kind in (closings, effects)
                for found in kind.values()
            }
            self._out[entry] = WindowExits(tuple(ways[0]), tuple(ways[1]), tuple(stuck), positions)
        return self._out[entry]

    def inside(
        self, frame: str, holder: str, passed: tuple[str, ...], stack: int, latched: frozenset[str]
    ) -> WindowPosition:
        """Return this position inside the window. Facts that make no difference there are left out."""
        return WindowPosition(
            frame,
            holder,
            tuple(sorted(passed)),
            stack,
            latched & self.own & self.live["window", frame],
        )

    def _inside(self, run: Run, stack: int) -> WindowPosition:
        return self.inside(run.frame, run.holder, run.passed, stack, run.latched)

    def _new(self, inside: WindowPosition) -> int:
        self.numbers[inside] = len(self.nodes)
        self.nodes.append(PositionNode(inside))
        return self.numbers[inside]

    def _expand(self, number: int) -> Iterator[int]:
        node = self.nodes[number]
        run = self.standing(self.run, node.inside)
        state = self.window.state(node.inside.frame)
        for word in words_of(state):
            for stack in stacks(self.stepper, state.asks, state.action, word, node.inside.stack):
                for outcome in self.stepper.inside(run, stack, word):
                    yield from self._note(node, number, word, stack, outcome)
                if may_take_effect(self.stepper, state.asks, word):
                    self._note_effect(node, number, word, stack, run)

    def _note(
        self, node: PositionNode, number: int, word: str, stack: int, outcome: StepOutcome
    ) -> Iterator[int]:
        facts = tuple(outcome.facts.items())
        quiet = word != "acted" and all(
            value == (name in self.stepper.quiet) or name == self.stepper.environment.empty
            for (_, name), value in facts
        )
        quiet = quiet and stack <= node.inside.stack
        if outcome.problem:
            node.problem = outcome.problem
            return
        if outcome.run.frame in self.stepper.finals:
            latched = outcome.run.latched & self.own & self.live["window", outcome.run.frame]
            closing = WindowClosing(stack, latched, facts)
            node.exits.append(
                WindowExit(
                    number, word, closing, None, -1, *self._labels(outcome.seen), quiet, facts
                )
            )
            return
        inside = self._inside(outcome.run, stack)
        if inside not in self.numbers:
            yield self._new(inside)
        node.inner.append(
            WindowAnswer(word, facts, self.numbers[inside], self.labels.number(outcome.seen), quiet)
        )

    def _note_effect(
        self, node: PositionNode, number: int, word: str, stack: int, run: Run
    ) -> None:
        for outcome in self.stepper.fired(run, stack, word):
            for after in self.stepper.onward(outcome.run, stack, outcome.facts):
                if outcome.problem or after.problem or not after.run.frame:
                    continue
                mid = WindowPosition(
                    outcome.run.frame,
                    outcome.run.holder,
                    outcome.run.passed,
                    stack,
                    outcome.run.latched & self.own,
                )
                inside = self._inside(after.run, stack)
                entry, labels = (
                    self.numbers.get(inside, -1),
                    self._labels(outcome.seen + after.seen),
                )
                node.exits.append(WindowExit(number, word, None, mid, entry, *labels, False))

    def _labels(self, seen: Label) -> tuple[int, int]:
        """Return the numbers of the label of these observations and of that of the first alone."""
        return self.labels.number(seen), self.labels.number(seen[:1])

    def standing(self, run: Run, inside: WindowPosition) -> Run:
        """Return a copy of a run with this position inside its window."""
        twin = run.copy()
        twin.frame, twin.holder, twin.passed = inside.frame, inside.holder, inside.passed
        twin.latched = (twin.latched - self.own) | inside.latched
        return twin


def window_key(stepper: Stepper, run: Run) -> Hashable:
    """Return a key that is equal for runs whose windows are the same inside."""
    agenda, window = run.agenda, stepper.model.window
    assert window is not None
    step, phase = agenda.current_step, agenda.current_phase
    asked = [
        f.test
        for f in window.facts
        if f.test and f.owner != "game" and f.test[0] not in WINDOW_TESTS
    ]
    values = tuple(TESTS[name].run(run, *args) for name, *args in asked)
    latched = run.latched & {t.fact for row in window.transitions for t in row.guard}
    return (
        run.state,
        agenda.first,
        agenda.left,
        agenda.reversed,
        values,
        latched - {f.name for f in window.facts},
        step is not None and step.under_way and step.name,
        phase is not None and phase.under_way and phase.name,
        (step is not None and step.extra) or (phase is not None and phase.extra),
    )


def stacks(stepper: Stepper, asks: str, action: str, word: str, stack: int) -> tuple[int, ...]:
    """Return the possible numbers of objects on the stack after this answer."""
    more = (stack, stack + 1) if stack < stepper.bounds.stack else (stack,)
    if (
        asks == "place"
        or (asks == "priority" and word == "acted")
        or action in stepper.environment.pushes
    ):
        return more
    if asks == "resolve":
        return (max(stack - 1, 0),)
    return (0,) if action and action in stepper.environment.clears else (stack,)


def may_take_effect(stepper: Stepper, asks: str, word: str) -> bool:
    """Say whether an order, a signal or a fact that stays true can come with this answer.

    That is when an object resolves. Where nothing ever resolves, it is when a player acts.
    """
    window = stepper.model.window
    if asks == "resolve":
        return True
    if asks != "priority" or word != "acted" or window is None:
        return False
    return bool(stepper.environment.declared) or not any(s.asks == "resolve" for s in window.leaves)


def bits(mask: int) -> Iterator[int]:
    """Yield the positions of the ones in a mask."""
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low
