"""The ruleset magic-classic: its table, its editions, its options, and what its rules do not know."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

import fsm
from fsm import AddStep, Effect, Perform, PlaceTriggers, Priority, Resolve, TurnController, load
from fsm.errors import AnswerError, OrderError, ScenarioError
from fsm.model import Model
from fsm.rulesets import options
from fsm.scenarios import Outcome, play
from support.amounts import sample
from support.playing import (
    asked,
    attack,
    leaves,
    quiet,
    resolving,
    signal,
    started,
    steps,
    through,
    to,
    to_action,
)

OPTIONS = {name: option.values for name, option in options("magic-classic").items()}
EDITIONS = sorted(str(edition) for edition in OPTIONS["edition"])


@pytest.fixture(scope="module")
def classic() -> Model:
    return fsm.load("magic-classic")


def classic_with(**options: object) -> Model:
    return load("magic-classic", options)


# the table (section a) ----------------------------------------------------------------------------

STEPS: dict[str, tuple[list[str], list[str]]] = {
    "untap": (["phasing", "untap_permanents"], []),
    "upkeep": ([], ["natural"]),
    "draw": (["secondary_player_draws", "draw_card"], ["natural"]),
    "precombat_main": ([], ["natural"]),
    "beginning_of_combat": (["choose_defender"], ["natural"]),
    "declare_attackers": (["declare_attackers"], ["natural"]),
    "declare_blockers": (["declare_blockers"], ["natural"]),
    "first_strike_damage": (["assign_combat_damage", "put_damage_on_stack"], ["natural"]),
    "combat_damage": (["assign_combat_damage", "put_damage_on_stack"], ["natural"]),
    "end_of_combat": (["remove_from_combat"], ["natural"]),
    "postcombat_main": ([], ["natural"]),
    "end_of_turn": ([], ["natural"]),
    "cleanup": (["discard_to_hand_size", "remove_damage_and_end_effects"], ["conditional"]),
}
PHASES = ["beginning", "precombat_main", "combat", "postcombat_main", "end"]


def test_it_has_the_phases_and_steps_of_the_rulebook_in_its_order(classic: Model) -> None:
    assert [s.name for s in classic.of_kind("step")] == list(STEPS)
    assert [s.name for s in classic.of_kind("phase")] == PHASES
    home = {s.name: s.parent for s in classic.of_kind("step")}
    assert home["end_of_turn"] == home["cleanup"] == "end_phase"


@pytest.mark.parametrize("step", STEPS)
def test_each_step_has_its_actions_in_order_and_its_priority(classic: Model, step: str) -> None:
    inside = classic.children(f"{step}_step")
    actions, windows = STEPS[step]
    assert [s.action for s in inside if s.role == "action"] == actions
    assert [s.opens for s in inside if s.kind == "window"] == windows


def test_mana_burns_as_a_phase_ends_and_when_an_effect_ends_the_turn_and_at_no_other_time(
    classic: Model,
) -> None:
    """300.3: a step's end loses no mana."""
    burning = [s.id for s in classic.states if s.action == "lose_mana"]
    assert burning == [*(f"{phase}_phase_end" for phase in PHASES), "end_turn_leave"]
    assert {classic.state(id).rule for id in burning} == {"300.3"}
    assert not [s.id for s in classic.states if s.action == "empty_mana"]


def test_triggers_are_placed_in_one_pass_and_the_window_cites_its_own_rulebook(
    classic: Model,
) -> None:
    window = classic.window
    assert window is not None
    assert window.state("place_triggers").manner == "one_pass"
    assert {rule.split(".")[0] for s in window.states for rule in [s.rule]} == {
        "300",
        "408",
        "410",
        "413",
        "420",
    }
    magic = fsm.load("magic").window
    assert magic is not None
    assert [s.id for s in window.states] == [s.id for s in magic.states]


# combat damage on the stack (a.3, a.4) ------------------------------------------------------------


def goes(controller: TurnController, *answers: dict[str, bool]) -> list[str]:
    """What is asked, from here on, while the table answers quietly but for these facts."""
    heard = [asked(controller.request)]
    for facts in answers:
        heard.append(asked(controller.answer(quiet(controller.request, facts))))
    return heard


def damage(model: Model) -> TurnController:
    """A game in which damage was just assigned."""
    controller = started(model)
    attack(controller)
    to_action(controller, "assign_combat_damage")
    return controller


