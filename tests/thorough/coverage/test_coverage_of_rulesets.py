"""Every state, transition, literal and rule of every ruleset is taken: by generated paths, by stored
games, and by one game told in full.

Run with `--fsm-cov` this module also brings the measure of the whole suite to what is asked for.
"""

from __future__ import annotations

from typing import Any

import pytest

import fsm
from fsm.coverage import collecting, covered
from fsm.rulesets import names
from fsm.testing import paths
from support.coveragegames import depart, games_of

NEAR = 1000
"""So often the clean-up may be repeated (U-24)."""
LAST: list[dict[str, Any]] = [
    {},
    {"orders": [{"is": "Signal", "event": "attack"}]},
    {"orders": [{"is": "Leave", "players": ["C"]}]},
]
"""What happens in the recollection after the last repetition. Nothing comes of it."""


def endless_clean_up() -> None:
    """Grand Archive, End Phase GR4: the clean-up is repeated until it is given up; each time
    something has changed. The last repetition is gone into in every way.
    """
    game = fsm.TurnController("grand-archive", ["A", "B", "C"])
    for _ in range(NEAR):
        cleaned_up(game, "sba_performed", {})
    for fact in ("sba_performed", "triggers_waiting"):
        for last in LAST:
            end = game.fork()
            cleaned_up(end, fact, last)
            assert end.over is not None


def cleaned_up(game: fsm.TurnController, fact: str, then: dict[str, Any]) -> None:
    """On to the next clean-up, or to the end: in the window before it this happens once, and then
    that.
    """
    while game.request.at.stage != "end_clean_up":
        depart(game, {})
    depart(game, {})
    depart(game, {"facts": [fact]})
    while game.request.at.stage == "end_recheck" and game.over is None:
        depart(game, then)
        then = {}


@pytest.mark.parametrize("name", names())
def test_nothing_of_a_ruleset_is_left_out(name: str) -> None:
    model = fsm.load(name)
    asked = ["literals", "transitions"] if name == "grand-archive" else ["literals"]
    made = [path for criterion in asked for path in paths(model, criterion)]
    with collecting() as session:
        for path in made:
            path.run()
        for game in games_of(name):
            game.play(model)
        if name == "grand-archive":
            endless_clean_up()
    for criterion in ("states", "transitions", "literals", "rules"):
        coverage = covered(model, criterion, session.data)
        assert [target.id for target in coverage.missing] == [], criterion
        assert coverage.of("refuted") == ()
