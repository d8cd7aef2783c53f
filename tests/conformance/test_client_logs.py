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
    BEGINNING,
    ENDING,
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


def less(steps: list[str], *gone: str) -> list[str]:
    return [step for step in steps if step not in gone]


def more(steps: list[str], after: str, *extra: str) -> list[str]:
    at = steps.index(after) + 1
    return [*steps[:at], *extra, *steps[at:]]


# games that are runs ------------------------------------------------------------------------------


@pytest.mark.parametrize("annotated", [True, False], ids=["every step", "only steps with priority"])
@pytest.mark.parametrize(
    "turn", [QUIET, ATTACK, FIRST_STRIKE], ids=["quiet", "attack", "first strike"]
)
def test_a_turn_by_the_rules_conforms(judge: Judge, turn: list[str], annotated: bool) -> None:
    found = judge(log(in_turn(FIRST, turn, QUIET), annotated=annotated))
    assert found.ok
    assert (found.steps(1), found.steps(2)) == (FIRST, turn)
    assert (found.verdict["games"], found.verdict["turns"]) == (1, 3)
    assert found.visits[len(FIRST)] == (2, "seat 2", "untap")


def test_a_game_may_stop_anywhere(judge: Judge) -> None:
    lines = log(in_turn(FIRST, FIRST_STRIKE))
    assert all(judge(lines[:end]).ok for end in (2, 9, 25, 33))


@pytest.mark.parametrize(
    ("turns", "ok"),
    [
        ([(6, 2, QUIET), (7, 1, QUIET)], True),
        ([(2, 2, QUIET), (3, 1, QUIET)], True),
        ([(5, 1, FIRST)], False),
    ],
    ids=["by the rules", "the second player draws", "nobody skips a draw"],
)
def test_a_log_may_begin_in_the_middle_of_a_game(judge: Judge, turns: list[Turn], ok: bool) -> None:
    lines = [text for text in log(turns) if "GameStage_Start" not in text]
    assert judge(lines).verdict["joined"]
    assert judge(lines).ok is ok


def test_a_log_may_begin_within_a_turn(judge: Judge) -> None:
    found = judge([line(state(6, 2, "end")), *log([(7, 1, QUIET)])[1:]])
    assert (found.ok, found.steps(6)) == (True, ["end", "cleanup"])


def test_a_log_that_shows_its_start_may_not_begin_in_the_middle(judge: Judge) -> None:
    assert not judge(log([(6, 2, QUIET), (7, 1, QUIET)])).ok


# games that are none ------------------------------------------------------------------------------

REFUSED = {
    "untap left out": (
        in_turn(FIRST, less(QUIET, "untap")),
        "upkeep in turn 2 of seat 2",
        "untap in turn 2 of seat 2",
    ),
    "a draw on the first turn": (
        in_turn(QUIET),
        "draw in turn 1 of seat 1",
        "precombat_main in turn 1 of seat 1",
    ),
    "the wrong player": (
        [(1, 1, FIRST), (2, 1, QUIET)],
        "the beginning of turn 2 of seat 1",
        "the beginning of turn 2 of seat 2",
    ),
    "a turn number that jumps": (
        [(1, 1, FIRST), (3, 2, QUIET)],
        "the beginning of turn 3 of seat 2",
        "the beginning of turn 2 of seat 2",
    ),
    "a turn cut short": (
        in_turn(FIRST[:4], QUIET),
        "the beginning of turn 2 of seat 2",
        "declare_attackers in turn 1 of seat 1",
    ),
}


@pytest.mark.parametrize(("turns", "seen", "expected"), REFUSED.values(), ids=REFUSED)
def test_what_is_no_run_is_refused(
    judge: Judge, turns: list[Turn], seen: str, expected: str
) -> None:
    refusal = judge(log(turns)).refusal
    assert refusal["seen"] == seen
    assert expected in refusal["expected"]


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


# effects ------------------------------------------------------------------------------------------

EFFECTS = {
    "an extra turn": ("extra", [(1, 1, FIRST), (2, 1, QUIET), (3, 2, QUIET)], "turn of seat 1"),
    "an extra combat": (
        "extra",
        in_turn(FIRST, more(ATTACK, "end_of_combat", *less(ATTACK[4:], *ENDING[1:]))),
        "combat phase",
    ),
    "a skipped combat": (
        "skip",
        in_turn(FIRST, less(QUIET, *BEGINNING[4:], "end_of_combat")),
        "a skipped combat phase",
    ),
    "a skipped turn": ("skip", [(1, 1, FIRST), (2, 1, QUIET)], "a skipped turn of seat 2"),
    "the turn ended": ("jump", in_turn(FIRST, [*QUIET[:4], "cleanup"]), "ends the turn or a phase"),
}


@pytest.mark.parametrize(("layer", "turns", "hint"), EFFECTS.values(), ids=EFFECTS)
def test_an_effect_explains_a_game_only_where_it_is_allowed(
    judge: Judge, layer: str, turns: list[Turn], hint: str
) -> None:
    assert f"{hint} (layer {layer!r})" in judge(log(turns)).refusal["hint"]
    allowed = judge(log(turns), "--allow", layer)
    assert allowed.ok
    assert allowed.steps(2) == turns[1][2]


