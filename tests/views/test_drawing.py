"""The public face of drawing: what `draw` takes, what it refuses, and what a picture always holds."""

from __future__ import annotations

import sys
from dataclasses import replace
from typing import Any, Literal
from xml.etree import ElementTree as ET

import pytest

import fsm
from fsm import draw
from fsm.errors import DrawError
from fsm.model import Model, State
from fsm.rulesets import names
from fsm.views.drawing import Counts, format_names, views_of
from support import processes
from support.drawnsvg import SVG, read
from support.inventedgames import nested, tangle, tiny, towns

MAGIC = fsm.load("magic")
RULESETS = [fsm.load(name) for name in names()]
every_ruleset = pytest.mark.parametrize("model", RULESETS, ids=lambda m: m.name)
HOSTILE = '"quoted" <script>alert(1)</script> back\\slash \\n \\N &lt;b&gt; <b>bold</b>\nsecond line {|} \x00\x0b -->'


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize(("model", "view"), [(m, view) for m in RULESETS for view in views_of(m)])
def test_every_view_is_a_picture_in_both_themes(model: Model, view: str, theme: str) -> None:
    picture = read(draw(model, view=view, theme=theme))
    assert picture.words[0].startswith(f"{model.title}: ")
    assert 150 < picture.size[0] <= 812
    assert picture.lines
    assert picture.shapes or view.startswith("ending:")


@pytest.mark.parametrize(
    ("model", "view"), [(m, view) for m in RULESETS for view in views_of(m)[::7]]
)
def test_a_picture_says_what_it_is_without_being_pointed_at(model: Model, view: str) -> None:
    root = ET.fromstring(draw(model, view=view))
    title, said = (root.findtext(f"{SVG}{name}") or "" for name in ("title", "desc"))
    assert root.get("role") == "img"
    assert title.startswith(f"{model.title}: ")
    assert len(title) <= 70
    picture = read(draw(model, view=view))
    assert "Arrows: " in said
    assert all(
        step.label in said
        for step in model.of_kind("step")
        if picture.says(step.label) and view == "turn"
    )


def test_a_plain_machine_is_described_in_its_own_words() -> None:
    said = ET.fromstring(draw(tiny())).findtext(f"{SVG}desc") or ""
    assert "Arrows: " in said
    assert "core" not in said or tiny().played


def test_formats_are_those_that_draw_takes() -> None:
    texts = {
        "svg",
        "dot",
        "mermaid",
        "json",
        "md",
        "html",
        "txt",
    }
    assert set(format_names()) == {*texts, "png"}
    assert all(isinstance(draw(MAGIC, format=name), str) for name in sorted(texts))
    assert draw(MAGIC, format="dot").startswith("digraph")
    assert ET.fromstring(draw(MAGIC)).tag.endswith("svg")


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"view": "trun"}, "view 'trun' is unknown; did you mean 'turn'?"),
        ({"format": "gif"}, f"format 'gif' is unknown; known: {', '.join(sorted(format_names()))}"),
        ({"theme": "drak"}, "theme 'drak' is unknown; did you mean 'dark'?"),
        (
            {"view": "step:upkep_step"},
            "view 'step:upkep_step' is unknown; did you mean 'step:upkeep_step'?",
        ),
    ],
)
def test_an_unknown_name_is_refused_with_a_suggestion(wrong: dict[str, Any], said: str) -> None:
    with pytest.raises(DrawError) as refused:
        draw(MAGIC, **wrong)
    assert str(refused.value) == said


def test_a_model_without_a_window_has_no_window_view() -> None:
    with pytest.raises(DrawError, match="towns has no window model"):
        draw(towns(), view="window")


@every_ruleset
def test_the_themes_differ_only_in_colour(model: Model) -> None:
    light, dark = read(draw(model)), read(draw(model, theme="dark"))
    assert light.texts == dark.texts
    assert light.lines == dark.lines
    assert draw(model) != draw(model, theme="dark")


@every_ruleset
def test_the_same_model_gives_the_same_picture(model: Model) -> None:
    assert draw(model) == draw(fsm.load(model.name))


def marked(model: Model, step: State) -> str:
    """A step's name, with the mark that says whether players may act there; in capitals if it is
    all of its phase.
    """
    opens = {state.opens for state in model.children(step.id)} - {""}
    phase = model.state(step.parent)
    inside = [s for s in model.children(phase.id) if s.kind in ("step", "phase")]
    alone = inside == [step] and phase.label.casefold() == step.label.casefold()
    return ("●" if "natural" in opens else "○" if opens else "") + (
        step.label.upper() if alone else step.label
    )


