"""The data of the explorer page about its model, as one JSON value."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import chain
from typing import Any, NamedTuple

from fsm.coverage.data import subject_of
from fsm.engine.controller import TurnController
from fsm.engine.semantics import semantics_of
from fsm.engine.trace import Trace, begin_again
from fsm.errors import AnswerError, DrawError, StuckError
from fsm.model import Model
from fsm.model.model import step_codes
from fsm.rulesets import parse_options
from fsm.runs.turns import skipped_steps
from fsm.scenarios.scenario import ORDERS
from fsm.views.columns import LINES
from fsm.views.explorer.embedded import embed
from fsm.views.explorer.tours import led, step_words
from fsm.views.pictures import caption, picture
from fsm.views.reader import read
from fsm.views.reading import Step, Turn
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
        "hues": {phase.id: phase.hue for phase in read(model).all_phases},
        "skips": _skips(model),
        "pictures": [picture.data for picture in pictures],
        "start": start,
        "steps": step_words(model),
        "tours": led(model, players),
    }
    return json.dumps(data, separators=(",", ":")).translate(_UNSAFE)


def _packed(model: Mapping[str, Any]) -> dict[str, object]:
    """A model's JSON, each list of parts as a table: its head, then a row for each, None where a
    part has nothing. What parts often have comes first, so that rows are short.
    """
    packed: dict[str, object] = {**model}
    for name, parts in model.items():
        if isinstance(parts, list):
            often = Counter(chain.from_iterable(parts))
            keys = [key for key, _ in often.most_common()]
            packed[name] = [keys, *(_row(part, keys) for part in parts)]
    if model["window"]:
        packed["window"] = _packed(model["window"])
    return packed


def _row(part: Mapping[str, object], keys: Sequence[str]) -> list[object]:
    values = [part.get(key) for key in keys]
    while values[-1] is None:
        values.pop()
    return values


def _skips(model: Model) -> dict[int, list[str]]:
    """By the number of a transition: the steps that it leaves out."""
    found = {}
    for i, row in enumerate(model.transitions):
        if row.layer == "skip":
            found[i] = [step.id for step in skipped_steps(model, row)]
    return found


def new_game(model: Model, players: Sequence[str]) -> dict[str, object]:
    """Return the start of a new game. Raises DrawError if none can begin."""
    try:
        game = TurnController(model, players)
    except (AnswerError, StuckError) as error:
        raise DrawError(f"no game of {plain(model.name)} can be walked: {error}") from None
    return {"head": {"players": game.players}, "answers": []}


def traced_game(model: Model, trace: Trace) -> dict[str, object]:
    """Return the start of the game of a trace, and its answers. The page knows a game that starts
    in the middle by its snapshot.

    Raises TraceError if it was recorded with another model.
    """
    game = begin_again(trace.head, model)
    head = trace.head.to_json()
    if head.keys() & {"snapshot", "start"}:
        head = standing_head(game)
    return {"head": head, "answers": [answer.to_json() for answer in trace.answers]}


def standing_head(game: TurnController) -> dict[str, object]:
    """What the page reads of a game that goes on from where it stands."""
    return {"players": game.players, "snapshot": game.snapshot()}


# pictures ----------------------------------------------------------------------------------------


class Picture(NamedTuple):
    """One view: its drawing, what it says, and the data of its parts.

    `nodes` and `boxes` have the states that cards and boxes stand for, `lines` the kind and the
    transitions of each line, `paths` those of each of its paths, and `places` the card at which
    each state of the model is.
    """

    view: str
    svg: str
    caption: str
    data: Mapping[str, object]


def pictures_of(model: Model) -> list[Picture]:
    """Return the turn, the windows, and the endings. Raises DrawError if the model is no turn."""
    turn = read(model)
    pictures = [_whole(model, turn)]
    if turn.windows:
        pictures.append(_listing(turn, "window", turn.windows))
    if turn.endings:
        pictures.append(_listing(turn, "endings", turn.endings))
    return pictures


def _whole(model: Model, turn: Turn) -> Picture:
    """The picture of the turn. A state is at the card of its step."""
    drawn = embed(picture(turn, "turn", bare=True), {"data-view": "turn"})
    numbers = {row.id: i for i, row in enumerate(model.transitions)}
    lines = {}
    paths = {}
    for part, number in drawn.ways.items():
        way = turn.ways[number]
        paths[part] = [list(map(numbers.__getitem__, path)) for path in way.paths]
        lines[part] = (LINES[way.kind], list(dict.fromkeys(chain.from_iterable(paths[part]))))
    cards = {id: part for part, id in drawn.cards.items()}
    places = dict[str, str]()
    for step in turn.steps:
        if step.id in cards:
            places.update(dict.fromkeys(step.states, cards[step.id]))
    data = {
        "view": "turn",
        "nodes": drawn.cards,
        "lines": lines,
        "paths": paths,
        "boxes": drawn.boxes,
        "places": places,
    }
    return Picture("turn", drawn.svg, caption(turn), data)


def _listing(turn: Turn, view: str, steps: Sequence[Step]) -> Picture:
    """A picture of lists. Each of its lines is where a state is."""
    drawn = embed(picture(turn, view, bare=True), {"data-view": view})
    nodes = {}
    places = dict[str, str]()
    for part, step in zip(drawn.cards, steps, strict=True):
        states = [line.state for line in step.lines if line.state]
        places |= dict.fromkeys(states, part)
        nodes[part] = [*states, ""][0]
    data = {"view": view, "nodes": nodes, "lines": {}, "paths": {}, "boxes": {}, "places": places}
    said = "; ".join(step.title for step in steps)
    return Picture(view, drawn.svg, f"{said}.", data)
