"""The data of the explorer page about its model, as one JSON value."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from fsm.coverage.data import subject_of
from fsm.engine.controller import TurnController
from fsm.engine.semantics import semantics_of
from fsm.engine.trace import GameHeader, Trace, begin_again
from fsm.errors import AnswerError, DrawError, StuckError
from fsm.model import Model
from fsm.model.model import step_codes
from fsm.rulesets import parse_options
from fsm.runs.turns import skipped_steps
from fsm.scenarios.scenario import ORDERS
from fsm.views.columns import LINES
from fsm.views.explorer.tours import led, step_words, tours_of
from fsm.views.pages import Embedded, embed
from fsm.views.pictures import caption, picture
from fsm.views.reader import read
from fsm.views.reading import Step, Turn, hues_of
from fsm.wording import plain

_UNSAFE = {
    ord("<"): "\\u003c",
    ord(">"): "\\u003e",
    ord("&"): "\\u0026",
    0x2028: "\\u2028",
    0x2029: "\\u2029",
}


def page_data(
    model: Model, pictures: Sequence[Picture], players: Sequence[str], start: Mapping[str, object]
) -> str:
    """The data as JSON that cannot end the script element it stands in. Raises FsmError if these
    players cannot play.
    """
    spec = subject_of(model).name
    ruleset, _, query = spec.partition("?")
    data = {
        "model": _packed(model.to_json()),
        "fingerprint": model.fingerprint,
        "spec": spec,
        "scenario": {"ruleset": ruleset, "options": parse_options(spec, query)},
        "verbs": {row.kind.__name__: row.name for row in ORDERS},
        "players": players,
        "quiet": [fact for fact, value in semantics_of(model).quiet.items() if value],
        "codes": step_codes(model),
        "hues": hues_of(read(model)),
        "skips": _skips(model),
        "pictures": [_picture_data(picture) for picture in pictures],
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
            often = Counter[str]()
            for part in parts:
                often.update(part.keys())
            keys = sorted(often, key=lambda key: (-often[key], key))
            found[name] = [keys, *(_row(part, keys) for part in parts)]
    return found


def _row(part: Mapping[str, object], keys: Sequence[str]) -> list[object]:
    values = [part.get(key) for key in keys]
    while values and values[-1] is None:
        values.pop()
    return values


def _skips(model: Model) -> dict[int, list[str]]:
    """By the number of a transition: the steps that it leaves out."""
    found = {}
    for i, row in enumerate(model.transitions):
        if row.layer == "skip":
            found[i] = [step.id for step in skipped_steps(model, row)]
    return found


def _picture_data(picture: Picture) -> dict[str, object]:
    names = ("view", "nodes", "lines", "paths", "boxes", "places")
    return {name: getattr(picture, name) for name in names}


def new_game(model: Model, players: Sequence[str]) -> dict[str, object]:
    """Return the start of a new game. Raises DrawError if none can begin."""
    try:
        head = Trace.of(TurnController(model, players)).head
    except (AnswerError, StuckError) as error:
        raise DrawError(f"no game of {plain(model.name)} can be walked: {error}") from None
    return {"head": {"players": head.players}, "answers": []}


def traced_game(model: Model, trace: Trace) -> dict[str, object]:
    """Return the start of the game of a trace, and its answers.

    Raises TraceError if it was recorded with another model.
    """
    game = begin_again(trace.head, model)
    answers = [answer.to_json() for answer in trace.answers]
    return {"head": _head(trace.head, game), "answers": answers}


def standing_head(game: TurnController) -> dict[str, object]:
    """What the page reads of a game that goes on from where it stands."""
    return {"players": game.players, "snapshot": game.snapshot()}


def _head(head: GameHeader, game: TurnController) -> dict[str, object]:
    """What the page reads of a header. It knows a game that starts in the middle by its snapshot."""
    if head.snapshot is not None or head.start is not None:
        return standing_head(game)
    orders = [order.to_json() for order in head.orders]
    settings = dict(head.settings)
    teams = head.teams
    return {"players": head.players, "teams": teams, "settings": settings, "orders": orders}


# pictures ----------------------------------------------------------------------------------------


@dataclass(slots=True)
class Picture:
    """One view: its drawing, what each part of it stands for, and where each state of the model is.

    `nodes` and `boxes` have the states that cards and boxes stand for, `lines` the kind and the
    transitions of each line, and `paths` those of each of its paths.
    """

    view: str
    svg: str
    caption: str
    nodes: dict[str, str] = field(default_factory=dict)
    lines: dict[str, tuple[str, list[int]]] = field(default_factory=dict)
    paths: dict[str, list[list[int]]] = field(default_factory=dict)
    boxes: dict[str, tuple[str, list[float]]] = field(default_factory=dict)
    places: dict[str, str] = field(default_factory=dict)


def pictures_of(model: Model) -> list[Picture]:
    """Return the turn, the windows, and the endings. Raises DrawError if the model is no turn."""
    turn = read(model)
    found = [_picture(model, turn, "turn", picture(turn, "turn", bare=True))]
    names = [name for name in model.machines if name != "turn"]
    for name, window in zip(names, turn.windows, strict=True):
        drawn = picture(turn, name, bare=True)
        found.append(_listing((window,), name, drawn))
    if turn.endings:
        drawn = picture(turn, "endings", bare=True)
        found.append(_listing(turn.endings, "endings", drawn))
    return found


def _picture(model: Model, turn: Turn, view: str, svg: str) -> Picture:
    drawn = embed(svg, {"data-view": view})
    found = Picture(view, drawn.svg, caption(turn), nodes=drawn.cards, boxes=drawn.boxes)
    numbers = {row.id: i for i, row in enumerate(model.transitions)}
    for part, number in drawn.ways.items():
        way = turn.ways[number]
        found.paths[part] = []
        rows = dict[int, None]()
        for path in way.paths:
            on_it = [numbers[id] for id in path]
            found.paths[part].append(on_it)
            rows.update(dict.fromkeys(on_it))
        found.lines[part] = (LINES[way.kind], list(rows))
    found.places = _places(turn.steps, drawn)
    return found


def _places(steps: tuple[Step, ...], drawn: Embedded) -> dict[str, str]:
    """Where each state is: the card that stands for it, alone or with others."""
    parts = {id: part for part, id in drawn.cards.items()}
    found: dict[str, str] = {}
    for step in steps:
        if step.id in parts:
            found.update(dict.fromkeys(step.states, parts[step.id]))
    return found


def _listing(steps: tuple[Step, ...], view: str, svg: str) -> Picture:
    """A picture of lists. Each of its lines is where a state is."""
    drawn = embed(svg, {"data-view": view})
    found = Picture(view, drawn.svg, "; ".join(step.title for step in steps) + ".")
    for part, step in zip(drawn.cards, steps, strict=True):
        states = [line.state for line in step.lines if line.state]
        found.places |= dict.fromkeys(states, part)
        found.nodes[part] = states[0] if states else ""
    return found
