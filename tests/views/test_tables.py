"""The turn as a table says what the model says, in the order of the turn, in every format."""

from __future__ import annotations

import html
import re
from dataclasses import replace
from functools import cache
from itertools import pairwise

import pytest

import fsm
from fsm.rulesets import Act, Phase, Step, Table, Window
from fsm.views import tabulate
from support.drawings import BUILT_IN, LANTERNS, drawn, loaded, made

every_ruleset = pytest.mark.parametrize("ruleset", BUILT_IN)
every_game = pytest.mark.parametrize("ruleset", [*BUILT_IN, LANTERNS])
Line = tuple[str, str, str, str]
"""Phase, step, what happens, rule."""


@cache
def lines(ruleset: str, view: str = "turn") -> list[Line]:
    """The lines of a table in Markdown; phase and step stand in each."""
    return read(drawn(ruleset, view, "md"))


def read(text: str) -> list[Line]:
    found: list[Line] = []
    phase = step = ""
    for line in [line for line in text.splitlines() if line.startswith("|")][2:]:
        cells = [cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]]
        phase, step = cells[0] or phase, "" if cells[0] and not cells[1] else cells[1] or step
        found.append((phase.strip("*"), step, cells[2], cells[3]))
    return found


def of(step: str, ruleset: str = "magic", of_phase: str = "") -> list[Line]:
    return [
        line for line in lines(ruleset) if step == line[1] or (of_phase and of_phase in line[0])
    ]


# what a table holds -------------------------------------------------------------------------------


@every_game
def test_every_phase_step_and_action_is_told_in_order(ruleset: str) -> None:
    model, text = loaded(ruleset), drawn(ruleset, format="txt")
    flat = " ".join(re.sub("[│·├─┼┤]", " ", text).split())
    for state in model.states:
        if state.kind in ("phase", "step"):
            assert state.label.split()[0].casefold() in flat.casefold()
        elif state.role == "action" and "U-" not in state.rule:
            said = [line for line in lines(ruleset) if state.label.casefold() in line[2].casefold()]
            assert any(state.rule.split(",")[0] in line[3] for line in said), state.id


def test_a_window_that_may_stay_shut_says_when() -> None:
    said = [text for _, _, text, _ in lines("grand-archive")]
    assert any(text.startswith("Not if the Effects Stack is empty") for text in said)


@every_ruleset
def test_every_line_is_a_sentence_with_its_rule(ruleset: str) -> None:
    for _, _, text, rule in lines(ruleset):
        bare = re.sub(r" ?(<sup>.*</sup>|\[[AB]\])$", "", text)
        assert bare[0] == bare[0].upper()
        assert bare.endswith((".", "?", "!")), bare
        assert ".." not in bare and "  " not in bare
        assert rule
        assert "U-" not in bare


def test_magics_phases_and_steps() -> None:
    """Rules 500.1 and 505.2: a main phase has no steps."""
    steps = list(dict.fromkeys(line[1] for line in lines("magic") if "Combat" in line[0]))
    assert steps[:6] == [
        "Beginning of combat",
        "Declare attackers",
        "Declare blockers",
        "First-strike damage",
        "Combat damage",
        "End of combat",
    ]
    assert all(line[1] == "" for line in lines("magic") if "First main" in line[0])


@pytest.mark.parametrize(
    ("step", "rules"),
    [
        ("Untap", ["502.1", "502.2", "502.3", "500.5"]),
        ("Draw", ["103.8b", "103.8a", "504.1", "504.2", "504.2", "500.5"]),
        ("Cleanup", ["514.1", "514.2", "514.3", "514.3a", "500.5", "514.3a", "500.5"]),
    ],
)
def test_the_lines_of_a_step_stand_in_the_order_of_the_rules(step: str, rules: list[str]) -> None:
    """Nobody receives priority in untap; triggers go on the stack before priority in draw."""
    found = [rule for _, _, _, rule in of(step)]
    assert len(found) == len(rules)
    assert [rule.split(",")[0][:5] for rule in found] == [rule[:5] for rule in rules]


@pytest.mark.parametrize(
    ("ruleset", "step", "words"),
    [
        ("magic", "Draw", "Left out if this is the starting player's first turn"),
        ("magic", "First-strike damage", "Left out unless an attacker or blocker has first or"),
        ("magic", "Declare attackers", "goes on with End of combat; Declare blockers, First-"),
        ("magic", "Cleanup", "In that case: another Cleanup begins."),
        ("magic", "Cleanup", "“until end of turn"),
        ("magic", "Upkeep", "“until your next upkeep” end."),
        ("magic-2010", "Declare blockers", "While in this step, if"),
        ("grand-archive", "Combat", "Main, at:"),
    ],
)
def test_conditions_and_durations_are_told(ruleset: str, step: str, words: str) -> None:
    assert any(words in text for _, _, text, _ in of(step, ruleset, step)), of(step, ruleset)


def test_mana_empties_where_the_rules_say() -> None:
    """Rule 500.5 today at the end of each step, rule 300.3 of 2006 at the end of each phase."""
    today = [line[1] for line in lines("magic") if "mana empties" in line[2]]
    classic = [line for line in lines("magic-classic") if "mana is lost" in line[2]]
    assert {"Untap", "Upkeep", "Draw", "Declare attackers", "End step", "Cleanup"} <= set(today)
    assert len(classic) == 5


