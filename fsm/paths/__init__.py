"""Paths through a Model that take all of a coverage criterion, with the answers that open every guard on the way.

from fsm.paths import paths
found = paths(model, "transitions")
print(found)  # targets, taken, infeasible, open; answers against a lower bound
for path in found:
    path.run()  # a new game, answered so
"""

from fsm.paths.generating import paths
from fsm.paths.path import Path, PathSet, Start

__all__ = ["Path", "PathSet", "Start", "paths"]
