"""The closed set of primitives: all that a guard may test and a transition's action may do.

A Model's facts (owner agenda or controller) name a test, its transitions name actions; both are
looked up here and nowhere else. Every test reads the `Run`, every action changes it. This is the
list an interpreter in another language has to implement; `docs/reference/api/primitives.md` prints
it as a table.
"""

from __future__ import annotations

from fsm.state import actions, guardtests
from fsm.state.registry import ACTIONS, TESTS

__all__ = ["ACTIONS", "TESTS", "actions", "guardtests"]
