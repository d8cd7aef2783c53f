"""How orders enter a run: names are checked against model and game, anchors are resolved."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from functools import singledispatchmethod
from typing import Any, TypeAlias, TypeVar, get_args

from msgspec.structs import replace

from fsm.errors import OrderError, shown
from fsm.model import By, Model, State
from fsm.model.model import per_model
from fsm.state.calendar import EVERYBODY, Calendar, Delayed, Lasting, Standing, Waiting
from fsm.state.due import waits_for
from fsm.state.orders import (
    WITHDRAWN,
    AddPhase,
    AddStep,
    AddTurn,
    Appoint,
    ControlNextTurn,
    DelayedTrigger,
    Effect,
    EndPhase,
    EndTurn,
    Leave,
    Order,
    Result,
    ReverseTurnOrder,
    Signal,
    SkipPhase,
    SkipStep,
    SkipTurn,
    StandingTrigger,
    Withdraw,
    checked,
    with_results,
)
from fsm.state.run import Control, Entry, Extra, ExtraTurn, Level, Parts, Run, Skip
from fsm.wording import blanks

MOST = 1000
"""How many turns, phases, steps, skips and controls a run holds at most, and an answer orders.

No game needs more, and a mistake in a host must not fill the memory.
"""
MOST_WAITING = 100_000
"""How many effects and triggers a calendar holds at most, and an answer orders."""
DEFENDING = "defending"

_E = TypeVar("_E", ExtraTurn, Control, Skip, Extra)


class Names:
    """The names of a Model that orders may say."""

    def __init__(self, model: Model) -> None:
        self.model = model
        self.durations = {duration.name for duration in model.durations}
        self.tests = {fact.test[:1] for fact in model.facts}
        self.tests |= {fact.test[:2] for fact in model.facts}
        self.families = dict[str, str]()
        for phase in model.of_kind("phase"):
            self.families |= {phase.name: phase.family, phase.family: phase.family}
        self.steps = set[str]()
        for step in model.of_kind("step"):
            self.steps |= {step.name, step.family}
        self.roles = dict[str, set[str]]()
        for state in model.leaves:
            self._note_role(state)

    def _note_role(self, state: State) -> None:
        """Note the role in which somebody can be appointed, for the phases of this state."""
        role = DEFENDING if state.by == "active_and_defending" else state.by
        if role != DEFENDING and role in get_args(By):
            return
        for home in self.model.path(state.id):
            if home.kind == "phase":
                self.roles.setdefault(home.name, set()).add(role)

    def step(self, name: str) -> str:
        """Return the name of a step, or of a family of steps."""
        return _known("step", name, self.steps, self.model.name)

    def phase(self, name: str) -> str:
        """Return the name of a phase, or of a family of phases."""
        return _known("phase", name, self.families, self.model.name)

    def beginning(self, name: str) -> str:
        """Return what a trigger waits for: a step, or a phase as its first step begins."""
        return name if name in self.families else self.step(name)

    def needs(self, what: str, *test: str) -> None:
        """Raise OrderError unless the model asks for such things at all."""
        if test not in self.tests:
            raise OrderError(f"{self.model.name} knows no {what}")


def _known(kind: str, name: str, known: Collection[str], where: str) -> str:
    """Return the name. Raise OrderError if it is not one of those known."""
    if name not in known:
        text = f"{kind} {name!r} is not in {where}"
        raise OrderError(text, kind=f"unknown-{kind}", found=name, known=known)
    return name


@per_model
def names_of(model: Model) -> Names:
    """Return the names of a Model that orders may say."""
    return Names(model)


Anchor: TypeAlias = Mapping[str, Any]
"""The fields of an `Extra` that say what it comes after, or before."""


class Scheduler:
    """Carries out the orders of one answer in a run and its calendar.

    Parameters
    ----------
    model, players
        Those of the game.
    run
        The run, which it changes.
    calendar
        The calendar. `calendar` is the one with the orders.
    """

    def __init__(self, model: Model, run: Run, calendar: Calendar, players: Sequence[str]) -> None:
        self.model, self.names = model, names_of(model)
        self.run, self.players = run, players
        self._calendar, self._new = calendar, list[Waiting]()
        self._gone = set(run.left)
        self._parts, self._why_nothing = list[Entry](), ""

    @property
    def calendar(self) -> Calendar:
        """The calendar with what was ordered."""
        if self._new:
            self._calendar, self._new = self._calendar.plus(self._new), []
        return self._calendar

    def give(self, orders: Sequence[Order], place: str = "answer.orders") -> None:
        """Carry out orders, and note what became of them.

        Raises OrderError that says which of those at `place` it is about, and which field of it.
        The run is half-way then.
        """
        own, earlier = list[Result](), self._noted()
        for number, order in enumerate(orders, 1):
            try:
                own.append(self._result_of(checked(order)))
            except OrderError as error:
                error.place = f"{place}[{number - 1}]{_field_with(order, error.found)}"
                raise
            noted = self._noted()
            if noted:  # it has withdrawn others
                results = with_results((*own, *earlier), noted)
                own, earlier = [*results[:number]], results[number:]
        self.run.results = (*own, *earlier)

    def _noted(self) -> tuple[Result, ...]:
        """Take the results out of the run."""
        noted, self.run.results = self.run.results, ()
        return noted

    def _result_of(self, order: Order) -> Result:
        """Carry out an order. Return what has become of it."""
        run, self._parts, self._why_nothing = self.run, [], ""
        self.order(order)
        if run.pending > MOST or len(self._calendar) + len(self._new) > MOST_WAITING:
            raise _too_much(order)
        if len(self._parts) > 1:
            run.parts = (*run.parts, Parts(order, len(self._parts)))
        if self._parts:
            return Result(order, "waiting", waits_for(self._parts[0], run, self.players))
        if isinstance(order, DelayedTrigger):
            return Result(order, "waiting", f"for the next {blanks(order.step)}")
        return Result(order, "nothing" if self._why_nothing else "done", self._why_nothing)

    # each kind of order --------------------------------------------------------------------------

    @singledispatchmethod
    def order(self, order: Order) -> None:
        """Carry out one order."""
        raise NotImplementedError(type(order).__name__)

    @order.register
    def _(self, order: AddTurn) -> None:
        run, sides = self.run, self._sides(order)
        if not sides:
            raise OrderError("AddTurn names no player: say who takes the turn")
        in_it = run.current is not None and run.current.label == order.after
        after = "" if in_it else order.after
        living = run.from_active()
        in_order = [side for side in living if side in sides]
        gone = [side for side in sides if side not in living]
        for side in in_order + gone:  # CR 500.7: those of the last one come first
            turns = [ExtraTurn(side, order, after)] * _count(order.count)
            self._parts += turns
            run.turns = (*turns, *run.turns)

    @order.register
    def _(self, order: SkipTurn) -> None:
        self._add_skips(Skip("turn", "turn", 0, order), _count(order.count))

    @order.register
    def _(self, order: ControlNextTurn) -> None:
        control = Control(self._seat(order.player), self._seat(order.by), order)
        if control.by in self._gone:
            raise OrderError(f"player {order.by!r} has left the game, and decides for nobody")
        self._parts = [control]
        self.run.controls += (control,)

    @order.register
    def _(self, order: SkipPhase) -> None:
        self._skip(order, "phase", self.names.families[self.names.phase(order.phase)])

    @order.register
    def _(self, order: SkipStep) -> None:
        self._skip(order, "step", self.names.step(order.step))

    @order.register
    def _(self, order: AddPhase) -> None:
        self.names.needs("extra phases", "extra_due", "phase")
        families = [self.names.families[self.names.phase(name)] for name in order.phases]
        block = [Extra("phase", family, order) for family in families]
        self._add(order, block, self._phase_anchor(order.after, order.nth))

    @order.register
    def _(self, order: AddStep) -> None:
        step = self.names.step(order.step)
        if order.after == "current_phase" and not order.before:
            self.names.needs("steps added after a phase", "only_another")
            self._add(order, [self._phase_of_one_step(order)], self._phase_anchor("", 1))
            return
        self.names.needs("extra steps", "extra_due", "step")
        self._add(order, [Extra("step", step, order)], self._step_anchor(order))

    @order.register
    def _(self, order: DelayedTrigger) -> None:
        side = self._side(order.player) if order.player else self.run.active
        self._new.append(Delayed(order, side, self.names.beginning(order.step)))

    @order.register
    def _(self, order: StandingTrigger) -> None:
        side = EVERYBODY if order.whose == "each" else self._side(order.whose)
        self._new.append(Standing(order, side, self.names.beginning(order.step)))

    @order.register
    def _(self, order: Effect) -> None:
        _known("duration", order.until, self.names.durations, self.model.name)
        self._new.append(Lasting(order, self._side(order.player)))

    @order.register
    def _(self, order: ReverseTurnOrder) -> None:
        self.run.reversed = not self.run.reversed

    @order.register
    def _(self, order: Withdraw) -> None:
        if not order.id:
            raise OrderError("Withdraw needs the id of earlier orders")
        run = self.run
        before = run.pending + len(self.calendar)
        self._calendar, results = self.calendar.without(order.id)
        run.results = tuple(results)
        run.turns = self._withdrawn(run.turns, order.id)
        run.controls = self._withdrawn(run.controls, order.id)
        run.skips = self._withdrawn(run.skips, order.id)
        run.extras = self._withdrawn(run.extras, order.id)
        now = run.pending + len(self.calendar)
        if not self._skip_what_waits(order.id) and before == now:
            self._why_nothing = f"nothing stands or waits under {order.id!r}"

    @order.register
    def _(self, order: Leave) -> None:
        """Only check it: the turn has transitions for that (`fsm.engine.semantics`)."""
        if not self.model.leaving:
            raise OrderError(f"{self.model.name} has no event for players who leave")
        if not order.players or len(set(order.players)) != len(order.players):
            raise OrderError(f"one or more different players leave, not {shown(order.players)}")
        for player in order.players:
            seat = self._seat(player)
            if seat in self._gone:
                raise OrderError(f"player {player!r} has left the game already")
            self._gone.add(seat)

    @order.register
    def _(self, order: Signal | EndTurn | EndPhase) -> None:
        """Only check it: it interrupts the turn after the transition of the answer's word."""
        if order.event not in self.model.signals and not isinstance(order, Signal):
            text = f"{self.model.name} has no event {order.event!r}: leave the order out"
            raise OrderError(text, kind="unknown-event", found=order.event)
        _known("event", order.event, self.model.signals, self.model.name)
        if order.event == self.model.leaving:
            self.order(Leave(order.player))
        else:
            self._why_nothing = "nothing that it could interrupt was under way"

    @order.register
    def _(self, order: Appoint) -> None:
        run, side = self.run, self._side(order.player)
        phase = run.phase.under_way
        name = phase.name if phase is not None else ""
        roles = self.names.roles.get(name, ())
        if not roles:
            there = ", ".join(sorted(self.names.roles)) or "none"
            text = "nobody is appointed here, since no role matters in this phase"
            raise OrderError(f"{text}; phases in which somebody has one: {there}")
        _known("role", order.role, roles, f"the phase {blanks(name)}")
        if self._seat(order.player) in self._gone:
            raise OrderError(f"player {order.player!r} has left the game, and can have no role")
        if order.role == DEFENDING and side == run.active:
            text = f"player {order.player!r} is active and cannot be the defending player"
            raise OrderError(f"{text}; appoint an opponent")
        kept = [pair for pair in run.appointed if pair[0] != order.role]
        run.appointed = (*kept, (order.role, side))

    # skips ---------------------------------------------------------------------------------------

    def _skip(self, order: SkipPhase | SkipStep, level: Level, what: str) -> None:
        self.names.needs(f"skipped {level}s", "skip_due", level)
        bound = order.scope == "this_turn"
        if bound and self.run.current is None:
            self._why_nothing = "no turn is under way"
        else:
            self._add_skips(Skip(level, what, 0, order, bound))

    def _add_skips(self, skip: Skip, count: int = 1) -> None:
        """Add this skip for each side whom its order names, or for everyone."""
        told = skip.order.scope == "each"
        sides = self._sides(skip.order) or self._living()
        skips = [replace(skip, side=side, told=told) for side in sides] * count
        self.run.skips += tuple(skips)
        if not told:
            self._parts += skips

    def _withdrawn(self, entries: tuple[_E, ...], id: str) -> tuple[_E, ...]:
        """Return the entries without those of this id, of which it is noted."""
        kept = list[_E]()
        for entry in entries:
            if getattr(entry.order, "id", "") != id:
                kept.append(entry)
            elif not getattr(entry, "told", False):
                self.run.note(entry.order, WITHDRAWN)
        return tuple(kept)

    def _skip_what_waits(self, id: str) -> bool:
        """Skip what was about to begin when something else came before it. Say if there is any."""
        run, order, skips = self.run, SkipPhase("", within=id), list[Skip]()
        levels: tuple[Level, ...] = "phase", "step"
        for level in levels:
            for there in getattr(run, level).returns:
                if there.candidate.label == id:
                    what = there.candidate.what
                    skips.append(Skip(level, what, run.active, order, bound=True, told=True))
        run.skips += tuple(skips)
        return bool(skips)

    # extras --------------------------------------------------------------------------------------

    def _add(self, order: AddPhase | AddStep, block: list[Extra], anchor: Anchor | None) -> None:
        """Add a block before what was added earlier (CR 500.8, 500.9).

        Nothing is added if it would come after the past, or if another player would "get" it (CR
        500.10a).
        """
        count, side = _count(order.count), self.run.active
        if order.player or order.you_get:
            side = self._side(order.player)
        if order.you_get:
            self.names.needs("rule for what “you get”", "only_another")
        if order.you_get and side != self.run.active:
            self._why_nothing = f"it is not the turn of {order.player}, who would get it"
        elif anchor is None:
            self._why_nothing = _why_too_late(order)
        elif count * len(block) > MOST:
            raise _too_much(order)
        else:
            extras = [replace(extra, **anchor) for extra in block] * count
            self._parts += extras
            self.run.extras = (*extras, *self.run.extras)

    def _phase_anchor(self, after: str, nth: int) -> Anchor | None:
        run, here = self.run, self.run.phase.under_way
        _count(nth)
        if not after:
            return {"after": here.id} if here is not None else None
        visits = run.visits("phase", self.names.phase(after))
        if len(visits) < nth:
            return {"anchor": after, "nth": nth}
        meant = visits[nth - 1].id
        under_way = [occurrence.id for occurrence in run.under_way if occurrence.under_way]
        return {"after": meant} if meant in under_way else None

    def _step_anchor(self, order: AddStep) -> Anchor | None:
        if order.before:
            return {"anchor": self.names.step(order.before), "before": True}
        here = self.run.step.under_way
        if order.after in ("", "current_step"):
            return {"after": here.id} if here is not None else None
        name = self.names.step(order.after)
        if here is not None and here.name == name:
            return {"after": here.id}
        return {"anchor": name}

    def _phase_of_one_step(self, order: AddStep) -> Extra:
        """Return a phase in which the step is the only one (CR 500.10)."""
        homes = [s.parent for s in self.model.of_kind("step") if s.name == order.step]
        if not homes:
            raise OrderError(
                f"{order.step!r} is a family of steps in {self.model.name}: name one step, to be "
                f"added after a phase"
            )
        steps = [state for state in self.model.children(homes[0]) if state.kind == "step"]
        only = "" if len(steps) == 1 else order.step
        return Extra("phase", self.model.state(homes[0]).family, order, only)

    # players -------------------------------------------------------------------------------------

    def _seat(self, player: str) -> int:
        return self.players.index(_known("player", player, self.players, "this game"))

    def _side(self, player: str) -> int:
        return self.run.side_of(self._seat(player))

    def _sides(self, order: AddTurn | SkipTurn | SkipPhase | SkipStep) -> tuple[int, ...]:
        """Return the sides of the players whom an order names, each once (CR 805.8)."""
        if order.player and order.players:
            raise OrderError(f"{type(order).__name__} has both a player and players: one is right")
        named = order.players or ((order.player,) if order.player else ())
        return tuple(dict.fromkeys(self._side(name) for name in named))

    def _living(self) -> tuple[int, ...]:
        """Return the sides of those who are in the game when an order is carried out."""
        sides = enumerate(self.run.sides)
        return tuple(side for side, seats in sides if not self._gone.issuperset(seats))


def _count(number: int) -> int:
    """Return a number of times. Raise OrderError if it is out of bounds."""
    if not 1 <= number <= MOST:
        raise OrderError(f"a count must be from 1 to {MOST}, not {shown(number)}")
    return number


def _too_much(order: Order) -> OrderError:
    return OrderError(
        f"a game holds at most {MOST} added and skipped turns, phases and steps, and at most "
        f"{MOST_WAITING} effects and triggers; {shown(order)} is too much"
    )


def _field_with(order: Order, found: object) -> str:
    """Return the field of an order that has this value, with a dot before it, or ""."""
    if found is None:
        return ""
    for name in order.__struct_fields__:
        held = getattr(order, name)
        if held == found or (isinstance(held, tuple) and found in held):
            return f".{name}"
    return ""


def _why_too_late(order: AddPhase | AddStep) -> str:
    if isinstance(order, AddPhase) and order.after:
        return f"{blanks(order.after)} {order.nth} of this turn is over"
    is_phase = isinstance(order, AddPhase) or order.after == "current_phase"
    level = "phase" if is_phase else "step"
    return f"no {level} is under way that it could come after"
