"""The turn as a table says what its reading says, in the order of the turn, in every format."""

from __future__ import annotations

import html
import re
from dataclasses import replace
from itertools import pairwise

import pytest
from transitions import Machine
from transitions.extensions import HierarchicalMachine

import fsm
from fsm.adapters import model_of
from fsm.rulesets import Act, Phase, Step, Table, Window
from fsm.views import read, tabulate
from support.drawings import BUILT_IN, LANTERNS, drawn, loaded, made

L5R, FAB, YUGIOH, NETRUNNER = (
    f"games.{name}:{name.upper()}" for name in ("l5r", "fab", "yugioh", "netrunner")
)
every_game = pytest.mark.parametrize("ruleset", [*BUILT_IN, LANTERNS])


def flat(text: str) -> str:
    """A text in one line, without what its format adds."""
    text = re.sub(r"<[^>]*>", " ", text.replace("<br>", " "))
    return " ".join(html.unescape(text).replace("\\", "").replace("*", "").split()).casefold()


@every_game
@pytest.mark.parametrize("format", ["md", "html"])
def test_every_step_line_and_rule_is_told(ruleset: str, format: str) -> None:
    turn, told = read(loaded(ruleset)), flat(drawn(ruleset, format=format))
    steps = [*turn.steps, *turn.windows, *turn.endings]
    lines = [line for step in steps for line in step.lines]
    texts = [step.title for step in steps] + [line.detail or line.text for line in lines]
    texts += [reason.words for part in turn.parts for reason in part.left_out]
    texts += [line.rule for step in turn.endings for line in step.lines]
    assert [text for text in texts if text.casefold() not in told] == []


def test_steps_stand_in_their_order() -> None:
    told = drawn("magic", format="txt")
    places = [told.index(f"  {step.title}") for step in read(loaded("magic")).steps]
    assert places == sorted(places)


@pytest.mark.parametrize(
    ("ruleset", "words"),
    [
        ("magic", "Left out: starting player's first turn (103.8b, 103.8a)"),
        ("magic", "Nobody attacks: on with End of combat (508.8)"),
        ("magic", "Only if a creature attacks (508.8)"),
        ("magic", "If something happened: another Cleanup (514.3a)"),
        ("magic", "Unspent mana empties as each step ends (500.5)."),
        (
            "magic",
            "Day and night: it becomes day or night, by the spells of the turn before (502.2)",
        ),
        ("magic-classic", "Each unspent mana is lost and costs a life as each phase ends (300.3)"),
        ("grand-archive", "Only if an attack is declared (Attack Declaration)"),
        (LANTERNS, "1. Roll the dice – Tied: once more"),
        (LANTERNS, "– Something happened: Curfew again"),
        (LANTERNS, "– Otherwise: on with Challenge"),
        ("grand-archive", "– Otherwise: on with End"),
        ("grand-archive", "– On with Main"),
        (YUGIOH, "– Only if no replay"),
        (L5R, "– On with Conflict"),
        (L5R, "Players may act: by the defender"),
        (FAB, "– On with Action"),
    ],
)
def test_conditions_repeats_and_what_holds_everywhere_are_told(ruleset: str, words: str) -> None:
    told = " ".join(drawn(ruleset, format="txt").split())
    assert words in told or words.casefold() in flat(drawn(ruleset, format="md"))


def test_the_window_and_the_endings_are_lists_with_their_rules() -> None:
    """Rules 603.3b, 500.2 and 723.1."""
    text = drawn("magic", format="md")
    places = [text.index(rule) for rule in ["603.3b", "723.1a", "723.1b", "723.1c", "723.1d"]]
    assert all(a < b for a, b in pairwise(places))
    assert "two passes" in text and "one pass" in drawn("magic-2010", format="md")
    assert "The turn goes on with Cleanup" in text


def test_without_a_transition_the_table_is_another() -> None:
    gone = loaded("magic").without("declare_attackers_after -> end_of_combat_before")
    assert "Nobody attacks" not in tabulate(gone) and "Nobody attacks" in drawn(
        "magic", format="md"
    )
    holed = loaded("magic").without("upkeep_window -> upkeep_end on closed")
    assert all("NO WAY ON" in tabulate(holed, format=form) for form in ("md", "html", "txt"))


