"""What rulesets state of their runs: it holds, cites its rule, and a ruleset broken on purpose breaks it."""

from __future__ import annotations

import json

import pytest
from proofmutants import MUTANTS, Mutant
from test_proof_exploring import explored

import fsm
from fsm.play import play
from fsm.proving.bounds import Bounds
from fsm.proving.following import breach
from fsm.proving.judging import Judge
from fsm.proving.proof import prove
from fsm.rulesets import names
from fsm.rulesets.properties import (
    PROPERTIES,
    Property,
    after,
    begins,
    ends,
    followed,
    never,
    performs,
    priority,
    properties_of,
    responds,
)
from fsm.scenario import parse_scenarios

LEAST = {"magic": 25}


@pytest.mark.parametrize("name", names())
def test_every_property_holds_and_its_case_comes_up(name: str) -> None:
    stated = properties_of(name)
    assert len(stated) >= LEAST.get(name, 10)
    assert all(one.rule and one.says for one in stated) and len({one.name for one in stated}) == len(stated)
    verdicts = Judge(explored(name), stated).verdicts()
    assert [v.property.name for v in verdicts if not v.holds] == []
    assert sum(v.armed for v in verdicts) >= len(verdicts) - 8  # some need an order that is not given here


def test_there_are_enough_broken_rulesets() -> None:
    assert len(MUTANTS) >= 30 and {mutant.ruleset for mutant in MUTANTS} == set(names())


@pytest.mark.parametrize("mutant", MUTANTS, ids=str)
def test_a_broken_ruleset_breaks_a_named_property(mutant: Mutant) -> None:
    stated = [one for one in properties_of(mutant.ruleset) if one.name == mutant.property]
    proof = prove(mutant.model, Bounds(mutant.turns, stack=1, together=0), properties=stated, spec=mutant.ruleset)
    assert [one.name for one in proof.violated] == [mutant.property]
    (witness,) = (w for w in proof.witnesses if w.name == mutant.property)
    assert breach(mutant.model, stated[0], 2, witness.answers) is not None
    assert breach(fsm.load(mutant.ruleset), stated[0], 2, witness.answers) is None
    if witness.file.kind == "scenario":
        scenario = parse_scenarios(json.loads(witness.file.text), "case")[0]
        assert breach(mutant.model, stated[0], 2, play(scenario, model=mutant.model).trace.answers) is not None


def test_most_breaches_are_told_as_scenarios() -> None:
    kinds = []
    for mutant in MUTANTS[:6]:
        stated = [one for one in properties_of(mutant.ruleset) if one.name == mutant.property]
        proof = prove(mutant.model, Bounds(stack=1, together=0), properties=stated, spec=mutant.ruleset)
        kinds += [w.file.kind for w in proof.witnesses]
    assert kinds.count("scenario") >= 5


def verdict(*properties: Property, turns: int = 1) -> list[bool]:
    """What holds of one turn of Magic in which nothing is ordered."""
    proof = prove(fsm.load("magic"), Bounds(turns=turns, stack=1, together=0), properties=properties)
    return [v.holds for v in proof.verdicts]


def test_the_forms_mean_what_they_say() -> None:
    def stated(form: object) -> Property:
        return Property("stated", "", "", form)  # type: ignore[arg-type]

    assert verdict(stated(never(performs("phasing")))) == [False]
    assert verdict(stated(never(performs("no_such_action")))) == [True]
    assert verdict(stated(after(begins("step", "untap"), begins("step", "upkeep"), ends("step", "untap")))) == [True]
    assert verdict(stated(after(begins("step", "untap"), begins("step", "upkeep"), ends("turn")))) == [False]
    assert verdict(stated(followed(begins("turn"), begins("step", "cleanup"), ends("turn")))) == [True]
    assert verdict(stated(followed(begins("turn"), begins("step", "declare_blockers"), ends("turn")))) == [False]


def test_a_response_needs_its_answer_only_when_nothing_more_happens() -> None:
    ends_turn = Property("ends", "", "", responds(begins("turn"), ends("turn")))
    assert verdict(ends_turn, turns=2) == [True]
    model = fsm.load("magic")
    looping = fsm.model.replace(model, transitions=tuple(
        fsm.model.replace(t, target="upkeep_before") if t.id == "upkeep_after -> draw_before" else t
        for t in model.transitions))
    proof = prove(looping, Bounds(turns=1, stack=1, together=0), properties=[ends_turn])
    assert [v.holds for v in proof.verdicts] == [False]


def test_a_game_of_ones_own_states_its_own() -> None:
    from lanterns import LANTERNS

    model = LANTERNS.build()
    quiet = Property("quiet", "nobody acts anywhere", "none", never(priority()))
    PROPERTIES[model.name] = (quiet,)
    try:
        proof = prove(model, Bounds(turns=1, stack=1, together=0))
        assert [one.name for one in proof.violated] == ["quiet"] and proof.witnesses[0].answers
    finally:
        del PROPERTIES[model.name]
