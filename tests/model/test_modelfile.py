"""A Model as a JSON file: it comes back equal, the schema describes it, and what is wrong is named."""

from __future__ import annotations

import json
from copy import deepcopy
from dataclasses import replace
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

import fsm
from fsm import Answer, Signal, Trace, TurnController
from fsm.errors import ModelError, ModelFileError
from fsm.model import Action, Duration, Event, Fact, Model, Setting, State, Term, Transition
from fsm.rulesets import options
from support.amounts import amount

MODELS = [
    "magic",
    *(f"magic?{name}={str(option.values[1]).lower()}" for name, option in options("magic").items()),
]


@pytest.fixture(scope="session")
def schema() -> Draft202012Validator:
    text = files("fsm").joinpath("schemas/model.schema.json").read_text(encoding="utf-8")
    return Draft202012Validator(json.loads(text))


@pytest.mark.parametrize("spec", MODELS)
def test_a_model_comes_back_from_json_equal(spec: str, schema: Draft202012Validator) -> None:
    model = fsm.load(spec)
    text = json.dumps(model.to_json())
    again = Model.from_json(json.loads(text))
    assert again == model
    assert again.fingerprint == model.fingerprint
    assert list(schema.iter_errors(json.loads(text))) == []


def test_each_option_makes_another_model() -> None:
    assert len({fsm.load(spec).fingerprint for spec in MODELS}) == len(MODELS)


def test_the_published_schema_is_a_schema(schema: Draft202012Validator) -> None:
    Draft202012Validator.check_schema(schema.schema)


def test_a_file_plays_as_the_model_it_was_written_from(magic: Model, tmp_path: Path) -> None:
    path = tmp_path / "mine.json"
    path.write_text(json.dumps(magic.to_json()), encoding="utf-8")
    assert fsm.load(str(path)) == magic


def change(data: Any, path: list[str | int], value: object) -> Any:
    """A copy of the JSON with one value put in (or a list appended to, by "+")."""
    copied = deepcopy(data)
    holder = copied
    for key in path[:-1]:
        holder = holder[key]
    if path[-1] == "+":
        holder.append(value)
    else:
        holder[path[-1]] = value
    return copied


WRONG = [
    (
        ["format"],
        "fsm-model-9",
        "model: not a model file of this version: \"format\" must be 'fsm-model-1'",
    ),
    (["states", 3, "kind"], "stepp", r"model\.states\[3\]\.kind: 'stepp' is not one of"),
    (["states", 3, "colour"], "red", r"model\.states\[3\]: .*'colour'"),
    (["states"], {}, r"model\.states: \{\} is not of type 'array'"),
    (
        ["transitions", 2, "guard"],
        "turn",
        r"model\.transitions\[2\]\.guard: 'turn' is not of type 'array'",
    ),
    (
        ["transitions", 2, "actions"],
        ["a(b"],
        r"model\.transitions\[2\]\.actions\[0\]: 'a\(b' does not match",
    ),
    (
        ["transitions", 2, "layer"],
        "jumpp",
        r"model\.transitions\[2\]\.layer: 'jumpp' is not one of",
    ),
    (
        ["transitions", 2, "target"],
        "turn_beginn",
        "state 'turn_beginn' is unknown; did you mean 'turn_begin'?",
    ),
    (
        ["initial"],
        "turn_hubb",
        "model: model 'magic': initial state 'turn_hubb' is unknown; did you mean 'turn_hub'?",
    ),
    (["initial"], 7, r"model\.initial: 7 is not of type 'string'"),
    (["options"], {"x": [1]}, r"model\.options\.x: \[1\] is not of type"),
    (
        ["window", "initial"],
        "opne",
        r"model\.window: model 'magic-window': initial state 'opne' is unknown; did you mean",
    ),
    (["window", "states", 1, "kind"], "x", r"model\.window.*'x'"),
]


@pytest.mark.parametrize(("path", "value", "message"), WRONG)
def test_a_wrong_file_is_refused_naming_the_place(
    magic: Model, path: list[str | int], value: object, message: str
) -> None:
    with pytest.raises(ModelFileError, match=message) as refused:
        Model.from_json(change(magic.to_json(), path, value))
    assert "\n" not in str(refused.value)
    assert len(str(refused.value)) < 400, "one sentence, not the whole file"


@pytest.mark.parametrize("data", [None, 3, "magic", [], {}, {"format": None}])
def test_what_is_no_model_at_all_is_refused(data: object) -> None:
    with pytest.raises(ModelFileError, match='"format" must be'):
        Model.from_json(data)


