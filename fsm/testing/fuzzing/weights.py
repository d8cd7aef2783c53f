"""How likely things are in a random game."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from fsm.errors import FsmError


@dataclass(frozen=True)
class Weights:
    """Probabilities, from 0 to 1, for each answer of a game.

    `acted`: who has priority acts. `order`, `signal`, `latched`: an answer carries an order, a signal, a latched fact
    that nobody asked for. `leaving`: a chosen signal "player_left" is sent. `ordinary`: an answer carries a signal that
    is part of the ordinary course there (an attack, where the model has an event for it). `usual`: a fact of the window
    is told as it is where nothing happens; `even`: any other fact is told true; `facts` says otherwise by name. `calm`,
    `wild`: shares of games in which nothing but facts is random, and in which orders and signals are four times as
    likely. `teams`, `settings`: four players form teams; a setting is chosen and not left as it is.
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
    facts: Mapping[str, float] = field(default_factory=dict)

    def __post_init__(self) -> None:
        named = {name: value for name, value in vars(self).items() if name != "facts"}
        for name, value in {**named, **self.facts}.items():
            if not 0 <= value <= 1:
                raise FsmError(f"weight {name!r} must be from 0 to 1, not {value!r}")
