"""Every transition, literal, pair and rule of every ruleset is taken: by tours, by stored games, by
one told in full.

Tours are made of any ruleset (coveragetours.py). The stored games take what is left; they were
found by a search, and `python tests/coveragegames.py RULESET` adds what a changed ruleset lacks.
Run with `--fsm-cov` this module also brings the measure of the whole suite to what is asked for.
What may be missing stands with its reason in coverage_allowed.toml.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache

import pytest

import fsm
from fsm.coverage import collecting, covered
from fsm.coverage.reports import Result, read_allowed, results_of, wrong
from fsm.engine.requests import Over, Signal
from fsm.rulesets import names
from support.coveragegames import CRITERIA, Game, answer_of, games_of, taken_by, toured
from support.coveragetours import Tours
from support.folders import TESTS

ALLOWED = read_allowed(TESTS / "coverage_allowed.toml")
ASKED = ("states", "transitions", "literals", "pairs", "rules")


NEAR = 1000
"""So often the clean-up may be repeated (U-24)."""


def endless_clean_up() -> Iterator[fsm.TurnController]:
    """Grand Archive, End Phase GR4: the clean-up is repeated until it is given up; each time
    something has changed.

    The last repetition is gone into in every way: for a state-based check or a trigger, and with an
    attack or a loss in between, of which nothing comes.
    """
    game = fsm.TurnController(fsm.load("grand-archive"), ["A", "B", "C"])
    while game.agenda.tallies.get("clean_up", 0) < NEAR:
        cleaned_up(game, "sba_performed", None)
    for fact in ("sba_performed", "triggers_waiting"):
        for signal in (None, Signal("attack"), Signal("player_left", "C")):
            last = game.fork()
            cleaned_up(last, fact, signal)
            assert isinstance(last.request, Over)
            assert last.request.state == "clean_up_loop"
            yield last


def cleaned_up(game: fsm.TurnController, fact: str, signal: Signal | None) -> None:
    """On to the next clean-up, or to the end: in the window before it this happens once, and then
    the signal.
    """
    while game.request.at.stage != "end_clean_up":
        game.answer(answer_of(game, {}))
    game.answer(answer_of(game, {}))
    game.answer(answer_of(game, {"facts": [fact]}))
    signals = [signal]
    while game.request.at.stage == "end_recheck" and not isinstance(game.request, Over):
        game.answer(replace(answer_of(game, {}), signal=signals.pop() if signals else None))


TOLD = {"grand-archive": endless_clean_up}


@cache
def results() -> tuple[Result, ...]:
    """What all these games take together."""
    with collecting() as session:
        for name in names():
            Tours(fsm.load(name)).run()
            for game in games_of(name):
                game.play(fsm.load(name))
            for _ in TOLD.get(name, tuple)():
                pass
    return results_of(session.data, [(name, fsm.load(name)) for name in names()], ASKED, ALLOWED)


@pytest.mark.parametrize("name", names())
def test_nothing_of_a_ruleset_is_left_out(name: str) -> None:
    result = next(result for result in results() if result.name == name)
    missing = {
        coverage.criterion: [t.id for t in coverage.missing] for coverage in result.coverages
    }
    assert missing == {criterion: [] for criterion in ASKED}
    assert [target.id for coverage in result.coverages for target in coverage.refuted] == []


def test_what_may_be_missing_is_missing() -> None:
    assert wrong(ALLOWED, results()) == ()


@pytest.mark.parametrize("name", names())
def test_every_stored_game_is_needed_and_written_as_it_is_read(name: str) -> None:
    model, seen = fsm.load(name), toured(fsm.load(name))
    for game in games_of(name):
        assert Game.read(game.line()) == game
        taken = set(taken_by(model, game))
        assert taken - seen, game.line()
        seen |= taken


def test_what_the_search_notes_is_what_is_measured() -> None:
    """The search has its own quick notes; they must agree with the measure."""
    model, game = fsm.load("magic"), games_of("magic")[0]
    taken = taken_by(
        model, game
    )  # what is played to learn which facts are quiet is not of this game
    with collecting() as session:
        game.play(model)
    for criterion in CRITERIA:
        noted = {key[1:] for key in taken if key[0] == criterion}
        assert noted == set(covered(model, criterion, session.data).taken)
