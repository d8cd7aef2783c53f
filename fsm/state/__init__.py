"""What a game's turn remembers, as one value, and the orders that change it."""

from __future__ import annotations

from fsm.state import actions, guardtests  # which register the primitives

__all__ = ["actions", "guardtests"]
