"""Writes witnesses as files that can be played: as a scenario if the format can express it, otherwise as a trace."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from fsm.engine.controller import TurnController
from fsm.engine.quiet import quiet_facts
from fsm.engine.requests import Answer, Request
from fsm.engine.trace import Trace
from fsm.errors import FsmError
from fsm.model import Model
from fsm.scenarios.departures import Spots
from fsm.scenarios.writer import order_of, signal_of

Holds = Callable[[Sequence[Answer] | None], bool]
"""Says whether a game with these answers shows the problem. None stands for a game that got stuck."""


@dataclass(frozen=True, slots=True)
class WitnessFile:
    """A file: its kind, "scenario" or "trace", and its text."""

    kind: str
    text: str

    @property
    def ending(self) -> str:
        """The suffix of its name."""
        return ".json" if self.kind == "scenario" else ".jsonl"


def written(
    model: Model, spec: str, name: str, note: str, players: Sequence[str], answers: Sequence[Answer], shows: Holds
) -> WitnessFile:
    """Write a witness as a file. `spec` is the ruleset as scenarios name it, or "" if they cannot."""
    scenario = scenario_of(model, spec, name, note, players, answers)
    if scenario is not None and _shows(model, scenario, shows):
        return WitnessFile("scenario", json.dumps(scenario, indent=2, ensure_ascii=False) + "\n")
    return written_as_trace(model, players, answers)


def written_as_trace(model: Model, players: Sequence[str], answers: Sequence[Answer]) -> WitnessFile:
    """Write a game with these answers as a trace."""
    return WitnessFile("trace", "".join(f"{line}\n" for line in _trace(model, players, answers).lines()))


def _trace(model: Model, players: Sequence[str], answers: Sequence[Answer]) -> Trace:
    """Return the trace as far as the game goes. An answer that fails is its last line."""
    game = TurnController(model, players)
    for answer in answers:
        try:
            game.answer(answer)
        except FsmError:
            trace = game.trace
            trace.entries.append(answer)
            return trace
    return game.trace


def scenario_of(
    model: Model, spec: str, name: str, note: str, players: Sequence[str], answers: Sequence[Answer]
) -> dict[str, Any] | None:
    from fsm.rulesets.options import parse_options

    if not spec:
        return None
    ruleset, _, query = spec.partition("?")
    game, spots, given = TurnController(model, players), Spots(), list[dict[str, Any]]()
    quiet = frozenset(quiet_facts(model))
    try:
        for answer in answers:
            spot = spots.name(game.request)
            given += items_of(game.request, answer, quiet, spot.iteration)
            game.answer(answer)
    except KeyError:
        return None
    except FsmError:
        pass
    made: dict[str, Any] = {"id": name, "ruleset": ruleset, "players": len(players)}
    made |= {"options": dict(parse_options(spec, query))} if query else {}
    return {**made, "through_turn": game.request.at.turn, "note": note, "given": given, "expect": []}


def items_of(request: Request, answer: Answer, quiet: frozenset[str], iteration: int) -> Iterator[dict[str, Any]]:
    at = request.at
    what = [*answer.orders, *([answer.signal] if answer.signal else ())]
    written = [(n, v) for n, v in answer.facts.items() if v != (n in quiet) and (request.state == at.stage or v)]
    if (what or written) and not at.step:
        raise KeyError(at.stage)
    inside = request.state != at.stage
    when = {"turn": at.turn, "step": at.step, "iteration": iteration, "at": at.stage}
    for order in answer.orders:
        yield {"when": when, **order_of(order)}
    if answer.signal is not None:
        yield {"when": when, **signal_of(answer.signal)}
    for name, value in written:
        if name in VERBS and inside:
            yield {"when": {**when, "at": "begin"}, **VERBS[name]}
        else:
            yield {"when": when, "do": "tell", "fact": name, **({} if value else {"value": False})}


VERBS: dict[str, dict[str, Any]] = {"sba_performed": {"do": "sba"}, "triggers_waiting": {"do": "trigger", "id": "t"}}
"""What a scenario does so that the game reports such a fact inside a window."""


def _shows(model: Model, data: dict[str, Any], shows: Holds) -> bool:
    from fsm.scenarios import parse_scenarios, play

    with suppress(FsmError):
        scenario = parse_scenarios(data, "case", model)[0]
        try:
            return shows(play(scenario).trace.answers)
        except FsmError:
            return shows(None)
    return False
