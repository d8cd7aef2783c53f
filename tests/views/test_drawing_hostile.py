"""Pictures of models whose every word is nasty: well-formed, inert, true to the words, and no two
texts meet.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from xml.etree import ElementTree as ET

import pytest
from hypothesis import HealthCheck, given, settings

from fsm.errors import DrawError
from fsm.model import Event, Fact, Model, State, Term, Transition
from fsm.views.drawing.dot import dot
from fsm.views.drawing.endingview import ending_views
from fsm.views.drawing.options import Against, Counts, DrawOptions, Now, OverlayOption, Paper
from fsm.views.drawing.pipeline import svg
from fsm.wording import blanks, plain
from support import processes
from support.amounts import amount, sample
from support.drawnsvg import SVG, collisions, read
from support.hostile import NASTY, hostile_model, small_models, spoilt
from support.inventedgames import nested, towns
from support.manyviews import stage_views
from support.tools import tool

ELEMENTS = {"svg", "g", "title", "desc", "text", "path", "polygon", "circle", "rect"}
ATTRIBUTES = {
    *(
        "width",
        "height",
        "viewBox",
        "font-family",
        "font-size",
        "font-weight",
        "font-style",
        "role",
        "id",
        "class",
    ),
    *(
        "fill",
        "stroke",
        "stroke-width",
        "stroke-dasharray",
        "stroke-dashoffset",
        "transform",
        "d",
        "points",
        "x",
        "y",
        "text-anchor",
    ),
    *("textLength", "lengthAdjust", "cx", "cy", "rx", "r", "stroke-opacity", "stroke-linecap"),
}
TURNING = set("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
# Where the list of nasty texts starts: every text comes to stand in very different places.
STARTS = (0, 11, 23, 34)


@cache
def model(first: int, base: str) -> Model:
    return hostile_model(first, base)


def views(model: Model, first: int = 0) -> Iterator[str]:
    """The views of a model; of those of one phase or step, every fourth."""
    yield "turn"
    if model.window is not None:
        yield "window"
    yield from stage_views(model)[first % 4 :: 4]
    yield from ending_views(model)


def inert(text: str) -> None:
    """Well-formed, and made of nothing but shapes and words."""
    assert "<?" not in text
    assert "<!" not in text
    for element in ET.fromstring(text).iter():
        assert element.tag.removeprefix(SVG) in ELEMENTS, element.tag
        for name, value in element.attrib.items():
            assert name in ATTRIBUTES, name
            assert "(" not in value or name == "transform", (name, value)
            assert ":" not in value, (name, value)


def texts_that_meet(text: str) -> list[str]:
    ends = ("meets a line", "meets a border", "leaves the picture")
    return [said for said in collisions(read(text)) if not said.endswith(ends)]


@pytest.mark.parametrize(
    ("base", "first"), sample([(b, s) for b in ("magic", "grand-archive") for s in STARTS], 2)
)
def test_every_view_is_inert_and_no_two_texts_meet(first: int, base: str) -> None:
    hostile = model(first, base)
    for view in views(hostile, first):
        drawn = svg(hostile, DrawOptions(view))
        inert(drawn)
        assert texts_that_meet(drawn) == [], view
        assert not [
            said for said in collisions(read(drawn)) if said.endswith("leaves the picture")
        ], view


@pytest.mark.parametrize(
    ("kind", "theme"),
    sample([(k, t) for k in ("now", "counts", "against") for t in ("light", "dark")], 3),
)
def test_every_overlay_is_inert(theme: Paper, kind: str) -> None:
    hostile = model(5, "magic-2010")
    over: dict[str, OverlayOption] = {
        "now": Now(
            hostile.initial,
            closed={t.id: word for t, word in zip(hostile.transitions, NASTY, strict=False)},
        ),
        "counts": Counts({t.id: i % 50 for i, t in enumerate(hostile.transitions)}),
        "against": Against(_other(hostile), (NASTY[0], NASTY[-3])),
    }
    for view in ("turn", "window"):
        drawn = svg(hostile, DrawOptions(view, theme, overlay=over[kind]))
        inert(drawn)
        assert texts_that_meet(drawn) == []


def _other(model: Model) -> Model:
    """The same less some rows, and with other words."""
    less = model.without(*(t.id for t in model.transitions[::9]))
    return replace(
        less,
        states=tuple(replace(s, label=f"{s.doc} {s.label}") for s in less.states),
        title=NASTY[20],
    )


@pytest.mark.parametrize("first", sample(STARTS, 2))
def test_the_dot_is_read_by_graphviz(first: int) -> None:
    program = tool("dot")
    hostile = model(first, "magic-classic")
    for view in views(hostile, first):
        source = dot(hostile, DrawOptions(view))
        done = processes.run([program, "-Tjson0"], given=source)
        assert (done.returncode, done.stderr) == (0, "")
        assert not re.search('"(?:URL|href)"', done.stdout)


@pytest.mark.parametrize("word", [w for w in NASTY if len(w) < 60], ids=ascii)
def test_each_text_is_drawn_as_it_is(word: str) -> None:
    """As a step's label, in its tooltip whole; without what no text can show."""
    base = towns()
    step = replace(base.state("wake"), label=word, doc=word, rule=word)
    named = replace(base, states=tuple(step if s.id == step.id else s for s in base.states))
    drawn = svg(named, DrawOptions("turn"))
    tips = [tip.split("\n") for tip in read(drawn).tooltips]
    assert [plain(word)] * 2 in [tip[:2] for tip in tips]
    assert not TURNING & set(drawn)
    inert(drawn)


