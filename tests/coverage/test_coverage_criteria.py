"""Every criterion on models small enough to be counted by hand: what it asks for, what was taken,
what cannot be.
"""

from __future__ import annotations

import pytest

from fsm.checks.feasibility.factchanges import FactChanges
from fsm.coverage import Data, Target, covered, criteria, subject_of, targets
from fsm.errors import CoverageError
from fsm.model import Action, Event, Fact, Model, State, Term, Transition
from fsm.model.graph import graphs_of
from support.smallmodels import CARDS, DARK, LAMP, OFF, ON, SMASH, recorded

NONE = Data()


def ids(found: tuple[Target, ...]) -> list[str]:
    return [target.id for target in found]


def reasons(model: Model, criterion: str) -> dict[str, str]:
    return {
        target.id: target.infeasible for target in targets(model, criterion) if target.infeasible
    }


def test_all_criteria_have_a_name_a_source_and_say_it_of_any_model() -> None:
    assert criteria() == (
        *("states", "transitions", "literals", "mcdc", "pairs"),
        *("rules", "refusals"),
    )
    for criterion in criteria():
        coverage = covered(LAMP, criterion, NONE)
        assert coverage.covered == coverage.refuted == ()
        assert len(coverage.missing) + len(coverage.infeasible) == len(coverage.targets)
        assert len({target.key for target in coverage.targets}) == len(coverage.targets)


def test_states_are_entered_and_what_is_around_them_from_outside() -> None:
    data = recorded(LAMP, [(ON, "off"), (OFF, "on"), (ON, "off")])
    coverage = covered(LAMP, "states", data)
    assert ids(coverage.targets) == ["working", "off", "on", "broken"]
    assert {id: n for (_, id), n in coverage.taken.items()} == {"working": 1, "off": 2, "on": 2}
    assert ids(coverage.missing) == ["broken"]
    assert coverage.share == 0.75


def test_a_transition_from_a_phase_counts_wherever_it_fires() -> None:
    data = recorded(LAMP, [(ON, "off"), (SMASH, "on")], [(DARK, "off"), (SMASH, "off")])
    coverage = covered(LAMP, "transitions", data)
    assert {id: n for (_, id), n in coverage.taken.items()} == {ON: 1, SMASH: 2, DARK: 1}
    assert ids(coverage.missing) == [OFF]


def test_pairs_are_all_that_can_follow_in_the_graph() -> None:
    expected = {
        *(f"{ON} ; {x}" for x in (OFF, SMASH)),
        *(f"{DARK} ; {x}" for x in (ON, DARK, SMASH)),
        *(f"{OFF} ; {x}" for x in (ON, DARK, SMASH)),
    }
    assert set(ids(targets(LAMP, "pairs"))) == expected
    data = recorded(LAMP, [(DARK, "off"), (DARK, "off"), (ON, "off"), (SMASH, "on")], [(OFF, "on")])
    taken = covered(LAMP, "pairs", data).taken
    assert {id for _, id in taken} == {f"{DARK} ; {DARK}", f"{DARK} ; {ON}", f"{ON} ; {SMASH}"}


def test_what_does_not_begin_where_the_last_led_to_does_not_follow_it() -> None:
    data = recorded(LAMP, [(DARK, "off"), (ON, "off"), (SMASH, "off")])
    assert {id for _, id in covered(LAMP, "pairs", data).taken} == {f"{DARK} ; {ON}"}


def test_a_walk_that_ends_is_not_followed_by_the_next() -> None:
    data = recorded(LAMP, [(ON, "off")], [(OFF, "on")])
    assert covered(LAMP, "pairs", data).taken == {}


def test_literals_decide_by_holding_and_by_failing() -> None:
    found = ids(targets(LAMP, "literals"))
    assert found == [
        f"{ON} where {literal} {how}"
        for literal in ("plugged", "not burnt")
        for how in ("holds", "fails")
    ]
    assert reasons(LAMP, "literals") == {}
    data = Data()
    literals = data.of(subject_of(LAMP)).literals
    literals["lamp", "t", (ON, "plugged", False)] += 2
    coverage = covered(LAMP, "literals", data)
    assert coverage.taken == {("lamp", f"{ON} where plugged fails"): 2}
    assert coverage.by == {("lamp", f"{ON} where plugged fails"): {"t": 2}}


SQUARE = Model(
    name="square",
    initial="a",
    states=tuple(State(x, "stage") for x in "abcd"),
    transitions=tuple(Transition(x, y, "go") for x, y in ("ab", "bc", "ca", "bd", "dd")),
    events=(Event("go"),),
)


def test_a_row_that_is_never_tried_leads_nowhere() -> None:
    """In the square, b's second row comes after one without a guard."""
    assert (
        reasons(SQUARE, "transitions")["b -> d on go"]
        == "in b a row above is taken whenever it is tried"
    )
    assert reasons(SQUARE, "states") == {"d": "no row that can fire leads to d"}


def test_too_many_are_refused_with_the_count_and_the_limit() -> None:
    loops = [f"loop_{number}" for number in range(450)]
    model = Model(
        name="loops",
        initial="here",
        states=(State("here", "stage"),),
        transitions=tuple(Transition("here", "here", event) for event in loops),
        events=tuple(map(Event, loops)),
    )
    with pytest.raises(
        CoverageError,
        match=r"more than 200000 \(stopped at \d+\); use another criterion, such as transitions",
    ):
        targets(model, "pairs")


