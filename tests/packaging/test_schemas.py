"""The published schemas have names, and files may say which of them they follow."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest

import fsm
from fsm import scenarios
from fsm.coverage import collecting
from fsm.coverage.reports import read_allowed, results_of
from fsm.coverage.reports.asjson import as_json
from fsm.model import Model
from fsm.scenarios import play
from fsm.schemas import IDS, published

SAYS = {"$schema": "./mine.schema.json"}
SCENARIO: dict[str, Any] = {"id": "quiet", "through_turn": 1, "expect": [{"turn_order": ["A"]}]}


def valid(data: object, name: str) -> bool:
    return jsonschema.Draft202012Validator(published(name)).is_valid(data)


@pytest.mark.parametrize("name", IDS)
def test_every_schema_has_its_name_and_version(name: str) -> None:
    schema = published(name)
    jsonschema.Draft202012Validator.check_schema(schema)
    assert schema["$id"] == IDS[name]
    assert schema["$id"].rpartition("-")[2].isdigit()


def test_every_schema_that_is_published_is_named() -> None:
    folder = Path(fsm.__path__[0]) / "schemas"
    assert {path.name.partition(".")[0] for path in folder.glob("*.json")} == set(IDS)


def test_a_scenario_may_say_its_schema(tmp_path: Path) -> None:
    path = tmp_path / "mine.json"
    for data in (SAYS | SCENARIO, [SAYS | SCENARIO]):
        assert valid(data, "scenario")
        path.write_text(json.dumps(data), encoding="utf-8")
        [scenario] = scenarios.load(path)
        assert play(scenario).failures == []


def test_a_scenario_in_toml_may_say_its_schema(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(
        '"$schema" = "./mine.schema.json"\nthrough_turn = 1\n[[expect]]\nturn_order = ["A"]\n',
        "utf-8",
    )
    [scenario] = scenarios.load(path)
    assert play(scenario).failures == []


def test_only_a_whole_scenario_says_it_and_only_as_a_text() -> None:
    for wrong in (SCENARIO | {"$schema": 1}, SCENARIO | {"expect": [SAYS | {"turn_order": ["A"]}]}):
        assert not valid(wrong, "scenario")
        with pytest.raises(fsm.FsmError, match="schema"):
            fsm.scenarios.load(wrong, place="mine")


def test_a_model_may_say_its_schema(magic: Model) -> None:
    data = SAYS | magic.to_json()
    assert valid(data, "model")
    again = Model.from_json(data)
    assert (again, again.fingerprint) == (magic, magic.fingerprint)


def test_a_coverage_report_may_say_its_schema(magic: Model) -> None:
    with collecting() as session:
        fsm.TurnController(magic, ("A", "B")).answer(fsm.Answer())
    report = json.loads(as_json(results_of(session.data, [("magic", magic)], ["states"])))
    assert valid(report, "coverage")
    assert valid(SAYS | report, "coverage")
    assert not valid(SAYS | report | {"other": ""}, "coverage")


def test_a_list_of_what_may_be_missing_may_say_a_schema(tmp_path: Path) -> None:
    path = tmp_path / "allow.toml"
    entry = '[[allow]]\ncriterion = "states"\ntarget = "over"\nwhy = "nobody leaves"\n'
    path.write_text(f'"$schema" = "./mine.schema.json"\n{entry}', encoding="utf-8")
    assert [one.target for one in read_allowed(path)] == ["over"]
