"""The places where a run of a Model waits: what is the same each time it waits there, computed once."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from threading import Lock
from types import MappingProxyType
from typing import TYPE_CHECKING

from fsm.engine.answers import game_facts, latched_facts, latches
from fsm.engine.requesting import facts_asked
from fsm.engine.requests import Answer
from fsm.model import Model, State

if TYPE_CHECKING:
    from fsm.engine.generated import Chain, Chains

ODD = 255
"""A place remembers so many plain answers, each by a number that fits a byte; this byte is for any other."""
_NUMBERING = Lock()


@dataclass(frozen=True, slots=True)
class Reply:
    """A plain answer, one in the ordinary course: `answer` is our own copy of it, `chain` and `idle` what follows.

    `latches` are the facts it tells that stay true. `sure`: with nothing scheduled, nothing can go wrong after it.
    `code` is its number in its place, or ODD.
    """

    answer: Answer
    chain: Chain
    idle: Chain
    latches: frozenset[str]
    sure: bool
    code: int


@dataclass(frozen=True, slots=True)
class Place:
    """One waiting state: `facts` are the game facts that its answer may have to tell, when no extra phase or
    step is about, and when one is. `chains` and `idle` are what follows each word. `replies` are the plain
    answers given here so far; `numbered` are they in order.
    """

    state: State
    facts: tuple[tuple[str, ...], tuple[str, ...]]
    chains: Mapping[str, Chain]
    idle: Mapping[str, Chain]
    known: frozenset[str]
    latched: frozenset[str]
    sure: bool
    replies: dict[tuple[object, ...], Reply] = field(default_factory=dict)
    numbered: list[Reply] = field(default_factory=list)

    def reply(self, answer: Answer) -> Reply | None:
        """The answer, if it is a plain one that certainly fits; None when it has to be looked at closely."""
        if answer.__class__ is not Answer or answer.signal is not None or answer.orders:
            return None
        facts = answer.facts
        try:
            found = self.replies.get((answer.word, *facts.items()))
        except (TypeError, AttributeError):
            return None
        if found is None:
            return self._new(answer) if self._fits(answer) else None
        values: Iterable[object] = facts.values()
        for value in values:  # 1 is found as True
            if value.__class__ is not bool:
                return None
        return found

    def _fits(self, answer: Answer) -> bool:
        facts = answer.facts
        return (
            facts.__class__ in (dict, MappingProxyType)
            and answer.word in self.chains
            and self.known.issuperset(facts)
            and all(value.__class__ is bool for value in facts.values())
            and all(name in facts for name in self.state.tells)
        )

    def _new(self, answer: Answer) -> Reply:
        facts = dict(answer.facts)
        with _NUMBERING:
            number = len(self.numbered)
            reply = Reply(
                Answer(answer.word, facts),
                self.chains[answer.word],
                self.idle[answer.word],
                latches(facts, self.latched),
                self.sure and facts.keys() >= set(self.facts[0]),
                min(number, ODD),
            )
            if number < ODD:
                self.numbered.append(reply)
                self.replies[answer.word, *facts.items()] = reply
        return reply


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
            place = self.found.setdefault((state, frame), self._make(state, frame))
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
            frozenset(game_facts(model)),
            self.latched,
            self.chains.sure,
        )


def wait_points_of(model: Model) -> Places:
    """The one set of places that all games of this model share."""
    return model.kept("places", lambda: _make(model))


def _make(model: Model) -> Places:
    from fsm.engine.generated import generated_code_of  # once for each model: who starts no game can do without

    return Places(model, generated_code_of(model), latched_facts(model))
