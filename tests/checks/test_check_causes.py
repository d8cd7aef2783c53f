"""One cause is one finding, which proposes the row that is missing; and what cannot start is found."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

import fsm
from fsm.checks import Allowance, report
from fsm.cli import cli
from fsm.model import Action, Fact
from support.court import COURT

MODEL = COURT.build()


@pytest.mark.parametrize(
    ("row", "said"),
    [
        (
            "turn -> (stays) on insult",
            "add row('turn', None, event='insult') if nothing happens there",
        ),
        (
            "turn -> game_over on player_left",
            "add row('turn', None, event='player_left') if nothing happens there",
        ),
        (
            "levee_begin -> levee_dress",
            "nothing leads to 'levee_dress'; add row('levee_begin', 'levee_dress')",
        ),
        ("hall_window -> hall_end on closed", "add row('hall_window', 'hall_end', event='closed')"),
        ("turn_before -> turn_begin", "add row('turn_before', 'turn_begin')"),
        ("sleep_after -> night_phase_end", "add row('sleep_after', 'night_phase_end')"),
    ],
)
def test_one_missing_row_is_one_finding(row: str, said: str) -> None:
    [finding] = fsm.check(MODEL.without(row))
    assert said in finding.message


def test_how_many_findings_may_follow_is_said() -> None:
    result = report(MODEL.without("turn_before -> turn_begin"))
    assert len(result.findings) == 1
    assert result.following > 0


def test_states_to_which_nothing_leads_are_one_finding() -> None:
    model = MODEL.without("hall_window -> hall_throw_glove on insult")
    messages = [finding.message for finding in fsm.check(model) if finding.kind == "unreachable"]
    assert messages == ["no transition leads to 'hall_throw_glove', from 'turn_hub' on"]


def test_a_model_that_cannot_start_is_found() -> None:
    facts = tuple(
        replace(f, test=("starter_turn_is", "1")) if f.name == "first_turn" else f
        for f in MODEL.facts
    )
    [finding] = fsm.check(replace(MODEL, facts=facts))
    assert finding.kind == "cannot start"
    assert "did you mean 'starters_turn_is'?" in finding.message


def test_a_mark_by_which_no_duration_ends_is_found() -> None:
    [finding] = fsm.check(replace(MODEL, durations=()))
    assert (finding.kind, finding.subject) == ("unused", "action mark(end_of_turn)")
    near = replace(MODEL, durations=tuple(replace(d, what="end_of_trun") for d in MODEL.durations))
    assert any("did you mean 'end_of_trun'?" in finding.message for finding in fsm.check(near))


def test_a_name_a_table_and_a_path_can_be_checked(tmp_path: Path) -> None:
    path = tmp_path / "court.json"
    path.write_text(json.dumps(MODEL.to_json()), "utf-8")
    assert (
        fsm.check("grand-archive")
        == fsm.check(COURT)
        == fsm.check(str(path))
        == fsm.check(path)
        == []
    )
    with pytest.raises(fsm.FsmError, match="is no ruleset"):
        fsm.check(5)  # type: ignore[arg-type]


BROKEN = replace(COURT.changed("levee", unless="first_trun"), over="last")  # type: ignore[arg-type]


@pytest.mark.parametrize("output", ["text", "json"])
def test_the_command_prints_all_problems(output: str) -> None:
    done = CliRunner().invoke(cli, ["check", f"{__name__}:BROKEN", "--format", output])
    assert done.exit_code == 1
    assert "Table.over must be 'one_left' or 'never', not 'last'" in done.output


def test_a_run_that_is_stopped_is_not_ok(tmp_path: Path) -> None:
    story = tmp_path / "story.json"
    story.write_text(
        '{"given": [{"do": "standing_trigger", "id": "T", "step": "cleanup"}]}', "utf-8"
    )
    done = CliRunner().invoke(cli, ["run", str(story), "--max-steps", "40"])
    assert done.exit_code == 1
    assert (
        "stopped after 40 visited steps, in turn 1 cleanup: this turn visited cleanup"
        in done.output
    )


def test_a_fact_that_nobody_lists_is_known() -> None:
    assert Fact("first_turn", "this is the first turn of the side that plays first", "", "controller", about="the game",
                test=("starters_turn_is", "1")) in MODEL.facts  # fmt: skip
    assert Action("mark", ("end_of_turn",)) in [
        action for row in MODEL.transitions for action in row.actions
    ]


def test_what_follows_from_an_allowed_finding_is_left_out_and_can_be_allowed_itself() -> None:
    model = MODEL.without("levee_begin -> levee_dress")
    cause = Allowance("dead end", "levee_begin on done", "a trial")
    lost = [
        Allowance("unreachable", state, "a trial")
        for state in ("levee_dress", "levee_draw_card", "levee_end")
    ]
    assert fsm.check(model, [cause]) == []
    assert [f.kind for f in fsm.check(model, lost)] == ["dead end"]
    assert fsm.check(model, [cause, *lost]) == []
