"""Every state, transition, literal and rule of every ruleset is taken: by generated paths, by stored
games, and by one game told in full.

Run with `--fsm-cov` this module also brings the measure of the whole suite to what is asked for.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

import fsm
from fsm import Over, Signal
from fsm.coverage import collecting, covered
from fsm.rulesets import names
from fsm.testing import paths
from support.coveragegames import answer_of, games_of

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


@pytest.mark.parametrize("name", names())
def test_nothing_of_a_ruleset_is_left_out(name: str) -> None:
    model = fsm.load(name)
    made = [path for criterion in ("transitions", "literals") for path in paths(model, criterion)]
    with collecting() as session:
        for path in made:
            path.run()
        for game in games_of(name):
            game.play(model)
        for _ in TOLD.get(name, tuple)():
            pass
    for criterion in ("states", "transitions", "literals", "rules"):
        coverage = covered(model, criterion, session.data)
        assert [target.id for target in coverage.missing] == [], criterion
        assert coverage.refuted == ()
