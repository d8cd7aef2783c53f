"""A table is checked as it is written: one cause is one finding, and the row that is missing is
proposed.
"""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path

import pytest
from msgspec.structs import replace

import fsm
from fsm.checks import Allowance, report
from fsm.rulesets import Act, Fact, Phase, Step, Table
from support.commandline import command
from support.court import COURT

MODEL = COURT.build()
BROKEN = COURT.changed(
    "levee", lambda levee: dataclasses.replace(levee, unless="first_trun")
).changed("sleep", lambda sleep: dataclasses.replace(sleep, unless="tired"))


@pytest.mark.parametrize(
    ("row", "said"),
    [
        (
            "turn -> (stays) on insult",
            "add row('turn', None, event='insult') if nothing happens there",
        ),
        (
            "levee_begin -> levee_dress",
            "nothing leads to 'levee_dress'; add row('levee_begin', 'levee_dress')",
        ),
        ("hall_window -> hall_end on closed", "add row('hall_window', 'hall_end', event='closed')"),
        ("turn_before -> turn_begin", "add row('turn_before', 'turn_begin')"),
    ],
)
def test_a_missing_row_is_one_finding_that_proposes_it(row: str, said: str) -> None:
    [finding] = fsm.check(MODEL.without(row))
    assert said in finding.message


def test_how_many_findings_only_follow_is_said() -> None:
    result = report(MODEL.without("levee_begin -> levee_dress"))
    assert (len(result.findings), result.following) == (1, 1)


def test_what_follows_from_an_allowed_finding_is_left_out() -> None:
    model = MODEL.without("levee_begin -> levee_dress")
    cause = Allowance("dead end", "levee_begin on done", "a trial")
    lost = Allowance("unreachable", "levee_dress", "a trial")
    assert fsm.check(model, [cause]) == []
    assert [finding.kind for finding in fsm.check(model, [lost])] == ["dead end"]
    assert fsm.check(model, [cause, lost]) == []


def test_states_to_which_nothing_leads_are_one_finding() -> None:
    model = MODEL.without("hall_window -> hall_throw_glove on insult")
    found = [finding.message for finding in fsm.check(model) if finding.kind == "unreachable"]
    assert found == ["no transition that can fire leads to 'hall_throw_glove'"]


def test_a_model_that_cannot_start_is_found() -> None:
    [fact] = [fact for fact in MODEL.facts if fact.name == "first_turn"]
    others = [other for other in MODEL.facts if other is not fact]
    wrong = replace(fact, test=("starter_turn_is", "1"))
    [finding] = fsm.check(replace(MODEL, facts=(*others, wrong)))
    assert finding.kind == "cannot start"
    assert "did you mean 'starters_turn_is'?" in finding.message


def test_a_fact_that_is_read_before_anything_is_asked_is_found() -> None:
    first = Step("first", Act("wait"), unless="windy")
    game = Table("g", Phase("day", first, Step("then", Act("sail"))), facts=Fact("windy"))
    [finding] = [one for one in fsm.check(game) if one.kind == "cannot start"]
    assert "the fact 'windy' is read before anything is asked; read it after" in finding.message


def test_a_name_a_table_and_a_file_can_be_checked(tmp_path: Path) -> None:
    path = tmp_path / "court.json"
    path.write_text(json.dumps(MODEL.to_json()), "utf-8")
    assert fsm.check("grand-archive") == []
    assert fsm.check(COURT) == fsm.check(path) == fsm.check(str(path)) == []
    with pytest.raises(fsm.FsmError, match="must be a Model or a Table"):
        fsm.check(5)  # type: ignore[arg-type]


def test_every_problem_of_a_table_is_a_finding() -> None:
    found = fsm.check(BROKEN)
    assert {finding.kind for finding in found} == {"cannot start"}
    assert len(found) == 2
    assert "did you mean 'first_turn'?" in found[0].message
    assert "'tired'" in found[1].message


@pytest.mark.parametrize("output", ["", "--json"])
def test_the_command_prints_every_problem(output: str) -> None:
    done = command(f"check {__name__}:BROKEN {output}")
    assert done.exit_code == 1
    assert "did you mean 'first_turn'?" in done.output
    assert "'tired'" in done.output
