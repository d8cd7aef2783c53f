"""How a game is told of triggers. `cards/*-triggers.json` has when they trigger (CR 603)."""

from __future__ import annotations

from fsm import ControlNextTurn, DelayedTrigger, EndTurn, StandingTrigger
from fsm.model import Model
from support.playing import asked, resolved, resolving, started, triggered


def test_triggers_are_told_with_the_first_request_of_the_step_in_order(magic: Model) -> None:
    """Delayed before standing, each in the order made. Nobody has priority yet."""
    standing = [StandingTrigger(id, "untap") for id in ("s2", "s1")]
    game = started(magic, orders=[*standing, *(DelayedTrigger(id, "untap") for id in ("d2", "d1"))])
    assert (asked(game.request), game.request.triggered) == ("phasing", ("d2", "d1", "s2", "s1"))
    assert game.answer(game.request.quiet()).triggered == ()  # type: ignore[union-attr]


def test_before_the_game_the_next_turn_is_the_first(magic: Model) -> None:
    game = started(magic, orders=[DelayedTrigger("x", "upkeep", "A", on="next_turn")])
    assert triggered(game, 3) == [(1, "upkeep", "x")]


def test_without_a_player_it_is_the_active_one_also_while_another_decides(magic: Model) -> None:
    game = resolved(magic, "end", ControlNextTurn("B", "A"))
    resolving(game, "upkeep", DelayedTrigger("x", "end", on="your_next_turn"), turn=2)
    assert triggered(game, 5) == [(4, "end", "x")]


def test_ending_the_turn_triggers_at_the_cleanup_step_only(magic: Model) -> None:
    """Rule 723.1e."""
    game = resolved(
        magic, "upkeep", *(StandingTrigger(s, s) for s in ("end", "cleanup")), EndTurn()
    )
    assert triggered(game, 1) == [(1, "cleanup", "cleanup")]
