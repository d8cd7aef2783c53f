"""The picture comes from the model and from nothing else: each transition is in it, and takes something along."""

from __future__ import annotations

from dataclasses import replace

import pytest

import fsm
from fsm.model import Model, State
from fsm.rulesets import names
from fsm.views.drawing import draw
from support.amounts import sample
from support.drawnsvg import read
from support.inventedgames import nested, towns

MAGIC = fsm.load("magic")
GRAND_ARCHIVE = fsm.load("grand-archive")
RULESETS = [fsm.load(name) for name in names()]
every_ruleset = pytest.mark.parametrize("model", RULESETS, ids=lambda m: m.name)


@pytest.mark.parametrize("model", [*RULESETS, towns(), nested(3)], ids=lambda m: m.name)
def test_the_picture_changes_with_every_transition(model: Model) -> None:
    whole = draw(model, format="dot")
    same = [t.id for t in sample(model.transitions, 4) if draw(model.without(t.id), format="dot") == whole]
    assert same == []


@every_ruleset
def test_the_window_changes_with_every_transition(model: Model) -> None:
    assert model.window is not None
    whole = draw(model, view="window")
    for t in sample(model.window.transitions, 4):
        assert draw(replace(model, window=model.window.without(t.id)), view="window") != whole, t.id


@every_ruleset
def test_the_svg_changes_too(model: Model) -> None:
    whole = draw(model)
    assert [t.id for t in sample(model.transitions[::23], 2) if draw(model.without(t.id)) == whole] == []


def test_a_missing_row_takes_its_line_along() -> None:
    row = next(t for t in MAGIC.transitions if t.target == "first_strike_damage_before" and not t.generic)
    whole, broken = read(draw(MAGIC)), read(draw(MAGIC.without(row.id)))
    assert whole.says("[first strike in combat]")
    assert not broken.says("[first strike in combat]")
    assert len(broken.lines) == len(whole.lines) - 2


def test_a_hole_is_named() -> None:
    row = next(t for t in MAGIC.transitions if t.source == "upkeep_begin")
    assert not read(draw(MAGIC)).says("NO WAY ON")
    broken = read(draw(MAGIC.without(row.id)))
    assert broken.says("NO WAY ON from: Upkeep begins.")


def test_guards_that_lead_to_one_place_are_one_line_with_both() -> None:
    picture = read(draw(MAGIC))
    assert picture.says("[attackers declared")
    assert picture.says("or put in attacking]")


def test_what_every_step_has_is_said_once() -> None:
    caption = " ".join(read(draw(MAGIC)).words[:4])
    assert "Any turn, phase or step can be skipped (614.10" in caption
    row = next(t for t in MAGIC.transitions if t.generic and t.source == "upkeep_before" and t.rule == "614.10")
    without = " ".join(read(draw(MAGIC.without(row.id))).words[:4])
    assert "can be skipped" in without
    assert without != caption


def test_an_extra_step_is_one_card_more() -> None:
    model = towns()
    more = State("feast", "step", label="Feast", parent="night", rule="9.1")
    picture = read(draw(model.with_(states=[more])))
    assert picture.says("Feast")
    assert not read(draw(model)).says("Feast")


def test_pictures_go_by_role_and_never_by_name() -> None:
    """The same game with every id changed looks the same."""
    model = towns()
    new = {s.id: f"x{i}" for i, s in enumerate(model.states)}
    states = tuple(
        replace(s, id=new[s.id], parent=new.get(s.parent, ""), family=s.family or s.id, label=s.label or "-")
        for s in model.states
    )
    same = tuple(replace(s, family=s.family or s.id, label=s.label or "-") for s in model.states)
    rows = tuple(
        replace(t, source=new[t.source], target=new[t.target] if t.target else None) for t in model.transitions
    )
    renamed = replace(model, states=states, transitions=rows, initial=new[model.initial])
    assert read(draw(renamed)).texts == read(draw(replace(model, states=same))).texts


def test_the_window_shows_its_loop() -> None:
    picture = read(draw(MAGIC, view="window"))
    for label in (
        "State-based actions",
        "Place waiting triggers",
        "A player has priority",
        "Resolve the top",
        "SETTLE",
    ):
        assert picture.says(label)
    assert picture.says("[not everyone passed]")
    assert picture.says("117.4")


def card(model: Model, label: str) -> str:
    """What stands on a card under its title."""
    words = read(draw(model)).words
    start = next(i for i, text in enumerate(words) if text.lstrip("●○") == label)
    ends = {s.label for s in model.of_kind("step")}
    lines = []
    for text in words[start + 1 :]:
        if text.lstrip("●○") in ends:
            break
        lines.append(text)
    return " ".join(lines)


def test_a_card_lists_its_parts_in_order() -> None:
    assert card(GRAND_ARCHIVE, "Retaliation").startswith("○ › ● › retaliate › ○")
    assert card(GRAND_ARCHIVE, "Main").startswith("○ › ● › on attack: declare an attack")
    assert card(MAGIC, "End of combat").startswith("● › leave combat")
    assert card(MAGIC, "Untap").startswith("phasing › day and night › untap permanents")


def test_a_card_is_marked_by_the_most_open_of_its_windows() -> None:
    words = read(draw(GRAND_ARCHIVE)).words
    assert {"●Main", "●Recollection", "○Materialize", "○Draw", "○End of combat"} <= set(words)


def test_the_other_of_two_actions_is_called_so() -> None:
    assert "(if first turn, team turns) › else draw a card" in card(fsm.load("magic-classic"), "Draw")


def test_a_way_back_inside_a_step_is_drawn_or_said() -> None:
    picture = read(draw(GRAND_ARCHIVE))
    assert picture.says("[sba acted")
    assert "layer-extra" in " ".join(picture.groups)
    assert "state-based check (again if sba performed)" in card(GRAND_ARCHIVE, "End of combat")
    less = GRAND_ARCHIVE.without(*(t.id for t in GRAND_ARCHIVE.transitions if t.layer == "extra"))
    assert "layer-extra" not in " ".join(read(draw(less)).groups)


def test_a_signal_that_every_phase_has_alike_is_drawn_once() -> None:
    picture = read(draw(GRAND_ARCHIVE))
    assert picture.says("from any phase but Combat or End")
    assert picture.words.count("end phase") == 3, "any phase, combat, end"
    cut = next(t.id for t in GRAND_ARCHIVE.transitions if t.source == "draw_phase" and t.event == "end_phase")
    assert read(draw(GRAND_ARCHIVE.without(cut))).says("from any phase but Draw, Combat or End")


def test_what_comes_before_the_first_turn_stands_at_its_beginning() -> None:
    assert read(draw(GRAND_ARCHIVE)).says("place the champions")
    assert not read(draw(MAGIC)).says("before the first turn")


def test_what_every_phase_ends_with_is_said_once() -> None:
    caption = " ".join(read(draw(fsm.load("magic-classic"))).words[:5])
    assert "As any phase ends, unspent mana is lost" in caption
    assert "(300.3)" in caption


def test_a_window_alone_at_the_end_is_told_by_the_mark_only() -> None:
    assert {"●Draw", "draw a card", "○Cleanup"} <= set(read(draw(MAGIC)).words)


@pytest.mark.parametrize(("layers", "there"), [(["core", "skip"], True), (["skip"], True), (["core"], False)])
def test_a_choice_is_drawn_while_it_has_something_to_choose(layers: list[str], there: bool) -> None:
    groups = read(draw(MAGIC, layers=layers)).groups
    choices = [tip for name, tips in groups.items() if "choice" in name for tip in tips]
    assert any(tip.startswith("Before draw") for tip in choices) == there
