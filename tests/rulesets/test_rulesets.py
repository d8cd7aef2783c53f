"""Rulesets are loaded by name, option, module or file. A wrong specification is refused with a
suggestion.
"""

from __future__ import annotations

from typing import Any

import pytest

import fsm
from fsm.errors import RulesetError
from fsm.model import Model
from fsm.rulesets import names, options
from support.amounts import sample
from support.court import COURT

MODEL = COURT.build()


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
    written = fsm.load("magic?extra_draw_on_first_turn=false")
    assert written == fsm.load("magic", {"extra_draw_on_first_turn": False})
    assert written == fsm.load("magic", extra_draw_on_first_turn=False)
    assert written == fsm.load(
        "magic?extra_draw_on_first_turn=false&first_main_counts_skipped=false"
    )
    assert dict(written.options)["extra_draw_on_first_turn"] is False
    assert fsm.load("magic?first_main_counts_skipped=false") == fsm.load("magic")


@pytest.mark.parametrize("attribute", ["MODEL", "COURT", "factory"])
def test_a_module_may_hold_a_model_a_table_or_what_makes_one(attribute: str) -> None:
    assert fsm.load(f"{__name__}:{attribute}") == MODEL


@pytest.mark.parametrize(
    ("spec", "says"),
    [
        ("magci", "ruleset 'magci' is unknown; did you mean 'magic'?"),
        ("", "ruleset '' is unknown"),
        ("smugglers.py", "(or name module:attribute, FILE.py:TABLE, or a model's .json file)"),
        ("magic?extra_draw_on_frist_turn=true", "option 'extra_draw_on_frist_turn' is not in magic; did you mean 'extra_draw"),
        ("magic?extra_draw_on_first_turn=perhaps", "is 'perhaps', but must be true or false"),
        ("magic?extra_draw_on_first_turn", "write each option as name=value, not 'extra_draw_on_first_turn'"),
        ("magic-classic?edition=2007", "'edition' of magic-classic is '2007', but must be '2006-10' or '2003-07' or"),
        (f"{__name__}:MODEL?x=true", "has no options; leave out 'x'"),
        ("no_such_module:MODEL", "cannot import 'no_such_module'"),
        (f"{__name__}:MODLE", f"{__name__!r} has no 'MODLE'"),
        (f"{__name__}:__name__", "is a str, but must be a Model or a Table"),
        (":MODEL", "ruleset ':MODEL'"),
    ],
    ids=lambda value: value.rpartition(":")[2] if value.isascii() else "",
)  # fmt: skip
def test_a_wrong_specification_is_refused(spec: str, says: str) -> None:
    with pytest.raises(RulesetError) as refused:
        fsm.load(spec)
    assert says in str(refused.value)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize("value", [1, "true", None, []])
def test_an_option_of_a_wrong_type_is_refused(value: Any) -> None:
    """It is, whatever was loaded before."""
    fsm.load("magic", {"extra_draw_on_first_turn": True})
    with pytest.raises(RulesetError, match=r"of magic is .*, but must be true or false"):
        fsm.load("magic", {"extra_draw_on_first_turn": value})


CHOICES = [
    (name, option, value)
    for name in names()
    for option, of in options(name).items()
    for value in of.values
]


@pytest.mark.parametrize(("name", "option", "value"), sample(CHOICES, 2, seed=3), ids=str)
def test_every_option_leaves_a_model_without_findings(
    name: str, option: str, value: object
) -> None:
    model = fsm.load(name, {option: value})
    assert fsm.check(model) == []
    assert dict(model.options).get(option, options(name)[option].default) == value


# what the rulebook says of Magic's turn -----------------------------------------------------------

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


def test_magic_has_the_steps_of_the_rulebook_with_their_actions_and_priority(magic: Model) -> None:
    assert [step.name for step in magic.of_kind("step")] == list(ACTIONS)
    families = [phase.family for phase in magic.of_kind("phase")]
    assert families == ["beginning", "main", "combat", "main", "ending"]
    for step, actions in ACTIONS.items():
        inside = magic.children(f"{step}_step")
        assert [state.action for state in inside if state.role == "action"] == actions
        opens = [state.opens for state in inside if state.kind == "window"]
        assert opens == {"untap": [], "cleanup": ["conditional"]}.get(step, ["natural"])


@pytest.mark.parametrize("name", names())
def test_plain_words_are_short_and_no_program_names(name: str) -> None:
    model = fsm.load(name)
    parts: list[Any] = [*model.states, *model.transitions, *model.facts]
    words = [part.says for part in parts if part.says]
    words += [fact.denies for fact in model.facts if fact.denies]
    assert len(words) > 20
    wrong = [text for text in words if len(text) > 60 or "_" in text or text.endswith(".")]
    assert wrong == []
    told = [fact for fact in model.facts if fact.owner == "game"]
    assert [fact.name for fact in told if not (fact.says and fact.denies)] == []
