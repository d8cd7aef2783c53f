"""Rulesets by name, by option, by module and by file; and what is wrong with a specification."""

from __future__ import annotations

from dataclasses import replace

import pytest

import fsm
from fsm import checks, load
from fsm.errors import RulesetError
from fsm.model import Model
from fsm.rulesets import Act, Step, Then, Window, names, options
from fsm.rulesets.magic.ruleset import table
from support.amounts import sample
from support.playing import started, steps, through

HOUSE = table().with_step(
    Step("planning", "Planning", "house", (Window("house"),)), after="draw", name="house"
)
MODEL = HOUSE.build()


def factory() -> Model:
    return MODEL


def test_magic_is_there_with_its_options() -> None:
    assert names() == ("magic", "magic-2010", "magic-classic", "grand-archive")
    assert {name: option.default for name, option in options("magic").items()} == {
        "edition": "2026-01",
        "stated_attacker_counts": False,
        "extra_draw_on_first_turn": True,
        "first_main_counts_skipped": False,
    }


def test_an_option_may_be_written_or_given() -> None:
    written = load("magic?extra_draw_on_first_turn=false")
    assert written == load("magic", {"extra_draw_on_first_turn": False})
    assert written == load("magic?extra_draw_on_first_turn=off&first_main_counts_skipped=no")
    assert dict(written.options)["extra_draw_on_first_turn"] is False


def test_each_option_says_what_it_means_to_the_end_of_the_sentence() -> None:
    cut = [o for name in names() for o, of in options(name).items() if not of.doc.endswith(".")]
    assert cut == []


def test_the_defaults_written_out_are_the_ruleset_itself() -> None:
    assert load(
        "magic", {name: option.default for name, option in options("magic").items()}
    ) == load("magic")


WRONG = [
    ("magci", "ruleset 'magci' is unknown; did you mean 'magic'?"),
    ("", "ruleset '' is unknown"),
    (
        "magic?extra_draw_on_frist_turn=true",
        "option 'extra_draw_on_frist_turn' is not in magic; did you mean 'extra_draw",
    ),
    ("magic?extra_draw_on_first_turn=perhaps", "is 'perhaps', but must be true or false"),
    (
        "magic?extra_draw_on_first_turn",
        "write each option as name=value, not 'extra_draw_on_first_turn'",
    ),
    ("magic?&", "write each option as name=value, not ''"),
    (
        "magic?edition=2025-04&edition=2026-04",
        "ruleset 'magic?edition=2025-04&edition=2026-04': option 'edition' is given twice; give it once",
    ),
    ("magic?edition=2025-04&edition=2025-04", "option 'edition' is given twice; give it once"),
    (f"{__name__}:MODEL?x=true", "has no options; leave out 'x'"),
    ("no_such_module:MODEL", "cannot import 'no_such_module'"),
    (f"{__name__}:MODLE", f"{__name__!r} has no 'MODLE'"),
    (f"{__name__}:WRONG", "is a list, but must be a Model or a Table"),
    ("json:loads", "json:loads"),
    (":MODEL", "ruleset ':MODEL'"),
    (".rulesets:MODEL", "ruleset '.rulesets:MODEL'"),
]


@pytest.mark.parametrize(("spec", "message"), WRONG, ids=[w[0] or "empty" for w in WRONG])
def test_a_wrong_specification_is_refused(spec: str, message: str) -> None:
    with pytest.raises(RulesetError) as refused:
        load(spec)
    assert message in str(refused.value)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize("value", [1, "true", None, [], {}])
def test_an_option_of_a_wrong_type_is_refused_whatever_was_loaded_before(value: object) -> None:
    load("magic", {"extra_draw_on_first_turn": True})
    with pytest.raises(
        RulesetError, match=r"'extra_draw_on_first_turn' of magic is .*, but must be true or false"
    ):
        load("magic", {"extra_draw_on_first_turn": value})


@pytest.mark.parametrize("attribute", ["MODEL", "HOUSE", "factory"])
def test_a_module_may_hold_a_model_a_table_or_what_makes_one(attribute: str) -> None:
    assert load(f"{__name__}:{attribute}") == MODEL


def test_an_option_may_be_one_of_some_words() -> None:
    assert options("magic-classic")["edition"].values[:2] == ("2006-10", "2003-07")
    assert dict(load("magic-classic?edition=2007-10").options)["edition"] == "2007-10"


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        (
            "magic-classic?edition=2007",
            "'edition' of magic-classic is '2007', but must be '2006-10' or '2003-07' or",
        ),
        (
            "grand-archive?edition=true",
            "option 'edition' of grand-archive is True, but must be 'CUR' or 'OLD'",
        ),
    ],
)
def test_an_option_of_another_kind_is_refused(spec: str, message: str) -> None:
    with pytest.raises(RulesetError) as refused:
        load(spec)
    assert message in str(refused.value)


