"""What is proved of chains that no run can take: of any length, past what was interrupted, by what
actions do.

That nothing is proved wrongly is shown by games: see test_coverage_soundness.
"""

from __future__ import annotations

from dataclasses import replace

import pytest

import fsm
from fsm.checks.feasibility.testresults import ContradictoryResults, result_after
from fsm.coverage import targets
from fsm.model import Action, Event, Fact, Model, State, Term, Transition
from fsm.rulesets import names
from fsm.state.primitives import ACTIONS, TESTS
from support.amounts import thorough

LENGTH = 9


def road(*rows: Transition, clears: bool = False) -> Model:
    """A way of many stages, on which `kept` is latched at its beginning and read at its end."""
    stages = [f"stage_{number}" for number in range(LENGTH)]
    on = [Transition(a, b) for a, b in zip(stages, [*stages[1:], "check"], strict=True)]
    if clears:
        on[4] = replace(on[4], actions=(Action("clear", ("hand",)),))
    return Model(
        name="road",
        initial="ask",
        states=(*(State(s, "action", asks="perform") for s in ("ask", *stages)), State("check", "choice"),
                State("won", "stage"), State("lost", "stage")),
        transitions=(
            Transition("ask", "stage_0", actions=(Action("latch", ("kept",)),)),
            *on,
            Transition("check", "won", guard=(Term("kept"),)),
            Transition("check", "lost"),
            Transition("won", "ask"),
            Transition("lost", "ask"),
            *rows,
        ),
        events=(Event("done", completion=True), Event("jump")),
        facts=(Fact("kept", "", owner="controller", timing="latched", scope="hand"),),
    )  # fmt: skip


def impossible(model: Model, criterion: str = "pairs") -> dict[str, str]:
    return {
        target.id: target.infeasible for target in targets(model, criterion) if target.infeasible
    }


LOST = f"stage_{LENGTH - 1} -> check ; check -> lost"


def test_what_was_latched_long_ago_counts() -> None:
    assert (
        impossible(road())[LOST]
        == "on every way into stage_8 the facts are such that it cannot happen"
    )
    assert LOST not in impossible(road(clears=True))


def test_another_way_in_counts_only_if_it_can_make_a_difference() -> None:
    assert LOST in impossible(road(Transition("won", "stage_6")))  # it was latched before that, too
    aside = Transition("ask", "stage_6", "jump")
    assert LOST in impossible(road(aside))  # a signal comes with an answer, and none leads to `ask`


def test_a_run_may_begin_in_the_middle() -> None:
    assert LOST not in impossible(replace(road(), initial="stage_3"))


MAGIC = {
    # what an action makes so
    "end_turn_combat -> end_turn_leave ; end_turn_leave -> cleanup_begin [ending_under_way]",
    "end_turn_leave -> cleanup_begin ; turn -> end_combat_triggers on end_phase [combat_under_way]",
    # what two tests cannot answer at once
    "step_hub -> untap_before [extra_step_is_untap] ; untap_before -> untap_after [phase_lacks_untap]",
    # where something goes on, all is as it was when it was interrupted
    "step_resume -> draw_before [step_returns_to_draw_before] ; draw_before -> draw_after [phase_lacks_draw]",
    "step_resume -> declare_blockers_before [step_returns_to_declare_blockers_before] ; "
    "declare_blockers_before -> declare_blockers_after [not attackers_declared, not put_in_attacking]",
    # what was so on every way into it
    "declare_blockers_before -> declare_blockers_after [not attackers_declared, not put_in_attacking] ; "
    "declare_blockers_after -> combat_damage_before",
    "precombat_main_phase_after -> phase_resume [inside_extra_phase] ; "
    "phase_resume -> beginning_phase_after [phase_returns_to_beginning_phase_after]",
}
POSSIBLE = {
    "step_resume -> draw_before [step_returns_to_draw_before] ; draw_before -> draw_after [skip_draw]",
    "step_resume -> draw_before [step_returns_to_draw_before] ; draw_before -> step_hub [extra_before_draw]",
    "cleanup_end -> cleanup_after ; turn -> end_combat_triggers on end_phase [combat_under_way]",
    "precombat_main_phase_after -> phase_resume [inside_extra_phase] ; "
    "phase_resume -> postcombat_main_phase_after [phase_returns_to_postcombat_main_phase_after]",
}


@thorough
def test_of_a_whole_ruleset() -> None:
    model = fsm.load("magic")
    pairs, proved = {t.id for t in targets(model, "pairs")}, impossible(model)
    assert pairs >= MAGIC | POSSIBLE
    assert [id for id in MAGIC if id not in proved] == []
    assert [id for id in POSSIBLE if id in proved] == []


def test_who_leaves_is_heard_before_anything_else_may_be_different() -> None:
    """Whether the active player sits last can only change as somebody leaves, which is a firing of
    its own.
    """
    first, second = (
        "main_window -> (stays) on attack [first_turn, not last_in_cycle]",
        "[not stack_empty]",
    )
    assert f"{first} ; main_window -> (stays) on attack {second}" in impossible(
        fsm.load("grand-archive")
    )


@pytest.mark.parametrize("name", names())
def test_no_tests_of_a_ruleset_refuse_each_other_that_ask_for_nothing(name: str) -> None:
    """Facts that are all false can be so together: nothing is due, nothing is under way."""
    for model in (m for m in (fsm.load(name), fsm.load(name).window) if m is not None):
        results = ContradictoryResults(model.facts)
        assert not results.impossible({fact.name: False for fact in model.facts})


def test_what_is_known_names_primitives_that_there_are() -> None:
    tests = [("phase_under_way", "x"), ("candidate_is", "step", "x"), ("inside_extra", "step"), ("begun", "step", "x"),
             ("returns_to", "step", "x"), ("extra_due", "step"), ("missed", "x"), ("inside_any_extra",)]  # fmt: skip
    actions = [Action("begin", ("phase", "a", "x")), Action("begin", ("step", "x", "x")), Action("end", ("phase",)),
               Action("push_return", ("step", "x")), Action("drop", ("turn",)), Action("drop", ("phase",)),
               Action("miss", ("step", "x")), Action("end_turn"), Action("pass_over", ("step",))]  # fmt: skip
    assert {test[0] for test in tests} <= set(TESTS)
    assert {action.name for action in actions} <= set(ACTIONS)
    known = {
        (str(a), t[0]): found
        for a in actions
        for t in tests
        if (found := result_after(a, t)) is not None
    }
    assert known == {
        ("begin(phase, a, x)", "phase_under_way"): True,
        ("begin(step, x, x)", "candidate_is"): False,
        ("begin(step, x, x)", "begun"): True,
        ("end(phase)", "phase_under_way"): False,
        ("push_return(step, x)", "inside_extra"): True,
        ("push_return(step, x)", "returns_to"): True,
        ("push_return(step, x)", "inside_any_extra"): True,
        **{("drop(turn)", t): False for t in ("candidate_is", "inside_extra", "returns_to", "extra_due",
                                              "inside_any_extra")},
        **{("drop(phase)", t): False for t in ("candidate_is", "inside_extra", "returns_to", "extra_due")},
        ("miss(step, x)", "candidate_is"): False,
        ("miss(step, x)", "extra_due"): False,
        ("miss(step, x)", "missed"): True,
        **{("end_turn", t): False for t in ("phase_under_way", "candidate_is", "inside_extra", "begun", "returns_to",
                                            "extra_due", "missed", "inside_any_extra")},
        ("pass_over(step)", "candidate_is"): False,
        ("pass_over(step)", "extra_due"): False,
    }  # fmt: skip