@pytest.mark.parametrize(
    ("ruleset", "words"),
    [
        ("magic", "From any step – An effect ends the turn: on with Cleanup (723.1)"),
        ("magic", "– One side is left: Game over (104.2a)"),
        ("magic", "In any step of Combat – An effect ends the combat phase: on with Second main"),
        (YUGIOH, "In any step of Battle – An effect ends the battle: on with Main 2"),
        (NETRUNNER, "In any step of Run – An effect ends the run: on with Run ends"),
    ],
)
def test_what_cuts_a_turn_or_phase_short_is_told(ruleset: str, words: str) -> None:
    assert words in " ".join(drawn(ruleset, format="txt").split())
    assert words.casefold().partition(" – ")[2] in flat(drawn(ruleset, format="html"))


def test_two_phases_with_one_title_are_two_groups() -> None:
    again = Phase("night", Step("sleep", Act("sleep", "Sleep")), label="Day")
    day = Phase("day", Step("rise", Act("rise", "Rise")), label="Day")
    model = Table("twice", day, again)
    assert [line for line in tabulate(model, format="txt").splitlines() if line == "Day"] == 2 * [
        "Day"
    ]
    assert tabulate(model, format="html").count('scope="rowgroup" colspan="2">Day<') == 2


DAY = Phase(
    "day", Step("go", Act("walk", "Walk"), Act("run", "Run"), Window("2"), label="Go", rule="1")
)


def test_a_table_of_ones_own_is_told_in_its_own_words() -> None:
    text = tabulate(Table("small", DAY, title="Small"), format="txt")
    assert text.startswith("Small: the turn on one page\n")
    assert "1. Walk" in text and "2. Run" in text and "3. Players may act" in text


# the formats --------------------------------------------------------------------------------------


def test_a_page_is_for_light_and_dark_and_loads_nothing() -> None:
    page = tabulate("magic", format="html")
    assert "prefers-color-scheme:dark" in page and "@media print" in page
    assert not re.search(r"<(link|script|img)|https?:|url\(", page)
    assert 'scope="col"' in page and 'scope="rowgroup"' in page
    dark = made("draw", "magic", "--theme", "dark", ending="html")
    assert 'data-theme="dark"' in dark and "[data-theme=dark]{color-scheme:dark" in dark


@pytest.mark.parametrize("width", [40, 100, 173])
def test_a_text_fits_its_width(width: int) -> None:
    text = tabulate("grand-archive", format="txt", width=width)
    assert max(map(len, text.splitlines())) <= width
    assert not any(line.endswith(" ") for line in text.splitlines())


def test_wide_letters_keep_their_columns() -> None:
    wide = "日本語のターン"
    step = replace(DAY.steps[0], label=wide)
    text = tabulate(Table(wide * 9, replace(DAY, steps=(step,))), format="txt", width=60)
    columns = [len(line) + sum(letter in wide for letter in line) for line in text.splitlines()]
    assert max(columns) <= 60 and f"  {wide} " in text


def test_the_edition_stands_with_it() -> None:
    assert all("2026" in drawn("magic", format=form) for form in ("md", "html", "txt"))


def test_a_file_of_a_model_gives_the_same_table() -> None:
    again = fsm.Model.from_json(loaded("magic").to_json())
    assert tabulate(again) == drawn("magic", format="md") == made("draw", "magic", ending="md")


def test_a_machine_that_is_no_turn_is_a_table_of_its_states() -> None:
    """A state whose only transitions are those of all states has its name there, too."""
    machine = Machine(None, ["on", "off"], initial="off", send_event=True, auto_transitions=False)
    machine.add_transition("reset", "*", "off")
    for format in ("md", "html", "txt"):
        told = flat(tabulate(model_of(machine), format=format))
        assert "on" in told and "off" in told and "reset" in told


def test_a_name_that_several_states_have_stands_with_its_path() -> None:
    states = ["off", {"name": "on", "children": ["off", "dim"], "initial": "dim"}]
    machine = HierarchicalMachine(None, states, initial="off", auto_transitions=False)
    machine.add_transition("a", "on", "on_off")
    text = tabulate(model_of(machine), format="txt")
    assert "\n    – a: on_off\n" in text and "\ndim\n" in text
    assert "4 states, 1 transition." in text
