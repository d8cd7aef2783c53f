"""What is said of an order of several things, in random games."""

from __future__ import annotations

from collections import Counter

import pytest

import fsm
from fsm import TurnController
from fsm.state.run import Candidate, Entry, Run
from support.amounts import amount
from support.wanderer import Wanderer

ANSWERS = amount(300, 4_000)


def waiting_for(run: Run) -> Counter[object]:
    """How many things each order still has to come, or to be lost."""
    levels = [run.turn, run.phase, run.step]
    for pair in run.suspended:
        levels += pair
    candidates = [level.candidate for level in levels]
    for level in levels:
        candidates += [there.candidate for there in level.returns]
    skips = [skip for skip in run.skips if skip.waits]
    entries: list[Entry | Candidate] = [*run.turns, *run.controls, *skips, *run.extras, *candidates]
    return Counter(entry.order for entry in entries if entry.order is not None)


@pytest.mark.parametrize("name", ["magic", "magic-2010", "grand-archive"])
def test_what_is_said_of_an_order_of_several_things_is_never_lost(name: str) -> None:
    """As long as its result is not told, something of it waits."""

    def check(game: TurnController) -> None:
        left = Counter[object]()
        for parts in game.run.parts:
            left[parts.order] += parts.count - parts.came - len(parts.lost)
        assert left <= waiting_for(game.run)

    for _ in Wanderer(fsm.load(name), 3, check).games(ANSWERS):
        pass
