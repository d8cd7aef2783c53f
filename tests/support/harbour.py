"""Games of the fleet's earlier editions (`examples/fleet`), as they may still be stored."""

from __future__ import annotations

from collections.abc import Iterator

from fleet.rules import HARBOUR

import fsm
from fsm.model import Model
from fsm.rulesets import Phase, Step, Table, Window
from support.playing import quiet

_DAWN, _, _DUSK = HARBOUR.phases
FIRST = Table("harbour", _DAWN, Phase("day", Step("trade", Window())), _DUSK, edition="1").build()
SECOND = Table("harbour", _DAWN, Phase("day", Step("market", Window())), _DUSK, edition="2").build()


def games(model: Model, step: str) -> Iterator[fsm.TurnController]:
    """Games at every request of three turns: quiet ones, and ones with something scheduled for this
    step.
    """
    scheduled = (
        fsm.SkipStep(step, "trade"),
        fsm.AddStep(step, after=step),
        fsm.DelayedTrigger("bell", step),
    )
    for orders in ((), scheduled):
        game = fsm.TurnController(model, ["Ann", "trade"], orders=orders)
        while game.position.turn < 4:
            yield game.fork()
            game.answer(quiet(game.request))
