"""Following games that other programs recorded, as lines of (turn, player, phase, step) in any
words.
"""

from __future__ import annotations

import json
import tracemalloc
from collections.abc import Iterable, Iterator
from itertools import cycle, islice
from pathlib import Path
from typing import Any

import pytest
from lanterns import LANTERNS

import fsm
from fsm import TurnController, conform
from fsm.conformance.following import Conformance, Follower
from fsm.conformance.recordings.opening import recorder_of
from fsm.conformance.recordings.rownames import RowNames, names_of, read_names
from fsm.conformance.recordings.rows import RowLog
from fsm.errors import LogError
from fsm.model import Model
from fsm.rulesets import names
from support.amounts import amount
from support.arenalogs import ATTACK, FIRST, QUIET, Turn, in_turn
from support.playing import quiet

WHO = ("Ann", "Ben", "Cy")


def rows(turns: Iterable[Turn]) -> list[dict[str, Any]]:
    return [
        {"turn": turn, "player": WHO[seat - 1], "step": step}
        for turn, seat, steps in turns
        for step in steps
    ]


def lines(data: Iterable[object]) -> list[str]:
    return [json.dumps(one) + "\n" for one in data]


def followed(
    model: Model, data: Iterable[object], names: dict[str, Any] | None = None
) -> Conformance:
    chosen = names_of(names, model) if names is not None else RowNames()
    return conform(model, RowLog(lines(data), model, chosen))


def played(model: Model, turns: int) -> Iterator[dict[str, Any]]:
    """What a program that plays by this model would note: a line for each step as it begins."""
    game, at = TurnController(model, ["Ann", "Ben"]), (0, "", 0)
    while game.position.turn <= turns:
        here = game.position
        if here.step and (here.turn, here.step, here.iteration) != at:
            at = (here.turn, here.step, here.iteration)
            yield {"turn": here.turn, "player": here.active, "step": here.step}
        game.answer(quiet(game.request))


@pytest.mark.parametrize("name", names())
def test_games_of_every_ruleset(name: str) -> None:
    model = fsm.load(name)
    noted = list(played(model, 4))
    done = followed(model, noted, {"complete": False})
    assert done.ok, done.refusal
    assert done.turns == 4
    middle = len(noted) // 2
    assert not followed(model, [*noted[:middle], *noted[middle + 1 :]], {"complete": True}).ok
    assert not followed(model, [*noted[:middle], noted[0], *noted[middle:]]).ok


def test_a_game_of_ones_own() -> None:
    model = LANTERNS.build()
    assert followed(model, played(model, 3), {"complete": False}).ok


def test_turns_are_followed_and_told(magic: Model) -> None:
    done = followed(magic, rows(in_turn(FIRST, ATTACK, QUIET)))
    assert done.ok and (done.turns, done.games, done.read) == (3, 1, len(FIRST + ATTACK + QUIET))
    assert [visit.step for visit in done.visits] == [*FIRST, *ATTACK, *QUIET]


def test_a_refusal_names_line_and_remedy(magic: Model) -> None:
    refusal = followed(magic, rows(in_turn(FIRST, ["untap", "draw", *QUIET[3:]]))).refusal
    assert refusal is not None and refusal.line == len(FIRST) + 2
    assert str(refusal).startswith(
        f"line {refusal.line}: seen draw in turn 2 of seat 2; could have come: upkeep"
    )


def test_a_step_that_comes_twice_is_two_lines(magic: Model) -> None:
    twice = [*QUIET, "cleanup"]
    assert [v.step for v in followed(magic, rows(in_turn(FIRST, twice))).visits][-2:] == [
        "cleanup"
    ] * 2


def test_a_line_for_each_change_of_anything(magic: Model) -> None:
    """Equal lines in a row are one visit, where the names say so."""
    often = [row for row in rows(in_turn(FIRST, ATTACK)) for _ in range(3)]
    assert not followed(magic, often).ok
    done = followed(magic, often, {"lines": "states"})
    assert done.ok and [v.step for v in done.visits] == [*FIRST, *ATTACK]


