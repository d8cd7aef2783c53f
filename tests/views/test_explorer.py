"""The explorer page as text: small, whole, and refused where it makes no sense."""

from __future__ import annotations

import re

import pytest

import fsm
from fsm.errors import DrawError, FsmError, TraceError
from fsm.views.explorer import explore
from support.inventedgames import towns

RULESETS = ("magic", "magic-2010", "magic-classic", "grand-archive")
LIMIT = 400_000
# the file ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("ruleset", RULESETS)
def test_the_page_is_small_and_asks_for_nothing(ruleset: str) -> None:
    page = explore(fsm.load(ruleset))
    print(f"{ruleset}: {len(page.encode())} bytes")
    assert len(page.encode()) < LIMIT
    assert re.search(r'http-equiv="Content-Security-Policy" content="default-src \'none\'', page)
    assert not re.search(r'\b(src|href)="(?!#)', page)


@pytest.mark.parametrize(
    ("more", "error"),
    [
        ({"theme": "drak"}, "did you mean 'dark'"),
        ({"link": "javascript:alert({rule})"}, "must begin with https"),
        ({"link": "https://example.org"}, "contain {rule}"),
    ],
)
def test_wrong_wishes_are_refused(more: dict[str, str], error: str) -> None:
    with pytest.raises(DrawError, match=re.escape(error)):
        explore(fsm.load("magic"), **more)  # type: ignore[arg-type]


def test_nobody_cannot_play() -> None:
    with pytest.raises(FsmError, match="players must be"):
        explore(fsm.load("magic"), players=())


def test_a_trace_of_another_model_is_refused() -> None:
    trace = fsm.TurnController(fsm.load("magic"), ("A", "B")).trace
    with pytest.raises(TraceError, match="was recorded with magic"):
        explore(fsm.load("magic-2010"), trace=trace)


# a turn --------------------------------------------------------------------------------------------------------


# the map -------------------------------------------------------------------------------------------------------


# keys, screen readers, phones, colours -------------------------------------------------------------------------


# games from elsewhere ------------------------------------------------------------------------------------------


# other models --------------------------------------------------------------------------------------------------


def test_a_model_that_asks_for_nothing_is_refused() -> None:
    with pytest.raises(DrawError, match=r"no game of towns can be walked: .*fact_0_is"):
        explore(towns())
