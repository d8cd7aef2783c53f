"""The reference of a ruleset: one table each of its stages, its scenario words, its options; on
screen and on paper.
"""

from __future__ import annotations

import json
import runpy

import pytest
from click.testing import CliRunner

import fsm
from fsm.cli import cli
from fsm.rulesets import names, options
from fsm.scenarios.expectations import CHECKS
from fsm.scenarios.verbs import VERBS
from fsm.views.reference import Section, reference_of
from support.folders import DOCS


def sections(spec: str) -> dict[str, Section]:
    return {section.title: section for section in reference_of(spec)}


@pytest.mark.parametrize("name", names())
def test_every_action_and_window_of_a_step_has_one_row_in_order(name: str) -> None:
    model, rows = fsm.load(name), sections(name)["Stages"].rows
    steps = {state.id: state.name for state in model.of_kind("step")}
    inside = [
        state
        for state in model.leaves
        if state.parent in steps and state.kind in ("action", "window")
    ]
    shown = [row[1] for row in rows]
    assert len(shown) == len(set(shown))
    assert (
        {state.id for state in inside if state.role != "end"}
        <= set(shown)
        <= {state.id for state in inside}
    )
    assert all(steps[model.state(stage).parent] == step for step, stage, *_ in rows)
    assert list(dict.fromkeys(row[0] for row in rows)) == [
        s for s in steps.values() if s in {row[0] for row in rows}
    ]


@pytest.mark.parametrize("name", names())
def test_every_action_asked_of_the_game_is_named(name: str) -> None:
    found = sections(name)
    named = {row[3] for row in found["Stages"].rows} | {
        row[0] for row in found["Asked at other times"].rows
    }
    assert {state.action for state in fsm.load(name).leaves if state.asks == "perform"} <= named


@pytest.mark.parametrize("name", names())
def test_every_word_of_the_format_is_known_or_refused(name: str) -> None:
    found = sections(name)
    known = {
        row[0]
        for title in ("What may be given", "What may be expected")
        for row in found[title].rows
    }
    refused = {row[0].partition(".")[0] for row in found["Refused"].rows}
    assert known | refused == {*VERBS, *CHECKS}


@pytest.mark.parametrize("name", names())
def test_every_option_says_what_it_means(name: str) -> None:
    rows = sections(name)["Options"].rows
    assert [row[0] for row in rows] == list(options(name))
    assert all(len(meaning) > 15 for *_, meaning in rows)


@pytest.mark.parametrize("name", names())
def test_the_pages_are_current(name: str) -> None:
    pages = runpy.run_path(str(DOCS / "generate.py"))["pages"]()
    page = DOCS / "rulesets" / f"{name}.md"
    assert page.read_text(encoding="utf-8") == pages[page], "python docs/generate.py"


def test_on_screen_and_as_json() -> None:
    text = CliRunner().invoke(cli, ["rulesets", "magic-classic"]).output
    assert "put_damage_on_stack" in text
    assert "day_night" in text.partition("REFUSED")[2]
    data = json.loads(CliRunner().invoke(cli, ["rulesets", "grand-archive", "--json"]).output)
    assert {"step": "wake_up", "stage": "wake_up_wake"}.items() <= data["Stages"][0].items()


def test_a_ruleset_of_ones_own_has_a_reference_too() -> None:
    assert "Options" not in sections("lanterns:LANTERNS")
    assert ("challenge", "challenge_challenge") in [
        row[:2] for row in sections("lanterns:LANTERNS")["Stages"].rows
    ]


def test_a_wrong_name_is_refused() -> None:
    done = CliRunner().invoke(cli, ["rulesets", "magic-clasic"])
    assert done.exit_code == 2
    assert "did you mean 'magic-classic'?" in done.output
