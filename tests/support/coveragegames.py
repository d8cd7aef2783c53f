"""Games that together take what is hard to take in a ruleset: stored one a line, played by tests.

A game says how it begins and then its answers. A number stands for so many plain ones: the quiet
word, and every fact at its quiet value. An object is an answer that departs from that: `word`,
`facts` that are told the other way (or that nobody asked for, told true), `orders`. With the word
"" its orders come between two answers.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

import fsm
from support.folders import TESTS

FOLDER = TESTS / "coverage_games"


@dataclass(frozen=True)
class Game:
    """How a game begins, and its answers, each as it departs from the plain one ({} not at all)."""

    players: list[str]
    teams: list[list[str]]
    settings: dict[str, bool]
    departures: list[dict[str, Any]]

    @classmethod
    def read(cls, line: str) -> Game:
        """From such a line."""
        data = json.loads(line)
        departures: list[dict[str, Any]] = []
        for part in data["answers"]:
            departures += [{}] * part if isinstance(part, int) else [part]
        teams = [list(team) for team in data.get("teams", ())]
        return cls(list(data["players"]), teams, data.get("settings", {}), departures)

    def play(self, model: fsm.Model) -> fsm.TurnController:
        """A controller at its end. Raises FsmError when the model refuses an answer."""
        game = fsm.TurnController(model, self.players, teams=self.teams, settings=self.settings)
        for departure in self.departures:
            depart(game, departure)
        return game


def games_of(name: str) -> list[Game]:
    """The games stored for this ruleset."""
    lines = (FOLDER / f"{name}.jsonl").read_text("utf-8").splitlines()
    return [Game.read(line) for line in lines]


def depart(game: fsm.TurnController, departure: dict[str, Any]) -> None:
    """Give the answer that departs so from the plain one."""
    request: Any = game.request
    known = {"stack_empty": True} if "stack_empty" in request.facts else {}
    quiet = request.quiet(**known)
    facts = {name: quiet.facts.get(name, False) for name in request.facts}
    if departure.get("orders"):  # which may lead anywhere, so all that can be told is told
        semantics = game.semantics
        facts = {**{name: semantics.quiet[name] for name in semantics.live}, **facts}
    for name in departure.get("facts", ()):
        facts[name] = not facts.get(name, False)
    word = departure.get("word", quiet.word)
    told = {"word": word or "done", "facts": facts, "orders": departure.get("orders", [])}
    answer = fsm.Answer.from_json(told, trusted=True)
    if word:
        game.answer(answer)
    else:
        game.order(*answer.orders, **facts)
