"""Files that mean harm are refused in one line: at once, and without taking memory."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

import fsm
from fsm.cli import cli
from fsm.errors import RulesetError

LONG_KEY = "a" + ".a" * 50_000 + " = 1"
HARMFUL = {
    "long-key.toml": (LONG_KEY, "a key has more than 20 parts"),
    "long-header.toml": (f"[{LONG_KEY[:-4]}]", "a key has more than 20 parts"),
    "quoted-key.toml": ('"a"' + ".'a'" * 500 + " = 1", "a key has more than 20 parts"),
    "nested.toml": ("a = " + "[" * 3000, "nested more than 100 deep"),
    "digits.toml": ("a = " + "1" * 5000, "4300"),
    "large.toml": ("# " + "a" * 1024 * 1024, "larger than 1,048,576 bytes"),
    "nested.json": ("[" * 3000 + "]" * 3000, "nested more than 100 deep"),
    "objects.json": ('{"a":' * 101 + "1" + "}" * 101, "nested more than 100 deep"),
    "digits.json": ("1" * 5000, "4300"),
    "twice.json": ('{"a": 1, "a": 2}', "the key 'a' is there twice"),
    "cut.json": ('{"a": ', "line 1, column 7"),
}
COMMANDS = {
    "run FILE": (".json", ".toml"),
    "check FILE": (".json",),
    "conform quiet.jsonl --names FILE": (".json", ".toml"),
    "check magic --notes FILE": (".toml",),
    "cover report quiet.fsmcov --allow FILE": (".toml",),
}


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("quiet.jsonl").write_text('{"turn": 1, "player": "A", "step": "untap"}\n', "utf-8")
    Path("quiet.fsmcov").write_text('["fsm-coverage-1"]\n', "utf-8")
    return tmp_path


def refused(command: str) -> str:
    done = CliRunner().invoke(cli, command.split(), prog_name="fsm")
    assert (done.exit_code, done.stdout, len(done.stderr.splitlines())) == (2, "", 1), done.output
    return done.stderr


@pytest.mark.parametrize("name", HARMFUL)
@pytest.mark.parametrize("command", COMMANDS)
def test_each_reader_refuses_it(command: str, name: str) -> None:
    text, reason = HARMFUL[name]
    Path(name).write_text(text, "utf-8")
    if name.endswith(COMMANDS[command]):
        said = refused(command.replace("FILE", name))
        assert name in said and reason in said


def test_a_text_with_many_brackets_in_strings_is_not_deep() -> None:
    scenario = {"id": "[" * 500, "through_turn": 1, "expect": [{"turn_order": ["A"]}]}
    Path("s.json").write_text(json.dumps(scenario), "utf-8")
    Path("s.toml").write_text(
        f"id = '{'[' * 500}' # {'[' * 500}\nthrough_turn = 1\nexpect = [{{turn_order = ['A']}}]",
        "utf-8",
    )
    for name in ("s.json", "s.toml"):
        assert CliRunner().invoke(cli, ["run", name]).exit_code == 0


def test_bytes_that_are_no_text_are_refused() -> None:
    Path("s.json").write_bytes(b"\xff\xfe{")
    assert "not text in UTF-8" in refused("run s.json")


@pytest.mark.parametrize(
    "command",
    [
        "run --ruleset NAME",
        "draw NAME",
        "draw magic --view NAME",
        "NAME",
        "draw magic --NAME",
        "check magic?NAME=1",
    ],
)
def test_no_message_repeats_more_than_200_characters_of_what_was_given(command: str) -> None:
    assert "x" * 201 not in refused(command.replace("NAME", "x" * 5000))


def test_a_long_name_in_an_error_is_cut() -> None:
    with pytest.raises(RulesetError) as error:
        fsm.load("up keep " * 1000)
    assert len(str(error.value)) < 400 and len(json.dumps(error.value.to_json())) < 1500
