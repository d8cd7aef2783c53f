"""Wait points: the states in which a run waits for an answer. What is the same on each visit is
computed once.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from threading import Lock
from types import MappingProxyType
from typing import TYPE_CHECKING

from fsm.engine.answers import game_facts, latched_facts, latches
from fsm.engine.requesting import facts_asked
from fsm.engine.requests import Answer, FactNames
from fsm.model import Model, State
from fsm.model.model import per_model

if TYPE_CHECKING:
    from fsm.engine.generated import GeneratedCode, GeneratedFunction

ODD = 255
"""The byte for an answer without a number. A wait point numbers at most this many plain answers,
each by one byte.
"""
_NUMBERING = Lock()


@dataclass(frozen=True, slots=True)
class Reply:
    """A plain answer: one without orders and without a signal.

    Attributes
    ----------
    answer
        A copy of the answer that nobody else can change.
    function, idle
        The generated function for it: for any run, and for a run that has nothing scheduled.
    latches
        The facts of the answer that stay true.
    sure
        Whether nothing can go wrong after it, if nothing is scheduled.
    code
        Its number at this wait point, or ODD.
    """

    answer: Answer
    function: GeneratedFunction
    idle: GeneratedFunction
    latches: frozenset[str]
    sure: bool
    code: int


class FactsAsked(dict[bool, FactNames]):
    """The game facts that an answer may have to report: ordinarily, and with phases or steps added
    or skipped.

    They are found when they are first asked for, by whether phases or steps are added or skipped.
    """

    def __init__(self, model: Model, state: str, waits: State, frame: str) -> None:
        super().__init__()
        self._where = model, state, waits, frame

    def __missing__(self, busy: bool) -> FactNames:
        model, state, waits, frame = self._where
        asked = facts_asked(model, state, waits, frame, busy=busy)
        return self.setdefault(busy, FactNames(asked, waits.tells, game_facts(model)))


@dataclass(frozen=True, slots=True)
class WaitPoint:
    """One wait point.

    Attributes
    ----------
    state
        The state of the turn or window.
    facts
        The game facts that an answer may have to report.
    functions, idle
        The generated function for each word: for any run, and for a run that has nothing scheduled.
    known
        The names of all game facts.
    latched
        The names of the facts that stay true.
    sure
        As in `GeneratedCode`.
    replies
        The plain answers that were given here so far.
    numbered
        The same in the order of their numbers.
    """

    state: State
    facts: FactsAsked
    functions: Mapping[str, GeneratedFunction]
    idle: Mapping[str, GeneratedFunction]
    known: frozenset[str]
    latched: frozenset[str]
    sure: bool
    replies: dict[tuple[object, ...], Reply] = field(default_factory=dict)
    numbered: list[Reply] = field(default_factory=list)

    def reply(self, answer: Answer) -> Reply | None:
        """Return the Reply for a plain answer that certainly fits, or None if the answer needs a
        full check.
        """
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
        for value in values:  # the key with 1 equals the key with True
            if value.__class__ is not bool:
                return None
        return found

    def _fits(self, answer: Answer) -> bool:
        facts = answer.facts
        return (
            facts.__class__ in (dict, MappingProxyType)
            and answer.word in self.functions
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
                self.functions[answer.word],
                self.idle[answer.word],
                latches(facts, self.latched),
                self.sure and facts.keys() >= set(self.facts[False]),
                min(number, ODD),
            )
            if number < ODD:
                self.numbered.append(reply)
                self.replies[answer.word, *facts.items()] = reply
        return reply


@dataclass(slots=True)
class WaitPoints:
    """The wait points of one Model, by the states of turn and window."""

    model: Model
    code: GeneratedCode
    known: frozenset[str]
    latched: frozenset[str]
    found: dict[tuple[str, str], WaitPoint] = field(default_factory=dict)

    def at(self, state: str, frame: str) -> WaitPoint:
        """Return the wait point where the turn is in `state` and the window, if one is open, in
        `frame`.
        """
        place = self.found.get((state, frame))
        if place is None:
            place = self.found.setdefault((state, frame), self._make(state, frame))
        return place

    def _make(self, state: str, frame: str) -> WaitPoint:
        model, window = self.model, self.model.window
        waits = window.state(frame) if frame and window is not None else model.state(state)
        code = self.code
        machine, idle = ("window", code.idle_window) if frame else ("turn", code.idle_turn)
        return WaitPoint(
            waits,
            FactsAsked(model, state, waits, frame),
            {
                word: code.function(machine, waits.id, word)
                for word in waits.words
                if (waits.id, word) in idle
            },
            {word: idle[waits.id, word] for word in waits.words if (waits.id, word) in idle},
            self.known,
            self.latched,
            self.code.sure,
        )


@per_model
def wait_points_of(model: Model) -> WaitPoints:
    """Return the wait points that all games of this model share."""
    from fsm.engine.generated import (
        generated_code_of,
    )  # late: only a program that starts a game needs it

    return WaitPoints(
        model, generated_code_of(model), frozenset(game_facts(model)), latched_facts(model)
    )
