"""MC/DC: each condition of a guard is shown to decide by itself, in cases that are counted by hand."""

from __future__ import annotations

import asyncio
import inspect
from itertools import product
from typing import Any

import pytest
import transitions
from transitions.extensions import HierarchicalMachine
from transitions.extensions.asyncio import AsyncMachine

import fsm
from fsm import Answer
from fsm.adapters import model_of
from fsm.coverage import Coverage, Data, collecting, covered, subject_of, targets
from fsm.coverage.reports import results_of
from fsm.coverage.reports.terminal import lines
from fsm.model import Event, Fact, Model, State, Term, Transition
from support.amounts import thorough
from support.smallmodels import LAMP, ON

OPEN = "shut -> open on open [paid, early, not barred]"
FIRES = f"{OPEN} needs: paid true, early true, barred false; the transition fires"
UNPAID = f"{OPEN} needs: paid false; the transition does not fire"
LATE = f"{OPEN} needs: paid true, early false; the transition does not fire"
BARRED = f"{OPEN} needs: paid true, early true, barred true; the transition does not fire"


class Gate:
    """What the machine drives."""

    def __init__(self) -> None:
        self.facts = {"paid": True, "early": True, "barred": False}
        self.asked: list[str] = []

    def _ask(self, name: str) -> bool:
        self.asked.append(name)
        return self.facts[name]

    def paid(self) -> bool:
        return self._ask("paid")

    def early(self) -> bool:
        return self._ask("early")

    def barred(self) -> bool:
        return self._ask("barred")


def tried(*cases: str, kind: Any = transitions.Machine) -> tuple[Data, list[list[str]]]:
    """Open a gate in each case, such as "110" for paid, early and not barred. Also return which
    facts were asked.
    """
    asked = []

    async def all_of_them() -> None:
        gate: Any = Gate()
        guard = {"conditions": ["paid", "early"], "unless": "barred"}
        rows = [
            {"trigger": "open", "source": "shut", "dest": "open", **guard},
            ["shut", "open", "shut"],
        ]
        kind(
            gate, states=["shut", "open"], initial="shut", transitions=rows, auto_transitions=False
        )
        for case in cases:
            gate.facts = {name: value == "1" for name, value in zip(gate.facts, case, strict=True)}
            gate.asked = []
            found = gate.open()
            if inspect.isawaitable(found):
                await found
            asked.append(gate.asked)
            gate.state = "shut"

    with collecting() as session:
        asyncio.run(all_of_them())
    return session.data, asked


def mcdc(data: Data) -> Coverage:
    [result] = results_of(data, [], ["mcdc"])
    return result.coverages[0]


def ids(found: tuple[Any, ...]) -> list[str]:
    return [target.id for target in found]


@pytest.mark.parametrize("kind", [transitions.Machine, HierarchicalMachine, AsyncMachine])
def test_a_guard_of_three_conditions_has_four_cases(kind: Any) -> None:
    coverage = mcdc(tried("110", "010", "100", "111", kind=kind)[0])
    assert ids(coverage.targets) == [UNPAID, LATE, BARRED, FIRES]
    assert [coverage.taken[t.key] for t in coverage.targets] == [1, 1, 1, 1]


@pytest.mark.parametrize("case", ["".join(case) for case in product("01", repeat=3)])
def test_every_case_of_the_truth_table_is_one_of_the_four(case: str) -> None:
    """The first condition that fails decides, and those after it are not asked: they may have any
    value.
    """
    data, asked = tried(case)
    one = (
        UNPAID
        if case[0] == "0"
        else LATE
        if case[1] == "0"
        else BARRED
        if case[2] == "1"
        else FIRES
    )
    assert ids(mcdc(data).covered) == [one]
    assert asked == [["paid", "early", "barred"][: {UNPAID: 1, LATE: 2}.get(one, 3)]]


def test_what_is_missing_is_said_as_a_row_of_the_truth_table() -> None:
    [result] = results_of(tried("110", "000")[0], [], ["mcdc"])
    assert [t.text for t in result.coverages[0].missing] == [
        "needs: paid true, early false; the transition does not fire",
        "needs: paid true, early true, barred true; the transition does not fire",
    ]
    text = "\n".join(lines([result], missing=True))
    assert f"  {LATE}\n      by shut -> open" in text
    assert "2/4   50%" in text


def test_all_literals_may_have_held_and_no_condition_was_shown_to_decide() -> None:
    data, _ = tried("110", "110")
    assert ids(mcdc(data).covered) == [FIRES]
    [result] = results_of(data, [], ["literals"])
    assert len(result.coverages[0].covered) == 3


def test_a_guard_of_one_condition_needs_both_outcomes() -> None:
    model = Model(
        "door", "shut", (State("shut", "stage"), State("open", "stage")),
        (Transition("shut", "open", "push", (Term("locked", False),)), Transition("open", "shut", "pull")),
        (Event("push"), Event("pull")), (Fact("locked", ""),),
    )  # fmt: skip
    row = "shut -> open on push [not locked]"
    assert ids(targets(model, "mcdc")) == [
        f"{row} needs: locked true; the transition does not fire",
        f"{row} needs: locked false; the transition fires",
    ]


def test_it_is_measured_from_what_literals_record() -> None:
    data = Data()
    literals = data.of(subject_of(LAMP)).literals
    literals["lamp", "a", (ON, "plugged", True)] += 2
    literals["lamp", "a", (ON, "not burnt", True)] += 2
    literals["lamp", "b", (ON, "not burnt", False)] += 1
    coverage = covered(LAMP, "mcdc", data)
    fires, burnt = (
        f"{ON} needs: plugged true, burnt false; the transition fires",
        f"{ON} needs: plugged true, burnt true; the transition does not fire",
    )
    assert coverage.by == {("lamp", fires): {"a": 2}, ("lamp", burnt): {"b": 1}}
    assert [t.text for t in coverage.missing] == [
        "needs: plugged false; the transition does not fire"
    ]


def test_cases_that_are_proved_impossible_are_excused() -> None:
    go: dict[str, Any] = {"trigger": "go", "source": "a"}
    rows = [go | {"dest": "b", "conditions": "x"}, go | {"dest": "c", "conditions": ["y", "x"]}]
    one = transitions.Machine(
        states=list("abc"), initial="a", transitions=rows, auto_transitions=False
    )
    behind = "a -> c on go [y, x]"
    why = {
        t.id: bool(t.infeasible) for t in targets(model_of(one), "mcdc") if t.id.startswith(behind)
    }
    assert why == {
        f"{behind} needs: y false; the transition does not fire": False,
        f"{behind} needs: y true, x false; the transition does not fire": False,
        f"{behind} needs: y true, x true; the transition fires": True,
    }


@thorough
def test_a_game_counts_its_guards_too() -> None:
    model = fsm.load("magic")
    with collecting() as session:
        game = fsm.TurnController(model, ("A", "B"))
        for _ in range(10):
            machine: Any = model if game.request.state == game.request.at.stage else model.window
            word: Any = machine.state(game.request.state).words[-1]
            game.answer(
                Answer(word, dict.fromkeys(game.request.facts, False) | {"stack_empty": True})
            )
    coverage = covered(model, "mcdc", session.data)
    literals = covered(model, "literals", session.data)
    failed = {t.id.rpartition(" where ")[0] for t in literals.covered if t.id.endswith(" fails")}
    shown = {
        t.id.rpartition(" needs: ")[0] for t in coverage.covered if t.id.endswith("does not fire")
    }
    assert shown == failed != set()
    assert coverage.refuted == ()
