"""Games that together take what is hard to take in a ruleset: stored one a line, played by tests.

A game says how it begins and then its answers. A number stands for so many plain ones: the last
word that is possible, and every fact as it is while nothing happens. An object is an answer that
departs from that: `word`, `facts` that are told the other way (or that nobody asked for, told
true), `orders`, `signal`.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

import fsm
from fsm import Answer, Over, Request, Signal
from fsm.engine.answers import quiet_facts
from fsm.engine.codec import decode
from fsm.model import Model
from fsm.state import orders as kinds
from fsm.testing.generation.path import Start
from support.folders import TESTS

FOLDER = TESTS / "coverage_games"
CLASSES = (
    Signal,
    *(k for k in vars(kinds).values() if isinstance(k, type) and k.__module__ == kinds.__name__),
)


@dataclass(frozen=True)
class Game:
    """How a game begins, and its answers, each as it departs from the plain one ({} not at all)."""

    players: tuple[str, ...]
    teams: tuple[tuple[str, ...], ...]
    settings: tuple[tuple[str, bool], ...]
    departures: tuple[dict[str, Any], ...]

    @classmethod
    def read(cls, line: str) -> Game:
        """From such a line."""
        data = json.loads(line)
        told = (
            ({},) * part if isinstance(part, int) else (part,) for part in data.get("answers", ())
        )
        settings = tuple(data.get("settings", {}).items())
        teams = tuple(tuple(team) for team in data.get("teams", ()))
        return cls(
            tuple(data["players"]), teams, settings, tuple(one for part in told for one in part)
        )

    def play(self, model: Model) -> fsm.TurnController:
        """A controller at its end. Raises FsmError when the model refuses an answer."""
        controller = Start(self.players, self.teams, self.settings).controller(model)
        for departure in self.departures:
            controller.answer(answer_of(controller, departure))
        return controller


def games_of(name: str) -> list[Game]:
    """The games stored for this ruleset."""
    path = FOLDER / f"{name}.jsonl"
    return (
        [Game.read(line) for line in path.read_text("utf-8").splitlines()] if path.exists() else []
    )


def plain(model: Model, request: Request | Over) -> dict[str, bool]:
    """Every fact as it is while nothing happens."""
    quiet = model.kept("quiet facts", lambda: frozenset(quiet_facts(model)))
    return {name: name in quiet for name in request.facts}


def words(controller: fsm.TurnController) -> tuple[str, ...]:
    """What can be answered, the plain word last."""
    request, model = controller.request, controller.model
    inside = request.state != request.at.stage
    return (model.window if inside and model.window else model).state(request.state).words


def answer_of(controller: fsm.TurnController, departure: dict[str, Any]) -> Answer:
    """The answer that departs so from the plain one."""
    facts = plain(controller.model, controller.request)
    facts.update({name: not facts.get(name, False) for name in departure.get("facts", ())})
    given = tuple(decode(order, CLASSES) for order in departure.get("orders", ()))
    signal = decode(departure["signal"], CLASSES) if "signal" in departure else None
    return Answer(departure.get("word", words(controller)[-1]), facts, given, signal)
