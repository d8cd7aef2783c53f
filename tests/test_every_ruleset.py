"""What holds of every ruleset: random games take every transition, never get stuck, and leave nothing behind."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from wanderer import Wanderer

import fsm
from fsm.controller import TurnController
from fsm.model import Model
from fsm.replaying import replay
from fsm.rulesets import names
from fsm.trace import Record

# The ruleset with the bound of its one endless loop brought near: the same transitions, another fingerprint.
NEAR = {"grand-archive": "grand-archive?clean_up_limit=2"}
MODELS = {name: fsm.load(NEAR.get(name, name)) for name in names()}
ENOUGH = 120_000
"""How many answers the rarest transition may be away."""


def ids(model: Model | None) -> set[str]:
    return {transition.id for transition in model.transitions} if model else set()


def until_taken(model: Model, records: Iterator[Record]) -> dict[str, set[str]]:
    """What is still missed when everything was taken, or the records are over."""
    missed = {"turn": ids(model), "window": ids(model.window)}
    for record in records:
        missed[record.machine].discard(record.transition)
        if not any(missed.values()):
            break
    return missed


@pytest.mark.parametrize("name", names())
def test_random_games_take_every_transition(name: str) -> None:
    missed = until_taken(MODELS[name], Wanderer(MODELS[name], seed=3).wander(ENOUGH))
    assert missed == {"turn": set(), "window": set()}


@pytest.mark.parametrize("name", names())
def test_nothing_of_a_turn_is_left_when_the_next_begins(name: str) -> None:
    begun = []

    def look(controller: TurnController) -> None:
        agenda, fresh = controller.agenda, controller.trace.entries[-8:]
        if any(isinstance(e, Record) and e.target == "turn_begin" for e in fresh):
            begun.append(controller.position.turn)
            assert agenda.suspended == () and not agenda.tallies
            assert len(agenda.begun) <= 2

    list(Wanderer(MODELS[name], 11, look).wander(6_000))
    assert len(begun) > 20


@pytest.mark.parametrize("name", names())
def test_a_game_goes_on_from_its_snapshot_as_it_would_have(name: str) -> None:
    model, pairs = MODELS[name], []

    def look(controller: TurnController) -> None:
        if len(controller.trace.entries) % 97 == 0:
            again = TurnController.restore(model, controller.snapshot())
            pairs.append((again.request, controller.request))
            assert again.agenda == controller.agenda

    list(Wanderer(model, 5, look).wander(4_000))
    assert len(pairs) > 10
    assert all(restored == there for restored, there in pairs)


@pytest.mark.parametrize("name", names())
def test_a_game_can_be_replayed(name: str) -> None:
    model, games = MODELS[name], []

    def look(controller: TurnController) -> None:
        if controller not in games:
            games.append(controller)

    list(Wanderer(model, 9, look).wander(3_000))
    for game in games:
        assert replay(game.trace, model).request == game.request
