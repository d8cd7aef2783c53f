"""A Hypothesis state machine for any Model: random answers, with the invariants checked after each.

    from fsm.testing.generation.stateful import rule_based
    TestTurn = rule_based(fsm.load("magic"), "magic").TestCase

A failing run is written as a scenario. The `hypothesis` package is needed.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import chain
from random import Random

from hypothesis import note
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule

from fsm.engine.controller import TurnController
from fsm.engine.requests import Answer, Over
from fsm.engine.trace import Trace
from fsm.errors import AnswerError, FsmError, OrderError
from fsm.model import Model
from fsm.scenarios import parse_scenarios, play
from fsm.scenarios.departures import Case, departures_of
from fsm.testing.fuzzing.checkedgame import Broken, CheckedGame, Thoroughness, raised
from fsm.testing.fuzzing.smallestcase import broken_by, smallest_scenario
from fsm.testing.generation.abstractgraph import abstract_graph_of
from fsm.testing.generation.path import Start, starts
from fsm.testing.generation.randomwalk import any_answer
from fsm.testing.generation.searchnode import SearchNode

OWN = "invariant"
"""The name of a broken invariant of your own."""
Invariant = Callable[[TurnController], None]
"""Raises AssertionError if the invariant is broken."""


def rule_based(model: Model, ruleset: str = "", invariants: Sequence[Invariant] = ()) -> type[RuleBasedStateMachine]:
    """Return a state machine with one rule, a random answer. The invariants are checked after each answer.

    These are the invariants of `fsm.testing.fuzzing` and yours. A failing run prints the smallest game found: a
    scenario for `fsm run` if `ruleset` is given and scenarios can express the game, otherwise a trace for `fsm.replay`.
    """

    class Turn(RuleBasedStateMachine):
        """One game."""

        game: CheckedGame
        node: SearchNode

        @initialize(start=st.sampled_from(starts(model)))
        def begin(self, start: Start) -> None:
            """Begin a game."""
            controller = start.controller(model)
            self.game = CheckedGame(model, controller.trace.head, Thoroughness(random=Random(0)))
            self.node = SearchNode(abstract_graph_of(model), self.game.controller or controller)
            self._check()

        @rule(random=st.randoms(use_true_random=False))
        def answer(self, random: Random) -> None:
            """Give a random answer, unless the game is over."""
            controller = self.node.controller
            if not isinstance(controller.request, Over):
                self.game.answer(_taken(self.node, random))
                self._check()

        def _check(self) -> None:
            broken = self.game.broken
            try:
                for invariant in invariants if broken is None else ():
                    invariant(self.node.controller)
            except AssertionError as error:
                broken = Broken(OWN, "", str(error), len(self.node.controller.trace.answers))
            if broken is not None:
                note(failure_text(model, ruleset, self.node.controller, broken, invariants))
                raise AssertionError(f"{broken.name}: {broken.what}")

    Turn.__name__ = Turn.__qualname__ = f"Turn of {model.name}"
    return Turn


def _taken(node: SearchNode, random: Random) -> Answer:
    """Return a random answer, without its orders and signal if they are refused."""
    answer = any_answer(node, random)
    try:
        node.controller.fork().answer(answer)
    except (AnswerError, OrderError):
        return replace(answer, orders=(), signal=None)
    except Exception:
        return answer  # other errors break an invariant, so the answer is given
    return answer


def failure_text(
    model: Model, ruleset: str, controller: TurnController, broken: Broken, invariants: Sequence[Invariant] = ()
) -> str:
    """Return a game that broke an invariant, as a scenario that breaks the same one or as a trace."""
    trace = controller.trace
    scenario = smallest_scenario(model, ruleset, _case(model, trace), broken)
    if scenario is not None and _again(model, scenario, broken, invariants):
        return json.dumps(scenario, indent=1, ensure_ascii=False)
    return "\n".join(trace.lines())


def _case(model: Model, trace: Trace) -> Case:
    """Return the game as departures from a quiet game."""
    head = trace.head
    twin = TurnController(model, head.players, teams=head.teams, settings=head.settings)
    found = chain.from_iterable(departures_of(twin, trace.answers))
    return Case(head, tuple(found), len(trace.answers))


def _again(model: Model, scenario: dict[str, object], broken: Broken, invariants: Sequence[Invariant]) -> bool:
    """Whether the scenario breaks the same invariant when it is played."""
    try:
        trace = play(parse_scenarios(scenario, "case", model)[0]).trace
    except FsmError as error:
        return raised(error, 0).name == broken.name
    found = broken_by(model, trace.head, tuple(trace.answers))
    if found is not None or broken.name != OWN:
        return found is not None and found.name == broken.name
    twin = TurnController(model, trace.head.players, teams=trace.head.teams, settings=trace.head.settings)
    for answer in (None, *trace.answers):
        if answer is not None:
            twin.answer(answer)
        try:
            for invariant in invariants:
                invariant(twin)
        except AssertionError:
            return True
    return False
