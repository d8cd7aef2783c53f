"""For tests: which way did a machine or a game take?

from fsm.testing import traversed
with traversed(machine) as t:
    machine.melt()
assert t.took("solid -> liquid")
"""

from fsm.testing.traversing import Traversal, traversed

__all__ = ["Traversal", "traversed"]