ON, OFF = {"stack_empty": False}, {"stack_empty": True}


def test_damage_is_an_object_after_which_the_active_player_has_priority_in_the_same_step(
    classic: Model,
) -> None:
    """310.1, 310.4, 300.2: two rounds of passes."""
    controller = damage(classic)
    heard = goes(controller, {"damage_assigned": True}, {}, ON, ON, ON, ON, OFF, OFF, OFF, OFF)
    assert heard == [
        *(
            "assign_combat_damage",
            "put_damage_on_stack",
            "check",
            "priority A",
            "check",
            "priority B",
            "resolve",
        ),
        *("check", "priority A", "check", "priority B"),
    ]
    assert controller.request.at.step == "combat_damage"
    assert controller.answer(quiet(controller.request)).at.step == "end_of_combat"


def test_what_triggers_as_damage_is_dealt_is_placed_before_the_active_player_has_priority(
    classic: Model,
) -> None:
    """Case 13: 310.4, 408.1b."""
    controller = damage(classic)
    goes(controller, {"damage_assigned": True}, {}, ON, ON, ON, ON)
    assert isinstance(controller.request, Resolve)
    waits = {"triggers_waiting": True}
    assert goes(controller, OFF, waits, {}, {}) == [
        "resolve",
        "check",
        "place AB",
        "check",
        "priority A",
    ]
    assert controller.request.at.step == "combat_damage"


def test_first_strike_is_asked_about_once_as_combat_damage_starts(classic: Model) -> None:
    """310.5: what is gained or lost later changes no step."""
    controller = started(classic)
    attack(controller)
    to(controller, "declare_blockers", Priority)
    while controller.request.at.step != "end_of_combat":
        controller.answer(quiet(controller.request, {"first_strike_in_combat": True}))
    reads = [
        r.source
        for r in controller.trace.records
        for name, _ in r.guards
        if name == "first_strike_in_combat"
    ]
    assert reads == ["declare_blockers_after"]
    assert steps(controller, 1)[5:8] == ["declare_blockers", "first_strike_damage", "combat_damage"]


def test_who_assigns_is_told_by_the_manner(classic: Model) -> None:
    first, second = (
        classic.state(f"{step}_assign_combat_damage")
        for step in ("first_strike_damage", "combat_damage")
    )
    assert (first.manner, second.manner) == (
        "first_or_double_strike",
        "not_yet_assigned_or_double_strike",
    )
    stopped = classic_with(stopped_double_strike=True).state("combat_damage_assign_combat_damage")
    assert stopped.manner == "not_yet_assigned_or_double_strike_unless_stopped"


# editions -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("edition", "option"),
    sample([(e, option) for e in EDITIONS for option in OPTIONS if option != "edition"], 5),
)
def test_every_option_in_every_edition_leaves_a_model_without_findings(
    edition: str, option: str
) -> None:
    models = [classic_with(edition=edition, **{option: value}) for value in OPTIONS[option]]
    assert [fsm.check(model) for model in models] == [[], []]
    assert {model.edition for model in models} == {f"CR {edition}"}
    assert models[0].fingerprint != models[1].fingerprint


@pytest.mark.parametrize("edition", EDITIONS)
def test_every_edition_plays_a_quiet_turn_and_an_attack(edition: str) -> None:
    controller = started(classic_with(edition=edition))
    attack(controller, turn=2)
    through(controller, 2)
    quiet_turn = [
        s
        for s in STEPS
        if s not in ("draw", "declare_blockers", "first_strike_damage", "combat_damage")
    ]
    assert steps(controller, 1) == quiet_turn
    assert steps(controller, 2) == [s for s in STEPS if s != "first_strike_damage"]


def cites(model: Model, fact: str) -> str:
    return model.fact(fact).rule


@pytest.mark.parametrize(
    ("edition", "no_attack", "first_draw", "leaving"),
    [
        ("2003-07", "308.4", "101.5", "600.4"),
        ("2005-08", "308.4", "101.5a", "600.4"),
        ("2006-10", "308.4", "101.5a", "600.4"),
        ("2007-02", "308.4", "101.5a", "600.4f"),
        ("2007-07", "308.4", "101.6a", "600.4f"),
        ("2007-10", "308.5", "101.6a", "600.4f"),
        ("2009-05", "308.5", "101.6a", "600.4f"),
    ],
)
def test_numbers_move_with_the_edition(
    edition: str, no_attack: str, first_draw: str, leaving: str
) -> None:
    model = classic_with(edition=edition)
    [goes_on] = [t for t in model.transitions if t.event == "player_left" and t.target is None]
    found = (cites(model, "attackers_declared"), cites(model, "first_draw_skipped"), goes_on.rule)
    assert found == (no_attack, first_draw, leaving)


