"""The picture comes from the model and from nothing else: each transition is in it, and takes
something along.
"""

from __future__ import annotations

from dataclasses import replace

import pytest

import fsm
from fsm import draw
from fsm.model import Model, State
from fsm.rulesets import names
from fsm.views.drawing.turnview import turn_diagram
from support.amounts import sample
from support.drawnsvg import read
from support.inventedgames import towns

MAGIC = fsm.load("magic")
GRAND_ARCHIVE = fsm.load("grand-archive")
RULESETS = [fsm.load(name) for name in names()]
every_ruleset = pytest.mark.parametrize("model", RULESETS, ids=lambda m: m.name)


@every_ruleset
def test_the_window_changes_with_every_transition(model: Model) -> None:
    assert model.window is not None
    whole = draw(model, view="window")
    for t in sample(model.window.transitions, 4):
        assert draw(replace(model, window=model.window.without(t.id)), view="window") != whole, t.id


@every_ruleset
def test_the_turn_changes_with_every_transition_that_is_told(model: Model) -> None:
    whole = draw(model)
    said = [t for t in model.transitions if t.says and not t.generic]
    alone = [t for t in said if [(o.target, o.says) for o in said].count((t.target, t.says)) == 1]
    if read(whole).says("FROM ANY STEP"):  # a row of this list stands for several jumps
        alone = [t for t in alone if t.layer != "jump"]
    assert [t.id for t in sample(alone, 2) if draw(model.without(t.id)) == whole] == []


def test_a_missing_row_takes_its_line_along() -> None:
    row = next(
        t for t in MAGIC.transitions if t.target == "first_strike_damage_before" and not t.generic
    )
    whole, broken = read(draw(MAGIC)), read(draw(MAGIC.without(row.id)))
    assert whole.says("a fighter has first")
    assert not broken.says("a fighter has first")
    assert len(broken.lines) == len(whole.lines) - 2


def test_a_hole_is_named() -> None:
    row = next(t for t in MAGIC.transitions if t.source == "upkeep_begin")
    assert not read(draw(MAGIC)).says("NO WAY ON")
    broken = read(draw(MAGIC.without(row.id)))
    assert broken.says("NO WAY ON from: Upkeep begins.")


def test_exits_that_lead_to_one_place_are_one_line_with_both() -> None:
    words = read(draw(MAGIC)).words
    assert words.count("a creature attacks") == 1, "declared, or put in attacking: the same words"
    rows = tuple(
        replace(t, says="another way") if "put_in_attacking" in t.id else t
        for t in MAGIC.transitions
    )
    words = read(draw(replace(MAGIC, transitions=rows))).words
    assert {"a creature attacks", "or another way"} <= set(words)


def test_a_rule_is_cited_once_at_a_choice() -> None:
    assert read(draw(MAGIC)).words.count("508.8") == 1


def test_what_has_no_plain_words_is_called_by_its_facts() -> None:
    rows = tuple(replace(t, says="") for t in MAGIC.transitions)
    facts = tuple(replace(f, says="", denies="") for f in MAGIC.facts)
    picture = read(draw(replace(MAGIC, transitions=rows, facts=facts)))
    assert picture.says("first strike in")
    assert picture.says("attackers declared")
    assert not picture.says("else")


