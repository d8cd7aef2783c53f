"""How orders enter agenda and calendar: words are checked against the model, anchors are resolved."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import fields, is_dataclass, replace
from functools import singledispatch
from typing import Literal, get_args

from fsm.errors import OrderError, shown
from fsm.model import By, Kind, Model, State
from fsm.model.model import per_model
from fsm.state.agenda import Agenda
from fsm.state.calendar import DelayedEntry, LastingEntry, StandingEntry
from fsm.state.entries import PendingControl, PendingExtra, PendingSkip, PendingTurn
from fsm.state.orders import (
    MOST,
    MOST_WAITING,
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
    ReverseTurnOrder,
    Signal,
    SkipPhase,
    SkipStep,
    SkipTurn,
    StandingTrigger,
    Withdraw,
    check_order,
)
from fsm.state.run import Run


def apply(order: Order, run: Run) -> None:
    """Carry out one order.

    Raises OrderError when it is none, names what the model or game does not have, or schedules too
    much. The run may have changed then: whoever calls this restores it.
    """
    check_order(order)
    _apply(order, run)
    _check_room("agenda", run.agenda.pending, order, "with {} it would hold")
    _check_room("calendar", run.calendar.pending, order, "with {} it would hold", MOST_WAITING)


def apply_all(orders: Iterable[Order], run: Run, place: str) -> None:
    """Carry out orders. An OrderError says which of those at `place` it is about, and which of its
    fields.
    """
    for number, order in enumerate(orders):
        try:
            apply(order, run)
        except OrderError as error:
            error.place = f"{place}[{number}]{_field_with(order, error.found)}"
            raise


def _field_with(order: object, found: object) -> str:
    """Return the field of an order that has this value, with a dot before it, or ""."""
    if found is None or not is_dataclass(order):
        return ""
    values = ((field.name, getattr(order, field.name)) for field in fields(order))
    return next(
        (f".{name}" for name, v in values if v == found or (isinstance(v, tuple) and found in v)),
        "",
    )


def _check_room(what: str, held: int, order: Order, would: str, most: int = MOST) -> None:
    if held > most:
        raise OrderError(
            f"the {what} holds at most {most} entries, and {would.format(shown(order))} {held}"
        )


@singledispatch
def _apply(order: Order, run: Run) -> None:
    """How each kind of order is carried out."""
    raise NotImplementedError(type(order).__name__)


@_apply.register
def _(order: AddTurn, run: Run) -> None:
    agenda, count, sides, living = (
        run.agenda,
        _count(order.count),
        _sides(run, order),
        run.agenda.from_active(),
    )
    if not sides:
        raise OrderError("AddTurn names no player: say who takes the turn")
    now = agenda.current_turn
    after = "" if now is not None and now.label == order.after else order.after
    for side in sorted(
        sides, key=lambda s: living.index(s) if s in living else len(living)
    ):  # CR 500.7
        agenda.turns = (*(PendingTurn(side, order.id, after),) * count, *agenda.turns)


@_apply.register
def _(order: SkipTurn, run: Run) -> None:
    sides = _sides(run, order) or run.agenda.living
    skips = [
        PendingSkip("turn", "turn", side, order.scope, label=order.id, extra=order.extra)
        for side in sides
    ]
    run.agenda.skips = (*run.agenda.skips, *skips * _count(order.count))


@_apply.register
def _(order: ControlNextTurn, run: Run) -> None:
    _side(run, order.by)
    _side(run, order.player)
    if order.by in run.agenda.left:
        raise OrderError(
            f"player {order.by!r} has left the game, and decides for nobody any more: leave the order out"
        )
    control = PendingControl(order.player, order.by, order.extra_turn_after, order.within, order.id)
    run.agenda.controls = (*run.agenda.controls, control)


@_apply.register
def _(order: AddPhase, run: Run) -> None:
    _has(run.model, "extra phases", "extra_due", "phase")
    families = tuple(_phase_family(run.model, phase) for phase in order.phases)
    _add(
        run,
        order,
        [PendingExtra("phase", family, label=order.id) for family in families],
        _phase_anchor(run, order),
    )


@_apply.register
def _(order: AddStep, run: Run) -> None:
    step = _step(run.model, order.step)
    if order.after == "current_phase" and not order.before:
        _has(run.model, "steps added after a phase", "only_another")
        phase = AddPhase((_home(run.model, step).family,))
        extra = replace(_phase_of_one_step(run.model, step), label=order.id)
        return _add(run, order, [extra], _phase_anchor(run, phase))
    _has(run.model, "extra steps", "extra_due", "step")
    extra = PendingExtra("step", step, label=order.id)
    if order.before:
        anchor = _known(run.model, "step", order.before)
        return _add(run, order, [extra], lambda e: replace(e, anchor=anchor, before=True))
    return _add(run, order, [extra], _step_anchor(run, order.after))


@_apply.register
def _(order: SkipPhase, run: Run) -> None:
    _skip(run, order, "phase", _phase_family(run.model, order.phase))


@_apply.register
def _(order: SkipStep, run: Run) -> None:
    _skip(run, order, "step", _step(run.model, order.step))


@_apply.register
def _(order: DelayedTrigger, run: Run) -> None:
    agenda, current = run.agenda, run.agenda.current_step
    made_in = current.name if current is not None else ""
    side = _side(run, order.player) if order.player else agenda.active
    step = _beginning(run.model, order.step)
    entry = DelayedEntry(order.id, side, step, order.on, agenda.turn, made_in, within=order.within)
    run.calendar = run.calendar.plus(entry)


@_apply.register
def _(order: StandingTrigger, run: Run) -> None:
    whose = order.whose if order.whose == "each" else _side(run, order.whose)
    entry = StandingEntry(order.id, _beginning(run.model, order.step), whose, order.first_each_turn)
    run.calendar = run.calendar.plus(entry)


@_apply.register
def _(order: Effect, run: Run) -> None:
    known = [d.name for d in run.model.durations]
    if order.until not in known:
        raise OrderError(
            f"duration {order.until!r} is not in {run.model.name}",
            kind="unknown-duration",
            found=order.until,
            known=known,
        )
    entry = LastingEntry(
        order.id, _side(run, order.player), order.until, run.agenda.turn, within=order.within
    )
    run.calendar = run.calendar.plus(entry)


@_apply.register
def _(order: ReverseTurnOrder, run: Run) -> None:
    run.agenda.reversed = not run.agenda.reversed


@_apply.register
def _(order: Withdraw, run: Run) -> None:
    if not order.id:
        raise OrderError("Withdraw needs the id of earlier orders")
    run.agenda.withdraw(order.id)
    run.calendar = run.calendar.withdraw(order.id)


@_apply.register
def _(order: Signal | EndTurn | EndPhase, run: Run) -> None:
    """It interrupts the turn after the transition of the answer's word (`fsm.engine.semantics`)."""


