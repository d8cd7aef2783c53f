"""The views of one phase or step: nothing of the model is missing, nothing meets, layers come and
go.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

import pytest

import fsm
from fsm.errors import DrawError
from fsm.model import Layer, Model, State, Transition
from fsm.model.reachability import reachable_from
from fsm.rulesets import names
from fsm.views.drawing import picture as pictures
from fsm.views.drawing.palette import THEMES, ThemeName, theme
from fsm.views.drawing.placed import Placed
from fsm.views.drawing.svg import markup
from fsm.views.drawing.views import place
from fsm.wording import cited_rule
from support.amounts import amount, sample
from support.drawnsvg import Area, Picture, collisions, read
from support.inventedgames import nested, random_game, tiny, towns
from support.manyviews import stage_views

RULESETS = [fsm.load(name) for name in names()]
MAGIC, ARCHIVE = fsm.load("magic"), fsm.load("grand-archive")
OWN = [towns(), fsm.load("lanterns:LANTERNS")]
VIEWS = [pytest.param(m, v, id=f"{m.name}-{v}") for m in [*RULESETS, *OWN] for v in stage_views(m)]
every_view = pytest.mark.parametrize(("model", "view"), VIEWS)
few_views = pytest.mark.parametrize(("model", "view"), sample(VIEWS, 12))


def picture(placed: Placed, paper: ThemeName = "light") -> Picture:
    colours = theme(paper)
    return read(markup(pictures.picture(placed, colours)))


def root_of(model: Model, view: str) -> State:
    return model.state(view.partition(":")[2])


def inside(model: Model, view: str) -> list[Transition]:
    """Every transition that starts in this phase or step, or from anywhere in it."""
    root = root_of(model, view)
    return [t for t in model.transitions if root in model.path(t.source)]


def said(placed: Placed) -> str:
    notes = [note.words for box in placed.diagram.boxes for note in box.notes]
    return " ".join([*placed.diagram.caption, *notes])


def drawn(placed: Placed) -> set[str]:
    return {id for line in placed.lines for id in line.line.steps}


def test_there_is_a_view_for_every_phase_and_step() -> None:
    assert [len(stage_views(m)) for m in RULESETS] == [
        len(m.of_kind("phase")) + len(m.of_kind("step")) for m in RULESETS
    ]
    assert stage_views(MAGIC)[:3] == (
        "phase:beginning_phase",
        "step:untap_step",
        "step:upkeep_step",
    )
    assert stage_views(tiny()) == ()


@pytest.mark.parametrize(
    ("view", "hint"),
    [
        ("step:upkep_step", "did you mean 'step:upkeep_step'?"),
        ("phase:upkeep_step", "did you mean 'step:upkeep_step'?"),
        ("step:nowhere", ""),
    ],
)
def test_an_unknown_view_is_refused_with_a_suggestion(view: str, hint: str) -> None:
    with pytest.raises(DrawError, match=f"view {view!r} is unknown.*{re.escape(hint)}"):
        place(MAGIC, view)


@every_view
def test_every_transition_is_on_a_line_or_said(model: Model, view: str) -> None:
    placed = place(model, view)
    words, lines = said(placed), drawn(placed)
    special = [t for t in model.transitions if not t.generic]

    def onward(state: str) -> list[str]:
        return [t.target for t in special if t.source == state and t.target]

    ordinary = reachable_from(onward(model.initial), onward)
    for t in inside(model, view):
        if t.source not in ordinary and model.state(t.source).role in ("end", "after"):
            continue  # only an added step comes here: the caption says of all steps how they end
        if t.target is None:
            assert (t.doc or "nothing happens") in words, t.id
            assert t.rule in words, t.id
        elif t.generic or t.id not in lines:
            assert t.generic or "leaves out" in words, t.id
            assert t.rule in words, t.id


@every_view
def test_a_way_leads_to_everything_that_is_done(model: Model, view: str) -> None:
    placed = place(model, view)
    reached = {line.line.target for line in placed.lines}
    assert [
        n.node.title for n in placed.nodes if n.node.kind == "action" and n.node.id not in reached
    ] == []


@few_views
def test_a_transition_taken_away_is_gone_from_the_view(model: Model, view: str) -> None:
    rows = [t for t in inside(model, view) if t.target is not None and t.layer != "core"]
    for t in rows[:3]:
        assert t.id not in drawn(place(model.without(t.id), view)), t.id


@every_view
def test_the_first_way_of_every_choice_is_in_the_picture(model: Model, view: str) -> None:
    numbers: dict[str, list[int]] = {}
    for line in place(model, view).lines:
        said = [word.partition(" ")[0] for word in line.line.words]
        numbers.setdefault(line.line.source, []).extend(
            int(number) for number in said if number.isdigit()
        )
    assert {
        id: found
        for id, found in numbers.items()
        if sorted(found) != list(range(1, len(found) + 1))
    } == {}


def test_what_a_signal_begins_starts_with_a_ring() -> None:
    rings = {line.line.source: line.line.ring for line in place(MAGIC, "step:cleanup_step").lines}
    assert rings["from:on end turn"]


@every_view
def test_every_stage_stands_in_its_step(model: Model, view: str) -> None:
    placed = place(model, view)
    nodes = {n.node.id: n for n in placed.nodes}
    boxes = {b.box.id: b.area for b in placed.boxes}
    for state in model.leaves:
        if root_of(model, view) in model.path(state.id) and state.role in ("", "action", "window"):
            area = nodes[state.id].area
            box = boxes[state.parent]
            assert box.left < area.left < area.right < box.right
            assert box.top < area.top < area.bottom < box.bottom


@every_view
def test_every_state_and_line_cites_its_rule(model: Model, view: str) -> None:
    placed = place(model, view)
    for node in placed.nodes:
        state = next((s for s in model.states if s.id == node.node.id), None)
        assert model.edition in node.node.tooltip, node.node.id
        assert state is None or cited_rule(state.rule) in node.node.tooltip
    for box in placed.boxes:
        assert model.edition in box.box.tooltip
        assert model.state(box.box.id).rule in box.box.tooltip
    rules = {t.id: cited_rule(t.rule) for t in model.transitions}
    for line in placed.lines:
        assert model.edition in line.line.tooltip
        assert all(rules[id] in line.line.tooltip for id in line.line.steps)


@every_view
def test_nothing_meets(model: Model, view: str) -> None:
    placed = place(model, view)
    assert collisions(picture(placed)) == []
    assert [
        line.line.words for line in placed.lines if line.line.words and line.label is None
    ] == []
    assert placed.size[0] <= 778


@every_view
def test_no_line_runs_through_a_stage(model: Model, view: str) -> None:
    assert list(_run_through(place(model, view))) == []


def _run_through(placed: Placed) -> Iterator[tuple[str, str]]:
    for line in placed.lines:
        for node in placed.nodes:
            slanted = node.node.kind == "choice" and node.node.id == line.line.target
            area = node.area.grown(-7.0 if slanted else -1.0)
            for (x1, y1), (x2, y2) in zip(line.points, line.points[1:], strict=False):
                across = min(x1, x2) < area.right and max(x1, x2) > area.left
                if across and min(y1, y2) < area.bottom and max(y1, y2) > area.top:
                    yield line.line.id, node.node.id


@pytest.mark.parametrize("seed", range(amount(1, 6)))
@pytest.mark.parametrize("game", [random_game, nested])
def test_nothing_meets_in_games_with_anything_in_them(game: object, seed: int) -> None:
    model = random_game(seed) if game is random_game else nested(seed)
    for view in stage_views(model):
        placed = place(model, view)
        assert collisions(picture(placed)) == [], view
        for t in inside(model, view):
            words = said(placed)
            assert t.id in drawn(placed) or t.rule in words, (view, t.id)


@pytest.mark.parametrize("model", RULESETS, ids=lambda m: m.name)
def test_a_hole_is_shown(model: Model) -> None:
    for t in [
        t
        for t in model.transitions
        if t.layer == "core" and len(model.rows(t.source, t.event)) == 1
    ][5::17]:
        broken = model.without(t.id)
        for holder in model.path(t.source):
            if holder.kind in ("phase", "step"):
                placed = place(broken, f"{holder.kind}:{holder.id}")
                assert "NO WAY ON" in said(placed), (t.id, holder.id)
                assert collisions(picture(placed)) == [], (t.id, holder.id)


# by example ---------------------------------------------------------------------------------------


def where(placed: Placed) -> dict[str, Area]:
    return {n.node.id: (n.area.left, n.area.top, n.area.right, n.area.bottom) for n in placed.nodes}


def line(placed: Placed, step: str) -> Layer:
    return next(x.line.layer for x in placed.lines if step in x.line.steps)


def words(placed: Placed) -> set[str]:
    return {text for x in placed.lines for text in x.line.words}


def test_combat_has_a_row_for_each_step_and_its_stages_in_columns() -> None:
    placed = place(MAGIC, "phase:combat_phase")
    tops = [box.area.top for box in placed.boxes]
    assert [box.box.id for box in placed.boxes] == [
        s.id for s in MAGIC.children("combat_phase") if s.kind == "step"
    ]
    assert tops == sorted(tops)
    at = where(placed)
    assign, deal = at["combat_damage_assign_combat_damage"], at["combat_damage_deal_combat_damage"]
    assert assign[1] == deal[1]
    assert assign[2] < deal[0]
    assert assign[0] == at["first_strike_damage_assign_combat_damage"][0]


def test_combat_says_its_guards_in_order() -> None:
    placed = place(MAGIC, "phase:combat_phase")
    said = words(placed)
    assert {
        "1  [attackers declared]",
        "2  [put in attacking]",
        "3  else",
        "1  [first strike in combat]",
    } <= said
    assert "from any step: end phase [combat under way]" in said
    assert line(placed, "declare_attackers_after -> end_of_combat_before") == "skip"


def test_a_step_says_where_it_comes_from_and_what_comes_next() -> None:
    titles = [n.node.title for n in place(MAGIC, "step:end_of_combat_step").nodes]
    assert titles[:2] == ["from Declare attackers", "from Combat damage"]
    assert titles[-1] == "Combat phase ends"


def test_cleanup_leads_back_into_itself() -> None:
    phase, step = (place(MAGIC, view) for view in ("phase:ending_phase", "step:cleanup_step"))
    for placed in (phase, step):
        assert line(placed, "cleanup_again_after -> cleanup_begin") == "extra"
    assert "on end turn" in [n.node.title for n in step.nodes]


def test_a_phase_in_a_phase_is_a_box_around_its_steps() -> None:
    placed = place(ARCHIVE, "phase:main_phase")
    boxes = {box.box.id: box.area for box in placed.boxes}
    for step in ("retaliation_step", "damage_step", "end_of_combat_step"):
        inner, outer = boxes[step], boxes["combat_phase"]
        assert outer.left < inner.left
        assert inner.right < outer.right
        assert outer.top < inner.top
        assert inner.bottom < outer.bottom
    assert boxes["main_step"].bottom < boxes["combat_phase"].top
    assert line(placed, "main_window -> main_declare_attack on attack") == "core"


@pytest.mark.parametrize("paper", THEMES)
def test_the_paper_changes_no_place(paper: ThemeName) -> None:
    placed = place(MAGIC, "phase:combat_phase")
    assert picture(placed, paper).texts == picture(placed).texts


def test_words_from_outside_stay_words() -> None:
    hostile = '"quoted" <script>alert(1)</script> back\\slash &lt;b&gt;\nsecond line \x00'
    model = towns()
    states = tuple(replace(s, label=hostile, doc=hostile, rule=hostile) for s in model.states)
    for view in stage_views(model):
        assert collisions(picture(place(replace(model, states=states), view))) == []
