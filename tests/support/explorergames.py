"""Random games as the Python machine plays them, told as plain values that the page's interpreter
has to come to.
"""

from __future__ import annotations

import json
from dataclasses import fields
from typing import Any

from fsm import Answer, Trace, TurnController
from fsm.engine import Record
from fsm.engine.codec import encode
from fsm.model import Model
from support.wanderer import Wanderer

SEEDS = range(150)
OWN: dict[str, Any] = dict.fromkeys(("state", "frame", "holder"), "")
OWN |= {name: [] for name in ("passed", "latched", "expired", "triggered")}
"""What a snapshot holds of a run besides agenda and calendar, and how it is left out there."""


PLAY = """
function play({ head, answers }) {
  const model = new Model(MODEL), game = new Controller(model, head);
  const told = () => [game.request, game.state, game.records];
  const moments = [JSON.stringify(told())];
  for (const answer of answers) {
    game.answer(answer);
    moments.push(JSON.stringify(told()));
  }
  return moments;
}
"""
"""JavaScript: a game through the interpreter; request, state and records at its start and after
each answer.
"""

Game = dict[str, Any]
"""A game as the interpreter takes it: head and answers, in JSON values."""


def covering(model: Model) -> list[Trace]:
    """Games with orders and signals which together take every transition of turn and window."""
    found: list[Trace] = []
    missing = wanted(model)
    for seed in SEEDS:
        for controller in Wanderer(model, seed).games(5_000):
            trace = controller.trace
            fresh = [
                i
                for i, e in enumerate(trace.entries)
                if isinstance(e, Record) and _key(e) in missing
            ]
            if fresh:
                found.append(_cut(trace, fresh[-1]))
                missing -= {_key(record) for record in found[-1].records}
        if not missing:
            return found
    raise AssertionError(f"{len(missing)} transitions are never taken: {sorted(missing)[:3]}")


def wanted(model: Model) -> set[tuple[str, str]]:
    """All transitions, by machine and id."""
    window = model.window.transitions if model.window else ()
    return {("turn", t.id) for t in model.transitions} | {("window", t.id) for t in window}


def _key(record: Record) -> tuple[str, str]:
    return record.machine, record.transition


def _cut(trace: Trace, entry: int) -> Trace:
    """The trace as far as the answer that made this entry fire."""
    rest = trace.entries[entry:]
    length = next((i for i, e in enumerate(rest) if isinstance(e, Answer)), len(rest))
    return Trace(trace.head, trace.entries[: entry + length])


def wire(trace: Trace) -> Game:
    """The game of a trace."""
    return {"head": encode(trace.head), "answers": [encode(answer) for answer in trace.answers]}


def moments(model: Model, trace: Trace) -> list[str]:
    """What the Python machine asks, is and has fired at the start of this game and after each
    answer, as JSON.
    """
    head, found = trace.head, []
    controller = TurnController(
        model, head.players, teams=head.teams, settings=head.settings, orders=head.orders
    )
    fired = _fired(trace)
    found.append(_moment(controller, fired[0]))
    for answer, records in zip(trace.answers, fired[1:], strict=True):
        controller.answer(answer)
        found.append(_moment(controller, records))
    return found


def _fired(trace: Trace) -> list[list[Record]]:
    """The records at the start, then those after each answer."""
    found: list[list[Record]] = [[]]
    for entry in trace.entries:
        if isinstance(entry, Answer):
            found.append([])
        else:
            found[-1].append(entry)
    return found


def _moment(controller: TurnController, records: list[Record]) -> str:
    run: Any = controller.snapshot()["run"]
    own = {name: run.get(name, default) for name, default in OWN.items()}
    parts = {
        "agenda": controller.agenda,
        "calendar": controller.calendar,
        "settings": controller.trace.head.settings,
    }
    request = {"is": type(controller.request).__name__, **_plain(controller.request)}
    return json.dumps([request, own | parts, records], default=_plain, sort_keys=True)


def _plain(value: object) -> dict[str, Any]:
    return {field.name: getattr(value, field.name) for field in fields(value)}  # type: ignore[arg-type]
