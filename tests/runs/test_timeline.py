"""The timeline shows in text what happened in each turn of a game, and why something did not."""

from __future__ import annotations

import re
from typing import Any

import pytest

import fsm
from fsm.rulesets import Act, Phase, Step, Table, Then, Window, names
from fsm.scenarios import play
from fsm.views import timeline


def shown(*given: dict[str, Any], turns: int = 1, **more: Any) -> list[str]:
    """The timeline of a game in which this happens."""
    data = {"players": 2, "through_turn": turns, "given": list(given), **more}
    outcome = play(fsm.scenarios.load(data, place="timeline")[0])
    records = [record for record in outcome.records if record.turn <= turns]
    return timeline(records, outcome.model)


def cells(lines: list[str], turn: int = 1) -> list[str]:
    """What a turn's lines show, a blank between cells."""
    first = next(number for number, line in enumerate(lines) if line[:4] == f"{turn:>3} ")
    found = list[str]()
    for line in lines[first:]:
        if found and (line[:3].strip() or re.match("  [A-Z][A-Z0-9] ", line)):
            break
        found.append(" ".join(re.sub("[─╌]+", " ", line[4:]).split()))
    return found


def at(turn: int, where: str, do: str, /, **fields: Any) -> dict[str, Any]:
    return {"when": {"turn": turn, "step": where}, "do": do, **fields}


ATTACK = at(1, "declare_attackers", "attackers", count=1)
RAID = at(2, "main", "attack")
QUIET = "UN UP• (103.8a) M1• BC• DA• (nobody attacks) EC• M2• EN• CL"
HAPPENS = {
    "nothing": ([], [f"A {QUIET}"]),
    "an attack": ([ATTACK], ["A UN UP• (103.8a) M1• BC• DA• DB• CD• EC• M2• EN• CL"]),
    "a skipped phase": ([{"do": "skip_phase", "phase": "combat"}], ["A UN UP• (103.8a) M1• (an effect) M2• EN• CL"]),
    "an extra phase": (
        [at(1, "precombat_main", "add_phase", phases=["combat"])],
        ["A UN UP• (103.8a) M1•1 +BC• +DA• (nobody attacks) +EC•", "BC• DA• (nobody attacks) EC• M2• EN• CL"],
    ),
    "extra steps": (
        [at(1, "end", "add_step", step="draw", after="current_phase", count=2)],
        ["A UN UP• (103.8a) M1• BC• DA• (nobody attacks) EC• M2• EN•1 CL", "+DR•", "+DR•"],
    ),
    "the turn ends": ([at(1, "upkeep", "end_turn")], ["A UN UP•1×·····································································▸CL"]),
    "cleanup again": (
        [{"when": {"turn": 1, "step": "cleanup", "at": "begin"}, "do": "trigger", "id": "x"}],
        [f"A {QUIET}○1", "↻CL"],
    ),
}  # fmt: skip


@pytest.mark.parametrize(("given", "lines"), HAPPENS.values(), ids=HAPPENS)
def test_a_turn_shows_what_happened(given: list[dict[str, Any]], lines: list[str]) -> None:
    assert cells(shown(*given)) == lines


def test_turns_show_whose_they_are(magic: fsm.Model) -> None:
    orders = [at(1, "upkeep", "add_turn", player="A"), at(1, "upkeep", "skip_turn", player="B")]
    lines = shown(*orders, turns=3)
    assert cells(lines, 2)[0].startswith("+A UN UP• DR•")
    assert cells(lines, 3)[0].startswith("A UN UP• DR•")
    assert any("no turn (614.10)" in line for line in lines)


@pytest.mark.parametrize(
    ("given", "lines"),
    [
        ([RAID, RAID], ["MN• RT• DA• EC", "↩MN• RT• DA• EC", "↩MN• EN•"]),
        ([RAID, at(2, "retaliation", "end_phase")], ["MN• RT•1×······▸EC", "↩MN• EN•"]),
    ],
    ids=["twice", "ended"],
)
def test_a_phase_within_a_step_leads_back_to_it(given: list[Any], lines: list[str]) -> None:
    found = cells(shown(*given, turns=2, ruleset="grand-archive"), 2)
    assert [found[0][found[0].index("MN") :], *found[1:]] == lines


def test_a_step_that_goes_round_is_marked() -> None:
    again = {"when": {"turn": 1, "step": "end", "at": "end_clean_up"}, "do": "trigger", "id": "t"}
    assert cells(shown(again, ruleset="grand-archive"))[0].endswith("EN•1↻")


def test_cells_stand_under_their_codes() -> None:
    lines = shown(at(2, "declare_attackers", "attackers", count=1, first_strike=True), turns=2)
    for code in ["UN", "UP", "DR", "M1", "BC", "DA", "DB", "FS", "CD", "EC", "M2", "EN", "CL"]:
        assert lines[3][lines[1].index(code) :].startswith(code)
    assert lines[0].index("COMBAT") == lines[1].index("BC")


def test_the_legend_explains_what_occurs_and_only_that() -> None:
    quiet = "\n".join(shown())
    assert "• players may act   (...) left out, and why" in quiet
    assert "FS First-strike damage" in quiet
    assert "extra" not in quiet and "cut short" not in quiet
    assert "cut short" in "\n".join(shown(at(1, "upkeep", "end_turn")))


@pytest.mark.parametrize("ruleset", names())
def test_it_fits_a_hundred_columns(ruleset: str) -> None:
    lines = shown(turns=3, ruleset=ruleset)
    assert max(map(len, lines)) <= 100
    codes = lines[1].split()
    assert len({code[:2] for code in codes}) == len(codes)


def test_what_a_rule_without_a_number_leaves_out_is_said_in_words() -> None:
    table = Table("t", Phase("draw", Act("draw_card"), unless="first_turn"), Phase("end", Act("x")))
    game = fsm.TurnController(table, ["A", "B"], trace=True)
    fsm.drive(game, fsm.BaseHost(), until=lambda request: request.at.turn == 2)
    assert game.trace is not None
    lines = timeline(game.trace.records, game.model)
    assert lines[-1].strip() == "(a) left out: first turn"


def test_a_reason_has_its_rule_and_what_no_effect_left_out_is_not_blamed_on_one() -> None:
    legend = "\n".join(shown(ruleset="grand-archive"))
    assert "(a) left out: a player's first turn (Turn Order GR1)" in legend
    fork = (Then("c", "won"), Then("d", layer="skip"))
    steps = (
        Step("b", Act("try", decides="won"), then=fork),
        Step("c", Act("x")),
        Step("d", Window()),
    )
    game = fsm.TurnController(Table("t", Phase("a", *steps)), ["A", "B"], trace=True)
    fsm.drive(game, fsm.BaseHost(), until=lambda request: request.at.turn == 2)
    assert game.trace is not None
    lines = timeline(game.trace.records, game.model)
    assert lines[-1].strip() == "(a) left out: otherwise"
