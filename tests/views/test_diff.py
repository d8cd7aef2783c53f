"""What differs between two models: as data, as JSON and as text."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import fsm
from fsm import diff
from fsm.cli import cli
from fsm.model import Action, Event, Model, State, Term, Transition
from fsm.rulesets import Act, Step, Window, names
from fsm.rulesets.magic.ruleset import table
from fsm.views.diff import Change, Difference, Field
from fsm.views.diff.asjson import as_json
from fsm.views.diff.text import sections_of
from support.amounts import sample
from support.inventedgames import random_game, towns

MAGIC = fsm.load("magic")
STATED = fsm.load("magic?stated_attacker_counts=true")
TABLE = table()
PLANNING = TABLE.with_step(
    Step("planning", "Planning", "house", (Act("plan", "Plan ahead", "house"), Window("house"))),
    after="draw",
).build()
NO_UPKEEP = TABLE.without_step("upkeep").build()
DUSK = (
    TABLE.without_step("end")
    .with_step(Step("dusk", "Dusk", "313", (Window("313.1"),)), before="cleanup")
    .build()
)
TOWNS = towns()
BUILT_IN = [fsm.load(name) for name in names() if name != "magic"]
OTHERS = [STATED, PLANNING, NO_UPKEEP, DUSK, TOWNS, random_game(1), *BUILT_IN]
games = st.integers(0, 400).map(random_game)


def ids(changes: Iterable[Change], sign: str) -> set[str]:
    return {c.id for c in changes if c.sign == sign}


def swapped(change: Change) -> tuple[object, ...]:
    """A change as the other direction would say it."""
    return change.what, change.b, change.a, frozenset((f.name, f.b, f.a) for f in change.fields)


def as_said(change: Change) -> tuple[object, ...]:
    return change.what, change.a, change.b, frozenset((f.name, f.a, f.b) for f in change.fields)


def all_changes(difference: Difference) -> list[Change]:
    found = [*difference.changes, *difference.texts]
    return found + (all_changes(difference.window) if difference.window else [])


# laws ---------------------------------------------------------------------------------------------


@settings(max_examples=50)
@given(games)
def test_a_model_differs_in_nothing_from_itself(model: Model) -> None:
    difference = diff(model, model)
    assert difference.empty
    assert (difference.changes, difference.texts, difference.head) == ((), (), ())


@pytest.mark.parametrize("other", OTHERS, ids=lambda m: m.name)
def test_the_other_way_round_what_came_went(other: Model) -> None:
    there, back = diff(MAGIC, other), diff(other, MAGIC)
    assert not there.empty
    assert {swapped(c) for c in all_changes(there)} == {as_said(c) for c in all_changes(back)}
    assert {(r.a, r.b) for r in there.renames} == {(r.b, r.a) for r in back.renames}
    assert {(o.a, o.b) for o in there.orders} == {(o.b, o.a) for o in back.orders}


@settings(max_examples=50)
@given(games, games)
def test_the_other_way_round_holds_for_any_two_games(a: Model, b: Model) -> None:
    sections_of(diff(a, b))
    assert {swapped(c) for c in all_changes(diff(a, b))} == {
        as_said(c) for c in all_changes(diff(b, a))
    }


@pytest.mark.parametrize("model", [MAGIC, MAGIC.window, TOWNS], ids=["magic", "window", "towns"])
def test_a_transition_taken_out_is_exactly_what_went(model: Model) -> None:
    for row in sample(model.transitions, 40):
        difference = diff(model, model.without(row.id))
        assert [as_said(c) for c in difference.changes] == [("transition", row, None, frozenset())]
        assert difference.orders == ()


def test_what_is_gone_is_told_where_it_stood() -> None:
    kept, gone, changed, *rest = MAGIC.durations
    other = replace(MAGIC, durations=(kept, replace(changed, what="elsewhere"), *rest))
    assert [(c.sign, c.id) for c in diff(MAGIC, other).parts] == [
        ("-", gone.name),
        ("~", changed.name),
    ]


@settings(max_examples=50)
@given(games, st.data())
def test_everything_that_differs_is_found(model: Model, data: st.DataObject) -> None:
    """Add a row, take one, change the actions of one: all three are told, nothing else."""
    rows = [
        t
        for t in model.transitions
        if len([u for u in model.transitions if u.source == t.source]) == 1
    ]
    assume(len(rows) >= 2)
    gone, busy = data.draw(st.permutations(rows))[:2]
    marked = replace(busy, actions=(Action("mark", ("x",)),))
    others = tuple(marked if t is busy else t for t in model.transitions if t is not gone)
    fresh = Transition(model.leaves[0].id, model.leaves[-1].id, "fresh")
    changed = replace(model, transitions=(*others, fresh), events=(*model.events, Event("fresh")))
    difference = diff(model, changed)
    assert ids(difference.transitions, "+") == {fresh.id}
    assert ids(difference.transitions, "-") == {gone.id}
    assert ids(difference.transitions, "~") == {marked.id}
    assert [(c.what, c.sign, c.id) for c in difference.parts] == [("event", "+", "fresh")]


@pytest.mark.parametrize("other", OTHERS, ids=lambda m: m.name)
def test_json_has_everything_and_is_json(other: Model) -> None:
    difference = diff(MAGIC, other)
    data: dict[str, Any] = as_json(difference)
    assert json.loads(json.dumps(data)) == data
    kinds = [
        "turns",
        "phases",
        "steps",
        "stages",
        "procedures",
        "transitions",
        "facts",
        "events",
        "durations",
    ]
    told = [data[kind] for kind in (*kinds, "settings", "windows")]
    count = sum(len(changes) for found in told for changes in found.values())
    assert count == len(difference.changes)
    assert data["same"] is False


# rows ---------------------------------------------------------------------------------------------


def with_rows(*rows: Transition) -> Model:
    states = tuple(State(id, "choice") for id in ("start", "left", "right", "middle"))
    facts = tuple(
        fsm.load("magic").fact(f)
        for f in ("first_turn", "extra_draw", "stack_empty")
        if f != "stack_empty"
    )
    return Model("rows", "start", states, rows, facts=facts)


FIRST, EXTRA = (Term("first_turn"),), (Term("extra_draw"),)


@pytest.mark.parametrize(
    ("old", "new", "fields"),
    [
        (
            Transition("start", "left", guard=FIRST),
            Transition("start", "left", guard=EXTRA),
            ["guard"],
        ),
        (
            Transition("start", "left", guard=FIRST),
            Transition("start", "right", guard=FIRST),
            ["target"],
        ),
        (
            Transition("start", "left"),
            Transition("start", "left", actions=(Action("next_player"),)),
            ["actions"],
        ),
        (Transition("start", "left"), Transition("start", "left", layer="jump"), ["layer"]),
    ],
    ids=["guard", "target", "actions", "layer"],
)
def test_a_row_that_changed_is_told_by_what_changed(
    old: Transition, new: Transition, fields: list[str]
) -> None:
    [change] = diff(with_rows(old), with_rows(new)).changes
    assert (change.sign, [f.name for f in change.fields]) == ("~", fields)
    assert (change.a, change.b) == (old, new)


def test_a_row_with_other_guard_and_other_target_is_another_row() -> None:
    old, new = Transition("start", "left", guard=FIRST), Transition("start", "right", guard=EXTRA)
    difference = diff(with_rows(old), with_rows(new))
    assert [(c.sign, c.part) for c in difference.changes] == [("+", new), ("-", old)]


def test_the_same_rows_in_another_order_are_told_as_such() -> None:
    rows = (Transition("start", "left", guard=FIRST), Transition("start", "right", guard=EXTRA))
    difference = diff(with_rows(*rows), with_rows(*reversed(rows)))
    assert difference.changes == ()
    [order] = difference.orders
    assert (order.source, order.a, order.b) == (
        "start",
        tuple(t.id for t in rows),
        tuple(t.id for t in rows[::-1]),
    )
    assert order.was == (1, 0)
    assert not difference.empty


def test_the_order_of_terms_in_a_guard_means_nothing() -> None:
    old = Transition("start", "left", guard=FIRST + EXTRA)
    assert diff(with_rows(old), with_rows(replace(old, guard=EXTRA + FIRST))).empty


def test_the_likest_of_several_guards_is_the_one_that_changed() -> None:
    short, long = (
        Transition("start", "left", guard=FIRST),
        Transition("start", "left", guard=(*FIRST, *EXTRA)),
    )
    new = Transition("start", "left", guard=(Term("first_turn", False),))
    difference = diff(with_rows(long, short), with_rows(new))
    assert [(c.a, c.b) for c in difference.transitions] == [(short, new), (long, None)]


# renames ------------------------------------------------------------------------------------------


def test_a_step_renamed_in_its_place_is_one_rename_and_no_change() -> None:
    difference = diff(MAGIC, DUSK)
    assert [(r.a.id, r.b.id) for r in difference.renames] == [("end_step", "dusk_step")]
    assert difference.changes == ()
    assert {f.name for c in difference.texts for f in c.fields} <= {"rule", "label", "doc"}


def test_an_action_that_names_something_else_of_that_name_stays() -> None:
    """The step `end_of_turn` may be renamed; the moment `end_of_turn`, until which effects last, is
    not meant.
    """
    old = (
        TABLE.without_step("end")
        .with_step(Step("end_of_turn", "End of turn", "313", (Window("313.1"),)), before="cleanup")
        .build()
    )
    assert diff(old, MAGIC).changes == ()
    assert diff(MAGIC, old).changes == ()


def test_a_step_that_does_something_else_is_no_rename() -> None:
    study = Step(
        "study", "Study", "504", (Act("read_a_book", "Read a book", "504.1"), Window("504.2"))
    )
    other = TABLE.without_step("draw").with_step(study, after="upkeep").build()
    difference = diff(MAGIC, other)
    assert difference.renames == ()
    assert {(c.sign, c.id) for c in difference.states if c.what == "step"} == {
        ("-", "draw_step"),
        ("+", "study_step"),
    }


def test_a_step_in_another_place_is_no_rename() -> None:
    other = (
        TABLE.without_step("end")
        .with_step(Step("dusk", "Dusk", "313", (Window("313.1"),)), after="cleanup")
        .build()
    )
    assert diff(MAGIC, other).renames == ()


def test_two_steps_that_came_in_one_place_are_no_rename() -> None:
    one, two = (Step(name, name.title(), "313", (Window("313.1"),)) for name in ("dusk", "night"))
    other = (
        TABLE.without_step("end")
        .with_step(two, before="cleanup")
        .with_step(one, after="night")
        .build()
    )
    assert diff(MAGIC, other).renames == ()


def test_a_renamed_step_that_also_changed_tells_only_the_change() -> None:
    changed = DUSK.without("dusk_before -> dusk_after [skip_dusk]")
    assert [(c.sign, c.id) for c in diff(MAGIC, changed).changes] == [
        ("-", "end_before -> end_after [skip_end]")
    ]


# parts --------------------------------------------------------------------------------------------


def test_states_facts_durations_settings_and_the_head_are_compared_field_by_field() -> None:
    fact, duration, setting = MAGIC.facts[0], MAGIC.durations[0], MAGIC.settings[0]
    other = replace(
        MAGIC,
        edition="house 1",
        facts=(replace(fact, timing="live"), *MAGIC.facts[1:]),
        durations=(replace(duration, moment="begin"), *MAGIC.durations[1:]),
        settings=(replace(setting, default=True), *MAGIC.settings[1:]),
        states=tuple(
            replace(s, opens="conditional") if s.id == "upkeep_window" else s for s in MAGIC.states
        ),
    )
    difference = diff(MAGIC, other)
    assert difference.head == (Field("edition", MAGIC.edition, "house 1"),)
    assert {(c.what, c.id, c.fields) for c in difference.changes} == {
        ("fact", fact.name, (Field("timing", fact.timing, "live"),)),
        ("duration", duration.name, (Field("moment", duration.moment, "begin"),)),
        ("setting", setting.name, (Field("default", False, True),)),
        ("stage", "upkeep_window", (Field("opens", "natural", "conditional"),)),
    }


def test_citations_and_documentation_are_kept_apart() -> None:
    other = replace(
        MAGIC,
        transitions=(replace(MAGIC.transitions[0], rule="1.1", doc="new"), *MAGIC.transitions[1:]),
    )
    difference = diff(MAGIC, other)
    assert difference.changes == ()
    [change] = difference.texts
    assert {f.name for f in change.fields} == {"rule", "doc"}
    assert not difference.empty


def test_the_window_is_compared_likewise() -> None:
    assert MAGIC.window is not None
    row = MAGIC.window.transitions[3].id
    difference = diff(MAGIC, replace(MAGIC, window=MAGIC.window.without(row)))
    assert difference.changes == ()
    assert difference.window is not None
    assert [(c.sign, c.id) for c in difference.window.changes] == [("-", row)]
    [lost] = diff(MAGIC, replace(MAGIC, window=None)).changes
    assert (lost.what, lost.sign, lost.id) == ("window", "-", MAGIC.window.name)


# what the rulebook changed ------------------------------------------------------------------------


def test_the_change_of_2009_can_be_learnt_from_it() -> None:
    difference = diff(fsm.load("magic-classic"), MAGIC)
    assert [(r.a.label, r.b.label) for r in difference.renames] == [
        ("End", "Ending"),
        ("End of turn", "End step"),
    ]
    assert not [c for c in difference.states if c.what in ("phase", "step")]
    gone = {c.part.action for c in difference.states if c.sign == "-" and isinstance(c.part, State)}
    assert "put_damage_on_stack" in gone
    ends = [
        c
        for c in difference.states
        if isinstance(c.b, State) and c.b.role == "end" and c.field("action")
    ]
    asked = {(f.a, f.b) for c in ends for f in c.fields if f.name == "action"}
    assert asked == {("lose_mana", ""), ("", "empty_mana"), ("lose_mana", "empty_mana")}
    guards = [
        c.field("guard") for c in difference.transitions if c.id.startswith("combat_damage_before")
    ]
    assert [g.b for g in guards if g] == [
        (Term("attackers_declared", False), Term("put_in_attacking", False))
    ]
    assert {c.id for c in difference.states if c.what == "procedure" and c.sign == "+"} >= {
        "end_combat_stack"
    }
    assert difference.window is not None
    assert [c.fields for c in difference.window.states] == [
        (Field("manner", "one_pass", "two_passes"),)
    ]


def test_its_text_is_short() -> None:
    told = run("magic-classic", "magic").stdout.splitlines()
    assert "~ step End of turn is now called End step" in told
    assert any("only in words" in line for line in told)
    assert len(told) < 150
    assert len(diff(fsm.load("magic-classic"), MAGIC).texts) > 300, "renumbered rules"


# the command --------------------------------------------------------------------------------------


def run(*arguments: object) -> Result:
    return CliRunner().invoke(cli, ["diff", *map(str, arguments)], prog_name="fsm")


def file(folder: Path, model: Model, name: str = "house") -> str:
    path = folder / f"{name}.json"
    path.write_text(json.dumps(model.to_json()), encoding="utf-8")
    return str(path)


def text(folder: Path, a: Model, b: Model, *more: str) -> str:
    done = run(file(folder, a, "a"), file(folder, b, "b"), *more)
    assert (done.exit_code, done.stderr) == (0, "")
    assert "\x1b" not in done.stdout, "colour is for terminals"
    return done.stdout


def test_nothing_differs() -> None:
    done = run("magic", "magic?extra_draw_on_first_turn=true")
    assert done.exit_code == 0
    assert done.stdout == "magic and magic?extra_draw_on_first_turn=true: nothing differs\n"


def test_an_option_is_told_in_the_words_of_its_facts() -> None:
    done = run("magic", "magic?stated_attacker_counts=true")
    assert done.exit_code == 0
    lines = done.stdout.splitlines()
    assert (
        "+   declare_attackers_after -> declare_blockers_before, if an effect stated that a creature is attacking"
        in (done.stdout)
    )
    now = "now: unless a creature was declared as an attacker this combat or a creature was put onto the battlefield"
    assert any(
        now in line and "an effect stated that a creature is attacking  [508.8]" in line
        for line in lines
    )
    assert lines[-1].startswith("2 came, 0 went, 3 changed, 0 renamed")


def test_a_step_more_is_a_few_lines(tmp_path: Path) -> None:
    told = text(tmp_path, MAGIC, PLANNING)
    assert "+   Planning  [house]\n      in it: Plan ahead, players may act\n" in told
    assert "~   draw_after: now to planning_before, was to beginning_phase_end" in told
    assert "planning_before" not in told.replace("now to planning_before", ""), (
        "its frame is only counted"
    )
    assert told.index("BEGINNING") < told.index("  Draw\n") < told.index("  Planning\n")
    assert len(told.splitlines()) < 16


def test_a_stage_more_takes_its_arrows_with_it(tmp_path: Path) -> None:
    quiet = TABLE.changed("untap", lambda s: replace(s, does=s.does[:1] + s.does[2:])).build()
    told = text(tmp_path, quiet, MAGIC)
    assert (
        "+   Day and night: it becomes day or night, by the spells of the turn before  [502.2]"
        in told
    )
    assert "->" not in told.split("UNTAP", 1)[-1].split("  Untap\n")[1].split("only in words")[0]


def test_what_is_the_same_in_every_step_is_said_once(tmp_path: Path) -> None:
    plain = replace(TABLE, rules=replace(TABLE.rules, end_action=None)).build()
    told = text(tmp_path, plain, MAGIC)
    assert (
        "EVERY STEP (here called X)\n~ X ends  [500.5]\n    the game is asked to: nothing -> empty mana\n"
        in told
    )
    assert told.count("empty mana") == 2, "of every step, and of the combat phase"


def test_a_rename_is_one_line_and_words_are_counted(tmp_path: Path) -> None:
    told = text(tmp_path, MAGIC, DUSK)
    assert "\n~ step End step is now called Dusk\n" in told
    assert "~ only in words: 4 citations" in told
    assert "end_step: rule" not in told
    assert "    step dusk_step: rule 513 -> 313\n" in text(tmp_path, MAGIC, DUSK, "--rules")


def test_a_procedure_has_its_own_heading(tmp_path: Path) -> None:
    procedure = {s.id for s in MAGIC.states if s.id.startswith("end_combat_")}
    rows = [
        t
        for t in MAGIC.transitions
        if not procedure & {t.source, t.target} and t.event != "end_phase"
    ]
    states = tuple(s for s in MAGIC.states if s.id not in procedure)
    events = tuple(e for e in MAGIC.events if e.name != "end_phase")
    told = text(
        tmp_path, replace(MAGIC, states=states, transitions=tuple(rows), events=events), MAGIC
    )
    _, heading, under = told.partition("On end_phase: an effect ends the combat phase\n")
    assert heading
    assert "+ Exile the stack: every object, the resolving one too  [723.2b]" in under
    assert "+ event end_phase" in under


def test_the_window_has_its_own_part(tmp_path: Path) -> None:
    assert MAGIC.window is not None
    told = text(tmp_path, MAGIC, replace(MAGIC, window=MAGIC.window.without("gate -> priority")))
    assert "Inside each window: The priority window" in told
    assert "- gate -> priority" in told


def test_json_by_both_spellings() -> None:
    long, short = run("magic", "magic", "--format", "json"), run("magic", "magic", "--json")
    assert long.stdout == short.stdout
    assert json.loads(long.stdout)["same"] is True


WRONG = [
    (("magic", "magci"), "ruleset 'magci' is unknown; did you mean 'magic'?"),
    (("magic?extra=1", "magic"), "option 'extra' is not in magic"),
    (("magic", "none.json"), "none.json: there is no such file"),
    (("magic", "magic", "-o", "both.jpg"), "'both.jpg' does not end in .svg or .dot"),
    (("magic",), "Missing argument 'B'"),
]


@pytest.mark.parametrize(("arguments", "message"), WRONG, ids=[w[1] for w in WRONG])
def test_wrong_input_is_one_clear_line(
    arguments: tuple[str, ...], message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    done = run(*arguments)
    assert (done.exit_code, done.stdout) == (2, "")
    assert message in done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert list(tmp_path.iterdir()) == []
