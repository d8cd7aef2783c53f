"""The ruleset magic-2010: the judge's table row by row, its options, its worked cases and what it
does not know.
"""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest

import fsm
from fsm import AddPhase, AddStep, Effect, SkipStep, load, scenarios
from fsm.errors import ScenarioError
from fsm.model import Model
from fsm.orders import Order
from fsm.rulesets import options
from fsm.scenarios import Outcome, play
from support.amounts import sample
from support.folders import SCENARIOS
from support.playing import attack, quiet, resolving, signal, started, steps, through, to_action

CASES = sorted((SCENARIOS / "magic-2010").glob("*.json"))
OPTIONS = {name: option.values for name, option in options("magic-2010").items()}


@pytest.fixture(scope="module")
def table() -> Model:
    return fsm.load("magic-2010")


# the table ----------------------------------------------------------------------------------------

DAMAGE = (
    "assign_attackers",
    "assign_unblocked",
    "assign_blockers",
    "deal_combat_damage",
    "window",
    "window",
    "end",
)
ROWS: dict[str, tuple[str, tuple[str, ...]]] = {
    "UT": ("untap", ("phasing", "untap_permanents", "end")),
    "UK": ("upkeep", ("window", "window", "end")),
    "DR": ("draw", ("draw_card", "window", "window", "end")),
    "PM": ("precombat_main", ("window", "window", "end")),
    "BC": ("beginning_of_combat", ("window", "window", "end")),
    "DA": ("declare_attackers", ("declare_attackers", "window", "window", "end")),
    "DB": (
        "declare_blockers",
        (
            *("declare_blockers", "order_blockers", "order_attackers", "window", "window"),
            *("place_in_both_orders", "place_in_attackers_order", "end"),
        ),
    ),
    "FS": ("first_strike_damage", DAMAGE),
    "RG": ("combat_damage", DAMAGE),
    "EC": (
        "end_of_combat",
        ("window", "window", "remove_from_combat", "end_combat_effects", "end"),
    ),
    "QM": ("postcombat_main", ("window", "window", "end")),
    "ES": ("end", ("window", "window", "end")),
    "CL": ("cleanup", ("discard_to_hand_size", "remove_damage_and_end_effects", "window", "end")),
}
"""The rows T-<label>.1, .2, ... of each step, and the stage that stands for each.

A window is two rows: what is put on the stack, and who may act. Of cleanup only the course without
work is here (T-CL.1 to 4); T-CL.5, 6, T-DA.1's skip and T-FS.0 are rows of the model, not stages.
"""
SAYS = {
    "untap_phasing": "phased-out permanents come in and those with phasing go out, all at once",
    "upkeep_window": "triggered in the untap step, and “at the beginning of upkeep”",
    "draw_draw_card": "without the stack",
    "draw_window": "“at the beginning of the draw step” abilities, and those that trigger on the card drawn",
    "precombat_main_window": "next main phase” and “at the beginning of the precombat main phase”",
    "beginning_of_combat_window": "“at the beginning of combat”",
    "declare_attackers_window": "attackers being declared",
    "declare_blockers_order_blockers": "for each attacker that became blocked, the active player",
    "declare_blockers_order_attackers": "for each blocking creature, the order",
    "declare_blockers_window": "blockers being declared",
    "declare_blockers_place_in_both_orders": "the attacker's order, and the attacker in its order",
    "declare_blockers_place_in_attackers_order": "the active player places it",
    "first_strike_damage_assign_attackers": "with first or double strike, to their blockers",
    "first_strike_damage_assign_unblocked": "with first or double strike, to the defending player or the planeswalker",
    "first_strike_damage_assign_blockers": "with first or double strike, to their attackers",
    "first_strike_damage_deal_combat_damage": "all at once, without the stack",
    "combat_damage_window": "“deals combat damage” and “is dealt combat damage”",
    "end_of_combat_window": "“at end of combat”",
    "postcombat_main_window": "next main phase” and “at the beginning of the postcombat main phase”",
    "end_window": "“at the beginning of the end step” and “at the beginning of the next end step”",
    "cleanup_discard_to_hand_size": "usually to seven",
    "cleanup_window": "“at the beginning of the next cleanup step”",
}


