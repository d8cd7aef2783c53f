"""Subscriptions tell what is really entered, in order."""

from __future__ import annotations

from typing import Any

import pytest

import fsm
from fsm import AddStep, SkipStep, TurnController
from fsm.errors import AnswerError
from fsm.hosts import entering


class Attacking(fsm.BaseHost):
    attackers_declared = True


def play(game: TurnController, turns: int) -> None:
    fsm.drive(game, Attacking(), until=lambda request: request.at.turn > turns)


def test_what_is_skipped_is_not_entered_and_what_is_added_is(game: TurnController) -> None:
    """Rule 103.8a: the player who goes first skips the first draw step."""
    heard = list[tuple[int, str]]()
    for place in ("upkeep", "draw"):
        entering(game, place, lambda record: heard.append((record.turn, record.step)))
    game.order(SkipStep("upkeep", "Ben"), AddStep("upkeep", after="draw"))
    play(game, 2)
    assert heard == [(1, "upkeep"), (2, "draw")]


@pytest.mark.parametrize(
    "place", ["turn", "combat", "combat_phase", "declare_blockers", "untap_untap_permanents"]
)
def test_turns_phases_steps_and_states_can_be_entered(place: str, game: TurnController) -> None:
    heard = list[Any]()
    entering(game, place, heard.append)
    play(game, 2)
    assert len(heard) == 2


def test_a_place_that_a_refused_pass_stays_in_is_not_entered_again() -> None:
    """Grand Archive: who must attack cannot pass, and keeps Opportunity."""
    game, heard = TurnController("grand-archive", ["Ann", "Ben"]), list[Any]()
    request = fsm.drive(game, fsm.BaseHost(), until=lambda request: request.kind == "priority")
    entering(game, "opportunity", heard.append)
    game.answer(request.quiet(attack_required=True))  # type: ignore[union-attr]
    assert heard == []
    fsm.drive(game, fsm.BaseHost(), until=lambda request: request.at.turn == 2)
    assert heard != []


def test_subscriptions_are_called_in_their_order_until_they_end(game: TurnController) -> None:
    heard = list[str]()
    first = entering(game, "upkeep", lambda record: heard.append("first"))
    entering(game, "upkeep", lambda record: heard.append("second"))
    play(game, 1)
    first.close()
    play(game, 2)
    assert heard == ["first", "second", "second"]


def test_an_unknown_place_is_refused(game: TurnController) -> None:
    with pytest.raises(AnswerError, match=r"place 'upkep' is not .* did you mean 'upkeep'"):
        entering(game, "upkep", print)
