"""Writes the smallest case that breaks an invariant: as a scenario if that is possible, otherwise
as a trace.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import replace
from itertools import groupby
from typing import Any

from fsm.engine.controller import TurnController
from fsm.engine.requests import Answer
from fsm.engine.trace import GameHeader, Trace
from fsm.errors import FsmError
from fsm.model import Model
from fsm.scenarios.departures import Case
from fsm.scenarios.writer import scenario_of
from fsm.testing.fuzzing.caseplaying import checked_game
from fsm.testing.fuzzing.checkedgame import Broken, raised
from fsm.testing.fuzzing.playing import Plan
from fsm.testing.fuzzing.report import Found
from fsm.testing.fuzzing.shrinking import (
    POINT_INVARIANTS,
    TRACE_INVARIANTS,
    Shrinker,
    case_of,
    replay_case,
)


def with_smallest_case(model: Model, spec: str, plan: Plan, found: Found) -> Found:
    """Add the smallest case to what was found. `spec` is the ruleset of a scenario, or "" if there
    is none.
    """
    thorough = replace(
        plan,
        snapshot_share=1.0 if found.broken.name in POINT_INVARIANTS else 0.0,
        trace_share=float(found.broken.name in TRACE_INVARIANTS),
    )
    case = case_of(model, thorough, found.game)
    small = Shrinker(model, found.broken).shrink(case)
    broken = replay_case(model, small, found.broken.name).broken or found.broken
    kind, text = _text(model, spec, small, broken)
    left, of = len(small.departures), len(case.departures)
    return replace(found, broken=broken, kind=kind, case=text, departures=left, of=of)


def broken_by(model: Model, head: GameHeader, answers: tuple[Answer, ...]) -> Broken | None:
    """Return the first invariant that a game of these answers breaks, or None."""
    return checked_game(model, head, answers).broken


def _text(model: Model, spec: str, case: Case, broken: Broken) -> tuple[str, str]:
    scenario = smallest_scenario(model, spec, case, broken)
    if scenario is not None and _breaks(model, scenario, broken):
        return "scenario", json.dumps(scenario, indent=2, ensure_ascii=False) + "\n"
    return "trace", _trace(model, case, broken)


def _trace(model: Model, case: Case, broken: Broken) -> str:
    """Return the trace. A refused answer is its last line. If the trace itself is wrong, it has
    only the answers.
    """
    head, answers = case.head, replay_case(model, case, broken.name).answers
    trace = Trace(head, [*answers])
    if broken.name == "trace_replays":
        return "".join(f"{line}\n" for line in trace.lines())
    with suppress(Exception):
        trace = _recorded(
            TurnController(model, head.players, teams=head.teams, settings=head.settings), answers
        )
    return "".join(f"{line}\n" for line in trace.lines())


def _recorded(game: TurnController, answers: Iterable[Answer]) -> Trace:
    for answer in answers:
        try:
            game.answer(answer)
        except Exception:
            return Trace(game.head, [*game.trace.entries, answer])
    return game.trace


# as a scenario ------------------------------------------------------------------------------------


def smallest_scenario(model: Model, spec: str, case: Case, broken: Broken) -> dict[str, Any] | None:
    """Return the case as a scenario, or None if scenarios cannot name the ruleset or what happens."""
    if not spec or not all(departure.request.step for departure in case.departures):
        return None
    acts = [
        list(act) for _, act in groupby(case.departures, key=lambda departure: departure.request)
    ]
    last = max((departure.request.turn for departure in case.departures), default=1)
    name, note = f"fuzz-{broken.name}", f"{broken.name}: {broken.what}"
    return scenario_of(model, spec, name, case.head, acts, through=last + 2, note=note)


def _breaks(model: Model, data: dict[str, Any], broken: Broken) -> bool:
    """Whether the same invariant is broken when this scenario is played."""
    from fsm.scenarios import parse_scenarios, play

    try:
        scenario = parse_scenarios(data, "case", model)[0]
    except FsmError:
        return False
    try:
        trace = play(scenario).trace
    except Exception as error:
        return raised(error, 0).name == broken.name
    found = broken_by(model, trace.head, tuple(trace.answers))
    return found is not None and found.name == broken.name
