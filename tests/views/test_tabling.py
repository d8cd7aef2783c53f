"""The turn as a table: it says what the model says, in the order in which the model runs, in every
format.
"""

from __future__ import annotations

import os
import random
import re
import struct
import sys
from collections.abc import Iterator
from dataclasses import replace
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

import fsm
from fsm import Answer, Over, Priority, Signal, TurnController, rulesets
from fsm.checks.reaching import reachable
from fsm.cli import cli
from fsm.engine.requests import Word
from fsm.errors import AnswerError, DrawError
from fsm.model import Action, Duration, Event, Fact, Model, State, Transition
from fsm.views import tabulate
from fsm.views.tables import FORMATS, PhaseRows, StepRows, TurnTable, table_of
from support import processes
from support.amounts import sample
from support.inventedgames import Builder, framed, holds, random_game, stages, tangle, tiny, towns

BUILT_IN = [fsm.load(name) for name in rulesets.names()]
INVENTED = [towns(), *map(random_game, range(12))]
EVERY = [*BUILT_IN, *INVENTED]
MAGIC = fsm.load("magic")
HOSTILE = "<script>x</script> | *a* _b_ `c` [d](e) & \x1b[31m \\ \n# f"

every_model = pytest.mark.parametrize("model", EVERY, ids=lambda m: f"{m.name}-{m.fingerprint[:6]}")
built_in = pytest.mark.parametrize("model", BUILT_IN, ids=lambda m: m.name)


def steps(table: TurnTable) -> Iterator[tuple[PhaseRows, StepRows]]:
    return ((phase, step) for phase in table.phases for step in phase.steps)


def step(table: TurnTable, id: str) -> StepRows:
    return next(step for _, step in steps(table) if step.id == f"{id}_step")


def kinds(found: StepRows) -> list[str]:
    return [row.kind for row in found.rows]


def states_of(model: Model, kind: str) -> list[str]:
    """Where a table must tell of them: in steps and phases, where a run can come."""
    table_rows = {
        s.id for s in model.leaves if s.parent and model.state(s.parent).kind in ("step", "phase")
    }
    reached = reachable(model)
    return [s.id for s in model.leaves if s.kind == kind and s.id in table_rows and s.id in reached]


# what a table holds -------------------------------------------------------------------------------


@every_model
def test_every_action_has_one_line_of_its_own(model: Model) -> None:
    told = [row.state for row in table_of(model).rows if row.kind in ("action", "end")]
    wanted = states_of(model, "action")
    assert [told.count(state) for state in wanted] == [1] * len(wanted)


@every_model
def test_every_window_has_its_lines(model: Model) -> None:
    rows = table_of(model).rows
    for state in states_of(model, "window"):
        lines = [row for row in rows if row.state == state and row.kind in ("triggers", "window")]
        assert [row.kind for row in lines] == (
            ["triggers", "window"] if model.window else ["window"]
        )
        assert [row.mark for row in lines] == (["A", "B"] if model.window else [""])


@every_model
def test_phases_and_steps_are_all_there_in_the_models_order(model: Model) -> None:
    table = table_of(model)
    wanted = [s.id for s in model.of_kind("step")]
    assert (
        list(dict.fromkeys(found.id for _, found in steps(table) if found.id in wanted)) == wanted
    )
    phases = [s.id for s in model.of_kind("phase")]
    assert [p.id for p in table.phases if p.id in phases] == phases


@every_model
def test_every_line_says_something_and_ends_as_a_sentence(model: Model) -> None:
    table = table_of(model)
    notes = [row for note in table.footnotes for row in note.sentences]
    for row in (*table.rows, *notes, *(row for ending in table.endings for row in ending.rows)):
        assert row.text[0] == row.text[0].upper()
        assert row.text.endswith((".", "?", "!"))
        assert ".." not in row.text
        assert "  " not in row.text


@built_in
def test_every_line_cites_its_rule(model: Model) -> None:
    table = table_of(model)
    assert all(row.rule for row in table.rows)
    assert all(row.rule for note in table.footnotes for row in note.sentences)
    assert all(row.rule for ending in table.endings for row in ending.rows)


