"""Reading a commercial client's log: what counts as an observation, and what a log may look like."""

from __future__ import annotations

import io
import json
import tracemalloc
from pathlib import Path

import pytest

from fsm.conformance.observations import Observation
from fsm.conformance.recordings.client import ArenaLog
from fsm.errors import LogError
from fsm.files import bounded_lines
from support.arenalogs import (
    ATTACK,
    FIRST,
    FIRST_STRIKE,
    QUIET,
    code_mark,
    in_turn,
    line,
    log,
    new_turn,
    start,
    state,
    step_mark,
)


def observed(lines: list[str]) -> list[Observation]:
    return list(ArenaLog(lines))


def steps(lines: list[str]) -> list[tuple[int, int, str]]:
    return [(seen.turn, seen.seat, seen.step) for seen in observed(lines) if seen.level == "step"]


def test_every_step_of_the_turns_is_observed_in_order_with_turn_and_seat() -> None:
    turns = in_turn(FIRST, QUIET, ATTACK, FIRST_STRIKE)
    assert steps(log(turns)) == [
        (number, seat, step) for number, seat, names in turns for step in names
    ]


def test_the_beginning_of_each_turn_is_observed() -> None:
    found = [
        (seen.turn, seen.seat)
        for seen in observed(log(in_turn(FIRST, QUIET, QUIET)))
        if seen.level == "turn"
    ]
    assert found == [(1, 1), (2, 2), (3, 1)]


def test_an_observation_tells_its_line_and_the_clients_word() -> None:
    lines = [
        "a header\n",
        line(start()),
        "\n",
        line(state(1, 1, "upkeep")),
        line(state(1, 1, "precombat_main")),
    ]
    assert [(seen.line, seen.word) for seen in observed(lines)] == [
        (4, "Phase_Beginning Step_Upkeep"),
        (5, "Phase_Main1"),
    ]


def test_a_step_that_stays_is_observed_once() -> None:
    lines = [line(start()), *[line(state(1, 1, "upkeep"))] * 5]
    assert steps(lines) == [(1, 1, "upkeep")]


def test_a_step_marked_again_is_observed_again() -> None:
    lines = [line(start()), *[line(state(1, 1, "upkeep", [step_mark("upkeep", 1)]))] * 2]
    assert steps(lines) == [(1, 1, "upkeep")] * 2


def test_predictions_are_never_read() -> None:
    told = state(1, 1, "upkeep")
    told["gameStateMessage"]["turnInfo"] |= {
        "nextPhase": "Phase_Combat",
        "nextStep": "Step_BeginCombat",
    }
    assert steps([line(start()), line(told)]) == [(1, 1, "upkeep")]


def test_a_message_that_tells_only_some_changes_leaves_the_rest_as_it_was() -> None:
    lines = [
        line(start()),
        line(state(3, 2, "upkeep")),
        line(state(step="draw")),
        line(state(seat=2)),
        line(state()),
    ]
    assert steps(lines) == [(3, 2, "upkeep"), (3, 2, "draw")]


def test_a_main_phase_does_not_keep_the_step_before_it() -> None:
    lines = [line(start()), line(state(1, 1, "draw")), line(state(1, 1, "precombat_main"))]
    assert steps(lines)[-1] == (1, 1, "precombat_main")


def test_what_a_message_states_against_its_own_annotations_is_observed_too() -> None:
    lines = [line(start()), line(state(1, 1, "upkeep", [step_mark("untap", 1)]))]
    assert steps(lines) == [(1, 1, "untap"), (1, 1, "upkeep")]


def test_annotations_before_a_new_turn_belong_to_the_old_one() -> None:
    marks = [step_mark("cleanup", 1), new_turn(2), step_mark("untap", 2), step_mark("upkeep", 2)]
    lines = [line(start()), line(state(7, 1, "end")), line(state(8, 2, "upkeep", marks))]
    assert steps(lines) == [(7, 1, "end"), (7, 1, "cleanup"), (8, 2, "untap"), (8, 2, "upkeep")]


def test_a_turn_told_without_being_marked_is_sure_of_the_last_annotation_only() -> None:
    marks = [step_mark(step, seat) for step, seat in (("cleanup", 1), ("untap", 2), ("upkeep", 2))]
    lines = [line(start()), line(state(7, 1, "end")), line(state(8, 2, "upkeep", marks))]
    assert steps(lines)[1:] == [(0, 1, "cleanup"), (0, 2, "untap"), (8, 2, "upkeep")]


