"""The tests: what a guard may ask of a run. A test changes nothing."""

from __future__ import annotations

from fsm.state.primitives.openings import (
    HERE,
    Extra,
    Leaving,
    LoneStep,
    OtherTurn,
    Skip,
)
from fsm.state.primitives.registry import test
from fsm.state.run import Run


def _read_for_skips(level: str, family: str) -> str:
    if level == "turn":
        return "skips turn players teams candidate_turn candidate_turn_extra"
    return f"skips turn players teams active candidate_{level} current_turn current_phase current_step suspended"


def _read_for_extras(level: str) -> str:
    return "turns" if level == "turn" else f"extras cursor_{level}"


# tests of the agenda ------------------------------------------------------------------------------


@test("any level, family", reads=_read_for_skips, scheduled=True, opened_by=Skip)
def skip_due(run: Run, level: str, family: str) -> bool:
    """Is the coming turn, phase or step of this family to be skipped?"""
    return run.agenda.skip_due(level, family) is not None


@test(
    "any level",
    reads=_read_for_extras,
    scheduled=True,
    false_at_start=("phase", "step"),
    opened_by=Extra,
)
def extra_due(run: Run, level: str) -> bool:
    """Is an extra turn, phase or step due directly after the one just left?"""
    due = run.agenda.turn_due() if level == "turn" else run.agenda.extra_due(level)
    return due is not None


@test("step", reads="extras", scheduled=True, opened_by=lambda step: Extra("step", before=step))
def extra_before(run: Run, step: str) -> bool:
    """Is an extra step due directly before this step?"""
    return run.agenda.extra_before(step) is not None


@test("level, family", reads="candidate_LEVEL", false_at_start=True, opened_by=Extra)
def candidate_is(run: Run, level: str, family: str) -> bool:
    """Is the extra phase or step about to begin of this family?"""
    return bool(getattr(run.agenda, f"candidate_{level}").what == family)


@test(
    "level",
    reads="returns_LEVEL",
    scheduled=True,
    false_at_start=True,
    opened_by=lambda level: Extra(level, HERE),
)
def inside_extra(run: Run, level: str) -> bool:
    """Was the ordinary sequence of this level interrupted, so that it must be resumed?"""
    return bool(getattr(run.agenda, f"returns_{level}"))


@test(
    reads="returns_phase returns_step",
    scheduled=True,
    false_at_start=True,
    opened_by=Extra("", HERE),
)
def inside_any_extra(run: Run) -> bool:
    """Is the coming step extra, or the phase that it is in?"""
    return bool(run.agenda.returns_phase or run.agenda.returns_step)


@test(
    "level, state",
    reads="returns_LEVEL",
    scheduled=True,
    false_at_start=True,
    opened_by=lambda level, state: Extra(level, at=state),
)
def returns_to(run: Run, level: str, state: str) -> bool:
    """Does the interrupted sequence of this level go on at this state?"""
    stack = getattr(run.agenda, f"returns_{level}")
    return bool(stack and stack[-1].state == state)


@test(
    "step",
    reads="current_phase candidate_step",
    scheduled=True,
    false_at_start=True,
    opened_by=LoneStep,
)
def only_another(run: Run, step: str) -> bool:
    """Does the current phase hold only one step, and not this one (nor is this one the extra step)?"""
    phase = run.agenda.current_phase
    return (
        phase is not None
        and phase.only not in ("", step)
        and run.agenda.candidate_step.what != step
    )


@test("family", reads="current_phase", false_at_start=True)
def phase_under_way(run: Run, family: str) -> bool:
    """Is the game in a phase of this family, begun and not yet ended?"""
    phase = run.agenda.current_phase
    return phase is not None and phase.under_way and phase.family == family


@test(
    "level, family",
    reads="begun",
    false_at_start=True,
    opened_by=lambda level, family: Extra(level, family, earlier=True),
)
def begun(run: Run, level: str, family: str) -> bool:
    """Has a phase or step of this name or family begun this turn?"""
    return run.agenda.count(level, family) > 0


@test("name", reads="missed", false_at_start=True)
def missed(run: Run, name: str) -> bool:
    """Has a step of this name been left out this turn, by the action `miss`?"""
    return name in run.agenda.missed


@test(reads="candidate_turn players teams left", scheduled=True, opened_by=Leaving())
def candidate_left(run: Run) -> bool:
    """Has everybody whose turn comes next left the game?"""
    return run.agenda.candidate_turn not in run.agenda.living


@test(reads="active players teams left", opened_by=Leaving())
def active_left(run: Run) -> bool:
    """Has everybody whose turn it is left the game?"""
    return bool(run.agenda.active) and run.agenda.active not in run.agenda.living


@test("tally, number", reads="tallies", false_at_start=True)
def tallied(run: Run, name: str, number: str) -> bool:
    """Has the action `tally` counted this at least this often in this turn?"""
    return run.agenda.tallies.get(name, 0) >= int(number)


# tests of the controller --------------------------------------------------------------------------


@test("number", reads="active players teams turns_taken", counts="turns_taken")
def starters_turn_is(run: Run, number: str) -> bool:
    """Is this the turn with this number of those that the side which plays first has taken?"""
    agenda = run.agenda
    return starter_active(run) and agenda.turns_of(agenda.active) == int(number)


@test(
    "number",
    reads="current_turn own_turns active players teams",
    counts="own_turns",
    opened_by=OtherTurn(),
)
def own_turn_is(run: Run, number: str) -> bool:
    """Is this the turn with this number that its side has taken, extra ones not counted?"""
    agenda, turn = run.agenda, run.agenda.current_turn
    return turn is not None and not turn.extra and agenda.own_turns_of(agenda.active) == int(number)


@test(reads="active players teams", opened_by=Leaving())
def starter_active(run: Run) -> bool:
    """Is it the turn of the side that plays first?"""
    return run.agenda.active == run.agenda.side(run.agenda.players[0])


@test("among", reads="active players teams left", opened_by=Leaving())
def active_sits_last(run: Run, among: str) -> bool:
    """Is the active side the last in the order of seats, of those living, or of all seated?"""
    sides = [
        side[0] for side in run.agenda.sides if among == "seated" or side[0] in run.agenda.living
    ]
    return sides[-1:] == [run.agenda.active]


@test(reads="players teams")
def shared_turns(run: Run) -> bool:
    """Do several players share a turn, as a team?"""
    return any(len(team) > 1 for team in run.agenda.teams)


@test("setting", reads="settings")
def setting(run: Run, name: str) -> bool:
    """Was this setting of the game switched on when it started?"""
    return run.settings.get(name, False)


@test("number", reads="players teams left", opened_by=Leaving())
def more_sides_than(run: Run, number: str) -> bool:
    """Are more than this many sides (players, or teams) still in the game?"""
    return len(run.agenda.living) > int(number)


@test("kind", reads="state")
def window_opens(run: Run, kind: str) -> bool:
    """Is the window of the current stage of this kind (natural, conditional)?"""
    return run.model.state(run.state).opens == kind


@test(reads="passed players teams left")
def everyone_passed(run: Run) -> bool:
    """Have all sides still in the game passed in succession?"""
    living, passed = run.agenda.living, run.passed
    return len(passed) >= len(living) and all(side in passed for side in living)


@test(reads="holder players teams left", opened_by=Leaving())
def holder_left(run: Run) -> bool:
    """Has the side that has priority left the game?"""
    return run.holder not in run.agenda.living