def knows(edition: str) -> tuple[bool, bool, bool]:
    """Can the turn be ended, do creatures put in attacking count, does a team skip its first draw?"""
    model = classic_with(edition=edition)
    ends = any(event.name == "end_turn" for event in model.events)
    put_in = any(fact.name == "put_in_attacking" for fact in model.facts)
    controller = started(model, "ABCD", teams=[("A", "B"), ("C", "D")])
    return ends, put_in, "draw" not in steps(through(controller, 1), 1)


def test_what_changed_from_edition_to_edition() -> None:
    found = {edition: knows(edition) for edition in EDITIONS}
    assert [e for e in EDITIONS if not found[e][0]] == ["2003-07"]
    assert [e for e in EDITIONS if found[e][1]] == ["2007-10", "2008-02", "2008-10", "2009-05"]
    assert [e for e in EDITIONS if found[e][2]] == EDITIONS[EDITIONS.index("2007-05") :]


def draws(model: Model, turn: int) -> list[str]:
    """Who draws in the first turn of two teams."""
    controller = started(model, "ABCD", teams=[("A", "B"), ("C", "D")])
    through(controller, turn)
    return [
        r.target
        for r in controller.trace.records
        if r.turn == turn
        and r.target.startswith("draw_")
        and model.state(r.target).kind == "action"
    ]


def test_the_secondary_player_alone_draws_in_the_starting_team_s_first_turn(classic: Model) -> None:
    """101.5b, 606.6b."""
    assert [draws(classic, turn) for turn in (1, 2, 3)] == [
        ["draw_secondary_player_draws"],
        ["draw_draw_card"],
        ["draw_draw_card"],
    ]


@pytest.mark.parametrize("edition", ["2006-10", "2007-02", "2007-05"])
def test_where_the_rule_is_known_the_option_changes_nothing(edition: str) -> None:
    both = [
        draws(classic_with(edition=edition, secondary_player_draws=value), 1)
        for value in (True, False)
    ]
    assert both[0] == both[1]


# options: each value is seen to matter ------------------------------------------------------------


def scenario(
    given: Sequence[dict[str, Any]],
    expect: Sequence[dict[str, Any]] = (),
    *,
    players: int = 2,
    **options: object,
) -> Outcome:
    """Play what is given with the options; nothing expected need hold."""
    [one] = fsm.scenarios.load(
        {
            "id": "one",
            "ruleset": "magic-classic",
            "options": options,
            "players": players,
            "through_turn": 2,
            "given": list(given),
            "expect": list(expect),
        },
        place="test",
    )
    return play(one)


def when(where_: str, do: str, **fields: object) -> dict[str, object]:
    where = {"turn": 2, "step": where_, **({"at": fields.pop("at")} if "at" in fields else {})}
    return {"when": where, "do": do, **fields}


@pytest.mark.parametrize(("empty", "order"), [(False, ["B", "A"]), (True, ["B", "A", "B", "A"])])
def test_empty_damage_object(empty: bool, order: list[str]) -> None:
    """a.3 item 7: one round of passes more."""
    given = [
        when("declare_attackers", "attackers", count=1),
        when("declare_attackers", "remove_attackers"),
    ]
    expect = [
        {"turn": 2, "step": "combat_damage", "priority_order": order},
        {"turn": 2, "step": "combat_damage", "resolves": ["combat_damage"] * empty},
        {"turn": 2, "step": "combat_damage", "dealt": []},
    ]
    assert scenario(given, expect, empty_damage_object=empty).failures == []


@pytest.mark.parametrize("first", [False, True])
def test_burn_before_durations_end(first: bool) -> None:
    """a.1: what lasts until end of combat is over before the mana burns, or after it."""
    controller = started(classic_with(burn_before_durations_end=first))
    resolving(controller, "beginning_of_combat", Effect("f", "A", "end_of_combat"))
    burning = to_action(controller, "lose_mana")
    assert burning.state == "combat_phase_end"
    assert burning.expired == (() if first else ("f",))
    assert controller.answer(quiet(burning)).expired == (("f",) if first else ())