def test_effects_are_few_and_used_up(judge: Judge) -> None:
    """At most three effects between two lines. A skip skips one draw, not all later ones."""
    three = ["untap", "upkeep", "postcombat_main", "end", "cleanup"]
    four = ["untap", "upkeep", "end", "cleanup"]
    assert judge(log(in_turn(FIRST, three, QUIET)), "--allow", "skip").ok
    assert not judge(log(in_turn(FIRST, four, QUIET)), "--allow", "skip").ok
    once = judge(log(in_turn(FIRST, less(QUIET, "draw"), QUIET)), "--allow", "skip")
    assert [turn for turn, _, step in once.visits if step == "draw"] == [3]


def test_a_layer_that_does_not_exist_cannot_be_allowed(judge: Judge) -> None:
    assert "did you mean 'extra'" in judge(log(in_turn(FIRST)), "--allow", "exta").error


# how a client writes ------------------------------------------------------------------------------


def info(**told: Any) -> str:
    """The upkeep of turn 1, with something else in its words about the turn."""
    message = state(1, 1, "upkeep")
    message["gameStateMessage"]["turnInfo"] |= told
    return line(message)


UPKEEP = line(state(1, 1, "upkeep"))
MARKS = [step_mark("cleanup", 1), new_turn(2), step_mark("untap", 2), step_mark("upkeep", 2)]
WRITTEN = {
    "a step is told again": ([UPKEEP] * 5, ["untap", "upkeep"]),
    "what is predicted does not count": (
        [info(nextPhase="Phase_Combat", nextStep="Step_BeginCombat")],
        ["untap", "upkeep"],
    ),
    "only changes are told": (
        [UPKEEP, line(state(step="precombat_main")), line(state(seat=1)), line(state())],
        ["untap", "upkeep", "precombat_main"],
    ),
    "marks before a new turn are of the old one": (
        [*log(in_turn(FIRST[:-1]))[1:], line(state(2, 2, "upkeep", MARKS))],
        [*FIRST, "untap", "upkeep"],
    ),
    "a code that is seldom written": (
        [*log(in_turn(FIRST[:3]))[1:], line(state(1, 1, marks=[code_mark(3, 4, 1)]))],
        FIRST[:4],
    ),
    "the stage is told again": (
        [line(state(seat=1, marks=[new_turn(1)])), line(state(gameInfo={"stage": "GameStage_Start"})), UPKEEP],
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
        (line(state(1, 1, marks=[code_mark(3, 99, 1)])), "phase code 3, step code 99"),
    ],
    ids=["word", "code"],
)
def test_an_unknown_word_is_refused_as_it_is(judge: Judge, told: str, seen: str) -> None:
    refusal = judge([line(start()), told]).refusal
    assert refusal["hint"] == f"{seen!r} is no step of magic"


def test_the_next_game_of_a_match_is_known_by_its_number(judge: Judge) -> None:
    again = state(1, 2, "upkeep", gameInfo={"gameNumber": 2, "stage": "GameStage_Play"})
    found = judge([*log(in_turn(FIRST)), line(again)])
    assert (found.ok, found.verdict["games"]) == (True, 2)


def test_other_text_and_line_ends_do_not_matter(judge: Judge) -> None:
    noise = ["[Client]Match to X: Event\n", "{}\n", '{"a": [1]}\n', "{not ours}\n", "\n"]
    plain = log(in_turn(FIRST, QUIET))
    noisy = [part for text in plain for part in (*noise, "[Client][3] 12:00 Event " + text)]
    found = judge(b"\xef\xbb\xbf" + "".join(noisy).encode().replace(b"\n", b"\r\n"))
    assert (found.ok, found.verdict["damaged_lines"]) == (True, 0)
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
    assert (found.ok, found.verdict["damaged_lines"]) == (True, 1)
    assert found.steps(1) == FIRST


@pytest.mark.parametrize(
    ("after", "ok"),
    [
        (state(2, 2, "end_of_combat"), True),
        (state(6, 2, "upkeep"), True),
        (state(900, 2, "upkeep"), False),
    ],
    ids=["steps", "four turns", "too many turns"],
)
def test_time_may_pass_in_a_damaged_line_but_only_by_the_rules(
    judge: Judge, after: dict[str, Any], ok: bool
) -> None:
    lines = log(in_turn(FIRST, ATTACK))
    blocks = next(number for number, text in enumerate(lines) if "Step_DeclareBlock" in text)
    assert judge([*lines[:blocks], lines[blocks][:200] + "\n", line(after)]).ok is ok


@pytest.mark.parametrize(
    ("lines", "why"),
    [
        ([], "shows no game (0 lines read, 0 damaged); wanted are lines of JSON"),
        (["hello\n", '{"cut": \n', '{"cut": \n'], "2 damaged; the first of them is line 2"),
        ([line(start())], "has game messages, but none tells turn, phase or step"),
    ],
    ids=["empty", "damaged", "no turn"],
)
def test_what_is_no_log_is_an_error_with_a_remedy(judge: Judge, lines: list[str], why: str) -> None:
    assert why in judge(lines).error
