"""The execution semantics against a machine of the `transitions` library that is made from the same
Model.
"""

from __future__ import annotations

import pytest

import fsm
from fsm import Answer
from fsm.engine import Machine
from fsm.engine.semantics import CLOSED, OPENED, TURN, Fired, Note, Read, Semantics
from fsm.model import Model
from fsm.rulesets import names
from fsm.state.primitives import holds
from fsm.state.run import Run
from fsm.state.setup import run_of
from support.amounts import amount
from support.coveragegames import games_of


class Compared(Semantics):
    """Has the library's machine fire each event first, on a copy of the run, and compares what both
    did.
    """

    def __init__(self, model: Model) -> None:
        super().__init__(model)
        self.machines = {TURN: Machine.from_model(model)}
        if model.window is not None:
            self.machines["window"] = Machine.from_model(model.window, attribute="frame")
        self.firings = 0

    def microstep(self, run: Run, machine: str, event: str, read: Read, note: Note) -> Fired | None:
        """Fire with both."""
        copy = run.copy()
        copy.frame = "" if event == CLOSED else copy.frame
        firing = None if event == OPENED else self.machines[machine].fire(copy, event)
        fired = super().microstep(run, machine, event, read, note)
        if fired is not None:
            assert firing is not None
            assert (firing.transition, firing.guards, copy) == (
                fired.row.transition,
                fired.guards,
                run,
            )
            self.firings += 1
        return fired


def ignore(fired: Fired) -> None:
    """Note nothing."""


@pytest.mark.parametrize("name", names())
def test_the_library_s_machine_fires_the_same(name: str) -> None:
    model = fsm.load(name)
    semantics = Compared(model)
    for game in games_of(name)[: amount(20, 1000)]:
        trace = game.play(model).trace
        run = run_of(model, trace.head)
        semantics.macrostep(run, holds, ignore)
        for answer in trace.answers:
            semantics.answer(run, answer, holds, ignore)
    assert semantics.firings > 500


def test_a_firing_says_what_was_read_and_where_it_stood(magic: Model) -> None:
    fired: list[Fired] = []
    game = fsm.TurnController(magic, ["A", "B"])
    run, semantics = run_of(magic, game.trace.head), Semantics(magic)
    semantics.macrostep(run, holds, fired.append)
    semantics.answer(run, Answer(), holds, fired.append)
    names = [(one.phase and one.phase.name, one.step and one.step.name) for one in fired]
    assert names[0] == (None, None)
    assert names[-1] == ("beginning", "untap")
    assert any(one.guards for one in fired)
