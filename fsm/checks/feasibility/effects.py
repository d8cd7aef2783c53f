"""Which fields tests read and actions change. From this follows when a test gives the same result
twice.

The registrations of the primitives say it. A test that says nothing may give any result at any
time, and an action that says nothing may change everything.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

from fsm.model import Action
from fsm.state.agenda import Agenda
from fsm.state.primitives import ACTIONS, TESTS, Fields
from fsm.state.run import Run

EVERYTHING: Fields = frozenset((*Agenda.__slots__, *Run.__slots__))
BY_ANSWERS: Fields = frozenset(
    (
        "turns",
        "skips",
        "controls",
        "extras",
        "left",
        "reversed",
        "appointed",
        "calendar",
        "told",
    )
)
"""What the orders and the signal of an answer can change before anything fires."""


@cache
def reads(test: tuple[str, ...]) -> Fields:
    """Return the fields that a test with these arguments may read."""
    fields = TESTS[test[0]].fields_read(test[1:]) if test and test[0] in TESTS else None
    return EVERYTHING if fields is None else fields


def writes(actions: Iterable[Action]) -> Fields:
    """Return the fields that these actions may change."""
    return frozenset().union(*map(_written, actions))


@cache
def _written(action: Action) -> Fields:
    fields = ACTIONS[action.name].fields_written(action.args) if action.name in ACTIONS else None
    return EVERYTHING if fields is None else fields
