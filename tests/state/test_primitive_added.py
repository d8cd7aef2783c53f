"""A new primitive takes one registration: checks, feasibility, proofs and path search know it at
once.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

import fsm
from fsm import AddTurn
from fsm.checks import Bounds, check, prove
from fsm.checks.feasibility.effects import reads
from fsm.coverage import targets
from fsm.model import Fact, Model, Term
from fsm.state.primitives import TESTS
from fsm.state.primitives.openings import Extra
from fsm.state.primitives.registry import test as register
from fsm.state.run import Run
from fsm.testing.generation.routes import path_taking
from support.folders import ROOT

LATE = Fact("late", "this turn is late", "9.9", "agenda", test=("later_than", "1"))
EXTRA = Fact("extra", "this turn is extra", "9.8", "agenda", test=("turn_is_extra",))


@pytest.fixture
def lanterns(monkeypatch: pytest.MonkeyPatch) -> Iterator[Model]:
    """A small game, and primitives that no ruleset has."""

    @register("number", reads="turn", false_at_start=True)
    def later_than(run: Run, number: str) -> bool:
        """Is this turn later than the one with this number?"""
        return run.agenda.turn > int(number)

    @register(reads="current_turn", false_at_start=True, opened_by=Extra("turn"))
    def turn_is_extra(run: Run) -> bool:
        """Is this an extra turn?"""
        turn = run.agenda.current_turn
        return turn is not None and turn.extra

    monkeypatch.syspath_prepend(ROOT / "examples")
    yield fsm.load("lanterns:LANTERNS")
    del TESTS["later_than"], TESTS["turn_is_extra"]
    reads.cache_clear()


def split(model: Model, fact: Fact = LATE) -> Model:
    """The game with one transition in two, of which one fires only if the fact holds."""
    old = next(t for t in model.transitions if t.source == "kindle_light_lanterns")
    two = [replace(old, guard=(*old.guard, Term(fact.name, value))) for value in (False, True)]
    return model.without(old.id).with_(facts=[fact], transitions=two, name=fact.name)


def test_it_is_known_to_read_what_it_says(lanterns: Model) -> None:
    assert reads(("later_than", "1")) == {"turn"}


def test_it_says_what_it_is_at_the_start(lanterns: Model) -> None:
    assert TESTS["later_than"].is_false_at_start(("1",))


def test_checks_have_nothing_against_it(lanterns: Model) -> None:
    assert check(split(lanterns)) == check(lanterns)


def test_proofs_go_through_it(lanterns: Model) -> None:
    bounds = Bounds(turns=2, pending=0, stack=0)
    plain, late = (prove(model, bounds) for model in (lanterns, split(lanterns)))
    assert late.positions >= plain.positions > 0
    assert not late.troubles


def test_path_search_gives_the_order_that_opens_it(lanterns: Model) -> None:
    model = split(lanterns, EXTRA)
    [wanted] = [target for target in targets(model, "transitions") if target.id.endswith("[extra]")]
    [path] = path_taking(model, "transitions", wanted)
    assert any(isinstance(order, AddTurn) for answer in path.answers for order in answer.orders)
    assert wanted.id in {record.transition for record in path.trace.records}
