"""The rulebook's worked cases, and scenarios that use every word of the format, played through the public API."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from fsm.play import play
from fsm.scenario import Scenario, load_scenarios
from fsm.scenarios.checklist import CHECKS
from fsm.scenarios.vocabulary import PERSISTS, SCOPES, VERBS

HOME = Path(__file__).parent / "scenarios"
CASES = sorted((HOME / "magic").glob("*.json"))
WORDS = sorted(p for p in (HOME / "verbs").iterdir() if p.suffix in (".json", ".toml"))
SOURCE = re.compile(r"magic-current \(e\) (\d+)")
UNVERIFIED = {
    6: "stated_attacker_counts",
    45: "delayed_trigger_in_extra_end_step",
    62: "extra_draw_on_first_turn",
    78: "first_main_counts_skipped",
}
# The turn goes on as it would anyway: that is the point, or the point is a named trigger or effect.
UNCHANGED = {
    "case-06-stated-attacker-false",
    "case-06-stated-attacker-default",
    "case-07-put-attacking-fails",
    "case-22-pump-ends-damage-goes-with-it",
    "case-46-end-step-trigger-enters-in-end-step",
    "case-60-first-turn-two-players",
    "case-62-extra-draw-on-first-turn-false",
    "case-65-no-life-after-untap-no-check-in-untap",
    "case-72-until-your-next-upkeep",
}


def raw(path: Path) -> list[dict[str, Any]]:
    """The scenarios of a file as plain values."""
    text = path.read_text(encoding="utf-8")
    data = tomllib.loads(text) if path.suffix == ".toml" else json.loads(text)
    return data if isinstance(data, list) else [data]


@cache
def loaded(path: Path) -> dict[str, Scenario]:
    """The scenarios of a file by their ids."""
    return {scenario.id: scenario for scenario in load_scenarios(path)}


EVERYTHING = [(path, one) for path in (*CASES, *WORDS) for one in raw(path)]
WORKED = [one for path in CASES for one in raw(path)]


def number(one: dict[str, Any]) -> int:
    """The number of a worked case."""
    found = SOURCE.fullmatch(one["source"])
    assert found, one["source"]
    return int(found[1])


def rows(table: str) -> set[int]:
    """The case numbers in the rows of a table."""
    return {int(found) for found in re.findall(r"^\| (\d+) \|", table, flags=re.M)}


def items(one: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """What is given, with the lists inside `then`."""
    for item in one["given"]:
        yield item
        yield from item.get("then", ())


@pytest.mark.parametrize(("path", "id"), [(p, one["id"]) for p, one in EVERYTHING], ids=lambda v: getattr(v, "stem", v))
def test_scenario_holds(path: Path, id: str) -> None:
    outcome = play(loaded(path)[id])
    assert list(outcome.failures) == []
    assert list(outcome.warnings) == []


def test_every_worked_case_is_a_scenario_or_out_of_sight() -> None:
    told = (HOME / "OUT_OF_SIGHT.md").read_text(encoding="utf-8")
    unseen, in_part = map(rows, told.split("## Seen in part"))
    seen = set(map(number, WORKED))
    assert seen | unseen == set(range(1, 81))
    assert not seen & unseen
    assert in_part <= seen


@pytest.mark.parametrize("path", CASES, ids=lambda p: p.stem)
def test_worked_case_says_where_it_comes_from(path: Path) -> None:
    for one in raw(path):
        assert path.stem.startswith(f"case-{number(one):02d}-")
        assert one["id"].startswith(path.stem)
        assert all(re.fullmatch(r"\d{3}(\.\d+[a-z]?)?", rule) for rule in one["rule"])


@pytest.mark.parametrize(("case", "option"), UNVERIFIED.items(), ids=lambda v: str(v))
def test_unverified_case_has_both_values_and_the_default(case: int, option: str) -> None:
    scenarios = [one for one in WORKED if number(one) == case]
    assert [one.get("options", {}).get(option) for one in scenarios] == [True, False, None]
    assert scenarios[0]["expect"] != scenarios[1]["expect"]


def named(entry: dict[str, Any]) -> str:
    """The effect, trigger or Saga that an expectation is about, or ""."""
    return str(entry.get("effect") or entry.get("trigger") or entry.get("lore") or "")


def without(case: dict[str, Any], index: int) -> dict[str, Any]:
    """The same scenario without one given item, and without expectations about what only that item makes."""
    given = [item for i, item in enumerate(case["given"]) if i != index]
    made = {id for item in given for id in (item.get("id"), *item.get("triggers_during", ()))}
    expect = [entry for entry in case["expect"] if not named(entry) or named(entry) in made]
    return {**case, "given": given, "expect": expect, "through_turn": case.get("through_turn", last_turn(case))}


def last_turn(case: dict[str, Any]) -> int:
    """The last turn that a scenario mentions."""
    turns = map(int, re.findall(r'"turn": (\d+)', json.dumps(case)))
    orders = (len(entry.get("turn_order", ())) for entry in case["expect"])
    return max([1, *turns, *orders])


@pytest.mark.parametrize("case", [one for one in WORKED if one["given"]], ids=lambda one: one["id"])
def test_expectations_have_teeth(case: dict[str, Any], tmp_path: Path) -> None:
    """Without one of the things given, a worked case fails; unless its point is that they change nothing."""
    bitten = []
    for index in range(len(case["given"])):
        file = tmp_path / f"{index}.json"
        file.write_text(json.dumps(without(case, index)), encoding="utf-8")
        bitten.append(bool(play(load_scenarios(file)[0]).failures))
    assert any(bitten) != (case["id"] in UNCHANGED), bitten


def test_every_verb_and_field_is_used() -> None:
    used = {(item["do"], name) for _, one in EVERYTHING for item in items(one) for name in (*item, "do")}
    assert {(verb.name, field.name) for verb in VERBS.values() for field in verb.fields} <= used
    assert set(VERBS) <= {verb for verb, _ in used}


def test_every_choice_of_a_field_is_used() -> None:
    given = [item for _, one in EVERYTHING for item in items(one)]
    scopes = {(item["do"], item["scope"]) for item in given if "scope" in item}
    assert scopes == {(verb, scope) for verb in ("skip_step", "skip_phase") for scope in SCOPES}
    assert {item["persists"] for item in given if "persists" in item} == set(PERSISTS)
    assert {item["on"] for item in given if "on" in item} == {"next", "your_next_turn"}
    durations = {d.name for d in load_scenarios(CASES[0])[0].model.durations}
    assert {item["until"] for item in given if "until" in item} == durations
    assert {item.get("when", {}).get("at") for item in given} == {None, "begin", "priority"}
    anchors = {json.dumps(item["after"]) for item in given if "after" in item}
    assert {'"current_step"', '"current_phase"', '"end_of_combat"', '{"phase": "combat", "nth": 2}'} <= anchors


def test_every_expectation_is_used() -> None:
    used = {key for _, one in EVERYTHING for entry in one["expect"] for key in entry}
    assert set(CHECKS) <= used


def test_every_key_of_the_object_is_used() -> None:
    keys = {key for _, one in EVERYTHING for key in one}
    assert keys >= {"id", "ruleset", "players", "turn_order", "options", "teams", "first_draw_skipped", "through_turn"}
    assert keys >= {"given", "expect", "needs", "source", "rule", "note"}
    assert any(path.suffix == ".toml" for path in WORDS)
