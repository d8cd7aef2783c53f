"""How orders enter a run: names are checked against model and game, anchors are resolved."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import singledispatchmethod
from typing import Any, TypeAlias

from msgspec.structs import replace

from fsm.errors import OrderError, shown
from fsm.model import Duration, Model
from fsm.state.actions import step_words
from fsm.state.calendar import EVERYBODY, Calendar, Listener
from fsm.state.orders import (
    MOST,
    WITHDRAWN,
    AddPhase,
    AddStep,
    AddTurn,
    Appoint,
    ControlNextTurn,
    DelayedTrigger,
    Effect,
    Interruption,
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
    next_one,
)
from fsm.state.run import (
    EXTRA_TURN,
    NOBODY,
    NOTHING,
    Control,
    Entry,
    Extra,
    ExtraTurn,
    Occurrence,
    Parts,
    Run,
    Skip,
)
from fsm.wording import blanks

MOST_WAITING = 10_000
"""How many effects and triggers a calendar holds at most, and an answer orders."""
DEFENDING, ACTIVE = "defending", "active"

END_OF_PHASE = "end_of_phase"
"""The duration that ends with the phase under way: "end_of_combat" in a combat phase."""


class Names:
    """The names of a Model that orders may say."""

    def __init__(self, model: Model) -> None:
        self.model = model
        self.durations: dict[str, Duration] = {one.name: one for one in model.durations}
        self.tests: set[tuple[str, ...]] = set()
        for fact in model.facts:
            self.tests |= {fact.test[:1], fact.test[:2], fact.test}
        self.families: dict[str, str] = {}
        for phase in model.of_kind("phase"):
            self.families |= {phase.name: phase.family, phase.family: phase.family}
        self.steps: frozenset[str] = step_words(model)
        self.token: bool = any("same_player" in row.actions for row in model.transitions)
        self.roles: set[str] = {role.name for role in model.roles}
        self.defended: set[str] = set()
        """The phases in which somebody defends."""
        for state in model.leaves:
            if state.by in (DEFENDING, "active_and_defending"):
                self.defended.update(one.name for one in model.path(state.id))
                self.roles.add(DEFENDING)
        if self.token:
            self.roles.add(ACTIVE)

    def step(self, name: str) -> str:
        """Return the name of a step, or of a family of steps."""
        return OrderError.known_name("step", name, self.steps, self.model.name)

    def phase(self, name: str, test: str) -> str:
        """Return the name of a phase if the model has a test of it, else that of its family."""
        family = self.families[OrderError.known_name("phase", name, self.families, self.model.name)]
        return name if (test, "phase", name) in self.tests else family

    def beginning(self, name: str) -> str:
        """Return what a trigger waits for: a step, or a phase as its first step begins."""
        return name if name in self.families else self.step(name)

    def needs(self, what: str, *test: str) -> None:
        """Raise OrderError unless the model asks for such things at all."""
        if test not in self.tests:
            raise OrderError(f"{self.model.name} knows no {what}")


Anchor: TypeAlias = Mapping[str, Any] | str
"""The fields of an `Extra` that say what it comes after, or before; or why it can come nowhere."""
Made: TypeAlias = Sequence[Entry | Listener] | str
"""What an order schedules, or why it does nothing. Nothing is scheduled by what is done at once."""


class Scheduler:
    """Carries out the orders of one answer in a run and its calendar.

    Parameters
    ----------
    names, players
        The names of the game's Model, and its players.
    run
        The run, which it changes.
    calendar
        The calendar. `calendar` is the one with the orders.
    """

    def __init__(self, names: Names, run: Run, calendar: Calendar, players: Sequence[str]) -> None:
        self.model = names.model
        self.names = names
        self.run = run
        self.calendar = calendar
        self.players = players
        self._gone = set(run.left)

    def give(self, orders: Sequence[Order], place: str = "answer.orders") -> None:
        """Carry out orders, and note what became of them. What interrupts the turn is only checked.

        Raises OrderError that says which of those at `place` it is about, and which field of it.
        The run is half-way then.
        """
        for number, order in enumerate(orders):
            try:
                made = self.order(checked(order))
                if made and not isinstance(made, str):
                    self._schedule(order, made)
            except OrderError as error:
                error.place = f"{place}[{number}]{_field_with(order, error.found)}"
                raise
            if not isinstance(order, Interruption):
                self.run.results += (_result(order, made),)

    def _schedule(self, order: Order, made: Sequence[Any]) -> None:
        """Enter what an order schedules: entries of one kind, of which the first comes first.

        Added turns, phases and steps come before what was added earlier (CR 500.7, 500.8, 500.9).
        """
        run = self.run
        entries = tuple(made)
        if run.pending + len(entries) > MOST or len(self.calendar) >= MOST_WAITING:
            raise OrderError(
                f"a game holds at most {MOST} added and skipped turns, phases and steps, and at "
                f"most {MOST_WAITING} effects and triggers; {shown(order)} is too much"
            )
        if len(entries) > 1 and entries[0].waits:
            run.parts = (*run.parts, Parts(order, len(entries)))
        match entries[0]:
            case ExtraTurn():
                run.turns = entries + run.turns
            case Extra():
                run.extras = entries + run.extras
            case Skip():
                run.skips += entries
            case Control():
                run.controls += entries
            case entry:
                self.calendar += (entry,)

    # each kind of order --------------------------------------------------------------------------

    @singledispatchmethod
    def order(self, order: Order) -> Made:
        """Carry out one order, but for what it schedules."""
        raise NotImplementedError(type(order).__name__)

    @order.register
    def _add_turn(self, order: AddTurn) -> Made:
        current = self.run.turn.current
        self.names.needs("extra turns", "extra_due", "turn")
        living = self.run.around(self.run.active)
        sides = self._sides(order)
        if not sides:
            raise OrderError("AddTurn names no player: say who takes the turn")
        label = order.after
        waits = f"for the turn with the id {label!r}"
        if not label or (current is not None and current.label == label):
            label = ""
            waits = "for the end of this turn"
        in_order = dict.fromkeys([side for side in (*living, *sides) if side in sides])
        turns = list[Entry]()
        for side in reversed(in_order):  # CR 500.7: those of the last one come first
            turns += [ExtraTurn(side, label, waits, order=order)] * order.count
        return turns

    @order.register
    def _skip_turn(self, order: SkipTurn) -> Made:
        what = EXTRA_TURN if order.extra else "turn"
        return self._skips(order, "turn", what, what) * order.count

    @order.register
    def _control_next_turn(self, order: ControlNextTurn) -> Made:
        waits = next_one("turn", order.player, order.within)
        return [Control(self._seat(order.player), self._present(order.by), order, waits)]

    @order.register
    def _skip_phase(self, order: SkipPhase) -> Made:
        return self._skips(order, "phase", order.phase, self.names.phase(order.phase, "skip_due"))

    @order.register
    def _skip_step(self, order: SkipStep) -> Made:
        return self._skips(order, "step", order.step, self.names.step(order.step))

    @order.register
    def _add_phase(self, order: AddPhase) -> Made:
        self.names.needs("extra phases", "extra_due", "phase")
        block = [
            Extra("phase", self.names.phase(name, "candidate_is"), order) for name in order.phases
        ]
        return self._extras(order, block, self._phase_anchor(order.after, order.nth))

    @order.register
    def _add_step(self, order: AddStep) -> Made:
        step = self.names.step(order.step)
        if order.after == "current_phase" and not order.before:
            self.names.needs("steps added after a phase", "only_another")
            return self._extras(order, [self._phase_of_one_step(order)], self._phase_anchor("", 1))
        self.names.needs("extra steps", "extra_due", "step")
        return self._extras(order, [Extra("step", step, order)], self._step_anchor(order))

    @order.register
    def _delayed_trigger(self, order: DelayedTrigger) -> Made:
        side = self._side(order.player) if order.player else self.run.active
        yours = order.on.startswith("your")
        next_turn = order.on.endswith("turn")
        waits = next_one(order.step, order.player if yours else "", order.within)
        beginning = "trigger", self.names.beginning(order.step), side if yours else EVERYBODY
        return [Listener(order, *beginning, next_turn=next_turn, waits=waits)]

    @order.register
    def _standing_trigger(self, order: StandingTrigger) -> Made:
        side = EVERYBODY if order.whose == "each" else self._side(order.whose)
        return [Listener(order, "trigger", self.names.beginning(order.step), side)]

    @order.register
    def _effect(self, order: Effect) -> Made:
        side = self._side(order.player)
        durations = self.names.durations
        name, phase = order.until, self.run.phase.under_way
        if name == END_OF_PHASE and name not in durations and phase is not None:
            name = f"end_of_{phase.name}"
        until = durations[OrderError.known_name("duration", name, durations, self.model.name)]
        next_turn = until.turn == "next"
        whose = side if next_turn or until.whose == "yours" else EVERYBODY
        return [Listener(order, until.moment, until.what, whose, next_turn)]

    @order.register
    def _reverse_turn_order(self, order: ReverseTurnOrder) -> Made:
        self.run.reversed = not self.run.reversed
        return ()

    @order.register
    def _withdraw(self, order: Withdraw) -> Made:
        run = self.run
        id = order.id
        if not id:
            raise OrderError("Withdraw needs the id of earlier orders")
        before = run.pending + len(self.calendar)
        for entry in self.calendar:
            if entry.order.id == id and entry.waits:
                run.tell(Result(entry.order, "nothing", WITHDRAWN))
        self.calendar = tuple(entry for entry in self.calendar if entry.order.id != id)
        fields = "turns", "controls", "skips", "extras"
        run.lose(lambda e: WITHDRAWN if getattr(e.order, "id", "") == id else "", *fields)
        skips = self._skips_of_what_waits(id)
        if not skips and before == run.pending + len(self.calendar):
            return f"nothing stands or waits under {id!r}"
        return skips

    @order.register
    def _leave(self, order: Leave) -> Made:
        """Only check it: the turn has transitions for that (`fsm.engine.semantics`)."""
        if not self.model.leaving:
            raise OrderError(f"{self.model.name} has no event for players who leave")
        if not order.players:
            raise OrderError("Leave names no player: say who leaves")
        for player in order.players:
            self._gone.add(self._present(player))
        return ()

    @order.register
    def _interruption(self, order: Interruption) -> Made:
        """Only check it: it interrupts the turn after the transition of the answer's word."""
        event = order.event
        known = {*self.model.signals} - {self.model.leaving}
        if event not in known:
            cut = "" if isinstance(order, Signal) else f"write Table(..., cut=Cut({event!r}))"
            text = f"event {event!r} is not in {self.model.name}"
            raise OrderError(text, kind="unknown-event", found=event, known=known, remedy=cut)
        return ()

    @order.register
    def _appoint(self, order: Appoint) -> Made:
        run = self.run
        seat = self._present(order.player)
        OrderError.known_name("role", order.role, self.names.roles, self.model.name)
        if order.role == ACTIVE:
            run.active = run.side_of(seat)
            run.decider = seat
            return ()
        if order.role == DEFENDING:
            if (run.phase.under_way or NOTHING).name not in self.names.defended:
                raise OrderError("nobody defends now; appoint in the phase of the attack")
            if run.side_of(seat) in run.allies(run.active):
                text = f"player {order.player!r} is active and cannot be the defending player"
                raise OrderError(f"{text}; appoint an opponent")
        run.appointed = tuple({**dict(run.appointed), order.role: seat}.items())
        return ()

    # skips ---------------------------------------------------------------------------------------

    def _skips(
        self, order: SkipTurn | SkipPhase | SkipStep, level: str, said: str, what: str
    ) -> list[Skip] | str:
        """Return the skips of each side whom the order names, or of everyone."""
        self.names.needs(f"skipped {level}s", "skip_due", level)
        bound = order.scope == "this_turn"
        if bound and self.run.turn.current is None:
            return "no turn is under way"
        sides = self._sides(order)
        if not sides:
            everybody = enumerate(self.run.sides)
            sides = tuple(side for side, seats in everybody if not self._gone.issuperset(seats))
        waits = "" if order.scope == "each" else next_one(said, order.player, order.within)
        return [Skip(level, what, side, order, waits, bound) for side in sides]

    def _skips_of_what_waits(self, id: str) -> list[Skip]:
        """Return skips of what was about to begin when something else came before it."""
        run = self.run
        order = SkipPhase("", within=id)
        skips = list[Skip]()
        for level in ("phase", "step"):
            for there in getattr(run, level).returns:
                if there.candidate.label == id:
                    what = there.candidate.what
                    skips.append(Skip(level, what, run.active, order, bound=True))
        return skips

    # extras --------------------------------------------------------------------------------------

    def _extras(self, order: AddPhase | AddStep, block: list[Extra], anchor: Anchor) -> Made:
        """Return what comes of a block of extras, with its anchor.

        Nothing is added if it would come after the past, or if another player would "get" it (CR
        500.10a).
        """
        side = self._side(order.player) if order.player else NOBODY
        if order.you_get:
            self.names.needs("rule for what “you get”", "only_another")
            if side != self.run.active:
                return f"it is not the turn of {order.player}, who would get it"
        if isinstance(anchor, str):
            return anchor
        return [replace(extra, **anchor) for extra in block] * order.count

    def _phase_anchor(self, after: str, nth: int) -> Anchor:
        run = self.run
        if not after:
            return self._after("phase", run.phase.under_way)
        self.names.phase(after, "")  # raises if there is none
        visits = run.visits("phase", after)
        if len(visits) < nth:
            waits = f"for {blanks(after)} {nth}" if nth > 1 else _in_this_turn(after)
            return {"after": after, "nth": nth, "waits": waits}
        if visits[nth - 1] in run.under_way:
            return self._after("phase", visits[nth - 1])
        return f"{blanks(after)} {nth} of this turn is over"

    def _step_anchor(self, order: AddStep) -> Anchor:
        if order.before:
            name = self.names.step(order.before)
            return {"before": name, "waits": _in_this_turn(name)}
        here = self.run.step.under_way
        if order.after in ("", "current_step") or (here is not None and here.name == order.after):
            return self._after("step", here)
        name = self.names.step(order.after)
        nth = 1 + len(self.run.visits("step", name))
        return {"after": name, "nth": nth, "waits": _in_this_turn(name)}

    def _after(self, level: str, here: Occurrence | None) -> Anchor:
        """Return the anchor of what comes after this phase or step."""
        if here is None:
            return f"no {level} is under way that it could come after"
        earlier = [o for o in self.run.visits(level, here.name) if o.id <= here.id]
        return {"after": here.name, "nth": len(earlier), "waits": f"for the end of this {level}"}

    def _phase_of_one_step(self, order: AddStep) -> Extra:
        """Return a phase in which the step is the only one (CR 500.10)."""
        homes = [s.parent for s in self.model.of_kind("step") if s.name == order.step]
        if not homes:
            text = f"{order.step!r} is a family of steps in {self.model.name}: name one step"
            raise OrderError(f"{text}, to be added after a phase")
        return Extra("phase", self.model.state(homes[0]).family, order, only=order.step)

    # players -------------------------------------------------------------------------------------

    def _seat(self, player: str) -> int:
        return self.players.index(
            OrderError.known_name("player", player, self.players, "this game")
        )

    def _present(self, player: str) -> int:
        """Return the seat of a player who must still be in the game."""
        seat = self._seat(player)
        if seat in self._gone:
            raise OrderError(f"player {player!r} has left the game already")
        return seat

    def _side(self, player: str) -> int:
        return self.run.side_of(self._seat(player))

    def _sides(self, order: AddTurn | SkipTurn | SkipPhase | SkipStep) -> tuple[int, ...]:
        """Return the sides of the players whom an order names, each once (CR 805.8)."""
        named = (order.player, *order.players)
        return tuple(dict.fromkeys(self._side(name) for name in named if name))


def _result(order: Order, made: Made) -> Result:
    """Return what has become of an order."""
    if isinstance(made, str):
        return Result(order, "nothing", made)
    waits = made[0].waits if made else ""
    return Result(order, "waiting" if waits else "done", waits)


def _in_this_turn(name: str) -> str:
    return f"{next_one(name)} in this turn"


def _field_with(order: Order, found: object) -> str:
    """Return the field of an order that has this value, with a dot before it, or ""."""
    for name in order.__struct_fields__ if found is not None else ():
        held = getattr(order, name)
        if held == found or (isinstance(held, tuple) and found in held):
            return f".{name}"
    return ""