@pytest.mark.parametrize("first", [False, True])
def test_burn_before_durations_end_also_when_the_turn_is_ended(first: bool) -> None:
    controller = started(classic_with(burn_before_durations_end=first))
    resolving(
        controller,
        "beginning_of_combat",
        Effect("f", "A", "end_of_combat"),
        signal=signal("end_turn"),
    )
    burning = to_action(controller, "lose_mana")
    assert burning.state == "end_turn_leave"
    assert burning.expired == (() if first else ("f",))
    assert controller.answer(quiet(burning)).expired == (("f",) if first else ())


@pytest.mark.parametrize(("now", "kept"), [(False, 2), (True, 0)])
def test_burn_as_the_turn_ends(now: bool, kept: int) -> None:
    """d.1: in the end phase, at cleanup's end or at once; two life either way."""
    given = [when("end_of_turn", "add_mana", player="B", amount=2), when("end_of_turn", "end_turn")]
    expect: list[dict[str, Any]] = [
        {"mana_at": {"turn": 2, "step": "cleanup", "player": "B", "amount": kept}},
        {"burn": {"turn": 2, "phase": "end", "player": "B", "amount": 2}},
        {"turn": 2, "visits": {"end_of_turn": 1, "cleanup": 1}},
    ]
    assert scenario(given, expect, burn_as_the_turn_ends=now).failures == []


@pytest.mark.parametrize("now", [False, True])
def test_ending_the_turn_before_the_end_phase_burns_at_once_whatever_the_option(now: bool) -> None:
    given = [when("upkeep", "add_mana", player="B", amount=2), when("upkeep", "end_turn")]
    expect = [
        {"mana_at": {"turn": 2, "step": "cleanup", "player": "B", "amount": 0}},
        {"burn": {"turn": 2, "phase": "beginning", "player": "B", "amount": 2}},
    ]
    assert scenario(given, expect, burn_as_the_turn_ends=now).failures == []


@pytest.mark.parametrize(("two", "cleanups"), [(False, 3), (True, 3)])
def test_a_cleanup_step_with_priority_is_followed_by_one_that_is_owed_anyway(
    two: bool, cleanups: int
) -> None:
    """d.1: the first of the two has priority itself; then the one that follows is the second."""
    given = [
        when("cleanup", "trigger", id="cause"),
        when("cleanup", "end_turn", at="priority", triggers_during=["raised"]),
    ]
    expect = [{"turn": 2, "visits": {"cleanup": cleanups}}]
    assert scenario(given, expect, two_cleanups_after_time_stop=two).failures == []


@pytest.mark.parametrize(
    ("edition", "ends", "cut"),
    [
        ("2006-10", True, True),
        ("2006-10", False, False),
        ("2003-07", True, True),
        ("2007-02", True, False),
    ],
)
def test_leaving_ends_the_turn(edition: str, ends: bool, cut: bool) -> None:
    """d.4: straight to cleanup, or on without an active player; from 2007-02 on a rule says so
    (600.4f).
    """
    given = [when("upkeep", "player_leaves", player="B")]
    outcome = scenario(given, players=3, edition=edition, leaving_ends_the_turn=ends)
    visited = [v.step for v in outcome.visits if v.turn == 2]
    whole = [
        s for s in STEPS if s not in ("declare_blockers", "first_strike_damage", "combat_damage")
    ]
    assert visited == (["untap", "upkeep", "cleanup"] if cut else whole)
    assert not outcome.over


def test_in_the_end_phase_the_turn_goes_on_as_it_would() -> None:
    """Whoever leaves there, the turn is not sent back to another cleanup step."""
    controller = started(classic_with(leaving_ends_the_turn=True), "ABCD")
    resolving(controller, "end_of_turn", signal=leaves("A"))
    to_action(controller, "discard_to_hand_size")
    controller.answer(quiet(controller.request, signal=leaves("B")))
    assert steps(through(controller, 1), 1)[-2:] == ["end_of_turn", "cleanup"]


def test_when_another_player_leaves_the_turn_goes_on(classic: Model) -> None:
    controller = started(classic_with(leaving_ends_the_turn=True), "ABC")
    resolving(controller, "upkeep", signal=leaves("C"))
    assert "end_of_turn" in steps(through(controller, 1), 1)


