"""The ruleset grand-archive, held against its rulebook: tables, refusals, likely mistakes, early
ends, lost players.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import cache
from itertools import chain
from typing import Any

import pytest

import fsm
from fsm import (
    Answer,
    Effect,
    Over,
    Perform,
    Priority,
    Request,
    Resolve,
    Signal,
    TurnController,
    scenarios,
)
from fsm.engine import Record
from fsm.engine.requests import Word
from fsm.model import Model, State
from fsm.runs.taken import taken
from fsm.scenarios import play
from support.amounts import thorough
from support.archivetable import Table, between, endless, item, places, played, seen, stages
from support.folders import SCENARIOS
from support.playing import quiet, started, until


@pytest.fixture(scope="module")
def model() -> Model:
    return fsm.load("grand-archive")


# the table of phases and steps --------------------------------------------------------------------

Row = tuple[str, str, str]
N, C, R, TBA = "natural", "conditional", "conditional_round", "action"
STEPS: dict[str, tuple[Row, ...]] = {
    "wake_up": (("W1", "wake", TBA), ("W2", "triggers", C)),
    "materialize": (
        *(("Z1", "triggers", C), ("Z2", "materialize", TBA), ("Z2 responses", "responses", C)),
        *(("Z3", "afterwards", C),),
    ),
    "recollection": (
        *(("R1 charge", "add_charge_counters", TBA), ("R1", "triggers", C), ("R2", "window", N)),
        *(("R3", "recollect", TBA), ("R4", "afterwards", C)),
    ),
    "draw": (("D1", "draw_card", TBA), ("D2", "triggers", C)),
    "main": (("M1", "triggers", C), ("M2", "window", N), ("attack", "declare_attack", TBA)),
    "retaliation": (
        *(
            ("T1", "triggers", C),
            ("T2", "window", N),
            ("T3", "declare_retaliation", TBA),
            ("T4", "afterwards", C),
        ),
    ),
    "damage": (
        ("G1", "window", N),
        ("G2", "order_retaliators", TBA),
        ("G3", "deal_combat_damage", TBA),
    ),
    "end_of_combat": (
        *(
            ("X1", "place_triggers", TBA),
            ("X2", "check", TBA),
            ("X2 triggers", "place_new_triggers", TBA),
        ),
        *(("X3", "remove_roles", TBA), ("X4", "discard_intent", TBA), ("X5", "triggers", C)),
    ),
    "end": (("E1, E2", "window", N), ("E3", "clean_up", TBA), ("E4", "recheck", R)),
}
"""The parts of each step in their order, as the rules number them, and who may act."""
ABSENT = {
    "wake_up": [("first_turn", "Turn Order GR1")],
    "materialize": [
        ("first_turn", "Materialize GR1"),
        ("time_distorted, not materialize_moved", "Special Continuous Effects 1"),
    ],
    "recollection": [("first_turn", "Turn Order GR1")],
    "draw": [("first_turn, starting_player, first_draw_skipped, not pantheon", "Turn Order GR1.1")],
    "main": [],
    "combat": [],
    "end": [],
}
"""When a phase does not take place; besides, each can be skipped."""
ONWARD = {
    "wake_up": [("", "materialize_phase_before")],
    "materialize": [("materialize_moved", "end_phase_before"), ("", "recollection_phase_before")],
    "recollection": [("", "draw_phase_before")],
    "draw": [("", "main_phase_before")],
    "main": [
        ("time_distorted, not materialize_moved, not first_turn", "materialize_phase_before"),
        ("", "end_phase_before"),
    ],
    "combat": [("", "main_window")],
    "end": [("", "turn_end")],
}


CITED = {
    "before_game_place_champions": "Starting the Game 6",
    "wake_up_wake": "Wake Up GR1",
    "wake_up_triggers": "Wake Up GR2",
    "materialize_triggers": "Materialize GR2",
    "materialize_materialize": "Materialize GR3",
    "materialize_responses": "Materialize GR3",
    "materialize_afterwards": "Materialize GR4",
    "recollection_triggers": "Recollection GR1",
    "recollection_window": "Recollection GR2",
    "recollection_recollect": "Recollection GR3",
    "recollection_afterwards": "Recollection GR4",
    "draw_draw_card": "Draw GR1",
    "draw_triggers": "Draw GR2",
    "main_triggers": "Main GR1",
    "main_window": "Main GR2",
    "retaliation_triggers": "Retaliation Step GR1",
    "retaliation_window": "Retaliation Step GR2",
    "retaliation_declare_retaliation": "Retaliation Step GR3",
    "retaliation_afterwards": "Retaliation Step GR4",
    "damage_window": "Damage Step GR1",
    "damage_order_retaliators": "Damage Step GR2",
    "damage_deal_combat_damage": "Damage Step GR3",
    "end_of_combat_triggers": "End of Combat GR2",
    "end_window": "End Phase GR2",
    "end_clean_up": "End Phase GR3",
    "end_recheck": "End Phase GR4",
    **{
        f"{where}_cut": "Ending Phases GR1"
        for where in ("wake_up", "draw", "main", "combat", "end_of_combat")
    },
    "end_turn_stack": "Ending Phases GR2",
}
"""The rule that says what a stage does, sentence by sentence."""
LED = {
    "draw_cut -> draw_phase_end": "Ending Phases GR1.1",
    "main_cut -> main_phase_end": "Ending Phases GR1.1",
    "combat_cut -> end_of_combat_before": "Ending Phases GR1.2",
    "end_of_combat_cut -> end_of_combat_end": "Ending Phases GR1.2",
    "materialize_phase_after -> end_phase_before [materialize_moved]": "Special Continuous Effects 1",
}
"""The rule by which the turn goes on there."""


def kind(state: State) -> str:
    return state.opens if state.kind == "window" else state.kind


def parts(model: Model, step: str) -> list[State]:
    return [s for s in model.children(f"{step}_step") if s.asks or s.kind == "window"]


def guard(terms: tuple[Any, ...]) -> str:
    return ", ".join(map(str, terms))


def test_phases_and_steps_are_those_of_the_rules(model: Model) -> None:
    assert [s.name for s in model.of_kind("phase")] == list(ABSENT)
    assert [s.name for s in model.of_kind("step")] == list(STEPS)
    assert model.state("combat_phase").parent == "main_phase"


@pytest.mark.parametrize("step", STEPS)
def test_parts_of_a_step_and_who_may_act(model: Model, step: str) -> None:
    assert [(s.id, kind(s)) for s in parts(model, step)] == [
        (f"{step}_{name}", k) for _, name, k in STEPS[step]
    ]


def test_natural_windows_are_in_five_places_only(model: Model) -> None:
    """Three outside combat (Turn Order GR2), two in it."""
    natural = [s.id for s in model.of_kind("window") if s.opens == "natural"]
    assert natural == [
        f"{step}_window" for step in ("recollection", "main", "retaliation", "damage", "end")
    ]


@pytest.mark.parametrize(
    "step", [step for step in STEPS if step not in ("main", "damage", "end_of_combat", "end")]
)
def test_one_part_follows_the_other(model: Model, step: str) -> None:
    here = f"{step}_begin"
    for state in [*parts(model, step), model.state(f"{step}_end")]:
        [row] = model.rows(here, "closed" if model.state(here).kind == "window" else "done")
        assert (row.target, row.guard) == (state.id, ())
        here = state.id


@pytest.mark.parametrize("phase", ABSENT)
def test_when_a_phase_does_not_take_place(model: Model, phase: str) -> None:
    rows = [row for row in model.rows(f"{phase}_phase_before") if row.layer == "skip"]
    skip = (f"skip_{phase}_phase", "Skipping Phases GR1")
    assert [(guard(row.guard), row.rule) for row in rows] == [*ABSENT[phase], skip]
    assert {row.target for row in rows} == {f"{phase}_phase_after"}


@pytest.mark.parametrize("phase", ONWARD)
def test_where_the_turn_goes_on_after_a_phase(model: Model, phase: str) -> None:
    rows = [(guard(row.guard), row.target) for row in model.rows(f"{phase}_phase_after")]
    assert rows == ONWARD[phase]


def test_who_may_not_attack(model: Model) -> None:
    rows = [(guard(row.guard), row.target) for row in model.rows("main_window", "attack")]
    assert rows[:3] == [
        *(("first_turn, not last_in_cycle", None), ("not stack_empty", None)),
        ("", "main_declare_attack"),
    ]
    assert [(guard(r.guard), r.target) for r in model.rows("main_declare_attack")] == [
        *(("attack_declared", "combat_phase_before"), ("", "main_window")),
    ]


def test_retaliators_are_ordered_after_the_window_if_there_are_several(model: Model) -> None:
    assert [(guard(r.guard), r.target) for r in model.rows("damage_window", "closed")] == [
        ("several_retaliators", "damage_order_retaliators"),
        ("", "damage_deal_combat_damage"),
    ]
    assert model.rows("damage_deal_combat_damage")[0].target == "damage_end"


def test_the_clean_up_repeats_while_something_changes(model: Model) -> None:
    rows = [(guard(r.guard), r.target) for r in model.rows("end_recheck", "closed")]
    assert rows[2:] == [
        ("sba_acted", "end_clean_up"),
        ("trigger_placed", "end_clean_up"),
        ("", "end_end"),
    ]
    assert {target for _, target in rows[:2]} == {"clean_up_loop"}


def test_everything_cites_its_rule(model: Model) -> None:
    assert model.window is not None
    for one in (model, model.window):
        rules = (
            [s.rule for s in one.states]
            + [t.rule for t in one.transitions]
            + [f.rule for f in one.facts]
        )
        assert all(rules)


@pytest.mark.parametrize("stage", CITED)
def test_a_stage_cites_the_sentence_that_speaks_of_it(model: Model, stage: str) -> None:
    assert model.state(stage).rule == CITED[stage]


@pytest.mark.parametrize("id", LED)
def test_a_transition_cites_the_sentence_by_which_the_turn_goes_on(model: Model, id: str) -> None:
    [row] = [row for row in model.transitions if row.id == id]
    assert row.rule == LED[id]


@pytest.mark.parametrize("edition", ["CUR", "OLD"])
def test_phases_and_steps_cite_a_rule_and_no_heading(edition: str) -> None:
    model = fsm.load("grand-archive", {"edition": edition})
    for state in (*model.of_kind("phase"), *model.of_kind("step")):
        assert re.fullmatch(r"[A-Z][A-Za-z ]+ (GR)?\d+(\.\d+)*", state.rule), state.id


# the mistakes most likely made --------------------------------------------------------------------


ATTACK = item("attack", 3, "main")


def test_no_further_round_after_a_conditional_run() -> None:
    outcome = played(item("trigger", 3, "draw", "draw_draw_card", id="drawn"))
    [visit] = [v for v in outcome.visits if (v.turn, v.step) == (3, "draw")]
    assert outcome.log.visit(visit.where).priority == ["A", "B"]


def test_main_goes_on_after_combat_and_does_not_begin_again() -> None:
    outcome = played(ATTACK, item("trigger", 3, "main", "begin", id="dawn"))
    assert seen(outcome, 3).count("main_triggers") == 1
    assert [v.step for v in outcome.visits if v.turn == 3].count("main") == 1
    found = seen(outcome, 3)
    assert found[found.index("end_of_combat_discard_intent") + 1] == "main_window"


def test_combat_goes_on_when_attacker_or_defender_is_gone() -> None:
    outcome = played(ATTACK, item("sba", 3, "retaliation"), item("sba", 3, "damage"))
    assert {v.step for v in outcome.visits if v.turn == 3} >= {
        "retaliation",
        "damage",
        "end_of_combat",
    }


def test_no_window_at_the_declaration_and_none_at_the_end_of_combat() -> None:
    found = seen(played(ATTACK), 3)
    assert found[found.index("main_declare_attack") + 1] == "retaliation_window"
    assert "end_of_combat_triggers" not in found


def test_triggers_of_the_attack_resolve_before_the_window_before_retaliation() -> None:
    outcome = played(ATTACK, item("trigger", 3, "main", "main_declare_attack", id="on-attack"))
    assert between(seen(outcome, 3), "main_declare_attack", "retaliation_declare_retaliation")[
        1:3
    ] == [
        *("retaliation_triggers", "retaliation_window"),
    ]


def test_the_clean_up_loop_does_not_lead_back_to_the_window_before_it() -> None:
    found = seen(played(item("trigger", 3, "end", "end_clean_up", id="discarded")), 3)
    assert found[-4:] == ["end_window", "end_clean_up", "end_recheck", "end_clean_up"]


def test_ending_the_turn_leads_past_the_triggers_and_the_window_of_the_end_phase() -> None:
    outcome = played(
        item("end_turn", 3, "main"), {"do": "standing_trigger", "id": "dusk", "step": "end"}
    )
    assert seen(outcome, 3)[-2:] == ["end_turn_stack", "end_clean_up"]
    assert 3 not in [event.where.turn for event in outcome.log.triggers if event.id == "dusk"]


def test_effects_end_in_the_same_action_in_which_damage_goes(model: Model) -> None:
    """End Phase GR3: there is no moment between the two."""
    controller = started(model)
    until(controller, lambda r: r.at.stage == "end_window" and isinstance(r, Priority))
    controller.answer(quiet(controller.request, orders=[Effect("two-life", "A", "end_of_turn")]))
    request = until(controller, lambda r: bool(r.expired))
    assert isinstance(request, Perform)
    assert (request.action, request.expired) == ("clean_up", ("two-life",))
    assert [s.id for s in model.leaves if s.action == "clean_up"] == ["end_clean_up"]


@pytest.mark.parametrize(
    ("players", "settings", "draws"),
    [
        *(("AB", {}, False), ("ABC", {}, True), ("AB", {"pantheon": True}, True)),
        ("AB", {"first_draw_skipped": False}, True),
    ],
)
def test_the_first_draw_depends_on_players_and_format(
    model: Model, players: str, settings: dict[str, bool], draws: bool
) -> None:
    controller = started(model, players, settings=settings)
    first = until(controller, lambda r: r.at.turn == 1)
    assert (first.at.stage == "draw_draw_card") == draws


def test_who_acts_keeps_opportunity(model: Model) -> None:
    controller, asked = in_window(model, "main_window", 1), ""
    words: tuple[Word, ...] = ("acted", "acted", "passed", "acted", "passed", "passed")
    for word in words:
        request = until(controller, lambda r: isinstance(r, Priority))
        asked += request.player if isinstance(request, Priority) else "?"
        controller.answer(quiet(request, {"stack_empty": False}, word=word))
    assert asked == "AAABBA"
    assert isinstance(controller.request, Resolve)


# refusals -----------------------------------------------------------------------------------------


def in_window(model: Model, stage: str, turn: int, players: str = "AB") -> TurnController:
    """A quiet game at the first Opportunity in this window."""
    controller = started(model, players)
    until(
        controller, lambda r: isinstance(r, Priority) and (r.at.turn, r.at.stage) == (turn, stage)
    )
    return controller


def attack(controller: TurnController) -> Request | Over:
    """The turn player attacks, and the declaration succeeds."""
    controller.answer(quiet(controller.request, word="acted", signal=Signal("attack")))
    return controller.answer(quiet(controller.request, {"attack_declared": True}))


def test_why_nobody_attacks_on_their_first_turn(model: Model) -> None:
    refusal = in_window(model, "main_window", 1).why_not("attack")
    assert refusal is not None
    assert [(t.fact, t.value, t.rule) for t in refusal.tried] == [
        *(("first_turn", True, "Turn One 1.1"), ("last_in_cycle", False, "Turn One 1.1")),
    ]
    assert "first_turn is true (Turn One 1.1)" in str(refusal)


def test_the_last_player_of_the_first_cycle_may_attack(model: Model) -> None:
    assert in_window(model, "main_window", 2).why_not("attack") is None
    assert in_window(model, "main_window", 3, "ABC").why_not("attack") is None
    assert in_window(model, "main_window", 2, "ABC").why_not("attack") is not None


def test_why_there_is_no_attack_outside_main(model: Model) -> None:
    refusal = in_window(model, "recollection_window", 3).why_not("attack")
    assert refusal is not None
    assert "not in main: the attack card fizzles (Attacking GR1.7.1)" in str(refusal)


def test_an_attack_in_combat_does_nothing(model: Model) -> None:
    controller = in_window(model, "main_window", 2)
    attack(controller)
    until(controller, lambda r: isinstance(r, Priority))
    assert controller.why_not("attack") is not None
    before = len(controller.agenda.suspended), controller.request.at
    controller.answer(quiet(controller.request, word="acted", signal=Signal("attack")))
    assert (len(controller.agenda.suspended), controller.request.at) == before
    assert isinstance(until(controller, lambda r: isinstance(r, Priority)), Priority)


@pytest.mark.parametrize(
    ("legal", "then"), [(True, "retaliation_triggers"), (False, "main_window")]
)
def test_an_attack_card_that_resolves_as_main_begins_is_in_main(
    model: Model, legal: bool, then: str
) -> None:
    """Attack Cards GR2.1, 2.3: it is their main phase and nothing else is there; afterwards comes
    the main window.
    """
    controller = started(model)
    until(controller, lambda r: (r.at.turn, r.at.stage) == (2, "main_triggers"))
    controller.answer(quiet(controller.request, {"triggers_waiting": True}))
    for _ in range(20):
        if isinstance(controller.request, Resolve):
            break
        controller.answer(quiet(controller.request, {"stack_empty": False}))
    controller.answer(quiet(controller.request, signal=Signal("attack")))
    assert controller.request.at.stage == "main_declare_attack"
    assert controller.answer(quiet(controller.request, {"attack_declared": legal})).at.stage == then
    until(controller, lambda r: isinstance(r, Priority) and r.at.stage == "main_window")
    assert controller.agenda.suspended == ()


def test_an_attempt_that_fails_is_undone(model: Model) -> None:
    controller = in_window(model, "main_window", 2)
    controller.answer(quiet(controller.request, word="acted", signal=Signal("attack")))
    controller.answer(quiet(controller.request, {"attack_declared": False}))
    assert controller.request.at.stage == "main_window"
    assert controller.agenda.suspended == ()


def test_a_pass_is_refused_while_an_attack_is_required(model: Model) -> None:
    controller = in_window(model, "main_window", 2)
    before = controller.request
    assert controller.answer(quiet(before, {"attack_required": True})) == before
    assert (
        controller.trace.records[-1].transition
        == "opportunity -> (stays) on passed [attack_required]"
    )
    after = controller.answer(quiet(before))
    assert after != before


# in the middle of something -----------------------------------------------------------------------


def in_combat(model: Model) -> TurnController:
    """Main waits, combat is under way, the window before damage is open."""
    controller = in_window(model, "main_window", 2)
    controller.answer(
        quiet(controller.request, orders=[Effect("stance", "B", "end_of_main")], word="acted")
    )
    until(controller, lambda r: isinstance(r, Priority))
    attack(controller)
    until(controller, lambda r: isinstance(r, Priority) and r.at.stage == "damage_window")
    return controller


def after_interdiction(model: Model) -> TurnController:
    """A card with Interdiction has just resolved in a conditional window, and nothing else is
    there.
    """
    controller = started(model)
    until(controller, lambda r: r.at.stage == "wake_up_triggers")
    controller.answer(quiet(controller.request, {"triggers_waiting": True}))
    controller.answer(quiet(controller.request))
    controller.answer(
        quiet(controller.request, {"stack_empty": False, "interdiction_on_stack": True})
    )
    assert isinstance(controller.request, Resolve)
    until(controller, lambda r: isinstance(r, Priority))
    return controller


@pytest.mark.parametrize("arrange", [in_combat, after_interdiction], ids=lambda f: f.__name__)
def test_snapshot_and_replay_in_the_middle(model: Model, arrange: Any) -> None:
    controller = arrange(model)
    twin = TurnController.restore(model, json.loads(json.dumps(controller.snapshot())))
    again = controller.trace.replay(model)
    for _ in range(60):
        assert twin.request == again.request == controller.request
        for one in (controller, twin, again):
            one.answer(quiet(one.request))
    assert twin.snapshot() == again.snapshot() == controller.snapshot()


def test_main_waits_while_combat_is_under_way(model: Model) -> None:
    controller = in_combat(model)
    assert (controller.position.phase, controller.position.step) == ("combat", "damage")
    [waiting] = controller.agenda.suspended
    assert waiting.phase is not None
    assert (waiting.phase.name, waiting.phase.under_way) == ("main", True)
    back = until(controller, lambda r: isinstance(r, Priority) and r.at.stage == "main_window")
    assert (back.at.phase, back.at.step, back.at.iteration) == ("main", "main", 1)
    assert controller.agenda.suspended == ()


def test_after_interdiction_the_turn_player_acts_even_in_a_conditional_window(model: Model) -> None:
    controller = after_interdiction(model)
    assert controller.request.at.stage == "wake_up_triggers"
    assert isinstance(controller.request, Priority)
    assert controller.request.player == "A"
    assert "interdicted" in controller.facts
    assert until(controller, lambda r: r.at.stage != "wake_up_triggers").at.step == "materialize"


# a phase or the turn ends early, wherever something waits -----------------------------------------

ENDS_IN = {
    "wake_up": ["wake_up_cut", "materialize_triggers"],
    "materialize": ["materialize_cut", "recollection_add_charge_counters"],
    "recollection": ["recollection_cut", "draw_draw_card"],
    "draw": ["draw_cut", "main_triggers"],
    "main": ["main_cut", "end_window"],
    "combat": [
        "combat_cut",
        *(f"end_of_combat_{name}" for _, name, _ in STEPS["end_of_combat"]),
        "main_window",
    ],
    "end_of_combat": ["end_of_combat_cut", "main_window"],
    "end": ["end_turn_stack", "end_clean_up", "end_recheck"],
}
TURN = 3
COMBAT = ("retaliation", "damage", "end_of_combat")


@cache
def found_places(players: str, turn: int) -> dict[str, Table]:
    """Every place of this turn, with a game that has come there."""
    return dict(places(fsm.load("grand-archive"), players, turn))


def arrived(place: str, players: str = "AB", turn: int = TURN) -> Table:
    """A game that has come to this place in this turn."""
    return found_places(players, turn)[place].fork()


PLACES = list(found_places("AB", TURN))


def test_the_places_are_all_in_which_a_turn_can_wait(model: Model) -> None:
    assert {place.split("/")[0] for place in PLACES} == {
        s.id for step in STEPS for s in parts(model, step)
    }
    windows = {place.split("/")[1] for place in PLACES} & {
        "sba",
        "place_triggers",
        "opportunity",
        "resolve_top",
    }
    assert len(windows) == 4


@pytest.mark.parametrize("place", PLACES)
def test_the_turn_is_ended_from_here(place: str) -> None:
    """Straight to the clean-up; combat is cleared first, nothing stays suspended, the next player
    begins.
    """
    table = arrived(place)
    step = table.request.at.step
    table.answer(Signal("end_turn"))
    clears = ["end_turn_combat"] if step in COMBAT else []
    found = stages(table.through(TURN))[1:]
    assert found[: len(clears) + 2] == ["end_turn_stack", *clears, "end_clean_up"]
    assert set(found[len(clears) + 1 :]) == {"end_clean_up", "end_recheck"}
    assert (table.controller.agenda.suspended, table.request.at.active) == ((), "B")


@pytest.mark.parametrize("place", PLACES)
def test_the_phase_is_ended_from_here(model: Model, place: str) -> None:
    """Combat ends with its last step and leads back to main; the others to the phase after them."""
    table = arrived(place)
    at = table.request.at
    where = (
        "combat"
        if at.stage == "main_declare_attack"
        else at.step
        if at.step == "end_of_combat"
        else at.phase
    )
    table.answer(Signal("end_phase"))
    found = stages(table.through(TURN))[1:]
    assert found[: len(ENDS_IN[where])] == ENDS_IN[where]
    assert (table.controller.agenda.suspended, table.request.at.active) == ((), "B")


@pytest.mark.parametrize("second", ["end_phase", "end_turn", "attack"])
@pytest.mark.parametrize("first", ["end_phase", "end_turn"])
@pytest.mark.parametrize("place", [place for place in PLACES if place.endswith("/resolve_top")])
def test_something_more_happens_while_it_ends(place: str, first: str, second: str) -> None:
    table = arrived(place)
    table.answer(Signal(first))
    table.answer(Signal(second))
    found = stages(table.through(TURN))
    assert "end_clean_up" in found
    assert (table.controller.agenda.suspended, table.request.at.active) == ((), "B")


def test_combat_that_is_ending_already_has_all_of_its_last_step() -> None:
    table = arrived("damage_window/resolve_top")
    table.answer(Signal("end_phase"))
    table.answer(Signal("end_phase"))
    assert stages(table.through(TURN))[1 : 1 + len(ENDS_IN["combat"])] == ENDS_IN["combat"]


@pytest.mark.parametrize("event", ["end_phase", "end_turn", "attack"])
def test_before_the_first_turn_there_is_nothing_to_end(model: Model, event: str) -> None:
    controller = started(model)
    assert controller.request.state == "before_game_place_champions"
    after = controller.answer(quiet(controller.request, signal=Signal(event)))
    assert (after.at.turn, after.at.active, after.at.stage) == (1, "A", "main_triggers")


def test_combat_that_is_ended_as_it_is_declared_begins_only_to_end(model: Model) -> None:
    table = arrived("main_declare_attack/main_declare_attack")
    table.answer(Signal("end_phase"))
    assert table.request.at.phase == "combat"
    table.controller.answer(quiet(table.request, orders=[Effect("stance", "A", "end_of_main")]))
    asked = table.through(TURN)
    gone = next(request for request in asked if request.expired == ("stance",))
    assert (gone.at.step, gone.at.stage) == ("end", "end_window")


# players who lose ---------------------------------------------------------------------------------


def losses(players: str) -> Iterator[tuple[str, str]]:
    turn = len(players) + 1
    return ((place, player) for place in found_places(players, turn) for player in players)


LOSSES = [
    (players, place, player) for players in ("ABC", "ABCD") for place, player in losses(players)
]


def living_only(asked: list[Request | Over], gone: str) -> bool:
    """Is nothing asked of who has left?"""
    return not any(
        gone in request.players for request in asked if isinstance(request, Priority | Perform)
    )


@pytest.mark.parametrize(("players", "place", "player"), LOSSES)
def test_a_player_loses_here(players: str, place: str, player: str) -> None:
    """The turn player's turn comes to its end phase, in which the next player acts first; else the
    turn goes on.
    """
    turn = len(players) + 1
    table = arrived(place, players, turn)
    ending = table.request.at.phase == "end"
    fighting = table.request.at.step in COMBAT
    table.answer(Signal("player_left", player))
    asked = table.through(turn)[1:]
    found = stages(asked)
    assert living_only(asked, player)
    if player == "A" and not ending:
        rest = [stage for stage in found if stage not in ("lost_resolve", "lost_check")]
        assert rest[: 1 + fighting] == [*["lost_combat"] * fighting, "end_window"]
        first = next(r for r in asked if isinstance(r, Priority))
        assert (first.player, first.at.stage) == ("B", "end_window")
    else:
        assert found[-1] == "end_recheck"
        assert not {"lost_resolve", "lost_combat"} & set(found)
    assert table.controller.agenda.suspended == ()
    following = next(p for p in players[1:] if p != player)
    assert (table.over, table.request.at.active) == (False, following)


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("player", ["A", "B"])
def test_with_two_players_the_game_is_over(place: str, player: str) -> None:
    table = arrived(place)
    assert isinstance(table.answer(Signal("player_left", player)), Over)


def finishing(model: Model) -> tuple[TurnController, list[str]]:
    """The turn player loses while two items are pending: what is asked until the end phase."""
    controller = in_window(model, "main_window", 4, "ABC")
    facts = dict.fromkeys(controller.request.facts, False)
    controller.answer(Answer("passed", facts, (), Signal("player_left", "A")))
    heard = [controller.request.state]
    for told in ({}, {"sba_performed": True}, {"stack_empty": False}, {}, {"stack_empty": True}):
        heard.append(controller.answer(quiet(controller.request, told)).state)
    return controller, heard


def test_what_is_pending_finishes_and_is_checked_before_the_end_phase(model: Model) -> None:
    controller, heard = finishing(model)
    assert heard == [
        "lost_resolve",
        "lost_check",
        "lost_check",
        "lost_resolve",
        "lost_check",
        "sba",
    ]
    assert controller.request.at.stage == "end_window"


@pytest.mark.parametrize("player", ["A", "B"])
def test_who_leaves_before_the_first_turn_takes_none(model: Model, player: str) -> None:
    controller = started(model, "ABC")
    controller.answer(quiet(controller.request, signal=Signal("player_left", player)))
    first, second = [p for p in "ABC" if p != player]
    assert (controller.position.turn, controller.position.active) == (1, first)
    assert until(controller, lambda r: r.at.turn == 2).at.active == second
    two = started(model)
    assert isinstance(two.answer(quiet(two.request, signal=Signal("player_left", player))), Over)


# every transition is taken ------------------------------------------------------------------------

FOLDER = SCENARIOS / "grand-archive"
PHASES = ("wake_up", "materialize", "recollection", "main", "combat")


def of_scenarios(model: Model) -> Iterator[Record]:
    """The worked cases, and what they leave out: phases and turns skipped, extra turns, attacks out
    of time.
    """
    for path in sorted(FOLDER.glob("*.json")):
        for scenario in scenarios.load(path):
            outcome = play(scenario)
            yield from outcome.records if outcome.model == model else ()
    skips = [item("skip_phase", 2, "main", phase=phase, player="A") for phase in PHASES[:4]]
    late = {
        "player": "A",
        "id": "slash",
        "responds": True,
        "then": [{"do": "signal", "event": "attack"}],
    }
    yield from played(*skips, through_turn=3).records
    yield from played(item("skip_phase", 3, "main", phase="combat", player="A"), ATTACK).records
    yield from played(
        item("add_turn", 1, "main"), item("skip_turn", 1, "main", player="B"), through_turn=3
    ).records
    yield from played(item("sba", 3, "end", "end_clean_up")).records
    for turn in (1, 3):
        dawn = (
            item("trigger", turn, "main", "begin", id="dawn"),
            item("cast", turn, "main", "main_triggers", **late),
        )
        yield from played(*dawn).records
    yield from played(
        item("cast", 3, "main", player="A", id="below"), item("cast", 3, "main", **late)
    ).records


def of_places() -> Iterator[Record]:
    """Whatever breaks the course of a turn, at every place; and once more while it ends."""
    signals = [Signal("end_phase"), Signal("end_turn"), Signal("attack")]
    for place in found_places("ABC", 4):
        for first in [*signals, *(Signal("player_left", player) for player in "ABC")]:
            table = arrived(place, "ABC", 4)
            table.answer(first)
            for second in signals[:2] if place.endswith("resolve_top") else ():
                twin = table.fork()
                twin.answer(second)
                yield from twin.controller.trace.records
            table.through(4)
            yield from table.controller.trace.records


def of_the_rest(model: Model) -> Iterator[Record]:
    """Before the first turn, when a player has lost, when the clean-up never ends, and beside a
    refused pass.
    """
    yield from finishing(model)[0].trace.records
    for event, player in (("end_turn", ""), ("player_left", "B")):
        controller = started(model)
        controller.answer(quiet(controller.request, signal=Signal(event, player)))
        yield from controller.trace.records
    for fact in ("sba_performed", "triggers_waiting"):
        yield from endless(model, fact)[0].trace.records
    for player in "BC":
        controller = TurnController(model, ["A", "B", "C"])
        while (
            controller.position.stage != "main_window"
            or getattr(controller.request, "player", "") != "B"
        ):
            controller.answer(quiet(controller.request))
        required = {
            name: name in ("stack_empty", "attack_required") for name in controller.request.facts
        }
        controller.answer(Answer("passed", required, signal=Signal("player_left", player)))
        yield from controller.trace.records


@thorough
def test_every_transition_is_taken(model: Model) -> None:
    records = chain(of_scenarios(model), of_places(), of_the_rest(model))
    found = taken(model, records)
    assert (found.turn_missed, found.window_missed) == ((), ())