@pytest.mark.parametrize("key", ["name", "initial", "states", "transitions"])
def test_a_missing_part_is_named(magic: Model, key: str) -> None:
    data = magic.to_json()
    del data[key]
    with pytest.raises(ModelFileError, match=f"model: '{key}' is a required property"):
        Model.from_json(data)


UNUSABLE = [
    (
        ["facts", "+"],
        {"name": "x", "doc": "", "owner": "agenda", "test": ["skip_deu", "a", "b"]},
        "did you mean 'skip_due'",
    ),
    (["facts", "+"], {"name": "x", "doc": "", "owner": "agenda"}, "names the test ''"),
    (
        ["facts", "+"],
        {"name": "x", "doc": "", "owner": "agenda", "test": ["skip_due", "turn"]},
        r"write skip_due\(any level, family\), not skip_due\(turn\)",
    ),
    (
        ["facts", "+"],
        {"name": "x", "doc": "", "owner": "agenda", "test": ["extra_due", "week"]},
        "any level 'week'",
    ),
    (
        ["facts", "+"],
        {"name": "x", "doc": "", "owner": "agenda", "test": ["starters_turn_is", "one"]},
        "number 'one'",
    ),
    (
        ["facts", "+"],
        {"name": "x", "doc": "", "owner": "agenda", "test": ["setting", "dim"]},
        "name 'dim'|setting 'dim'",
    ),
    (["transitions", 0, "actions"], ["take_trun"], "did you mean 'take_turn'"),
    (["transitions", 0, "actions"], ["take_turn(now)"], r"take_turn"),
    (["transitions", 0, "actions"], ["latch()"], "latch"),
    (
        ["transitions", 0, "actions"],
        ["latch(atackers_declared)"],
        "did you mean 'attackers_declared'",
    ),
    (["transitions", 0, "actions"], ["push_return(phase, nowhere)"], "state 'nowhere'"),
    (["transitions", 0, "actions"], ["end(week)"], "level 'week'"),
]


@pytest.mark.parametrize(("path", "value", "message"), UNUSABLE, ids=[str(u[1]) for u in UNUSABLE])
def test_a_file_that_misuses_a_primitive_cannot_be_played(
    magic: Model, path: list[str | int], value: object, message: str
) -> None:
    model = Model.from_json(change(magic.to_json(), path, value))
    with pytest.raises(ModelError, match=message) as refused:
        fsm.TurnController(model, ["A", "B"])
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"{", "read as JSON"),
        (b"\xff\xfe", "not text in UTF-8"),
        (b"[" * 200_000, "nested more than 100 deep"),
        (b"[]", '"format" must be'),
    ],
    ids=["cut", "bytes", "deep", "list"],
)
def test_a_damaged_file_is_refused(tmp_path: Path, content: bytes, message: str) -> None:
    path = tmp_path / "damaged.json"
    path.write_bytes(content)
    with pytest.raises(ModelFileError, match=message):
        fsm.load(str(path))


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(ModelFileError, match=r"none\.json: there is no such file"):
        fsm.load(str(tmp_path / "none.json"))
    with pytest.raises(ModelFileError, match="cannot be read"):
        fsm.load(f"{tmp_path}/")


# whatever is accepted is read as it was written ---------------------------------------------------

NAMES = st.one_of(
    st.sampled_from(
        ["a", "b", "not a", "not", " a", "a\n", "a b", "a, b", "f(x)", "state", "frame", "done", ""]
    ),
    st.text(),
)
ODD: st.SearchStrategy[Any] = st.sampled_from(
    [None, 0, -1, 1, True, "", " ", (), ("",), ["a"], ("a", 1), 0.5]
)


