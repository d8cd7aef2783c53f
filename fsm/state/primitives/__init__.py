"""The closed set of primitives: all that a guard may test and a transition's action may do.

A Model's facts (owner agenda or controller) name a test, its transitions name actions; both are
looked up here and nowhere else. Every test reads the `Run`, every action changes it. This is the
list an interpreter in another language has to implement; `docs/primitives.md` prints it as a table.
"""

from __future__ import annotations

from fsm.errors import AnswerError
from fsm.model import Fact
from fsm.state.primitives import actions, tests
from fsm.state.primitives.registry import ACTIONS, TESTS, Do, Fields, Test, opening_of
from fsm.state.run import Run

__all__ = ["ACTIONS", "TESTS", "Do", "Fields", "Test", "actions", "holds", "opening_of", "tests"]


def holds(run: Run, fact: Fact) -> bool:
    """The value of a fact now. Raises AnswerError when the game has not told it."""
    if fact.timing == "latched":
        return fact.name in run.latched
    if fact.owner != "game":
        return TESTS[fact.test[0]].run(run, *fact.test[1:])
    if fact.name not in run.told:
        raise AnswerError(
            f"the answer does not tell the fact {fact.name!r} ({fact.doc}); "
            f"the model reads it now: add it to the answer's facts"
        )
    return run.told[fact.name]
