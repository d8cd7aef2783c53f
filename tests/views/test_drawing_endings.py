"""The views of what ends a turn early: each signal with its rows, its procedure, and where the turn
goes on.
"""

from __future__ import annotations

import pytest

import fsm
from fsm.errors import DrawError
from fsm.model import Model
from fsm.rulesets import names
from fsm.views.drawing.endingview import ending_views
from fsm.views.drawing.palette import DARK, LIGHT, Theme
from fsm.views.drawing.picture import picture
from fsm.views.drawing.placed import Placed
from fsm.views.drawing.svg import markup
from fsm.views.drawing.views import place
from fsm.wording import guard_words
from support.drawnsvg import Picture, collisions, read
from support.inventedgames import nested, random_game, towns

MAGIC = fsm.load("magic")
RULESETS = [fsm.load(name) for name in names()]
ENDINGS = [pytest.param(m, v, id=f"{m.name}-{v}") for m in RULESETS for v in ending_views(m)]
every_ending = pytest.mark.parametrize(("model", "view"), ENDINGS)


def drawn(placed: Placed, theme: Theme = LIGHT) -> Picture:
    return read(markup(picture(placed, theme)))


def test_every_signal_that_leaves_the_course_has_a_view() -> None:
    assert {m.name: ending_views(m) for m in RULESETS} == {
        "magic": ("ending:end_turn", "ending:end_phase"),
        "magic-2010": ("ending:end_turn",),
        "magic-classic": ("ending:end_turn",),
        "grand-archive": ("ending:end_phase", "ending:end_turn"),
    }


def test_a_window_has_no_such_view() -> None:
    assert MAGIC.window is not None
    assert ending_views(MAGIC.window) == ()


def test_an_unknown_ending_is_refused() -> None:
    with pytest.raises(
        DrawError, match=r"view 'ending:end_trun' is unknown; did you mean 'ending:end_turn'\?"
    ):
        place(MAGIC, "ending:end_trun")


@every_ending
@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=lambda t: t.name)
def test_nothing_meets(model: Model, view: str, theme: Theme) -> None:
    picture = drawn(place(model, view), theme)
    assert collisions(picture) == []
    assert 300 < picture.size[0] <= 812


@every_ending
def test_every_line_has_its_label(model: Model, view: str) -> None:
    for line in place(model, view).lines:
        assert line.label is not None or not (line.line.words or line.line.rule), line.line


@every_ending
def test_all_rows_of_the_signal_are_told(model: Model, view: str) -> None:
    placed = place(model, view)
    shown = {id for line in placed.lines for id in line.line.steps}
    said = " ".join(
        [*placed.diagram.caption, *(text for n in placed.nodes for text in n.node.lines)]
    )
    for row in model.transitions:
        if row.event == view.removeprefix("ending:"):
            assert row.id in shown or (row.target is None and row.doc in said), row.id


def test_the_procedure_of_ending_the_turn_stands_in_its_order() -> None:
    picture = drawn(place(MAGIC, "ending:end_turn"))
    tops = {text: area[1] for text, area in picture.texts}
    wanted = [
        s.label for s in MAGIC.states if s.role == "procedure" and s.id.startswith("end_turn")
    ]
    assert [text for text in sorted(tops, key=tops.__getitem__) if text in wanted] == wanted
    assert tops["from any step"] < tops[wanted[0]]
    assert tops[wanted[-1]] < tops["Cleanup begins"]
    assert {
        "1 [sba performed]",
        "2 [combat under way]",
        "3 else",
        "1 [ending under way]",
        "2 else",
    } <= set(tops)
    assert picture.says("extras of this turn are dropped")


def test_what_does_nothing_is_said_in_the_caption() -> None:
    picture = drawn(place(MAGIC, "ending:end_phase"))
    assert picture.says("From any step, 2 else: it is no combat phase: nothing happens (723.2g).")
    assert not picture.says("NO WAY ON")


def test_what_ends_one_phase_starts_at_its_card_with_a_ring() -> None:
    placed = place(MAGIC, "ending:end_phase")
    rings = {line.line.source: line.line.ring for line in placed.lines}
    assert rings["combat_phase"] and rings["turn"]
    assert not rings["end_combat_triggers"]


@every_ending
def test_a_removed_row_is_gone_from_the_picture(model: Model, view: str) -> None:
    for line in place(model, view).lines:
        row = model.transition(line.line.steps[0])
        less = model.without(row.id)
        if view not in ending_views(less):
            continue
        placed = place(less, view)
        assert row.id not in {id for o in placed.lines for id in o.line.steps}
        assert collisions(drawn(placed)) == []
        if row.event == "done" and row.source not in {t.source for t in less.transitions}:
            assert any("NO WAY ON" in said for said in placed.diagram.caption), row.id


@pytest.mark.parametrize(
    "model", [towns(), *map(random_game, range(12)), *map(nested, range(12))], ids=range(25)
)
def test_nothing_meets_in_invented_games(model: Model) -> None:
    for view in ending_views(model):
        assert collisions(drawn(place(model, view))) == []


def test_phases_that_end_alike_are_drawn_once() -> None:
    placed = place(fsm.load("grand-archive"), "ending:end_phase")
    [alike] = [n.node for n in placed.nodes if n.node.title == "Any of these"]
    assert alike.lines == ("from anywhere in Wake Up, Materialize, Recollection, Draw or Main",)
    assert [n.node.title for n in placed.nodes].count("that phase ends") == 1
    assert {"Combat", "End of combat", "End"} <= {n.node.title for n in placed.nodes}


@every_ending
def test_lines_into_one_end_do_not_run_together(model: Model, view: str) -> None:
    placed = place(model, view)
    ends = [(line.line.target, line.points[-1]) for line in placed.lines]
    assert len(set(ends)) == len(ends)


@every_ending
def test_tooltips_say_guard_and_rule(model: Model, view: str) -> None:
    for line in place(model, view).lines:
        row = model.transition(line.line.steps[0])
        assert guard_words(row.guard) in line.line.tooltip
        assert model.edition in line.line.tooltip
