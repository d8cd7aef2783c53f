"""The published schemas have names, and files may say which of them they follow."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from transitions import Machine

import fsm
from fsm.coverage import collecting
from support.commandline import command, written

FOLDER = Path(fsm.__file__).parent / "schemas"
SAYS = {"$schema": "./mine.schema.json"}
SCENARIO = {"id": "quiet", "through_turn": 1, "expect": [{"turn": 1, "active": "A"}]}


def schema(name: str) -> Any:
    return json.loads((FOLDER / f"{name}.schema.json").read_text("utf-8"))


def is_valid(data: object, name: str) -> bool:
    return jsonschema.Draft202012Validator(schema(name)).is_valid(data)


@pytest.mark.parametrize("name", ["coverage", "model", "scenario", "wire"])
def test_a_schema_is_sound_and_has_a_name_with_its_version(name: str) -> None:
    jsonschema.Draft202012Validator.check_schema(schema(name))
    assert schema(name)["$id"].startswith("urn:turn-fsm:")
    assert schema(name)["$id"].rpartition("-")[2].isdigit()


def test_a_scenario_may_say_its_schema(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    written("s.json", {**SAYS, **SCENARIO})
    toml = '"$schema" = "./mine.schema.json"\n[[expect]]\nturn = 1\nactive = "A"\n'
    written("s.toml", toml)
    assert is_valid({**SAYS, **SCENARIO}, "scenario")
    assert command("run s.json s.toml").exit_code == 0


@pytest.mark.parametrize("wrong", [{"$schema": 1}, {"expect": [{**SAYS, "turn": 1}]}])
def test_a_schema_is_a_text_of_the_whole_scenario(wrong: dict[str, object]) -> None:
    assert not is_valid({**SCENARIO, **wrong}, "scenario")
    with pytest.raises(fsm.errors.ScenarioError, match="schema"):
        fsm.scenarios.load({**SCENARIO, **wrong}, place="mine")


def test_a_model_may_say_its_schema() -> None:
    model = fsm.load("magic")
    data = {**SAYS, **model.to_json()}
    assert is_valid(data, "model")
    assert fsm.Model.from_json(data).fingerprint == model.fingerprint


def test_a_coverage_report_may_say_its_schema(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    entry = '[[allow]]\ncriterion = "states"\ntarget = "lost"\nwhy = "a trial"\n'
    written("allow.toml", entry)
    with collecting(".fsm-coverage"):
        states = ["open", "shut", "lost"]
        Machine(states=states, initial="open", ordered_transitions=True).next_state()
    assert command("cover report --report json:it.json --allow allow.toml").exit_code == 0
    report = json.loads(Path("it.json").read_text("utf-8"))
    assert is_valid(report, "coverage") and is_valid({**SAYS, **report}, "coverage")
    assert not is_valid({**report, "other": ""}, "coverage")
