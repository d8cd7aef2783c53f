"""For tests: the path that a machine or a game took, and random games of a ruleset.

from fsm.testing import traversed
with traversed(machine) as t:
    machine.melt()
assert t.took("solid -> liquid")

@given(fsm.testing.games("magic"))
def test_a_game(game):
    assert fsm.testing.broken(game) == ""
"""

from __future__ import annotations

from fsm.lazily import names_from

TYPE_CHECKING = False
if TYPE_CHECKING:
    from fsm.coverage.traversed import Traversal as Traversal, traversed as traversed
    from fsm.testing.generating import Path as Path, PathSet as PathSet, paths as paths
    from fsm.testing.randomgames import answers as answers, broken as broken, games as games

__dir__, __all__ = names_from(
    __name__,
    {
        "fsm.testing.generating": "Path PathSet paths",
        "fsm.testing.randomgames": "answers broken games",
        "fsm.coverage.traversed": "Traversal traversed",
    },
)