def stages(label: str) -> list[str]:
    """The stages of a step's rows, a window once."""
    step, names = ROWS[label]
    return list(dict.fromkeys(f"{step}_{name}" for name in names))


def test_the_steps_are_those_of_the_table_in_its_order(table: Model) -> None:
    assert [s.name for s in table.of_kind("step")] == [step for step, _ in ROWS.values()]
    assert [s.family for s in table.of_kind("phase")] == [
        "beginning",
        "main",
        "combat",
        "main",
        "ending",
    ]


@pytest.mark.parametrize("label", ROWS)
def test_each_row_is_in_the_model_in_the_order_of_the_table(table: Model, label: str) -> None:
    step = table.state(f"{ROWS[label][0]}_step")
    found = [s.id for s in table.children(step.id) if s.asks or s.kind == "window"]
    assert set(found) - set(stages(label)) <= {
        "beginning_of_combat_choose_defender",
        "cleanup_again_end",
    }
    assert [id for id in found if id in stages(label)] == stages(label)


def test_every_step_ends_with_mana_and_nobody_loses_life(table: Model) -> None:
    ends = [s for s in table.leaves if s.role == "end" and s.asks]
    assert {s.parent for s in ends} == {s.id for s in table.of_kind("step")} | {"combat_phase"}
    assert {(s.action, s.rule) for s in ends} == {("empty_mana", "500.4")}


@pytest.mark.parametrize("stage", SAYS)
def test_a_row_says_what_the_table_says(table: Model, stage: str) -> None:
    assert SAYS[stage] in table.state(stage).doc


def test_who_may_act_is_told_apart_in_main_phases(table: Model) -> None:
    labels: dict[str, set[str]] = {}
    for state in table.of_kind("window"):
        labels.setdefault(state.label, set()).add(state.parent)
    main, others = sorted(labels.values(), key=len)
    assert main == {"precombat_main_step", "postcombat_main_step"}
    assert len(others) == 10


def test_no_attacker_skips_blocks_and_damage(table: Model) -> None:
    last = table.rows("declare_attackers_after")[-1]
    assert (last.target, last.guard, last.layer) == ("end_of_combat_before", (), "skip")


def test_the_first_substep_is_guarded(table: Model) -> None:
    guard = "first_strike_damage_before -> first_strike_damage_after [not first_strike_in_combat]"
    assert table.transition(guard).rule == "510.5"


def test_cleanup_ends_or_is_repeated(table: Model) -> None:
    again, done = table.rows("cleanup_window", "closed")
    assert (str(again.guard[0]), again.target, done.guard, done.target) == (
        *("window_opened", "cleanup_again_end"),
        *((), "cleanup_end"),
    )
    assert table.rows("cleanup_again_after")[-1].target == "cleanup_begin"
    assert table.state("cleanup_window").opens == "conditional"


@pytest.mark.parametrize(
    ("step", "manner"),
    [
        ("first_strike_damage", "first_or_double_strike"),
        ("combat_damage", "others_and_double_strike"),
    ],
)
def test_the_substeps_differ_in_who_assigns(table: Model, step: str, manner: str) -> None:
    assigning = [s for s in table.children(f"{step}_step") if s.action.startswith("assign_")]
    assert [s.manner for s in assigning] == [manner] * 3


def test_triggers_are_placed_in_one_pass(table: Model) -> None:
    assert table.window is not None
    assert table.window.state("place_triggers").manner == "one_pass"
    assert {row.rule for row in table.window.rows("priority", "acted")} == {"116.3c"}


def test_everything_cites_its_rule_and_none_of_a_later_edition(table: Model) -> None:
    assert table.window is not None
    for model in (table, table.window):
        rules = (
            [s.rule for s in model.states]
            + [t.rule for t in model.transitions]
            + [f.rule for f in model.facts]
        )
        assert all(rules)
        assert not any(
            rule.startswith(("117", "723", "103.8", "508.8", "510.5a")) for rule in rules
        )


