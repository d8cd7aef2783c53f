"""The calendar: when delayed triggers trigger and durations run out.

It is told each moment of the turn (something begins, ends, or is marked) and answers with the ids that are due,
and what it is from then on: a calendar is a value that never changes. It knows no steps: it compares words that
the model and the game give it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace

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


@quick
@dataclass(frozen=True, slots=True)
class Calendar:
    """Durations, delayed and standing triggers of one game, in the order they were made."""

    lasting: tuple[LastingEntry, ...] = ()
    delayed: tuple[DelayedEntry, ...] = ()
    standing: tuple[StandingEntry, ...] = ()

    @property
    def empty(self) -> bool:
        """Is there nothing to wait for?"""
        return not (self.lasting or self.delayed or self.standing)

    @property
    def pending(self) -> int:
        """How many durations and triggers are waited for."""
        return len(self.lasting) + len(self.delayed) + len(self.standing)

    def expire(self, moment: Moment, durations: Iterable[Duration]) -> Due:
        """Take out the durations that end at this moment; their ids, oldest first."""
        ending = {d.name: d for d in durations if d.moment == moment.kind and d.what in moment.names}
        gone = [e for e in self.lasting if e.until in ending and _over(e, ending[e.until], moment)]
        return self._forget(gone)

    def bind_turn(self, moment: Moment, durations: Iterable[Duration]) -> Calendar:
        """A turn begins: what waits for the next turn, or for the owner's, is bound to it."""
        next_turn = {d.name for d in durations if d.turn == "next"}
        lasting = tuple(
            replace(e, turn=moment.turn)
            if e.until in next_turn and not e.turn and e.side == moment.active and moment.is_in(e.within)
            else e
            for e in self.lasting
        )
        delayed = tuple(
            replace(e, turn=moment.turn) if not e.turn and _waits_for_turn(e, moment) else e for e in self.delayed
        )
        return replace(self, lasting=lasting, delayed=delayed)

    def close_turn(self, turn: int, coming: Collection[str] = ()) -> Due:
        """A turn is over: what was bound to it and did not come is lost, or over.

        So is what waits for a label, unless a turn with this label is to come: `coming` are the labels of those.
        """
        kept: Calendar = replace(
            self, delayed=tuple(e for e in self.delayed if e.turn != turn and e.within in ("", *coming))
        )
        return kept._forget([e for e in self.lasting if e.turn == turn or e.within not in ("", *coming)])

    def miss_turn(self, side: str, durations: Iterable[Duration]) -> Due:
        """The turn of a side that left would have begun now: what lasted until then is over."""
        yours = {d.name for d in durations if d.whose == "yours"}
        return self._forget([e for e in self.lasting if e.side == side and e.until in yours])

    def withdraw(self, id: str) -> Calendar:
        """End the durations and triggers with this id."""
        return Calendar(
            tuple(e for e in self.lasting if e.id != id),
            tuple(e for e in self.delayed if e.id != id),
            tuple(e for e in self.standing if e.id != id),
        )

    def trigger(self, moment: Moment, *, earlier: Collection[str] = (), made_before: bool = False) -> Due:
        """What triggers as this step begins. `earlier` are names of what began before it this turn.

        `made_before`: not what was made in such a step this turn.
        """
        due = [e for e in self.delayed if e.step in moment.names and _waits_for(e, moment)]
        if made_before:
            due = [e for e in due if not (e.made == moment.turn and e.made_in in moment.names)]
        kept = replace(self, delayed=tuple(e for e in self.delayed if e not in due))
        ringing = [e for e in self.standing if e.step in moment.names and not (e.first_each_turn and e.step in earlier)]
        return kept, tuple(e.id for e in due) + tuple(e.id for e in ringing if e.whose in ("each", moment.active))

    def _forget(self, gone: Sequence[LastingEntry]) -> Due:
        return replace(self, lasting=tuple(e for e in self.lasting if e not in gone)), tuple(e.id for e in gone)


Due = tuple[Calendar, tuple[str, ...]]
"""What the calendar is from now on, and the ids that were due."""
NO_ENTRIES = Calendar()


def _over(entry: LastingEntry, duration: Duration, moment: Moment) -> bool:
    if (duration.whose == "yours" and entry.side != moment.active) or not moment.is_in(entry.within):
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
    return entry.on == "your_next_turn" and entry.side == moment.active and moment.is_in(entry.within)