@st.composite
def parts_of_models(draw: st.DrawFn) -> dict[str, Any]:
    """The arguments of a Model: names of any kind, and in places values of any kind."""

    def either(usual: st.SearchStrategy[Any]) -> Any:
        return draw(ODD if draw(st.integers(0, 60)) == 0 else usual)

    fact, event = either(NAMES), either(NAMES)
    here, there = either(NAMES), either(NAMES)
    action = Action(
        either(st.sampled_from(["f", "f(", "f g", "f,"])),
        either(st.lists(NAMES, max_size=2).map(tuple)),
    )
    done = Transition(
        here, there, guard=(Term(fact, either(st.booleans())),), actions=either(st.just((action,)))
    )
    return {
        "name": either(NAMES),
        "initial": here,
        "states": (
            State(here, either(st.just("action")), asks=either(st.just("perform"))),
            State(there, "final"),
        ),
        "transitions": (
            done,
            Transition(here, either(st.none()), event, layer=either(st.just("jump"))),
        ),
        "events": (Event("done", completion=True), Event(event, either(st.text()))),
        "facts": (Fact(fact, either(st.text()), test=either(st.just(("stack_empty",)))),),
        "durations": (Duration(either(st.just("d")), either(st.just("end")), either(NAMES)),),
        "settings": (Setting(either(st.just("s")), sides=either(st.none())),),
        "options": either(
            st.lists(st.tuples(NAMES, st.booleans() | st.integers() | NAMES), max_size=2).map(tuple)
        ),
    }


def accepted(parts: dict[str, Any]) -> Model | None:
    """The Model, or None where its parts are refused, in one sentence."""
    try:
        return Model(**parts)
    except ModelError as error:
        assert str(error).startswith("model ")
        return None


@settings(max_examples=amount(150, 3000))
@given(parts_of_models(), parts_of_models())
def test_every_model_that_is_accepted_comes_back_equal(
    first: dict[str, Any], second: dict[str, Any]
) -> None:
    found = [model for model in map(accepted, (first, second)) if model is not None]
    for model in found:
        again = Model.from_json(json.loads(json.dumps(model.to_json())))
        assert (again, again.fingerprint) == (model, model.fingerprint)
    if len(found) == 2:
        assert found[0] == found[1] or found[0].fingerprint != found[1].fingerprint


PLAYED = Model(
    name="small",
    initial="act",
    states=(State("act", "action", asks="perform", action="act"), State("over", "final")),
    transitions=(Transition("act", "over"), Transition("act", None, "leave")),
    events=(Event("done", completion=True), Event("leave")),
)
REFUSED: list[tuple[dict[str, Any], str]] = [
    (
        {"facts": (Fact("not a", ""),)},
        "fact 'not a' reads like the negation of 'a'; choose another name",
    ),
    (
        {"facts": (Fact(" a ", ""),)},
        "fact ' a ' has spaces or line ends around its name; leave them out",
    ),
    (
        {"facts": (Fact("a\n", ""),)},
        "fact 'a\\n' has spaces or line ends around its name; leave them out",
    ),
    ({"facts": (Fact("a", "", test=("",)),)}, "fact 'a' has an empty word in its test"),
    ({"facts": [Fact("a", "")]}, "Model.facts must be a tuple of Facts, not [Fact("),
    ({"facts": (Fact("a", 3),)}, "Fact.doc must be a string, not 3"),  # type: ignore[arg-type]
    ({"events": (*PLAYED.events, Event("state"))}, "no event can be called 'state'"),
    ({"events": (*PLAYED.events, Event("frame"))}, "no event can be called 'frame'"),
    ({"options": (("x", True), ("x", False))}, "option 'x' is there twice"),
    ({"options": (("x", [1]),)}, "Model.options must be"),
    (
        {"transitions": (Transition("act", "over", actions=(Action("f g"),)),)},
        "action 'f g' cannot be read",
    ),
    (
        {"transitions": (Transition("act", "over", actions=(Action("f", ("a,b",)),)),)},
        "action 'f(a,b)' cannot be read",
    ),
    (
        {"durations": (Duration("d", "end", ""),)},
        "duration 'd' does not say in `what` which moment ends it",
    ),
    ({"settings": (Setting("s", sides=0),)}, "setting 's': sides and players are counted from 1"),
]


@pytest.mark.parametrize(("changes", "message"), REFUSED, ids=[message for _, message in REFUSED])
def test_what_could_not_be_read_back_is_refused_when_the_model_is_built(
    changes: dict[str, Any], message: str
) -> None:
    with pytest.raises(ModelError) as refused:
        replace(PLAYED, **changes)
    assert message in str(refused.value)


@pytest.mark.parametrize(
    "name", ["trigger", "model", "definition", "is_act", "may_leave", "events", "a b", "class"]
)
def test_an_event_of_any_other_name_is_played_and_recorded(name: str) -> None:
    model = replace(
        PLAYED,
        events=(*PLAYED.events, Event(name)),
        transitions=(*PLAYED.transitions, Transition("act", "over", name)),
    )
    game = TurnController(model, ["A"])
    game.answer(Answer(signal=Signal(name)))
    assert Trace.read(game.trace.lines()).entries == game.trace.entries