@_apply.register
def _(order: Leave, run: Run) -> None:
    """Only check it: `fsm.engine.semantics` lets the players leave, since the turn has transitions
    for that.
    """
    agenda, model = run.agenda, run.model
    if not model.leaving:
        raise OrderError(f"{model.name} has no event for players who leave")
    if not order.players or len(set(order.players)) != len(order.players):
        raise OrderError(f"one or more different players leave, not {shown(order.players)}")
    for player in order.players:
        _side(run, player)
        if player in agenda.left:
            raise OrderError(f"player {player!r} has left the game already")


@_apply.register
def _(order: Appoint, run: Run) -> None:
    agenda, side, role = run.agenda, _side(run, order.player), order.role
    homes = roles_by_phase(run.model)
    phase = agenda.current_phase
    known = (
        homes.get(phase.name, frozenset()) if phase is not None and phase.under_way else frozenset()
    )
    if not known:
        others = f"; phases in which somebody has one: {', '.join(sorted(homes))}" if homes else ""
        raise OrderError(f"nobody is appointed here, since no role matters in this phase{others}")
    if role not in known:
        raise OrderError(
            f"no action of this phase is done by {role!r}",
            kind="unknown-role",
            found=role,
            known=known,
        )
    if side not in agenda.living or order.player in agenda.left:
        raise OrderError(f"player {order.player!r} has left the game, and can have no role")
    if role == DEFENDING and side == agenda.active:
        raise OrderError(
            f"player {order.player!r} is active and cannot be the defending player; appoint an opponent"
        )
    agenda.appoint(role, side)


# the parts of it ----------------------------------------------------------------------------------


def _skip(
    run: Run, order: SkipPhase | SkipStep, level: Literal["phase", "step"], what: str
) -> None:
    agenda = run.agenda
    _has(run.model, f"skipped {level}s", "skip_due", level)
    sides = _sides(run, order) or agenda.living
    if order.scope == "this_turn" and agenda.current_turn is None:
        return  # before the first turn, none is this turn
    turn = agenda.turn if order.scope == "this_turn" else 0
    agenda.skips = (
        *agenda.skips,
        *(PendingSkip(level, what, s, order.scope, turn, order.within, order.id) for s in sides),
    )


_Anchor = Callable[[PendingExtra], PendingExtra]


def _add(
    run: Run, order: AddPhase | AddStep, block: list[PendingExtra], anchor: _Anchor | None
) -> None:
    """Add a block before what was added earlier (CR 500.8, 500.9), unless another player would
    "get" it (CR 500.10a).

    If `anchor` is None, the block would come after something past, and is lost.
    """
    count = _count(order.count)
    side = _side(run, order.player) if order.player or order.you_get else ""
    if order.you_get:
        _has(run.model, "rule for what “you get”", "only_another")
    if anchor is None or (order.you_get and side != run.agenda.active):
        return
    _check_room("agenda", count * len(block), order, "{} has")  # before they are made
    run.agenda.extras = (
        *(anchor(extra) for _ in range(count) for extra in block),
        *run.agenda.extras,
    )


