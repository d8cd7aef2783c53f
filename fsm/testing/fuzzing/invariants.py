"""The invariants that hold at every wait point of any game. Each is a function that returns what is
wrong, or None.

They use only the Model and the invariant parameters of its ruleset
(`fsm.testing.fuzzing.modelparameters`).
"""

from __future__ import annotations

from collections.abc import Iterator

from fsm.engine.requests import Over, Priority
from fsm.state.agenda import Agenda
from fsm.testing.fuzzing.observedpoint import ObservedPoint, PreviousPoint
from fsm.testing.fuzzing.situations import SITUATIONS, Invariant, invariant_of

EVERYWHERE: list[Invariant] = []
"""Checked at every wait point."""
SCHEDULED: list[Invariant] = []
"""Checked where the scheduled or interrupted entries have changed. They read nothing else."""
LEAVING: list[Invariant] = []
"""Checked where the phase or step has changed."""
NEW_TURN: list[Invariant] = []
"""Checked at the first wait point of a turn."""
ALL = (SITUATIONS, EVERYWHERE, SCHEDULED, LEAVING, NEW_TURN)


@invariant_of(EVERYWHERE)
def who_left_is_not_asked(point: ObservedPoint) -> str | None:
    """Priority goes to a player, and no player who has left is asked for anything."""
    request, left = point.request, point.order.has_left
    if isinstance(request, Priority) and not request.player:
        return "priority is given to nobody"
    if not left:
        return None
    gone = left.intersection(getattr(request, "players", ()))
    return f"{', '.join(sorted(gone))} has left, and is asked" if gone else None


@invariant_of(SCHEDULED)
def agenda_is_of_this_turn(point: ObservedPoint) -> str | None:
    """What is interrupted, suspended, or anchored to an occurrence belongs to the turn under way."""
    agenda = point.agenda
    first = agenda.current_turn.id if agenda.current_turn is not None else 0
    old = [what for what, id in _anchored(agenda) if 0 < id < first]
    if old:
        return f"{old[0]} is left over from an earlier turn"
    bound = [s for s in agenda.skips if s.turn and s.turn != agenda.turn]
    return f"the skip of {bound[0].what!r} was for turn {bound[0].turn}" if bound else None


@invariant_of(LEAVING)
def mana_is_emptied(point: ObservedPoint) -> str | None:
    """The action that ends a phase or step is requested after all windows and before the next one
    begins.
    """
    for level in ("step", "phase"):
        left = point.left(level)
        if left is None or point.ended[level] or isinstance(point.request, Over):
            continue
        actions = point.parameters.ends.get((level, left.name))
        if actions:
            return f"{level} {left.name!r} was left without {' or '.join(sorted(actions))}"
    return None


@invariant_of(NEW_TURN)
def last_step_ends_the_turn(point: ObservedPoint) -> str | None:
    """The last step of the model is the last natural step of every turn, unless an effect skips it.

    If a turn is ended in an extra one of these steps (723.1d), the natural one does not come, and
    the extra one counts.
    """
    parameters, before = point.parameters, point.before
    if before.turn == 0 or point.excused or not parameters.last:
        return None
    if not parameters.stated and _jumped(point):
        return None
    steps = list(_steps(before))
    natural = [
        name for name, extra in steps if not extra or (point.signalled and name in parameters.last)
    ]
    if parameters.last.intersection(natural[-1:]):
        return None
    after = steps[-1][0] if steps else "no step"
    return (
        f"turn {before.turn} ended after {after!r}, without {' or '.join(sorted(parameters.last))}"
    )


@invariant_of(NEW_TURN)
def nothing_is_left_of_the_turn_before(point: ObservedPoint) -> str | None:
    """When a turn begins, no extras and no interrupted or suspended sequences of the previous turn
    are left.
    """
    agenda = point.agenda
    if point.before.turn == 0:
        return None
    if agenda.extras:
        return f"the extra {agenda.extras[0].level} {agenda.extras[0].what!r} is left over from the turn before"
    if agenda.suspended:
        return "a phase of the turn before is still suspended"
    first = agenda.current_turn.id if agenda.current_turn is not None else 0
    if any(occurrence.id < first for occurrence in agenda.begun):
        return "phases and steps of the turn before still count as begun"
    for level in ("phase", "step"):
        if any(place.cursor < first for place in getattr(agenda, f"returns_{level}")):
            return f"the return stack of {level}s is not empty"
    calendar = point.controller.calendar
    old = [e.id for e in calendar.lasting if e.turn not in (0, agenda.turn)]
    old += [e.id for e in calendar.delayed if e.turn not in (0, agenda.turn)]
    return f"{old[0]!r} in the calendar was bound to an earlier turn" if old else None


@invariant_of(NEW_TURN)
def turn_order_is_right(point: ObservedPoint) -> str | None:
    """Natural turns come in seat order, extra turns come first, the newest first. Skipped turns do
    not begin.
    """
    at, expected = point.request.at, point.expected
    if not point.parameters.seats or (
        expected is not None and expected == (at.active, at.extra, at.controller)
    ):
        return None
    got = f"turn {at.turn} is {at.active}'s{', extra' if at.extra else ''}, {at.controller} decides"
    if expected is None:
        return f"{got}; but nobody is left to take a turn"
    wanted = f"{expected.active}'s{', extra' if expected.extra else ''}, and {expected.controller} decides"
    return f"{got}; it should be {wanted}"


def _anchored(agenda: Agenda) -> Iterator[tuple[str, int]]:
    for extra in agenda.extras:
        yield f"the extra {extra.level} {extra.what!r}", extra.after
    for level in ("phase", "step"):
        for place in getattr(agenda, f"returns_{level}"):
            yield f"the way back to {place.state!r}", place.cursor
    for waiting in agenda.suspended:
        for occurrence in (waiting.phase, waiting.step):
            if occurrence is not None:
                yield f"{occurrence.name!r}, suspended,", occurrence.id


def _steps(before: PreviousPoint) -> Iterator[tuple[str, bool]]:
    """Yield the names of the steps that had begun at the previous point, and whether they or their
    phases are extra.
    """
    inside = False
    for occurrence in before.begun:
        if occurrence.level == "phase":
            inside = occurrence.extra
        else:
            yield occurrence.name, occurrence.extra or inside


def _jumped(point: ObservedPoint) -> bool:
    """Whether a signal, or a procedure that a signal began, ended the turn."""
    state = point.model.state(point.before.request.at.stage)
    return state.role == "procedure" or (
        point.answer is not None and point.answer.signal is not None
    )


__all__ = ["ALL", "EVERYWHERE", "LEAVING", "NEW_TURN", "SCHEDULED", "Invariant"]
