"""The document and the published schema say what the code does."""

from __future__ import annotations

import json
import re
import tomllib
from typing import Any

import pytest
from jsonschema import Draft202012Validator

import fsm
from fsm.scenarios import play
from fsm.scenarios.expectations import CHECKS
from fsm.scenarios.games import GAMES
from fsm.scenarios.schema import build
from fsm.scenarios.verbs import VERBS
from generate import pages
from support.folders import ROOT

DOCUMENT = ROOT / "docs" / "scenarios.md"
SCHEMA = ROOT / "fsm" / "schemas" / "scenario.schema.json"
REMEDY = "write it anew: python docs/generate.py"


def test_the_tables_and_the_published_schema_are_those_of_the_code() -> None:
    made = pages()
    for page in (DOCUMENT, SCHEMA):
        assert page.read_text(encoding="utf-8") == made[page], REMEDY
    Draft202012Validator.check_schema(build())


def test_no_two_games_register_the_same_word() -> None:
    verbs = [verb.name for game in GAMES for verb in game.words.verbs]
    checks = [check.name for game in GAMES for check in game.words.checks]
    assert set(verbs) < set(VERBS)
    assert set(checks) < set(CHECKS)
    others = [
        [word for game in GAMES for word in getattr(game, kind)]
        for kind in ("facts", "actions", "contexts", "objects")
    ]
    for registered in (verbs, checks, *others):
        assert len(registered) == len(set(registered))


def test_the_document_names_every_verb_and_expectation() -> None:
    text = DOCUMENT.read_text(encoding="utf-8")
    assert [name for name in (*VERBS, *CHECKS) if f"| `{name}` |" not in text] == []


def _examples() -> list[dict[str, Any]]:
    text = DOCUMENT.read_text(encoding="utf-8")
    found: list[dict[str, Any]] = [
        json.loads(block) for block in re.findall(r"```json\n(.*?)```", text, re.DOTALL)
    ]
    return found + [
        tomllib.loads(block) for block in re.findall(r"```toml\n(.*?)```", text, re.DOTALL)
    ]


@pytest.mark.parametrize("example", _examples())
def test_the_examples_hold(example: dict[str, Any]) -> None:
    [scenario] = fsm.scenarios.load(example, place="docs")
    assert play(scenario, strict=True).failures == []


def test_the_schema_alone_refuses_and_accepts() -> None:
    validator = Draft202012Validator(json.loads(SCHEMA.read_text(encoding="utf-8")))
    assert validator.is_valid({"id": "x", "given": [{"do": "add_turn"}]})
    assert validator.is_valid([{"id": "x"}, {"id": "y"}])
    assert not validator.is_valid({"id": "x", "given": [{"do": "add_turns"}]})
    assert not validator.is_valid([{"id": 1}])
    assert not validator.is_valid("x")
