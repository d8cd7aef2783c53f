"""The exploration is exact: what it reaches real games reach, and what real games reach it has
reached.
"""

from __future__ import annotations

import json
import random
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

import fsm
from fsm import (
    AddPhase,
    AddStep,
    AddTurn,
    Answer,
    ControlNextTurn,
    Over,
    Priority,
    Resolve,
    ReverseTurnOrder,
    Signal,
    SkipStep,
    SkipTurn,
)
from fsm.checks import Bounds, prove
from fsm.checks.modelchecking.breaches import observations
from fsm.checks.modelchecking.candidateorders import pending
from fsm.checks.modelchecking.equivalencekey import EquivalenceKey
from fsm.checks.modelchecking.exploration import BEYOND, Explorer, TurnEdge
from fsm.checks.modelchecking.stepping import ObservedFiring, StepOutcome
from fsm.checks.modelchecking.windows import stacks
from fsm.checks.modelchecking.witness import answers_of, path_to
from fsm.cli.run import run as run_command
from fsm.engine.requests import Word
from fsm.engine.semantics import waiting
from fsm.errors import FsmError
from fsm.orders import Order
from fsm.rulesets import names
from support.amounts import sample
from support.explored import ORDERS, SMALL, explored


@pytest.mark.parametrize("name", sample(names(), 1))
def test_nothing_is_stuck_or_ambiguous(name: str) -> None:
    explorer = explored(name)
    assert explorer.troubles == []
    positions, transitions = explorer.counted()
    assert transitions > positions > 3_000


@pytest.mark.parametrize("name", sample(names(), 1))
def test_a_real_game_comes_to_every_place_that_was_reached(name: str) -> None:
    explorer, chance = explored(name), random.Random(1)
    for node in chance.sample(range(1, len(explorer.nodes)), 8):
        answers = answers_of(explorer, path_to(explorer, node))
        game = fsm.TurnController(explorer.model, SMALL.names)
        for answer in answers:
            game.answer(answer)
        place = explorer.turn_nodes[explorer.nodes[node][0]]
        run = game.run
        assert (run.state, explorer.equivalence.key(run.agenda)) == (
            place.run.state,
            explorer.equivalence.key(place.run.agenda),
        )
        assert run.latched >= place.run.latched
        if place.windows is not None:
            entry = place.windows.nodes[explorer.nodes[node][1]].inside
            assert (run.frame, run.holder, tuple(sorted(run.passed))) == entry[:3]


@pytest.mark.parametrize("name", sample(names(), 1))
def test_what_is_seen_is_what_the_controller_records(name: str) -> None:
    explorer, chance = explored(name), random.Random(2)
    for node in chance.sample(range(1, len(explorer.nodes)), 8):
        answers = answers_of(explorer, path_to(explorer, node))
        game = fsm.TurnController(explorer.model, SMALL.names)
        for answer in answers:
            game.answer(answer)
        seen = [
            one
            for found in observations(explorer.model, 2, answers)
            for one in found
            if isinstance(one, ObservedFiring)
        ]
        assert explorer.model.window is not None
        machines = {"turn": explorer.model, "window": explorer.model.window}
        fired = [
            (s.machine, machines[s.machine].transitions[s.row].id, s.source, s.target) for s in seen
        ]
        assert fired == [(r.machine, r.transition, r.source, r.target) for r in game.trace.records]


@pytest.mark.parametrize("name", sample(names(), 1))
def test_a_step_that_is_shared_leads_where_it_leads_from_each_wait_point(name: str) -> None:
    explorer, chance, looked = explored(name), random.Random(3), 0
    for turn_node in chance.sample(explorer.turn_nodes, 60):
        for closing, edges in turn_node.closed.items():
            run = turn_node.run
            run.latched |= closing.latched
            outcomes = [*explorer.stepper.closed(run, closing.stack, dict(closing.facts))]
            assert [_led(explorer, edge) for edge in edges] == [
                _leads(explorer, outcome) for outcome in outcomes
            ]
            looked += 1
        for (mid, event), edges in turn_node.signalled.items():
            assert turn_node.windows is not None
            run = turn_node.windows.standing(turn_node.run, mid)
            outcomes = [*explorer.stepper.onward(run, mid.stack, {}, event=event)]
            leads = [_leads(explorer, outcome) for outcome in outcomes]
            assert all(_led(explorer, edge) in leads for edge in edges)
            assert edges or all(outcome.run.frame for outcome in outcomes)
            looked += 1
    assert looked > 60


