"""The timeline: what it shows of a run, and that it comes from the model alone."""

from __future__ import annotations

import json
from typing import Any

import pytest

import fsm
from fsm.engine import Record
from fsm.model import Model, State
from fsm.model.stepcodes import step_codes
from fsm.rulesets import names
from fsm.runs.taken import taken
from fsm.runs.timeline import ASCII, Timeline, plain
from fsm.runs.turns import Cell, Turn, read_turns
from fsm.scenarios import play
from fsm.views import timeline

MAGIC = fsm.load("magic")
GRAND_ARCHIVE = fsm.load("grand-archive")
every_ruleset = pytest.mark.parametrize(
    "model", [fsm.load(name) for name in names()], ids=lambda m: m.name
)


def records(*given: dict[str, Any], turns: int = 1, **more: Any) -> list[Record]:
    data = {"id": "t", "players": 2, "through_turn": turns, "given": list(given), **more}
    [scenario] = fsm.scenarios.load(json.loads(json.dumps(data)), place="t.json")
    return [r for r in play(scenario).records if r.turn <= turns]


def at(turn: int, step: str, do: str, /, **fields: Any) -> dict[str, Any]:
    return {"when": {"turn": turn, "step": step}, "do": do, **fields}


def line_of(turn: int, lines: list[str]) -> str:
    return next(line for line in lines if line.startswith(f"{turn:>3} "))


def shown(*given: dict[str, Any], turns: int = 1, **more: Any) -> list[str]:
    return timeline(records(*given, turns=turns, **more), MAGIC, marks=ASCII)


def test_a_quiet_first_turn() -> None:
    cells = line_of(1, shown())[13:].replace("~", "-").split("-")
    assert " ".join(filter(None, cells)) == "UN UP* (103.8a) M1* BC* DA* (508.8) EC* M2* EN* CL"


def test_cells_stand_under_their_codes() -> None:
    lines = shown(at(2, "declare_attackers", "attackers", count=1, first_strike=True), turns=2)
    codes = lines[1]
    line = line_of(2, lines)
    for code in codes.split():
        assert line[codes.index(code) : codes.index(code) + 2] == code


def test_extra_steps_start_new_lines_and_are_marked() -> None:
    attack = at(1, "declare_attackers", "attackers", count=1)
    upkeeps = at(1, "combat_damage", "add_step", step="upkeep", after="current_phase", count=2)
    lines = shown(attack, upkeeps)
    first = lines.index(line_of(1, lines))
    assert lines[first].endswith("EC*")
    assert lines[first + 1].strip() == "+UP*"
    assert lines[first + 2].strip().startswith("+UP*-")
    assert lines[first + 2].endswith("CL")


def test_the_normal_combat_after_an_extra_one_is_not_marked() -> None:
    lines = shown(at(1, "precombat_main", "add_phase", phases=["combat"]))
    first = lines.index(line_of(1, lines))
    assert "+BC*" in lines[first]
    assert lines[first + 1].strip().startswith("BC*")


def test_a_turn_cut_short_jumps() -> None:
    line = line_of(1, shown(at(1, "upkeep", "end_turn")))
    assert "UP*1x......" in line
    assert line.endswith(".>CL")


def test_cleanup_again_and_window_opened_by_something() -> None:
    trigger = {"when": {"turn": 1, "step": "cleanup", "at": "begin"}, "do": "trigger", "id": "x"}
    lines = shown(trigger)
    first = lines.index(line_of(1, lines))
    assert lines[first].endswith("CLo1")
    assert lines[first + 1].strip() == "@CL"


def test_an_extra_turn_and_a_skipped_turn() -> None:
    lines = shown(
        at(1, "upkeep", "add_turn", player="A"), at(1, "upkeep", "skip_turn", player="B"), turns=3
    )
    assert line_of(2, lines).startswith("  2 +A ")
    assert line_of(3, lines).startswith("  3  A ")
    assert lines[lines.index(line_of(3, lines)) - 1].split() == ["-", "(614.10)", "no", "turn"]


def test_a_skipped_phase_is_one_gap() -> None:
    line = line_of(1, shown({"do": "skip_phase", "phase": "combat"}))
    assert line.count("(614.10)") == 1
    assert "BC" not in line
    assert "M1*" in line


def test_steps_that_an_extra_phase_does_not_hold_are_not_shown_as_missing() -> None:
    lines = shown(at(1, "end", "add_step", step="draw", after="current_phase"))
    first = lines.index(line_of(1, lines))
    assert lines[first].endswith("CL")
    assert lines[first + 1].strip() == "+DR*"