def test_turns_are_counted_on_while_no_number_is_told() -> None:
    lines = [line(start()), line(state(marks=[new_turn(1), step_mark("untap", 1), new_turn(2)]))]
    assert [(seen.turn, seen.seat) for seen in observed(lines)] == [(1, 1), (1, 1), (2, 2)]


def test_a_turn_told_without_its_phase_is_a_new_turn() -> None:
    lines = [
        line(start()),
        line(state(1, 1, "end")),
        line(state(2, 2)),
        line(state(2, 2, "upkeep")),
    ]
    assert [(seen.level, seen.turn) for seen in observed(lines)] == [
        ("step", 1),
        ("turn", 2),
        ("step", 2),
    ]


def test_a_phase_told_without_its_step_is_the_beginning_of_the_phase() -> None:
    told = state(1, 1)
    told["gameStateMessage"]["turnInfo"]["phase"] = "Phase_Combat"
    lines = [
        line(start()),
        line(state(1, 1, "precombat_main")),
        line(told),
        line(state(1, 1, "beginning_of_combat")),
    ]
    found = [(seen.level, seen.phase, seen.step) for seen in observed([*lines, line(told)])]
    assert found[1:] == [("phase", "combat", ""), ("step", "combat", "beginning_of_combat")]


@pytest.mark.parametrize(
    ("codes", "step"),
    [((3, 4), "beginning_of_combat"), ((5, 9), "end"), ((3, 11), "first_strike_damage")],
)
def test_codes_that_the_client_seldom_writes(codes: tuple[int, int], step: str) -> None:
    assert steps([line(start()), line(state(1, 1, marks=[code_mark(*codes, 1)]))]) == [(1, 1, step)]


def test_unknown_words_and_codes_are_shown_as_they_are() -> None:
    told = state(1, 1)
    told["gameStateMessage"]["turnInfo"] |= {"phase": "Phase_Combat", "step": "Step_Parley"}
    found = observed([line(start()), line(told), line(state(1, 1, marks=[code_mark(3, 99, 1)]))])
    assert [(seen.step, seen.word) for seen in found] == [
        ("", "Phase_Combat Step_Parley"),
        ("", "phase code 3, step code 99"),
    ]


def test_a_very_long_word_is_shown_in_part() -> None:
    found = observed([line(start()), wrong(step="Step_" + "x" * 100_000)])
    assert found[0].word.startswith("Phase_Beginning Step_xxx") and len(found[0].word) < 100


# what a log may look like -------------------------------------------------------------------------


def test_headers_may_stand_on_the_same_line_and_other_lines_anywhere() -> None:
    plain = log(in_turn(FIRST, QUIET))
    noise = ["[Client]Match to X: Event\n", "{}\n", '{"a": [1]}\n', "{not ours}\n", "\n", "}\n"]
    noisy = [
        part for text in plain for part in (*noise, "[Client][3] 12:00:01 Match: Event " + text)
    ]
    assert steps(noisy) == steps(plain)
    assert ArenaLog(noisy).skipped_lines == 0


def test_bytes_and_other_line_ends_are_the_same_log() -> None:
    plain = log(in_turn(FIRST, QUIET))
    assert [
        *ArenaLog([b"\xef\xbb\xbf" + text.encode().replace(b"\n", b"\r\n") for text in plain])
    ] == observed(plain)


def test_a_file_is_read_and_can_be_read_again(tmp_path: Path) -> None:
    path = tmp_path / "game.log"
    path.write_text("".join(log(in_turn(FIRST))), encoding="utf-8")
    source = ArenaLog.open(path)
    assert list(source) == list(source) == observed(log(in_turn(FIRST)))
    assert (source.read, source.skipped_lines) == (len(log(in_turn(FIRST))), 0)


def wrong(**info: object) -> str:
    told = state(1, 1, "upkeep")
    told["gameStateMessage"]["turnInfo"] |= info
    return line(told)


DAMAGED = {
    "cut off": line(state(1, 1, "upkeep"))[:90],
    "cut at the start": '{"requestId": 4, "gre',
    "turn a word": wrong(turnNumber="three"),
    "turn negative": wrong(turnNumber=-1),
    "turn a truth": wrong(turnNumber=True),
    "phase a number": wrong(phase=3),
    "event a list": json.dumps({"greToClientEvent": []}),
    "messages an object": json.dumps({"greToClientEvent": {"greToClientMessages": {}}}),
    "message a number": json.dumps({"greToClientEvent": {"greToClientMessages": [1]}}),
    "annotations a word": line(state(annotations="none")),
    "code a word": line(state(marks=[code_mark("combat", 0, 1)])),  # type: ignore[arg-type]
    "deep": '{"a": ' + "[" * 100_000,
    "huge number": '{"a": ' + "9" * 10_000 + "}",
    "too long": '{"a": "' + "x" * 20_000 + '"}',
}


