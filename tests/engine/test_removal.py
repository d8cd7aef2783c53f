"""The test of the idea: take one transition out of the Model, and everything else follows.

Over every transition of Magic's turn and of its window: the run, the fingerprint, the findings, the
picture and the report of transitions taken change, with no other edit. A fixed set of runs
(tests/plans.py) takes every transition; each changed model is run where the whole one took what it
lacks, soonest.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache

import pytest

import fsm
from fsm import Over, Request, draw
from fsm.checks import check
from fsm.engine import Record
from fsm.errors import StuckError
from fsm.hosts import Position
from fsm.model import Model, Transition
from fsm.runs.taken import taken
from fsm.views.drawing import views_of
from support.amounts import sample
from support.driver import Driver
from support.oracle import Oracle, Script
from support.plans import plans

VISITS = 24
MAGIC = fsm.load("magic")
PLANS = plans(MAGIC)
# Without the first or the last, another row does the same; the second says that nothing happens.
# The trace differs.
SAME_COURSE = {
    "combat_phase -> end_combat_triggers on end_phase [combat_under_way]",
    "all_passed -> (stays) on player_left",
    "draw_before -> draw_after [first_turn, first_draw_skipped, not extra_draw, team_turns]",
}


@dataclass(frozen=True)
class Row:
    """One transition, and the machine it belongs to."""

    machine: str
    transition: Transition

    def __str__(self) -> str:
        return f"{self.machine}: {self.transition.id}"

    @property
    def removed(self) -> Model:
        """Magic without it, and nothing else changed."""
        if self.machine == "turn":
            return MAGIC.without(self.transition.id)
        return replace(MAGIC, window=_window(MAGIC).without(self.transition.id))


@dataclass(frozen=True)
class Course:
    """How one run went: what was asked, what fired, and where it got stuck, if it did."""

    asked: tuple[tuple[type[Request], str, Position], ...]
    records: tuple[Record, ...]
    stuck: str = ""

    @property
    def fired(self) -> list[tuple[str, str]]:
        """What fired, by machine and id."""
        return [(record.machine, record.transition) for record in self.records]


def _window(model: Model) -> Model:
    assert model.window is not None
    return model.window


def rows() -> Iterator[Row]:
    yield from (Row("turn", t) for t in MAGIC.transitions)
    yield from (Row("window", t) for t in _window(MAGIC).transitions)


ROWS = tuple(rows())
every_row = pytest.mark.parametrize("row", sample(ROWS, 12), ids=str)


def course(script: Script, model: Model, answers: int) -> Course:
    """Play, but answer no more often than this."""
    asked: list[tuple[type[Request], str, Position]] = []
    try:
        table = Driver(script, model)
    except StuckError as error:
        return Course((), (), str(error))
    stuck = ""
    while (
        len(asked) < answers
        and len(table.seen) <= VISITS
        and not isinstance(table.controller.request, Over)
    ):
        request = table.controller.request
        asked.append((type(request), request.state, request.at))
        try:
            table.step()
        except StuckError as error:
            stuck = str(error)
            break
    return Course(tuple(asked), tuple(table.controller.trace.records), stuck)


@cache
def whole(plan: str) -> Course:
    """How this plan goes with Magic as it is."""
    return course(PLANS[plan], MAGIC, 100_000)


@cache
def takers(row: Row) -> list[str]:
    """The plans that take this transition, the one that does so soonest first."""
    found = [plan for plan in PLANS if (row.machine, row.transition.id) in whole(plan).fired]
    return sorted(found, key=lambda plan: whole(plan).fired.index((row.machine, row.transition.id)))


@cache
def changed(row: Row, plan: str) -> Course:
    """How this plan goes without the transition; stopped where it goes on and on."""
    return course(PLANS[plan], row.removed, 2 * len(whole(plan).asked))


def differs(row: Row, plan: str) -> bool:
    """Is anything else asked, or does the run stop?"""
    course = changed(row, plan)
    return "nothing can fire here" in course.stuck or course.asked != whole(plan).asked


@pytest.mark.parametrize("plan", sample(PLANS, 6))
def test_the_plans_are_right(plan: str) -> None:
    """They get nowhere stuck, and visit the steps that the oracle says."""
    script = PLANS[plan]
    assert not whole(plan).stuck
    wanted = Oracle(script).play(VISITS)
    assert Driver(script, MAGIC).play(VISITS) == wanted


def test_every_transition_is_taken() -> None:
    """All of them, of turn and window."""
    records = [record for plan in PLANS for record in whole(plan).records]
    found = taken(MAGIC, records)
    assert (found.turn_missed, found.window_missed) == ((), ())
    assert found.count == found.total == len(ROWS)


@every_row
def test_the_run_changes(row: Row) -> None:
    """It goes another way, or stops where nothing can fire; and the report of it is another."""
    assert any(differs(row, plan) for plan in takers(row)) != (row.transition.id in SAME_COURSE)
    plan, id = takers(row)[0], row.transition.id
    before, after = (
        taken(MAGIC, whole(plan).records),
        taken(row.removed, changed(row, plan).records),
    )
    assert id in getattr(before, row.machine)
    assert id not in getattr(after, row.machine) + getattr(after, f"{row.machine}_missed")
    assert after.total == before.total - 1
    assert str(after) != str(before)


@every_row
def test_the_fingerprint_changes(row: Row) -> None:
    assert row.removed.fingerprint != MAGIC.fingerprint


@every_row
def test_the_checks_find_it_or_another_row_is_behind_it(row: Row) -> None:
    """A row that is gone is found, unless rows below it catch whatever it caught."""
    if not check(row.removed):
        model = row.removed if row.machine == "turn" else _window(row.removed)
        inside = [
            s.id for s in model.leaves if row.transition.source in {p.id for p in model.path(s.id)}
        ]
        assert row.transition.guard
        assert all(
            any(not r.guard for r in model.rows(state, row.transition.event)) for state in inside
        )


@every_row
def test_the_picture_changes(row: Row) -> None:
    """What is seen of it. Comments name what all steps share, and what changes no state."""
    said_once = row.transition.generic or row.transition.target is None
    assert any(
        seen(row.removed, view, said_once) != picture(view, said_once)
        for view in (row.machine, *views_of(MAGIC))
    )


@cache
def picture(view: str, comments: bool) -> tuple[str, ...]:
    return seen(MAGIC, view, comments)


def seen(model: Model, view: str, comments: bool) -> tuple[str, ...]:
    """The lines of a picture's DOT."""
    lines = draw(model, view=view, format="dot").splitlines()
    return tuple(line for line in lines if comments or not line.lstrip().startswith("//"))