def test_a_wrong_name_is_told_what_would_be_right() -> None:
    with pytest.raises(CoverageError, match="criterion 'pears' is unknown; did you mean 'pairs'"):
        targets(LAMP, "pears")


def test_rules_are_exercised_by_whatever_cites_them() -> None:
    assert set(ids(targets(LAMP, "rules"))) == {f"L.{n}" for n in range(1, 8)}
    data = recorded(LAMP, [(ON, "off")])
    assert {id for _, id in covered(LAMP, "rules", data).taken} == {"L.1", "L.2"}
    data.of(subject_of(LAMP)).literals["lamp", "", (ON, "not burnt", True)] += 1
    assert {id for _, id in covered(LAMP, "rules", data).taken} == {"L.1", "L.2", "L.7"}


def test_refusals_are_events_without_a_row() -> None:
    assert ids(targets(LAMP, "refusals")) == ["press in broken", "smash in broken"]
    data = Data()
    data.of(subject_of(LAMP)).refused["lamp", "", ("broken", "press")] += 1
    coverage = covered(LAMP, "refusals", data)
    assert ids(coverage.covered) == ["press in broken"]
    assert ids(coverage.missing) == ["smash in broken"]


# what cannot be taken -----------------------------------------------------------------------------


def test_rows_that_never_fire_say_why() -> None:
    assert reasons(CARDS, "transitions") == {
        "pick -> lost [lucky]": "in pick a row above is taken whenever lucky",
        "left -> again": "on every way into left the facts are such that it cannot happen",
        "right -> won [marked]": "on every way into right the facts are such that it cannot happen",
        "won -> again [lucky, not lucky]": "lucky and not lucky: these contradict each other",
        "lost -> ask": "no row that can fire leads to lost",
    }
    assert reasons(CARDS, "states") == {"lost": "no row that can fire leads to lost"}


def test_what_an_answer_told_is_the_same_until_the_next() -> None:
    why = reasons(CARDS, "pairs")
    assert why["pick -> left [lucky] ; left -> again"] == why["left -> again ; again -> ask"]
    assert "ask -> pick ; pick -> again" not in why, "the answer may tell either"
    assert "again -> ask ; ask -> pick" not in why


def test_what_is_cleared_does_not_hold() -> None:
    why = reasons(CARDS, "literals")
    assert "right -> won [marked] where marked holds" in why
    assert "right -> won [marked] where marked fails" not in why
    assert "left -> won [lucky] where lucky fails" in why
    assert "won -> again [lucky, not lucky] where lucky holds" in why


def test_what_was_held_infeasible_and_taken_is_told() -> None:
    data = recorded(CARDS, [("left -> again", "left")], machine="turn")
    coverage = covered(CARDS, "transitions", data)
    assert ids(coverage.refuted) == ids(coverage.covered) == ["left -> again"]
    assert "left -> again" not in ids(coverage.infeasible)


TALLY = Action("tally", ("talk",))


def test_what_a_window_may_change_is_not_the_same_after_it() -> None:
    """The window latches one and clears another, and leaves the third alone."""
    window = Model(
        name="talk",
        initial="talking",
        states=(State("talking", "action", asks="priority"), State("closed", "final")),
        transitions=(
            Transition("talking", "talking", "acted", actions=(Action("latch", ("heard",)), TALLY)),
            Transition("talking", "closed", "passed", actions=(Action("clear", ("said",)),)),
        ),
        events=(Event("acted"), Event("passed")),
    )
    latched = [
        Fact(x, "", owner="controller", timing="latched", scope=x)
        for x in ("heard", "said", "kept")
    ]
    model = Model(
        name="talks",
        initial="first",
        states=(State("first", "choice"), State("window", "window")),
        transitions=(Transition("first", "window"), Transition("window", "first", "closed")),
        events=(Event("done", completion=True), Event("closed", completion=True)),
        facts=(
            *(*latched, Fact("live", "")),
            Fact("counted", "", owner="agenda", test=("tallied", "talk", "1")),
            Fact("begun", "", owner="agenda", test=("begun", "step", "x")),
        ),
        window=window,
    )
    graph = graphs_of(model)[0]
    changes, to_window = FactChanges(graph), next(arc for arc in graph.arcs if arc.to == "window")
    assert {f.name: changes.change(f, to_window) for f in model.facts} == {
        "heard": "up",
        "said": "any",
        "kept": "same",
        "live": "any",
        "counted": "any",
        "begun": "same",
    }


def test_two_rows_of_one_choice_exclude_each_other_while_nothing_is_asked() -> None:
    """The same fact, read twice after one answer: the reason names it."""
    model = Model(
        name="twice",
        initial="ask",
        states=(
            State("ask", "action", asks="perform"),
            *(State(x, "choice") for x in ("one", "two")),
        ),
        transitions=(
            Transition("ask", "one"),
            Transition("one", "two", guard=(Term("x"),)),
            Transition("one", "two", guard=(Term("y"),)),
            Transition("one", "ask"),
            Transition("two", "ask", guard=(Term("x"),)),
            Transition("two", "ask", guard=(Term("y"),)),
            Transition("two", "ask"),
        ),
        events=(Event("done", completion=True),),
        facts=(Fact("x", ""), Fact("y", "")),
    )
    why = reasons(model, "pairs")
    assert (
        why["one -> two [y] ; two -> ask [x]"]
        == "x does not change in between, and the second needs it otherwise"
    )
    assert (
        why["one -> two [x] ; two -> ask"]
        == "on every way into two the facts are such that it cannot happen"
    )
    assert "one -> two [y] ; two -> ask [y]" not in why