@every_model
def test_the_lines_of_a_step_stand_in_the_order_of_its_transitions(model: Model) -> None:
    table = table_of(model)
    at = {
        row.state: n for n, row in enumerate(table.rows) if row.kind in ("action", "end", "window")
    }
    back = {row.state for row in table.rows if row.kind == "again" or " again." in row.text}
    for row in (row for row in model.transitions if row.target is not None):
        here, there = model.state(row.source), model.state(row.target or "")
        if (
            here.parent == there.parent
            and here.id in at
            and there.id in at
            and at[here.id] >= at[there.id]
        ):
            assert here.id in back, f"{row.id} goes up"


# what a run does ----------------------------------------------------------------------------------


def asked_in_steps(model: Model, seed: int, answers: int) -> Iterator[list[str]]:
    """The actions and windows of each visit of a step in a random game, in the order in which they
    came.
    """
    rng, game = random.Random(seed), TurnController(model, ["A", "B"])
    signals = [event.name for event in model.events if not event.completion]
    for _ in range(answers):
        if isinstance(game.request, Over):
            break
        facts = {name: name == "stack_empty" or rng.random() < 0.3 for name in game.request.facts}
        signal = Signal(rng.choice(signals)) if signals and rng.random() < 0.03 else None
        word: Word = "passed" if isinstance(game.request, Priority) else "done"
        try:
            game.answer(Answer(word, facts, signal=signal))
        except AnswerError:
            game.answer(Answer(word, facts))
    visits: dict[int, list[str]] = {}
    stays = {t.id for t in model.transitions if t.target is None}
    for record in game.trace.records:
        turned = record.machine == "turn" and record.transition not in stays
        if turned and model.state(record.target).kind in ("action", "window"):
            visits.setdefault(record.step_id, []).append(record.target)
    yield from visits.values()


@built_in
def test_a_run_goes_down_the_table(model: Model) -> None:
    table, seen = table_of(model), set[str]()
    at = {
        row.state: n for n, row in enumerate(table.rows) if row.kind in ("action", "end", "window")
    }
    back = {row.state for row in table.rows if row.kind == "again" or " again." in row.text}
    for visit in (visit for seed in range(6) for visit in asked_in_steps(model, seed, 400)):
        told = [state for state in visit if state in at]
        seen |= set(told)
        for here, there in pairwise(told):
            same_step = model.state(here).parent == model.state(there).parent
            assert not same_step or at[here] < at[there] or here in back, (here, there)
    assert len(seen) > len(at) / 2, "the games came to most of the table"


# what the rulebook says ---------------------------------------------------------------------------


def test_magics_phases_and_steps() -> None:
    table = table_of(MAGIC)
    phases = [p for p in table.phases if p.id.endswith("_phase")]
    assert [p.label for p in phases] == [
        "Beginning",
        "First main",
        "Combat",
        "Second main",
        "Ending",
    ]
    assert [s.label for s in phases[0].steps] == ["Untap", "Upkeep", "Draw"]
    assert [s.label for s in phases[1].steps] == [""], "a main phase has no steps (505.2)"
    combat = [
        "Beginning of combat",
        "Declare attackers",
        "Declare blockers",
        "First-strike damage",
        "Combat damage",
    ]
    assert [s.label for s in phases[2].steps] == [*combat, "End of combat", "Combat phase ends"]


def test_nobody_receives_priority_in_untap() -> None:
    found = step(table_of(MAGIC), "untap")
    assert kinds(found) == ["action", "action", "action", "end"]
    assert [row.rule for row in found.rows] == ["502.1", "502.2", "502.3", "500.5"]


def test_draw_comes_before_what_it_triggers_and_that_before_priority() -> None:
    found = step(table_of(MAGIC), "draw")
    assert kinds(found) == ["absent", "absent", "action", "triggers", "window", "end"]
    assert [row.rule for row in found.rows[:2]] == ["103.8b", "103.8a"]
    assert all(
        row.text.startswith("Left out if this is the starting player's first turn")
        for row in found.rows[:2]
    )
    assert [row.mark for row in found.rows] == ["", "", "", "A", "B", ""]


