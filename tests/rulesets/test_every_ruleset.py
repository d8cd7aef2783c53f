"""What holds of every ruleset: random games take every transition, never get stuck, and leave nothing behind."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

import pytest

import fsm
from fsm.controller import TurnController
from fsm.errors import FsmError
from fsm.model import Model
from fsm.replaying import replay
from fsm.requests import Answer
from fsm.rulesets import names
from fsm.trace import Head, Record, Trace
from support.wanderer import Wanderer

# The ruleset with the bound of its one endless loop brought near: the same transitions, another fingerprint.
NEAR = {"grand-archive": "grand-archive?clean_up_limit=2"}
MODELS = {name: fsm.load(NEAR.get(name, name)) for name in names()}
SEEDS = range(40)
"""More than enough games: the last transition is taken within the first few seeds."""


@dataclass(frozen=True)
class Way:
    """How a game came to a transition for the first time: its head, and its answers so far."""

    head: Head
    answers: tuple[Answer, ...]

    def go(self, model: Model) -> tuple[object, ...]:
        """What fires on this way through a model, and the error that ends it, if one does."""
        head, fired = self.head, list[object]()
        try:
            game = TurnController(model, head.players, teams=head.teams, settings=head.settings)
            for answer in self.answers:
                game.answer(answer)
            fired += game.trace.records
        except FsmError as error:
            fired.append(str(error))
        return tuple(fired)


def wanted(model: Model) -> set[tuple[str, str]]:
    """All transitions, by machine and id, of turn and window."""
    window = model.window.transitions if model.window else ()
    return {("turn", t.id) for t in model.transitions} | {("window", t.id) for t in window}


def ways(model: Model) -> Mapping[tuple[str, str], Way]:
    """The shortest way found to each transition, by machine and id."""
    found: dict[tuple[str, str], Way] = {}
    for seed in SEEDS:
        for game in Wanderer(model, seed).games(5_000):
            for way, record in _firsts(game.trace):
                key = (record.machine, record.transition)
                if key not in found or len(way.answers) < len(found[key].answers):
                    found[key] = way
        if wanted(model) <= set(found):
            break
    return found


def _firsts(trace: Trace) -> Iterator[tuple[Way, Record]]:
    answers: list[Answer] = []
    seen = set()
    for entry in trace.entries:
        if isinstance(entry, Answer):
            answers.append(entry)
        elif (entry.machine, entry.transition) not in seen:
            seen.add((entry.machine, entry.transition))
            yield Way(trace.head, tuple(answers)), entry


def without(model: Model, machine: str, id: str) -> Model:
    """The model less one transition of its turn or its window."""
    if machine == "turn":
        return model.without(id)
    assert model.window is not None
    return replace(model, window=model.window.without(id))


@pytest.mark.parametrize("name", names())
def test_games_take_every_transition_and_notice_each_that_is_taken_away(name: str) -> None:
    model, found = MODELS[name], ways(MODELS[name])
    assert wanted(model) == set(found)
    assert [id for (machine, id), way in found.items() if way.go(without(model, machine, id)) == way.go(model)] == []


@pytest.mark.parametrize("name", names())
def test_nothing_of_a_turn_is_left_when_the_next_begins(name: str) -> None:
    begun = []

    def look(controller: TurnController) -> None:
        agenda, fresh = controller.agenda, controller.trace.entries[-8:]
        if any(isinstance(e, Record) and e.target == "turn_begin" for e in fresh):
            begun.append(controller.position.turn)
            assert agenda.suspended == () and not agenda.tallies
            assert len(agenda.begun) <= 2

    list(Wanderer(MODELS[name], 11, look).games(6_000))
    assert len(begun) > 20


@pytest.mark.parametrize("name", names())
def test_a_game_goes_on_from_its_snapshot_as_it_would_have(name: str) -> None:
    model, pairs = MODELS[name], []

    def look(controller: TurnController) -> None:
        if len(controller.trace.entries) % 97 == 0:
            again = TurnController.restore(model, controller.snapshot())
            pairs.append((again.request, controller.request))
            assert again.agenda == controller.agenda

    list(Wanderer(model, 5, look).games(4_000))
    assert len(pairs) > 10
    assert all(restored == there for restored, there in pairs)


@pytest.mark.parametrize("name", names())
def test_a_game_can_be_replayed(name: str) -> None:
    for game in Wanderer(MODELS[name], 9).games(3_000):
        assert replay(game.trace, MODELS[name]).request == game.request