def _phase_anchor(run: Run, order: AddPhase) -> _Anchor | None:
    agenda = run.agenda
    nth = _count(order.nth)
    if not order.after:
        return _after_current(agenda, "phase")
    label = _known(run.model, "phase", order.after)
    found = [o for o in agenda.begun if o.level == "phase" and label in (o.name, o.family)]
    if len(found) < nth:
        return lambda extra: replace(extra, anchor=label, nth=nth)
    meant = found[nth - 1]
    return (lambda extra: replace(extra, after=meant.id)) if agenda.is_under_way(meant) else None


def _step_anchor(run: Run, after: str) -> _Anchor | None:
    agenda, current = run.agenda, run.agenda.current_step
    if after in ("", "current_step"):
        return _after_current(agenda, "step")
    name = _known(run.model, "step", after)
    if current is not None and current.under_way and current.name == name:
        return _after_current(agenda, "step")
    return lambda extra: replace(extra, anchor=name)


def _after_current(agenda: Agenda, level: str) -> _Anchor | None:
    current = agenda.current_phase if level == "phase" else agenda.current_step
    if current is None or not current.under_way:
        return None
    return lambda extra: replace(extra, after=current.id)


def _phase_of_one_step(model: Model, step: str) -> PendingExtra:
    """A step added after a phase: a phase in which it is the only step (CR 500.10)."""
    home = _home(model, step)
    alone = sum(s.kind == "step" for s in model.children(home.id)) == 1
    return PendingExtra("phase", home.family, "" if alone else step)


def _home(model: Model, step: str) -> State:
    """The phase of a step. A family of steps may stand in several."""
    for state in model.of_kind("step"):
        if state.name == step:
            return model.state(state.parent)
    raise OrderError(
        f"{step!r} is a family of steps in {model.name}: name one step, to be added after a phase"
    )


def _has(model: Model, what: str, *test: str) -> None:
    """Raise OrderError unless the model asks the agenda for such things at all."""
    if not any(known[: len(test)] == test for known in _tests(model)):
        raise OrderError(f"{model.name} knows no {what}")


def _side(run: Run, player: str) -> str:
    known = run.agenda.players
    if player not in known:
        raise OrderError(
            f"player {player!r} is not in this game",
            kind="unknown-player",
            found=player,
            known=known,
        )
    return run.agenda.side(player)


def _sides(run: Run, order: AddTurn | SkipTurn | SkipPhase | SkipStep) -> tuple[str, ...]:
    """The sides of the players whom an order names, each once (CR 805.8)."""
    if order.player and order.players:
        raise OrderError(f"{type(order).__name__} has both a player and players: one is right")
    names = order.players or ((order.player,) if order.player else ())
    return tuple(dict.fromkeys(_side(run, name) for name in names))


def _count(number: int) -> int:
    if not 1 <= number <= MOST:
        raise OrderError(f"a count must be from 1 to {MOST}, not {shown(number)}")
    return number


def _step(model: Model, name: str) -> str:
    return _known(model, "step", name)


def _beginning(model: Model, name: str) -> str:
    """Check what a trigger waits for: a step, or a phase as its first step begins."""
    return name if name in _labels(model, "phase") else _step(model, name)


def _phase_family(model: Model, label: str) -> str:
    known = _families(model)
    if label not in known:
        raise OrderError(
            f"phase {label!r} is not in {model.name}",
            kind="unknown-phase",
            found=label,
            known=known,
        )
    return known[label]


def _known(model: Model, kind: Kind, label: str) -> str:
    known = _labels(model, kind)
    if label not in known:
        raise OrderError(
            f"{kind} {label!r} is not in {model.name}",
            kind=f"unknown-{kind}",
            found=label,
            known=known,
        )
    return label


@per_model
def _tests(model: Model) -> frozenset[tuple[str, ...]]:
    return frozenset(fact.test for fact in model.facts)


@per_model
def _families(model: Model) -> dict[str, str]:
    """The family of each phase, by each of its names."""
    return {word: s.family for s in model.of_kind("phase") for word in (s.name, s.family)}


DEFENDING = "defending"
_NO_ROLES = frozenset(get_args(By)) - {DEFENDING, "active_and_defending"}


@per_model
def roles_by_phase(model: Model) -> Mapping[str, frozenset[str]]:
    """The roles in which somebody can be appointed, by the name of the phase, also those of a phase
    inside it.
    """
    found: dict[str, set[str]] = {}
    for state in model.leaves:
        role = DEFENDING if state.by == "active_and_defending" else state.by
        for home in model.path(state.id) if role not in _NO_ROLES else ():
            if home.kind == "phase":
                found.setdefault(home.name, set()).add(role)
    return {phase: frozenset(roles) for phase, roles in found.items()}


@per_model
def _labels(model: Model, kind: Kind) -> frozenset[str]:
    return frozenset(word for s in model.of_kind(kind) for word in (s.name, s.family))
