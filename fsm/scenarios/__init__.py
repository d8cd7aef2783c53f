"""Scenarios: what happens in a game, and which turn flow must result. They are read, checked and played.

`docs/scenarios.md` describes the format.
"""
