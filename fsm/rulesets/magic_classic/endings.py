"""How a turn of classic Magic ends early: ending the turn (509), players who leave (600.4)."""

from __future__ import annotations

from collections.abc import Iterator

from fsm.model import Event, State, Transition
from fsm.rulesets.frame.rows import check, jump, perform
from fsm.rulesets.magic_classic.facts import CHECK, Changes

END_TURN = Event("end_turn", "an effect ends the turn")
PLAYER_LEFT = Event("player_left", "somebody left the game")
GAME_OVER = State("game_over", "final", "", "Game over", role="end", rule="102.1")

# 509.1, end the turn
PROCEDURE = (
    perform("end_turn_stack", "Remove the stack", "509.1a", "remove_stack", "every object on it, combat damage too"),
    perform("end_turn_combat", "Leave combat", "509.1a", "remove_from_combat", "everything in combat does"),
    check("end_turn_sba", "509.1b", CHECK),
    perform("end_turn_leave", "Phase and step end", "300.3", "lose_mana", "unspent mana is lost, with a life for each"),
)

CLEANUP = ("drop(turn)", "begin(step, cleanup, cleanup)")
END_AND_CLEANUP = ("drop(turn)", "begin(phase, end, end)", "begin(step, cleanup, cleanup)")
PHASE_ENDS = ("end(phase)", "clear(combat)")


def end_turn(*, burn_first: bool, burn_in_end_phase: bool) -> Iterator[Transition]:
    """The procedure. `burn_first`: mana is lost before durations of the phase run out."""
    yield jump("end_turn_stack", "end_turn_combat", "509.1a", "combat_under_way", doc="if this happens during combat")
    yield jump("end_turn_stack", "end_turn_sba", "509.1b")
    yield jump("end_turn_combat", "end_turn_sba", "509.1b")
    yield jump("end_turn_sba", "end_turn_sba", "420.3", "sba_performed", doc="until none applies")
    if burn_in_end_phase:
        yield jump("end_turn_sba", "end_turn_leave", "509.1c", "end_under_way", ["end(step)"])
        yield jump("end_turn_leave", "cleanup_begin", "509.1c", "end_under_way", CLEANUP, doc="a new cleanup step")
    else:
        yield jump("end_turn_sba", "cleanup_begin", "509.1c", "end_under_way", ["end(step)", *CLEANUP],
                   doc="a new cleanup step of this same phase, which has not ended")
    before, after = ((), PHASE_ENDS) if burn_first else (PHASE_ENDS, ())
    yield jump("end_turn_sba", "end_turn_leave", "509.1c", do=["end(step)", *before])
    yield jump("end_turn_leave", "cleanup_begin", "509.1c", do=[*after, *END_AND_CLEANUP],
               doc="straight to cleanup; there is no end of turn step (509.3)")


def turn_is_ended(*, owed: bool) -> Iterator[Transition]:
    """An effect ends the turn. `owed`: from cleanup with priority, that owes a further cleanup step
    (314.3).
    """
    if owed:
        yield jump("cleanup_step", "end_turn_stack", "314.3", do=["latch(cleanup_owed)"], on="end_turn",
                   doc="players had priority here: a further cleanup step is owed", says="an effect ends the turn")
    yield jump("turn", "end_turn_stack", "509.1", on="end_turn", doc="an effect ends the turn",
               says="an effect ends the turn")


def somebody_leaves(changes: Changes, *, ends_turn: bool) -> Iterator[Transition]:
    """The turn goes on without its player, or (`ends_turn`) at cleanup."""
    if ends_turn:
        yield jump("turn", "end_turn_stack", changes.leaves, "several_sides_left, active_left, not end_under_way",
                   on="player_left", doc="whose turn it is has left: straight to cleanup",
                   says="the player whose turn it is leaves")
    yield jump("turn", None, changes.leaves, "several_sides_left", on="player_left",
               doc="the turn goes on, without an active player if need be")
    yield jump("turn", "game_over", "102.2a", on="player_left", doc="only one is left: the game is over",
               says="one side is left")
