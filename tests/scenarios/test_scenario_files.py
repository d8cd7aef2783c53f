"""Every scenario file holds: the worked cases of the rulebooks, the verbs, what cards say, and
corners of the rules. Nothing that is given is in vain. The quick tests play some of each file.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from fsm import scenarios
from support.amounts import sample
from support.folders import ROOT, SCENARIOS

FILES = sorted(file for file in SCENARIOS.glob("*/*") if file.suffix in (".json", ".toml"))
CASES = {"magic": 80, "magic-2010": 30, "magic-classic": 48, "grand-archive": 30}
"""How many worked cases each rulebook's digest has."""


PARTS = range(8)
WORKED = {book: [file for file in FILES if file.parent.name == book] for book in CASES}
OTHERS = {
    folder: [file for file in FILES if file.parent.name == folder]
    for folder in ("cards", "corners", "verbs")
}


def wrong_in(files: list[Path], quickly: int) -> list[str]:
    """What is wrong in these files, of which the quick run plays so many scenarios each."""
    wrong = list[str]()
    for file in files:
        for scenario in sample(scenarios.load(file), quickly):
            outcome = scenarios.play(scenario)
            wrong += [f"{file}: {text}" for text in (*outcome.failures, *outcome.warnings)]
    return wrong


@pytest.mark.parametrize("part", PARTS)
def test_the_first_forty_worked_cases_of_magic_hold(part: int) -> None:
    assert wrong_in(WORKED["magic"][:40][part::8], 1) == []


@pytest.mark.parametrize("part", PARTS)
def test_the_other_worked_cases_of_magic_hold(part: int) -> None:
    assert wrong_in(WORKED["magic"][40:][part::8], 1) == []


@pytest.mark.parametrize("part", PARTS)
def test_every_worked_case_of_2010_holds(part: int) -> None:
    assert wrong_in(WORKED["magic-2010"][part::8], 1) == []


@pytest.mark.parametrize("part", PARTS)
def test_every_worked_case_of_classic_holds(part: int) -> None:
    assert wrong_in(WORKED["magic-classic"][part::8], 1) == []


@pytest.mark.parametrize("part", PARTS)
def test_every_worked_case_of_grand_archive_holds(part: int) -> None:
    assert wrong_in(WORKED["grand-archive"][part::8], 1) == []


@pytest.mark.parametrize("part", PARTS)
def test_what_cards_say_holds(part: int) -> None:
    assert wrong_in(OTHERS["cards"][part::8], 1) == []


@pytest.mark.parametrize("part", PARTS)
def test_corners_of_the_rules_hold(part: int) -> None:
    assert wrong_in(OTHERS["corners"][part::8], 1) == []


@pytest.mark.parametrize("part", PARTS)
def test_verbs_do_what_they_say(part: int) -> None:
    assert wrong_in(OTHERS["verbs"][part::8], 1) == []


GAMES = json.loads((SCENARIOS / "ten-games.json").read_text("utf-8"))


@pytest.mark.parametrize("name", sample([*GAMES], 3))
def test_a_corner_of_each_of_ten_games_holds(name: str) -> None:
    game = ROOT / "examples" / "games" / f"{name}.py"
    [scenario] = scenarios.load(GAMES[name], f"{game}:{name.upper()}", place=name)
    outcome = scenarios.play(scenario, strict=True)
    assert outcome.failures == []


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
