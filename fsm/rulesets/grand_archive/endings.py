"""How a phase or turn of Grand Archive ends early (Ending Phases), and a turn player who loses
(Ending the Game).
"""

from __future__ import annotations

from collections.abc import Iterator

from fsm.model import Event, State, Transition
from fsm.rulesets.frame.parts import Then
from fsm.rulesets.frame.rows import jump, perform

EVENTS = (
    Event("attack", "the turn player declares an attack, or an attack card resolves"),
    Event("end_phase", "an effect ends the phase"),
    Event("end_turn", "an effect ends the turn"),
    Event("player_left", "somebody lost the game"),
)

PHASE_ENDS = ("end(step)", "end(phase)")
COMBAT_ENDS = (*PHASE_ENDS, "clear(combat)", "resume")
TURN_ENDS = (*PHASE_ENDS, "drop(turn)")
TO_END = ("begin_quietly(phase, end, end)", "begin_quietly(step, end, end)")
CUT = ("wake_up", "materialize", "recollection", "draw", "main")


def _banish(id: str, rule: str) -> State:
    return perform(id, "Banish the rest", rule, "banish_stack", "what is left on the Effects Stack vanishes unresolved")


ENDING_STATES = (
    *(_banish(f"{phase}_cut", "Ending Phases GR1") for phase in CUT),
    _banish("combat_cut", "Ending Phases GR1"),
    _banish("end_of_combat_cut", "Ending Phases GR1"),
    _banish("end_turn_stack", "Ending Phases GR2"),
    perform("end_turn_combat", "Combat is cleared", "Ending Phases GR2", "clear_combat", "roles and intent, silently"),
    State("lost_stack", "choice", label="Is anything pending?", parent="turn", role="procedure",
          rule="Ending the Game GR8"),
    State("lost_resolve", "action", "lost_resolve", "Pending items finish", "turn", "procedure", "Ending the Game GR8",
          "nobody gets Opportunity", asks="resolve"),
    State("lost_check", "action", "lost_check", "State-based check", "turn", "procedure", "State-based Checks GR1",
          "nobody gets Opportunity", asks="check"),
    perform("lost_combat", "Combat is cleared", "Ending the Game GR8", "clear_combat", "roles and intent, silently"),
    State("clean_up_loop", "final", label="The clean-up never ends", role="end", rule="no rule (U-24)"),
    State("game_over", "final", "", "Game over", role="end", rule="Ending the Game GR2"),
)


def endings(
    *, current: bool, silent: bool, next_acts: bool
) -> tuple[tuple[State, ...], tuple[Transition, ...]]:
    """The states and transitions of all the ways in which a phase or turn ends early.

    `silent`: a turn ended in combat has no end of combat step (U-11).
    `next_acts`: after the turn player has lost, the end phase has its windows (U-22).
    """
    last, marks = _clean_up(current)
    rows = (*_phases(), *_turn(last, marks, current=current, silent=silent), *_losing(last, marks, next_acts=next_acts))
    states = (state for state in ENDING_STATES if silent or state.id != "end_turn_combat")
    return tuple(states), rows


def cut_down(*, current: bool, silent: bool) -> tuple[Then, ...]:
    """Where the turn goes on after an end of combat step, if the turn was ended in combat (U-11).
    """
    if silent:
        return ()
    last, marks = _clean_up(current)
    do = ("resume", *TURN_ENDS, *TO_END, *marks)
    return (Then(last, "turn_ending", "Ending Phases GR2", "jump", "the turn is being ended (U-11)", do),)


def _clean_up(current: bool) -> tuple[str, tuple[str, ...]]:
    """The clean-up, with which an ended turn goes on (U-10), and what is done on the way there:
    "this turn" ends as it begins, but in 2024 within it.
    """
    return ("end_clean_up", ("mark(end_of_turn)",)) if current else ("end_remove_damage", ())


