"""`fsm draw`, `explore` and `diff` write pictures, tables and pages."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import fsm
from support.commandline import DOOR, command, written


@pytest.mark.parametrize(
    ("name", "start"),
    [
        ("it.svg", "<svg"),
        ("it.dot", "digraph"),
        ("it.mmd", "flowchart TB"),
        ("it.json", '"states"'),
        ("it.md", "|"),
        ("it.html", "<!DOCTYPE html>"),
        ("it.txt", "│"),
    ],
)
def test_the_name_of_the_file_says_the_format(name: str, start: str) -> None:
    assert command("draw magic -o", name).output == f"written: {name}\n"
    assert start in Path(name).read_text("utf-8")


def test_a_dash_is_standard_output(capfd: pytest.CaptureFixture[str]) -> None:
    assert command("draw magic -o - --format dot").exit_code == 0
    assert capfd.readouterr().out.startswith("digraph")
    assert [*Path().iterdir()] == []


def test_a_file_is_replaced_and_nothing_is_left_beside_it() -> None:
    written("it.svg", "old")
    assert command("draw magic -o it.svg").exit_code == 0
    assert [path.name for path in Path().iterdir()] == ["it.svg"]
    assert Path("it.svg").read_text("utf-8").startswith("<svg")


def test_views_are_listed_and_drawn() -> None:
    assert "phase:combat_phase " in command("draw magic --views").output
    assert command("draw magic -o combat.svg --view phase:combat_phase").exit_code == 0
    assert "Declare attackers" in Path("combat.svg").read_text("utf-8")


@pytest.mark.parametrize(
    "option", ["--at upkeep_window", "--trace run.jsonl", "--against magic-2010", "--theme dark"]
)
def test_an_option_changes_the_picture(option: str) -> None:
    assert command("run --trace run.jsonl", written("quiet.json", {})).exit_code == 0
    assert command(f"draw magic -o it.svg {option}").exit_code == 0
    assert Path("it.svg").read_text("utf-8") != fsm.draw("magic")


def test_citations_are_links() -> None:
    assert command("draw magic -o it.svg --link https://example.org/{rule}").exit_code == 0
    assert "https://example.org/502" in Path("it.svg").read_text("utf-8")


def test_a_plain_machine_is_drawn() -> None:
    written("shop.py", DOOR)
    assert command("draw shop:door -o door.dot").exit_code == 0
    assert "push" in Path("door.dot").read_text("utf-8")


def test_explore_writes_a_page_with_these_players() -> None:
    done = command("explore magic -o turn.html --theme dark --players", "Ann, Ben")
    assert (done.exit_code, done.output) == (0, "written: turn.html\n")
    page = Path("turn.html").read_text("utf-8")
    assert page.startswith("<!DOCTYPE html>") and page.rstrip().endswith("</html>")
    assert 'data-theme="dark"' in page and '"players":["Ann","Ben"]' in page


def test_explore_loads_a_scenario_and_a_trace() -> None:
    written("case.json", {"turn_order": ["Ann", "Ben"], "through_turn": 1})
    assert command("run case.json --trace case.jsonl").exit_code == 0
    for source in ("case.json", "case.jsonl"):
        assert command("explore magic -o page.html --load", source).exit_code == 0
        assert '"answers":[{"is":"Answer"' in Path("page.html").read_text("utf-8")


def test_diff_says_what_changed() -> None:
    done = command("diff magic magic?stated_attacker_counts=true")
    assert done.exit_code == 0
    assert "~ option stated_attacker_counts: no -> yes" in done.output
    assert "2 came, 0 went, 3 changed, 0 renamed" in done.output
    assert command("diff magic magic").output == "magic and magic: nothing differs\n"


def test_diff_for_programs_and_as_a_picture() -> None:
    found = json.loads(command("diff magic-2010 magic --json").output)
    assert (found["a"]["name"], found["b"]["name"], found["same"]) == ("magic-2010", "magic", False)
    assert command("diff magic-2010 magic -o both.svg").exit_code == 0
    assert Path("both.svg").read_text("utf-8").startswith("<svg")
