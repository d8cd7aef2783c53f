"""The probabilities of what happens in a random game."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from fsm.errors import FsmError


@dataclass(frozen=True)
class Weights:
    """The probabilities of what happens in a random game, each from 0 to 1.

    Parameters
    ----------
    acted
        The player who has priority acts.
    order
        An answer carries an order.
    signal
        An answer carries a signal.
    latched
        An answer carries a latched fact that was not asked for.
    leaving
        A signal that a player leaves, once chosen, is sent.
    ordinary
        An answer carries a signal that belongs to the ordinary course of the game there, for
        instance an attack.
    usual
        A fact of the window has the value that it has when nothing happens.
    even
        Any other fact is true.
    calm
        The share of games in which only facts are random.
    wild
        The share of games in which orders and signals are four times as likely.
    teams
        Four players form teams.
    settings
        A setting is chosen at random instead of left at its default.
    facts
        Probabilities for single facts, by name. They replace `usual` and `even`.

    Raises
    ------
    FsmError
        If a probability is not from 0 to 1.
    """

    acted: float = 0.1
    order: float = 0.05
    signal: float = 0.02
    latched: float = 0.02
    leaving: float = 0.25
    ordinary: float = 0.05
    usual: float = 0.88
    even: float = 0.55
    calm: float = 0.2
    wild: float = 0.15
    teams: float = 0.4
    settings: float = 0.2
    facts: Mapping[str, float] = field(default_factory=dict, hash=False)

    def __post_init__(self) -> None:
        named = {name: value for name, value in vars(self).items() if name != "facts"}
        for name, value in {**named, **self.facts}.items():
            if not 0 <= value <= 1:
                raise FsmError(f"weight {name!r} must be from 0 to 1, not {value!r}")


EVENTFUL = Weights(acted=0.3, order=0.08, signal=0.04, usual=0.8, even=0.5, calm=0, wild=0)
"""The weights of a game that is played alone, so that much happens in it."""
