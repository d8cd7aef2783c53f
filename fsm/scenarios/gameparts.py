"""What a game adds to the scenario format and to the scripted game. `fsm.scenarios.games` has one module a game."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeVar

from fsm.scenarios.discrepancies import Checker
from fsm.scenarios.scenario import Item
from fsm.scenarios.verbparts import ExpectCheck, Verb
from fsm.scenarios.world import GameState, World

Act = Callable[[World, Item], None]
Performing = Callable[[World, tuple[str, ...], str], None]
"""What an action changes. It gets the players who perform it, and the model's word for the manner."""


@dataclass(frozen=True)
class GameParts:
    """What one game registers. A model may use a word if it has what the word needs, whatever its name is.

    Attributes
    ----------
    states
        What is remembered for the game.
    verbs
        The verbs of the game, by the verb after which documents show them.
    acts
        What each verb does.
    kinds
        The JSON Schema of each kind of field.
    checks
        The checks of the game, by the check after which documents show them.
    checkers
        How each check is made.
    contexts
        The keys of entries of `expect` that name what these verbs make.
    objects
        The names of objects that come on the stack without an item, with what the model needs for them.
    facts
        The facts that the game reports. A fact that nobody computes is false.
    actions
        What each action changes. A name that ends with "*" stands for every action that begins so.
    """

    states: tuple[type[GameState], ...] = ()
    verbs: Mapping[str, tuple[Verb, ...]] = field(default_factory=dict)
    acts: Mapping[str, Act] = field(default_factory=dict)
    kinds: Mapping[str, dict[str, Any]] = field(default_factory=dict)
    checks: Mapping[str, tuple[ExpectCheck, ...]] = field(default_factory=dict)
    checkers: Mapping[str, Checker] = field(default_factory=dict)
    contexts: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    objects: Mapping[str, str] = field(default_factory=dict)
    facts: Mapping[str, Callable[[World], bool]] = field(default_factory=dict)
    actions: Mapping[str, Performing] = field(default_factory=dict)


class _Named(Protocol):
    @property
    def name(self) -> str: ...


_N = TypeVar("_N", bound=_Named)


def placed(words: Iterable[_N], additions: Iterable[Mapping[str, tuple[_N, ...]]]) -> dict[str, _N]:
    """Return words by name. Each group of additions comes after the word that is its key."""
    additions = tuple(additions)

    def ordered() -> Iterator[_N]:
        for word in words:
            yield word
            for groups in additions:
                yield from groups.get(word.name, ())

    return {word.name: word for word in ordered()}
