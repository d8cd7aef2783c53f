"""Parts of tables and pictures that are not public."""

from __future__ import annotations

from itertools import pairwise

import pytest

import fsm
from fsm.views import read, tabulate
from fsm.views.overlays import difference
from fsm.views.tables import after, before
from support.drawings import BUILT_IN, GAMES, LANTERNS, loaded

NETRUNNER = "games.netrunner:NETRUNNER"


@pytest.mark.parametrize("ruleset", [*BUILT_IN, LANTERNS, *GAMES])
def test_each_way_to_another_than_the_next_step_is_told(ruleset: str) -> None:
    turn = read(loaded(ruleset))
    ids = [step.id for step in turn.steps]
    course = {*pairwise([*ids, "(next turn)"])}
    for step in turn.steps:
        told = " ".join(note.text for note in after(turn, step))
        for way in turn.ways:
            if way.source == step.id != way.target and (step.id, way.target) not in course:
                assert turn.place(way.target) in told


def test_the_only_case_in_which_a_step_comes_is_told_once_and_if_it_is_true() -> None:
    turn = read(loaded(NETRUNNER))
    cases = {step.title: [note.text for note in before(turn, step)] for step in turn.steps}
    assert cases["Draw"] == ["Left out: the Runner's turn"]
    assert cases["Initiation"] == ["Only if the Runner runs"]
    assert cases["Approach ice"] == ["Only if ice is ahead"]
    assert cases["Runner turn"] == ["Left out: the Corp's turn"] and cases["Discard"] == []
    assert tabulate(loaded(NETRUNNER)).count("Only if the Runner runs") == 1


def test_a_step_of_a_phase_that_is_gone_stands_only_where_it_is_now() -> None:
    new, old = (fsm.load(name) for name in ("grand-archive", "magic"))
    both = difference(read(new), new, old).turn
    assert both is not None
    ids = [part.id for part in both.parts]
    assert sorted(ids) == sorted({*ids})
    assert {"beginning_phase", "upkeep_step"} <= {*ids}
    around = both.phase_of("draw_step")
    assert around is not None
    assert around.id == "draw_phase"
