"""Overlays on every view: where a game stands, the way it took, how often everything was taken.
Nothing ever moves.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from itertools import pairwise
from xml.etree import ElementTree as ET

import pytest

import fsm
from fsm import Answer, Over, Perform, Priority, TurnController, draw
from fsm.errors import DrawError, ModelError
from fsm.model import Fact, Model, State, Term, Transition
from fsm.rulesets import names
from fsm.views.drawing.endingview import ending_views
from fsm.views.drawing.options import Counts, DrawOptions, Now, OverlayOption, Taken
from fsm.views.drawing.palette import DARK, LIGHT, Theme
from fsm.views.drawing.pipeline import svg
from fsm.views.standing import now_of
from support.amounts import amount, sample
from support.drawnsvg import SVG, Picture, collisions, read
from support.inventedgames import random_game, tangle, towns
from support.manyviews import stage_views
from support.playing import attack, quiet, signal, started, through, to, until, visits

MAGIC = fsm.load("magic")
RULESETS = [fsm.load(name) for name in names()]
every_ruleset = pytest.mark.parametrize("model", sample(RULESETS, 2), ids=lambda m: m.name)
PAINTS = ("now", "way", "counts")


@cache
def game(model: Model) -> TurnController:
    """A game of four turns, in which somebody acts, and in some rulesets attacks."""
    controller = through(started(model), 2)
    until(controller, lambda r: isinstance(r, Priority))
    controller.answer(quiet(controller.request, word="acted"))
    return through(controller, 3)


def counts_of(controller: TurnController) -> Counts:
    records = controller.trace.records
    turn, window = (
        Counter(r.transition for r in records if r.machine == kind) for kind in ("turn", "window")
    )
    return Counts(turn, window)


@cache
def overlay(model: Model, paint: str) -> OverlayOption:
    controller = game(model)
    if paint == "now":
        return now_of(controller)
    return Taken(controller.trace.records) if paint == "way" else counts_of(controller)


def some_views(model: Model) -> list[str]:
    stages = stage_views(model)
    phases = [view for view in stages if view.startswith("phase:")]
    steps = [view for view in stages if view.startswith("step:")]
    return sample(["turn", "window", *ending_views(model)[:2], *phases[::2], *steps[::5]], 4)


def drawn(
    model: Model, view: str = "turn", over: OverlayOption | None = None, theme: str = "light"
) -> str:
    return svg(model, DrawOptions(view, "dark" if theme == "dark" else "light", overlay=over))


@cache
def shown(model: Model, view: str = "turn", paint: str = "") -> str:
    """The view with an overlay of our game, or without."""
    return drawn(model, view, overlay(model, paint) if paint else None)


def places(svg: str) -> list[tuple[float, ...]]:
    """Where all boxes, shapes and lines are, from the first of them."""
    found: Picture = read(svg)
    areas: list[tuple[float, ...]] = [*found.boxes, *found.shapes]
    areas += [tuple(v for point in line for v in point) for line in found.lines]
    top = areas[0][1]
    return [tuple(v - (top if i % 2 else 0.0) for i, v in enumerate(area)) for area in areas]


def moved(one: str, other: str) -> list[tuple[float, ...]]:
    """What is elsewhere on the other, by more than is lost when Graphviz rounds."""
    here, there = places(one), places(other)
    assert len(here) == len(there)
    return [a for a, b in zip(here, there, strict=True) if a != pytest.approx(b, abs=0.3)]


def nodes(svg: str) -> dict[str, dict[str, str]]:
    """The paint of each card, stage or disc, by the first line of its tooltip."""
    found: dict[str, dict[str, str]] = {}
    for group in ET.fromstring(svg).iter(f"{SVG}g"):
        title = group.findtext(f"{SVG}title") or ""
        shape = next(
            (e for e in group if e.tag.removeprefix(SVG) in ("rect", "polygon", "circle")), None
        )
        if group.get("id", "").startswith("n") and shape is not None:
            found[title.split("\n")[0]] = {"tip": title, **shape.attrib}
    return found


def painted(svg: str, colour: str, *, by: str = "fill") -> set[str]:
    return {name for name, paint in nodes(svg).items() if paint.get(by, "").upper() == colour}


def reachable(svg: str) -> set[str]:
    return {
        name
        for name in painted(svg, "#0969DA", by="stroke")
        if "stroke-dasharray" not in nodes(svg)[name]
    }


# nothing moves ------------------------------------------------------------------------------------


@every_ruleset
@pytest.mark.parametrize("paint", PAINTS)
def test_nothing_moves_on_any_view(model: Model, paint: str) -> None:
    for view in some_views(model):
        assert moved(shown(model, view, paint), shown(model, view)) == [], view


@every_ruleset
@pytest.mark.parametrize("paint", PAINTS)
def test_no_words_of_an_overlay_meet_other_words(model: Model, paint: str) -> None:
    for view in some_views(model):
        found = [c for c in collisions(read(shown(model, view, paint))) if "meets '" in c]
        assert not found or found == [
            c for c in collisions(read(shown(model, view))) if "meets '" in c
        ], view


@every_ruleset
def test_counts_stand_beside_their_lines_not_on_any(model: Model) -> None:
    for view in some_views(model):
        found = collisions(read(shown(model, view, "counts")))
        assert [c for c in found if re.match(r"'(\d+×|never)'", c)] == [], view


@pytest.mark.parametrize("seed", range(amount(2, 8)))
def test_any_game_can_be_counted(seed: int) -> None:
    chance = random.Random(seed)
    model = tangle(6) if seed == 0 else random_game(seed)
    counts = Counts({t.id: chance.choice([0, 1, 7, 300, 20_000]) for t in model.transitions})
    assert moved(drawn(model, over=counts), drawn(model)) == []


# where a game stands ------------------------------------------------------------------------------


@every_ruleset
def test_the_card_of_the_state_is_lit_and_no_other(model: Model) -> None:
    controller = started(model)
    for _ in range(14):
        step = model.enclosing(controller.position.stage, "step")
        if step is not None:
            assert painted(drawn(model, over=now_of(controller)), "#FFD33D") == {step.label}
        for _ in range(11):
            controller.answer(quiet(controller.request))


@every_ruleset
def test_the_card_that_comes_next_was_marked_before(model: Model) -> None:
    controller = through(started(model), 1)
    for _ in range(4):
        here, turn = controller.position.step, controller.position.turn
        before = drawn(model, over=now_of(controller))
        until(controller, lambda r, here=here: bool(r.at.step) and r.at.step != here)  # type: ignore[misc]
        step = model.enclosing(controller.position.stage, "step")
        assert step is not None
        wanted = {step.label} | ({"Next turn"} if controller.position.turn > turn else set())
        assert wanted <= reachable(before)
        assert nodes(before)[step.label]["stroke-width"] == "3"


@every_ruleset
@pytest.mark.parametrize("seed", range(amount(1, 3)))
def test_whatever_fires_next_was_open_and_never_closed(model: Model, seed: int) -> None:
    chance, controller = random.Random(seed), started(model)
    for _ in range(90):
        request, told = controller.request, controller.request.facts
        if isinstance(request, Over):
            break
        before, now = len(controller.trace.records), now_of(controller)
        words = ("acted", "passed") if isinstance(request, Priority) else ("done",)
        facts = {fact: chance.random() < 0.4 for fact in told}
        heard = signal("end_turn") if chance.random() < 0.03 else None
        controller.answer(Answer(chance.choice(words), facts, signal=heard))  # type: ignore[arg-type]
        fired = controller.trace.records[before:]
        left = next((i for i, r in enumerate(fired) if r.machine == "turn"), len(fired))
        ours = [
            r.transition
            for i, r in enumerate(fired)
            if r.machine == "turn" or i < left or not now.frame
        ]
        assert set(ours) <= set(now.open)
        assert not set(ours) & now.closed.keys()


@every_ruleset
def test_looking_changes_nothing(model: Model) -> None:
    controller = through(started(model), 1)
    before = controller.snapshot()
    now_of(controller)
    assert controller.snapshot() == before


def test_what_is_closed_is_dashed_and_says_which_fact_stands_in_the_way() -> None:
    controller = started(MAGIC)
    attack(controller)
    to(controller, "declare_attackers")
    shown = drawn(MAGIC, over=now_of(controller))
    assert "stroke-dasharray" in nodes(shown)["End of combat"]
    assert "stroke-dasharray" not in nodes(shown)["Declare blockers"]
    tips = [tip for tip in read(shown).tooltips if "closed now:" in tip]
    assert any("closed now: [attackers declared] comes first" in tip for tip in tips)
    assert any("closed now: extra phase due is false" in tip for tip in tips)
    assert any("can be taken now, if [attackers declared]" in tip for tip in read(shown).tooltips)


def test_facts_that_the_answer_tells_leave_both_ways_open() -> None:
    controller = started(MAGIC)
    to(controller, "declare_attackers", Perform)
    shown = drawn(MAGIC, over=now_of(controller))
    assert {"Declare blockers", "End of combat"} <= reachable(shown)


def test_a_fact_that_is_told_now_and_read_later_leaves_both_ways_open() -> None:
    steps = [
        State(f"{name}_step", "step", name, name.title(), "day")
        for name in ("vote", "feast", "fast")
    ]
    states = (
        *(State("round", "turn"), State("day", "phase", "day", "Day", "round"), *steps),
        State(
            "count",
            "action",
            label="Count",
            parent="vote_step",
            asks="perform",
            action="count",
            tells=("peace",),
        ),
        State("sing", "action", label="Sing", parent="vote_step", asks="perform", action="sing"),
        State("then", "choice", parent="vote_step", role="after"),
        State("eat", "action", label="Eat", parent="feast_step", asks="perform", action="eat"),
        State("wait", "action", label="Wait", parent="fast_step", asks="perform", action="wait"),
    )
    rows = [
        ("count", "sing"),
        ("sing", "then"),
        ("then", "eat"),
        ("then", "wait"),
        ("eat", "count"),
        ("wait", "count"),
    ]
    guards = {("then", "eat"): (Term("peace"),)}
    model = Model(
        "town",
        "count",
        states,
        tuple(Transition(a, b, guard=guards.get((a, b), ())) for a, b in rows),
        facts=(Fact("peace", "there is peace", timing="latched"),),
    )
    assert reachable(drawn(model, over=now_of(started(model)))) == {"Feast", "Fast"}


def test_an_extra_turn_or_phase_that_is_due_is_open() -> None:
    from fsm import AddPhase

    controller = started(MAGIC)
    to(controller, "precombat_main")
    assert "Extra phase or step" not in reachable(drawn(MAGIC, over=now_of(controller)))
    assert "stroke-dasharray" in nodes(drawn(MAGIC, over=now_of(controller)))["Extra phase or step"]
    controller.answer(Answer("acted", {"stack_empty": False}, (AddPhase(("combat",)),)))
    assert "Extra phase or step" in reachable(drawn(MAGIC, over=now_of(controller)))


@every_ruleset
def test_the_window_shows_where_it_stands_while_it_is_open(model: Model) -> None:
    assert model.window is not None
    controller = through(started(model), 1)
    until(controller, lambda r: isinstance(r, Priority))
    state = model.window.state(controller.request.state)
    assert painted(drawn(model, "window", now_of(controller)), "#FFD33D") == {state.label}
    until(controller, lambda r: isinstance(r, Perform))
    shown = drawn(model, "window", now_of(controller))
    assert painted(shown, "#FFD33D") == set()
    assert read(shown).says("No window is open.")


def test_a_step_s_stage_is_lit_in_the_view_of_its_phase() -> None:
    controller = started(MAGIC)
    to(controller, "declare_attackers", Perform)
    shown = drawn(MAGIC, "phase:combat_phase", now_of(controller))
    assert painted(shown, "#FFD33D") == {"Declare attackers"}
    assert read(shown).says("Now: Combat › Declare attackers.")
    assert read(drawn(MAGIC, "phase:ending_phase", now_of(controller))).says("Not on this picture.")


def test_a_hole_in_the_model_can_be_looked_at() -> None:
    controller = started(MAGIC.without("upkeep_after -> draw_before"))
    to(controller, "upkeep")
    assert painted(drawn(controller.model, over=now_of(controller)), "#FFD33D") == {"Upkeep"}


def test_a_state_that_is_not_there_is_refused() -> None:
    with pytest.raises(ModelError, match="did you mean 'upkeep_window'"):
        draw(MAGIC, now=Now("upkep_window"))
    with pytest.raises(ModelError, match="'prioritty' is not in magic-window"):
        draw(MAGIC, now=Now("upkeep_window", "prioritty"))
    with pytest.raises(DrawError, match="towns has no window model"):
        draw(towns(), now=Now(towns().initial, "sba"))


# how often ----------------------------------------------------------------------------------------


@every_ruleset
def test_each_card_says_how_often_its_step_began(model: Model) -> None:
    controller = through(started(model), 3)
    began = Counter(step for _, _, step in visits(controller))
    shown = nodes(drawn(model, over=counts_of(controller)))
    for step in model.of_kind("step"):
        times = began[step.name]
        assert shown[step.label]["tip"].endswith(f"taken: {times}×" if times else "taken: never"), (
            step.id
        )


def test_a_line_is_counted_without_what_other_lines_share_with_it() -> None:
    fought, quietly = started(MAGIC), through(started(MAGIC), 3)
    attack(fought)
    through(fought, 1)
    both = Counter(counts_of(fought).turn) + Counter(counts_of(quietly).turn)
    tips = [tip for tip in read(drawn(MAGIC, over=Counts(both))).tooltips if "taken: " in tip]
    [skipped] = [tip for tip in tips if tip.startswith("Nobody attacks\n")]
    [gone] = [tip for tip in tips if tip.startswith("A creature attacks\n")]
    assert (skipped.split("\n")[-1], gone.split("\n")[-1]) == ("taken: 3×", "taken: 1×")


def test_fills_go_by_share_of_the_most_taken() -> None:
    rows = {t.target: t.id for t in MAGIC.transitions if t.target and t.target.endswith("_begin")}
    turn = {
        rows["untap_begin"]: 100,
        rows["upkeep_begin"]: 61,
        rows["draw_begin"]: 60,
        rows["end_begin"]: 9,
    }
    shown = drawn(MAGIC, over=Counts(turn))
    assert painted(shown, "#2F6DB3") == {"Untap", "Upkeep"}
    assert painted(shown, "#8FBCE6") == {"Draw"}
    assert painted(shown, "#CFE3F7") == {"End step"}
    assert "stroke-dasharray" in nodes(shown)["Cleanup"]
    assert nodes(shown)["Cleanup"]["stroke"].upper() == "#B3261E"


def test_lines_grow_with_their_counts() -> None:
    widths = []
    for times in (1, 100, 10_000):
        shown = drawn(MAGIC, over=Counts({t.id: times for t in MAGIC.transitions}))
        found = re.findall(r'class="edge layer-core">.*?stroke-width="([\d.]+)"', shown, re.S)
        widths.append(max(map(float, found)))
    assert all(a < b for a, b in pairwise(widths))
    assert widths[-1] == pytest.approx(4.4)


@every_ruleset
@pytest.mark.parametrize("view", ["turn", "window"])
def test_the_caption_says_the_sum_and_what_is_missing(model: Model, view: str) -> None:
    shown, counts = model if view == "turn" else model.window, overlay(model, "counts")
    assert shown is not None
    assert isinstance(counts, Counts)
    taken = counts.turn if view == "turn" else counts.window
    said = " ".join(read(drawn(model, view, counts)).words[:6])
    assert f"transitions {len(taken)} of {len(shown.transitions)}." in said
    assert "Never: " in said
    assert view == "window" or "3 turns." in said or "4 turns." in said


def test_what_is_missing_is_cited() -> None:
    said = " ".join(read(drawn(MAGIC, over=overlay(MAGIC, "counts"))).words[:6])
    assert "first-strike damage (510.4)" in said
    assert "extra phase or step (500.8)" in said
    assert "Never" not in " ".join(
        read(drawn(MAGIC, over=Counts({t.id: 1 for t in MAGIC.transitions}))).words
    )


def test_nothing_taken_is_never_everywhere() -> None:
    words = read(drawn(MAGIC, over=Counts({}))).words
    assert words.count("never") > 30
    assert not [word for word in words if "×" in word]


# what all have in common --------------------------------------------------------------------------


def test_the_legend_explains_what_occurs() -> None:
    controller = started(MAGIC)
    to(controller, "upkeep")
    now, way, counts = (
        read(drawn(MAGIC, over=o)).words
        for o in (now_of(controller), Taken(game(MAGIC).trace.records), overlay(MAGIC, "counts"))
    )
    assert {"now here", "can go there", "not now: a guard is closed"} <= set(now)
    assert "the order in which lines were taken; 7×: seven times in all" in way
    assert {"never", "over 60%"} <= set(counts)
    assert not {"now here", "under 10% of the most", "when, in which order"} & set(counts)
    assert not {"now here", "never", "when, in which order"} & set(read(drawn(MAGIC)).words)


def test_only_one_thing_lies_over_a_picture() -> None:
    with pytest.raises(DrawError, match="not both; leave one out"):
        draw(MAGIC, now=Now("upkeep_window"), counts=Counts({}))
    with pytest.raises(DrawError, match="not both; leave one out"):
        draw(MAGIC, trace=[], counts=Counts({}))


@every_ruleset
@pytest.mark.parametrize("paint", PAINTS)
def test_the_themes_differ_only_in_colour(model: Model, paint: str) -> None:
    light, dark = (
        drawn(model, "turn", overlay(model, paint), theme) for theme in ("light", "dark")
    )
    assert read(light).texts == read(dark).texts
    assert moved(light, dark) == []
    assert light != dark


def test_the_dot_is_painted_too() -> None:
    source = draw(MAGIC, format="dot", counts=Counts({t.id: 5 for t in MAGIC.transitions}))
    assert 'label="● Upkeep\\n(5×)"' in source
    assert "#2F6DB3" in source
    assert 'fillcolor="#FFD33D"' in draw(MAGIC, format="dot", now=Now("upkeep_window"))


def test_hostile_names_stay_text() -> None:
    bad = '</title><script>"&\x07'
    states = tuple(replace(s, label=bad, rule=bad) for s in MAGIC.states)
    hostile = replace(MAGIC, states=states)
    for over in (
        Now("upkeep_window", "sba", (), {"upkeep_window -> upkeep_end on closed": bad}),
        Counts({}),
    ):
        root = ET.fromstring(drawn(hostile, over=over))
        assert not list(root.iter(f"{SVG}script"))


def luminance(colour: str) -> float:
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    red, green, blue = (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    dark, light = sorted(map(luminance, (one, other)))
    return (light + 0.05) / (dark + 0.05)


def fills(theme: Theme) -> Iterator[tuple[str, str]]:
    yield from ((pen.text, pen.fill) for pen in theme.pens.values() if pen.fill)
    yield theme.pens["never"].text, theme.paper
    for hue in theme.hues:
        yield theme.pens["never"].text, hue.tint


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=lambda t: t.name)
def test_words_can_be_read_on_their_fill(theme: Theme) -> None:
    assert [(a, b) for a, b in fills(theme) if contrast(a, b) < 4.5] == []
    strokes = {
        tone: pen.stroke for tone, pen in theme.pens.items() if pen.stroke and tone != "faded"
    }
    assert [tone for tone, colour in strokes.items() if contrast(colour, theme.paper) < 3] == []


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=lambda t: t.name)
def test_shares_can_be_told_apart_in_grey(theme: Theme) -> None:
    steps = [theme.paper, *(theme.pens[tone].fill for tone in ("few", "some", "most"))]
    assert all(contrast(a, b) > 1.2 for a, b in pairwise(steps))
