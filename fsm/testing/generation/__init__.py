"""Generates paths through a Model that take all targets of a coverage criterion, with the answers
that open each guard.

from fsm.testing.generation import paths
found = paths(model, "transitions")
print(found)  # counts of targets, paths and answers
for path in found:
    path.run()  # plays the path in a new game
"""

from fsm.testing.generation.generating import paths
from fsm.testing.generation.path import Path, PathSet, Start

__all__ = ["Path", "PathSet", "Start", "paths"]
