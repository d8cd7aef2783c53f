"""Spin, which knows nothing of this package, comes to the same verdicts by a model of its own."""

from __future__ import annotations

from pathlib import Path

import pytest

import fsm
from fsm.analysis.modelchecking.bounds import Bounds
from fsm.analysis.modelchecking.candidateorders import candidate_orders
from fsm.analysis.modelchecking.exploration import Explorer
from fsm.analysis.modelchecking.propertychecker import PropertyChecker
from fsm.rulesets import names
from fsm.rulesets.stated_properties import properties_of
from fsm.state.orders import AddPhase, SkipPhase
from support.proofmutants import MUTANTS, Mutant
from support.spin import SpinVerifier
from support.tools import tool

ONE_TURN = Bounds(turns=1, stack=1, together=0)


@pytest.fixture(autouse=True)
def programs() -> None:
    tool("spin")
    tool("gcc", "cc")


@pytest.mark.parametrize("name", names())
def test_both_judges_agree_on_every_property(name: str, tmp_path: Path) -> None:
    model, stated = fsm.load(name), properties_of(name)
    explorer = Explorer(model, ONE_TURN).run()
    judge = PropertyChecker(explorer, stated)
    judge.verdicts()
    verifier = SpinVerifier(tmp_path, model, ONE_TURN, stated)
    assert verifier.check().holds is (not explorer.troubles)
    broken = [one.name for one in judge.properties if not verifier.check(one).holds]
    assert broken == [one.name for one in judge.violated()] == []


@pytest.mark.parametrize(
    "mutant", MUTANTS[::3], ids=str
)  # tests/analysis has them all for our judge
def test_both_judges_agree_on_broken_rulesets(mutant: Mutant, tmp_path: Path) -> None:
    bounds = Bounds(turns=mutant.turns, stack=1, together=0)
    stated = [one for one in properties_of(mutant.ruleset) if one.name == mutant.breaks]
    judge = PropertyChecker(Explorer(mutant.model, bounds).run(), stated)
    assert [v.holds for v in judge.verdicts()] == [False]
    assert not SpinVerifier(tmp_path, mutant.model, bounds, stated).check(stated[0]).holds


def test_both_judges_agree_on_what_is_ordered(tmp_path: Path) -> None:
    bounds = Bounds(turns=1, stack=1)
    model = fsm.load("magic-classic")
    orders = [
        o
        for o in (AddPhase(("combat",)), SkipPhase("combat", "A"))
        if o in candidate_orders(model, bounds)
    ]
    stated = [
        one
        for one in properties_of("magic-classic")
        if one.name
        in ("extra_combat_at_once", "skipped_phase_never_was", "extra_phase_in_its_turn")
    ]
    judge = PropertyChecker(Explorer(model, bounds, orders).run(), stated)
    verifier = SpinVerifier(tmp_path, model, bounds, stated, orders)
    assert (
        [v.holds for v in judge.verdicts()]
        == [verifier.check(one).holds for one in stated]
        == [True] * 3
    )


def test_both_judges_find_the_same_hole(tmp_path: Path) -> None:
    model = fsm.load("magic").without("declare_blockers_after -> combat_damage_before")
    assert Explorer(model, ONE_TURN).run().troubles
    assert not SpinVerifier(tmp_path, model, ONE_TURN, ()).check().holds