@every_ruleset
def test_every_step_has_a_card(model: Model) -> None:
    cards = {marked(model, step) for step in model.of_kind("step")}
    assert cards <= set(read(draw(model)).words)


@every_ruleset
def test_every_box_and_arrow_says_its_rule(model: Model) -> None:
    groups = read(draw(model)).groups
    tips = [
        tip
        for name, found in groups.items()
        if name.split()[0] in ("node", "edge", "cluster") or name
        for tip in found
    ]
    cards = [
        tip
        for name, found in groups.items()
        if "card" in name or name.endswith("phase")
        for tip in found
    ]
    arrows = [tip for name, found in groups.items() if "layer-" in name for tip in found]
    assert tips
    assert len(cards) == len(model.of_kind("step")) + len(model.of_kind("phase"))
    assert all(model.edition in tip for tip in [*cards, *arrows])


@every_ruleset
def test_a_card_s_tooltip_names_all_that_is_done_in_its_step(model: Model) -> None:
    groups = read(draw(model)).groups
    tips = {
        tip.split("\n")[0]: tip.split("\n")
        for name in groups
        if "card" in name
        for tip in groups[name]
    }
    for step in model.of_kind("step"):
        for part in model.children(step.id):
            if part.kind == "window" or part.role == "action":
                assert [
                    t
                    for t in tips[step.label]
                    if part.label in t and part.doc[:60] in t and part.rule in t
                ]


@every_ruleset
def test_the_dot_has_every_step(model: Model) -> None:
    dot = draw(model, format="dot")
    steps = model.of_kind("step")
    assert all(state.label in dot for state in steps)
    assert "pos=" not in dot, "Graphviz places it"


def test_the_dot_has_guards_and_citations() -> None:
    dot = draw(MAGIC, format="dot")
    assert "a fighter has first" in dot
    assert "510.4" in dot


@pytest.mark.parametrize("where", ["label", "doc", "rule", "title", "name", "id", "fact"])
@pytest.mark.parametrize("form", ["svg", "dot"])
def test_words_from_outside_stay_words(where: str, form: Literal["svg", "dot"]) -> None:
    model = towns()
    wake = model.state("wake")
    if where == "title":
        model = replace(model, title=HOSTILE, edition=HOSTILE)
    elif where == "id":
        model = replace(model, states=(*model.states, State(HOSTILE, "step", parent="night")))
    elif where == "fact":
        fact = replace(model.facts[4], name=HOSTILE)
        rows = tuple(
            replace(
                t,
                guard=tuple(
                    replace(g, fact=HOSTILE) if g.fact == model.facts[4].name else g
                    for g in t.guard
                ),
            )
            for t in model.transitions
        )
        model = replace(
            model,
            facts=tuple(fact if f is model.facts[4] else f for f in model.facts),
            transitions=rows,
        )
    else:
        words: dict[str, Any] = {where: HOSTILE, **({"label": ""} if where == "name" else {})}
        hostile = replace(wake, **words)
        model = replace(model, states=tuple(hostile if s is wake else s for s in model.states))
    drawn = draw(model, format=form)
    if form == "svg":
        root = ET.fromstring(drawn)
        assert not [e for e in root.iter() if e.tag.rpartition("}")[2] in ("script", "b")]
        assert "<script" in "".join(root.itertext())
    else:
        assert "\\<script" not in drawn.replace("\\\\", "")
        assert not [line for line in drawn.splitlines() if line.strip().startswith(("second", "<"))]


@pytest.mark.parametrize(
    ("name", "view", "said"),
    [
        ("magic", "phase:combat_phase", "jump out of everything"),
        ("magic", "ending:end_turn", "jump out of everything"),
        ("magic", "phase:ending_phase", "jump"),
        ("grand-archive", "window", "jump"),
    ],
)
def test_the_legend_says_what_is_jumped_out_of(name: str, view: str, said: str) -> None:
    words = read(draw(fsm.load(name), view=view)).words
    assert [word for word in words if word.startswith("jump")] == [said]


def test_the_legend_has_the_layers_in_their_order() -> None:
    words = read(draw(fsm.load("magic"), view="phase:combat_phase")).words
    layers = ["core", "skipped", "jump out of everything"]
    assert [word for word in words if word in layers] == layers
    plain = ["normal course", "left out", "again or extra", "cut short"]
    assert [word for word in read(draw(fsm.load("magic"))).words if word in plain] == plain


def test_the_legend_of_a_turn_has_the_rulebook_s_word() -> None:
    assert read(draw(MAGIC)).says("players get priority")
    assert read(draw(fsm.load("grand-archive"))).says("players get Opportunity")
    assert read(draw(towns())).says("players may act")


