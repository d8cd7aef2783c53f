"""Games that together take what is hard to take in a ruleset: stored one a line, played by tests.

A game says how it begins and then its answers. A number stands for so many plain ones, with which
nothing happens. An object is an answer that departs from that: `word`, `facts` that are told the
other way (or that nobody asked for, told true), `orders`, `signal`.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from fsm import Answer, Request, TurnController
from fsm.model import Model
from support.folders import TESTS

FOLDER = TESTS / "coverage_games"


@dataclass(frozen=True)
class Game:
    """How a game begins, and its answers, each as it departs from the plain one ({} not at all)."""

    setup: dict[str, Any]
    departures: tuple[dict[str, Any], ...]

    def play(self, model: Model) -> TurnController:
        """A controller at its end. Raises FsmError when the model refuses an answer."""
        teams = [tuple(team) for team in self.setup.get("teams", ())]
        settings = self.setup.get("settings")
        game = TurnController(model, tuple(self.setup["players"]), teams=teams, settings=settings)
        for departure in self.departures:
            game.answer(answer_of(game, departure))
        return game


def games_of(name: str) -> list[Game]:
    """The games stored for this ruleset."""
    path, found = FOLDER / f"{name}.jsonl", list[Game]()
    for line in path.read_text("utf-8").splitlines() if path.exists() else ():
        setup, departures = json.loads(line), list[dict[str, Any]]()
        for part in setup.pop("answers", ()):
            departures += [{}] * part if isinstance(part, int) else [part]
        found.append(Game(setup, tuple(departures)))
    return found


def answer_of(game: TurnController, departure: dict[str, Any]) -> Answer:
    """The answer that departs so from the plain one."""
    assert isinstance(game.request, Request)
    plain = game.request.quiet()
    facts = dict(plain.facts)
    facts.update({name: not facts.get(name, False) for name in departure.get("facts", ())})
    answer = {"word": plain.word, **departure, "facts": facts}
    return Answer.from_json(answer, trusted=True)
