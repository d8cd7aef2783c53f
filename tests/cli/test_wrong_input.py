"""Wrong input of every kind is refused: one line, exit code 2, no traceback, nothing written."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

import fsm
from support.commandline import DOOR, refused, says, written

AT = {"turn": 1, "step": "upkeep"}


def given(**order: object) -> str:
    """A scenario that gives an order in the first upkeep."""
    return json.dumps({"given": [{"when": AT, **order}]})


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{", "this cannot be read as JSON"),
        ("", "line 1 column 1"),
        ('"words"', "an object"),
        ("[]", "the list is empty; write a scenario"),
        ('{"id": "a", "id": "b"}', "the key 'id' is there twice in one object; keep one"),
        ('{"playerz": 2}', "did you mean 'players'?"),
        (
            given(do="ad_turn", player="A"),
            "given[0].do: verb 'ad_turn' is unknown; did you mean 'add_turn'?",
        ),
        (given(do="add_turn", count="two"), "given[0].count: 'two'"),
        ('{"expect": [{"turn": 1, "visits": {"upkep": 1}}]}', "expect[0].visits"),
        ('{"ruleset": "\\u001b[31mred\\n"}', "\\x1b[31mred"),
    ],
)
def test_a_scenario_names_the_place_and_the_remedy(text: str, said: str) -> None:
    line = refused("run --svg out.svg --trace out.jsonl", written("bad.json", text))
    assert line.startswith("fsm: bad.json") and said in line
    assert line.strip().isprintable()


DOTS = ".a" * 50_000
HARMFUL = {
    "dots.toml": (f"a{DOTS} = 1", "a key has more than 20 parts"),
    "header.toml": (f"[a{DOTS}]", "a key has more than 20 parts"),
    "nested.toml": ("a = " + "[" * 3000, "nested more than 100 deep"),
    "digits.toml": ("a = " + "1" * 5000, "4300"),
    "large.toml": ("# " + "a" * 1024 * 1024, "larger than 1,048,576 bytes"),
    "word.toml": ("a = " + "a" * 1_000_000, "line 1, column 5"),
    "quotes.toml": ("a = " + '\\"' * 500_000, "line 1, column 5"),
    "nested.json": ("[" * 3000 + "]" * 3000, "nested more than 100 deep"),
    "quotes.json": ("[" * 101 + '\\"' * 500_000, "line 1 column 102"),
    "digits.json": ("1" * 5000, "4300"),
    "cut.json": ('{"a": ', "line 1 column 7"),
}


@pytest.mark.parametrize("name", HARMFUL)
def test_a_file_that_means_harm_is_refused_at_once(name: str) -> None:
    text, said = HARMFUL[name]
    assert said in refused("run", written(name, text))


@pytest.mark.parametrize(
    "line",
    [
        "run FILE",
        "check FILE",
        "draw magic -o x.svg --trace FILE",
        "explore magic -o x.html --load FILE",
        "conform quiet.jsonl --names FILE",
        "check magic --notes FILE",
        "cover report quiet.fsmcov --allow FILE",
    ],
)
def test_every_reader_is_as_careful(line: str) -> None:
    written("quiet.jsonl", {"turn": 1, "player": "A", "step": "untap"})
    written("quiet.fsmcov", '["fsm-coverage-2"]\n')
    written("deep.json", "[" * 3000 + "]" * 3000)
    deep = refused(line.replace("FILE", "deep.json"))
    wrong = "trace line 1" if "--trace" in line else "nested more than 100 deep"
    assert "deep.json" in deep and wrong in deep
    Path("binary.json").write_bytes(b"\xff\xfe\x00")
    assert "binary.json" in refused(line.replace("FILE", "binary.json"))
    assert "absent.json" in refused(line.replace("FILE", "absent.json"))
    Path("folder.json").mkdir()
    assert "folder.json" in refused(line.replace("FILE", "folder.json"))
    os.mkfifo("pipe.json")
    assert "a device, not a file" in refused(line.replace("FILE", "pipe.json"))


def test_brackets_in_strings_and_comments_are_not_deep() -> None:
    many = "[" * 500
    expected = {"expect": [{"turn": 1, "active": "A"}]}
    written("s.json", {"id": many, **expected})
    written("s.toml", f"id = '{many}' # {many}\nexpect = [{{turn = 1, active = 'A'}}]")
    says("run s.json s.toml")


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("rnu", "No such command 'rnu'. Did you mean 'run'?"),
        ("run --svgg x.svg", "--svg"),
        ("run --strict=1", "--strict"),
        ("draw -o x.svg", "RULESET"),
        ("list magi", "did you mean 'magic'?"),
        ("draw magi -o x.svg", "did you mean 'magic'?"),
        (
            "draw magic?stated_attackers_count=yes -o x.svg",
            "did you mean 'stated_attacker_counts'?",
        ),
        ("draw magic -o x.jpeg", "--format"),
        ("draw magic -o x.svg --view windows", "did you mean 'window'?"),
        ("draw magic -o x.svg --theme darc", "did you mean 'dark'?"),
        ("draw magic -o x.svg --at upkeep_end --against magic-2010", "not both"),
        ("draw nonsense:model -o x.svg", "cannot import 'nonsense'"),
        ("draw model.json -o x.svg", "model.json"),
        ("explore magic -o x.html --players=", "--players': it is empty"),
        ("explore magic-2010 -o x.html --load run.jsonl", "was recorded with magic"),
        ("check magic --prove --turns 0", "--turns"),
        ("check magic --rules --prove", "give one of them"),
        ("conform", "LOG"),
        ("cover", "Missing command"),
        ("check machine.py:door --prove", "is a Machine, but must be a Model"),
        ("conform rows.jsonl --allow exta", "did you mean 'extra'?"),
        ("conform words.log", "words.log"),
        ("explore magic --live nothing.jsonl", "nothing.jsonl"),
        ("explore magic --live game.jsonl --players Ann,Ben", "--players and --theme do not"),
        ("explore magic --port 80 --open", "--port and --open go with --live"),
        ("explore magic --live game.jsonl --theme dark", "--players and --theme do not"),
        ("run two.json --trace x.jsonl", "here are 2"),
    ],
)
def test_a_wrong_argument_is_named(line: str, said: str) -> None:
    written("model.json", {"states": 3})
    written("words.log", "just words\n" * 5)
    written("machine.py", DOOR)
    written("two.json", [{"id": "a"}, {"id": "b"}])
    written("rows.jsonl", {"turn": 1, "player": "A", "step": "untap"})
    game = fsm.TurnController("magic", ["A", "B"])
    fsm.Trace.of(game).write("run.jsonl")
    assert said in refused(line)


def test_one_wrong_file_stops_the_others_from_being_played() -> None:
    line = refused("run --svg out.svg", written("good.json", {}), written("bad.json", "{"))
    assert "bad.json" in line
