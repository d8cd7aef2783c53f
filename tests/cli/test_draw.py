"""`fsm draw`, `explore` and `diff` write pictures, tables and pages."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from support.commandline import DOOR, read, says, written


@pytest.mark.parametrize(
    ("name", "start"),
    [
        ("it.svg", "<svg"),
        ("it.dot", "digraph"),
        ("it.mmd", "stateDiagram-v2"),
        ("it.json", '"states"'),
        ("it.md", "|"),
        ("it.html", "<!DOCTYPE html>"),
        ("it.txt", "Beginning (501)"),
    ],
)
def test_the_name_of_the_file_says_the_format(name: str, start: str) -> None:
    assert says("draw magic -o", name) == f"written: {name}\n"
    assert start in read(name)


def test_without_a_name_the_file_is_called_as_the_ruleset() -> None:
    assert says("draw magic-2010") == "written: magic-2010.svg\n"
    assert says("draw lanterns:LANTERNS --format dot") == "written: LANTERNS.dot\n"
    assert says("explore magic?extra_draw_on_first_turn=false") == "written: magic.html\n"


def test_a_dash_is_standard_output(capfd: pytest.CaptureFixture[str]) -> None:
    says("draw magic -o - --format dot")
    assert capfd.readouterr().out.startswith("digraph")
    assert [*Path().iterdir()] == []


def test_a_file_is_replaced_and_nothing_is_left_beside_it() -> None:
    says("draw magic -o", written("it.svg", "old"))
    assert [path.name for path in Path().iterdir()] == ["it.svg"]
    assert read("it.svg").startswith("<svg")


def test_views_are_listed_and_drawn() -> None:
    assert "phase:combat_phase " in says("draw magic --views")
    says("draw magic -o combat.svg --view phase:combat_phase")
    assert "Declare attackers" in read("combat.svg")


def test_a_plain_machine_is_drawn() -> None:
    written("shop.py", DOOR.replace(', name="door"', ""))
    says("draw shop:door -o door.dot")
    assert "push" in read("door.dot") and "label=door" in read("door.dot"), "its name in the file"


def test_explore_writes_a_page_with_these_players() -> None:
    says("explore magic -o turn.html --theme dark --players Ann,Ben")
    page = read("turn.html")
    assert page.startswith("<!DOCTYPE html>") and page.endswith("</html>\n")
    assert 'data-theme="dark"' in page and '"players":["Ann","Ben"]' in page


@pytest.mark.parametrize("source", ["case.json", "case.jsonl"])
def test_explore_loads_a_scenario_and_a_trace(source: str) -> None:
    says("run --trace case.jsonl", written("case.json", {"through_turn": 1}))
    says("explore magic -o page.html --load", source)
    assert '"answers":[{"is":"Answer"' in read("page.html")


def test_diff_says_what_changed() -> None:
    told = says("diff magic magic?stated_attacker_counts=true")
    assert "~ option stated_attacker_counts: no -> yes" in told
    assert says("diff magic magic --exit-code") == "magic -> magic: nothing differs\n"
    says("diff magic magic-2010 --exit-code", code=1)


def test_diff_for_programs_and_as_a_picture() -> None:
    found = json.loads(says("diff magic-2010 magic --json"))
    assert (found["a"], found["b"], found["same"]) == ("magic-2010", "magic", False)
    says("draw magic --against magic-2010 -o both.svg")
    assert read("both.svg").startswith("<svg")
