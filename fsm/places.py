"""The places where a run of a Model waits: what is the same each time it waits there, computed once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from fsm.answers import game_facts, latched_facts
from fsm.asking import facts_asked
from fsm.chains import Chain, Chains, chains_of
from fsm.model import Model, State
from fsm.requests import Answer


@dataclass(frozen=True, slots=True)
class Place:
    """One waiting state: `facts` are the game facts that its answer may have to tell, when no extra phase or
    step is about, and when one is. `chains` and `idle` are what follows each word. `sure`: with nothing scheduled
    and all of `needs` told, nothing can go wrong.
    """

    state: State
    facts: tuple[tuple[str, ...], tuple[str, ...]]
    chains: Mapping[str, Chain]
    idle: Mapping[str, Chain]
    tells: tuple[str, ...]
    known: frozenset[str]
    needs: frozenset[str]
    sure: bool

    def plain(self, answer: Answer) -> bool:
        """Is this an answer in the ordinary course, which certainly fits? Else it has to be looked at closely."""
        if answer.__class__ is not Answer or answer.signal is not None or answer.orders:
            return False
        if answer.word not in self.chains:
            return False
        facts = answer.facts
        if facts:
            if facts.__class__ is not dict or not self.known.issuperset(facts):
                return False
            for value in facts.values():
                if value is not True and value is not False:
                    return False
        return not self.tells or all(name in facts for name in self.tells)


@dataclass(slots=True)
class Places:
    """The places of one Model, by the states of turn and window."""

    model: Model
    chains: Chains
    latched: frozenset[str]
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
        chains = self.chains
        full, idle = (chains.window, chains.idle_window) if frame else (chains.turn, chains.idle_turn)
        quiet, busy = (facts_asked(model, state, waits, frame, detours=detours) for detours in (False, True))
        return Place(
            waits,
            (quiet, busy),
            {word: full[waits.id, word] for word in waits.words if (waits.id, word) in full},
            {word: idle[waits.id, word] for word in waits.words if (waits.id, word) in idle},
            waits.tells,
            frozenset(game_facts(model)),
            frozenset(quiet),
            self.chains.sure,
        )


def places_of(model: Model) -> Places:
    """The one set of places that all games of this model share."""
    return model.kept("places", lambda: Places(model, chains_of(model), latched_facts(model)))