def test_the_legend_explains_what_occurs_and_only_that() -> None:
    quiet = "\n".join(shown())
    assert "* players may act" in quiet
    assert "(rule) left out" in quiet
    assert "extra" not in quiet
    assert "cut short" not in quiet
    assert all(step.label in quiet for step in MAGIC.of_kind("step"))


@every_ruleset
def test_it_fits_a_hundred_columns(model: Model) -> None:
    assert Timeline(model).width <= 100
    assert max(map(len, timeline(records(turns=3, ruleset=model.name), model))) <= 100


@every_ruleset
@pytest.mark.parametrize("room", [None, 60])
def test_phases_stand_above_their_steps(model: Model, room: int | None) -> None:
    phases, codes = map(plain, Timeline(model, ASCII, room=room).header())
    firsts: dict[State | None, int] = {}
    for step in model.of_kind("step"):
        firsts.setdefault(
            model.enclosing(step.id, "phase"), codes.index(f" {step_codes(model)[step.id]}") + 1
        )
    assert [
        i
        for i in range(1, len(phases))
        if phases[i - 1] == " " != phases[i] and i in firsts.values()
    ] == [*firsts.values()]


def test_cells_move_closer_together_where_there_is_less_room() -> None:
    layout = Timeline(MAGIC, ASCII, room=80)
    lines = [
        plain(line) for turn in read_turns(records(turns=2), MAGIC) for line in layout.turn(turn)
    ]
    assert max(map(len, lines)) <= 80
    assert "(508.8)" in lines[0]


def test_long_names_are_shortened_not_shifted() -> None:
    lines = shown(turn_order=["Bartholomew the Third", "B"], turns=2)
    assert line_of(1, lines).index("UN-") == line_of(2, lines).index("UN-")


@every_ruleset
def test_codes_are_two_letters_and_differ(model: Model) -> None:
    codes = step_codes(model)
    assert len(set(codes.values())) == len(model.of_kind("step"))
    assert {len(code) for code in codes.values()} == {2}
    assert all(
        code[0] == model.state(step).name[0].upper() or code[1].isdigit()
        for step, code in codes.items()
    )


def test_single_words_that_begin_alike_take_other_letters() -> None:
    codes = step_codes(GRAND_ARCHIVE)
    assert [
        codes[f"{step}_step"] for step in ("materialize", "main", "recollection", "retaliation")
    ] == [
        "MA",
        "MN",
        "RE",
        "RT",
    ]


def test_steps_of_one_family_are_numbered() -> None:
    codes = step_codes(MAGIC)
    assert codes["combat_damage_step"] == "CD"
    assert (codes["precombat_main_step"], codes["postcombat_main_step"]) == ("M1", "M2")


def test_turns_can_be_read_one_at_a_time() -> None:
    turns = list(read_turns(iter(records(turns=3)), MAGIC))
    assert [(t.number, t.active) for t in turns] == [(1, "A"), (2, "B"), (3, "A")]
    assert isinstance(turns[0], Turn)
    assert list(read_turns([], MAGIC)) == []


def test_a_note_stands_above_its_turn() -> None:
    [turn] = read_turns(records(), MAGIC)
    turn.note = "nobody attacks"
    assert plain(Timeline(MAGIC).turn(turn)[0]).strip() == "nobody attacks"


def test_taken_counts_against_the_model_it_is_given() -> None:
    run, gone = records(), "declare_attackers_after -> end_of_combat_before"
    assert gone in taken(MAGIC, run).turn
    assert taken(MAGIC, []).count == 0
    less = MAGIC.without(gone)
    assert taken(less, run).total == taken(MAGIC, run).total - 1
    assert gone not in (*taken(less, run).turn, *taken(less, run).turn_missed)


def test_many_lines_alike_are_told_once() -> None:
    endless = {
        "id": "endless",
        "players": 2,
        "through_turn": 1,
        "given": [{"do": "standing_trigger", "id": "t", "step": "cleanup"}],
    }
    outcome = play(fsm.scenarios.load(endless, place="endless")[0], max_steps=60)
    lines = timeline(outcome.records, outcome.model)
    assert len(lines) < 12
    assert any("more lines like it" in line for line in lines)


@pytest.mark.parametrize(("upkeeps", "lines"), [(5, 5), (6, 4)], ids=["few", "many"])
def test_of_more_than_four_lines_alike_two_are_told(upkeeps: int, lines: int) -> None:
    """The first line of a turn is like no other, for it has the turn's number."""
    shown = [
        plain(line)
        for line in Timeline(MAGIC, ASCII).turn(Turn(1, "A", cells=[Cell("upkeep_step")] * upkeeps))
    ]
    assert len(shown) == lines
    assert [line.strip() for line in shown if "more" in line] == (
        ["and 3 more lines like it"] if upkeeps == 6 else []
    )


