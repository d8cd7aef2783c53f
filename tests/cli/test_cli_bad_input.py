"""Wrong input of every kind: one clear line on standard error, exit code 2, no traceback, nothing
written.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from fsm.cli import cli

AT = {"turn": 1, "step": "upkeep"}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def refused(folder: Path, *arguments: object) -> str:
    """Run it; check that it is refused as it should be, and return the one line it said."""
    before = {p.name: p.read_bytes() for p in folder.iterdir() if p.is_file()}
    done = CliRunner().invoke(cli, [str(a) for a in arguments], prog_name="fsm")
    assert done.exit_code == 2, done.output
    assert done.stdout == ""
    assert len(done.stderr.splitlines()) == 1
    assert done.stderr.startswith("fsm")
    assert {p.name: p.read_bytes() for p in folder.iterdir() if p.is_file()} == before
    return done.stderr


def play(folder: Path, text: str, name: str = "bad.json") -> str:
    (folder / name).write_text(text, encoding="utf-8")
    line = refused(folder, "run", name, "--svg", "out.svg", "--trace", "out.jsonl")
    assert name in line
    return line


def data(**changes: Any) -> str:
    return json.dumps({"id": "bad", "players": 2, "through_turn": 1, **changes})


def at_upkeep(verb: dict[str, Any]) -> str:
    return data(given=[{"when": AT, **verb}])


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (data(ruleset="magik"), ["magik", "did you mean 'magic'?"]),
        (
            data(options={"extra_draw_on_first_trun": True}),
            ["did you mean 'extra_draw_on_first_turn'?"],
        ),
        (
            data(options={"extra_draw_on_first_turn": 3}),
            ["extra_draw_on_first_turn", "true or false"],
        ),
        (
            at_upkeep({"do": "ad_turn", "player": "A"}),
            ["ad_turn", "did you mean 'add_turn'?", "given[0]"],
        ),
        (
            data(given=[{"when": {"turn": 1, "step": "upkep"}, "do": "sba"}]),
            ["did you mean 'upkeep'?", "given[0]"],
        ),
        (at_upkeep({"do": "skip_step", "step": "drawn"}), ["drawn", "did you mean 'draw'?"]),
        (at_upkeep({"do": "skip_phase", "phase": "combt"}), ["combt", "did you mean 'combat'?"]),
        (at_upkeep({"do": "add_turn", "player": "C"}), ["'C'", "A, B"]),
        (
            data(turn_order=["Al", "Bob"], given=[{"when": AT, "do": "add_turn", "player": "Bo"}]),
            ["'Bo'", "'Bob'"],
        ),
        (
            at_upkeep({"do": "add_step", "step": "upkeep", "after": "curent_phase"}),
            ["curent_phase", "current_phase"],
        ),
        (
            at_upkeep({"do": "add_phase", "phases": ["combat"], "after": {"phase": "mian"}}),
            ["mian", "main"],
        ),
        (at_upkeep({"do": "add_turn", "player": "A", "count": -1}), ["-1", "given[0]"]),
        (at_upkeep({"do": "attackers", "count": "two"}), ["'two'", "given[0]"]),
        (data(given=[{"when": {"turn": 0, "step": "upkeep"}, "do": "sba"}]), ["0", "given[0]"]),
        (data(given={"when": AT}), ["given", "a list"]),
        (at_upkeep({"do": "sba", "whom": "A"}), ["whom", "given[0]"]),
        (data(given=[{"when": {**AT, "at": "begin"}, "do": "end_turn"}]), ["end_turn", "given[0]"]),
        (
            at_upkeep({"do": "effect", "id": "x", "until": "end_of_trun"}),
            ["end_of_trun", "end_of_turn"],
        ),
        (
            data(expect=[{"turn": 1, "visits": {"upkep": 1}}]),
            ["upkep", "did you mean 'upkeep'?", "expect[0]"],
        ),
        (data(expect=[{"turn": 1, "stepz": []}]), ["stepz", "expect[0]"]),
        (data(players=0), ["players"]),
        (data(players="two"), ["players", "a whole number"]),
        (data(playerz=2), ["playerz", "players"]),
        (data(turn_order=["A", "A"]), ["turn_order"]),
        (data(teams=[["A", "B"], ["C", "X"]], players=4), ["'X'"]),
        ("{", ["JSON", "line 1"]),
        ("", ["JSON"]),
        ("[1, 2]", ["an object"]),
        ("[]", ["the list is empty", "write a scenario"]),
        ('"words"', ["an object"]),
        ('{"id": "a", "id": "b"}', ["'id'", "twice"]),
        ("[" * 100_000, ["nested more than 100 deep"]),
    ],
    ids=lambda value: value[:60] if isinstance(value, str) else "",
)
def test_scenarios(folder: Path, text: str, words: list[str]) -> None:
    line = play(folder, text)
    assert all(word in line for word in words), line


def test_toml_that_is_none(folder: Path) -> None:
    assert "TOML" in play(folder, 'id = "a" players', "bad.toml")


def test_one_wrong_file_stops_the_others_from_being_played(folder: Path) -> None:
    (folder / "good.json").write_text(data(), encoding="utf-8")
    (folder / "bad.json").write_text("{", encoding="utf-8")
    assert "bad.json" in refused(folder, "run", "good.json", "bad.json", "--svg", "out.svg")


def test_files_that_cannot_be_read(folder: Path) -> None:
    (folder / "dir").mkdir()
    (folder / "binary.json").write_bytes(b"\xff\xfe\x00")
    assert "no such file" in refused(folder, "run", "absent.json")
    assert "folder" in refused(folder, "run", "dir")
    assert "UTF-8" in refused(folder, "run", "binary.json")
    assert "absent.log" in refused(folder, "conform", "absent.log")
    assert "dir" in refused(folder, "conform", "dir")


def test_hostile_names_reach_the_terminal_as_text(folder: Path) -> None:
    line = play(folder, data(ruleset="\x1b[31mred\n\x07"))
    assert "\x1b" not in line
    assert "\x07" not in line


def test_arguments(folder: Path) -> None:
    assert "did you mean 'run'?" in refused(folder, "rnu")
    assert "--svg" in refused(folder, "run", "--svgg", "x.svg")
    assert "--max-steps" in refused(folder, "run", "--max-steps", "0")
    assert "--max-steps" in refused(folder, "run", "--max-steps", "many")
    assert "json" in refused(folder, "run", "--format", "xml")
    assert "RULESET" in refused(folder, "draw", "-o", "x.svg")
    assert "-o" in refused(folder, "draw", "magic")
    assert "LOG" in refused(folder, "conform")


def test_drawing(folder: Path) -> None:
    assert "did you mean 'magic'?" in refused(folder, "draw", "magi", "-o", "x.svg")
    misspelt = refused(folder, "draw", "magic?stated_attackers_count=yes", "-o", "x.svg")
    assert "did you mean 'stated_attacker_counts'?" in misspelt
    assert "--format" in refused(folder, "draw", "magic", "-o", "x.jpeg")
    assert "jpeg" in refused(folder, "draw", "magic", "-o", "x.svg", "--format", "jpeg")
    assert "window" in refused(folder, "draw", "magic", "-o", "x.svg", "--view", "windows")
    assert "dark" in refused(folder, "draw", "magic", "-o", "x.svg", "--theme", "darc")
    assert "absent.json" in refused(folder, "draw", "absent.json", "-o", "x.svg")
    assert "no_such_module" in refused(folder, "draw", "no_such_module:model", "-o", "x.svg")
    (folder / "model.json").write_text('{"states": 3}', encoding="utf-8")
    assert "model.json" in refused(folder, "draw", "model.json", "-o", "x.svg")


def test_places_where_nothing_can_be_written(folder: Path) -> None:
    (folder / "dir").mkdir()
    assert "absent/turn.svg" in refused(folder, "draw", "magic", "-o", "absent/turn.svg")
    assert "directory" in refused(folder, "draw", "magic", "-o", "dir", "--format", "svg")


def test_of_two_outputs_none_is_written_when_one_cannot_be(folder: Path) -> None:
    (folder / "good.json").write_text(data(), encoding="utf-8")
    done = CliRunner().invoke(
        cli, ["run", "good.json", "--svg", "turn.svg", "--trace", "absent/run.jsonl"]
    )
    assert done.exit_code == 2
    assert "absent/run.jsonl" in done.stderr
    assert sorted(p.name for p in folder.iterdir()) == ["good.json"]


def test_logs_without_one_recognisable_line(folder: Path) -> None:
    for text in ("", "just words\n" * 5, '{"greToClientEvent": 3}\n'):
        (folder / "game.log").write_text(text, encoding="utf-8")
        assert "game.log" in refused(folder, "conform", "game.log")


def test_what_conform_cannot_allow(folder: Path) -> None:
    (folder / "game.log").write_text("x\n", encoding="utf-8")
    assert "did you mean 'extra'?" in refused(folder, "conform", "game.log", "--allow", "exta")
    assert "did you mean 'magic'?" in refused(folder, "conform", "game.log", "--ruleset", "magick")


def test_one_picture_cannot_show_two_models(folder: Path) -> None:
    other = json.loads(data(id="other", options={"stated_attacker_counts": True}))
    (folder / "two.json").write_text(json.dumps([json.loads(data()), other]), encoding="utf-8")
    assert "'other'" in refused(folder, "run", "two.json", "--svg", "turn.svg")


def test_one_file_cannot_hold_two_outputs(folder: Path) -> None:
    assert "--svg" in refused(folder, "run", "--svg", "out", "--trace", "./out")


def test_one_trace_cannot_hold_two_runs(folder: Path) -> None:
    (folder / "two.json").write_text(
        json.dumps([json.loads(data()), json.loads(data(id="other"))]), encoding="utf-8"
    )
    assert "2 scenarios" in refused(folder, "run", "two.json", "--trace", "run.jsonl")
