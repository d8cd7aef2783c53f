"""The turn at a glance says what the model says, in players' words, and nothing else."""

from __future__ import annotations

from xml.etree import ElementTree as ET

import pytest
from msgspec.structs import replace

import fsm
from fsm.rulesets import Act, Phase, Step, Table, Window
from support.drawings import BUILT_IN, LANTERNS, drawn, loaded, picture
from support.drawnsvg import read

every_ruleset = pytest.mark.parametrize("ruleset", BUILT_IN)
every_game = pytest.mark.parametrize("ruleset", [*BUILT_IN, LANTERNS])


@every_game
def test_every_phase_and_step_is_named(ruleset: str) -> None:
    model, words = loaded(ruleset), {word.casefold() for word in picture(ruleset).words}
    labels = [s.label.casefold() for s in (*model.of_kind("phase"), *model.of_kind("step"))]
    assert [label for label in labels if label not in words] == []


@every_game
def test_who_does_not_see_it_hears_the_steps_in_their_order(ruleset: str) -> None:
    model = loaded(ruleset)
    root = ET.fromstring(drawn(ruleset))
    told = picture(ruleset).description.casefold()
    assert root.get("role") == "img"
    assert picture(ruleset).title == f"{model.title}: a turn at a glance"
    for phase in model.of_kind("phase"):
        steps = [s.label.casefold() for s in model.children(phase.id) if s.kind == "step"]
        assert ", ".join(steps) in told


@every_ruleset
def test_pointing_at_a_step_tells_what_is_done_in_it_and_which_rules_say_so(ruleset: str) -> None:
    model, tips = loaded(ruleset), picture(ruleset).tooltips
    for step in model.of_kind("step"):
        own = "\n".join(tip for tip in tips if tip.startswith(f"{step.label}\n"))
        parts = [s for s in model.children(step.id) if s.role in ("action", "window")]
        assert step.rule in own
        assert [s.label for s in parts if s.label not in own or s.rule not in own] == []
        assert model.edition in own


@every_game
def test_every_way_that_players_have_words_for_is_told(ruleset: str) -> None:
    shown = picture(ruleset)
    told = " ".join([*" ".join(shown.words).split(), *shown.tooltips]).casefold()
    ways = {t.says for t in loaded(ruleset).transitions if t.says and not t.generic}
    assert [words for words in ways if words.casefold() not in told] == []


@every_ruleset
def test_there_are_no_words_of_the_model(ruleset: str) -> None:
    words = picture(ruleset).words
    assert not [w for w in words if "[" in w or "_" in w or w.endswith("else") or "U-" in w]
    assert "U-" not in "".join(picture(ruleset).tooltips)


@pytest.mark.parametrize(
    ("ruleset", "told"),
    [
        ("magic", "An effect can skip any turn, phase or step (614.10)."),
        ("magic", "Unspent mana empties as each step ends (500.5)."),
        ("magic", "The game ends as soon as one side is left (104.2a)."),
        ("magic-classic", "Each unspent mana is lost and costs a life as each phase ends (300.3)."),
        ("grand-archive", "Before the first turn of the game, all champions are placed"),
    ],
)
def test_what_holds_everywhere_is_said_once(ruleset: str, told: str) -> None:
    assert picture(ruleset).says(told)


@pytest.mark.parametrize(
    ("ruleset", "told"),
    [
        ("magic", "a creature attacks 508.8 nobody attacks"),
        ("magic", "a fighter has first or double strike 510.4 nobody has"),
        ("magic", "if something happened: another Cleanup 514.3a"),
        ("magic", "from any step an effect ends the turn 723.1"),
        ("magic", "after any phase or step if an effect has added one"),
        ("magic", "next turn, extra turns first 500.7"),
        ("grand-archive", "an attack is declared"),
        ("grand-archive", "an effect ends the turn or the turn player leaves"),
    ],
)
def test_forks_repeats_and_jumps_are_told_with_their_rules(ruleset: str, told: str) -> None:
    assert picture(ruleset).says(told)


@pytest.mark.parametrize(
    ("ruleset", "told"),
    [
        ("magic", "players get priority"),
        ("grand-archive", "players get Opportunity"),
        (LANTERNS, "players may act"),
    ],
)
def test_the_legend_has_the_word_of_the_rulebook(ruleset: str, told: str) -> None:
    layers = ["normal course", "left out", "again or extra", "cut short"]
    assert picture(ruleset).says(told)
    assert [word for word in picture(ruleset).words if word in layers] == layers


def test_a_card_says_what_is_done_in_order() -> None:
    assert picture("magic").says("Untap phasing, day or night, untap permanents")
    assert picture("grand-archive").says("RECOLLECTION charge counters, memory to hand")


def test_the_boxes_of_an_inner_phase_lie_in_that_of_the_outer_one() -> None:
    shown = picture("grand-archive")
    heading = {text.words: text for text in shown.texts}
    around = [box for box in shown.boxes if box.holds(heading["COMBAT"])]
    assert any(box.holds(heading["MAIN"]) for box in around)
    assert len(around) == 2


def test_a_transition_that_is_gone_takes_its_words_along() -> None:
    model = loaded("magic")
    row = next(t for t in model.transitions if t.target == "first_strike_damage_before")
    assert not read(fsm.draw(model.without(row.id))).says("a fighter has first")


def test_a_place_without_a_way_on_is_named() -> None:
    model = loaded("magic")
    row = next(t for t in model.transitions if t.source == "upkeep_begin")
    assert read(fsm.draw(model.without(row.id))).says("NO WAY ON from: Upkeep begins.")
    assert not picture("magic").says("NO WAY ON")


def test_what_has_no_words_of_its_own_is_called_by_its_facts() -> None:
    model = loaded("magic")
    rows = tuple(replace(t, says="") for t in model.transitions)
    facts = tuple(replace(f, says="", denies="") for f in model.facts)
    assert read(fsm.draw(replace(model, transitions=rows, facts=facts))).says("attackers declared")


def test_a_table_of_ones_own_is_drawn_with_its_own_words() -> None:
    meal = Step("meal", Act("eat", "Eat soup", "7.2"), Window("7.3"), label="Meal", rule="7.1")
    shown = read(fsm.draw(Table("feast", Phase("day", meal, label="Day"), title="The Feast")))
    assert shown.title == "The Feast: a turn at a glance"
    assert {"Meal", "7.1", "eat soup"} <= set(shown.words) | {"7.1"}
    assert any("Eat soup" in tip and "7.2" in tip for tip in shown.tooltips)


@every_ruleset
def test_it_is_as_wide_as_a_page_and_can_be_read_there(ruleset: str) -> None:
    shown = picture(ruleset)
    assert shown.area[2] * shown.pixels <= 831
    assert min(text.size for text in shown.texts) * shown.pixels >= 9
