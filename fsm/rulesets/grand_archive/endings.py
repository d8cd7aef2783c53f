"""How a phase or turn of Grand Archive ends early (Ending Phases), and a turn player who loses
(Ending the Game).
"""

from __future__ import annotations

from collections.abc import Iterator

from fsm.model import Event, State, Transition
from fsm.rulesets.frame.parts import Then
from fsm.rulesets.frame.rows import jump, perform
from fsm.rulesets.grand_archive.options import Options

EVENTS = (
    Event("attack", "the turn player declares an attack, or an attack card resolves"),
    Event("end_phase", "an effect ends the phase"),
    Event("end_turn", "an effect ends the turn"),
    Event("player_left", "somebody lost the game"),
)

PHASE_ENDS = ("end(step)", "end(phase)")
COMBAT_ENDS = (*PHASE_ENDS, "clear(combat)", "resume")
TO_END = ("begin_quietly(phase, end, end)", "begin_quietly(step, end, end)")
CUT = ("wake_up", "materialize", "recollection", "draw", "main")


def _banish(id: str, rule: str) -> State:
    return perform(id, "Banish the rest", rule, "banish_stack", "what is left on the Effects Stack vanishes unresolved")


ENDING_STATES = (
    *(_banish(f"{phase}_cut", "Ending Phases GR1") for phase in CUT),
    _banish("combat_cut", "Ending Phases GR1"),
    _banish("end_of_combat_cut", "Ending Phases GR1"),
    _banish("end_cut", "Ending Phases GR1"),
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


def endings(o: Options) -> tuple[tuple[State, ...], tuple[Transition, ...]]:
    """The states and transitions of all the ways in which a phase or turn ends early."""
    rows = (*_phases(o), *_turn(o), *_losing(o))
    reached = {row.target for row in rows} | ({"clean_up_loop"} if o.loops else set())
    return tuple(state for state in ENDING_STATES if state.id in reached), rows


def cut_down(o: Options) -> tuple[Then, ...]:
    """Where the turn goes on after an end of combat step, if the turn was ended in combat."""
    if o.silent_combat_teardown:
        return ()
    last, marks = _last(o)
    do = ("resume", *_turn_ends(o), *TO_END, *marks)
    return (Then(last, "turn_ending", "Ending Phases GR2", "jump", "the turn is being ended (U-11)", do),)


def main_ends(o: Options) -> tuple[str, ...]:
    """The action at which "until end of main phase" is over, if that is not simply the end of main
    (U-3).
    """
    return () if o.combat_suspends_main else ("mark(end_of_main)",)


def fresh(o: Options) -> tuple[str, ...]:
    """The action with which it is forgotten what the last clean-up changed, if anybody asks (U-14)."""
    return ("clear(clean_up)",) if o.clean_up_tells else ()


def _forced(o: Options) -> tuple[str, ...]:
    """The action with which it is noted that an effect has ended combat, if anybody asks (U-7)."""
    return ("latch(combat_cut)",) if o.forced_leaves_window_out else ()


def _turn_ends(o: Options) -> tuple[str, ...]:
    return (*PHASE_ENDS, *main_ends(o), "drop(turn)")


def _last(o: Options) -> tuple[str, tuple[str, ...]]:
    """The final part of the end phase (U-10), and what is done on the way there."""
    return _clean_up(o) if o.end_turn_target == "clean_up" else ("end_recheck", fresh(o))


def _clean_up(o: Options) -> tuple[str, tuple[str, ...]]:
    """The clean-up, and what is done on the way there: "this turn" ends as it begins, but in 2024
    within it.
    """
    return f"end_{o.clean_up_begins}", (*fresh(o), *(("mark(end_of_turn)",) if o.current else ()))


def _phases(o: Options) -> Iterator[Transition]:
    rule, rest = "Ending Phases GR1", "Ending Phases GR1.1"
    for phase in CUT:
        onward = "end_phase_before" if phase == "main" and not o.enter_extra_materialize else f"{phase}_phase_end"
        yield jump(f"{phase}_phase", f"{phase}_cut", rule, on="end_phase", doc="an effect ends the phase",
                   says="an effect ends the phase")
        yield jump(f"{phase}_cut", onward, rest, do=(*PHASE_ENDS, *(main_ends(o) if phase == "main" else ())))
    yield from _combat(o)
    if o.ending_end_phase_ends_turn:
        yield jump("end_phase", "end_turn_stack", rule, on="end_phase", doc="this ends the turn (U-9)",
                   says="an effect ends the phase")
    else:
        yield jump("end_phase", "end_cut", rule, on="end_phase", doc="an effect ends the phase",
                   says="an effect ends the phase")
        yield jump("end_cut", "end_phase_end", rest, do=(*PHASE_ENDS, *fresh(o)))
    yield jump("turn", None, rule, on="end_phase", doc="it is ending already")
    yield jump("turn", None, "Attacking GR1.7.1", on="attack", doc="not in main: the attack card fizzles")


def _combat(o: Options) -> Iterator[Transition]:
    rule, on = "Ending Phases GR1.2", "end_phase"
    clears_late = o.current and not o.clear_combat_before_window
    yield jump("combat_phase", "combat_cut", rule, on=on, doc="an effect ends combat", says="an effect ends the phase")
    yield jump("combat_phase_before", "combat_cut", rule, on=on, do=["begin_quietly(phase, combat, combat)"],
                doc="combat begins, only to be ended", says="an effect ends the phase")
    yield jump("combat_cut", "end_of_combat_before", rule, do=["end(step)", *_forced(o)],
                doc="combat always has its end of combat step")
    yield jump("end_of_combat_before", None, rule, on=on, doc="it is ending already")
    yield jump("end_of_combat_step", "end_of_combat_cut", rule, on=on, says="an effect ends the phase")
    if clears_late:
        yield jump("end_of_combat_cut", "end_of_combat_remove_roles", rule, doc="nobody stays in combat")
    else:
        yield jump("end_of_combat_cut", "end_of_combat_end", rule, do=["end(step)"])


def _turn(o: Options) -> Iterator[Transition]:
    rule, (last, marks) = "Ending Phases GR2", _last(o)
    yield jump("turn", "end_turn_stack", rule, on="end_turn", doc="an effect ends the turn",
               says="an effect ends the turn")
    if not o.champion_late:
        yield jump("before_game_over", None, rule, on="end_turn", doc="no turn has begun")
    if o.silent_combat_teardown:
        yield jump("end_turn_stack", "end_turn_combat", rule, "combat_under_way", doc="combat ends silently (U-11)")
        yield jump("end_turn_combat", last, rule, do=[*COMBAT_ENDS, *_turn_ends(o), *TO_END, *marks])
    else:
        do = ["end(step)", *_forced(o), "latch(turn_ending)"]
        yield jump("end_turn_stack", "end_of_combat_before", rule, "combat_under_way", do,
                    doc="combat has its end of combat step first (U-11)")
    yield jump("end_turn_stack", last, rule, "ending_under_way", marks, doc="to the final part of the end phase")
    yield jump("end_turn_stack", last, rule, do=[*_turn_ends(o), *TO_END, *marks],
                doc="to the final part of the end phase: no triggers at its beginning, no window before it")


def _losing(o: Options) -> Iterator[Transition]:
    rule = "Ending the Game GR8"
    clean_up, marks = _clean_up(o)
    end = "end_phase_before" if o.next_player_acts_for_lost else clean_up
    quietly = () if o.next_player_acts_for_lost else (*TO_END, *marks)
    yield jump("turn", "game_over", "Ending the Game GR2", "not several_sides_left", on="player_left",
                doc="only one is left: the game is over", says="one side is left")
    yield jump("turn", "lost_stack", rule, "turn_player_lost, not ending_under_way", on="player_left",
                doc="the turn player has lost: the turn comes to its end", says="the turn player leaves")
    yield jump("turn", None, rule, on="player_left", doc="the others play on")
    yield jump("lost_stack", "lost_resolve", rule, "not stack_empty", doc="what is pending finishes")
    yield jump("lost_stack", "lost_combat", rule, "combat_under_way")
    yield jump("lost_stack", end, rule, do=[*_turn_ends(o), *quietly], doc="then the end phase of that turn")
    yield jump("lost_resolve", "lost_check", rule)
    yield jump("lost_check", "lost_check", "State-based Checks GR1", "sba_performed", doc="until nothing changes")
    yield jump("lost_check", "lost_stack", rule)
    yield jump("lost_combat", end, rule, do=[*COMBAT_ENDS, *_turn_ends(o), *quietly])