@pytest.mark.parametrize("name", ["magic", "magic-2010"])
def test_mana_empties_at_the_end_of_every_step(name: str) -> None:
    table = table_of(fsm.load(name))
    for found in (found for phase, found in steps(table) if found.id.endswith("_step")):
        ends = [row for row in found.rows if row.kind == "end"]
        assert ends
        assert all("mana empties" in row.text for row in ends)


def test_mana_is_lost_at_the_end_of_phases_in_the_classic_rules() -> None:
    table = table_of(fsm.load("magic-classic"))
    lost = [
        (phase.id, found.id)
        for phase, found in steps(table)
        for row in found.rows
        if row.kind == "end"
    ]
    assert len(lost) == 5
    assert len({phase for phase, _ in lost}) == 5


def test_without_attackers_blocks_and_damage_are_left_out() -> None:
    table = table_of(MAGIC)
    branch = next(row for row in step(table, "declare_attackers").rows if row.kind == "then")
    assert branch.rule == "508.8"
    assert branch.text.startswith("Unless a creature was declared as an attacker this combat or ")
    wanted = "goes on with End of combat; Declare blockers, First-strike damage and Combat damage are left out."
    assert branch.text.endswith(wanted)


def test_the_first_strike_step_exists_only_with_first_strike() -> None:
    rows = step(table_of(MAGIC), "first_strike_damage").rows
    assert "Left out unless an attacker or blocker has first or double strike." in [
        row.text for row in rows
    ]


def test_creatures_leave_combat_after_priority() -> None:
    assert kinds(step(table_of(MAGIC), "end_of_combat")) == ["triggers", "window", "action", "end"]


def test_cleanup_opens_only_if_something_happened_and_comes_again() -> None:
    found = step(table_of(MAGIC), "cleanup")
    assert kinds(found) == ["action", "action", "triggers", "window", "end", "again", "end"]
    assert [row.rule for row in found.rows[:2]] == ["514.1", "514.2"]
    assert "“until end of turn" in found.rows[1].text
    assert found.rows[3].text.startswith("Only if ")
    assert found.rows[5].text == "In that case: another Cleanup begins."


def test_durations_end_where_they_end() -> None:
    rows = [row for row in table_of(MAGIC).rows if "Effects that last" in row.text]
    for words in (
        "until your next turn",
        "until your next upkeep",
        "until end of combat",
        "until end of turn",
    ):
        assert sum(f"“{words}" in row.text for row in rows) >= 1


def test_the_footnotes_say_how_abilities_are_placed_and_when_the_turn_goes_on() -> None:
    a, b = table_of(MAGIC).footnotes
    assert (a.mark, b.mark) == ("A", "B")
    assert [row.rule for row in a.sentences] == ["603.3b"]
    assert "two passes" in a.sentences[0].text
    assert "one pass" in table_of(fsm.load("magic-2010")).footnotes[0].sentences[0].text
    assert b.sentences[0].rule == "704.3"
    closing = b.sentences[-1]
    assert "all players have passed in succession and the stack is empty" in closing.text


def test_ending_the_turn_goes_to_cleanup() -> None:
    ending = next(e for e in table_of(MAGIC).endings if e.event == "end_turn")
    assert [row.rule for row in ending.rows] == [
        "723.1a",
        "723.1b",
        "723.1c",
        "723.1d",
        "723.1d",
        "723.1d",
    ]
    assert ending.rows[-1].text == "The turn goes on with Cleanup."


def test_the_2010_table_orders_blockers_and_places_late_ones_meanwhile() -> None:
    rows = step(table_of(fsm.load("magic-2010")), "declare_blockers").rows
    assert [row.rule for row in rows if row.kind == "action"][:3] == ["509.1", "509.2", "509.3"]
    late = [row for row in rows if row.text.startswith("While in this step, if")]
    assert [row.rule for row in late] == ["509.6", "509.7"]
    assert rows[-1].kind in ("end", "then")


def test_grand_archives_combat_is_inside_main_and_goes_back() -> None:
    combat = next(p for p in table_of(fsm.load("grand-archive")).phases if p.id == "combat_phase")
    assert combat.note == "inside Main"
    assert "Main, at:" in combat.steps[-1].rows[-1].text


