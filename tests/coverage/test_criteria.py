"""What each criterion asks for, what was taken of it, and what no run can take, on models that are
counted by hand.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest
import transitions

from fsm.coverage import Coverage, Data, collecting, context, covered, criteria, targets
from fsm.engine import Machine
from fsm.errors import CoverageError
from fsm.model import Action, Event, Fact, Model, State, Term, Transition
from support.amounts import thorough
from support.measured import measured
from support.smallmodels import CARDS, DARK, LAMP, OFF, ON, SMASH, Lamp


def of_lamp(criterion: str, *lamps: tuple[str, ...], unplugged: tuple[str, ...] = ()) -> Coverage:
    """The coverage of some lamps with these events, and of one that is not plugged in."""
    with collecting() as session:
        for events in lamps:
            Lamp(*events)
        if unplugged:
            Lamp(*unplugged, plugged=False)
    return covered(LAMP, criterion, session.data)


def taken(coverage: Coverage) -> dict[str, int]:
    return {id: count for (_, id), count in coverage.taken.items()}


def missing(coverage: Coverage) -> set[str]:
    return {target.id for target in coverage.missing}


def impossible(model: Model, criterion: str) -> dict[str, str]:
    return {t.id: t.infeasible for t in targets(model, criterion) if t.infeasible}


# each criterion -----------------------------------------------------------------------------------


def test_a_state_is_entered_and_what_is_around_it_from_outside() -> None:
    coverage = of_lamp("states", ("press", "press", "press"))
    assert taken(coverage) == {"working": 1, "off": 2, "on": 2}
    assert missing(coverage) == {"broken"}
    assert str(coverage) == "states: 3 of 4 taken (75.0%)"


def test_a_transition_of_a_phase_counts_wherever_it_fires() -> None:
    coverage = of_lamp("transitions", ("press", "smash"), unplugged=("press", "smash"))
    assert taken(coverage) == {ON: 1, DARK: 1, SMASH: 2}
    assert missing(coverage) == {OFF}


def test_each_condition_holds_once_and_fails_once() -> None:
    coverage = of_lamp("literals", ("press",), unplugged=("press", "press"))
    assert taken(coverage) == {
        f"{ON} where plugged holds": 1,
        f"{ON} where not burnt holds": 1,
        f"{ON} where plugged fails": 2,
    }
    assert missing(coverage) == {f"{ON} where not burnt fails"}


def test_a_pair_is_two_transitions_that_can_follow_one_another() -> None:
    pairs = {target.id for target in targets(LAMP, "pairs")}
    after_off = {f"{row} ; {next}" for row in (DARK, OFF) for next in (ON, DARK, SMASH)}
    assert pairs == {f"{ON} ; {OFF}", f"{ON} ; {SMASH}", *after_off}
    coverage = of_lamp("pairs", ("press", "press"), ("press", "smash"))
    assert taken(coverage) == {f"{ON} ; {OFF}": 1, f"{ON} ; {SMASH}": 1}


def test_a_rule_is_exercised_by_whatever_cites_it() -> None:
    """The states off and on, the transition between them, and its two conditions cite these."""
    coverage = of_lamp("rules", ("press",))
    assert taken(coverage).keys() == {"L.1", "L.2", "L.6", "L.7"}
    assert missing(coverage) == {"L.3", "L.4", "L.5"}


def test_a_target_is_taken_by_the_test_that_took_it() -> None:
    with collecting() as session:
        with context("one"):
            lamp: Any = Lamp("press")
        with context("two"):
            lamp.press()
    pairs = covered(LAMP, "pairs", session.data)
    assert pairs.by == {("lamp", f"{ON} ; {OFF}"): {"two": 1}}
    assert covered(LAMP, "transitions", session.data).by["lamp", ON] == {"one": 1}


@pytest.mark.parametrize("criterion", criteria())
def test_without_a_recording_nothing_is_taken(criterion: str) -> None:
    coverage = covered(CARDS, criterion, Data())
    assert coverage.covered == ()
    assert coverage.notes[0] == "nothing was recorded of cards; recorded: nothing at all"


def test_an_unknown_criterion_is_an_error_with_a_suggestion() -> None:
    with pytest.raises(CoverageError, match="criterion 'pears' is unknown; did you mean 'pairs'"):
        targets(LAMP, "pears")


@thorough
def test_too_many_targets_are_refused_with_the_limit() -> None:
    loops = tuple(Event(f"loop_{number}") for number in range(450))
    rows = tuple(Transition("here", "here", event.name) for event in loops)
    model = Model("loops", "here", (State("here", "stage"),), rows, loops)
    with pytest.raises(CoverageError, match=r"more than 200000 .* use another criterion, such as"):
        targets(model, "pairs")


# MC/DC --------------------------------------------------------------------------------------------

OPEN = "shut -> open on open [paid, early, not barred]"
TERMS = ("paid", "early", "not barred")
DECIDING = {"000": 0, "011": 0, "100": 1, "101": 1, "111": 2}


def opened(case: str) -> None:
    """A gate is to open in a case, such as "110" for paid, early and not barred."""
    gate: Any = type("Gate", (), {})()
    gate.paid, gate.early, gate.barred = (digit == "1" for digit in case)
    guard = {"conditions": ["paid", "early"], "unless": "barred"}
    rows = [{"trigger": "open", "source": "shut", "dest": "open", **guard}]
    transitions.Machine(gate, ["shut", "open"], "shut", rows, auto_transitions=False)
    gate.open()


@pytest.mark.parametrize("case", [*DECIDING, "110"])
def test_one_condition_decides_that_a_transition_does_not_fire_and_all_that_it_does(
    case: str,
) -> None:
    """What is behind the first that fails is masked."""
    [found] = measured(lambda: opened(case), "literals")
    deciding = {f"{OPEN} where {term} holds" for term in TERMS}
    if case in DECIDING:
        deciding = {f"{OPEN} where {TERMS[DECIDING[case]]} fails"}
    assert found.taken("literals").keys() == deciding
    assert len(found.missing("literals")) == 6 - len(deciding)


# what no run can take -----------------------------------------------------------------------------


def test_a_transition_that_can_never_fire_says_why() -> None:
    assert impossible(CARDS, "transitions") == {
        "pick -> lost [lucky]": "in pick a row above is taken whenever lucky",
        "left -> again": "on every way into left the facts are such that it cannot happen",
        "right -> won [marked]": "on every way into right the facts are such that it cannot happen",
        "won -> again [lucky, not lucky]": "lucky and not lucky: these contradict each other",
        "lost -> ask": "no row that can fire leads to lost",
    }
    assert impossible(CARDS, "states") == {"lost": "no row that can fire leads to lost"}


def test_what_an_answer_told_holds_until_the_next_answer() -> None:
    why = impossible(CARDS, "pairs")
    assert "pick -> left [lucky] ; left -> again" in why
    assert not {"ask -> pick ; pick -> again", "again -> ask ; ask -> pick"} & why.keys()


def test_what_is_cleared_does_not_hold_and_what_is_known_does_not_fail() -> None:
    why = impossible(CARDS, "literals")
    assert "right -> won [marked] where marked holds" in why
    assert "right -> won [marked] where marked fails" not in why
    assert "left -> won [lucky] where lucky fails" in why


def test_a_condition_cannot_decide_if_the_row_above_fires_then() -> None:
    def run() -> None:
        go: dict[str, Any] = {"trigger": "go", "source": "a"}
        rows = [go | {"dest": "b", "conditions": "x"}, go | {"dest": "c", "conditions": ["y", "x"]}]
        thing: Any = type("Thing", (), {"x": True, "y": True})()
        transitions.Machine(thing, list("abc"), "a", rows, auto_transitions=False)
        thing.go()

    [found] = measured(run, "literals")
    behind = "a -> c on go [y, x] where"
    assert found.impossible("literals").keys() == {f"{behind} y holds", f"{behind} x holds"}


def road(*rows: Transition, initial: str = "ask", clears: str = "") -> Model:
    """A way of many stages, on which `kept` is latched at the beginning and read at the end. It is
    cleared after the stage `clears`.
    """
    stages = ["s0", "s1", "s2", "s3", "s4", "check"]
    clear = (Action("clear(hand)"),)
    on = [Transition(a, b, actions=clear if a == clears else ()) for a, b in pairwise(stages)]
    asking = (State(s, "action", asks="perform") for s in ("ask", *stages[:-1]))
    return Model(
        name="road",
        initial=initial,
        states=(*asking, State("check", "choice"), State("won", "stage"), State("lost", "stage")),
        transitions=(
            Transition("ask", "s0", actions=(Action("latch(kept)"),)),
            *on,
            Transition("check", "won", guard=(Term("kept"),)),
            Transition("check", "lost"),
            Transition("won", "ask"),
            Transition("lost", "ask"),
            *rows,
        ),
        events=(Event("done", completion=True), Event("jump")),
        facts=(Fact("kept", "", owner="controller", timing="latched", scope="hand"),),
    )


@pytest.mark.parametrize(
    ("model", "is_impossible"),
    [
        (road(), True),
        (road(clears="s3"), False),
        (road(Transition("won", "s2")), True),
        (road(Transition("ask", "s2", "jump")), True),
        (road(initial="s1"), False),
    ],
    ids=[
        "kept",
        "cleared on the way",
        "a way in after it was kept",
        "a signal that cannot come",
        "begins behind it",
    ],
)
def test_what_was_remembered_long_ago_counts(model: Model, is_impossible: bool) -> None:
    """A signal comes with an answer, and no answer leads to `ask`."""
    assert ("s4 -> check ; check -> lost" in impossible(model, "pairs")) == is_impossible


def test_what_is_decided_anew_is_not_known_from_before() -> None:
    again = Fact("again", timing="latched", scope="turn", last=True)
    ask = State("ask", "action", asks="perform", action="ask", tells=("again",))
    rows = [Transition("ask", "ask", guard=(Term("again"),)), Transition("ask", "won")]
    states = (ask, State("won", "stage"))
    model = Model("dice", "ask", states, (*rows, Transition("won", "ask")), facts=(again,))
    assert impossible(model, "pairs") == {}


class Cheat:
    """It is lucky when it picks, and not any more when it goes on: no game can do that."""

    marked = False
    state = "ask"

    @property
    def lucky(self) -> bool:
        return self.state == "pick"


def test_what_was_held_impossible_and_taken_counts_and_is_said() -> None:
    cheat: Any = Cheat()
    with collecting() as session:
        Machine.from_model(CARDS, cheat)
        for _ in range(3):
            cheat.done()
    coverage = covered(CARDS, "transitions", session.data)
    assert [target.id for target in coverage.of("refuted")] == ["left -> again"]
    assert "left -> again" in taken(coverage)
    assert "left -> again" not in {target.id for target in coverage.infeasible}
