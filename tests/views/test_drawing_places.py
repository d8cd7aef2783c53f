"""Places: no two texts meet, no text and line meet; of all rulesets, of invented games, and of
games with a hole.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from xml.etree import ElementTree as ET

import pytest

import fsm
from fsm import draw
from fsm.model import Model
from fsm.rulesets import names
from fsm.views.drawing import views_of
from support.amounts import amount, sample
from support.drawnsvg import SVG, Area, astray, collisions, cut_off, read, read_as_one
from support.inventedgames import nested, random_game, tangle, tiny, towns

RULESETS = [fsm.load(name) for name in names()]
every_ruleset = pytest.mark.parametrize("model", RULESETS, ids=lambda m: m.name)
VIEWS = [pytest.param(m, v, id=f"{m.name}-{v}") for m in RULESETS for v in views_of(m)]


@pytest.mark.parametrize(("model", "view"), VIEWS)
def test_labels_are_whole_and_nearest_to_their_own_line(model: Model, view: str) -> None:
    svg = draw(model, view=view)
    picture = read(svg)
    assert cut_off(picture) == []
    assert astray(picture, whole=view == "turn") == []
    assert read_as_one(picture) == []
    for text in ET.fromstring(svg).iter(f"{SVG}text"):
        assert (text.get("lengthAdjust"), float(text.get("textLength", "0")) > 0) == (
            "spacingAndGlyphs",
            True,
        )


@every_ruleset
@pytest.mark.parametrize("view", ["turn", "window"])
def test_nothing_meets_in_a_ruleset(model: Model, view: str) -> None:
    assert collisions(read(draw(model, view=view))) == []


@pytest.mark.parametrize(
    "model", [towns(), tiny(), tangle(4)], ids=lambda m: f"{m.name}-{len(m.states)}"
)
def test_nothing_meets_in_small_games(model: Model) -> None:
    assert collisions(read(draw(model))) == []


@pytest.mark.parametrize("seed", range(amount(4, 24)))
def test_nothing_meets_in_random_games(seed: int) -> None:
    assert collisions(read(draw(random_game(seed)))) == []


@pytest.mark.parametrize("seed", range(amount(4, 24)))
def test_nothing_meets_where_phases_lie_in_phases(seed: int) -> None:
    assert collisions(read(draw(nested(seed)))) == []


@every_ruleset
def test_nothing_meets_when_a_transition_is_gone(model: Model) -> None:
    for t in sample(model.transitions, 2)[:: amount(1, 8)]:
        assert collisions(read(draw(model.without(t.id)))) == [], t.id


@every_ruleset
def test_nothing_meets_when_a_transition_of_the_window_is_gone(model: Model) -> None:
    assert model.window is not None
    for t in sample(model.window.transitions, 2):
        broken = replace(model, window=model.window.without(t.id))
        assert collisions(read(draw(broken, view="window"))) == [], t.id


@every_ruleset
def test_boxes_lie_in_each_other_as_the_phases_do(model: Model) -> None:
    boxes = dict(zip([s.id for s in model.of_kind("phase")], read(draw(model)).boxes, strict=True))
    for phase in model.of_kind("phase"):
        for other in model.of_kind("phase"):
            if phase in model.path(other.id):
                assert _within(boxes[other.id], boxes[phase.id])
            elif other not in model.path(phase.id):
                assert _apart(boxes[other.id], boxes[phase.id])


def _within(inner: Area, outer: Area) -> bool:
    return (
        outer[0] <= inner[0]
        and outer[1] <= inner[1]
        and inner[2] <= outer[2]
        and inner[3] <= outer[3]
    )


def _apart(a: Area, b: Area) -> bool:
    return a[2] <= b[0] or b[2] <= a[0] or a[3] <= b[1] or b[3] <= a[1]


@pytest.mark.parametrize("game", [random_game, nested])
def test_cards_do_not_overlap(game: Callable[[int], Model]) -> None:
    for seed in range(6):
        shapes = read(draw(game(seed))).shapes
        for i, a in enumerate(shapes):
            for b in shapes[i + 1 :]:
                assert _within(a, b) or _within(b, a) or _apart(a, b)


@every_ruleset
def test_steps_of_a_phase_stand_in_their_order(model: Model) -> None:
    where = {text.lstrip("●○").casefold(): area for text, area in read(draw(model)).texts}
    for phase in model.of_kind("phase"):
        steps = [where[s.label.casefold()] for s in model.children(phase.id) if s.kind == "step"]
        assert steps == sorted(steps, key=lambda area: area[1])


def test_phases_stand_in_columns() -> None:
    where = {text.lstrip("●○"): area for text, area in read(draw(fsm.load("magic"))).texts}
    assert (
        where["Upkeep"][2]
        < where["Declare attackers"][0]
        < where["Declare attackers"][2]
        < where["End step"][0]
    )
