"""Expectations about stages, windows and the stack."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from fsm.scenarios.discrepancies import (
    Checker,
    Discrepancy,
    ExpectEntry,
    at_visit,
    occurs,
    of_turn,
    registers,
    where_of,
)

if TYPE_CHECKING:
    from fsm.scenarios.outcome import Outcome

FLOW_CHECKERS: dict[str, Checker] = {}
_checks = registers(FLOW_CHECKERS)


# a turn ----------------------------------------------------------------------------------------------


@_checks
def stages(outcome: Outcome, entry: ExpectEntry) -> Iterator[Discrepancy]:
    run = list(entry["stages"])
    got = of_turn(outcome, entry, lambda turn: [s.state for s in outcome.stages if s.turn == turn])
    if not isinstance(got, list) or not occurs(run, got):
        yield f"a run of stages in turn {entry['turn']}", run, got


@_checks
def windows(outcome: Outcome, entry: ExpectEntry) -> Iterator[Discrepancy]:
    got = of_turn(outcome, entry, lambda turn: sum(s.window for s in outcome.stages if s.turn == turn))
    yield f"windows in turn {entry['turn']}", entry["windows"], got


@_checks
def passes(outcome: Outcome, entry: ExpectEntry) -> Iterator[Discrepancy]:
    from fsm.runs.visits import passes_of

    got = of_turn(outcome, entry, lambda turn: list(passes_of(outcome.records, outcome.model)).count(turn))
    yield f"passes in turn {entry['turn']}", entry["passes"], got


# a visit -----------------------------------------------------------------------------------------------


@_checks
def resolves(outcome: Outcome, entry: ExpectEntry) -> Iterator[Discrepancy]:
    where = where_of(entry)
    got = at_visit(outcome, where, lambda visit: list(outcome.log.visit(where).resolved))
    yield f"what resolves in {where}", list(entry["resolves"]), got
