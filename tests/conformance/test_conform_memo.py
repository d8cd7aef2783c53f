"""What was found before is remembered. It changes nothing: neither what is found, nor how much
memory is used.
"""

from __future__ import annotations

import random
import tracemalloc
from collections.abc import Iterable
from dataclasses import replace
from itertools import chain
from typing import Any

import pytest

import fsm
from fsm import TurnController, conform
from fsm.conformance import Conformance, memo
from fsm.conformance.following import Follower
from fsm.conformance.observations import Observation
from fsm.conformance.recordings.client import ArenaLog
from fsm.conformance.recordings.traces import TraceLog
from fsm.engine import Record
from fsm.model import Model
from fsm.rulesets import names
from support.amounts import amount
from support.arenalogs import (
    ATTACK,
    FIRST,
    FIRST_STRIKE,
    QUIET,
    WORDS,
    in_turn,
    line,
    messages,
    start,
)
from support.playing import quiet

SEEDS = range(amount(10, 150))


def game(choose: random.Random, number: int = 1) -> list[str]:
    """A game as a client logs it. Something may be wrong with it."""
    turns = [
        list(FIRST),
        *(list(choose.choice([QUIET, ATTACK, FIRST_STRIKE])) for _ in range(choose.randint(1, 6))),
    ]
    if choose.random() < 0.3:
        spoilt = choose.choice(turns)
        spoilt.insert(choose.randrange(len(spoilt)), choose.choice(list(WORDS)))
    seats = choose.choice([2, 2, 3])
    joined = number == 1 and choose.random() < 0.2
    played = in_turn(*turns, seats=seats)[joined:]
    told = [line(message) for message in messages(played, annotated=choose.random() < 0.7)]
    if choose.random() < 0.3:
        place = choose.randrange(len(told))
        told[place] = told[place][: len(told[place]) // 2] + "\n"
    return told if joined else [line(start(seats, number)), *told]


def followed(model: Model, lines: list[str], *allow: str) -> Conformance:
    return conform(model, ArenaLog(lines), allow=allow)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_log_is_followed_alike_whatever_was_followed_before(magic: Model, seed: int) -> None:
    choose = random.Random(seed)
    lines = game(choose) + game(choose, 2)
    allow = choose.choice([(), (), ("skip",), ("extra",)])
    assert followed(replace(magic), lines, *allow) == followed(magic, lines, *allow)


def test_a_log_is_followed_alike_when_little_can_be_remembered(
    magic: Model, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = [
        line(start()),
        *map(line, messages(in_turn(FIRST, ATTACK, QUIET, FIRST_STRIKE, QUIET, ATTACK))),
    ] * 2
    expected = followed(magic, lines)
    assert expected.ok
    monkeypatch.setattr(memo, "MOST", 5)
    assert followed(replace(magic), lines) == expected


SOUND = [
    Observation(number, turn, seat, step=step)
    for number, (turn, seat, step) in enumerate(
        (
            (turn, seat, step)
            for turn, seat, steps in in_turn(FIRST, QUIET, ATTACK)
            for step in steps
        ),
        1,
    )
]
WITHOUT_UNTAP = [seen for seen in SOUND if (seen.turn, seen.step) != (3, "untap")]
UPKEEP = next(seen for seen in SOUND if (seen.turn, seen.step) == (3, "upkeep"))


def with_upkeep(**other: Any) -> list[Observation]:
    """The observations without the untap step of the third turn; its upkeep is observed in another
    way.
    """
    return [replace(seen, **other) if seen == UPKEEP else seen for seen in WITHOUT_UNTAP]


@pytest.mark.parametrize("excuse", [{"damaged": 1}, {"complete": False}], ids=str)
def test_what_one_log_excuses_is_refused_in_the_next(magic: Model, excuse: dict[str, Any]) -> None:
    assert conform(magic, with_upkeep(**excuse)).ok
    refusal = conform(magic, with_upkeep()).refusal
    assert refusal is not None
    assert (refusal.line, refusal.seen) == (UPKEEP.line, "upkeep in turn 3 of seat 1")


@pytest.mark.parametrize(
    "other", [{"turn": 4}, {"seat": 2}, {"step": "draw"}, {"level": "turn"}], ids=str
)
def test_what_differs_from_a_log_that_is_known_is_refused(
    magic: Model, other: dict[str, Any]
) -> None:
    assert conform(magic, SOUND).ok
    wrong = [replace(seen, **other) if seen == UPKEEP else seen for seen in SOUND]
    refusal = conform(magic, wrong).refusal
    assert refusal is not None
    assert refusal.line == UPKEEP.line


def test_a_later_turn_is_like_an_earlier_one_but_for_its_numbers(magic: Model) -> None:
    lines = [line(start()), *map(line, messages(in_turn(FIRST, *[ATTACK] * 9)))]
    by_turn: dict[int, list[Record]] = {}
    for record in followed(replace(magic), lines).records:
        by_turn.setdefault(record.turn, []).append(record)
    for number in range(3, 8):
        here, there = by_turn[number], by_turn[number + 2]
        ids = [(record.phase_id, record.step_id) for record in here + there if record.step_id]
        assert ids == sorted(ids)
        alike = [replace(r, turn=number, phase_id=0, step_id=0) for r in there]
        assert alike == [replace(r, phase_id=0, step_id=0) for r in here]


@pytest.mark.parametrize("name", names())
def test_a_long_game_of_any_ruleset_is_followed_as_it_was_played(name: str) -> None:
    model = fsm.load(name)
    played = TurnController(model, ["Ann", "Ben"])
    while played.position.turn <= 7:
        played.answer(quiet(played.request))
    seen = conform(replace(model), TraceLog(played.trace))
    assert seen.ok, seen.refusal

    def begun(records: list[Record]) -> list[tuple[int, str, int, int]]:
        return list(
            dict.fromkeys((r.turn, r.step, r.phase_id, r.step_id) for r in records if r.step)
        )

    shown = begun(seen.records)
    assert shown == begun(played.trace.records)[: len(shown)]
    assert len({turn for turn, *_ in shown}) >= 7


@pytest.mark.parametrize("games", [False, True], ids=["one game", "many games"])
def test_memory_does_not_grow_with_the_log(magic: Model, games: bool) -> None:
    def peak(turns: int) -> int:
        told: Iterable[str]
        if games:
            told = (
                text
                for _ in range(turns // 5)
                for text in (line(start()), *map(line, messages(five)))
            )
        else:
            told = chain([line(start())], map(line, messages(in_turn(FIRST, *[QUIET] * turns))))
        follower = Follower(magic)
        tracemalloc.start()
        try:
            assert sum(1 for _ in follower.follow(ArenaLog(told))) > 100 * turns
            return tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()

    five = in_turn(FIRST, ATTACK, QUIET, QUIET, QUIET)
    few = amount(20, 100)
    peak(few)
    assert peak(few * 5) < peak(few) + 1_000_000  # caches of a limited size fill up
