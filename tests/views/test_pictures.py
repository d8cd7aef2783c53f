"""The pictures of a turn say what its reading says, in players' words, and nothing else."""

from __future__ import annotations

from xml.etree import ElementTree as ET

import pytest

import fsm
from fsm.rulesets import Act, During, Phase, Step, Table, Then, Window
from fsm.views import END, Step as ReadStep, Turn, read
from support.drawings import BUILT_IN, GAMES, LANTERNS, drawn, loaded, picture
from support.drawnsvg import Picture, read as seen

every_ruleset = pytest.mark.parametrize("ruleset", BUILT_IN)
every_game = pytest.mark.parametrize("ruleset", [*BUILT_IN, LANTERNS])


def said(shown: Picture) -> str:
    """All words of a picture, in one line."""
    return " ".join(" ".join(shown.words).split()).casefold()


def missing(shown: Picture, texts: list[str]) -> list[str]:
    words = said(shown)
    return [text for text in texts if text.casefold() not in words]


# at a glance --------------------------------------------------------------------------------------


@every_game
def test_every_phase_step_and_way_is_told_with_its_words_and_rule(ruleset: str) -> None:
    turn = read(loaded(ruleset))
    texts = [part.title for part in turn.parts] + [step.words for step in turn.steps]
    reasons = [reason for part in turn.parts for reason in part.left_out]
    told = [(way.words, way.rule) for way in turn.ways]
    told += [(reason.words, reason.rule) for reason in reasons]
    texts += [text for words, rule in told if words for text in (words, rule)]
    texts += [note.text for note in turn.notes]
    assert missing(picture(ruleset), texts) == []


@every_game
def test_who_does_not_see_it_hears_the_steps_in_their_order(ruleset: str) -> None:
    turn = read(loaded(ruleset))
    assert ET.fromstring(drawn(ruleset)).get("role") == "img"
    assert picture(ruleset).title == f"{turn.title}: a turn at a glance"
    told = picture(ruleset).description
    places = [told.index(step.title) for step in turn.steps]
    assert places[0] < places[-1]


@pytest.mark.parametrize(
    ("ruleset", "told"),
    [
        ("magic", "An effect can skip any turn, phase or step (614.10)."),
        ("magic", "Unspent mana empties as each step ends (500.5)."),
        ("magic", "nobody attacks 508.8"),
        ("magic", "an effect ends the turn Cleanup 723.1"),
        ("magic", "one side is left Game over 104.2a"),
        ("magic", "AFTER ANY PHASE OR STEP if an effect has added one"),
        ("magic", "next turn; extra turns first 500.7"),
        ("magic-classic", "Each unspent mana is lost and costs a life as each phase ends (300.3)."),
        ("grand-archive", "Before the first turn of the game, all champions are placed"),
        ("grand-archive", "RECOLLECTION charge counters, memory to hand"),
    ],
)
def test_forks_jumps_and_what_holds_everywhere_are_told(ruleset: str, told: str) -> None:
    assert picture(ruleset).says(told)


@pytest.mark.parametrize(
    ("ruleset", "told"),
    [
        ("magic", "players get priority"),
        ("grand-archive", "players get Opportunity"),
        (LANTERNS, "players may act"),
    ],
)
def test_the_legend_has_the_word_of_the_rulebook_and_what_occurs(ruleset: str, told: str) -> None:
    lines = ["normal course", "left out", "again", "cut short"]
    assert picture(ruleset).says(told)
    assert [word for word in picture(ruleset).words if word in lines][-4:] == lines
    quiet = seen(fsm.draw(Table("quiet", Phase("day", Step("go", Act("walk"))), over="never")))
    assert not quiet.says("left out") and not quiet.says("only if something triggered")


def test_the_box_of_an_inner_phase_lies_in_that_of_the_outer_one() -> None:
    shown = picture("grand-archive")
    heading = {text.words: text for text in shown.texts}
    around = [box for box in shown.boxes if box.holds(heading["COMBAT"])]
    assert any(box.holds(heading["MAIN"]) for box in around)


def test_a_transition_that_is_gone_takes_its_words_along() -> None:
    model = loaded("magic")
    row = next(t for t in model.transitions if t.target == "first_strike_damage_before")
    assert picture("magic").says("first or double strike")
    assert not seen(fsm.draw(model.without(row.id))).says("first or double strike")


@pytest.mark.parametrize("view", ["turn", "phase:day_phase"])
def test_the_only_step_of_a_phase_may_be_left_out(view: str) -> None:
    table = Table(
        "short",
        Phase("day", Step("day", Act("walk"), unless="first_turn")),
        Phase("night", Step("sleep", Window())),
    )
    assert seen(fsm.draw(table, view=view)).says("first turn")


def test_a_place_without_a_way_on_is_named() -> None:
    model = loaded("magic")
    row = next(t for t in model.transitions if t.source == "upkeep_begin")
    assert seen(fsm.draw(model.without(row.id))).says("NO WAY ON from here")
    assert not picture("magic").says("NO WAY ON")


