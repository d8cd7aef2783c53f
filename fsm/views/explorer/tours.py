"""Guided tours: played with the Model when the page is made, so that each stop has the answers that
lead to it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cache
from importlib.resources import files
from typing import Any

from fsm.engine.controller import TurnController
from fsm.engine.requests import Answer, RequestFields
from fsm.errors import FsmError
from fsm.model import Model
from fsm.state.orders import Signal

MOST_ANSWERS = 200
"""Answers that may lead from one stop of a tour to the next."""
PASSING = ("check_state", "place_triggers")
FILES = {
    "magic": "magic",
    "magic-2010": "magic",
    "magic-classic": "magic",
    "grand-archive": "grand-archive",
}

ShortAnswer = list[Any]
"""The word, the facts that are true, and the name of a signal if there is one."""


def led(model: Model, players: Sequence[str]) -> list[dict[str, Any]]:
    """Return the tours that lead along in a game of these players, each stop with the answers that
    lead to it.
    """
    tours = []
    for tour in _lessons(model.name)["tours"]:
        with suppress(FsmError):
            game = TurnController(model, players)
            tours.append({"name": tour["name"], "stops": [*_stops(game, tour["stops"])]})
    return tours


def _stops(game: TurnController, stops: Sequence[Mapping[str, Any]]) -> Iterator[dict[str, Any]]:
    """Play from stop to stop. Raises FsmError if the game does not come to one."""
    before = None
    for stop in stops:
        answers = [*_answers_to(game, stop, before)]
        yield {"say": stop["say"], "answers": answers, "show": stop.get("show", [])}
        before = _where(game.request)


def _answers_to(
    game: TurnController, stop: Mapping[str, Any], before: object
) -> Iterator[ShortAnswer]:
    """Answer as in a quiet game, but for what the stop says, until the game comes there from where
    it was before.
    """
    quiet = game.semantics.quiet
    true = {*(fact for fact in quiet if quiet[fact]), *stop.get("tell", ())}
    signal = stop.get("signal", "")
    for _ in range(MOST_ANSWERS):
        request = game.request
        is_new = _where(request) != before and request.kind not in PASSING
        if is_new and request.at.step in stop["at"]:
            return
        yield _answer(game, true, signal)
        signal = ""
    raise FsmError("a tour leads nowhere")


def _where(request: RequestFields) -> tuple[int, str, int]:
    return request.at.turn, request.at.step, request.at.iteration


def _answer(game: TurnController, true: set[str], signal: str) -> ShortAnswer:
    """Give one answer to a game, and return it in short."""
    request = game.request
    word = request.quietly.word
    names = [*request.facts]
    signals = []
    if signal:
        names += game.semantics.live  # which can lead to any guard
        signals = [signal]
        if request.kind == "priority":
            word = "acted"
    told = {name: name in true for name in names}
    game.answer(Answer(word, told, tuple(map(Signal, signals))))
    return [word, [name for name, value in told.items() if value], *signals]


# what each step is for ----------------------------------------------------------------------------


@cache
def _lessons(name: str) -> Any:
    """The lessons of one ruleset, from its file."""
    if name not in FILES:
        return {"steps": {}, "tours": []}
    folder = files("fsm.views.explorer")
    return json.loads(folder.joinpath(f"lessons/{FILES[name]}.json").read_text(encoding="utf-8"))


def step_words(model: Model) -> dict[str, list[str]]:
    """By the name of each step: what it is for, and one fact worth knowing."""
    steps = {step.name for step in model.of_kind("step")}
    return {name: words for name, words in _lessons(model.name)["steps"].items() if name in steps}
