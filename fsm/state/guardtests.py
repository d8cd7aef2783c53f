"""The tests: what a guard may ask of a run. A test changes nothing.

What applies next may be returned instead of "yes", for the action that then takes it.
"""

from __future__ import annotations

from fsm.model import Model
from fsm.state.primitives import counting, test
from fsm.state.run import EXTRA_TURN, NOBODY, NOTHING, Extra, ExtraTurn, Run, Skip


def taking_part(run: Run, model: Model) -> tuple[int, ...]:
    """Return the sides of those who take part in the window under way, or act first in it."""
    by = model.state(run.state).by
    seats = run.performers(by, model.role(by))
    return tuple(dict.fromkeys(run.side_of(seat) for seat in seats))


# scheduling ---------------------------------------------------------------------------------------


@test
def skip_due(run: Run, any_level: str, family: str) -> Skip | None:
    """Is the coming turn, phase or step of this family to be skipped?"""
    names = [family]
    if any_level == "turn" and run.turn.candidate.extra:
        names.append(EXTRA_TURN)
    side = run.next_side if any_level == "turn" else run.active
    for skip in run.skips:  # the oldest one that applies (CR 614.10)
        is_it = (skip.level, skip.side) == (any_level, side) and skip.what in names
        if is_it and _holds(run, skip):
            return skip
    return None


def _holds(run: Run, skip: Skip) -> bool:
    """Does a skip hold for what comes next on its level, there where it comes?"""
    order = skip.order
    if order.scope == "all_next_turn" and not skip.bound:
        return False
    around = [occurrence.label for occurrence in run.under_way if occurrence.under_way]
    return order.within in ("", getattr(run, skip.level).candidate.label, *around)


@test
def extra_due(run: Run, any_level: str) -> ExtraTurn | Extra | None:
    """Is an extra turn, phase or step due directly after the one just left?"""
    if any_level == "turn":  # not one after a turn that is still to come (CR 500.7)
        return next((turn for turn in run.turns if not turn.after_label), None)
    cursor = getattr(run, any_level).cursor
    for extra in run.extras if cursor else ():  # the newest one (CR 500.8-9)
        if extra.level == any_level and run.due_after(extra) == cursor:
            return extra
    return None


@test
def extra_before(run: Run, step: str) -> Extra | None:
    """Is an extra step due directly before this step?"""
    return next((extra for extra in run.extras if extra.before == step), None)


@test
def candidate_is(run: Run, level: str, family: str) -> bool:
    """Is the extra phase or step about to begin of this family?"""
    return bool(getattr(run, level).candidate.what == family)


@test
def inside_extra(run: Run, level: str) -> bool:
    """Was the ordinary sequence of this level interrupted, so that it must be resumed?"""
    return bool(getattr(run, level).returns)


@test
def inside_any_extra(run: Run) -> bool:
    """Is the coming step extra, or the phase that it is in?"""
    return bool(run.phase.returns or run.step.returns)


@test
def returns_to(run: Run, level: str, state: str) -> bool:
    """Does the interrupted sequence of this level go on at this state?"""
    return [there.state for there in getattr(run, level).returns[-1:]] == [state]


@test
def only_another(run: Run, step: str) -> bool:
    """Does the current phase hold only one step, and neither is it this one nor is this extra?"""
    phase = run.phase.current
    if phase is None or phase.only in ("", step):
        return False
    return run.step.candidate.what != step


@test
def phase_under_way(run: Run, family: str) -> bool:
    """Is the game in a phase of this family, begun and not yet ended?"""
    phase = run.phase.under_way
    return phase is not None and phase.family == family


@test
def begun(run: Run, level: str, family: str) -> bool:
    """Has a phase or step of this name or family begun this turn?"""
    return bool(run.visits(level, family))


@test
def left(run: Run, side: str) -> bool:
    """Has everybody left the game of this side: the `active` one, the `holder` of priority, or the
    `next_side` to take a turn?
    """
    number = getattr(run, side)
    return number != NOBODY and not run.members(number)


@test
def tallied(run: Run, tally: str, number: str) -> bool:
    """Has the action `tally` counted this at least this often in this turn?"""
    return run.tallies.count(tally) >= int(number)


@counting("taken")
def starters_turn_is(run: Run, number: str) -> bool:
    """Is this the turn with this number of those that the side which plays first has taken?"""
    return run.active == 0 and _count(run, run.taken) == int(number)


@counting("own")
def own_turn_is(run: Run, number: str) -> bool:
    """Is this the turn with this number of those that its side has taken in turn order (extra ones
    not counted)?
    """
    extra = run.turn.current is None or run.turn.current.extra
    return not extra and _count(run, run.own) == int(number)


def _count(run: Run, turns: tuple[int, ...]) -> int:
    """Return the number of the active side, as far as turns have been counted."""
    return turns[run.active] if turns and run.active != NOBODY else 0


@counting("taken")
def turn_is(run: Run, number: str) -> bool:
    """Is this the turn with this number of all that have been taken?"""
    return sum(run.taken) == int(number)


@test
def starter_active(run: Run) -> bool:
    """Is it the turn of the side that plays first?"""
    return run.active == 0


@test
def active_sits_last(run: Run, among: str) -> bool:
    """Is the active side the last in the order of seats, among those living, or all who were
    seated?
    """
    sides = range(len(run.sides)) if among == "seated" else run.living
    return bool(sides) and sides[-1] == run.active


@test
def shared_turns(run: Run) -> bool:
    """Do several players share a turn, as a team?"""
    return any(len(side) > 1 for side in run.sides)


@test
def setting(run: Run, setting: str) -> bool:
    """Was this setting of the game switched on when it started?"""
    return setting in run.settings


@test
def more_sides_than(run: Run, number: str) -> bool:
    """Are more than this many sides (players, or teams) still in the game? Allies count as one."""
    return len(run.opposing) >= int(number) and bool(run.living)


@test
def window_opens(run: Run, kind: str, model: Model) -> bool:
    """Is the window of the current stage of this kind (natural, conditional)?"""
    return model.state(run.state).opens == kind


@test
def window_enters(run: Run, state: str, model: Model) -> bool:
    """Does the window of the current stage enter this state?"""
    return model.state(run.state).enters == state


@test
def window_waits(run: Run) -> bool:
    """Does the window of the current stage go on after a phase that ran inside it?"""
    return waits_in(run, run.state)


@test
def waits_in(run: Run, state: str) -> bool:
    """Is this the window that waits for the current phase?"""
    return [window.state for window in run.interrupted[-1:]] == [state]


@test
def phase_waits(run: Run, name: str) -> bool:
    """Does this phase wait while another one runs inside it?"""
    waiting = [phase.current or NOTHING for phase, _ in run.suspended]
    return name in [phase.name for phase in waiting]


@test
def everyone_passed(run: Run) -> bool:
    """Have all sides still in the game passed in succession?"""
    return {*run.passed, *run.out}.issuperset(run.living)


@test
def everyone_done(run: Run, model: Model) -> bool:
    """Have all who take part in this window passed?"""
    return set(run.passed).issuperset(taking_part(run, model))
