"""`fsm check` as its user meets it: text, JSON, exit codes, allowances, rules, plain machines."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import fsm
from fsm.cli.check import check
from fsm.cli.errors import TidyGroup

HOLE = "upkeep_window -> upkeep_end on closed"


def run(*arguments: object) -> Result:
    group = TidyGroup("fsm", commands={"check": check})
    return CliRunner().invoke(group, ["check", *map(str, arguments)], prog_name="fsm")


@pytest.fixture
def hole(tmp_path: Path) -> Path:
    """Magic's model as a file, less a transition."""
    path = tmp_path / "hole.json"
    path.write_text(json.dumps(fsm.load("magic").without(HOLE).to_json()), "utf-8")
    return path


def test_a_clean_ruleset_says_what_was_looked_at() -> None:
    shown = run("magic")
    assert shown.exit_code == 0
    assert "nothing is wrong" in shown.output
    assert "not ruled out: each state can be reached, each transition can fire" in shown.output


def test_a_hole_is_told_with_a_way_there_and_how_to_allow_it(hole: Path) -> None:
    shown = run(hole)
    assert shown.exit_code == 1
    assert "error 'upkeep_window' has no transition for 'closed': a run stops there" in shown.output
    assert "upkeep_begin -> upkeep_window" in shown.output
    assert (
        '    [[allow]]\n    finding = "dead end"\n    at = "upkeep_window on closed"\n'
        in shown.output
    )
    assert "1 error" in shown.output


def test_the_same_as_json(hole: Path) -> None:
    shown = run(hole, "--format", "json")
    found = json.loads(shown.output)
    told = {(f["finding"], f["severity"], f["at"]) for f in found["findings"]}
    assert ("dead end", "error", "upkeep_window on closed") in told
    (dead,) = [f for f in found["findings"] if f["finding"] == "dead end"]
    assert (dead["state"], dead["event"], dead["machine"]) == ("upkeep_window", "closed", "turn")
    assert dead["path"][-1] == "upkeep_begin -> upkeep_window"
    assert dead["path_proved"] is True
    assert shown.exit_code == 1


def allowed(hole: Path) -> str:
    found = json.loads(run(hole, "--json").output)["findings"]
    entries = (
        f'[[allow]]\nfinding = "{f["finding"]}"\nat = {json.dumps(f["at"])}\nwhy = "a trial"\n'
        for f in found
    )
    return "\n".join(entries)


def test_what_a_file_beside_the_model_allows_is_fine(hole: Path) -> None:
    hole.with_name("hole.check.toml").write_text(allowed(hole), "utf-8")
    shown = run(hole)
    assert shown.exit_code == 0
    assert "allowed dead end: upkeep_window on closed\n    because a trial" in shown.output


def test_an_allowance_too_many_is_a_finding(hole: Path, tmp_path: Path) -> None:
    notes = tmp_path / "other.toml"
    notes.write_text(
        allowed(hole) + '[[allow]]\nfinding = "gap"\nat = "draw"\nwhy = "once"\n', "utf-8"
    )
    shown = run(hole, "--notes", notes)
    assert shown.exit_code == 1
    assert "'gap' at 'draw' is allowed, and there is no such finding" in shown.output


def test_a_ruleset_whose_findings_are_allowed_says_why() -> None:
    shown = run("grand-archive?pantheon_first_draw=false")
    assert shown.exit_code == 0
    assert "allowed unused: setting pantheon\n    because games say it all the same" in shown.output


def test_the_rules_of_an_edition_as_a_table() -> None:
    shown = run("magic", "--rules")
    assert shown.exit_code == 0
    assert "\n500.10  cited\n" in shown.output
    assert "rules of CR 2026-01" in shown.output
    assert " 0 missing" in shown.output


def test_a_gap_in_the_rules_ends_with_one(tmp_path: Path) -> None:
    notes = tmp_path / "notes.toml"
    notes.write_text('edition = "mine"\n[rules]\n"999" = "peace"\n', "utf-8")
    shown = run("magic", "--rules", "--notes", notes)
    assert shown.exit_code == 1
    assert "nothing cites rule 999 (peace)" in shown.output
    found = json.loads(run("magic", "--rules", "--notes", notes, "--json").output)
    assert found["rules"] == [
        {"rule": "999", "says": "peace", "status": "missing", "by": [], "why": ""}
    ]
    assert {f["finding"] for f in found["findings"]} == {"rule missing", "no such rule"}


def test_without_a_rulebook_its_rules_cannot_be_told(hole: Path) -> None:
    shown = run(hole, "--rules")
    assert shown.exit_code == 2
    assert "brings no list of rules" in shown.output


@pytest.mark.parametrize(
    ("spec", "code"), [("support.foreignmachines:LAMP", 0), ("support.foreignmachines:order", 1)]
)
def test_a_plain_machine(spec: str, code: int) -> None:
    shown = run(spec)
    assert shown.exit_code == code
    assert shown.output.count("conditions of this machine are code") == 1
    assert "The triggers to_STATE" in shown.output


def test_a_plain_machine_as_json() -> None:
    found = json.loads(run("support.foreignmachines:order", "--json").output)
    assert [(f["finding"], f["at"]) for f in found["findings"]] == [("dead end", "delivered")]
    assert len(found["remarks"]) == 2


def test_ends_are_notes_with_which_nothing_is_wrong(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = [["strike", "new", "burning"], ["burn", "burning", "burnt"]]
    text = f"from transitions import Machine\nM = Machine(states={['new', 'burning', 'burnt']}, initial='new')\n"
    (tmp_path / "matches22.py").write_text(f"{text}M.add_transitions({rows})\n", "utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    shown = run("matches22:M")
    assert shown.exit_code == 0
    assert "note nothing leads on from 'burnt'" in shown.output
    assert "nothing is wrong, 1 note" in shown.output
    assert "[[allow]]" not in shown.output


def test_several_targets_are_checked_one_after_the_other(hole: Path) -> None:
    shown = run("support.foreignmachines:LAMP", hole, "support.foreignmachines:order")
    assert shown.exit_code == 1
    heads = re.findall(r"^(.+?)(?: \(.+\))?: \d+ states", shown.output, re.M)
    assert heads == ["support.foreignmachines:LAMP", str(hole), "support.foreignmachines:order"]
    assert run("support.foreignmachines:LAMP", "magic").exit_code == 0


def test_several_targets_as_json_are_a_list(hole: Path) -> None:
    found = json.loads(run("support.foreignmachines:LAMP", hole, "--json").output)
    assert [one["ruleset"] for one in found] == ["support.foreignmachines:LAMP", str(hole)]
    assert [bool(one["findings"]) for one in found] == [False, True]


def test_what_takes_one_target_says_so() -> None:
    shown = run("magic", "support.foreignmachines:LAMP", "--notes", "x.toml")
    assert shown.exit_code == 2
    assert "--notes takes one RULESET" in shown.output


def test_only_proofs_are_spread() -> None:
    shown = run("magic", "--jobs", "2")
    assert shown.exit_code == 2
    assert "go with --prove" in shown.output


@pytest.mark.parametrize(
    "arguments",
    [
        ("magik",),
        ("magic", "magik"),
        ("magic", "--notes", "none.toml"),
        ("support.foreignmachines:nothing",),
    ],
)
def test_wrong_input_is_one_line(arguments: tuple[str, ...]) -> None:
    shown = run(*arguments)
    assert shown.exit_code == 2
    assert len(shown.output.splitlines()) == 1
