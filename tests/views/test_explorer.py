"""The explorer page as a file: small, whole, quiet, and refused where it makes no sense."""

from __future__ import annotations

import json
import re
from functools import cache, reduce
from typing import Any

import pytest

from fsm.errors import DrawError, FsmError
from fsm.model import Model
from fsm.rulesets import Phase, Step, Table
from fsm.views import explore
from support.drawings import BUILT_IN, loaded

every_ruleset = pytest.mark.parametrize("ruleset", BUILT_IN)


@cache
def page(ruleset: str) -> str:
    return explore(loaded(ruleset))


def data_of(text: str) -> Any:
    """The data of a page."""
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', text)
    assert found
    return json.loads(found[1])


@every_ruleset
def test_it_is_one_small_file_that_asks_for_nothing(ruleset: str) -> None:
    text = page(ruleset)
    assert len(text.encode()) < 400_000
    assert "Content-Security-Policy\" content=\"default-src 'none'" in text
    assert not re.search(r'\b(src|href)="(?!#)', text)
    assert loaded(ruleset).title in text


@every_ruleset
def test_three_tours_with_short_sentences_lead_through_it(ruleset: str) -> None:
    tours = data_of(page(ruleset))["tours"]
    says = [stop["say"] for tour in tours for stop in tour["stops"]]
    assert len(tours) == 3
    assert len(says) > 9
    assert all(0 < len(words) <= 110 for words in says)


@every_ruleset
def test_every_step_says_what_it_is_for(ruleset: str) -> None:
    steps = {state.name for state in loaded(ruleset).of_kind("step")}
    assert steps == set(data_of(page(ruleset))["steps"])


def test_a_tour_that_leads_nowhere_is_not_offered() -> None:
    model = loaded("magic")
    gone = [t.id for t in model.transitions if t.target == "first_strike_damage_before"]
    less = reduce(Model.without, gone, model)
    names = [tour["name"] for tour in data_of(explore(less))["tours"]]
    assert names == ["A quiet turn", "Ending the turn in combat"]


@pytest.mark.parametrize(
    ("wrong", "error", "said"),
    [
        ({"theme": "drak"}, DrawError, "did you mean 'dark'"),
        ({"players": ()}, FsmError, "players must be"),
    ],
)
def test_bad_arguments_are_refused(wrong: Any, error: type[FsmError], said: str) -> None:
    with pytest.raises(error, match=said):
        explore("magic", **wrong)


def test_a_game_that_asks_for_nothing_is_refused() -> None:
    with pytest.raises(FsmError):
        explore(Table("empty", Phase("day", Step("nap"))))