# other models -------------------------------------------------------------------------------------


def test_towns_tells_of_branches_loops_and_jumps() -> None:
    table = table_of(towns())
    march = next(found for _, found in steps(table) if found.id == "march")
    assert march.rows[-1].text.endswith("goes on with Retreat; Siege and Storming are left out.")
    sleep = next(found for _, found in steps(table) if found.id == "sleep")
    assert sleep.rows[-1].text == "If what 7 is about: another Sleep begins."
    assert [(e.when, e.rows[0].rule) for e in table.endings] == [
        ("A bell rings", "2.3"),
        ("The sky falls", "2.1"),
    ]


def small(*more: Transition, marks: tuple[State, ...] = (), **changes: Any) -> Model:
    """One phase, two steps: "go" with two actions and "rest" with a window."""
    b = Builder()
    b.state("day", "phase", "Day", parent="turn", rule="1")
    b.state("go", "step", "Go", parent="day", rule="1.1")
    b.state("rest", "step", "Rest", parent="day", rule="1.2")
    framed(b, [("day", ["go", "rest"])])
    stages(b, "go", ["Walk", "Run"])
    stages(b, "rest", [], "natural")
    model = b.model()
    return replace(
        model, states=model.states + marks, transitions=(*more, *model.transitions), **changes
    )


def texts(model: Model, id: str) -> list[str]:
    return [row.text for _, found in steps(table_of(model)) if found.id == id for row in found.rows]


def test_a_guarded_action_says_when_and_what_is_reached_anyway_does_not() -> None:
    assert texts(small(), "go") == ["Walk.", "Run."]
    jump = Transition("go_begin", "go_act1", guard=holds(1))
    assert texts(small(jump), "go") == ["Unless what 1 is about: walk.", "Run."]


def test_what_an_event_does_meanwhile() -> None:
    shout = State("rest_shout", "action", label="Shout", parent="rest", role="action", doc="once")
    ways = (
        Transition("rest_window", "rest_shout", "storm"),
        Transition("rest_shout", "rest_window"),
    )
    found = texts(small(*ways, marks=(shout,)), "rest")
    assert found == [
        "Talk: players may act.",
        "While in this step, if the sky falls: shout (once); then talk again.",
    ]


def test_durations_of_any_model_run_out_with_its_actions() -> None:
    model = small(
        durations=(Duration("day", "end", "day", doc="all day"), Duration("nap", "mark", "nap"))
    )
    assert not any("Effects" in row.text for row in table_of(model).rows)
    nap = (Action("mark", ("nap",)),)
    rows = [replace(t, actions=nap) if t.target == "go_act1" else t for t in model.transitions]
    assert (
        texts(replace(model, transitions=tuple(rows)), "go")[1]
        == "Run. Effects that last “nap” end."
    )


def test_facts_without_words_are_told_by_name() -> None:
    facts = tuple(Fact(f.name, "") for f in towns().facts)
    assert texts(
        replace(small(Transition("go_begin", "go_act1", guard=holds(-1))), facts=facts), "go"
    )[0] == ("If fact 1 was: walk.")


def test_a_phase_with_one_step_of_its_name_has_a_blank_step() -> None:
    b = Builder()
    b.state("day", "phase", "Day", parent="turn", name="day")
    b.state("all_day", "step", "Day", parent="day", name="day")
    framed(b, [("day", ["all_day"])])
    stages(b, "all_day", ["Walk"])
    [phase] = table_of(b.model()).phases
    assert [(phase.label, found.label, len(found.rows)) for found in phase.steps] == [
        ("Day", "", 1)
    ]


def test_models_without_steps_give_a_table_of_their_states() -> None:
    for model in (tiny(), tangle(5)):
        table = table_of(model)
        assert table.heads[1] == "State"
        assert [found.id for _, found in steps(table)] == [s.id for s in model.states]
    assert table_of(tiny()).rows[-1].text == "Goes on with Idle."


def test_the_window_is_a_table_of_its_states() -> None:
    assert MAGIC.window is not None
    table = table_of(MAGIC, "window")
    leaves = [s.id for s in MAGIC.window.leaves]
    assert [found.id for _, found in steps(table) if found.id in leaves] == leaves
    with pytest.raises(DrawError, match="towns' has no window model"):
        table_of(towns(), "window")


