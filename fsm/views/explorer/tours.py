"""Guided tours: played with the Model when the page is made, so that each stop has the answers that
lead to it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any

from fsm.engine.controller import TurnController
from fsm.engine.requests import Answer, RequestFields, Word
from fsm.engine.semantics import semantics_of
from fsm.errors import FsmError
from fsm.model import Model
from fsm.state.orders import Signal

MOST_ANSWERS = 200
"""Answers that may lead from one stop of a tour to the next."""
PASSING = ("check_state", "place_triggers")

ShortAnswer = list[Any]
"""The word, the facts that are true, and the name of a signal if there is one."""


def led(
    model: Model, players: Sequence[str], tours: Sequence[Mapping[str, Any]]
) -> list[dict[str, Any]]:
    """Return the tours that lead along in a game of these players, each stop with the answers that
    lead to it.
    """
    found = [(tour["name"], stops_of(model, players, tour)) for tour in tours]
    return [{"name": name, "stops": stops} for name, stops in found if stops]


def stops_of(model: Model, players: Sequence[str], tour: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the stops of a tour with the answers that lead to each, or none if the game does not
    come to one.
    """
    found: list[dict[str, Any]] = []
    try:
        game = TurnController(model, players)
        for stop in tour["stops"]:
            answers = _answers_to(game, model, stop, here=not found)
            if answers is None:
                return []
            found.append({"say": stop["say"], "answers": answers, "show": stop.get("show", [])})
    except FsmError:
        return []
    return found


def _answers_to(
    game: TurnController, model: Model, stop: Mapping[str, Any], *, here: bool
) -> list[ShortAnswer] | None:
    """Answer as in a quiet game, but for what the stop says, until the game comes there; `here` is
    where it stands.
    """
    quiet = semantics_of(model).quiet
    true = {*(fact for fact in quiet if quiet[fact]), *stop.get("tell", ())}
    answers: list[ShortAnswer] = []
    before = None if here else _where(game.request)
    while (
        _where(game.request) == before
        or game.request.at.step not in stop["at"]
        or game.request.kind in PASSING
    ):
        if len(answers) == MOST_ANSWERS or game.request.kind == "over":
            return None
        answers.append(_answer(game, true, "" if answers else stop.get("signal", "")))
    return answers


def _where(request: RequestFields) -> tuple[int, str, int]:
    return request.at.turn, request.at.step, request.at.iteration


def _answer(game: TurnController, true: set[str], signal: str) -> ShortAnswer:
    """Give one answer to a game, and return it in short."""
    request = game.request
    word: Word = "acted" if signal and request.kind == "priority" else request.quietly.word
    names = [*request.facts]
    if signal:  # which can lead to any guard
        names += game.semantics.live
    facts = [name for name in dict.fromkeys(names) if name in true]
    told = {name: name in true for name in names}
    game.answer(Answer(word, told, (Signal(signal),) if signal else ()))
    if signal:
        return [word, facts, signal]
    return [word, facts]


# what each step is for ----------------------------------------------------------------------------


FILES = {
    "magic": "magic",
    "magic-2010": "magic",
    "magic-classic": "magic",
    "grand-archive": "grand-archive",
}


@cache
def _lessons(name: str) -> dict[str, Any]:
    """The lessons of one ruleset, from its file."""
    if name not in FILES:
        return {"steps": {}, "tours": []}
    text = (
        files("fsm.views.explorer")
        .joinpath(f"lessons/{FILES[name]}.json")
        .read_text(encoding="utf-8")
    )
    found: dict[str, Any] = json.loads(text)
    return found


def step_words(model: Model) -> dict[str, list[str]]:
    """By the name of each step: what it is for, and one fact worth knowing."""
    steps = {state.name for state in model.states if state.kind == "step"}
    return {name: words for name, words in _lessons(model.name)["steps"].items() if name in steps}


def tours_of(model: Model) -> tuple[dict[str, Any], ...]:
    """The guided tours as they are written for this ruleset, whether they lead along or not."""
    return tuple(_lessons(model.name)["tours"])
