"""The options of Grand Archive. The worked cases show what each value of each of them does."""

from __future__ import annotations

import re
from itertools import product

import pytest

import fsm
from fsm import Over
from fsm.errors import RulesetError
from fsm.rulesets import options
from fsm.rulesets.grand_archive.facts import CLEAN_UPS
from support.amounts import sample
from support.archivetable import endless
from support.folders import DOCS
from support.wanderer import loop_brought_near

OPTIONS = (
    "edition",
    "silent_combat_teardown",
    "round_after_recheck",
    "pantheon_first_draw",
    "next_player_acts_for_lost",
    "round_after_materialize",
)
VALUES = [options("grand-archive")[option].values for option in OPTIONS]


def test_there_is_the_edition_and_what_the_worked_cases_leave_open() -> None:
    assert tuple(dict(fsm.load("grand-archive").options)) == OPTIONS
    assert all("(U-" in options("grand-archive")[option].doc for option in OPTIONS[1:])


def test_each_open_point_is_an_option_or_a_reading_of_the_documents() -> None:
    docs = (DOCS / "variants.md").read_text("utf-8")
    docs += "".join(option.doc for option in options("grand-archive").values())
    assert {int(number) for number in re.findall(r"U-(\d+)", docs)} == set(range(1, 29))


@pytest.mark.parametrize("values", sample(product(*VALUES), 6), ids=str)
def test_options_go_together(values: tuple[object, ...]) -> None:
    assert fsm.check(fsm.load("grand-archive", dict(zip(OPTIONS, values, strict=True)))) == []


def test_an_option_that_is_not_there_is_refused() -> None:
    with pytest.raises(RulesetError, match="did you mean 'round_after_recheck'"):
        fsm.load("grand-archive?round_after_rechecks=true")
    with pytest.raises(RulesetError, match="must be true or false"):
        fsm.load("grand-archive?round_after_recheck=end")


@pytest.mark.parametrize("fact", ["sba_performed", "triggers_waiting"])
def test_an_endless_clean_up_is_reported(fact: str) -> None:
    """U-24: so many repeats, then the game says where it is."""
    controller, clean_ups = endless(loop_brought_near("grand-archive", 3), fact)
    assert isinstance(controller.request, Over)
    assert (controller.request.state, clean_ups) == ("clean_up_loop", 3 + 1)
    test = fsm.load("grand-archive").fact("clean_up_endless").test
    assert test == ("tallied", "clean_up", str(CLEAN_UPS))
