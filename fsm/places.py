"""The places where a run of a Model waits: what is the same each time it waits there, computed once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from fsm.asking import facts_asked
from fsm.chains import Chain, Chains, chains_of
from fsm.model import Model, State


@dataclass(frozen=True, slots=True)
class Place:
    """One waiting state: `facts` are the game facts that its answer may have to tell, when no extra phase or
    step is about, and when one is. `chains` and `idle` are what follows each word."""

    state: State
    facts: tuple[tuple[str, ...], tuple[str, ...]]
    chains: Mapping[str, Chain]
    idle: Mapping[str, Chain]


@dataclass(slots=True)
class Places:
    """The places of one Model, by the states of turn and window."""

    model: Model
    chains: Chains
    found: dict[tuple[str, str], Place] = field(default_factory=dict)

    def at(self, state: str, frame: str) -> Place:
        """The place where the turn stands in `state`, and the window, if one is open, in `frame`."""
        place = self.found.get((state, frame))
        if place is None:
            place = self.found[state, frame] = self._make(state, frame)
        return place

    def _make(self, state: str, frame: str) -> Place:
        model, window = self.model, self.model.window
        waits = window.state(frame) if frame and window is not None else model.state(state)
        full, idle = (self.chains.window, self.chains.idle_window) if frame else (self.chains.turn, self.chains.idle_turn)
        facts = (facts_asked(model, state, waits, frame, detours=False), facts_asked(model, state, waits, frame, detours=True))
        return Place(
            waits,
            facts,
            {word: full[waits.id, word] for word in waits.words if (waits.id, word) in full},
            {word: idle[waits.id, word] for word in waits.words if (waits.id, word) in idle},
        )


def places_of(model: Model) -> Places:
    """The one set of places that all games of this model share."""
    return model.kept("places", lambda: Places(model, chains_of(model)))