def test_each_long_citation_has_a_letter_of_its_own() -> None:
    layout, rules = Timeline(MAGIC, ASCII), [f"a long citation {number}" for number in range(3)]
    layout.turn(
        Turn(1, "A", cells=[Cell("upkeep_step", skipped=True, rule=rule) for rule in rules])
    )
    legend = " ".join(map(plain, layout.legend()))
    for letter, rule in zip("abc", rules, strict=True):
        assert f"({letter}) left out, by {rule}" in legend


# phases inside phases, several windows in a step, ways back inside it -----------------------------


def archive(*given: dict[str, Any], turn: int, **more: Any) -> list[str]:
    """The lines of one turn of Grand Archive, from main on, without blanks."""
    run = records(*given, turns=turn, ruleset="grand-archive", **more)
    layout = Timeline(GRAND_ARCHIVE, ASCII)
    [found] = [t for t in read_turns(run, GRAND_ARCHIVE) if t.number == turn]
    return [plain(line)[layout.columns["main_step"] :].rstrip() for line in layout.turn(found)]


def cells(line: str) -> list[str]:
    return [cell for cell in line.replace("~", "-").split("-") if cell]


def test_a_step_that_waits_for_a_phase_inside_it_goes_on_below() -> None:
    fight = at(2, "main", "attack")
    assert list(map(cells, archive(fight, turn=2))) == [
        ["MN*", "RT*", "DA*", "EC"],
        ["<MN*", "EN*"],
    ]
    assert list(map(cells, archive(fight, fight, turn=2))) == [
        ["MN*", "RT*", "DA*", "EC"],
        ["<MN*", "RT*", "DA*", "EC"],
        ["<MN*", "EN*"],
    ]


def test_coming_back_is_no_new_visit_and_not_again() -> None:
    run = records(at(2, "main", "attack"), turns=2, ruleset="grand-archive")
    [_, turn] = read_turns(run, GRAND_ARCHIVE)
    assert [c.back for c in turn.cells if c.step == "main_step"] == [False, True]
    assert not any(c.again or c.extra or c.cut for c in turn.cells)


def test_a_window_that_opens_in_any_case_is_told_before_one_that_does_not() -> None:
    run = records(
        {"do": "standing_trigger", "id": "x", "step": "main"}, turns=1, ruleset="grand-archive"
    )
    [turn] = read_turns(run, GRAND_ARCHIVE)
    marks = {c.step: (c.priority, c.conditional) for c in turn.cells}
    assert marks["main_step"] == (True, False), "both kinds opened"
    only = records(
        {"do": "standing_trigger", "id": "x", "step": "draw"}, turns=2, ruleset="grand-archive"
    )
    drawn = [
        c for turn in read_turns(only, GRAND_ARCHIVE) for c in turn.cells if c.step == "draw_step"
    ]
    cell = next(c for c in drawn if c.priority)
    assert cell.conditional


def test_a_way_back_inside_a_step_is_marked_on_it() -> None:
    again = {"when": {"turn": 1, "step": "end", "at": "end_clean_up"}, "do": "trigger", "id": "t"}
    assert cells(archive(again, turn=1)[0])[-1] == "EN*1@"
    assert cells(archive(turn=1)[0])[-1] == "EN*"


def test_a_turn_ended_goes_into_the_middle_of_its_last_step() -> None:
    assert archive(at(1, "main", "end_turn"), turn=1)[0].endswith(".>EN")


def test_ending_a_phase_inside_another_leads_back_to_that() -> None:
    lines = archive(at(2, "main", "attack"), at(2, "retaliation", "end_phase"), turn=2)
    assert lines[0].endswith("x......>EC")
    assert cells(lines[1]) == ["<MN*", "EN*"]


def test_a_long_citation_stands_in_the_legend() -> None:
    lines = timeline(records(ruleset="grand-archive"), GRAND_ARCHIVE, marks=ASCII)
    assert [line_of(1, lines).count(f"({letter})") for letter in "abcd"] == [2, 1, 1, 0]
    assert any("(a) left out, by Turn Order GR1" in line for line in lines)
    assert any("< back" in line for line in lines) is False


@every_ruleset
def test_phases_left_out_are_shown_with_their_rule(model: Model) -> None:
    """Each ruleset leaves out something on the first turn, and says why."""
    [turn] = [t for t in read_turns(records(ruleset=model.name), model) if t.number == 1]
    skips = [c for c in turn.cells if c.skipped]
    assert skips
    assert all(c.rule in {t.rule for t in model.transitions if t.layer == "skip"} for c in skips)