# options ------------------------------------------------------------------------------------------

EVERY = [dict(zip(OPTIONS, values, strict=True)) for values in product(*OPTIONS.values())]


@pytest.mark.parametrize("options", sample(EVERY, 8), ids=str)
def test_every_choice_of_options_leaves_a_model_without_findings(
    options: dict[str, object],
) -> None:
    assert fsm.check(load("magic-2010", options)) == []


def test_options_make_other_models_and_the_default_follows_the_rules(table: Model) -> None:
    assert len({load("magic-2010", options).fingerprint for options in EVERY}) == len(EVERY) == 8
    assert (
        load(
            "magic-2010?as_printed=false&end_turn_repeats_cleanup=true&extra_draw_on_first_turn=yes"
        )
        == table
    )


def test_as_printed_differs_in_the_skip_and_in_the_second_damage_only(table: Model) -> None:
    printed = load("magic-2010?as_printed=true")
    differs = {a.id for a, b in zip(table.states, printed.states, strict=True) if a != b}
    assert differs == {f"combat_damage_{name}" for name in DAMAGE if name.startswith("assign_")}
    changed = set(table.transitions) ^ set(printed.transitions)
    assert {t.rule for t in changed} == {"508.6"}


@pytest.mark.parametrize("comes", [True, False])
@pytest.mark.parametrize(
    "order", [AddStep("draw"), AddPhase(("beginning",))], ids=["step", "phase"]
)
def test_an_extra_draw_step_on_the_first_turn(order: Order, comes: bool) -> None:
    """103.7a: who plays first skips "the draw step", which is the turn's own."""
    game = started(load("magic-2010", {"extra_draw_on_first_turn": comes}))
    resolving(game, "upkeep", order)
    before = ["untap", "upkeep", *(["untap", "upkeep"] if isinstance(order, AddPhase) else [])]
    assert steps(through(game, 1), 1)[: len(before) + 2] == [
        *before,
        *["draw"] * comes,
        "precombat_main",
        *["beginning_of_combat"] * (not comes),
    ]


# worked cases -------------------------------------------------------------------------------------


def test_every_worked_case_is_there() -> None:
    assert [int(path.stem.split("-")[1]) for path in CASES] == list(range(1, 31))


def test_the_window_checks_state_based_actions_before_it_places_triggers() -> None:
    """Case 24 (116.5): the check that finds something, one that does not, then what waits."""
    [scenario] = scenarios.load(next(path for path in CASES if path.stem.startswith("case-24")))
    taken = [
        r.target
        for r in play(scenario).records
        if (r.turn, r.step, r.machine) == (2, "upkeep", "window")
    ]
    assert taken[: taken.index("place_triggers") + 1] == [
        "sba",
        "sba_done",
        "sba",
        "sba_done",
        "place_triggers",
    ]


# what the worked cases leave out ------------------------------------------------------------------


def test_until_end_of_combat_is_over_even_if_the_end_of_combat_step_is_skipped(
    table: Model,
) -> None:
    """500.5: the phase ends all the same."""
    controller = started(table)
    resolving(controller, "upkeep", SkipStep("end_of_combat"), Effect("f", "A", "end_of_combat"))
    expired = []
    while controller.request.at.turn == 1:
        expired += [(controller.request.at.step, id) for id in controller.request.expired]
        controller.answer(quiet(controller.request))
    assert "end_of_combat" not in steps(controller, 1)
    assert expired == [("declare_attackers", "f")]


def test_ending_the_turn_in_combat_first_exiles_then_removes_then_checks(table: Model) -> None:
    """712.1a-c; "until end of combat" is over with the phase, before the mana."""
    controller = started(table)
    attack(controller)
    resolving(
        controller, "declare_blockers", Effect("f", "A", "end_of_combat"), signal=signal("end_turn")
    )
    asked = [controller.request.state]
    while controller.request.at.step != "cleanup":
        request = controller.answer(
            fsm.Answer("done", dict.fromkeys(controller.request.facts, False))
        )
        asked.append(request.state)
        if request.state == "end_turn_leave":
            assert request.expired == ("f",)
    assert asked[:4] == ["end_turn_stack", "end_turn_combat", "end_turn_sba", "end_turn_leave"]


