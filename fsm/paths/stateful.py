"""A Hypothesis state machine of any Model: random answers, its invariants after each; a failing run as a trace.

    from fsm.paths.stateful import rule_based
    TestTurn = rule_based(fsm.load("magic")).TestCase

Needs the `hypothesis` package.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random

from hypothesis import note
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule

from fsm.controller import TurnController
from fsm.errors import FsmError
from fsm.model import Model
from fsm.paths.ground import ground_of
from fsm.paths.here import Here
from fsm.paths.path import starts
from fsm.paths.wandering import any_answer
from fsm.requests import Over

Invariant = Callable[[TurnController], None]
"""Raises AssertionError when something is not as it must be."""


def restores(controller: TurnController) -> None:
    """A snapshot brings back the game as it is."""
    again = TurnController.restore(controller.model, controller.snapshot())
    assert again.request == controller.request, "a snapshot does not restore the request"


def stands_where_it_says(controller: TurnController) -> None:
    """The state that is asked for is one of the model's, and the facts it asks for are the game's."""
    machines = [m for m in (controller.model, controller.model.window) if m is not None]
    known = {s.id for m in machines for s in m.leaves}
    assert controller.request.state in known, f"{controller.request.state} is no state"


INVARIANTS: tuple[Invariant, ...] = (restores, stands_where_it_says)


def rule_based(model: Model, invariants: Sequence[Invariant] = INVARIANTS) -> type[RuleBasedStateMachine]:
    """A state machine whose rule is one more answer, after which the invariants are held.

    A failing run prints the answers it gave and its trace as JSON Lines, which `fsm.replaying.replay` takes.
    """

    class Turn(RuleBasedStateMachine):
        """One game."""

        here: Here

        @initialize(start=st.sampled_from(starts(model)))
        def begin(self, start: object) -> None:
            """A game begins."""
            self.here = Here(ground_of(model), start.controller(model))  # type: ignore[attr-defined]

        @rule(random=st.randoms(use_true_random=False))
        def answer(self, random: Random) -> None:
            """One more answer, while the game goes on; one that the model refuses changes nothing."""
            controller = self.here.controller
            if isinstance(controller.request, Over):
                return
            before = controller.snapshot()
            try:
                controller.answer(any_answer(self.here, random))
            except FsmError:
                assert controller.snapshot() == before, "a refused answer has changed the game"
                return
            try:
                for invariant in invariants:
                    invariant(controller)
            except AssertionError:
                note("\n".join(controller.trace.lines()))
                raise

    Turn.__name__ = Turn.__qualname__ = f"Turn of {model.name}"
    return Turn
