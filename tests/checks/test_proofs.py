"""A proof explores every game within bounds: what is sound holds, what is broken is refuted by a
game that can be replayed.
"""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from msgspec import structs

import fsm
from fsm import AddPhase, AddStep, SkipPhase, SkipStep, SkipTurn
from fsm.checks import Bounds, Proof, Witness, prove
from fsm.model import Model
from support.amounts import sample, thorough
from support.commandline import command
from support.proofmutants import BYPASSED, bypassing, rerouted

TINY = Bounds(turns=1, stack=1, together=0)
TWO_TURNS = Bounds(stack=1)
CLASSIC = fsm.load("magic-classic")


def ended(model: Model, witness: Witness) -> fsm.TurnController:
    """The game at the end of the witness."""
    game = fsm.TurnController(model, ["A", "B"])
    for answer in witness.answers:
        game.answer(answer)
    return game


# what is sound ------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def classic() -> Proof:
    return prove("magic-classic", TINY)


def test_a_sound_ruleset_is_proved_within_bounds(classic: Proof) -> None:
    assert classic.ok
    assert classic.witnesses == []
    assert classic.positions == 951
    assert len(classic.verdicts) == 20
    assert str(classic.bounds) == "2 players, 1 turn, a stack of 1, 0 orders at a time"


def test_the_properties_are_told_with_their_rules_and_whether_they_came_up(classic: Proof) -> None:
    told: Any = classic.as_dict()["properties"]
    listed = json.loads(command("check", "magic-classic", "--rules", "--json").output)["rules"]
    rules = {rule["rule"] for rule in listed}
    assert all(one["says"] and one["holds"] for one in told)
    assert {rule for one in told for rule in one["rule"].split(", ")} <= rules
    assert [one["name"] for one in told if not one["came_up"]] == [
        "skipped_never_was",
        "extras_at_once",
    ]


SMALL = {  # positions of two turns with a stack of one object and these orders
    "magic": 44153,
    "magic-2010": 35607,
    "magic-classic": 16101,
    "grand-archive": 9982,
}


@thorough
@pytest.mark.parametrize("name", SMALL)
def test_as_many_positions_are_reached_as_ever(name: str) -> None:
    orders = (
        AddStep("upkeep", "current_phase"),
        AddPhase("combat"),
        SkipStep("draw", "A"),
        SkipPhase("main", "B"),
    )
    proof = prove(name, TWO_TURNS, orders=orders)
    assert proof.positions == SMALL[name]
    assert proof.ok


ORDERED = [
    (None, 2007),
    (fsm.AddTurn("A"), 6101),
    (SkipTurn("A", scope="each"), 4009),
    (SkipStep("draw", "A"), 4009),
    (SkipPhase("combat"), 4928),
    (AddPhase("combat"), 9327),
    (AddStep("upkeep"), 6011),
]


@pytest.mark.parametrize(("order", "positions"), sample(ORDERED, 2, seed=5))
def test_an_order_leads_to_more_positions(order: Any, positions: int) -> None:
    orders = [] if order is None else [order]
    proof = prove(CLASSIC, TWO_TURNS, orders=orders)
    assert proof.positions == positions
    assert proof.ok


def test_two_orders_that_add_the_same_lead_to_one_position() -> None:
    """A main phase that holds one step is the same, whichever of the two steps is named."""
    mains = [AddStep(step, "current_phase") for step in ("precombat_main", "postcombat_main")]
    one, both = (
        prove(CLASSIC, Bounds(turns=1, stack=1), orders=orders) for orders in (mains[:1], mains)
    )
    assert one.positions == both.positions


@pytest.mark.parametrize("bounds", [replace(TINY, stack=2), replace(TINY, players=3)])
def test_every_bound_limits_what_is_explored(classic: Proof, bounds: Bounds) -> None:
    assert prove(CLASSIC, bounds, orders=[]).positions > classic.positions


@thorough
def test_what_repeats_for_ever_comes_to_an_end() -> None:
    """A count makes no difference beyond the numbers that the model asks for."""
    endless = "end_recheck -> clean_up_loop on closed [trigger_placed, clean_up_endless]"
    assert prove(fsm.load("grand-archive").without(endless), TINY).positions > 1000


@pytest.mark.parametrize("wrong", [{"turns": 0}, {"players": 0}, {"stack": -1}, {"together": -1}])
def test_bounds_that_bound_nothing_are_refused(wrong: dict[str, int]) -> None:
    with pytest.raises(fsm.FsmError, match="must be"):
        Bounds(**wrong)


