"""What a proof assumes of the games around a ruleset: their bounds, what they do to the stack, and
which orders they give. And which runs go on alike, because no guard reads what they differ in.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator
from copy import copy
from dataclasses import dataclass
from itertools import chain

from msgspec.structs import replace

from fsm.engine.semantics import semantics_of
from fsm.errors import FsmError, OrderError
from fsm.model import Fact, Model
from fsm.state.calendar import NO_ENTRIES
from fsm.state.orders import AddPhase, AddStep, AddTurn, Order, SkipPhase, SkipStep, SkipTurn
from fsm.state.primitives import TESTS
from fsm.state.run import Candidate, Extra, Progress, Run, first_run
from fsm.state.scheduling import Scheduler
from fsm.wording import many

COUNTED = 2
"""Where a model counts how often something was done, an exploration counts so far."""


@dataclass(frozen=True, slots=True)
class Bounds:
    """The limits within which games are explored.

    Parameters
    ----------
    turns
        How many turns may begin.
    players
        The number of players.
    stack
        The largest number of objects on the stack.
    together
        The largest number of extra and skipped turns, phases and steps that may be scheduled or
        under way at the same time.

    Raises
    ------
    FsmError
        If a bound is negative, or if `turns` or `players` is 0.
    """

    turns: int = 2
    players: int = 2
    stack: int = 2
    together: int = 1

    def __post_init__(self) -> None:
        for name in self.__slots__:
            least = 0 if name in ("stack", "together") else 1
            if getattr(self, name) < least:
                raise FsmError(
                    f"the bound {name!r} must be {least} or more, not {getattr(self, name)}"
                )

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the players in seat order."""
        return tuple("ABCDEFGHIJKLMNOPQRSTUVWXYZ"[: self.players])

    def __str__(self) -> str:
        counted = many(self.players, "player"), many(self.turns, "turn")
        orders = many(self.together, "order")
        return f"{', '.join(counted)}, a stack of {self.stack}, {orders} at a time"


def within(model: Model) -> Model:
    """Return the model with every count limited."""
    facts = list[Fact]()
    for fact in model.facts:
        if fact.test[:1] == ("tallied",) and int(fact.test[2]) > COUNTED:
            fact = replace(fact, test=(*fact.test[:2], str(COUNTED)))
        facts.append(fact)
    return replace(model, facts=tuple(facts))


# the stack ----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Environment:
    """What the game around a ruleset can do to its stack. What is not stated may always happen.

    Attributes
    ----------
    empty
        The fact that the stack is empty.
    waiting
        The fact that triggers wait to be put on it.
    present
        Facts that hold only while something is on it.
    clears, pushes
        Actions that empty it, and actions that may put an object on it.
    declared
        Signals that a player can give by acting.
    """

    empty: str = ""
    waiting: str = ""
    present: tuple[str, ...] = ()
    clears: tuple[str, ...] = ()
    pushes: tuple[str, ...] = ()
    declared: tuple[str, ...] = ()

    def only_value(self, fact: str, stack: int, most: int) -> bool | None:
        """Return the only value that a game can tell of a fact, or None if it can tell both.

        `stack` is the number of objects on the stack, and `most` how many it can have.
        """
        if fact == self.empty:
            return not stack
        full = fact == self.waiting and stack >= most
        return False if full or (fact in self.present and not stack) else None

    def stacks(self, asks: str, action: str, word: str, stack: int, most: int) -> tuple[int, ...]:
        """Return how many objects may be on the stack after an answer."""
        if asks == "place" or word == "acted" or action in self.pushes:
            return (stack, stack + 1) if stack < most else (stack,)
        if asks == "resolve":
            return (max(stack - 1, 0),)
        return (0,) if action in self.clears else (stack,)


def _magic(*clears: str, pushes: tuple[str, ...] = ()) -> Environment:
    return Environment("stack_empty", "triggers_waiting", clears=clears, pushes=pushes)


ENVIRONMENTS: dict[str, Environment] = {
    "magic": _magic("exile_stack"),
    "magic-2010": _magic("exile_stack"),
    "magic-classic": _magic("remove_stack", pushes=("put_damage_on_stack",)),
    "grand-archive": Environment(
        "stack_empty",
        "triggers_waiting",
        ("interdiction_on_stack",),
        ("banish_stack",),
        declared=("attack",),
    ),
}
"""By the names of rulesets. Yours may add itself: `ENVIRONMENTS["my-game"] = Environment(...)`."""


