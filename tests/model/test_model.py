"""The Model: wrong names are refused at build, it is frozen, and other models derive from it."""

from __future__ import annotations

from dataclasses import FrozenInstanceError, replace
from typing import Any

import pytest

from fsm.errors import FsmError, ModelError
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


def changed(**changes: Any) -> Model:
    """The lamp with other parts."""
    return replace(LAMP, **changes)


WRONG_NAMES: list[tuple[str, dict[str, Any], str]] = [
    ("initial", {"initial": "of"}, "initial state 'of' is unknown; did you mean 'off'?"),
    (
        "source",
        {"transitions": (Transition("onn", "off", "press"),)},
        "transition 'onn -> off on press': state 'onn' is unknown; did you mean 'on'?",
    ),
    (
        "target",
        {"transitions": (Transition("on", "offf", "press"),)},
        "transition 'on -> offf on press': state 'offf' is unknown; did you mean 'off'?",
    ),
    (
        "event",
        {"transitions": (Transition("on", "off", "pres"),)},
        "transition 'on -> off on pres': event 'pres' is unknown; did you mean 'press'?",
    ),
    (
        "fact",
        {"transitions": (Transition("on", "off", "press", (Term("power_n", False),)),)},
        "transition 'on -> off on press [not power_n]': fact 'power_n' is unknown; did you mean 'power_on'?",
    ),
    (
        "layer",
        {"transitions": (Transition("on", "off", "press", layer="skipp"),)},  # type: ignore[arg-type]
        "Transition(source='on', target='off', event='press', guard=(), actions=(), rule='', layer='skipp', "
        "generic=False, doc...: Transition.layer must be 'core' or 'skip' or 'extra' or 'jump', not 'skipp'",
    ),
    (
        "parent",
        {"states": (*LAMP.states, State("dim", "stage", parent="dya"))},
        "state 'dim' stands in 'dya', which is no turn, phase or step; did you mean 'day'?",
    ),
    (
        "tells",
        {"states": (*LAMP.states, State("dim", "action", asks="perform", tells=("power_onn",)))},
        "state 'dim' tells the fact 'power_onn', which is unknown; did you mean 'power_on'?",
    ),
]


@pytest.mark.parametrize(
    ("changes", "message"), [w[1:] for w in WRONG_NAMES], ids=[w[0] for w in WRONG_NAMES]
)
def test_an_unknown_name_is_refused_with_a_suggestion(
    changes: dict[str, object], message: str
) -> None:
    with pytest.raises(ModelError) as refused:
        changed(**changes)
    assert str(refused.value) == f"model 'lamp': {message}"


TWICE = [
    ("states", State("on", "stage"), "state 'on'"),
    ("events", Event("press"), "event 'press'"),
    ("facts", Fact("power_on", "again"), "fact 'power_on'"),
    (
        "transitions",
        Transition("on", "off", "press", doc="another text, the same arrow"),
        "transition 'on -> off on press'",
    ),
    ("durations", Duration("tonight", "begin", "day"), "duration 'tonight'"),
    ("settings", Setting("dimmed", default=True), "setting 'dimmed'"),
]


@pytest.mark.parametrize(("part", "again", "name"), TWICE, ids=[t[0] for t in TWICE])
def test_a_name_that_is_there_twice_is_refused(part: str, again: object, name: str) -> None:
    with pytest.raises(ModelError) as refused:
        changed(**{part: (*getattr(LAMP, part), again)})
    assert str(refused.value) == f"model 'lamp': {name} is there twice; names are unique"


NAMELESS = [
    ("states", State("", "stage")),
    ("events", Event("")),
    ("facts", Fact("", "nothing")),
    ("durations", Duration("", "end", "day")),
    ("settings", Setting("")),
]


@pytest.mark.parametrize(("part", "nameless"), NAMELESS, ids=[n[0] for n in NAMELESS])
def test_a_part_without_a_name_is_refused(part: str, nameless: object) -> None:
    with pytest.raises(ModelError, match=rf"^model 'lamp': a {part[:-1]} has no name$"):
        changed(**{part: (nameless,)})


def test_a_state_may_not_contain_itself() -> None:
    with pytest.raises(ModelError, match="'day' contains itself; parents must form a tree"):
        replace(
            LAMP,
            states=(
                State("day", "turn", parent="week"),
                State("week", "phase", parent="day"),
                *LAMP.states[1:],
            ),
        )


def test_a_transition_may_not_lead_to_a_composite_state() -> None:
    with pytest.raises(ModelError, match="leads to 'day', a turn; name a state in it"):
        LAMP.with_(transitions=[Transition("off", "day", "press")])


def test_a_stage_may_not_contain_states() -> None:
    with pytest.raises(ModelError, match="'dim' stands in 'on', which is no turn, phase or step"):
        LAMP.with_(states=[State("dim", "stage", parent="on")])


@pytest.mark.parametrize(
    "part",
    [LAMP, *LAMP.states, *LAMP.transitions, *LAMP.facts, *LAMP.events, Term("a"), Action("b")],
)
def test_a_model_and_its_parts_are_frozen(part: object) -> None:
    name = "name" if hasattr(part, "name") else next(iter(type(part).__dataclass_fields__))  # type: ignore[attr-defined]
    with pytest.raises(FrozenInstanceError):
        setattr(part, name, "other")


# looking things up --------------------------------------------------------------------------------