def _led(explorer: Explorer, edge: TurnEdge) -> tuple[object, ...]:
    """Return what an edge reads, what is seen on it, and where it leads."""
    read = edge.move.facts, explorer.labels[edge.label]
    if edge.to == BEYOND:
        return *read, "beyond"
    number, entry = explorer.nodes[edge.to]
    there = explorer.turn_nodes[number]
    inside = (
        there.windows.nodes[entry].inside[:4] if there.windows is not None else ("", there.stack)
    )
    return *read, there.run.state, explorer.equivalence.key(there.run.agenda), there.latched, inside


def _leads(explorer: Explorer, outcome: StepOutcome) -> tuple[object, ...]:
    """Return the same of an outcome."""
    run, read = outcome.run, (tuple(outcome.facts.items()), outcome.seen)
    if run.agenda.turn > SMALL.turns:
        return *read, "beyond"
    latched = run.latched & explorer.live["turn", run.state]
    inside: tuple[object, ...] = ("", outcome.stack)
    if run.frame:
        latched, inside = (
            latched - explorer.inner,
            (run.frame, run.holder, tuple(sorted(run.passed)), outcome.stack),
        )
    return *read, run.state, explorer.equivalence.key(run.agenda), latched, inside


class Bounded:
    """A game that keeps to the bounds, and otherwise does as chance will have it."""

    def __init__(self, explorer: Explorer, seed: int) -> None:
        self.explorer, self.chance, self.stack = explorer, random.Random(seed), 0

    def answer(self, game: fsm.TurnController) -> Answer:
        stepper, chance, request = self.explorer.stepper, self.chance, game.request
        state = waiting(game.run)
        word: Word = (
            chance.choice(("passed", "passed", "acted"))
            if isinstance(request, Priority)
            else "done"
        )
        self.stack = chance.choice(stacks(stepper, state.asks, state.action, word, self.stack))
        facts = {
            name: chance.choice(stepper.environment.values(name, self.stack, stepper.bounds.stack))
            for name in request.facts
            if name in state.tells or name not in stepper.latched
        }
        happens = (
            isinstance(request, Resolve)
            and chance.random() < 0.5
            and request.state != request.at.stage
        )
        orders = self.orders(game) if happens and chance.random() < 0.7 else ()
        ends = happens and not orders and chance.random() < 0.3
        signal = Signal(chance.choice(stepper.signals)) if ends else None
        return Answer(word, facts, orders, signal)

    def orders(self, game: fsm.TurnController) -> tuple[Order, ...]:
        if sum(pending(game.agenda)) or not self.explorer.orders:
            return ()
        return (self.chance.choice(self.explorer.orders),)


@pytest.mark.parametrize("name", sample(names(), 1))
def test_random_games_within_the_bounds_never_leave_what_was_reached(name: str) -> None:
    explorer, looked = explored(name), 0
    for seed in range(12):
        game, host = fsm.TurnController(explorer.model, SMALL.names), Bounded(explorer, seed)
        for _ in range(400):
            if isinstance(game.request, Over) or game.request.at.turn > SMALL.turns:
                break
            state = waiting(game.run)
            if (
                game.run.frame
                or state.asks != "perform"
                or state.action in explorer.stepper.environment.pushes
            ):
                looked += 1
                assert explorer.knows(game.run, host.stack), game.request
            answer = host.answer(game)
            if waiting(game.run).action in explorer.stepper.environment.clears:
                host.stack = 0
            game.answer(answer)
    assert looked > 500


