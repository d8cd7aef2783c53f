"""What differs between two models: as text, as JSON, and on one picture of both."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from msgspec import structs

import fsm
import fsm.views
from fsm.model import Action, Model, State, Term, Transition
from fsm.rulesets import Act, Phase, Step, Table, Window
from support.commandline import command
from support.drawings import loaded
from support.drawnsvg import Picture, faults, read

STATED = "magic?stated_attacker_counts=true"
DUSK = Step("dusk", Window("2.2"), label="Dusk", rule="2.1")
DRAW = Step("draw", Act("draw_card", "Draw a card", "1.3"), Window("1.4"), label="Draw", rule="1.2")
MARKET = Table(
    "market",
    Phase("day", Step("dawn", Window("1.1"), label="Dawn", rule="1.1"), DRAW, label="Day"),
    Phase("evening", DUSK, Step("sleep", Act("rest", "Rest", "2.4"), label="Sleep", rule="2.3")),
    title="The Market",
)
PLAN = Step(
    "plan", Act("plan_ahead", "Plan ahead", "house"), Window("house"), label="Plan", rule="house"
)
MORE = MARKET.changed("draw", lambda draw: (draw, PLAN), name="house")
EVE = MARKET.changed("dusk", lambda dusk: replace(dusk, name="eve", label="Eve"))
FIRST, EXTRA = (Term("first_turn"),), (Term("extra_draw"),)


def compared(folder: Path, a: object, b: object, *more: str) -> str:
    """What `fsm diff` says of two models, tables or names."""
    names = [
        side if isinstance(side, str) else stored(folder, side, i) for i, side in enumerate((a, b))
    ]
    done = command("diff", *names, *more)
    assert (done.exit_code, done.stderr) == (0, "")
    return done.stdout


def stored(folder: Path, model: Any, number: int) -> str:
    path = folder / f"{number}.json"
    built = model.build() if isinstance(model, Table) else model
    path.write_text(json.dumps(built.to_json()), encoding="utf-8")
    return str(path)


def data(folder: Path, a: object, b: object) -> Any:
    return json.loads(compared(folder, a, b, "--json"))


def changes(told: Any) -> dict[str, list[str]]:
    """The ids of all that came, went or changed in the turn, by their signs."""
    found: dict[str, list[str]] = {"+": [], "-": [], "~": [], "": []}
    for change in told["changes"]:
        found[change["sign"]].append(change["id"])
    return found


# as text ------------------------------------------------------------------------------------------


def test_nothing_differs(tmp_path: Path) -> None:
    same = "magic?extra_draw_on_first_turn=true"
    assert compared(tmp_path, "magic", same) == f"magic -> {same}: nothing differs\n"
    assert data(tmp_path, "magic", same)["same"] is True


def test_an_option_that_no_player_reads_of_is_told_by_its_transitions(tmp_path: Path) -> None:
    told = compared(tmp_path, "magic", STATED)
    assert "~ option stated_attacker_counts: no -> yes" in told
    assert "In the model: 2 came, 0 went, 3 changed; 5 of them decide" in told
    assert "+ transition declare_attackers_after -> declare_blockers_before: " in told
    assert "\n+ fact stated_attacking: " in told


def test_a_step_more_is_a_few_lines_where_it_stands(tmp_path: Path) -> None:
    told = compared(tmp_path, MARKET, MORE)
    assert "\n+ Day: Plan\n+   Plan ahead (house)\n+   Players may act (house)\n" in told
    assert len(told.splitlines()) < 15
    assert "\n- Day: Plan\n" in compared(tmp_path, MORE, MARKET)


def test_a_renamed_step_is_one_line_and_words_are_counted(tmp_path: Path) -> None:
    told = compared(tmp_path, MARKET, EVE)
    assert "~ step Dusk is now called Eve" in told
    assert "Only in words" in compared(tmp_path, MARKET, reworded())
    assert "step draw_step, rule: 1.2 -> 9.9" in compared(tmp_path, MARKET, reworded(), "--rules")


def test_steps_in_a_row_that_are_all_renamed_are_recognised(tmp_path: Path) -> None:
    other = EVE.changed("sleep", lambda sleep: replace(sleep, name="night", label="Night"))
    renames = data(tmp_path, MARKET, other)["renames"]
    assert [(a["id"], b["id"]) for a, b in renames] == [
        ("dusk_step", "eve_step"),
        ("sleep_step", "night_step"),
    ]


def test_nothing_comes_or_goes_if_a_step_called_as_its_action_is_renamed(tmp_path: Path) -> None:
    rest = Step("rest", Act("rest", "Rest", "2.4"), label="Rest", rule="2.3")
    one = MARKET.changed("sleep", lambda _: rest)
    other = MARKET.changed("sleep", lambda _: replace(rest, name="night", label="Night"))
    told = data(tmp_path, one, other)
    assert len(told["renames"]) == 1
    assert changes(told)["+"] == changes(told)["-"] == []


def test_how_long_effects_last_is_the_same_where_only_a_step_is_renamed() -> None:
    assert "duration" not in since_2006()


def reworded() -> Table:
    return MARKET.changed("draw", lambda draw: replace(draw, rule="9.9"))


@cache
def since_2006() -> str:
    return command("diff", "magic-classic", "magic").stdout


@pytest.mark.parametrize(
    "told",
    [
        "~ step End of turn is now called End step",
        "all assignments as one object, which nobody can counter (310.1)",
        "+   Day and night: it becomes day or night, by the spells of the turn before (502.2)",
        "+ An effect ends the combat phase",
        "  Each time that players get priority",
        "+   Unspent mana empties as each step ends (500.5)",
    ],
)
def test_the_change_of_the_rules_in_2009_can_be_learnt_from_it(told: str) -> None:
    assert told in since_2006()


# as data ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("other", ["magic-classic", "magic-2010", STATED, "grand-archive"])
def test_the_other_way_round_what_came_went(tmp_path: Path, other: str) -> None:
    there, back = data(tmp_path, "magic", other), data(tmp_path, other, "magic")
    ours, theirs = changes(there), changes(back)
    assert {sign: len(ids) for sign, ids in ours.items()} == {
        sign: len(theirs[other]) for sign, other in {"+": "-", "-": "+", "~": "~", "": ""}.items()
    }
    assert there["renames"] == [[b, a] for a, b in back["renames"]]
    if not there["renames"]:  # else what went has names of the other model
        assert sorted(ours["+"]) == sorted(theirs["-"])
        assert sorted(ours["-"]) == sorted(theirs["+"])
    assert sum(map(len, ours.values())) > 0


@pytest.mark.parametrize(
    "row", ["cleanup_again_after -> cleanup_begin", "upkeep_window -> upkeep_end on closed"]
)
def test_a_transition_that_is_taken_out_is_exactly_what_went(tmp_path: Path, row: str) -> None:
    told = data(tmp_path, "magic", loaded("magic").without(row))
    assert changes(told) == {"+": [], "-": [row], "~": [], "": []}
    assert told["renames"] == []


def test_the_window_is_compared_likewise(tmp_path: Path) -> None:
    magic, row = loaded("magic"), "gate -> priority"
    assert magic.window is not None
    told = data(tmp_path, "magic", structs.replace(magic, window=magic.window.without(row)))
    assert changes(told) == {"+": [], "-": [row], "~": [], "": []}


def with_rows(*rows: Transition) -> Model:
    states = tuple(State(id, "choice") for id in ("start", "left", "right", "middle"))
    facts = tuple(loaded("magic").fact(name) for name in ("first_turn", "extra_draw"))
    return Model("rows", "start", states, rows, facts=facts)


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("guard", {"guard": FIRST}, {"guard": EXTRA}),
        ("actions", {}, {"actions": (Action("next_player"),)}),
        ("layer", {}, {"layer": "jump"}),
    ],
)
def test_a_way_that_changed_is_told_by_what_changed(
    tmp_path: Path, name: str, old: dict[str, Any], new: dict[str, Any]
) -> None:
    before = Transition(**{"source": "start", "target": "left", **old})
    after = Transition(**{"source": "start", "target": "left", **new})
    [change] = data(tmp_path, with_rows(before), with_rows(after))["changes"]
    assert list(change["fields"]) == [name]


def test_the_order_of_conditions_means_nothing(tmp_path: Path) -> None:
    one, other = FIRST + EXTRA, EXTRA + FIRST
    both = (with_rows(Transition("start", "left", guard=guard)) for guard in (one, other))
    assert data(tmp_path, *both)["same"] is True


def test_parts_are_compared_field_by_field(tmp_path: Path) -> None:
    magic = loaded("magic")
    fact, duration, setting = magic.facts[0], magic.durations[0], magic.settings[0]
    other = structs.replace(
        magic,
        facts=(structs.replace(fact, timing="live"), *magic.facts[1:]),
        durations=(structs.replace(duration, moment="begin"), *magic.durations[1:]),
        settings=(structs.replace(setting, default=True), *magic.settings[1:]),
    )
    told = data(tmp_path, "magic", other)
    assert changes(told)["~"] == [fact.name, duration.name, setting.name]


def test_texts_that_changed_stand_in_the_order_of_the_fields(tmp_path: Path) -> None:
    texts: dict[str, Any] = {
        "label": "Start",
        "rule": "1.1",
        "doc": "it starts",
        "says": "somebody starts",
    }
    other = structs.replace(with_rows(), states=(State("start", "choice", **texts),))
    one = structs.replace(other, states=(State("start", "choice"),))
    [change] = data(tmp_path, one, other)["changes"]
    assert list(change["texts"]) == list(texts)


@pytest.mark.parametrize(
    "other",
    [
        pytest.param(
            MARKET.changed(
                "dusk",
                lambda _: Step(
                    "eve", Act("pray", "Pray", "2.2"), Window("2.2"), label="Eve", rule="2.1"
                ),
            ),
            id="it does something else",
        ),
        pytest.param(
            MARKET.changed("dusk", lambda _: ()).changed(
                "sleep", lambda sleep: (sleep, replace(DUSK, name="eve", label="Eve"))
            ),
            id="it stands elsewhere",
        ),
    ],
)
def test_what_is_no_rename(tmp_path: Path, other: Table) -> None:
    told = data(tmp_path, MARKET, other)
    assert told["renames"] == []
    steps = [(each["sign"], each["id"]) for each in told["changes"] if each["what"] == "step"]
    assert sorted(steps) == [("+", "eve_step"), ("-", "dusk_step")]


# on a picture -------------------------------------------------------------------------------------


def pictured(a: Any, b: Any, view: str = "turn") -> Picture:
    svg = fsm.draw(b, against=a, view=view)
    assert faults(svg) == []
    return read(svg)


def test_it_names_both_and_says_what_changed_in_words() -> None:
    shown = pictured("magic-classic", "magic")
    assert shown.title == "Magic: what changed"
    assert shown.says("compared with") and shown.says("changed")
    assert shown.says("End step: now called End step, not End of turn")
    assert shown.says("new: day and night") and shown.says("gone: secondary player draws")


def test_the_rail_goes_straight_past_steps_that_are_gone() -> None:
    """Combat begins with five steps that only the other game has."""
    svg = fsm.draw("grand-archive", against="magic")
    reading = fsm.views.read(loaded("grand-archive"))
    ways = [(way.source, way.target) for way in reading.ways]
    number = ways.index(("retaliation_step", "damage_step"))
    [line] = re.findall(f'data-way="{number}">.*?<path [^>]*d="([^"]*)"', svg)
    assert "Q" not in line  # it has no corner


def test_a_step_that_came_or_went_is_in_it() -> None:
    came, went = pictured(MARKET, MORE), pictured(MORE, MARKET)
    assert came.words[came.words.index("Plan") + 1] == "new"
    assert went.words[went.words.index("Plan") + 1] == "gone"


def test_a_step_that_has_another_name_is_one_step() -> None:
    shown = pictured(MARKET, EVE)
    assert shown.says("Eve: now called Eve, not Dusk") and "Dusk" not in shown.words


def test_a_way_that_came_is_marked() -> None:
    less = loaded("magic").without("declare_attackers_after -> end_of_combat_before")
    assert pictured(less, "magic").says("nobody attacks 508.8 new")
    assert pictured("magic", less).says("Gone: from Declare attackers to End of combat")


def test_nothing_is_marked_where_nothing_differs() -> None:
    same = pictured("magic", "magic")
    assert same.says("Nothing that this picture shows has changed.")
    assert not {"new", "gone", "changed"} & set(same.words)


# bad arguments ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("magic?extra=1", "magic"), "option 'extra' is not in magic"),
        (("magic",), "Missing argument 'B'"),
    ],
)
def test_wrong_input_is_one_clear_line(arguments: tuple[str, ...], message: str) -> None:
    done = command("diff", *arguments)
    assert (done.exit_code, done.stdout) == (2, "")
    assert message in done.stderr
    assert len(done.stderr.splitlines()) == 1
