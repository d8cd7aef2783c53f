"""Compares the expectations of a scenario with its outcome. Each failure is one sentence."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING

from fsm.runs.visits import passes_of
from fsm.runs.where import Where
from fsm.scenarios.checklist import CHECKS
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
from fsm.scenarios.games import GAMES

if TYPE_CHECKING:
    from fsm.runs.visits import Visit
    from fsm.scenarios.outcome import Outcome

LONGEST = 40
"""A message shows at most this many entries of a list."""

ALL_CHECKERS: dict[str, Checker] = {name: check for game in GAMES for name, check in game.checkers.items()}
_checks = registers(ALL_CHECKERS)


def check(outcome: Outcome) -> list[str]:
    """Return the failures. Each one names the scenario, the expectation, what was wanted and what was found."""
    return [
        f"{outcome.scenario.id}: {expectation.place}.{name}: {what}: wanted {_show(wanted)}, got {_show(got)}"
        for expectation in outcome.scenario.expect
        for name in expectation.entry
        if name in CHECKS
        for what, wanted, got in ALL_CHECKERS[name](outcome, expectation.entry)
        if wanted != got
    ]


def _show(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, list | tuple) and not isinstance(value, Where):
        shown = [_show(part) for part in value[:LONGEST]]
        return f"[{', '.join(shown)}{f', ... ({len(value)} in all)' if len(value) > LONGEST else ''}]"
    if isinstance(value, dict):
        return f"{{{', '.join(f'{key}: {_show(part)}' for key, part in value.items())}}}"
    return str(value)


# turns -------------------------------------------------------------------------------------------------


@_checks
def turn_order(outcome: Outcome, entry: ExpectEntry) -> Iterator[Discrepancy]:
    wanted = list(entry["turn_order"])
    yield "active players from turn 1", wanted, [t.active for t in outcome.turns][: len(wanted)]


def _of_turn(outcome: Outcome, entry: ExpectEntry, name: str) -> Iterator[Discrepancy]:
    number = entry["turn"]
    taken = next((t for t in outcome.turns if t.turn == number), None)
    yield f"turn {number}", entry[name], getattr(taken, name) if taken else Missing("no such turn")


ALL_CHECKERS |= {name: partial(_of_turn, name=name) for name in ("active", "extra", "controller")}


@_checks
def over(outcome: Outcome, entry: ExpectEntry) -> Iterator[Discrepancy]:
    yield "the game is over", entry["over"], outcome.over


# steps and phases of a turn --------------------------------------------------------------------------------


def _listed(outcome: Outcome, entry: ExpectEntry, pick: Callable[[list[Visit]], object]) -> object:
    """Return what `pick` finds in the visits of the entry's turn."""
    return of_turn(outcome, entry, lambda turn: pick([v for v in outcome.visits if v.turn == turn]))


@_checks
def steps(outcome: Outcome, entry: ExpectEntry) -> Iterator[Discrepancy]:
    got = _listed(outcome, entry, lambda visits: [v.step for v in visits])
    yield f"steps of turn {entry['turn']}", list(entry["steps"]), got


@_checks
def contains(outcome: Outcome, entry: ExpectEntry) -> Iterator[Discrepancy]:
    run = list(entry["contains"])
    got = _listed(outcome, entry, lambda visits: [v.step for v in visits])
    if not isinstance(got, list) or not occurs(run, got):
        yield f"a run of steps in turn {entry['turn']}", run, got


@_checks
def visits(outcome: Outcome, entry: ExpectEntry) -> Iterator[Discrepancy]:
    def counts(found: list[Visit]) -> dict[str, int]:
        counter = Counter(v.step for v in found)
        return {step: counter[step] for step in entry["visits"]}

    yield f"visits in turn {entry['turn']}", dict(entry["visits"]), _listed(outcome, entry, counts)


@_checks
def phases(outcome: Outcome, entry: ExpectEntry) -> Iterator[Discrepancy]:
    got = _listed(outcome, entry, lambda found: list({v.phase_id: v.phase for v in found}.values()))
    yield f"phases of turn {entry['turn']}", list(entry["phases"]), got


# one visit -----------------------------------------------------------------------------------------------------


@_checks
def priority(outcome: Outcome, entry: ExpectEntry) -> Iterator[Discrepancy]:
    claim = entry["priority"]
    where = where_of(claim, turn=entry["turn"])
    yield f"somebody gets priority in {where}", claim["given"], at_visit(outcome, where, lambda v: v.priority)


@_checks
def priority_order(outcome: Outcome, entry: ExpectEntry) -> Iterator[Discrepancy]:
    where = where_of(entry)
    got = at_visit(outcome, where, lambda v: list(outcome.log.visit(where).priority))
    yield f"who receives priority in {where}", list(entry["priority_order"]), got


@_checks
def tba_order(outcome: Outcome, entry: ExpectEntry) -> Iterator[Discrepancy]:
    where = where_of(entry)
    yield f"turn-based actions of {where}", list(entry["tba_order"]), at_visit(outcome, where, lambda v: v.actions)


# effects, triggers ------------------------------------------------------------------------------------------------


@_checks
def active_at(outcome: Outcome, entry: ExpectEntry) -> Iterator[Discrepancy]:
    id = entry["effect"]
    for claim in entry["active_at"]:
        where = where_of(claim)
        got = at_visit(outcome, where, lambda v: _on(outcome, v.where, id))
        yield f"effect {id} on in {where}", claim["value"], got


def _on(outcome: Outcome, where: Where, id: str) -> bool:
    seen = outcome.log.visit(where)
    return id in seen.made or id in (seen.on or ())


def _events(outcome: Outcome, entry: ExpectEntry, kind: str) -> Iterator[Discrepancy]:
    wanted: list[ExpectEntry] = list(entry[kind])
    numbered = any("iteration" in claim for claim in wanted)
    got = [e.where for e in outcome.log.triggers if e.kind == kind and e.id == entry["trigger"]]
    shown = [where_of(claim) for claim in wanted]
    if not numbered:
        got = [Where(w.turn, w.step) for w in got]
    yield f"trigger {entry['trigger']} {kind.replace('_', ' ')}", shown, got


ALL_CHECKERS |= {kind: partial(_events, kind=kind) for kind in ("fires", "put_on_stack")}


# stages, windows, the stack ------------------------------------------------------------


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
    got = of_turn(outcome, entry, lambda turn: list(passes_of(outcome.records, outcome.model)).count(turn))
    yield f"passes in turn {entry['turn']}", entry["passes"], got


@_checks
def resolves(outcome: Outcome, entry: ExpectEntry) -> Iterator[Discrepancy]:
    where = where_of(entry)
    got = at_visit(outcome, where, lambda visit: list(outcome.log.visit(where).resolved))
    yield f"what resolves in {where}", list(entry["resolves"]), got