@pytest.mark.parametrize("text", DAMAGED.values(), ids=DAMAGED.keys())
def test_a_damaged_line_is_counted_and_skipped(text: str) -> None:
    plain = log(in_turn(FIRST))
    source = ArenaLog([*plain[:3], text, *plain[3:]], limit=15_000)
    found = [(seen.turn, seen.step, seen.damaged) for seen in source]
    assert [(turn, step) for turn, step, _ in found] == [
        (seen.turn, seen.step) for seen in observed(plain)
    ]
    assert sum(damaged for _, _, damaged in found) == 1
    assert (source.skipped_lines, source.read) == (1, len(plain) + 1)


def test_a_line_longer_than_the_limit_is_none_and_the_next_one_is_whole() -> None:
    stream = io.BytesIO(b"ab\n" + b"x" * 100 + b"\n" + b"cdefghi\n" + b"y" * 50)
    assert list(bounded_lines(stream, 8)) == [b"ab\n", None, b"cdefghi\n", None]


def test_a_line_longer_than_the_limit_is_never_held(tmp_path: Path) -> None:
    path = tmp_path / "long.log"
    with path.open("wb") as stream:
        for _ in range(64):
            stream.write(b"x" * 1_000_000)
        stream.write(b"\n" + "".join(log(in_turn(FIRST))).encode())
    tracemalloc.start()
    try:
        source = ArenaLog.open(path, limit=100_000)
        count = sum(1 for _ in source)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert (count, source.skipped_lines) == (len(FIRST) + 1, 1)
    assert peak < 2_000_000


# games --------------------------------------------------------------------------------------------


def test_a_new_game_starts_afresh() -> None:
    found = observed(log(in_turn(FIRST, QUIET)) + log(in_turn(FIRST)))
    assert {(seen.game, seen.turn) for seen in found} == {(1, 1), (1, 2), (2, 1)}


def test_the_next_game_of_a_match_is_known_by_its_number() -> None:
    info = {"gameNumber": 2, "stage": "GameStage_Play"}
    found = observed([*log(in_turn(FIRST)), line(state(1, 2, "upkeep", gameInfo=info))])
    assert [(seen.game, seen.seat) for seen in found][-1] == (2, 2)


def test_the_stage_told_again_before_the_first_step_is_the_same_game() -> None:
    again = line(state(gameInfo={"stage": "GameStage_Start"}))
    found = observed(
        [
            line(start()),
            line(state(seat=1, marks=[new_turn(1)])),
            again,
            line(state(1, 1, "upkeep")),
        ]
    )
    assert [(seen.game, seen.level) for seen in found] == [(1, "turn"), (1, "step")]


def test_the_seats_are_those_of_the_players() -> None:
    assert observed(log(in_turn(FIRST), seats=4))[0].seats == (1, 2, 3, 4)


@pytest.mark.parametrize(("whole", "joined"), [(False, True), (True, False)])
def test_a_log_that_begins_in_the_middle_of_a_game_says_so(whole: bool, joined: bool) -> None:
    lines = [line(start())] * whole + [line(state(5, 1, "upkeep")), line(state(5, 1, "draw"))]
    assert [seen.joined for seen in observed(lines)] == [joined, False]


# no log at all ------------------------------------------------------------------------------------


@pytest.mark.parametrize("lines", [[], ["hello\n"], ['{"a": 1}\n', "{\n"], ['{"cut": ']])
def test_a_log_without_one_recognisable_line_is_an_error_with_a_remedy(lines: list[str]) -> None:
    with pytest.raises(LogError, match=r"no-game\.log: shows no game .* detailed logs"):
        list(ArenaLog(lines, name="no-game.log"))


def test_a_log_without_a_game_names_its_first_damaged_line() -> None:
    with pytest.raises(LogError, match=r"4 lines read, 2 damaged; the first of them is line 2\)"):
        list(ArenaLog(["hello\n", '{"cut": \n', "\x00\n", '{"cut": \n']))


def test_a_log_whose_messages_tell_no_turn_is_an_error() -> None:
    with pytest.raises(LogError, match="none tells turn, phase or step"):
        list(ArenaLog([line(start())]))


def test_a_log_that_cannot_be_opened_is_an_error_that_names_it(tmp_path: Path) -> None:
    for path in (tmp_path / "absent.log", tmp_path):
        with pytest.raises(LogError, match=path.name):
            list(ArenaLog.open(path))
