"""A recorded game of a commercial client conforms if it is a run of the model. Otherwise `fsm
conform` names the first line that is none, what could have come, and what would explain it.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from conformance.conftest import Judge

import fsm
from support.arenalogs import (
    ATTACK,
    FIRST,
    FIRST_STRIKE,
    QUIET,
    Turn,
    code_mark,
    in_turn,
    line,
    log,
    new_turn,
    start,
    state,
    step_mark,
)

LETTERS = dict(zip("ukdmbalfgenxc", FIRST_STRIKE, strict=True))
"""Cases write a step as a letter: l are blockers, f first-strike damage, n the second main phase."""
GAMES = json.loads(Path(__file__).with_name("client_games.json").read_text(encoding="utf-8"))


def turns_of(case: dict[str, Any]) -> list[Turn]:
    return [(turn, seat, [LETTERS[step] for step in steps]) for turn, seat, steps in case["turns"]]


@pytest.mark.parametrize("case", GAMES, ids=lambda case: case["id"])
def test_a_game_is_judged_by_the_rules(judge: Judge, case: dict[str, Any]) -> None:
    """An effect explains a game only where its layer is allowed."""
    turns = turns_of(case)
    lines = log(turns, seats=case.get("seats", 2))[case.get("joined", False) :]
    found = judge(lines)
    if "seen" in case:
        assert found.refusal["seen"] == case["seen"]
        assert found.refusal["expected"] == case["expected"]
        return
    if "hint" in case:
        assert case["hint"] in found.refusal["hint"]
        found = judge(lines, "--allow", case["allow"])
    assert found.ok
    assert (found.verdict["games"], found.verdict["turns"]) == (1, len(turns))
    assert found.visits == [
        (turn, f"seat {seat}", step) for turn, seat, steps in turns for step in steps
    ]


def test_a_game_may_stop_anywhere(judge: Judge) -> None:
    lines = log(in_turn(FIRST, FIRST_STRIKE))
    assert all(judge(lines[:end]).ok for end in (2, 9, 25, 33))


def test_a_log_may_begin_within_a_turn(judge: Judge) -> None:
    end = line(state(6, 2, "end"), state(6, 2, "cleanup"))
    found = judge([end, *log([(7, 1, QUIET)])[1:]])
    assert (found.ok, found.steps(6)) == (True, ["end", "cleanup"])


def test_one_effect_at_a_time_explains_a_game(judge: Judge) -> None:
    turns = in_turn(FIRST, ["untap", "upkeep", "beginning_of_combat"])
    assert not judge(log(turns), "--allow", "skip").ok


def test_a_refusal_names_the_line_and_following_stops_there(judge: Judge) -> None:
    lines = log(in_turn(FIRST, QUIET))
    gone = next(number for number, text in enumerate(lines) if "Step_Draw" in text)
    lines[gone : gone + 2] = ["[Client] a line that means nothing here\n"]
    found = judge(lines)
    assert found.refusal["line"] == gone + 2
    assert found.steps(2) == ["untap", "upkeep"]


def test_the_model_alone_decides(judge: Judge, tmp_path: Path) -> None:
    model = fsm.load("magic")
    [row] = [
        row.id
        for row in model.transitions
        if row.target == "first_strike_damage_before" and not row.generic
    ]
    path = tmp_path / "less.json"
    path.write_text(json.dumps(model.without(row).to_json()))
    refusal = judge(log(in_turn(FIRST, FIRST_STRIKE)), "--ruleset", str(path)).refusal
    assert refusal["seen"] == "first_strike_damage in turn 2 of seat 2"
    assert judge(log(in_turn(FIRST, ATTACK)), "--ruleset", str(path)).ok


def test_a_layer_that_does_not_exist_cannot_be_allowed(judge: Judge) -> None:
    assert "did you mean 'extra'" in judge(log(in_turn(FIRST)), "--allow", "exta").error


# how a client writes ------------------------------------------------------------------------------


def info(**told: Any) -> str:
    """The upkeep of turn 1, with something else in its words about the turn."""
    message = state(1, 1, "upkeep")
    message["gameStateMessage"]["turnInfo"] |= told
    return line(message)


UNTAP, UPKEEP = line(state(1, 1, "untap")), line(state(1, 1, "upkeep"))
MARKS = [step_mark("cleanup", 1), new_turn(2), step_mark("untap", 2), step_mark("upkeep", 2)]
TURN_ONE = [new_turn(1), *(step_mark(step, 1) for step in FIRST[:-1])]
WRITTEN = {
    "a step is told again": ([UNTAP, *[UPKEEP] * 5], ["untap", "upkeep"]),
    "what is predicted does not count": (
        [UNTAP, info(nextPhase="Phase_Combat", nextStep="Step_BeginCombat")],
        ["untap", "upkeep"],
    ),
    "only changes are told": (
        [UNTAP, UPKEEP, line(state(step="precombat_main")), line(state(seat=1)), line(state())],
        ["untap", "upkeep", "precombat_main"],
    ),
    "marks before a new turn are of the old one": (
        [*log(in_turn(FIRST[:-1]))[1:], line(state(2, 2, "upkeep", MARKS))],
        [*FIRST, "untap", "upkeep"],
    ),
    "marks of two turns": (
        [line(state(2, 2, "upkeep", [*TURN_ONE, *MARKS]))],
        [*FIRST, "untap", "upkeep"],
    ),
    "a code that is seldom written": (
        [*log(in_turn(FIRST[:3]))[1:], line(state(1, 1, marks=[code_mark(3, 4, 1)]))],
        FIRST[:4],
    ),
    "the stage is told again": (
        [line(state(seat=1, marks=[new_turn(1)])), line(state(gameInfo={"stage": "GameStage_Start"})), UNTAP, UPKEEP],
        ["untap", "upkeep"],
    ),
}  # fmt: skip


@pytest.mark.parametrize(("lines", "steps"), WRITTEN.values(), ids=WRITTEN)
def test_what_the_client_writes_is_understood(
    judge: Judge, lines: list[str], steps: list[str]
) -> None:
    found = judge([line(start()), *lines])
    assert (found.ok, found.verdict["games"]) == (True, 1)
    assert [step for _, _, step in found.visits] == steps


def test_what_is_stated_against_the_turn_is_refused(judge: Judge) -> None:
    lines = log(in_turn(FIRST, QUIET))
    for wrong in (state(2, 1, "cleanup"), state(4, 2, "cleanup")):
        assert judge([*lines, line(wrong)]).refusal["line"] == len(lines) + 1


@pytest.mark.parametrize(
    ("told", "seen"),
    [
        (info(phase="Phase_Combat", step="Step_Parley"), "Phase_Combat Step_Parley"),
        (line(state(1, 1, marks=[code_mark(3, 99, 1)])), "phase 3, step 99"),
    ],
    ids=["word", "code"],
)
def test_an_unknown_word_is_refused_as_it_is(judge: Judge, told: str, seen: str) -> None:
    refusal = judge([line(start()), told]).refusal
    assert refusal["hint"].startswith(f"{seen!r} is no step of magic; known: ")


@pytest.mark.parametrize("other", [{"gameNumber": 2}, {"matchID": "b"}], ids=str)
def test_another_game_is_known_by_its_number_or_match(judge: Judge, other: dict[str, Any]) -> None:
    told = state(gameInfo={"matchID": "a"}), state(1, 2, "untap", gameInfo=other)
    found = judge([*log(in_turn(FIRST)), *map(line, told)])
    assert (found.ok, found.verdict["games"]) == (True, 2)


def test_other_text_and_line_ends_do_not_matter(judge: Judge) -> None:
    noise = ["[Client]Match to X: Event\n", "{}\n", '{"a": [1]}\n', "{not ours}\n", "\n"]
    plain = log(in_turn(FIRST, QUIET))
    noisy = [part for text in plain for part in (*noise, "[Client][3] 12:00 Event " + text)]
    found = judge(b"\xef\xbb\xbf" + "".join(noisy).encode().replace(b"\n", b"\r\n"))
    assert (found.ok, found.verdict["skipped_lines"]) == (True, 0)
    assert found.visits == judge(plain).visits


# damaged logs, and none ---------------------------------------------------------------------------

DAMAGED = {
    "cut off": UPKEEP[:90],
    "turn a word": info(turnNumber="three"),
    "turn a truth": info(turnNumber=True),
    "phase a number": info(phase=3),
    "deep": '{"a": ' + "[" * 100_000,
    "too long": '{"a": "' + "x" * 9_000_000 + '"}',
}


@pytest.mark.parametrize("text", DAMAGED.values(), ids=DAMAGED)
def test_a_damaged_line_is_counted_and_skipped(judge: Judge, text: str) -> None:
    plain = log(in_turn(FIRST))
    found = judge([*plain[:3], text.rstrip() + "\n", *plain[3:]])
    assert (found.ok, found.verdict["skipped_lines"]) == (True, 1)
    assert found.steps(1) == FIRST


@pytest.mark.parametrize(
    ("lines", "why"),
    [
        ([], "shows nothing (0 lines read, 0 damaged); wanted are lines such as"),
        (["hello\n", '{"cut": \n', '{"cut": \n'], "3 damaged; line 1: "),
        ([line(start())], "shows nothing (1 lines read, 0 damaged); wanted"),
    ],
    ids=["empty", "damaged", "no turn"],
)
def test_what_is_no_log_is_an_error_with_a_remedy(judge: Judge, lines: list[str], why: str) -> None:
    assert why in judge(lines).error
