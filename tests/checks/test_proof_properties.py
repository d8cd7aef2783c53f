"""What rulesets state of their runs: it holds, cites its rule, and a ruleset broken on purpose
breaks it.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace

import pytest

import fsm
from fsm import AddStep, Trace, TurnController
from fsm.checks import Bounds, prove
from fsm.checks.modelchecking.breaches import breach
from fsm.checks.modelchecking.propertychecker import PropertyChecker
from fsm.model import Action, Model
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
    responds,
)
from fsm.rulesets.stated_properties import properties_of
from fsm.scenarios import play
from support.amounts import sample, thorough
from support.explored import explored
from support.proofmutants import MUTANTS, Mutant

LEAST = {"magic": 25}


@pytest.mark.parametrize("name", sample(names(), 1))
def test_every_property_holds_and_its_case_comes_up(name: str) -> None:
    stated = properties_of(name)
    assert len(stated) >= LEAST.get(name, 10)
    assert all(one.rule and one.says for one in stated) and len(
        {one.name for one in stated}
    ) == len(stated)
    verdicts = PropertyChecker(explored(name), stated).verdicts()
    assert [v.property.name for v in verdicts if not v.holds] == []
    assert (
        sum(v.armed for v in verdicts) >= len(verdicts) - 8
    )  # some need an order that is not given here


def test_there_are_enough_broken_rulesets() -> None:
    assert len(MUTANTS) >= 30 and {mutant.ruleset for mutant in MUTANTS} == set(names())


@pytest.mark.parametrize("mutant", sample(MUTANTS, 4), ids=str)
def test_a_broken_ruleset_breaks_a_named_property(mutant: Mutant) -> None:
    stated = [one for one in properties_of(mutant.ruleset) if one.name == mutant.breaks]
    proof = prove(
        mutant.model,
        Bounds(mutant.turns, stack=1, together=0),
        properties=stated,
        spec=mutant.ruleset,
    )
    assert [one.name for one in proof.violated] == [mutant.breaks]
    (witness,) = (w for w in proof.witnesses if w.name == mutant.breaks)
    assert breach(mutant.model, stated[0], 2, witness.answers) is not None
    assert breach(fsm.load(mutant.ruleset), stated[0], 2, witness.answers) is None
    if witness.file.kind == "scenario":
        scenario = fsm.scenarios.load(json.loads(witness.file.text), place="case")[0]
        assert (
            breach(mutant.model, stated[0], 2, play(scenario, model=mutant.model).trace.answers)
            is not None
        )


@thorough
def test_most_breaches_are_told_as_scenarios() -> None:
    kinds = []
    for mutant in MUTANTS[:6]:
        stated = [one for one in properties_of(mutant.ruleset) if one.name == mutant.breaks]
        proof = prove(
            mutant.model, Bounds(stack=1, together=0), properties=stated, spec=mutant.ruleset
        )
        kinds += [w.file.kind for w in proof.witnesses]
    assert kinds.count("scenario") >= 5


def verdict(*properties: Property, turns: int = 1) -> list[bool]:
    """What holds of one turn of Magic in which nothing is ordered."""
    proof = prove(
        fsm.load("magic"), Bounds(turns=turns, stack=1, together=0), properties=properties
    )
    return [v.holds for v in proof.verdicts]


def test_the_forms_mean_what_they_say() -> None:
    def stated(form: object) -> Property:
        return Property("stated", "", "", form)  # type: ignore[arg-type]

    assert verdict(stated(never(performs("phasing")))) == [False]
    assert verdict(stated(never(performs("no_such_action")))) == [True]
    assert verdict(
        stated(after(begins("step", "untap"), begins("step", "upkeep"), ends("step", "untap")))
    ) == [True]
    assert verdict(
        stated(after(begins("step", "untap"), begins("step", "upkeep"), ends("turn")))
    ) == [False]
    assert verdict(stated(followed(begins("turn"), begins("step", "cleanup"), ends("turn")))) == [
        True
    ]
    assert verdict(
        stated(followed(begins("turn"), begins("step", "declare_blockers"), ends("turn")))
    ) == [False]


def test_a_response_needs_its_answer_only_when_nothing_more_happens() -> None:
    ends_turn = Property("ends", "", "", responds(begins("turn"), ends("turn")))
    assert verdict(ends_turn, turns=2) == [True]
    proof = prove(upkeep_for_ever(), Bounds(turns=1, stack=1, together=0), properties=[ends_turn])
    assert [v.holds for v in proof.verdicts] == [False]


def test_what_repeats_an_added_cleanup_step_is_not_the_turns_own() -> None:
    """514.3a, 500.9: the end step comes after both."""
    names = ("end_step_before_cleanup", "cleanup_is_last")
    stated = [one for one in properties_of("magic") if one.name in names]
    orders = (AddStep("cleanup", before="end"),)
    proof = prove(fsm.load("magic"), Bounds(turns=1, stack=1), properties=stated, orders=orders)
    assert [(v.holds, v.armed) for v in proof.verdicts] == [(True, True)] * 2


def upkeep_for_ever() -> Model:
    """After the upkeep step comes the upkeep step."""
    return rerouted(fsm.load("magic"), {"upkeep_after -> draw_before": "upkeep_before"})


def priority_for_ever() -> Model:
    """When all have passed on an empty stack, the active player has priority once more."""
    model = fsm.load("magic")
    assert model.window is not None
    once_more = Action(
        "priority_to_active"
    )  # without it those who have passed grow in number for ever
    return replace(model, window=rerouted(model.window, {"all_passed -> closed": "sba"}, once_more))


def main_for_ever() -> Model:
    """When the window of the first main phase closes it opens."""
    closed = "precombat_main_window -> precombat_main_end on closed"
    return rerouted(fsm.load("magic"), {closed: "precombat_main_window"})


def rerouted(model: Model, targets: dict[str, str], *more: Action) -> Model:
    """With these transitions leading elsewhere, and doing more."""
    assert set(targets) <= {t.id for t in model.transitions}
    return replace(
        model,
        transitions=tuple(
            replace(t, target=targets[t.id], actions=(*t.actions, *more)) if t.id in targets else t
            for t in model.transitions
        ),
    )


@pytest.mark.parametrize(
    ("made", "name"),
    [
        (upkeep_for_ever, "turn_ends"),
        (priority_for_ever, "turn_ends"),
        (main_for_ever, "window_closes"),
    ],
)
def test_what_never_comes_is_shown_by_a_loop(made: Callable[[], Model], name: str) -> None:
    model, (stated,) = made(), [one for one in properties_of("magic") if one.name == name]
    proof = prove(model, Bounds(turns=1, stack=1, together=0), properties=[stated], spec="magic")
    assert [one.name for one in proof.violated] == [name]
    (witness,) = proof.witnesses
    game = TurnController(model, ("A", "B"))
    there, loop = witness.answers[: -witness.loop], witness.answers[-witness.loop :]
    for answer in there:
        game.answer(answer)
    for _ in range(30):
        before = game.request
        for answer in loop:
            assert answer.word != "acted" and not answer.orders and answer.signal is None
            assert not answer.facts.get("sba_performed") and not answer.facts.get(
                "triggers_waiting"
            )
            game.answer(answer)
        assert (type(game.request), game.request.state) == (type(before), before.state)
    assert not any(r.target == "turn_end" for r in game.trace.records)
    assert Trace.read(witness.file.text.splitlines()).replay(model).request.state == before.state


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