# house rules --------------------------------------------------------------------------------------


def test_a_house_rule_is_a_few_lines_and_plays() -> None:
    assert steps(through(started(MODEL), 2), 2)[:4] == ["untap", "upkeep", "draw", "planning"]
    assert fsm.check(MODEL) == []


def test_a_step_may_go_before_another() -> None:
    model = (
        table().with_step(Step("dawn", "Dawn", "house", (Window("house"),)), before="untap").build()
    )
    assert steps(through(started(model), 1), 1)[:3] == ["dawn", "untap", "upkeep"]


def test_a_step_may_be_taken_out_or_changed() -> None:
    model = table().without_step("upkeep").build()
    assert "upkeep" not in steps(through(started(model), 1), 1)
    silent = table().changed("upkeep", lambda step: replace(step, does=())).build()
    assert all(state.id != "upkeep_window" for state in silent.states)
    assert "upkeep" in steps(through(started(silent), 1), 1)


def test_a_house_rule_beside_a_step_that_is_not_there_is_refused() -> None:
    with pytest.raises(RulesetError, match=r"step 'drew' is not in magic; did you mean 'draw'?"):
        table().with_step(Step("planning", "Planning", "house"), after="drew")
    with pytest.raises(RulesetError, match="step 'drew' is not in magic"):
        table().without_step("drew")


def test_a_row_of_the_table_that_leads_nowhere_is_refused() -> None:
    lost = table().changed("end", lambda step: replace(step, then=(Then("clean"),)))
    with pytest.raises(RulesetError, match=r"step 'clean' is unknown; did you mean 'cleanup'?"):
        lost.build()


def test_a_guard_that_names_no_fact_is_refused() -> None:
    moody = table().changed(
        "upkeep",
        lambda step: replace(step, does=(Act("brood", "Brood", "house", "raining"), *step.does)),
    )
    with pytest.raises(RulesetError, match="fact 'raining' is unknown"):
        moody.build()


CHOICES = [
    (name, option, v) for name in names() for option, of in options(name).items() for v in of.values
]


@pytest.mark.parametrize(("name", "option", "value"), sample(CHOICES, 6), ids=str)
def test_every_option_leaves_a_model_without_findings(
    name: str, option: str, value: object
) -> None:
    model = load(name, {option: value})
    assert checks.check(model) == []
    stated = dict(model.options).get(option, options(name)[option].default)
    assert stated == value


# what the digest says of the table (section a) ----------------------------------------------------

STEPS = [
    *("untap", "upkeep", "draw", "precombat_main"),
    *(
        "beginning_of_combat",
        "declare_attackers",
        "declare_blockers",
        "first_strike_damage",
        "combat_damage",
    ),
    *("end_of_combat", "postcombat_main", "end", "cleanup"),
]

ACTIONS = {
    "untap": ["phasing", "day_night", "untap_permanents"],
    "upkeep": [],
    "draw": ["draw_card"],
    "precombat_main": ["set_scheme", "add_lore_counters", "roll_attractions"],
    "beginning_of_combat": ["choose_defender"],
    "declare_attackers": ["declare_attackers"],
    "declare_blockers": ["declare_blockers"],
    "first_strike_damage": ["assign_combat_damage", "deal_combat_damage"],
    "combat_damage": ["assign_combat_damage", "deal_combat_damage"],
    "end_of_combat": ["remove_from_combat"],
    "postcombat_main": [],
    "end": [],
    "cleanup": ["discard_to_hand_size", "remove_damage_and_end_effects"],
}


def test_magic_has_the_steps_of_the_rulebook_in_its_order(magic: Model) -> None:
    assert [s.name for s in magic.of_kind("step")] == STEPS
    assert [s.family for s in magic.of_kind("phase")] == [
        "beginning",
        "main",
        "combat",
        "main",
        "ending",
    ]


@pytest.mark.parametrize("step", STEPS)
def test_each_step_has_its_turn_based_actions_in_order_and_its_priority(
    magic: Model, step: str
) -> None:
    inside = magic.children(f"{step}_step")
    assert [s.action for s in inside if s.role == "action"] == ACTIONS[step]
    opens = {s.opens for s in inside if s.kind == "window"}
    assert opens == {"untap": set(), "cleanup": {"conditional"}}.get(step, {"natural"})


def test_every_state_row_and_fact_cites_its_rule(magic: Model, window: Model) -> None:
    for model in (magic, window):
        rules = [(s.id, s.rule) for s in model.states] + [(t.id, t.rule) for t in model.transitions]
        rules += [(f.name, f.rule) for f in model.facts]
        assert [name for name, rule in rules if not rule] == []
