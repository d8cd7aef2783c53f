"""How a turn of Magic ends early: ending the turn (723.1), ending combat (723.2), players who leave
(800.4).
"""

from __future__ import annotations

from fsm.model import Event, State, Transition
from fsm.rulesets.frame.rows import check, jump, perform

EVENTS = (
    Event("end_turn", "an effect ends the turn"),
    Event("end_phase", "an effect ends the combat phase"),
    Event("player_left", "somebody left the game"),
)


ENDING_STATES = (
    # 723.1, end the turn
    perform("end_turn_triggers", "Waiting triggers cease", "723.1a", "cease_triggers", "those not yet on the stack"),
    perform("end_turn_stack", "Exile the stack", "723.1b", "exile_stack", "every object, the resolving one too"),
    check("end_turn_sba", "723.1c"),
    perform("end_turn_combat", "Leave combat", "723.1d", "remove_from_combat", "all creatures and planeswalkers"),
    perform("end_turn_leave", "Phase and step end", "723.1d", "empty_mana", "what lies before cleanup is skipped"),
    # 723.2, end the combat phase
    perform("end_combat_triggers", "Waiting triggers cease", "723.2a", "cease_triggers", "those not yet on the stack"),
    perform("end_combat_stack", "Exile the stack", "723.2b", "exile_stack", "every object, the resolving one too"),
    check("end_combat_sba", "723.2c"),
    perform("end_combat_combat", "Leave combat", "723.2d", "remove_from_combat", "all creatures and planeswalkers"),
    perform("end_combat_leave", "Combat phase ends", "723.2d", "empty_mana", "its other steps are skipped"),
    State("game_over", "final", "", "Game over", role="end", rule="104.1"),
)

TURN_ENDING = ("end_turn_triggers", "end_turn_stack", "end_turn_sba", "end_turn_combat", "end_turn_leave")
COMBAT_ENDS = ("end(step)", "end(phase)", "clear(combat)")
CLEANUP = "begin(step, cleanup, cleanup)"
ENDING_PHASE = ("end(phase)", "drop(turn)", "begin(phase, ending, ending)")


def endings(*, mana_first: bool, no_end_step: str) -> tuple[Transition, ...]:
    """The rows of the endings, where mana empties before durations end or after, and the number of
    the rule that says that there is no end step.
    """
    first, then = ((), COMBAT_ENDS) if mana_first else (COMBAT_ENDS, ())
    return (
        jump("turn", "end_turn_triggers", "723.1", on="end_turn", doc="an effect ends the turn",
             says="an effect ends the turn"),
        jump("end_turn_triggers", "end_turn_stack", "723.1b"),
        jump("end_turn_stack", "end_turn_sba", "723.1c"),
        jump("end_turn_sba", "end_turn_sba", "704.3", "sba_performed", doc="until none applies"),
        jump("end_turn_sba", "end_turn_combat", "723.1d", "combat_under_way", doc="if this happens during combat"),
        jump("end_turn_sba", "end_turn_leave", "723.1d", do=first[:1]),
        jump("end_turn_combat", "end_turn_leave", "723.1d", do=first),
        jump("end_turn_leave", "cleanup_begin", "723.1d", "ending_under_way", [*then[:1], "drop(turn)", CLEANUP],
             doc="a new cleanup step, even from cleanup"),
        jump("end_turn_leave", "cleanup_begin", "723.1d", do=[*then, *ENDING_PHASE, CLEANUP],
             doc=f"straight to cleanup; there is no end step ({no_end_step})"),
        jump("combat_phase", "end_combat_triggers", "723.2", "combat_under_way", on="end_phase",
             doc="an effect ends the combat phase", says="an effect ends the combat phase"),
        jump("turn", "end_combat_triggers", "723.2", "combat_under_way", on="end_phase",
             doc="also from a step of another kind that was added to combat", says="an effect ends the combat phase"),
        jump("turn", None, "723.2g", on="end_phase", doc="it is no combat phase: nothing happens"),
        *(jump(state, None, "723.1d", on="end_phase", doc="the turn is being ended: nothing happens")
          for state in TURN_ENDING),
        jump("end_combat_triggers", "end_combat_stack", "723.2b"),
        jump("end_combat_stack", "end_combat_sba", "723.2c"),
        jump("end_combat_sba", "end_combat_sba", "704.3", "sba_performed", doc="until none applies"),
        jump("end_combat_sba", "end_combat_combat", "723.2d"),
        jump("end_combat_combat", "end_combat_leave", "723.2d", do=[*first, "drop(phase)"]),
        jump("end_combat_leave", "combat_phase_after", "723.2d", do=then, doc="the next phase, whatever it is"),
        jump("turn", None, "800.4j", "several_sides_left", on="player_left",
             doc="the turn goes on, without an active player if need be"),
        jump("turn", "game_over", "104.2a", on="player_left", doc="only one is left: the game is over",
             says="one side is left"),
    )
