"""A Model comes back from its JSON file as it was. A wrong file is refused, with the place."""

from __future__ import annotations

import json
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st
from jsonschema import Draft202012Validator

import fsm
from fsm.errors import ModelError, ModelFileError
from fsm.model import Action, Event, Fact, Model, State, Term, Transition
from fsm.rulesets import names
from support.amounts import amount


@pytest.fixture(scope="session")
def schema() -> Draft202012Validator:
    text = files("fsm").joinpath("schemas/model.schema.json").read_text(encoding="utf-8")
    Draft202012Validator.check_schema(json.loads(text))
    return Draft202012Validator(json.loads(text))


@pytest.mark.parametrize("spec", [*names(), "magic?stated_attacker_counts=true"])
def test_a_ruleset_comes_back_equal(
    spec: str, tmp_path: Path, schema: Draft202012Validator
) -> None:
    model, path = fsm.load(spec), tmp_path / "mine.json"
    path.write_text(json.dumps(model.to_json()), encoding="utf-8")
    again = fsm.load(str(path))
    assert (again, again.fingerprint) == (model, model.fingerprint)
    assert again.behaviour_fingerprint == model.behaviour_fingerprint
    assert list(schema.iter_errors(model.to_json())) == []


@pytest.mark.parametrize("data", [None, "magic", [], {}])
def test_what_is_no_model_is_refused(data: object) -> None:
    with pytest.raises(ModelFileError, match=r"model: (.* is not an object|this needs)"):
        Model.from_json(data)


@pytest.mark.parametrize(
    ("word", "says"),
    [
        (["skip_deu", "a", "b"], "did you mean 'skip_due'"),
        (["skip_due", "turn"], r"write skip_due\(any level, family\), not skip_due\(turn\)"),
        (["starters_turn_is", "one"], "number 'one'"),
        ("take_trun", "did you mean 'take_turn'"),
        ("latch(atackers_declared)", "did you mean 'attackers_declared'"),
        ("push_return(phase, nowhere)", "state 'nowhere'"),
        ("end(week)", "level 'week'"),
    ],
    ids=str,
)
def test_a_file_that_misuses_a_word_of_the_engine_cannot_be_played(
    magic: Model, word: str | list[str], says: str
) -> None:
    """The test of a fact, or the action of a transition."""
    data: Any = magic.to_json()
    if isinstance(word, list):
        data["facts"].append({"name": "x", "doc": "", "owner": "agenda", "test": word})
    else:
        data["transitions"][0]["actions"] = [word]
    with pytest.raises(ModelError, match=says):
        fsm.TurnController(Model.from_json(data), ["A", "B"])


# names of any kind --------------------------------------------------------------------------------

NAMES = st.sampled_from(
    ["a", "b", "not a", " a", "a b", "a, b", "f(x)", "state", "done", ""]
) | st.text("aB1 _-.,:()[]{}|\\\"'\n\x00é漢🂡", max_size=3)


def named(name: str, other: str, word: str) -> Model:
    """A model whose parts are called so."""
    act = Transition(name, other, guard=(Term(word),), actions=(Action(f"f({word}, {other})"),))
    return Model(
        name=word,
        initial=name,
        states=(State(name, "action", word, asks="perform", doc=other), State(other, "final")),
        transitions=(act, Transition(name, None, word, rule=name)),
        events=(Event("done", completion=True), Event(word, other)),
        facts=(Fact(word, other),),
        options={name: other},
    )


@settings(max_examples=amount(8, 3000))
@given(NAMES, NAMES, NAMES)
def test_every_model_that_is_accepted_comes_back_equal(name: str, other: str, word: str) -> None:
    try:
        model = named(name, other, word)
    except ModelError as error:
        assert str(error).startswith("model ")
        return
    again = Model.from_json(json.loads(json.dumps(model.to_json())))
    assert (again, again.fingerprint) == (model, model.fingerprint)


@pytest.mark.parametrize("name", ["trigger", "may_leave", "a b", "class"])
def test_an_event_of_any_name_is_played(name: str) -> None:
    model = Model(
        name="small",
        initial="act",
        states=(State("act", "action", asks="perform", action="act"), State("over", "final")),
        transitions=(Transition("act", "over"), Transition("act", "over", name)),
        events=(Event("done", completion=True), Event(name)),
    )
    game = fsm.TurnController(model, ["A"])
    assert isinstance(game.request, fsm.Perform)
    game.answer(game.request.done(fsm.Signal(name)))
    assert game.request.state == "over"
