"""The fleet's chain of migrations: a stored game of any edition goes on in this one, wherever it
stands.
"""

from __future__ import annotations

from dataclasses import replace

import pytest
from fleet.rules import HARBOUR, MIGRATIONS, MODEL, OutdatedError, upgraded

import fsm
from fsm.errors import SnapshotError
from fsm.model import Model
from support.harbour import FIRST, SECOND, games
from support.playing import quiet


@pytest.mark.parametrize(
    ("model", "step"), [(FIRST, "trade"), (SECOND, "market"), (MODEL, "market")]
)
def test_a_game_of_any_edition_goes_on_where_it_stands(model: Model, step: str) -> None:
    for game in games(model, step):
        new = fsm.TurnController.restore(MODEL, upgraded(model, game.token()))
        at = game.position
        assert (new.position.turn, new.position.active, new.head.players) == (
            at.turn,
            at.active,
            game.head.players,
        )
        assert new.position.step == (at.step if at.step != "trade" else "market")
        while new.position.turn == at.turn:
            new.answer(quiet(new.request))


def test_a_chain_without_a_migration_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    game = next(game for game in games(FIRST, "trade") if game.position.step == "trade")
    monkeypatch.delitem(MIGRATIONS, "1")
    with pytest.raises(SnapshotError, match="'trade_window' is not in harbour"):
        upgraded(FIRST, game.token())


def test_a_newer_edition_is_left_to_a_newer_process() -> None:
    newer = replace(HARBOUR, edition="4").build()
    with pytest.raises(OutdatedError, match="edition 4 is stored, and this process plays 3"):
        upgraded(newer, fsm.TurnController(newer, ["Ann", "Ben"]).token())


def test_every_edition_has_a_migration() -> None:
    assert {*MIGRATIONS, MODEL.edition} == {"1", "2", "3"}