def environment_of(model: Model) -> Environment:
    """Return the assumptions that the ruleset of a model states. If it states none, they are
    derived.
    """
    window = model.window.facts if model.window is not None else ()
    empty = min((fact.name for fact in window if fact.is_quietly), default="")
    return ENVIRONMENTS.get(model.name) or Environment(empty)


# orders -------------------------------------------------------------------------------------------


def ordered(model: Model, players: tuple[str, ...], run: Run, order: Order) -> Run | None:
    """Return the run after an order, or None if the order is refused."""
    after = copy(run)
    try:
        Scheduler(semantics_of(model).names, after, NO_ENTRIES, players).give((order,))
    except OrderError:
        return None
    return after


def accepted(model: Model, players: tuple[str, ...], orders: Iterable[Order]) -> tuple[Order, ...]:
    """Return those of the orders that a model takes before a game of these players begins."""
    start = first_run(model, players, (), {})
    return tuple(one for one in orders if ordered(model, players, start, one) is not None)


def every_order(model: Model, players: tuple[str, ...]) -> Iterator[Order]:
    """Yield one order of each kind, for each turn, phase and step. A model may refuse some."""
    steps = tuple(dict.fromkeys(s.name for s in model.of_kind("step")))
    families = tuple(dict.fromkeys(s.family for s in model.of_kind("phase")))
    for player in players:
        yield AddTurn(player)
        yield SkipTurn(player)
    yield from map(AddPhase, families)
    for step in steps:
        yield AddStep(step, "current_phase")
        yield AddStep(step)
        yield AddStep(step, before=step)
    for player in players:
        yield from (SkipPhase(family, player) for family in families)
        yield from (SkipStep(step, player) for step in steps)


def has_room(bounds: Bounds, run: Run) -> bool:
    """Say whether the bounds allow that something more is ordered in this run."""
    under_way = run.pending
    for phase, step in ((run.phase, run.step), *run.suspended):
        under_way += len(phase.returns) + len(step.returns)
    return under_way < bounds.together


# which runs go on alike ---------------------------------------------------------------------------


class Likeness:
    """Makes keys of one Model's runs. Runs with equal keys go on in the same ways, but for what is
    inside their windows, and for the facts that stay true.
    """

    def __init__(self, model: Model) -> None:
        self.begun = dict[tuple[str, ...], None]()
        self.counts = dict[str, None]()
        self.tallied = dict[str, int]()
        for machine in model.machines.values():
            for name, *args in (fact.test for fact in machine.facts if fact.test):
                if name == "begun":
                    self.begun[tuple(args)] = None
                if name == "tallied":
                    self.tallied[args[0]] = max(int(args[1]), self.tallied.get(args[0], 0))
                if TESTS[name].counts:
                    self.counts[TESTS[name].counts] = None

    def key(self, run: Run) -> Hashable:
        """Return everything in the run that can make a difference later."""
        number = _Numbers()
        sequences = (run.phase, run.step, *chain.from_iterable(run.suspended))
        return (
            run.state,
            (run.turns_begun, run.active, run.natural, run.reversed, run.left),
            run.turn.current,
            tuple([number.sequence(sequence) for sequence in sequences]),
            tuple([number.extra(run, extra) for extra in run.extras]),
            (run.interrupted, run.appointed, run.heard),
            (run.turns, run.controls, run.skips),
            tuple([bool(run.visits(*what)) for what in self.begun]),
            tuple([min(run.tallies.count(name), most) for name, most in self.tallied.items()]),
            tuple([getattr(run, name) for name in self.counts]),
        )


class _Numbers(dict[int, int]):
    """Numbers the phases and steps of a turn anew, in the order in which they are seen."""

    def __init__(self) -> None:
        super().__init__({0: 0})

    def __missing__(self, id: int) -> int:
        self[id] = len(self)
        return self[id]

    def sequence(self, sequence: Progress) -> Hashable:
        """Return where the phases or steps have come to."""
        current = sequence.current
        returns = [(r.state, self[r.cursor], _candidate(r.candidate)) for r in sequence.returns]
        return (
            current and (self[current.id], replace(current, id=0, iteration=0)),
            self[sequence.cursor],
            _candidate(sequence.candidate),
            tuple(returns),
        )

    def extra(self, run: Run, e: Extra) -> Hashable:
        """Return an extra phase or step that is due, and after how many more like its anchor."""
        more = e.nth - len(run.visits(e.level, e.after))
        due = self[run.due_after(e)] or (e.after, more)
        return e.level, e.what, e.only, e.order.id, due, e.before


def _candidate(candidate: Candidate) -> Hashable:
    return candidate.what, candidate.only, candidate.label, candidate.extra
