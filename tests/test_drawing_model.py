"""The picture comes from the model and from nothing else: each transition is in it, and takes something along."""

from __future__ import annotations

from dataclasses import replace

import pytest
from drawnsvg import read
from inventedgames import towns

import fsm
from fsm.drawing import draw
from fsm.model import Model, State

MAGIC = fsm.load("magic")
assert MAGIC.window is not None
WINDOW = MAGIC.window


@pytest.mark.parametrize("model", [MAGIC, towns()], ids=lambda m: m.name)
@pytest.mark.parametrize("part", range(4))
def test_the_picture_changes_with_every_transition(model: Model, part: int) -> None:
    whole = draw(model, format="dot")
    same = [t.id for t in model.transitions[part::4] if draw(model.without(t.id), format="dot") == whole]
    assert same == []


def test_the_window_changes_with_every_transition() -> None:
    whole = draw(MAGIC, view="window")
    for t in WINDOW.transitions:
        assert draw(replace(MAGIC, window=WINDOW.without(t.id)), view="window") != whole, t.id


@pytest.mark.parametrize("number", range(0, len(MAGIC.transitions), 13))
def test_the_svg_changes_too(number: int) -> None:
    assert draw(MAGIC.without(MAGIC.transitions[number].id)) != draw(MAGIC)


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
