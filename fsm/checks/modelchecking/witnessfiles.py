"""Writes witnesses as files that can be played: as a scenario if the format can express it,
otherwise as a trace.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from fsm.engine.controller import TurnController
from fsm.engine.requests import Answer
from fsm.engine.trace import Trace
from fsm.errors import FsmError
from fsm.model import Model
from fsm.scenarios import load, play
from fsm.scenarios.departures import Departure, departures_of
from fsm.scenarios.writer import scenario_of

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
    model: Model,
    spec: str,
    name: str,
    note: str,
    players: Sequence[str],
    answers: Sequence[Answer],
    shows: Holds,
) -> WitnessFile:
    """Write a witness as a file. `spec` is the ruleset as scenarios name it, or "" if they cannot."""
    game = TurnController(model, players)
    text = scenario_text(game, spec, name, note, answers, shows)
    return WitnessFile("scenario", text) if text else written_as_trace(model, players, answers)


def scenario_text(
    game: TurnController,
    spec: str,
    name: str,
    note: str,
    answers: Sequence[Answer],
    shows: Holds,
) -> str:
    """Return the text of a scenario that shows the problem, or "" if none does.

    `game` is a new game, to which these answers are given.
    """
    scenario = _scenario(game, spec, name, note, answers)
    if scenario is None or not _shows(game.model, scenario, shows):
        return ""
    return json.dumps(scenario, indent=2, ensure_ascii=False) + "\n"


def written_as_trace(
    model: Model, players: Sequence[str], answers: Sequence[Answer]
) -> WitnessFile:
    """Write a game with these answers as a trace."""
    return WitnessFile(
        "trace", "".join(f"{line}\n" for line in _trace(model, players, answers).lines())
    )


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


def _scenario(
    game: TurnController, spec: str, name: str, note: str, answers: Sequence[Answer]
) -> dict[str, Any] | None:
    """Return a game as a scenario, or None if scenarios cannot name the ruleset or what happens."""
    acts = list[list[Departure]]()
    with suppress(FsmError):  # the last answer may be the one that fails
        acts.extend(departures_of(game, answers))
    if not spec or not all(departure.request.step for act in acts for departure in act):
        return None
    head, through = game.trace.head, game.request.at.turn
    return scenario_of(game.model, spec, name, head, acts, through=through, note=note)


def _shows(model: Model, data: dict[str, Any], shows: Holds) -> bool:
    with suppress(FsmError):
        scenario = load(data, model, place="case")[0]
        try:
            return shows(play(scenario).trace.answers)
        except FsmError:
            return shows(None)
    return False
