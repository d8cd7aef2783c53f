"""Random games of every ruleset take every transition, and another run shows when one is taken
away.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

import pytest

from fsm import Answer, Trace, TurnController
from fsm.engine import Record
from fsm.engine.trace import GameHeader
from fsm.errors import FsmError
from fsm.model import Model
from fsm.rulesets import names
from support.wanderer import Wanderer, loop_brought_near

MODELS = {name: loop_brought_near(name) for name in names()}
SEEDS = range(150)
"""More than enough games: every transition is taken long before the last seed."""


@dataclass(frozen=True)
class Way:
    """How a game came to a transition for the first time: its head, and its answers so far."""

    head: GameHeader
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


@pytest.mark.parametrize("name", MODELS)
def test_games_take_every_transition_and_notice_each_that_is_taken_away(name: str) -> None:
    model, found = MODELS[name], ways(MODELS[name])
    assert wanted(model) == set(found)
    assert [
        id
        for (machine, id), way in found.items()
        if way.go(without(model, machine, id)) == way.go(model)
    ] == []