def test_a_hole_is_found_and_its_scenario_runs_into_it(tmp_path: Path) -> None:
    model = fsm.load("magic").without("declare_blockers_after -> combat_damage_before")
    proof = prove(model, Bounds(turns=1, stack=1, together=0), spec="magic")
    assert [trouble.what for trouble in proof.troubles] == [
        "nothing can fire on 'done' in 'declare_blockers_after'"
    ]
    assert not proof.ok
    (witness,) = (w for w in proof.witnesses if w.name.startswith("stuck"))
    assert witness.file.kind == "scenario"
    given = json.loads(witness.file.text)["given"]
    assert [item["fact"] for item in given] == [
        "attackers_declared"
    ]  # nothing that need not happen
    path = tmp_path / "stuck.json"
    path.write_text(witness.file.text)
    assert (
        CliRunner().invoke(run_command, [str(path)]).exit_code == 0
    )  # the ruleset itself has no such hole
    game = fsm.TurnController(model, ("A", "B"))
    with pytest.raises(fsm.errors.StuckError, match="declare_blockers_after"):
        for answer in witness.answers:
            game.answer(answer)


def test_what_is_ambiguous_is_found() -> None:
    model = fsm.load("magic")
    rows = tuple(
        replace(t, actions=tuple(a for a in t.actions if a.name != "push_return"))
        if t.target == "phase_hub"
        else t
        for t in model.transitions
    )
    holed = replace(
        model,
        transitions=tuple(
            replace(t, guard=(), layer="extra")
            if t.source.endswith("_phase_after") and t.target == "phase_resume"
            else t
            for t in rows
        ),
    )
    proof = prove(holed, Bounds(turns=1, stack=1, together=0), spec="magic")
    assert [trouble.kind for trouble in proof.troubles] == ["ambiguous"]


def test_larger_bounds_reach_more() -> None:
    model = fsm.load("magic-classic")
    counts = [
        prove(
            model, Bounds(turns=1, stack=stack, together=together), properties=(), orders=ORDERS[:2]
        )
        for stack, together in ((1, 0), (2, 0), (2, 1))
    ]
    assert counts[0].positions < counts[1].positions < counts[2].positions


@pytest.mark.parametrize("wrong", [{"turns": 0}, {"players": 0}, {"stack": -1}, {"pending": -1}])
def test_bounds_that_bound_nothing_are_refused(wrong: dict[str, int]) -> None:
    with pytest.raises(FsmError, match="must be"):
        Bounds(**wrong)


@pytest.mark.parametrize(
    ("order", "other"),
    [
        (ReverseTurnOrder(), SkipTurn("B")),
        (AddTurn("A"), AddTurn("A", after="x")),
        (AddTurn("A"), AddTurn("A", id="x")),
        (AddTurn(players=("A", "B")), AddTurn(players=("A",))),
        (SkipTurn("A"), SkipTurn("A", extra=True)),
        (SkipTurn("A"), SkipTurn("A", scope="each")),
        (SkipStep("draw", "A"), SkipStep("draw", "A", within="x")),
        (ControlNextTurn("A", "B"), ControlNextTurn("A", "B", within="x")),
        (AddPhase(("combat",)), AddPhase(("combat",), id="x")),
        (AddStep("upkeep"), AddStep("upkeep", id="x")),
    ],
)
def test_games_that_can_continue_in_different_ways_are_told_apart(
    order: Order, other: Order, magic: fsm.Model
) -> None:
    key, games = EquivalenceKey(magic), [fsm.TurnController(magic, [*"ABC"]) for _ in range(3)]
    games[0].order(order)
    games[1].order(other)
    assert len({key.key(game.agenda) for game in games}) == 3


def test_games_that_continue_in_the_same_way_are_not(magic: fsm.Model) -> None:
    """Two reversals, and an effect on both heads of a team, are as none and as one."""
    key, teams = EquivalenceKey(magic), [["A", "B"], ["C", "D"]]
    games = [fsm.TurnController(magic, [*"ABCD"], teams=teams) for _ in range(2)]
    games[0].order(ReverseTurnOrder(), ReverseTurnOrder(), SkipTurn(players=("C", "D")))
    games[1].order(SkipTurn("D"))
    assert key.key(games[0].agenda) == key.key(games[1].agenda)
