"""A tiny card game as a PettingZoo environment, its turn run by a TurnController."""

from .environment import env, raw_env

__all__ = ["env", "raw_env"]
