"""Two models in step over tables of steps: it finds what two controllers find that are played side
by side.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

import pytest

import fsm
from fsm.analysis.modelchecking import Bounds
from fsm.analysis.modelchecking.boundedequivalence import BehaviourComparison, compare_behaviour
from fsm.analysis.modelchecking.candidateorders import candidate_orders
from fsm.model import Model
from fsm.orders import Order, SkipPhase, SkipTurn
from fsm.rulesets import names
from support.amounts import THOROUGH, amount, sample, thorough
from support.plantedbugs import MODELS, without_in_window
from support.proofmutants import MUTANTS, Mutant
from support.slowlockstep import compare_slowly

QUIET = Bounds(turns=1, stack=1, together=0)
LITTLE = Bounds(turns=1, stack=0, together=0)
EFFECTS = Bounds(turns=1, stack=1, together=1)
SPECS = [*names(), "magic?stated_attacker_counts=true", "magic?would_begin=true"]
SKIPPED = "precombat_main_phase_before -> precombat_main_phase_after [skip_main_phase]"
EDITIONS = [(a, b) for a in SPECS for b in SPECS if a != b]


def agree(a: Model, b: Model, bounds: Bounds, orders: Sequence[Order] = ()) -> None:
    """Both ways find the same: the number of positions, the answers that lead to a difference, and
    its words.
    """
    fast = found(lambda: compare_behaviour(a, b, bounds, orders=orders))
    assert fast == found(lambda: compare_slowly(a, b, bounds, orders))


def found(compare: Callable[[], BehaviourComparison]) -> BehaviourComparison | str:
    """Return the result, or what says that a changed model does what its guards exclude."""
    try:
        return compare()
    except AssertionError as error:
        return str(error)


def few_orders(a: Model, b: Model, count: int) -> list[Order]:
    """So many of the orders that both models take: each one multiplies the positions."""
    both = [
        order for order in candidate_orders(a, EFFECTS) if order in candidate_orders(b, EFFECTS)
    ]
    return random.Random(len(both)).sample(both, min(count, len(both)))


def renamed(model: Model) -> Model:
    """The same transitions, which behave alike; its steps are in a table of their own."""
    return replace(model, states=tuple(replace(state, doc="as it was") for state in model.states))


def broken(count: int) -> Iterator[tuple[Model, Model]]:
    """Rulesets, each with one that lacks a transition or a term of a guard, or where one leads
    elsewhere.
    """
    chance = random.Random(23)
    for _ in range(count):
        model = fsm.load(chance.choice(names()))
        row, other = chance.choices(model.transitions, k=2)
        kind = chance.choice(("without", "window", "guard", "target"))
        if kind == "without":
            yield (
                model,
                replace(model, transitions=tuple(t for t in model.transitions if t is not row)),
            )
        elif kind == "window" and model.window is not None:
            yield model, without_in_window(model, chance.choice(model.window.transitions).id)
        else:
            new = (
                replace(row, guard=row.guard[1:])
                if kind == "guard"
                else replace(row, target=other.target)
            )
            yield (
                model,
                replace(
                    model, transitions=tuple(new if t is row else t for t in model.transitions)
                ),
            )


@pytest.mark.parametrize(("a", "b"), sample(EDITIONS, 2, seed=3))
def test_editions_and_options(a: str, b: str) -> None:
    agree(fsm.load(a), fsm.load(b), QUIET)


@pytest.mark.parametrize("name", sample(SPECS, 1, seed=2))
def test_models_that_behave_alike(name: str) -> None:
    model = fsm.load(name)
    agree(model, replace(model, title="another"), Bounds(turns=2, stack=1, together=0))
    agree(model, renamed(model), QUIET if THOROUGH else LITTLE)


@pytest.mark.parametrize("name", sample(MODELS, 1))
def test_planted_bugs(name: str, magic: Model) -> None:
    agree(magic, MODELS[name](magic), QUIET)


@pytest.mark.parametrize("mutant", sample(MUTANTS, 1, seed=4), ids=str)
def test_mutants(mutant: Mutant) -> None:
    agree(fsm.load(mutant.ruleset), mutant.model, QUIET)


def test_models_with_one_transition_changed() -> None:
    for a, b in broken(amount(1, 15)):
        agree(a, b, QUIET)
        agree(b, a, LITTLE)


def test_a_skip_that_one_model_lacks(magic: Model) -> None:
    other = magic.without(SKIPPED)
    found = compare_behaviour(magic, other, EFFECTS, orders=[SkipPhase("main", "A")])
    assert found.difference is not None
    assert any(answer.orders for answer in found.difference.answers)
    agree(magic, other, EFFECTS, [SkipPhase("main", "A"), SkipTurn("B")])


@thorough
@pytest.mark.parametrize("name", SPECS)
def test_models_that_behave_alike_whatever_takes_effect(name: str) -> None:
    model = fsm.load(name)
    agree(model, replace(model, title="another"), EFFECTS, few_orders(model, model, 2))
    agree(model, renamed(model), Bounds(turns=1, stack=1, together=2), few_orders(model, model, 1))


@thorough
def test_effects_in_models_with_one_transition_changed() -> None:
    for a, b in broken(5):
        agree(a, b, EFFECTS, few_orders(a, b, 2))
        agree(a, b, Bounds(turns=1, stack=1, players=3), few_orders(a, b, 1))
