"""What a game adds to the scenario format and to the scripted game. `fsm.scenarios.games` has one
module a game.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from fsm.scenarios.verbparts import Words
from fsm.scenarios.world import GameState, World

Performing = Callable[[World, tuple[str, ...], str], None]
"""What an action changes. It gets the players who perform it, and the model's word for the manner."""


@dataclass(frozen=True)
class GameParts:
    """What one game registers. A model may use a word if it has what the word needs, whatever its
    name is.

    Attributes
    ----------
    words
        The verbs and the checks of the game.
    states
        What is remembered for the game.
    contexts
        The keys of entries of `expect` that name what these verbs make.
    objects
        The names of objects that come on the stack without an item, with what the model needs for
        them.
    facts
        The facts that the game reports. A fact that nobody computes is false.
    actions
        What each action changes. A name that ends with "*" stands for every action that begins so.
    """

    words: Words
    states: tuple[type[GameState], ...]
    contexts: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    objects: Mapping[str, str] = field(default_factory=dict)
    facts: Mapping[str, Callable[[World], bool]] = field(default_factory=dict)
    actions: Mapping[str, Performing] = field(default_factory=dict)