# the model, and nothing else ----------------------------------------------------------------------


def visible(model: Model) -> list[Transition]:
    """Rows that the table tells of: not those every step has alike, nor what changes nothing."""
    told = [
        t
        for t in model.transitions
        if not t.generic and t.layer in ("core", "skip") and t.target is not None
    ]
    same = [(t.event, t.target, t.guard) for t in told]
    return [
        t
        for t in told
        if t.event in ("done", "closed") or same.count((t.event, t.target, t.guard)) == 1
    ]


@built_in
def test_without_a_transition_the_table_is_another(model: Model) -> None:
    whole = table_of(model)
    assert [
        t.id for t in sample(visible(model), 20) if table_of(model.without(t.id)) == whole
    ] == []


def test_the_footnotes_follow_the_window() -> None:
    assert MAGIC.window is not None
    whole = table_of(MAGIC)
    for id in ("place_triggers -> sba", "all_passed -> closed", "sba_done -> sba [sba_performed]"):
        assert table_of(replace(MAGIC, window=MAGIC.window.without(id))) != whole, id


def test_a_model_from_a_file_gives_the_same_table() -> None:
    assert table_of(fsm.Model.from_json(MAGIC.to_json())) == table_of(MAGIC)


def test_a_hole_is_told() -> None:
    gone = table_of(MAGIC.without("upkeep_window -> upkeep_end on closed"))
    assert [row.text for row in step(gone, "upkeep").rows if row.kind == "hole"] == [
        "No way on from: Priority."
    ]
    gone = table_of(MAGIC.without("cleanup_before -> cleanup_begin"))
    assert "No way on from: Before cleanup." in [row.text for row in step(gone, "cleanup").rows]
    assert (
        table_of(MAGIC.without("turn_end -> turn_hub")).phases[-1].steps[-1].rows[-1].kind == "hole"
    )
    gone = table_of(MAGIC.without("turn_hub -> turn_before"))
    assert gone.holes == ("Next turn",)
    assert all(
        "No way on from:" in tabulate(MAGIC.without("turn_hub -> turn_before"), format=f)
        for f in FORMATS
    )
    assert not any(row.kind == "hole" for row in table_of(MAGIC).rows)
    assert not table_of(MAGIC).holes


# the formats --------------------------------------------------------------------------------------