def test_what_every_step_has_is_said_once() -> None:
    caption = " ".join(read(draw(MAGIC)).words[:4])
    assert "An effect can skip any turn, phase or step (614.10)." in caption
    assert "Unspent mana empties as each step ends (500.5)." in caption
    row = next(
        t
        for t in MAGIC.transitions
        if t.generic and t.source == "upkeep_before" and t.rule == "614.10"
    )
    without = " ".join(read(draw(MAGIC.without(row.id))).words[:4])
    assert "An effect can skip" in without
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
        replace(
            s,
            id=new[s.id],
            parent=new.get(s.parent, ""),
            family=s.family or s.id,
            label=s.label or "-",
        )
        for s in model.states
    )
    same = tuple(replace(s, family=s.family or s.id, label=s.label or "-") for s in model.states)
    rows = tuple(
        replace(t, source=new[t.source], target=new[t.target] if t.target else None)
        for t in model.transitions
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


def test_a_card_says_what_is_done_in_order() -> None:
    assert card(GRAND_ARCHIVE, "RECOLLECTION").startswith("charge counters, memory to hand")
    assert card(MAGIC, "End of combat").startswith("then all leave combat")
    assert card(MAGIC, "Untap").startswith("phasing, day or night, untap permanents")


def test_what_a_step_says_goes_before_what_its_actions_say() -> None:
    assert {"the turn player acts,", "attacks are declared"} <= set(read(draw(GRAND_ARCHIVE)).words)
    bare = replace(GRAND_ARCHIVE, states=tuple(replace(s, says="") for s in GRAND_ARCHIVE.states))
    assert card(bare, "Retaliation").startswith("retaliate")
    assert read(draw(bare)).says("on attack:")


@every_ruleset
def test_a_card_has_two_lines_at_most(model: Model) -> None:
    picture = read(draw(model))
    for left, top, right, bottom in picture.shapes:
        inside = [
            a
            for _, a in picture.texts
            if left < a[0] and a[2] < right and top < a[1] and a[3] < bottom
        ]
        if not any(text == "FROM ANY STEP" for text, area in picture.texts if area in inside):
            assert len(inside) <= 3
        assert all(a[0] - left >= 3 and right - a[2] >= 3 for a in inside)


def test_a_card_is_marked_by_the_most_open_of_its_windows() -> None:
    words = read(draw(GRAND_ARCHIVE)).words
    assert {"●Main", "●RECOLLECTION", "○MATERIALIZE", "○DRAW", "○End of combat"} <= set(words)


def test_the_other_of_two_actions_is_called_so() -> None:
    classic = fsm.load("magic-classic")
    bare = replace(classic, states=tuple(replace(s, says="") for s in classic.states))
    assert card(bare, "Draw").startswith("secondary player draws (if first")
    tips = [
        tip for name, tips in read(draw(classic)).groups.items() if "card" in name for tip in tips
    ]
    assert [tip for tip in tips if "Secondary player draws" in tip and "Draw a card" in tip]


def test_a_phase_with_one_step_of_its_name_is_one_box() -> None:
    drawn = draw(GRAND_ARCHIVE)
    picture = read(drawn)
    assert picture.words.count("○WAKE UP") == 1
    assert not picture.says("Wake Up")
    assert {"MAIN", "●Main"} <= set(picture.words), "with combat inside, it is a box with a card"
    boxes, shapes = picture.boxes, picture.shapes
    assert len([box for box in boxes if box in shapes]) == 5


def test_a_way_back_inside_a_step_is_drawn_or_said() -> None:
    picture = read(draw(GRAND_ARCHIVE))
    assert picture.says("clean-up again")
    assert "layer-extra" in " ".join(picture.groups)
    bare = replace(GRAND_ARCHIVE, states=tuple(replace(s, says="") for s in GRAND_ARCHIVE.states))
    tip = next(n.tooltip for n in turn_diagram(bare).nodes if n.title == "End of combat")
    assert "State-based check" in tip
    less = GRAND_ARCHIVE.without(*(t.id for t in GRAND_ARCHIVE.transitions if t.layer == "extra"))
    assert "layer-extra" not in " ".join(read(draw(less)).groups)


def test_many_jumps_from_any_step_are_listed_in_a_box() -> None:
    words = read(draw(GRAND_ARCHIVE)).words
    listed = words[words.index("FROM ANY STEP") :]
    assert [w for w in listed if w in ("what follows it", "in Combat:", "End of combat", "End", "game over")] == [
        "what follows it", "in Combat:", "End of combat", "End", "game over"
    ]  # fmt: skip
    assert words.count("an effect ends the phase") == 1
    assert "from any step" not in words


def test_few_jumps_are_drawn_where_they_end_and_the_end_of_the_game_is_said() -> None:
    picture = read(draw(MAGIC))
    assert "FROM ANY STEP" not in picture.words
    assert {"from any step", "an effect ends the turn"} <= set(picture.words)
    assert "The game ends as soon as one side is left (104.2a)." in " ".join(picture.words[:4])


def test_extra_phases_and_steps_start_at_one_card() -> None:
    words = read(draw(MAGIC)).words
    assert {"Extra phase or step", "after any phase or step", "if an effect has added one"} <= set(
        words
    )


def test_what_comes_once_in_a_hundred_games_is_left_to_the_views_of_stages() -> None:
    picture = read(draw(MAGIC))
    assert not picture.says("main phase has begun")
    assert not picture.says("candidate")
    choices = [tip for name, tips in picture.groups.items() if "choice" in name for tip in tips]
    assert len(choices) == 3, "draw, attackers, first strike"


def test_what_comes_before_the_first_turn_is_in_the_caption() -> None:
    said = " ".join(read(draw(GRAND_ARCHIVE)).words[:4])
    assert (
        "Before the first turn of the game, all champions are placed (Starting the Game)." in said
    )
    assert not read(draw(MAGIC)).says("Before the first turn")


def test_what_every_phase_ends_with_is_said_once() -> None:
    caption = " ".join(read(draw(fsm.load("magic-classic"))).words[:5])
    assert "Each unspent mana is lost and costs a life as each phase ends" in caption
    assert "(300.3)" in caption


def test_a_window_alone_at_the_end_is_told_by_the_mark_only() -> None:
    assert {"●Draw", "draw a card", "○Cleanup"} <= set(read(draw(MAGIC)).words)