def test_other_fields_and_other_words(magic: Model) -> None:
    words = {step: f"S{number}" for number, step in enumerate(dict.fromkeys(ATTACK))}
    told = [
        {
            "event": "state",
            "state": {
                "no": row["turn"],
                "who": 7 + WHO.index(row["player"]),
                "at": words[row["step"]],
            },
        }
        for row in rows(in_turn(FIRST, ATTACK))
    ]
    told.insert(3, {"event": "chat", "text": "hello"})
    told.insert(5, {"event": "state", "state": {"no": 1, "who": 7, "at": "Waiting"}})
    meanings = {**{word: step for step, word in words.items()}, "Waiting": ""}
    paths = {"turn": "state.no", "player": "state.who", "step": "state.at"}
    done = followed(magic, told, {"fields": paths, "steps": meanings})
    assert done.ok and [v.step for v in done.visits] == [*FIRST, *ATTACK]
    assert not followed(magic, told, {"fields": paths}).ok


def test_phases_alone(magic: Model) -> None:
    """A phase that has one step is that step; of others it is the beginning."""
    beginning = [{"phase": "beginning"}, {"step": "untap"}, {"step": "upkeep"}]
    told = [*beginning, {"phase": "precombat_main"}, {"phase": "Fight"}]
    done = followed(
        magic,
        [{"turn": 1, "player": "Ann", **row} for row in told],
        {"phases": {"Fight": "combat"}},
    )
    assert done.ok and [v.step for v in done.visits] == ["untap", "upkeep", "precombat_main"]


def test_a_step_in_another_phase_than_its_own_is_refused(magic: Model) -> None:
    right, wrong = (
        [{"turn": 1, "player": "Ann", "phase": p, "step": "untap"}] for p in ("beginning", "combat")
    )
    assert followed(magic, right).ok
    refusal = followed(magic, wrong).refusal
    assert refusal is not None and refusal.hint == "'combat untap' is no step of magic"


def test_an_unknown_step_is_refused_with_the_nearest(magic: Model) -> None:
    refusal = followed(magic, [{"turn": 1, "player": "Ann", "step": "untapp"}]).refusal
    assert (
        refusal is not None
        and refusal.hint == "'untapp' is no step of magic; did you mean 'untap'?"
    )


def test_turns_alone(magic: Model) -> None:
    told = [{"turn": turn, "player": WHO[(turn - 1) % 2]} for turn in (1, 2, 3)]
    assert not followed(magic, told).ok, "the steps between are missing"
    assert followed(magic, told[:1]).ok


def test_three_players_in_turn_order(magic: Model) -> None:
    told = rows(in_turn(QUIET, ATTACK, QUIET, QUIET, seats=3))
    first: list[dict[str, Any]] = [{"players": list(WHO)}]
    assert followed(magic, [*first, *told]).ok
    assert followed(magic, told, {"players": list(WHO)}).ok
    with pytest.raises(LogError, match=r"line 20: 'Cy' plays beside Ann, Ben; say who plays"):
        followed(magic, rows(in_turn(FIRST, QUIET, seats=3)) + rows([(3, 3, QUIET)]))


def test_games_one_after_another(magic: Model) -> None:
    one, other = rows(in_turn(FIRST, QUIET)), rows(in_turn(FIRST))
    done = followed(magic, one + other)
    assert (done.ok, done.games, done.turns) == (True, 2, 3)
    marked = [{**row, "game": "x"} for row in other] + [{**row, "game": "y"} for row in other]
    assert followed(magic, marked).games == 2
    assert followed(magic, [*other, {"players": ["Cy", "Ann"]}, *rows([(1, 3, FIRST)])]).games == 2


def test_a_recording_that_begins_in_the_middle(magic: Model) -> None:
    done = followed(magic, rows([(7, 1, QUIET[3:]), (8, 2, ATTACK)]))
    assert done.ok and done.joined and next(v.turn for v in done.visits) == 7


# damaged, and none at all -------------------------------------------------------------------------

DAMAGED = [
    "{",
    "[1]",
    "x",
    '{"turn": "one"}',
    '{"turn": -1}',
    '{"turn": true}',
    '{"step": 3}',
    '{"player": []}',
    '{"players": ["Ann", "Ann"]}',
    '{"players": "Ann"}',
    '{"turn": 1, "pla',
    '{"a": ' + "[" * 100_000,
]


