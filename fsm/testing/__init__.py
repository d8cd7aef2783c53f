"""Assertions for tests about the path that a machine or a game took.

from fsm.testing import traversed
with traversed(machine) as t:
    machine.melt()
assert t.took("solid -> liquid")
"""

from fsm.testing.traversing import Traversal, traversed

__all__ = ["Traversal", "traversed"]