def test_looking_up_what_is_there_and_what_is_not(magic: Model) -> None:
    assert magic.state("upkeep_step").name == "upkeep"
    assert magic.fact("attackers_declared").rule == "508.8"
    assert magic.transition("upkeep_begin -> upkeep_window").target == "upkeep_window"
    for wrong in (
        lambda: magic.state("upkep_step"),
        lambda: magic.fact("atackers_declared"),
        lambda: magic.transition("upkeep_begin -> upkeep_windo"),
    ):
        with pytest.raises(ModelError, match="is not in magic; did you mean '"):
            wrong()


def test_paths_climb_from_stage_to_turn(magic: Model) -> None:
    assert [s.id for s in magic.path("untap_phasing")] == [
        "untap_phasing",
        "untap_step",
        "beginning_phase",
        "turn",
    ]
    step, phase = (
        magic.enclosing("untap_phasing", "step"),
        magic.enclosing("untap_phasing", "phase"),
    )
    assert step is not None and phase is not None
    assert (step.id, phase.id) == ("untap_step", "beginning_phase")
    assert magic.enclosing("turn_hub", "phase") is None


def test_the_innermost_row_comes_first() -> None:
    inner = Transition("on", None, "press", (Term("power_on", False),))
    outer = Transition("day", "off", "press")
    model = replace(LAMP, transitions=(outer, inner))
    assert model.rows("on", "press") == (inner, outer)
    assert model.rows("off", "press") == (outer,)
    assert model.rows("on", "done") == ()
    assert model.events_at("on") == ("press",)


def test_ids_are_made_from_ends_event_and_guard() -> None:
    assert Transition("a", "b").id == "a -> b"
    assert Transition("a", None, "hit").id == "a -> (stays) on hit"
    assert (
        Transition("a", "b", "hit", (Term("x"), Term("y", False)), rule="9").id
        == "a -> b on hit [x, not y]"
    )


@pytest.mark.parametrize("text", ["latch(combat)", "begin(step, upkeep, upkeep)", "next_player"])
def test_an_action_reads_as_it_is_written(text: str) -> None:
    assert str(Action.parse(text)) == text


@pytest.mark.parametrize("text", ["power_on", "not power_on"])
def test_a_term_reads_as_it_is_written(text: str) -> None:
    assert str(Term.parse(text)) == text


def test_an_action_with_an_open_bracket_is_refused() -> None:
    with pytest.raises(
        ModelError, match=r"'latch\(combat' has no closing bracket; write 'name\(a, b\)'"
    ):
        Action.parse("latch(combat")


# deriving -----------------------------------------------------------------------------------------


def test_without_takes_away_exactly_the_rows_named() -> None:
    less = LAMP.without("on -> off on press")
    assert less.transitions == LAMP.transitions[:1]
    assert replace(less, transitions=LAMP.transitions) == LAMP
    assert len(LAMP.transitions) == 2, "the model itself is as it was"


def test_without_an_unknown_row_is_refused() -> None:
    with pytest.raises(
        ModelError, match=r"'on -> of on press' is not in lamp; did you mean 'on -> off on press'?"
    ):
        LAMP.without("on -> of on press")


def test_without_always_yields_a_model(magic: Model) -> None:
    for row in magic.transitions:
        assert row.id not in {t.id for t in magic.without(row.id).transitions}


def test_with_adds_last_and_may_rename() -> None:
    blink, flash = State("blink", "stage"), Transition("on", "blink", "shake", (Term("tilted"),))
    more = LAMP.with_(
        states=[blink],
        transitions=[flash],
        facts=[Fact("tilted", "it leans")],
        events=[Event("shake")],
        name="party",
    )
    assert (more.name, more.states[-1], more.transitions[-1]) == ("party", blink, flash)
    assert more.events_at("on") == ("press", "shake")
    assert LAMP.with_() == LAMP


def test_with_a_name_that_is_taken_is_refused() -> None:
    with pytest.raises(ModelError, match="state 'on' is there twice"):
        LAMP.with_(states=[State("on", "stage")])


# fingerprints -------------------------------------------------------------------------------------


def test_equal_models_have_equal_fingerprints() -> None:
    assert replace(LAMP) == LAMP
    assert replace(LAMP).fingerprint == LAMP.fingerprint
    assert hash(replace(LAMP)) == hash(LAMP)


CHANGES: list[dict[str, object]] = [
    {"name": "lantern"},
    {"title": "A lamp"},
    {"edition": "2"},
    {"initial": "on"},
    {"options": (("bright", True),)},
    {"states": tuple(replace(s, label="X") for s in LAMP.states)},
    {"states": LAMP.states[::-1]},
    {"transitions": LAMP.transitions[::-1]},
    {"transitions": tuple(replace(t, rule="9") for t in LAMP.transitions)},
    {"transitions": tuple(replace(t, actions=(Action("next_player"),)) for t in LAMP.transitions)},
    {"facts": (Fact("power_on", "another text"),)},
    {"events": (*LAMP.events, Event("shake"))},
    {"durations": ()},
    {"settings": ()},
    {"window": LAMP},
]


@pytest.mark.parametrize("change", CHANGES, ids=lambda c: str(next(iter(c))))
def test_every_change_changes_the_fingerprint(change: dict[str, object]) -> None:
    assert changed(**change).fingerprint != LAMP.fingerprint


def test_every_row_counts_in_the_fingerprint(magic: Model) -> None:
    prints = {magic.without(row.id).fingerprint for row in magic.transitions}
    assert len(prints | {magic.fingerprint}) == len(magic.transitions) + 1


def test_errors_of_the_model_are_errors_of_the_package() -> None:
    assert issubclass(ModelError, FsmError)
