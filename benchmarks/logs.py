"""The bar of following recorded games: a client's log, from its lines to the turns as text."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial

from benchmarks.games import PLAYERS, RULESET
from benchmarks.hosts import NullHost
from benchmarks.results import BenchError, Effort, Result
from benchmarks.timing import interleave, middle, ratio
from fsm import rulesets
from fsm.conformance.following import Follower
from fsm.conformance.recordings.client import VOCABULARY, ArenaLog
from fsm.embedding.host import drive
from fsm.engine.controller import TurnController
from fsm.model import Model
from fsm.runs.timeline import timeline
from fsm.runs.visits import Visit, visits_of

HEADER = "[UnityCrossThreadLogger]Match to SEAT1: GreToClientEvent\n"
WORDS = {entry.step: entry for entry in VOCABULARY if entry.step}


def conform(bars: Sequence[str], effort: Effort) -> Iterator[Result]:
    """Follow the log of one game. The reference only reads the JSON in its lines."""
    model = rulesets.load(RULESET)
    game = TurnController(model, PLAYERS)
    drive(game, NullHost(), until=lambda request: request.at.turn > effort.turns)
    lines = list(client_lines(visits_of(game.trace.records, model)))
    _check_followed(model, lines, effort.turns)
    calls: dict[str, Callable[[], object]] = {
        "ours": partial(_followed, model, lines),
        "loads": partial(_loaded, lines),
    }
    samples = interleave(calls, effort.rounds, effort.seconds)
    size = sum(map(len, lines)) / 1e6
    ours, reference = (size / middle(samples, side) for side in ("ours", "loads"))
    times = ratio(samples, "ours", "loads")
    entry = "a client's log, followed and written as turns"
    yield Result(
        bars[0], entry, "MB/s", 2.0, ours, "json.loads of its lines", reference, times, "at least"
    )


def client_lines(visits: Iterable[Visit]) -> Iterator[str]:
    """Yield a game as a commercial client logs it: a header and a line of JSON for each step with
    priority.
    """
    players = [
        {"systemSeatNumber": seat, "lifeTotal": 20, "status": "PlayerStatus_InGame"}
        for seat in (1, 2)
    ]
    yield HEADER
    yield _line(
        {"type": "GameStateType_Full", "gameInfo": {"stage": "GameStage_Start"}, "players": players}
    )
    marks: list[dict[str, object]] = []
    turn = 0
    for visit in visits:
        word, seat = WORDS[visit.step], PLAYERS.index(visit.active) + 1
        if visit.turn != turn:
            turn = visit.turn
            marks.append({"affectedIds": [seat], "type": ["AnnotationType_NewTurnStarted"]})
        codes = (("phase", word.phase_code), ("step", word.step_codes[0]))
        details = [
            {"key": key, "type": "KeyValuePairValueType_int32", "valueInt32": [code]}
            for key, code in codes
        ]
        marks.append(
            {
                "affectedIds": [seat],
                "type": ["AnnotationType_PhaseOrStepModified"],
                "details": details,
            }
        )
        if visit.priority:
            stated = {
                "phase": word.phase_word,
                "step": word.step_word,
                "turnNumber": turn,
                "activePlayer": seat,
            }
            told = {key: value for key, value in stated.items() if value}
            first: dict[str, object] = {
                "turnInfo": {**told, "priorityPlayer": seat},
                "annotations": marks,
            }
            yield HEADER
            yield _line(first, {"turnInfo": {**told, "priorityPlayer": 3 - seat}})
            marks = []


def _line(*states: dict[str, object]) -> str:
    messages = [
        {"type": "GREMessageType_GameStateMessage", "systemSeatIds": [1], "gameStateMessage": state}
        for state in states
    ]
    return (
        json.dumps({"requestId": 1, "greToClientEvent": {"greToClientMessages": messages}}) + "\n"
    )


def _followed(model: Model, lines: Iterable[str]) -> list[str]:
    return timeline(Follower(model).follow(ArenaLog(lines)), model)


def _loaded(lines: Iterable[str]) -> int:
    return sum(1 for line in lines if line.startswith("{") and json.loads(line))


def _check_followed(model: Model, lines: Iterable[str], turns: int) -> None:
    """Raise BenchError if the log is refused, or if turns of it are missing."""
    follower = Follower(model)
    records = sum(1 for _ in follower.follow(ArenaLog(lines)))
    found = follower.result
    if not found.ok or found.turns < turns:
        raise BenchError(
            f"{found.turns} of {turns} turns were followed, with {records} records: {found.refusal}"
        )
