"""A game that a program of one's own recorded, as rows with names of its own or as a trace, is
judged like a client's log.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from conformance.conftest import Judge

import fsm
from fsm.cli import cli
from support.arenalogs import ATTACK, FIRST, QUIET, Turn, in_turn

WHO = ("Ann", "Ben", "Cy")


def rows(turns: Iterable[Turn]) -> list[dict[str, Any]]:
    return [
        {"turn": turn, "player": WHO[seat - 1], "step": step}
        for turn, seat, steps in turns
        for step in steps
    ]


def lines(data: Iterable[object]) -> list[str]:
    return [json.dumps(one) + "\n" for one in data]


def named(folder: Path, names: object) -> tuple[str, str]:
    """The option that says what the words of a recording mean."""
    path = folder / "names.json"
    path.write_text(json.dumps(names))
    return "--names", str(path)


# rows ---------------------------------------------------------------------------------------------


def test_rows_of_a_game_conform(judge: Judge) -> None:
    found = judge(lines(rows(in_turn(FIRST, ATTACK, [*QUIET, "cleanup"]))))
    assert found.ok
    assert [step for _, _, step in found.visits] == [*FIRST, *ATTACK, *QUIET, "cleanup"]
    assert found.verdict["players"] == ["Ann", "Ben"]


def test_a_refused_row_is_named(judge: Judge) -> None:
    refusal = judge(lines(rows(in_turn(FIRST, ["untap", "draw", *QUIET[3:]])))).refusal
    assert refusal["line"] == len(FIRST) + 2
    assert (refusal["seen"], refusal["expected"]) == (
        "draw in turn 2 of seat 2",
        ["upkeep in turn 2 of seat 2"],
    )


@pytest.mark.parametrize("ruleset", ["magic-2010", "grand-archive", "lanterns:LANTERNS"])
def test_a_played_game_of_any_ruleset_conforms(judge: Judge, ruleset: str, tmp_path: Path) -> None:
    noted: list[dict[str, Any]] = []
    for request in (game := fsm.TurnController(ruleset, ["Ann", "Ben"])):
        at = request.at
        if at.turn == 4:
            break
        row = {"turn": at.turn, "player": at.active, "step": at.step}
        if at.step and row not in noted[-1:]:
            noted.append(row)
        game.answer(request.quiet())
    options = ("--ruleset", ruleset, *named(tmp_path, {"complete": False}))
    assert judge(lines(noted), *options).ok
    assert not judge(lines([*noted[:5], noted[0], *noted[5:]]), *options).ok


def test_a_recording_may_have_names_of_its_own(judge: Judge, tmp_path: Path) -> None:
    told = [{"no": 1, "who": "Ann", "state": {"at": at}} for at in ("U", "-", "K", "M")]
    fields = {"turn": "no", "player": "who", "step": "state.at"}
    steps = {"U": "untap", "K": "upkeep", "M": "precombat_main", "-": ""}
    found = judge(lines(told), *named(tmp_path, {"fields": fields, "steps": steps}))
    assert (found.ok, found.steps(1)) == (True, ["untap", "upkeep", "precombat_main"])
    assert not judge(lines(told), *named(tmp_path, {"fields": fields})).ok


def test_a_state_may_have_several_rows_where_the_names_say_so(judge: Judge, tmp_path: Path) -> None:
    often = [row for row in rows(in_turn(FIRST, ATTACK)) for _ in range(3)]
    assert not judge(lines(often)).ok
    found = judge(lines(often), *named(tmp_path, {"lines": "states"}))
    assert [step for _, _, step in found.visits] == [*FIRST, *ATTACK]


@pytest.mark.parametrize(
    ("row", "hint"),
    [
        ({"step": "untapp"}, "'untapp' is no step of magic; did you mean 'untap'?"),
        ({"step": "untap", "phase": "combat"}, "'combat untap' is no step of magic"),
    ],
    ids=["unknown", "in another phase"],
)
def test_a_step_that_does_not_exist_is_refused(
    judge: Judge, row: dict[str, str], hint: str
) -> None:
    assert judge(lines([{"turn": 1, "player": "Ann", **row}])).refusal["hint"] == hint


def test_three_players_are_named_first(judge: Judge, tmp_path: Path) -> None:
    told = rows(in_turn(QUIET, ATTACK, QUIET, QUIET, seats=3))
    players = {"players": list(WHO)}
    assert judge(lines([players, *told])).ok
    assert judge(lines(told), *named(tmp_path, players)).ok
    error = judge(lines(rows([(1, 1, FIRST), (2, 2, QUIET), (3, 3, QUIET)]))).error
    assert "line 20: 'Cy' plays beside Ann, Ben; say who plays, in turn order" in error


def test_turn_one_or_another_name_begins_another_game(judge: Judge) -> None:
    first, second = rows(in_turn(FIRST, QUIET)), rows(in_turn(FIRST))
    found = judge(lines([*first, {"chat": 1}, *second]))
    assert (found.ok, found.verdict["games"], found.verdict["turns"]) == (True, 2, 3)
    found = judge(lines({"game": name, **row} for name in "xy" for row in second))
    assert (found.ok, found.verdict["games"]) == (True, 2)


@pytest.mark.parametrize(
    "text",
    ["{", "[1]", '{"turn": "one"}', '{"turn": -1}', '{"step": 3}', '{"player": []}',
     '{"players": ["Ann", "Ann"]}', '{"a": ' + "[" * 100_000],
)  # fmt: skip
def test_a_damaged_row_is_counted_and_skipped(judge: Judge, text: str) -> None:
    plain = lines(rows(in_turn(FIRST)))
    found = judge([*plain[:4], text + "\n", *plain[4:]])
    assert (found.ok, found.verdict["damaged_lines"], found.steps(1)) == (True, 1, FIRST)


def test_a_recording_without_a_step_is_an_error_with_a_remedy(judge: Judge) -> None:
    error = judge(['{"turn": "one", "step": "untap"}\n']).error
    assert "shows no step (1 lines read, 1 damaged; line 1: its turn must be a whole" in error
    assert 'wanted are lines such as {"turn": 1, "player": "Ann",' in error


@pytest.mark.parametrize(
    ("names", "why"),
    [
        ([1], "must be an object of names"),
        ({"fields": {"trun": "x"}}, "fields: 'trun' is not known; did you mean 'turn'"),
        ({"steps": {"U": "untapp"}}, "'U' is to mean 'untapp', which is no step of magic; did"),
        ({"players": ["A", "A"]}, "a list of different names"),
        ({"complete": "yes"}, "must be true or false"),
    ],
    ids=["list", "field", "step", "players", "complete"],
)
def test_wrong_names_are_refused(judge: Judge, names: object, why: str, tmp_path: Path) -> None:
    error = judge(lines(rows(in_turn(FIRST))), *named(tmp_path, names)).error
    assert "names.json: " in error and why in error


# traces -------------------------------------------------------------------------------------------


def trace(folder: Path, *given: dict[str, object]) -> list[str]:
    """The trace of two turns in which this happens."""
    scenario = {"players": 2, "through_turn": 2, "given": given, "expect": []}
    files = [str(folder / name) for name in ("scenario.json", "run.jsonl")]
    Path(files[0]).write_text(json.dumps(scenario), encoding="utf-8")
    done = CliRunner().invoke(cli, ["run", files[0], "--trace", files[1]])
    assert done.exit_code == 0, done.output
    return Path(files[1]).read_text(encoding="utf-8").splitlines(keepends=True)


COMBAT: dict[str, object] = {
    "when": {"turn": 1, "step": "precombat_main"},
    "do": "add_phase",
    "phases": ["combat"],
}


def test_by_its_own_model_a_trace_is_replayed_with_its_effects(
    judge: Judge, tmp_path: Path
) -> None:
    found = judge(trace(tmp_path, COMBAT))
    assert (found.ok, found.steps(1).count("declare_attackers")) == (True, 2)


def test_a_firing_that_did_not_happen_is_refused_with_its_line(
    judge: Judge, tmp_path: Path
) -> None:
    row, other = "upkeep_window -> upkeep_end on closed", "upkeep_window -> draw_end on closed"
    lines = [line.replace(row, other) for line in trace(tmp_path)]
    refusal = judge(lines).refusal
    assert other in lines[refusal["line"] - 1]
    assert other in refusal["says"] and row in refusal["says"]


@pytest.mark.parametrize("end", [1, 30, 90])
def test_a_trace_may_stop_anywhere(judge: Judge, tmp_path: Path, end: int) -> None:
    assert judge(trace(tmp_path)[:end]).ok


@pytest.mark.parametrize(
    ("given", "options", "ok"),
    [
        ([], ["magic-2010"], True),
        ([COMBAT], ["magic-2010"], False),
        ([COMBAT], ["magic-2010", "--allow", "extra"], True),
        ([], ["grand-archive"], False),
    ],
    ids=["quiet", "an extra combat", "allowed", "another game"],
)
def test_by_another_model_a_trace_is_followed(
    judge: Judge, tmp_path: Path, given: list[Any], options: list[str], ok: bool
) -> None:
    assert judge(trace(tmp_path, *given), "--ruleset", *options).ok is ok


@pytest.mark.parametrize(
    "wrong", [b"\xff\xfe", b"{", b" " * 9_000_000], ids=["bytes", "cut", "long"]
)
def test_a_wrong_line_of_a_trace_is_named(judge: Judge, tmp_path: Path, wrong: bytes) -> None:
    text = "".join(trace(tmp_path)[:9]).encode()
    assert "game.log: trace line 10" in judge(text + wrong + b"\n").error
