"""Assertions for tests about the path that a machine or a game took."""

from fsm.coverage.traversal.traversing import Traversal, traversed

__all__ = ["Traversal", "traversed"]
