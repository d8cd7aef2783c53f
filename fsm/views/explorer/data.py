"""The data of the explorer page about its model, as one JSON value."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from fsm.engine.controller import TurnController
from fsm.engine.semantics import semantics_of
from fsm.engine.trace import GameHeader, Trace
from fsm.errors import AnswerError, DrawError, StuckError, TraceError
from fsm.model import Model
from fsm.model.stepcodes import step_codes
from fsm.runs.turns import skipped_steps
from fsm.views.explorer.newcomers import step_words, tours_of
from fsm.views.explorer.pictures import Picture
from fsm.views.explorer.tours import led
from fsm.views.reader import read
from fsm.views.reading import hues_of
from fsm.wording import plain

_UNSAFE = {
    ord("<"): "\\u003c",
    ord(">"): "\\u003e",
    ord("&"): "\\u0026",
    0x2028: "\\u2028",
    0x2029: "\\u2029",
}


def page_data(
    model: Model,
    pictures: Sequence[Picture],
    players: Sequence[str],
    trace: Trace | None,
) -> str:
    """The data as JSON that cannot end the script element it stands in. Raises TraceError or
    FsmError.
    """
    start = _start_of(model, trace) if trace is not None else _new_game(model, players)
    data = {
        "model": _packed(model.to_json()),
        "fingerprint": model.fingerprint,
        "quiet": [fact for fact, value in semantics_of(model).quiet.items() if value],
        "codes": step_codes(model),
        "hues": hues_of(read(model)),
        "skips": _skips(model),
        "pictures": [_picture(picture) for picture in pictures],
        "start": start,
        "steps": step_words(model),
        "tours": led(model, players, tours_of(model)),
    }
    return json.dumps(data, separators=(",", ":")).translate(_UNSAFE)


def _packed(model: Mapping[str, Any]) -> dict[str, object]:
    """A model's JSON, each list of parts as a table: its head, then a row for each, None where a
    part has nothing.
    """
    found: dict[str, object] = {
        **model,
        "window": _packed(model["window"]) if model["window"] else None,
    }
    for name, parts in model.items():
        if isinstance(parts, list):
            often = Counter(key for part in parts for key in part)
            keys = sorted(often, key=lambda key: (-often[key], key))
            found[name] = [keys, *(_row([part.get(key) for key in keys]) for part in parts)]
    return found


def _row(values: list[object]) -> list[object]:
    while values and values[-1] is None:
        values.pop()
    return values


def _skips(model: Model) -> dict[int, list[str]]:
    """By the number of a transition: the steps that it leaves out."""
    rows = [(i, row) for i, row in enumerate(model.transitions) if row.layer == "skip"]
    return {i: [step.id for step in skipped_steps(model, row)] for i, row in rows}


def _picture(picture: Picture) -> dict[str, object]:
    names = ("view", "nodes", "lines", "paths", "boxes", "places")
    return {name: getattr(picture, name) for name in names}


def _new_game(model: Model, players: Sequence[str]) -> dict[str, object]:
    try:
        game = TurnController(model, players, trace=True)
    except (AnswerError, StuckError) as error:
        raise DrawError(f"no game of {plain(model.name)} can be walked: {error}") from None
    assert game.trace is not None
    return {"head": _head(game.trace.head), "answers": []}


def _start_of(model: Model, trace: Trace) -> dict[str, object]:
    if trace.head.fingerprint != model.fingerprint:
        raise TraceError(
            f"the trace was recorded with {trace.head.model} {trace.head.fingerprint}, "
            f"not with {model.name} {model.fingerprint}"
        )
    if not trace.complete:
        raise TraceError(
            "the trace is a part of a run: only one that starts with its game can be walked"
        )
    if trace.head.start is not None:
        raise TraceError(
            "the game of the trace starts in the middle: only one that starts with turn 1 can be walked"
        )
    answers = [answer.to_json() for answer in trace.answers]
    return {"head": _head(trace.head), "answers": answers}


def _head(head: GameHeader) -> dict[str, object]:
    """What the page reads of a header."""
    orders = [order.to_json() for order in head.orders]
    settings, teams = dict(head.settings), head.teams
    return {"players": head.players, "teams": teams, "settings": settings, "orders": orders}
