"""A Hypothesis state machine for any Model: random answers, with the invariants checked after each.

    from fsm.testing.generation.stateful import rule_based
    TestTurn = rule_based(fsm.load("magic"), "magic").TestCase

A failing run is written as a scenario. The `hypothesis` package is needed.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from itertools import chain
from random import Random

from hypothesis import note
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule

from fsm.engine.controller import TurnController
from fsm.engine.requests import Over
from fsm.engine.trace import Trace
from fsm.errors import FsmError
from fsm.model import Model
from fsm.scenarios import parse_scenarios, play
from fsm.scenarios.departures import Case, departures_of
from fsm.testing.fuzzing.checkedgame import Broken, CheckedGame, Thoroughness, raised
from fsm.testing.fuzzing.randomwalk import RandomAnswers, wanderings_of
from fsm.testing.fuzzing.smallestcase import broken_by, smallest_scenario
from fsm.testing.fuzzing.weights import EVENTFUL
from fsm.testing.generation.path import Start, starts

OWN = "invariant"
"""The name of a broken invariant of your own."""
Invariant = Callable[[TurnController], None]
"""Raises AssertionError if the invariant is broken."""


def rule_based(
    model: Model, ruleset: str = "", invariants: Sequence[Invariant] = ()
) -> type[RuleBasedStateMachine]:
    """Return a state machine with one rule, a random answer. The invariants are checked after each
    answer.

    These are the invariants of `fsm.testing.fuzzing` and yours. A failing run prints the smallest
    game found: a scenario for `fsm run` if `ruleset` is given and scenarios can express the game,
    otherwise a trace for `fsm.replay`.
    """

    class Turn(RuleBasedStateMachine):
        """One game."""

        game: CheckedGame
        controller: TurnController
        answers: RandomAnswers

        @initialize(start=st.sampled_from(starts(model)), random=st.randoms(use_true_random=False))
        def begin(self, start: Start, random: Random) -> None:
            """Begin a game."""
            controller = start.controller(model)
            self.game = CheckedGame(model, controller.trace.head, Thoroughness(random=Random(0)))
            self.controller = self.game.controller or controller
            self.answers = RandomAnswers(wanderings_of(model, EVENTFUL), random, start.players)
            self._check()

        @rule()
        def answer(self) -> None:
            """Give a random answer, unless the game is over."""
            if not isinstance(self.controller.request, Over):
                self.game.answer(self.answers.answer(self.controller))
                self._check()

        def _check(self) -> None:
            broken = self.game.broken
            try:
                for invariant in invariants if broken is None else ():
                    invariant(self.controller)
            except AssertionError as error:
                broken = Broken(OWN, "", str(error), len(self.controller.trace.answers))
            if broken is not None:
                note(failure_text(model, ruleset, self.controller, broken, invariants))
                raise AssertionError(f"{broken.name}: {broken.what}")

    Turn.__name__ = Turn.__qualname__ = f"Turn of {model.name}"
    return Turn


def failure_text(
    model: Model,
    ruleset: str,
    controller: TurnController,
    broken: Broken,
    invariants: Sequence[Invariant] = (),
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


def _again(
    model: Model, scenario: dict[str, object], broken: Broken, invariants: Sequence[Invariant]
) -> bool:
    """Whether the scenario breaks the same invariant when it is played."""
    try:
        trace = play(parse_scenarios(scenario, "case", model)[0]).trace
    except FsmError as error:
        return raised(error, 0).name == broken.name
    found = broken_by(model, trace.head, tuple(trace.answers))
    if found is not None or broken.name != OWN:
        return found is not None and found.name == broken.name
    twin = TurnController(
        model, trace.head.players, teams=trace.head.teams, settings=trace.head.settings
    )
    for answer in (None, *trace.answers):
        if answer is not None:
            twin.answer(answer)
        try:
            for invariant in invariants:
                invariant(twin)
        except AssertionError:
            return True
    return False