@pytest.mark.parametrize("stopped", [False, True])
def test_stopped_double_strike_leaves_who_has_it_alone(stopped: bool) -> None:
    """502.28b: it assigns in both steps as long as it has double strike."""
    duelist = when(
        "declare_attackers", "combatant", id="duelist", side="attacker", double_strike=True
    )
    expect = [
        {"turn": 2, "step": "first_strike_damage", "dealt": ["duelist"]},
        {"turn": 2, "step": "combat_damage", "dealt": ["duelist"]},
    ]
    assert scenario([duelist], expect, stopped_double_strike=stopped).failures == []


# ending the turn (509) ----------------------------------------------------------------------------


def test_ending_the_turn_leaves_combat_before_the_check_and_keeps_waiting_triggers(
    classic: Model,
) -> None:
    """d.1: stack, combat, check, mana, cleanup; then what waits is placed."""
    controller = started(classic)
    attack(controller)
    resolving(controller, "declare_blockers", signal=signal("end_turn"))
    states = []
    while controller.request.at.step != "cleanup" or isinstance(controller.request, Perform):
        states.append(controller.request.state)
        controller.answer(quiet(controller.request))
    assert states == [
        *("end_turn_stack", "end_turn_combat", "end_turn_sba", "end_turn_leave"),
        *("cleanup_discard_to_hand_size", "cleanup_remove_damage_and_end_effects"),
    ]
    assert isinstance(
        controller.answer(quiet(controller.request, {"triggers_waiting": True})), PlaceTriggers
    )


def test_the_procedure_checks_until_nothing_happens(classic: Model) -> None:
    controller = started(classic)
    request = resolving(controller, "upkeep", signal=signal("end_turn"))
    assert request.state == "end_turn_stack"
    controller.answer(quiet(request))
    heard = [
        controller.answer(quiet(controller.request, {"sba_performed": happened})).state
        for happened in (True, True, False)
    ]
    assert heard == ["end_turn_sba", "end_turn_sba", "end_turn_leave"]


# what these rules do not know ---------------------------------------------------------------------

UNKNOWN: list[tuple[dict[str, object], str]] = [
    (when("declare_attackers", "end_combat"), "2009-05"),
    (when("declare_attackers", "end_phase"), "2009-05"),
    (when("upkeep", "add_phase", phases=["combat"], you_get=True), "2009-05"),
    (when("upkeep", "add_step", step="upkeep", you_get=True), "2009-05"),
    (when("upkeep", "add_step", step="upkeep", after="current_phase"), "2009-05"),
    ({"do": "day_night", "value": "day"}, "2009-05"),
    ({"do": "saga", "id": "saga"}, "2009-05"),
    (when("declare_attackers", "put_attacking"), "2007-07"),
    (when("precombat_main", "end_turn"), "2003-07"),
]


@pytest.mark.parametrize(
    ("item", "edition"), UNKNOWN, ids=lambda v: v["do"] if isinstance(v, dict) else str(v)
)
def test_a_word_that_the_edition_does_not_know_is_refused(
    item: dict[str, Any], edition: str
) -> None:
    with pytest.raises(ScenarioError, match="is not known in magic-classic"):
        scenario([item], edition=edition)


@pytest.mark.parametrize(
    ("item", "edition"),
    [
        (when("declare_attackers", "put_attacking"), "2007-10"),
        (when("precombat_main", "end_turn"), "2004-10"),
        (when("upkeep", "add_step", step="upkeep", after="current_step"), "2003-07"),
    ],
    ids=str,
)
def test_a_word_that_the_edition_knows_is_not(item: dict[str, Any], edition: str) -> None:
    assert scenario([item], edition=edition).warnings == []


def test_a_step_after_a_phase_cannot_be_ordered(classic: Model) -> None:
    """300.8 knows only before and after a step."""
    controller = started(classic)
    to(controller, "upkeep", Priority)
    with pytest.raises(OrderError, match="knows no steps added after a phase"):
        controller.answer(quiet(controller.request, orders=[AddStep("upkeep", "current_phase")]))


def test_a_signal_that_these_rules_do_not_know_is_refused(classic: Model) -> None:
    controller = started(classic)
    attack(controller)
    with pytest.raises(AnswerError, match="knows no signal 'end_phase'"):
        resolving(controller, "declare_blockers", signal=signal("end_phase"))
