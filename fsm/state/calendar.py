"""The calendar: when delayed triggers trigger and durations run out.

It is told each moment of the turn (something begins, ends, or is marked) and answers with the ids
that are due, and what it is from then on: a calendar is a value that never changes. It knows no
steps: it compares words that the model and the game give it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, replace
from typing import TypeVar

from fsm.compiled.quickinit import quick
from fsm.model import Duration


@quick
@dataclass(frozen=True, slots=True)
class LastingEntry:
    """An effect that lasts `until`; `turn` is the owner's turn it is bound to, 0 when not bound.

    With `within`, it ends only in a turn, phase or step with this label.
    """

    id: str
    side: str
    until: str
    made: int
    turn: int = 0
    within: str = ""


@quick
@dataclass(frozen=True, slots=True)
class DelayedEntry:
    """A trigger that waits for a step. `made`, `made_in`: turn and step in which it was made.

    With `within`, it waits for one in a turn, phase or step with this label.
    """

    id: str
    side: str
    step: str
    on: str
    made: int
    made_in: str = ""
    turn: int = 0
    within: str = ""


@quick
@dataclass(frozen=True, slots=True)
class StandingEntry:
    """An ability that triggers as such a step begins, each time or only the first time each turn."""

    id: str
    step: str
    whose: str
    first_each_turn: bool


@quick
@dataclass(frozen=True, slots=True)
class Moment:
    """One moment of the turn: `kind` "begin", "end" or "mark", of `names` (name and family).

    `labels`: those of the turn, phases and steps that it is in, or that it ends.
    """

    kind: str
    names: tuple[str, ...]
    active: str
    turn: int
    labels: tuple[str, ...] = ()

    def is_in(self, within: str) -> bool:
        """Is the moment in a turn, phase or step with this label? Every moment is in ""."""
        return not within or within in self.labels


Entry = LastingEntry | DelayedEntry | StandingEntry


_E = TypeVar("_E", LastingEntry, DelayedEntry, StandingEntry)


@dataclass(frozen=True, slots=True)
class Calendar:
    """Durations, delayed and standing triggers of one game, in the order they were made."""

    lasting: tuple[LastingEntry, ...] = ()
    delayed: tuple[DelayedEntry, ...] = ()
    standing: tuple[StandingEntry, ...] = ()

    @property
    def pending(self) -> int:
        """How many durations and triggers are waited for."""
        return len(self.lasting) + len(self.delayed) + len(self.standing)

    @property
    def empty(self) -> bool:
        """Is there nothing to wait for?"""
        return not (self.lasting or self.delayed or self.standing)

    @property
    def limited(self) -> bool:
        """Does some standing trigger trigger only the first time each turn?"""
        return any(entry.first_each_turn for entry in self.standing)

    def plus(self, entry: Entry) -> Calendar:
        """Add an entry, the newest of all."""
        if isinstance(entry, LastingEntry):
            return replace(self, lasting=(*self.lasting, entry))
        if isinstance(entry, DelayedEntry):
            return replace(self, delayed=(*self.delayed, entry))
        return replace(self, standing=(*self.standing, entry))

    def expire(self, moment: Moment, durations: Iterable[Duration]) -> Due:
        """Take out the durations that end at this moment; their ids, oldest first."""
        ending = {
            d.name: d for d in durations if d.moment == moment.kind and d.what in moment.names
        }
        return self._forget(lambda e: e.until in ending and _over(e, ending[e.until], moment))

    def bind_turn(self, moment: Moment, durations: Iterable[Duration]) -> Calendar:
        """A turn begins: what waits for the next turn, or for the owner's, is bound to it."""
        next_turn = {d.name for d in durations if d.turn == "next"}

        def lasts(entry: LastingEntry) -> bool:
            mine = entry.side == moment.active and moment.is_in(entry.within)
            return mine and entry.until in next_turn and not entry.turn

        def waits(entry: DelayedEntry) -> bool:
            return not entry.turn and _waits_for_turn(entry, moment)

        if not (any(map(lasts, self.lasting)) or any(map(waits, self.delayed))):
            return self
        turn = moment.turn
        return Calendar(
            tuple(replace(e, turn=turn) if lasts(e) else e for e in self.lasting),
            tuple(replace(e, turn=turn) if waits(e) else e for e in self.delayed),
            self.standing,
        )

    def close_turn(self, turn: int, coming: Collection[str] = ()) -> Due:
        """A turn is over: what was bound to it and did not come is lost, or over.

        So is what waits for a label, unless a turn with this label is to come: `coming` are the
        labels of those.
        """

        def gone(entry: LastingEntry | DelayedEntry) -> bool:
            return entry.turn == turn or entry.within not in ("", *coming)

        kept, _ = self._lose(gone)
        return Calendar._forget(kept, gone)

    def miss_turn(self, side: str, durations: Iterable[Duration]) -> Due:
        """The turn of a side that left would have begun now: what lasted until then is over."""
        yours = {d.name for d in durations if d.whose == "yours"}
        return self._forget(lambda entry: entry.until in yours and entry.side == side)

    def withdraw(self, id: str) -> Calendar:
        """End the durations and triggers with this id."""

        def others(entries: tuple[_E, ...]) -> tuple[_E, ...]:
            return tuple(entry for entry in entries if entry.id != id)

        return Calendar(others(self.lasting), others(self.delayed), others(self.standing))

    def trigger(self, moment: Moment, *, earlier: Collection[str] = ()) -> Due:
        """What triggers as this step begins. `earlier` are names of what began before it this turn."""
        kept, triggered = self._lose(
            lambda entry: entry.step in moment.names and _waits_for(entry, moment)
        )
        ringing = [
            entry.id
            for entry in self.standing
            if entry.step in moment.names
            and entry.whose in ("each", moment.active)
            and not (entry.first_each_turn and entry.step in earlier)
        ]
        return kept, (*triggered, *ringing)

    def _forget(self, gone: Callable[[LastingEntry], bool]) -> Due:
        """Take out durations; their ids, oldest first."""
        ids = tuple(entry.id for entry in self.lasting if gone(entry))
        if not ids:
            return self, ()
        return replace(self, lasting=tuple(e for e in self.lasting if not gone(e))), ids

    def _lose(self, gone: Callable[[DelayedEntry], bool]) -> Due:
        """Take out delayed triggers; their ids, oldest first."""
        ids = tuple(entry.id for entry in self.delayed if gone(entry))
        if not ids:
            return self, ()
        return replace(self, delayed=tuple(e for e in self.delayed if not gone(e))), ids


Due = tuple[Calendar, tuple[str, ...]]
"""What the calendar is from now on, and the ids that were due."""
NO_ENTRIES = Calendar()


def _over(entry: LastingEntry, duration: Duration, moment: Moment) -> bool:
    if (duration.whose == "yours" and entry.side != moment.active) or not moment.is_in(
        entry.within
    ):
        return False
    return duration.turn == "any" or entry.turn == moment.turn


def _waits_for(entry: DelayedEntry, moment: Moment) -> bool:
    if not moment.is_in(entry.within):
        return False
    if entry.on == "your_next":
        return entry.side == moment.active
    return entry.on == "next" or entry.turn == moment.turn


def _waits_for_turn(entry: DelayedEntry, moment: Moment) -> bool:
    """Is the turn that begins the one in which the entry may trigger?"""
    if entry.on == "next_turn":
        return True
    return (
        entry.on == "your_next_turn" and entry.side == moment.active and moment.is_in(entry.within)
    )