def test_a_way_that_is_no_neighbour_has_its_words_and_its_goal() -> None:
    table = Table(
        "trip",
        Phase("day", Step("go", Act("roll", decides="lost")), then=Then("night", "lost")),
        Phase("evening", Step("eat", Act("eat"))),
        Phase("night", Step("home", Window())),
    )
    assert seen(fsm.draw(table)).says("lost to Night")


@pytest.mark.parametrize(
    ("ruleset", "begins"),
    [("magic", "your turn begins"), ("games.swu:SWU", "the round begins")],
)
def test_a_round_is_that_of_all_players(ruleset: str, begins: str) -> None:
    first = read(loaded(ruleset)).phases[0].id
    for view in ("turn", f"phase:{first}"):
        assert picture(ruleset, view).says(begins)


def test_numbers_are_explained_only_where_rules_are_cited() -> None:
    assert picture("magic").says("small numbers cite them")
    assert not picture("fleet.rules:HARBOUR").says("small numbers")
    assert picture("fleet.rules:HARBOUR").says("The third edition.")


def test_a_name_keeps_its_capitals_in_a_sentence() -> None:
    deeds = Act("look", "Look around"), Act("roll", "Battle Phase Roll")
    shown = seen(fsm.draw(Table("war", Phase("day", Step("scout", *deeds)))))
    assert shown.says("look around, Battle Phase Roll")


def test_a_fork_may_stand_after_the_last_step_of_an_inner_phase() -> None:
    hit = Step("hit", Act("strike", decides="tied"), then=Then("push", "tied"))
    brawl = Phase("brawl", Step("push", Act("shove")), hit)
    dare = During("dare", Act("answer", decides="accepted"), brawl, when="accepted")
    shown = seen(fsm.draw(Table("fair", Phase("night", Step("market", Window(during=dare))))))
    text = {text.words: text for text in shown.texts}
    assert all(box.holds(text["tied"]) for box in shown.boxes if box.holds(text["BRAWL"]))
    assert text["tied"].area[1] > text["Hit"].area[3]


@every_ruleset
def test_it_is_as_wide_as_a_page_and_can_be_read_there(ruleset: str) -> None:
    shown = picture(ruleset)
    assert shown.area[2] <= 831
    assert min(text.size for text in shown.texts) >= 10


# phases, windows and endings ----------------------------------------------------------------------


def lists(steps: tuple[ReadStep, ...]) -> list[str]:
    """What lists of steps say."""
    lines = [line for step in steps for line in step.lines]
    return [text for line in lines for text in (line.text, line.detail, line.rule)]


@pytest.mark.parametrize("ruleset", [*BUILT_IN, LANTERNS, *GAMES])
def test_a_phase_tells_all_that_happens_in_it_and_where_it_leads(ruleset: str) -> None:
    turn = read(loaded(ruleset))
    for phase in turn.all_phases:
        shown = picture(ruleset, f"phase:{phase.id}")
        inside = {phase.id, *(step.id for step in phase.steps)}
        texts = lists(phase.steps)
        for way in turn.ways:
            if way.source in inside:
                is_away = way.target not in inside and way.target != END
                texts.append(way.words or (turn.place(way.target) if is_away else ""))
        assert missing(shown, texts) == []


@every_game
def test_the_window_and_the_endings_tell_all_that_happens_in_order(ruleset: str) -> None:
    turn = read(loaded(ruleset))
    assert missing(picture(ruleset, "window"), lists(turn.windows)) == []
    if turn.endings:
        assert missing(picture(ruleset, "endings"), lists(turn.endings)) == []


def test_ending_the_turn_is_told_in_the_order_of_the_rule() -> None:
    """Rule 723.1."""
    told = said(picture("magic", "endings"))
    wanted = ["waiting triggers cease", "exile the stack", "phase and step end", "cleanup"]
    assert sorted(wanted, key=told.index) == wanted


def test_what_an_ending_does_not_end_is_said() -> None:
    """Rule 723.2g: outside of combat, ending the phase does nothing."""
    assert picture("magic", "endings").says("It is no combat phase: nothing happens")


def test_a_phase_says_where_it_comes_from_and_what_comes_next() -> None:
    shown = picture("magic", "phase:combat_phase")
    assert shown.says("from First main") and shown.says("Second main")
    assert shown.says("FROM ANY STEP an effect ends the turn Cleanup 723.1")


def test_a_phase_says_what_leads_out_of_each_of_its_steps() -> None:
    assert picture("games.netrunner:NETRUNNER", "phase:action_phase").says("the Runner runs to Run")


# the bar ------------------------------------------------------------------------------------------


def test_the_bar_is_one_row_of_steps_and_marks_the_current_one() -> None:
    shown = picture("magic", "bar")
    assert shown.area[2:] == (1280, 80)
    turn: Turn = read(loaded("magic"))
    assert missing(shown, [step.title for step in turn.steps]) == []
    game = fsm.TurnController("magic", ["Ann", "Ben"])
    assert "f-now" in fsm.draw(game, view="bar") and "f-now" not in drawn("magic", "bar")
