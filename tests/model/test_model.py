"""A Model is immutable data. What cannot be meant is refused when it is built, with place and remedy."""

from __future__ import annotations

import copy
import json
import pickle
import re
from functools import reduce
from operator import getitem
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from fsm.errors import ModelError
from fsm.model import Action, Duration, Event, Fact, Model, Setting, State, Term, Transition

LAMP = Model(
    name="lamp",
    initial="off",
    events=(Event("done", completion=True), Event("press", "somebody presses the switch")),
    facts=(Fact("power_on", "there is power", "1.1"),),
    states=(
        State("day", "turn"),
        State("off", "stage", parent="day", rule="1"),
        State("on", "stage", parent="day", rule="1"),
    ),
    transitions=(
        Transition("off", "on", "press", (Term("power_on"),), rule="1.2"),
        Transition("on", "off", "press", rule="1.2"),
    ),
    durations=(Duration("tonight", "end", "day"),),
    settings=(Setting("dimmed"),),
)
DAY, OFF, ON = LAMP.states
WRONG = json.loads(Path(__file__).with_name("wrong_models.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("case", WRONG, ids=lambda case: case["says"][:50])
def test_what_cannot_be_meant_is_refused_with_the_place(case: dict[str, Any]) -> None:
    *way, last = case["place"]
    data: Any = replace(LAMP, window=LAMP).to_json()
    holder = reduce(getitem, way, data)
    if last == "+":
        holder.append(case["value"])
    else:
        holder[last] = case["value"]
    with pytest.raises(ModelError, match=re.escape(case["says"])) as refused:
        Model.from_json(data)
    assert "\n" not in str(refused.value)
    assert len(str(refused.value)) < 400, "one sentence, not the whole file"


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"facts": list(LAMP.facts)}, "Model.facts must be tuple[Fact, ...], not [Fact("),
        ({"states": (replace(ON, by=3),)}, "State.by must be"),
        ({"options": (("x", True), ("x", False))}, "Model.options must be dict[str, str | int | bool], not"),
    ],
    ids=["list", "by", "option"],
)  # fmt: skip
def test_what_is_made_in_python_is_looked_at_too(changes: Any, says: str) -> None:
    with pytest.raises(ModelError, match=re.escape(says)):
        replace(LAMP, **changes)


@pytest.mark.parametrize(
    "part", [LAMP, ON, LAMP.transitions[0], LAMP.facts[0]], ids=lambda p: type(p).__name__
)
def test_a_model_and_its_parts_are_frozen(part: Any) -> None:
    with pytest.raises(AttributeError):
        part.rule = part.name = "other"


def test_a_model_can_be_copied_and_pickled() -> None:
    for again in (copy.copy(LAMP), copy.deepcopy(LAMP), pickle.loads(pickle.dumps(LAMP))):
        assert (again, hash(again), again.fingerprint) == (LAMP, hash(LAMP), LAMP.fingerprint)


# looking things up --------------------------------------------------------------------------------


def test_what_is_not_there_is_named_with_the_nearest(magic: Model) -> None:
    assert magic.state("upkeep_step").name == "upkeep"
    assert magic.fact("attackers_declared").rule == "508.8"
    assert magic.transition("upkeep_begin -> upkeep_window").target == "upkeep_window"
    with pytest.raises(
        ModelError, match="'upkep_step' is not in magic; did you mean 'upkeep_step'"
    ):
        magic.state("upkep_step")
    with pytest.raises(ModelError, match="did you mean 'attackers_declared'"):
        magic.fact("atackers_declared")


def test_a_state_knows_what_it_is_in(magic: Model) -> None:
    inside = [state.id for state in magic.path("untap_phasing")]
    assert inside == ["untap_phasing", "untap_step", "beginning_phase", "turn"]
    phase = magic.enclosing("untap_phasing", "phase")
    assert phase is not None and phase.id == "beginning_phase"
    assert magic.enclosing("turn_hub", "phase") is None


def test_the_innermost_row_comes_first() -> None:
    inner = Transition("on", None, "press", (Term("power_on", False),))
    outer = Transition("day", "off", "press")
    model = replace(LAMP, transitions=(outer, inner))
    assert (model.rows("on", "press"), model.rows("off", "press")) == ((inner, outer), (outer,))
    assert (model.rows("on", "done"), model.events_at("on")) == ((), ("press",))


def test_a_transition_is_named_by_ends_event_and_guard() -> None:
    guard = (Term("x"), Term("not y"))
    assert Transition("a", "b", "hit", guard, rule="9", says="go").id == "a -> b on hit [x, not y]"
    assert Transition("a", None, "hit").id == "a -> (stays) on hit"
    assert str(Action("begin(step, upkeep, upkeep)")) == "begin(step, upkeep, upkeep)"


# deriving -----------------------------------------------------------------------------------------


def test_without_takes_away_exactly_the_row_named() -> None:
    less = LAMP.without("on -> off on press")
    assert less == replace(LAMP, transitions=LAMP.transitions[:1])
    assert len(LAMP.transitions) == 2, "the model itself is as it was"
    with pytest.raises(ModelError, match="'on -> of' is not in lamp; did you mean 'on -> off on"):
        LAMP.without("on -> of")


# fingerprints -------------------------------------------------------------------------------------

READ = [
    {"title": "A lamp"},
    {"states": (DAY, OFF, replace(ON, label="X"))},
    {"states": (DAY, OFF, replace(ON, says="it is bright"))},
    {"transitions": (LAMP.transitions[0], replace(LAMP.transitions[1], rule="9"))},
    {"facts": (Fact("power_on", "another text"),)},
]  # fmt: skip
NOTICED = [
    {"initial": "on"},
    {"states": (DAY, ON, OFF)},
    {"states": (DAY, OFF, replace(ON, kind="final"))},
    {"transitions": LAMP.transitions[::-1]},
    {"transitions": LAMP.transitions[:1]},
    {"transitions": (LAMP.transitions[0], replace(LAMP.transitions[1], actions=(Action("f"),)))},
    {"transitions": (replace(LAMP.transitions[0], guard=()), LAMP.transitions[1])},
    {"facts": (replace(LAMP.facts[0], timing="latched"),)},
    {"durations": ()},
    {"settings": (Setting("dimmed", default=True),)},
    {"window": LAMP},
]  # fmt: skip


@pytest.mark.parametrize("change", READ, ids=lambda change: str(next(iter(change))))
def test_what_people_read_changes_the_fingerprint_and_not_that_of_behaviour(change: Any) -> None:
    other = replace(LAMP, **change)
    assert other.fingerprint != LAMP.fingerprint
    assert other.behaviour_fingerprint == LAMP.behaviour_fingerprint


@pytest.mark.parametrize("change", NOTICED, ids=lambda change: str(next(iter(change))))
def test_what_a_game_can_notice_changes_both_fingerprints(change: Any) -> None:
    other = replace(LAMP, **change)
    assert other.fingerprint != LAMP.fingerprint
    assert other.behaviour_fingerprint != LAMP.behaviour_fingerprint