def _phases() -> Iterator[Transition]:
    """A main phase that is ended is still followed by a moved materialize phase (U-8). Ending the
    end phase is ending the turn (U-9).
    """
    rule, rest = "Ending Phases GR1", "Ending Phases GR1.1"
    for phase in CUT:
        yield jump(f"{phase}_phase", f"{phase}_cut", rule, on="end_phase", doc="an effect ends the phase",
                   says="an effect ends the phase")
        yield jump(f"{phase}_cut", f"{phase}_phase_end", rest, do=PHASE_ENDS)
    yield from _combat()
    yield jump("end_phase", "end_turn_stack", rule, on="end_phase", doc="this ends the turn (U-9)",
               says="an effect ends the phase")
    yield jump("turn", None, rule, on="end_phase", doc="it is ending already")
    yield jump("turn", None, "Attacking GR1.7.1", on="attack", doc="not in main: the attack card fizzles")


def _combat() -> Iterator[Transition]:
    rule, on = "Ending Phases GR1.2", "end_phase"
    yield jump("combat_phase", "combat_cut", rule, on=on, doc="an effect ends combat", says="an effect ends the phase")
    yield jump("combat_phase_before", "combat_cut", rule, on=on, do=["begin_quietly(phase, combat, combat)"],
               doc="combat begins, only to be ended", says="an effect ends the phase")
    yield jump("combat_cut", "end_of_combat_before", rule, do=["end(step)"],
               doc="combat always has its end of combat step")
    yield jump("end_of_combat_before", None, rule, on=on, doc="it is ending already")
    yield jump("end_of_combat_step", "end_of_combat_cut", rule, on=on, says="an effect ends the phase")
    yield jump("end_of_combat_cut", "end_of_combat_end", rule, do=["end(step)"])


def _turn(last: str, marks: tuple[str, ...], *, current: bool, silent: bool) -> Iterator[Transition]:
    rule = "Ending Phases GR2"
    yield jump("turn", "end_turn_stack", rule, on="end_turn", doc="an effect ends the turn",
               says="an effect ends the turn")
    if current:
        yield jump("before_game_over", None, rule, on="end_turn", doc="no turn has begun")
    if silent:
        yield jump("end_turn_stack", "end_turn_combat", rule, "combat_under_way", doc="combat ends silently (U-11)")
        yield jump("end_turn_combat", last, rule, do=[*COMBAT_ENDS, *TURN_ENDS, *TO_END, *marks])
    else:
        yield jump("end_turn_stack", "end_of_combat_before", rule, "combat_under_way",
                   ["end(step)", "latch(turn_ending)"], doc="combat has its end of combat step first (U-11)")
    yield jump("end_turn_stack", last, rule, "ending_under_way", marks, doc="to the final part of the end phase")
    yield jump("end_turn_stack", last, rule, do=[*TURN_ENDS, *TO_END, *marks],
               doc="to the final part of the end phase: no triggers at its beginning, no window before it")


def _losing(last: str, marks: tuple[str, ...], *, next_acts: bool) -> Iterator[Transition]:
    rule = "Ending the Game GR8"
    end, quietly = ("end_phase_before", ()) if next_acts else (last, (*TO_END, *marks))
    yield jump("turn", "game_over", "Ending the Game GR2", "not several_sides_left", on="player_left",
               doc="only one is left: the game is over", says="one side is left")
    yield jump("turn", "lost_stack", rule, "turn_player_lost, not ending_under_way", on="player_left",
               doc="the turn player has lost: the turn comes to its end", says="the turn player leaves")
    yield jump("turn", None, rule, on="player_left", doc="the others play on")
    yield jump("lost_stack", "lost_resolve", rule, "not stack_empty", doc="what is pending finishes")
    yield jump("lost_stack", "lost_combat", rule, "combat_under_way")
    yield jump("lost_stack", end, rule, do=[*TURN_ENDS, *quietly], doc="then the end phase of that turn")
    yield jump("lost_resolve", "lost_check", rule)
    yield jump("lost_check", "lost_check", "State-based Checks GR1", "sba_performed", doc="until nothing changes")
    yield jump("lost_check", "lost_stack", rule)
    yield jump("lost_combat", end, rule, do=[*COMBAT_ENDS, *TURN_ENDS, *quietly])