def test_what_is_said_is_what_was_written() -> None:
    assert plain("<b> & \"x\" 'y' ]]> \\n") == "<b> & \"x\" 'y' ]]> \\n"
    assert plain("שלום עולם") == "שלום עולם"
    assert plain("one\ntwo\x00three") == "one two three"
    assert plain("user\u202eexe.txt\u202c") == "userexe.txt"


@pytest.mark.parametrize(
    "word", ["start", "next", "anywhere", "begin", "text_0", "ring_0", "n0", "line0", "cluster_0"]
)
def test_a_state_may_be_called_what_pictures_call_their_own(word: str) -> None:
    base = towns()
    other = replace(base.state("wake"), id=word, label="")
    rename = {"wake": word}
    states = (
        other if s.id == "wake" else replace(s, parent=rename.get(s.parent, s.parent))
        for s in base.states
    )
    rows = (replace(t, source=rename.get(t.source, t.source)) for t in base.transitions)
    renamed = replace(base, states=tuple(states), transitions=tuple(rows))
    plainly = replace(
        base,
        states=tuple(replace(s, label=blanks(word)) if s.id == "wake" else s for s in base.states),
    )
    assert read(svg(renamed, DrawOptions())).texts == read(svg(plainly, DrawOptions())).texts


def test_but_not_what_marks_their_own() -> None:
    with pytest.raises(DrawError, match="state '<start>' is called what pictures call"):
        svg(towns().with_(states=[State("<start>", "stage")]), DrawOptions())


@pytest.mark.parametrize("seed", range(amount(2, 6)))
def test_nested_games_with_nasty_words(seed: int) -> None:
    drawn = svg(spoilt(nested(seed), 9 * seed), DrawOptions())
    inert(drawn)
    assert texts_that_meet(drawn) == []


LONG = "many words " * 20


def narrow_boxes() -> Model:
    """Boxes with hardly anything in them, side by side, with a long citation."""
    phases = (State("a", "phase", rule=LONG), State("b", "phase"))
    inside = (State("one", "choice", parent="a"), State("two", "action", parent="a"))
    others = (State("three", "action", parent="b"), State("four", "stage"), State("five", "window"))
    return Model("narrow", "one", (*phases, *inside, *others), (), _events())


def box_aside() -> Model:
    """A box left of the main way, with a citation longer than the box is wide."""
    steps = (State("a", "step"), State("b", "step", rule=LONG))
    inside = (State("one", "action", parent="a"), State("two", "choice", parent="b"))
    rows = (Transition("two", "one", "flee"), Transition("two", None, "flee", doc=LONG, rule=LONG))
    return Model("aside", "one", (*steps, *inside), rows, _events("flee"))


def empty_step() -> Model:
    """A phase with a step in which nothing is done but flee from it."""
    phase, step = State("day", "phase"), State("nap", "step", parent="day")
    inside = (State("noon", "choice", parent="day"), State("sleep", "choice", parent="nap"))
    rows = (Transition("sleep", "noon", "flee"),)
    return Model("empty", "noon", (phase, inside[0], step, inside[1]), rows, _events("flee"))


def crossed_note() -> Model:
    """A phase with a note just where a line leaves it, beside the long label of another line."""
    inside = (
        State("one", "choice", parent="day"),
        State("two", "window", parent="day", doc="here", rule=LONG),
    )
    rows = (
        Transition("one", "two", "done", (Term("ready", False),), rule=LONG[:52]),
        Transition("two", "night", "flee"),
        Transition("one", None, "flee", (Term("ready", False),), doc=LONG),
    )
    states = (State("day", "phase"), *inside, State("night", "choice"))
    return Model("crossed", "one", states, rows, _events("flee"), (Fact("ready", ""),))


def _events(*names: str) -> tuple[Event, ...]:
    return Event("done", "", True), *(Event(name, "") for name in names)


def with_steps(model: Model) -> Model:
    """Every other stage of a phase in a step of its own, called as the stage is."""
    phases = {s.id for s in model.of_kind("phase")}
    states: list[State] = []
    for n, s in enumerate(model.states):
        if s.parent in phases and n % 2:
            states.append(replace(s, id=f"<step {n}>", kind="step"))
        states.append(replace(s, parent=f"<step {n}>") if s.parent in phases and n % 2 else s)
    return replace(model, states=tuple(states))


def drawn_well(model: Model) -> None:
    """Every view of it is inert, and no two of its texts meet."""
    for view in ("turn", *stage_views(model), *ending_views(model)):
        drawn = svg(model, DrawOptions(view))
        inert(drawn)
        assert texts_that_meet(drawn) == [], view


@pytest.mark.parametrize("make", [narrow_boxes, box_aside, empty_step, crossed_note])
def test_boxes_have_room_for_what_is_written_in_them(make: Callable[[], Model]) -> None:
    drawn_well(make())


@settings(max_examples=40, suppress_health_check=list(HealthCheck))
@given(small_models())
def test_any_small_model_is_drawn_and_inert(model: Model) -> None:
    drawn_well(model)


@settings(max_examples=20, suppress_health_check=list(HealthCheck))
@given(small_models().map(with_steps))
def test_so_is_any_small_turn_with_steps(model: Model) -> None:
    drawn_well(model)
