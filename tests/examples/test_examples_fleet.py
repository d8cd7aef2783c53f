"""The fleet: a stored game of an earlier edition goes on in this one, wherever it stands."""

from __future__ import annotations

from dataclasses import replace

import pytest
from fleet.rules import EDITION, HARBOUR, MIGRATIONS, MODEL, OutdatedError, upgraded

import fsm
from fsm import TurnController
from fsm.model import Model
from fsm.rulesets import Phase, Step, Table, Window

_DAWN, _, _DUSK = HARBOUR.phases
FIRST = Table("harbour", _DAWN, Phase("day", Step("trade", Window())), _DUSK, edition="1").build()
SECOND = Table("harbour", _DAWN, Phase("day", Step("market", Window())), _DUSK, edition="2").build()


@pytest.mark.parametrize(
    ("model", "step"),
    [(FIRST, "trade"), (SECOND, "market"), (MODEL, "market")],
    ids=["1", "2", "3"],
)
def test_a_game_of_any_edition_goes_on_where_it_stands(model: Model, step: str) -> None:
    """Also a player whose name is that of a step, and orders for that step."""
    old = TurnController(model, ["Ann", "trade"])
    old.order(fsm.SkipStep(step, "trade"), fsm.AddStep(step, after=step))
    for request in old:
        new = TurnController.restore(MODEL, upgraded(int(model.edition), old.token()))
        assert (new.position.turn, new.position.active) == (request.at.turn, request.at.active)
        assert new.position.step == request.at.step.replace("trade", "market")
        if request.at.turn == 3:
            break
        old.answer(request.quiet())
    fsm.drive(new, fsm.BaseHost(), until=lambda request: request.at.turn == 4)


def test_a_newer_edition_is_left_to_a_newer_process() -> None:
    newer = replace(HARBOUR, edition="4").build()
    with pytest.raises(OutdatedError, match="edition 4 is stored, and this process plays 3"):
        upgraded(int(newer.edition), TurnController(newer, ["Ann", "Ben"]).token())


def test_every_edition_has_a_migration() -> None:
    assert len(MIGRATIONS) == EDITION - 1
