"""The pictures of phases, steps, windows and endings tell everything that is in them."""

from __future__ import annotations

import re

import pytest

import fsm
from fsm.model import Fact, Model
from support.drawings import BUILT_IN, loaded, picture
from support.drawnsvg import Picture, read

every_ruleset = pytest.mark.parametrize("ruleset", BUILT_IN)


def told(shown: Picture) -> str:
    """All words and tooltips, in one line."""
    return " ".join(" ".join([*shown.words, *shown.tooltips]).split()).casefold()


def names(fact: Fact) -> list[str]:
    """What a fact may be called."""
    words = (fact.name.replace("_", " "), fact.says, fact.denies)
    return [word.casefold() for word in words if word]


def missing(model: Model, inside: set[str], words: str) -> list[str]:
    """What happens in these states, or can lead on from them, that the words do not tell."""
    found = []
    for state in model.leaves:
        if state.id in inside and (state.role == "action" or state.kind == "window"):
            found += [text for text in (state.label, state.rule) if text.casefold() not in words]
    for way in model.transitions:
        if way.source in inside and not way.generic:
            rule = re.sub(r"(no rule)? ?\(U-\d+\)", "", way.rule)
            found += [way.id] if rule.casefold() not in words else []
            facts = [model.fact(term.fact) for term in way.guard]
            found += [f.name for f in facts if not any(name in words for name in names(f))]
    return found


@every_ruleset
def test_a_phase_tells_all_that_is_done_in_it_every_condition_and_every_rule(ruleset: str) -> None:
    model = loaded(ruleset)
    for phase in model.of_kind("phase"):
        inside = {s.id for s in model.states if phase in model.path(s.id)}
        assert missing(model, inside, told(picture(ruleset, f"phase:{phase.id}"))) == []


@every_ruleset
def test_the_window_tells_all_of_its_states_and_ways(ruleset: str) -> None:
    window = loaded(ruleset).window
    assert window is not None
    words = told(picture(ruleset, "window"))
    assert missing(window, {s.id for s in window.states}, words) == []


@every_ruleset
def test_every_ending_tells_where_the_turn_goes_on(ruleset: str) -> None:
    model = loaded(ruleset)
    for event in ("end_turn", "end_phase"):
        rows = [t for t in model.transitions if t.event == event]
        if rows:
            words = told(picture(ruleset, f"ending:{event}"))
            assert "from any" in words or "from anywhere" in words
            rules = {t.rule.split(" (")[0].casefold() for t in rows}
            assert [rule for rule in rules if rule not in words] == []


def test_a_step_says_where_it_comes_from_and_what_comes_next() -> None:
    shown = picture("magic", "step:end_of_combat_step")
    assert shown.says("from Declare attackers")
    assert shown.says("from Combat damage")
    assert shown.says("Combat phase ends")


@pytest.mark.parametrize(
    ("ruleset", "view", "words"),
    [
        ("magic", "phase:combat_phase", "Assign damage by the active player"),
        ("magic", "phase:combat_phase", "leaves out declare blockers, first-strike damage"),
        ("magic", "phase:beginning_phase", "Untap permanents the active player's, all at once"),
        ("magic-classic", "phase:combat_phase", "Damage on the stack"),
        ("magic-2010", "phase:combat_phase", "Order blockers for each attacker that became"),
        ("grand-archive", "phase:main_phase", "RETALIATION"),
        ("magic", "window", "all passed in succession on an empty stack"),
        ("grand-archive", "window", "A player has Opportunity"),
    ],
)
def test_it_has_the_words_of_the_rulebook(ruleset: str, view: str, words: str) -> None:
    assert picture(ruleset, view).says(words)


def test_ending_the_turn_is_told_in_the_order_of_the_rule() -> None:
    """Rule 723.1."""
    tops = {text.words: text.area[1] for text in picture("magic", "ending:end_turn").texts}
    wanted = [
        "from any step",
        "Waiting triggers cease",
        "Exile the stack",
        "Phase and step end",
        "Cleanup begins",
    ]
    assert sorted(wanted, key=tops.__getitem__) == wanted


def test_what_an_ending_does_not_end_is_said() -> None:
    """Rule 723.2g: outside of combat, ending the phase does nothing."""
    shown = picture("magic", "ending:end_phase")
    assert shown.says("it is no combat phase: nothing happens (723.2g)")


@pytest.mark.parametrize(
    ("view", "gone", "words"),
    [
        ("phase:ending_phase", "cleanup_before -> cleanup_begin", "NO WAY ON"),
        ("step:upkeep_step", "upkeep_window -> upkeep_end on closed", "NO WAY ON"),
        ("ending:end_turn", "end_turn_stack -> end_turn_sba", "NO WAY ON"),
    ],
)
def test_a_place_without_a_way_on_is_named(view: str, gone: str, words: str) -> None:
    model = loaded("magic")
    assert read(fsm.draw(model.without(gone), view=view)).says(words)
    assert not picture("magic", view).says(words)


def test_a_transition_that_is_gone_takes_its_rule_along() -> None:
    model = loaded("magic")
    whole = picture("magic", "phase:ending_phase")
    rows = [t.id for t in model.transitions if t.rule == "514.3a"]
    for row in rows:
        model = model.without(row)
    less = read(fsm.draw(model, view="phase:ending_phase"))
    assert len(less.lines) < len(whole.lines)
    assert told(whole).count("514.3a") > told(less).count("514.3a")


def test_combat_stands_inside_the_main_phase_of_grand_archive() -> None:
    shown = picture("grand-archive", "phase:main_phase")
    combat = next(t for t in shown.texts if t.words == "COMBAT")
    step = next(t for t in shown.texts if t.words == "RETALIATION")
    [outer] = [b for b in shown.boxes if b.holds(combat)]
    assert outer.holds(step)