@pytest.mark.parametrize("text", DAMAGED)
def test_damaged_lines_are_counted(text: str, magic: Model) -> None:
    plain = lines(rows(in_turn(FIRST)))
    log = RowLog([*plain[:4], text + "\n", *plain[4:]], magic)
    assert len(list(log)) == len(plain) and (log.read, log.skipped_lines) == (len(plain) + 1, 1)


def test_lines_that_say_nothing_of_the_turn_are_no_damage(magic: Model) -> None:
    log = RowLog(["\ufeff\n", "{}\n", '{"chat": 1}\n', "\r\n", *lines(rows(in_turn(FIRST)))], magic)
    assert len(list(log)) == len(FIRST) and log.skipped_lines == 0


@pytest.mark.parametrize("text", ["", "{}\n", '{"turn": "one", "step": "untap"}\n'])
def test_a_recording_without_a_step_is_an_error_with_a_remedy(text: str, magic: Model) -> None:
    with pytest.raises(LogError, match=r"rows\.jsonl: shows no step .* wanted are lines such as"):
        list(RowLog([text], magic, name="rows.jsonl"))


NAMES_WRONG = {
    "no object": ([1], "must be an object of names"),
    "unknown key": ({"stepz": {}}, "did you mean 'steps'"),
    "unknown field": ({"fields": {"trun": "x"}}, "did you mean 'turn'"),
    "field no word": ({"fields": {"turn": 3}}, "'turn' must stand for a word, not 3"),
    "unknown step": (
        {"steps": {"U": "untapp"}},
        "'U' is to mean 'untapp', which is no step of magic; did you mean",
    ),
    "unknown phase": ({"phases": {"F": "fight"}}, "no phase of magic"),
    "players twice": ({"players": ["A", "A"]}, "a list of different names"),
    "lines": ({"lines": "all"}, "'steps' or 'states', not 'all'"),
    "complete": ({"complete": "yes"}, "must be true or false"),
}


@pytest.mark.parametrize(("data", "says"), NAMES_WRONG.values(), ids=NAMES_WRONG.keys())
def test_wrong_names_are_refused(data: object, says: str, magic: Model, tmp_path: Path) -> None:
    path = tmp_path / "names.json"
    path.write_text(json.dumps(data), encoding="utf-8")
    with pytest.raises(LogError, match=says) as error:
        read_names(path, magic)
    assert str(path) in str(error.value)


def test_files_of_names(magic: Model, tmp_path: Path) -> None:
    toml, broken = tmp_path / "names.toml", tmp_path / "names.json"
    toml.write_text('lines = "states"\n[steps]\nU = "untap"\n', encoding="utf-8")
    broken.write_text("{", encoding="utf-8")
    found = read_names(toml, magic)
    assert found.states and found.steps == {"U": "untap"}
    for path in (broken, tmp_path / "absent.json", tmp_path):
        with pytest.raises(LogError, match=path.name):
            read_names(path, magic)


def test_the_recorder_is_known_by_its_lines(magic: Model, tmp_path: Path) -> None:
    noise, path = ["[Client] header\n", "{\n", "\n"], tmp_path / "game"
    trace = TurnController(magic, ["A", "B"]).trace
    kinds = {
        "rows": lines(rows(in_turn(FIRST))),
        "trace": [line + "\n" for line in trace.lines()],
        "client": [],
    }
    for kind, content in kinds.items():
        path.write_text("".join([*noise, *content]), encoding="utf-8")
        assert recorder_of(path) == kind
    with pytest.raises(LogError, match="cannot be read"):
        recorder_of(tmp_path)


def test_a_recording_of_any_length_is_followed_in_flat_memory(magic: Model) -> None:
    def endless() -> Iterator[str]:
        for turn, steps in enumerate(cycle([QUIET, ATTACK]), 1):
            quiet = FIRST if turn == 1 else steps
            yield from lines(rows([(turn, (turn - 1) % 2 + 1, quiet)]))

    length, follower = amount(1_500, 3_000), Follower(magic)
    records = follower.follow(RowLog(islice(endless(), length), magic))
    for _ in islice(records, length):
        pass
    tracemalloc.start()
    try:
        count = sum(1 for _ in records)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert follower.result.ok and follower.result.turns > length / 20 and count > 3 * length
    assert peak < 3_000_000