def test_notes_say_how_triggers_are_placed_and_when_the_turn_goes_on() -> None:
    """Rules 603.3b and 500.2."""
    today, before = drawn("magic", format="md"), drawn("magic-2010", format="md")
    assert "603.3b" in today and "two passes" in today and "one pass" in before
    assert "all players have passed in succession and the stack is empty" in today


def test_endings_are_told_step_by_step() -> None:
    """Rule 723.1."""
    text = drawn("magic", format="md")
    rules = ["723.1a", "723.1b", "723.1c", "723.1d"]
    places = [text.index(rule) for rule in rules]
    assert all(a < b for a, b in pairwise(places))
    assert "The turn goes on with Cleanup." in text


def test_combat_of_grand_archive_is_inside_main() -> None:
    assert any("Combat" in line[0] and "inside Main" in line[0] for line in lines("grand-archive"))


def test_the_window_is_a_table_of_its_states() -> None:
    assert loaded("magic").window is not None
    text = drawn("magic", "window", "md")
    for words in ("State-based actions", "704.3", "603.3b", "A player has priority", "117.4"):
        assert words in text


# the model and nothing else -----------------------------------------------------------------------


@pytest.mark.parametrize(
    "row",
    [
        "upkeep_window -> upkeep_end on closed",
        "cleanup_again_after -> cleanup_begin",
        "end_turn_sba -> end_turn_leave",
    ],
)
def test_without_a_transition_the_table_is_another(row: str) -> None:
    less = tabulate(loaded("magic").without(row))
    assert less != drawn("magic", format="md")


def test_a_place_without_a_way_on_is_told_in_every_format() -> None:
    gone = loaded("magic").without("upkeep_window -> upkeep_end on closed")
    for format in ("md", "html", "txt"):
        assert "No way on from: Priority." in tabulate(gone, format=format)
        assert "No way on" not in drawn("magic", format=format)


DAY = Phase(
    "day", Step("go", Act("walk", "Walk"), Act("run", "Run"), Window("2"), label="Go", rule="1")
)
TABLE = Table("small", DAY, title="Small")


def test_a_table_of_ones_own_is_told_in_its_own_words() -> None:
    texts = [text for _, step, text, _ in read(tabulate(TABLE)) if step == "Go" or "Go" in step]
    assert any(text.startswith("Walk.") for text in texts)
    assert any(text.startswith("Run.") for text in texts)
    assert [text.split(".")[0] for text in texts].index("Walk") == 0


def test_a_condition_and_a_duration_of_ones_own_are_told() -> None:
    walk = Act("walk", "Walk", when="not first_turn", ends="end_of_turn")
    table = Table("small", replace(DAY, steps=(replace(DAY.steps[0], does=(walk,)),)))
    [text, *_] = [text for _, _, text, _ in read(tabulate(table)) if "walk" in text]
    assert text.startswith("Unless this is the first turn of the side that plays first: walk.")
    assert "Effects that last “until end of turn” and" in text


# the formats --------------------------------------------------------------------------------------


@every_game
def test_a_page_has_the_same_lines(ruleset: str) -> None:
    page = drawn(ruleset, format="html")
    assert page.count("<tr") == 1 + len(lines(ruleset))
    rules = {rule.replace("\\", "") for _, _, _, rule in lines(ruleset)}
    assert [rule for rule in rules if html.escape(rule, quote=False) not in page] == []


def test_a_page_is_for_light_and_dark_and_loads_nothing() -> None:
    page = tabulate("magic", format="html")
    assert "prefers-color-scheme:dark" in page
    assert not re.search(r"<(link|script|img)|https?:|url\(", page)
    assert 'scope="col"' in page and 'scope="rowgroup"' in page
    dark = made("draw", "magic", "--theme", "dark", ending="html")
    assert "color-scheme:dark;" in dark and "prefers-color-scheme" not in dark


def test_notes_on_a_page_are_linked() -> None:
    page = drawn("magic", format="html")
    assert set(re.findall(r'href="#([^"]+)"', page)) == set(re.findall(r' id="([^"]+)"', page))
    assert page.count('href="#') > 2


@pytest.mark.parametrize("width", [40, 100, 173])
def test_a_text_fits_its_width(width: int) -> None:
    text = tabulate("grand-archive", format="txt", width=width)
    assert max(map(len, text.splitlines())) <= width
    assert not any(line.endswith(" ") for line in text.splitlines())


def test_a_text_is_coloured_or_ascii_on_request() -> None:
    assert "\x1b" in tabulate("magic", format="txt", colour=True)
    assert "\x1b" not in drawn("magic", format="txt")
    assert tabulate("magic", format="txt", ascii=True).isascii()
    assert not drawn("magic", format="txt").isascii()


def test_wide_letters_keep_their_columns() -> None:
    wide = "日本語のターン"
    text = tabulate(replace(TABLE, title=wide, name="wide"), format="txt", width=60)
    step = replace(DAY.steps[0], label=wide)
    text = tabulate(Table("wide", replace(DAY, steps=(step,))), format="txt", width=60)
    widths = {len(line) + sum(letter in wide for letter in line) for line in text.splitlines()[1:9]}
    assert len(widths) == 1


@pytest.mark.parametrize("format", ["md", "html", "txt"])
def test_edition_and_options_stand_with_it(format: str) -> None:
    text = fsm.draw(loaded("magic?extra_draw_on_first_turn=false"), format=format)
    assert "CR 2026-01" in text and "=false" in text


def test_a_file_of_a_model_gives_the_same_table() -> None:
    again = fsm.Model.from_json(loaded("magic").to_json())
    assert tabulate(again) == drawn("magic", format="md") == made("draw", "magic", ending="md")