@pytest.mark.parametrize("event", ["made_to_block", "put_in_blocking"])
def test_outside_declare_blockers_nothing_is_placed(table: Model, event: str) -> None:
    controller = started(table)
    attack(controller)
    before = resolving(controller, "combat_damage", signal=signal(event))
    assert before.at.stage == "combat_damage_window"
    assert not [s for s in steps(controller, 1) if s == "end_of_combat"]


def test_combat_effects_end_after_combat_is_left_and_before_the_mana(table: Model) -> None:
    """Case 21: the table's order, where the rules leave it open."""
    controller = started(table)
    attack(controller)
    resolving(controller, "declare_blockers", Effect("f", "A", "end_of_combat"))
    assert to_action(controller, "remove_from_combat").expired == ()
    assert controller.answer(quiet(controller.request)).state == "end_of_combat_end_combat_effects"
    assert controller.request.expired == ("f",)
    assert controller.answer(quiet(controller.request)).state == "combat_phase_end"


@pytest.mark.parametrize(("repeats", "cleanups"), [(True, 2), (False, 1)])
def test_ending_the_turn_in_cleanup_forgets_what_was_still_to_come(
    repeats: bool, cleanups: int
) -> None:
    """Case 26 in both readings: an extra phase of this turn is lost, an extra turn is not."""
    items = [
        {"do": "trigger", "id": "t", "when": {"turn": 1, "step": "cleanup"}},
        *(
            {"do": do, "when": {"turn": 1, "step": "cleanup", "at": "priority"}, **more}
            for do, more in [
                ("add_phase", {"phases": ["combat"]}),
                ("add_turn", {}),
                ("end_turn", {}),
            ]
        ),
    ]
    claims = [
        {
            "turn": 1,
            "phases": ["beginning", "precombat_main", "combat", "postcombat_main", "ending"],
        },
        {"turn": 1, "visits": {"cleanup": cleanups}},
        {"turn_order": ["A", "A", "B"]},
    ]
    options = {"end_turn_repeats_cleanup": repeats}
    assert given(*items, expect=claims, options=options).failures == []


REFUSED = [
    ({"do": "end_combat"}, "'end_combat' is not known in magic-2010"),
    ({"do": "end_phase"}, "'end_phase' is not known in magic-2010"),
    ({"do": "day_night", "value": "day"}, "'day_night' is not known in magic-2010"),
    ({"do": "saga", "id": "x"}, "'saga' is not known in magic-2010"),
    ({"do": "attack"}, "'attack' is not known in magic-2010"),
    ({"do": "add_step", "step": "upkeep", "you_get": True}, "'you_get' is not known in magic-2010"),
    (
        {"do": "add_step", "step": "upkeep", "after": "current_phase"},
        "a step after a phase is not known",
    ),
]


def given(*items: dict[str, Any], **rest: Any) -> Outcome:
    """What comes of a scenario in which this happens: in the first upkeep, if an item does not say."""
    happens = [{"when": {"turn": 1, "step": "upkeep"}, **item} for item in items]
    scenario = {"ruleset": "magic-2010", "given": happens, **rest}
    return play(
        fsm.scenarios.load({"expect": [{"turn": 1, "active": "A"}], **scenario}, place="here")[0]
    )


@pytest.mark.parametrize(("item", "message"), REFUSED, ids=[message for _, message in REFUSED])
def test_what_other_editions_know_is_refused(item: dict[str, Any], message: str) -> None:
    with pytest.raises(ScenarioError) as refused:
        given(item)
    assert message in str(refused.value)


def test_mana_burn_cannot_be_expected() -> None:
    claim = {"burn": {"turn": 1, "phase": "beginning", "player": "A", "amount": 1}}
    with pytest.raises(ScenarioError, match="'burn' is not known in magic-2010"):
        given({"do": "add_mana"}, expect=[claim])
