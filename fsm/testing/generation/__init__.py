"""Generates paths through a Model that take all targets of a coverage criterion, with the answers that open each guard.

from fsm.testing.generation import paths
found = paths(model, "transitions")
print(found)  # targets, taken, infeasible, open; answers against a lower bound
for path in found:
    path.run()  # a new game, answered so
"""

from fsm.testing.generation.generating import paths
from fsm.testing.generation.path import Path, PathSet, Start

__all__ = ["Path", "PathSet", "Start", "paths"]
