"""Assertions for tests about the path that a machine or a game took.

from fsm.testing import traversed
with traversed(machine) as t:
    machine.melt()
assert t.took("solid -> liquid")
"""

from __future__ import annotations

from fsm.lazily import names_from

TYPE_CHECKING = False
if TYPE_CHECKING:
    from fsm.testing import fuzzing as fuzzing
    from fsm.testing import generation as generation
    from fsm.testing.traversing import Traversal as Traversal
    from fsm.testing.traversing import traversed as traversed

__dir__, __all__ = names_from(
    __name__, {"fsm.testing.traversing": ("Traversal", "traversed")}, folders=("fuzzing", "generation")
)
