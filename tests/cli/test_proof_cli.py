"""`fsm check --prove`: what it prints, writes and ends with."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from fsm.cli.check import check
from fsm.rulesets.properties import PROPERTIES
from fsm.rulesets.stated_properties import properties_of
from support.proofmutants import MUTANTS

QUICK = ("--turns", "1", "--stack", "1", "--together", "0")


def test_a_proof_for_people_and_for_programs() -> None:
    told = CliRunner().invoke(check, ["magic-classic", "--prove", *QUICK])
    assert told.exit_code == 0 and "positions" in told.stdout and "properties hold" in told.stdout
    data = json.loads(
        CliRunner().invoke(check, ["magic-classic", "--prove", *QUICK, "--json"]).stdout
    )
    assert data["ok"] and data["positions"] > 500 and all(one["rule"] for one in data["properties"])


def test_what_is_broken_is_written_and_ends_with_1(tmp_path: Path) -> None:
    mutant = next(m for m in MUTANTS if m.ruleset == "magic-classic")
    file = tmp_path / "broken.json"
    file.write_text(json.dumps(mutant.model.to_json()))
    told = CliRunner().invoke(
        check, [str(file), "--prove", *QUICK, "--witnesses", str(tmp_path / "out")]
    )
    assert told.exit_code == 1 and f"broken: {mutant.breaks}" in told.stdout
    assert [p.name for p in (tmp_path / "out").iterdir()] == [f"proof-{mutant.breaks}.json"]


@pytest.mark.parametrize("wrong", [("--together", "some"), ("--turns", "0"), ("--stack", "-1")])
def test_wrong_bounds_end_with_2(wrong: tuple[str, str]) -> None:
    told = CliRunner().invoke(check, ["magic", "--prove", *wrong])
    assert told.exit_code == 2 and wrong[0] in told.stderr


def test_every_built_in_ruleset_states_something_and_a_name_of_ones_own_goes_first() -> None:
    assert properties_of("no-such-ruleset") == ()
    PROPERTIES["magic"] = properties_of("magic")[:1]
    try:
        assert len(properties_of("magic")) == 1
    finally:
        del PROPERTIES["magic"]
