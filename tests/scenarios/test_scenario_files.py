"""Every scenario file holds: the worked cases of the rulebooks, the verbs, what cards say, and
corners of the rules. Nothing that is given is in vain. The quick tests play some of some files.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from fsm import scenarios
from support.amounts import sample
from support.folders import SCENARIOS

FILES = sorted(file for file in SCENARIOS.glob("*/*") if file.suffix in (".json", ".toml"))
GROUPS = [FILES[start::8] for start in range(8)]
CASES = {"magic": 80, "magic-2010": 30, "magic-classic": 48, "grand-archive": 30}
"""How many worked cases each rulebook's digest has."""


@pytest.mark.parametrize("files", GROUPS, ids=range(len(GROUPS)))
def test_every_scenario_holds(files: list[Path]) -> None:
    wrong = []
    for file in sample(files, 18):
        for scenario in sample(scenarios.load(file), 1):
            outcome = scenarios.play(scenario)
            wrong += [f"{file}: {text}" for text in (*outcome.failures, *outcome.warnings)]
    assert wrong == []


@pytest.mark.parametrize("book", CASES)
def test_every_worked_case_is_a_scenario_or_out_of_sight(book: str) -> None:
    """A file is named after its case, and its scenarios cite the case and the rules."""
    folder = SCENARIOS / book
    unseen = (folder / "OUT_OF_SIGHT.md").read_text("utf-8").partition("## Seen in part")[0]
    found = {int(number) for number in re.findall(r"^\| (\d+) \|", unseen, flags=re.M)}
    for file in folder.glob("case-*.json"):
        number = int(file.name.split("-")[1])
        data = json.loads(file.read_text("utf-8"))
        for one in data if isinstance(data, list) else [data]:
            assert one["id"].startswith(file.stem)
            assert one["source"].endswith(f" {number}")
            assert one["rule"]
        found.add(number)
    assert found == set(range(1, CASES[book] + 1))
