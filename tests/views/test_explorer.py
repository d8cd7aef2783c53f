"""The explorer page as text: small, whole, and refused where it makes no sense."""

from __future__ import annotations

import json
import re
from collections import Counter
from functools import cache, reduce
from typing import Any

import pytest

import fsm
from fsm import Signal
from fsm.errors import DrawError, FsmError, TraceError
from fsm.model import Model
from fsm.views import explore
from fsm.views.explorer.newcomers import tours_of
from fsm.views.explorer.parts import MACHINE, PAGE, part
from support.inventedgames import towns

RULESETS = ("magic", "magic-2010", "magic-classic", "grand-archive")
LIMIT = 400_000
# the file -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("ruleset", RULESETS)
def test_the_page_is_small_and_asks_for_nothing(ruleset: str) -> None:
    page = page_of(ruleset)
    print(f"{ruleset}: {len(page.encode())} bytes")
    assert len(page.encode()) < LIMIT
    assert re.search(r'http-equiv="Content-Security-Policy" content="default-src \'none\'', page)
    assert not re.search(r'\b(src|href)="(?!#)', page)


def test_an_unknown_theme_is_refused() -> None:
    with pytest.raises(DrawError, match="did you mean 'dark'"):
        explore(fsm.load("magic"), theme="drak")


def test_nobody_cannot_play() -> None:
    with pytest.raises(FsmError, match="players must be"):
        explore(fsm.load("magic"), players=())


def test_a_trace_of_another_model_is_refused() -> None:
    trace = fsm.TurnController(fsm.load("magic"), ("A", "B")).trace
    with pytest.raises(TraceError, match="was recorded with magic"):
        explore(fsm.load("magic-2010"), trace=trace)


def test_no_script_takes_a_name_of_another() -> None:
    """All scripts are one, and a function that is declared twice is silently the second one."""
    files = [f"machine/{name}.js" for name in MACHINE] + [f"page/{name}.js" for name in PAGE]
    declared = r"^(?:async )?(?:function|const|let|class)\s+([\w$]+)"
    names = Counter(
        name for file in files for name in re.findall(declared, part(file), re.MULTILINE)
    )
    assert len(names) > 200
    assert [name for name, times in names.items() if times > 1] == []


# tours and words ----------------------------------------------------------------------------------


@pytest.mark.parametrize("ruleset", RULESETS)
def test_three_tours_lead_along_and_their_sentences_are_short(ruleset: str) -> None:
    stated, data = tours_of(fsm.load(ruleset)), data_of(page_of(ruleset))
    assert [tour["name"] for tour in data["tours"]] == [tour["name"] for tour in stated]
    assert len(stated) == 3
    says = [stop["say"] for tour in data["tours"] for stop in tour["stops"]]
    assert all(0 < len(words) <= 110 for words in says)


def test_the_answers_of_a_tour_lead_to_its_stops() -> None:
    model = fsm.load("magic")
    for stated, tour in zip(tours_of(model), data_of(page_of("magic"))["tours"], strict=True):
        game = fsm.TurnController(model, ("Alice", "Bob"))
        for place, stop in zip(stated["stops"], tour["stops"], strict=True):
            for word, true, *signal in stop["answers"]:
                facts = {name: name in true for name in game.request.facts}
                game.answer(fsm.Answer(word, facts, signal=Signal(*signal) if signal else None))
            assert game.request.at.step in place["at"]


def test_a_tour_that_leads_nowhere_is_not_offered() -> None:
    model = fsm.load("magic")
    names = [tour["name"] for tour in data_of(explore(without_first_strike(model)))["tours"]]
    assert names == ["A quiet turn", "Ending the turn in combat"]


def without_first_strike(model: Model) -> Model:
    """The same model, whose first-strike damage step never begins."""
    gone = [t.id for t in model.transitions if t.target == "first_strike_damage_before"]
    return reduce(Model.without, gone, model)


@pytest.mark.parametrize("ruleset", RULESETS)
def test_every_step_says_what_it_is_for(ruleset: str) -> None:
    model = fsm.load(ruleset)
    steps = {state.name for state in model.states if state.kind == "step"}
    assert steps == set(data_of(page_of(ruleset))["steps"])


@cache
def page_of(ruleset: str) -> str:
    """The page of a ruleset."""
    return explore(fsm.load(ruleset))


def data_of(page: str) -> Any:
    """The data of a page."""
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', page)
    assert found
    return json.loads(found[1])


# other models -------------------------------------------------------------------------------------


def test_a_model_that_asks_for_nothing_is_refused() -> None:
    with pytest.raises(DrawError, match=r"no game of towns can be walked: .*fact_0_is"):
        explore(towns())