@every_ruleset
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_turn_is_as_wide_as_a_page_and_can_be_read_there(model: Model, theme: str) -> None:
    drawn = draw(model, theme=theme)
    picture = read(drawn)
    assert picture.size[0] * picture.pixels <= 831
    sizes = [
        float(text.get("font-size", "0"))
        for text in ET.fromstring(drawn).iter()
        if text.tag.endswith("text")
    ]
    assert min(sizes) * picture.pixels >= 9


@every_ruleset
def test_who_does_not_see_a_turn_hears_what_it_shows(model: Model) -> None:
    root = ET.fromstring(draw(model))
    title, summary = root[0], root[1]
    assert root.get("role") == "img"
    assert title.text == f"{model.title}: a turn at a glance"
    assert summary.tag.endswith("desc")
    said = (summary.text or "").casefold()
    assert all(s.label.casefold() in said for s in model.of_kind("phase") if s.parent == "turn")
    assert not [part for part in root.iter() if part.get("tabindex") or part.tag.endswith("}a")]


@every_ruleset
def test_tooltips_are_short(model: Model) -> None:
    for view in [v for v in views_of(model) if not v.startswith("step:")]:
        drawn = draw(model, view=view)
        tips = read(drawn).tooltips
        assert sum(map(len, tips)) < len(drawn) * 0.3, view
        assert max(len(line) for tip in tips for line in tip.split("\n")) <= 360, view


@every_ruleset
def test_a_turn_has_no_words_of_the_model(model: Model) -> None:
    words = read(draw(model)).words
    assert [
        word
        for word in words
        if "[" in word or "_" in word or word.endswith("else") or " guard" in word
    ] == []


@pytest.mark.parametrize("format", ["svg", "mermaid"])
def test_no_picture_has_a_number_that_is_the_rulesets_own(
    format: Literal["svg", "mermaid"],
) -> None:
    model = fsm.load("grand-archive")
    assert any("(U-" in text for t in model.transitions for text in (t.doc, t.rule))
    for view in views_of(model):
        assert "U-" not in draw(model, view=view, format=format), view
    assert "U-" not in draw(model, counts=Counts({}))


@pytest.mark.parametrize("form", ["svg", "dot"])
def test_words_from_outside_stay_words_in_boxes_within_boxes(form: Literal["svg", "dot"]) -> None:
    model = nested(3)
    model = replace(
        model,
        states=tuple(replace(s, label=HOSTILE, doc=HOSTILE, rule=HOSTILE) for s in model.states),
    )
    drawn = draw(model, format=form)
    if form == "svg":
        assert not [
            e for e in ET.fromstring(drawn).iter() if e.tag.rpartition("}")[2] in ("script", "b")
        ]
    else:
        assert "\\<script" not in drawn.replace("\\\\", "")


@pytest.mark.parametrize("model", [tiny(), tiny(HOSTILE), tiny("x" * 5000), tangle(4), tangle(20)])
@pytest.mark.parametrize("form", ["svg", "dot"])
def test_a_model_without_phases_is_drawn(model: fsm.Model, form: Literal["svg", "dot"]) -> None:
    drawn = draw(model, format=form)
    if form == "svg":
        picture = read(drawn)
        assert len(picture.shapes) >= len(model.states)
        assert len(picture.lines) >= len(model.transitions)


def test_only_what_graphviz_lays_out_needs_it() -> None:
    code = """
import fsm
from fsm.views.drawing import Counts, draw
from support.inventedgames import tangle
model = fsm.load("magic")
assert draw(model).startswith("<svg")
for text in ("dot", "mermaid"):
    print(draw(tangle(20), format=text, counts=Counts({}))[:3])
try:
    draw(tangle(20))
except fsm.FsmError as error:
    print(type(error).__name__, error)
"""
    done = processes.run(
        [sys.executable, "-c", code], env={"PATH": "", "PYTHONPATH": ":".join(sys.path)}
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == [
        "dig",
        "---",
        "DrawError this picture is laid out by Graphviz, and its program dot is not installed; "
        "install it from https://graphviz.org/download, or write Mermaid (.mmd) or DOT (.dot)",
    ]


def test_drawing_a_turn_loads_nothing_heavy() -> None:
    heavy = {"graphviz", "jsonschema", "transitions"}
    code = f"import sys, fsm; fsm.views.drawing.draw(fsm.load('magic')); print(sorted({heavy} & set(sys.modules)))"
    done = processes.run(
        [sys.executable, "-c", f"import fsm.views.drawing; {code}"],
        env={"PYTHONPATH": ":".join(sys.path)},
    )
    assert done.stdout.strip() == "[]", done.stderr
