"""Expectations about stages, windows, the stack, combat damage and mana burn."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from fsm.runs.where import Where
from fsm.scenarios.discrepancies import (
    Checker,
    Discrepancy,
    ExpectEntry,
    Missing,
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


def _seen(outcome: Outcome, entry: ExpectEntry, what: str, key: str, kind: str) -> Iterator[Discrepancy]:
    where = where_of(entry)
    got = at_visit(outcome, where, lambda visit: list(getattr(outcome.log.visit(visit.where), kind)))
    yield f"{what} in {where}", list(entry[key]), got


@_checks
def resolves(outcome: Outcome, entry: ExpectEntry) -> Iterator[Discrepancy]:
    yield from _seen(outcome, entry, "what resolves", "resolves", "resolved")


@_checks
def assigns(outcome: Outcome, entry: ExpectEntry) -> Iterator[Discrepancy]:
    yield from _seen(outcome, entry, "who assigns damage", "assigns", "assigned")


@_checks
def dealt(outcome: Outcome, entry: ExpectEntry) -> Iterator[Discrepancy]:
    yield from _seen(outcome, entry, "whose damage is dealt", "dealt", "dealt")


# a phase -----------------------------------------------------------------------------------------------


@_checks
def burn(outcome: Outcome, entry: ExpectEntry) -> Iterator[Discrepancy]:
    claim = entry["burn"]
    player, nth = claim["player"], claim.get("iteration", 1)
    phases = [v.phase_id for v in outcome.visits if (v.turn, v.phase) == (claim["turn"], claim["phase"])]
    ids = list(dict.fromkeys(phases))
    got: object = Missing("no such phase")
    if len(ids) >= nth:
        burns = (b.amount for b in outcome.log.burns if (b.phase_id, b.player) == (ids[nth - 1], player))
        got = sum(burns)
    where = Where(claim["turn"], claim["phase"], nth)
    yield f"life that {player} loses by mana in {where}", claim["amount"], got
