"""How a turn of 2010 ends early: ending the turn (712.1), players who leave (800.4); and what is
heard anywhere.

Triggered abilities that wait are kept (712.2), and no effect ends combat yet.
"""

from __future__ import annotations

from collections.abc import Iterator

from fsm.model import Event, State, Transition
from fsm.rulesets.frame.rows import check, jump, perform

EVENTS = (
    Event("end_turn", "an effect ends the turn"),
    Event("made_to_block", "an effect makes a creature block"),
    Event("put_in_blocking", "a creature is put onto the battlefield blocking"),
    Event("player_left", "somebody left the game"),
)


ENDING_STATES = (
    perform("end_turn_stack", "Exile the stack", "712.1a", "exile_stack", "every object, the resolving one too"),
    perform("end_turn_combat", "Leave combat", "712.1a", "remove_from_combat", "all creatures and planeswalkers"),
    check("end_turn_sba", "712.1b"),
    perform("end_turn_leave", "Phase and step end", "712.1c", "empty_mana", "what lies before cleanup is skipped"),
    State("game_over", "final", "", "Game over", role="end", rule="104.1"),
)

COMBAT_ENDS = ("end(step)", "end(phase)", "mark(end_of_combat)", "clear(combat)")
CLEANUP = "begin(step, cleanup, cleanup)"
ENDING_PHASE = ("end(phase)", "drop(turn)", "begin(phase, ending, ending)")


def endings(*, repeats_cleanup: bool) -> tuple[Transition, ...]:
    """The rows of the endings. `repeats_cleanup`: ending the turn in cleanup leads to a further
    cleanup step.
    """
    return tuple(_endings(repeats_cleanup))


def _endings(repeats_cleanup: bool) -> Iterator[Transition]:
    yield jump("turn", "end_turn_stack", "712.1", on="end_turn", doc="an effect ends the turn",
               says="an effect ends the turn")
    yield jump("end_turn_stack", "end_turn_combat", "712.1a", "combat_under_way", doc="if this happens during combat")
    yield jump("end_turn_stack", "end_turn_sba", "712.1b")
    yield jump("end_turn_combat", "end_turn_sba", "712.1b")
    yield jump("end_turn_sba", "end_turn_sba", "704.3", "sba_performed", doc="until none applies")
    yield jump("end_turn_sba", "end_turn_leave", "712.1c", "combat_under_way", COMBAT_ENDS)
    yield jump("end_turn_sba", "end_turn_leave", "712.1c", do=["end(step)"])
    if not repeats_cleanup:
        yield jump("end_turn_leave", "ending_phase_end", "712.1c", "ending_under_way, cleanup_begun",
                    ["end(phase)", "drop(turn)"], doc="no cleanup step lies ahead: the turn is over")
    yield jump("end_turn_leave", "cleanup_begin", "712.1c", "ending_under_way", ["drop(turn)", CLEANUP],
                doc="a new cleanup step, even from cleanup" if repeats_cleanup else "from the end step")
    yield jump("end_turn_leave", "cleanup_begin", "712.1c", do=[*ENDING_PHASE, CLEANUP],
                doc="straight to cleanup; there is no end step (712.3)")
    yield jump("turn", None, "509.6", on="made_to_block", doc="blockers are not being declared: no order changes")
    yield jump("turn", None, "509.7", on="put_in_blocking", doc="blockers are not being declared: no order changes")
    yield jump("turn", None, "800.4g", "several_sides_left", on="player_left",
                doc="the turn goes on, without an active player if need be")
    yield jump("turn", "game_over", "104.2a", on="player_left", doc="only one is left: the game is over",
               says="one side is left")