# what gets stuck ----------------------------------------------------------------------------------


def test_a_hole_is_found_with_a_scenario_that_runs_into_it(tmp_path: Path) -> None:
    model = CLASSIC.without("declare_blockers_after -> combat_damage_before")
    proof = prove(model, TINY, spec="magic-classic")
    assert proof.stuck == ["nothing can fire on 'done' in 'declare_blockers_after'"]
    assert not proof.ok
    [witness] = [one for one in proof.witnesses if one.name.startswith("stuck")]
    given = json.loads(witness.text)["given"]
    assert [item["fact"] for item in given] == ["attackers_declared"]
    file = tmp_path / "stuck.json"
    file.write_text(witness.text)
    assert command("run", file).exit_code == 0
    with pytest.raises(fsm.errors.StuckError, match="declare_blockers_after"):
        ended(model, witness)


def test_a_game_that_cannot_even_start_is_stuck() -> None:
    proof = prove(CLASSIC.without("beginning_phase_begin -> untap_before"), TINY)
    [witness] = proof.witnesses
    assert (witness.name, witness.answers, witness.kind) == ("stuck-1", (), "trace")


def test_a_group_of_which_no_fact_holds_gets_stuck() -> None:
    rows = []
    for row in CLASSIC.transitions:
        if row.target == "phase_hub":
            actions = tuple(action for action in row.actions if action.name != "push_return")
            row = structs.replace(row, actions=actions)
        elif row.source.endswith("_phase_after") and row.target == "phase_resume":
            row = structs.replace(row, guard=(), layer="extra")
        rows.append(row)
    proof = prove(structs.replace(CLASSIC, transitions=tuple(rows)), TINY)
    assert proof.stuck == ["nothing can fire on 'done' in 'phase_resume'"]


# what breaks a property ---------------------------------------------------------------------------

REFUTED = [
    ("magic-2010", "untap_phasing", "actions_in_order", "check_state in upkeep"),
    (
        "magic-classic",
        "end_of_combat_remove_from_combat",
        "combat_is_left",
        "check_state in postcombat_main",
    ),
    (
        "magic-2010",
        "combat_damage_deal_combat_damage",
        "no_response_to_assignment",
        "priority in combat_damage",
    ),
    (
        "magic-classic",
        "end_turn_combat",
        "fighters_leave_an_ended_turn",
        "check_state in cleanup",
    ),
]


@pytest.mark.parametrize(
    ("ruleset", "bypassed", "broken", "end"), sample(REFUTED, 2), ids=lambda value: value
)
def test_a_broken_property_is_refuted_by_a_game(
    ruleset: str, bypassed: str, broken: str, end: str
) -> None:
    model = bypassing(ruleset, bypassed)
    proof = prove(model, TINY, spec=ruleset)
    assert broken in [one.name for one in proof.violated]
    [witness] = [one for one in proof.witnesses if one.name == broken]
    game = ended(model, witness)
    assert f"{game.request.kind} in {game.position.step}" == end
    assert witness.kind == "scenario"


def test_a_missing_row_breaks_a_property() -> None:
    model = CLASSIC.without("cleanup_window -> cleanup_again_end on closed [window_opened]")
    assert [one.name for one in prove(model, TINY).violated] == ["cleanup_again"]


@thorough
@pytest.mark.parametrize("what", BYPASSED)
def test_every_broken_ruleset_breaks_its_property(what: str) -> None:
    ruleset, state = what.split()
    proof = prove(bypassing(ruleset, state), Bounds(turns=2, stack=1, together=0))
    assert BYPASSED[what] in [one.name for one in proof.violated]


def upkeep_for_ever() -> Model:
    return rerouted(CLASSIC, "draw_before", "upkeep_before")


def main_for_ever() -> Model:
    return rerouted(CLASSIC, "precombat_main_end", "precombat_main_window")


@pytest.mark.parametrize(
    ("model", "broken"),
    [(upkeep_for_ever(), "turn_ends"), (main_for_ever(), "window_closes")],
    ids=["upkeep for ever", "main phase for ever"],
)
def test_what_never_comes_is_refuted_by_a_loop(model: Model, broken: str) -> None:
    proof = prove(model, TINY, spec="magic-classic")
    assert broken in [one.name for one in proof.violated]
    [witness] = [one for one in proof.witnesses if one.name == broken]
    game = ended(model, witness)
    there = game.request
    for _ in range(10):
        for answer in witness.answers[-witness.loop :]:
            assert answer.word != "acted"
            game.answer(answer)
        assert (game.request.state, game.position.turn) == (there.state, 1)