class Grid(HTMLParser):
    """Reads the cells of an HTML table onto a grid, spans and all; keeps the names of all tags."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.rows: list[list[str]] = []
        self.spans: dict[int, tuple[str, int]] = {}
        self.open = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        if tag == "tr":
            self._carry_to_end()
            self.rows.append([])
        if tag in ("td", "th"):
            self._carry()
            self.rows[-1].append("")
            self.open = True
            left = int(dict(attrs).get("rowspan") or 1) - 1
            if left:
                self.spans[len(self.rows[-1]) - 1] = ("", left)

    def handle_endtag(self, tag: str) -> None:
        if tag in ("td", "th"):
            at = len(self.rows[-1]) - 1
            if at in self.spans:
                self.spans[at] = (self.rows[-1][at], self.spans[at][1])
            self.open = False
        if tag == "table":
            self._carry_to_end()

    def handle_data(self, data: str) -> None:
        if self.open:
            self.rows[-1][-1] += data

    def _carry(self) -> None:
        while len(self.rows[-1]) in self.spans and self._left(len(self.rows[-1])):
            self.rows[-1].append(self._take(len(self.rows[-1])))

    def _carry_to_end(self) -> None:
        if self.rows:
            self._carry()

    def _left(self, at: int) -> bool:
        return self.spans[at][1] > 0 and not self.open

    def _take(self, at: int) -> str:
        text, left = self.spans.pop(at)
        if left > 1:
            self.spans[at] = (text, left - 1)
        return text


def grid(text: str) -> Grid:
    found = Grid()
    found.feed(text)
    return found


@every_model
def test_html_spans_fit_and_say_where_each_line_belongs(model: Model) -> None:
    table, cells = table_of(model), grid(tabulate(model, format="html")).rows
    assert {len(row) for row in cells} == {4}
    lines = [(phase, found, row) for phase, found in steps(table) for row in found.rows]
    assert len(cells) == 1 + len(lines)
    for (phase, found, row), (first, second, third, fourth) in zip(lines, cells[1:], strict=True):
        assert first.startswith(phase.label)
        assert second.startswith(found.label)
        assert third.startswith(row.text)
        assert fourth == row.rule


@every_model
def test_markdown_has_four_cells_a_line(model: Model) -> None:
    lines = [line for line in tabulate(model, format="md").splitlines() if line.startswith("|")]
    assert len(lines) == 2 + len(table_of(model).rows)
    assert {len(re.findall(r"(?<!\\)\|", line)) for line in lines} == {5}


@pytest.mark.parametrize("width", [40, 57, 80, 100, 173])
@built_in
def test_text_fits_its_width(model: Model, width: int) -> None:
    text = tabulate(model, format="txt", width=width)
    assert max(map(len, text.splitlines())) <= width
    assert not any(line.endswith(" ") for line in text.splitlines())
    assert "\x1b" not in text
    assert "\x1b" in tabulate(model, format="txt", width=width, colour=True)


def test_text_in_ascii() -> None:
    assert tabulate(MAGIC, format="txt", ascii=True).isascii()
    assert not tabulate(MAGIC, format="txt").isascii()
    assert tabulate(tiny("日本語のターン"), format="txt", ascii=True).isascii()


def test_text_with_wide_letters_keeps_its_columns() -> None:
    def columns(line: str) -> int:
        return sum(2 if letter in "日本語のターン" else 1 for letter in line)

    lines = tabulate(tiny("日本語のターン"), format="txt", width=60).splitlines()[1:-1]
    assert len({columns(line) for line in lines if line[:1] in "│├┌└"}) == 1


def hostile() -> Model:
    """Every label, doc and rule of Magic in the hand of somebody who means harm."""
    states = tuple(replace(s, label=HOSTILE, doc=HOSTILE, rule=HOSTILE) for s in MAGIC.states)
    rows = tuple(replace(t, doc=HOSTILE, rule=HOSTILE) for t in MAGIC.transitions)
    facts = tuple(replace(f, doc=HOSTILE) for f in MAGIC.facts)
    events = tuple(Event(e.name, HOSTILE, e.completion) for e in MAGIC.events)
    durations = tuple(replace(d, doc=HOSTILE, rule=HOSTILE) for d in MAGIC.durations)
    return replace(
        MAGIC,
        title=HOSTILE,
        edition=HOSTILE,
        states=states,
        transitions=rows,
        facts=facts,
        events=events,
        durations=durations,
        options=((HOSTILE, HOSTILE),),
    )


def test_hostile_words_are_only_words() -> None:
    model = hostile()
    assert set(grid(tabulate(model, format="html")).tags) == set(
        grid(tabulate(MAGIC, format="html")).tags
    )
    markdown = tabulate(model, format="md")
    assert "<script" not in markdown
    assert {
        len(re.findall(r"(?<!\\)\|", li)) for li in markdown.splitlines() if li.startswith("|")
    } == {5}
    assert not re.search(r"(?<!\\)[`\[]", markdown)
    for form in FORMATS:
        assert "\x1b" not in tabulate(model, format=form)


def test_html_is_one_page_for_light_and_dark() -> None:
    page = tabulate(MAGIC, format="html")
    assert "prefers-color-scheme:dark" in page
    assert not re.search(r"<(link|script|img)|https?:|url\(", page)
    assert {"caption", "thead", "tbody", "th", "sup"} <= set(grid(page).tags)
    assert 'scope="col"' in page
    assert 'scope="rowgroup"' in page
    for theme, other in (("light", "dark"), ("dark", "light")):
        fixed = tabulate(MAGIC, format="html", theme=theme)
        assert f"color-scheme:{theme};" in fixed
        assert "prefers-color-scheme" not in fixed
        assert fixed != tabulate(MAGIC, format="html", theme=other)


def test_footnote_links_lead_somewhere() -> None:
    page = tabulate(MAGIC, format="html")
    assert (
        set(re.findall(r'href="#([^"]+)"', page))
        == set(re.findall(r' id="([^"]+)"', page))
        == {"note-A", "note-B"}
    )


def test_edition_and_options_stand_with_the_table() -> None:
    model = fsm.load("magic?extra_draw_on_first_turn=false")
    for form in FORMATS:
        text = tabulate(model, format=form)
        assert "CR 2026-01" in text
        assert "draw" in text
        assert "=false" in text


def test_unknown_words_are_refused() -> None:
    for wrong in ({"format": "mdd"}, {"theme": "darc", "format": "html"}, {"view": "windw"}):
        with pytest.raises(DrawError, match="is unknown"):
            tabulate(MAGIC, **wrong)  # type: ignore[arg-type]


# the command --------------------------------------------------------------------------------------


def run(*arguments: str) -> Result:
    return CliRunner().invoke(cli, arguments, prog_name="fsm")


def test_draw_makes_a_table_of_the_window(tmp_path: Path) -> None:
    path = tmp_path / "window.md"
    assert run("draw", "magic", "-o", str(path), "--view", "window").exit_code == 0
    assert path.read_text("utf-8") == tabulate(MAGIC, view="window", format="md")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--format", "md", "--link", "https://example.org/{rule}"], ["no link", "table"]),
        (["--format", "txt", "--theme", "dark"], ["txt", "no theme"]),
        (["--format", "html", "--theme", "darc"], ["darc", "dark"]),
        (["--format", "txt", "--view", "windw"], ["windw", "did you mean 'window'?"]),
        (["--format", "htlm"], ["did you mean 'html'?"]),
    ],
)
def test_options_that_a_table_cannot_follow_are_refused(
    arguments: list[str], words: list[str]
) -> None:
    done = run("draw", "magic", "-o", "-", *arguments)
    assert (done.exit_code, done.stdout) == (2, "")
    assert len(done.stderr.splitlines()) == 1
    assert all(word in done.stderr for word in words), done.stderr


def test_a_theme_fixes_the_page(tmp_path: Path) -> None:
    path = tmp_path / "turn.html"
    assert run("draw", "magic", "-o", str(path), "--theme", "dark").exit_code == 0
    assert path.read_text("utf-8") == tabulate(MAGIC, format="html", theme="dark")


def on_a_terminal(columns: int, **environment: str) -> str:
    """What `fsm draw magic -o - --format txt` shows on a terminal of this width."""
    pty, fcntl, termios = (pytest.importorskip(name) for name in ("pty", "fcntl", "termios"))
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 40, columns, 0, 0))
    given = {k: v for k, v in os.environ.items() if k not in ("COLUMNS", "NO_COLOR")}
    command = [sys.executable, "-m", "fsm", "draw", "magic", "-o", "-", "--format", "txt"]
    env = {**given, "TERM": "xterm", **environment}
    with processes.started(command, stdout=theirs, env=env) as process:
        os.close(theirs)
        shown = b""
        while True:
            try:
                part = os.read(ours, 65536)
            except OSError:
                break
            if not part:
                break
            shown += part
        os.close(ours)
        assert process.wait() == 0
    return shown.decode()


def test_on_a_terminal_the_table_has_its_width_and_colour() -> None:
    shown = on_a_terminal(72)
    assert "\x1b[" in shown
    bare = re.sub(r"\x1b\[[0-9;]*m", "", shown)
    assert max(map(len, bare.splitlines())) <= 72
    assert bare.replace("\r\n", "\n") == tabulate(MAGIC, format="txt", width=72)
    assert "\x1b[" not in on_a_terminal(72, NO_COLOR="1")


def test_elsewhere_it_has_no_colour_and_plain_signs_where_nothing_else_is_possible() -> None:
    command = [sys.executable, "-m", "fsm", "draw", "magic", "-o", "-", "--format", "txt"]
    plain = processes.run(command, check=True).stdout
    assert plain == tabulate(MAGIC, format="txt")
    asked = {**os.environ, "PYTHONIOENCODING": "ascii"}
    assert processes.run(command, check=True, env=asked).stdout.isascii()
