"""The calendar: when delayed triggers trigger and durations run out.

It is told each moment of the turn (something begins, ends, or is marked) and answers with the ids
that are due, and what it is from then on: a calendar is a value that never changes. It knows no
steps: it compares words that the model and the game give it.

The entries are filed by what they wait for, so that a moment costs nothing for entries that wait
for another one. The tuples of all entries are made when they are asked for.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, ClassVar

from fsm.compiled.quickinit import quick
from fsm.model import Duration
from fsm.state.cabinet import Cabinet, Key, Place


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

    @property
    def place(self) -> Place:
        """Where it is filed."""
        return self.until, Key(self.side, self.within, self.turn)


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

    @property
    def place(self) -> Place:
        """Where it is filed."""
        return self.step, Key(self.side, self.within, self.turn, self.on)


@quick
@dataclass(frozen=True, slots=True)
class StandingEntry:
    """An ability that triggers as such a step begins, each time or only the first time each turn."""

    id: str
    step: str
    whose: str
    first_each_turn: bool

    @property
    def place(self) -> Place:
        """Where it is filed."""
        return self.step, Key(self.whose, first_each_turn=self.first_each_turn)


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


@dataclass(frozen=True, init=False)
class Calendar:
    """Durations, delayed and standing triggers of one game, in the order they were made."""

    lasting: tuple[LastingEntry, ...] = field(default_factory=tuple)
    delayed: tuple[DelayedEntry, ...] = field(default_factory=tuple)
    standing: tuple[StandingEntry, ...] = field(default_factory=tuple)

    def __init__(
        self,
        lasting: Iterable[LastingEntry] = (),
        delayed: Iterable[DelayedEntry] = (),
        standing: Iterable[StandingEntry] = (),
    ) -> None:
        some, more, others = tuple(lasting), tuple(delayed), tuple(standing)
        pending = len(some) + len(more) + len(others)
        filed = (
            Cabinet.of(enumerate(some)),
            Cabinet.of(enumerate(more)),
            Cabinet.of(enumerate(others)),
        )
        self.__dict__.update(
            _lasting=filed[0], _delayed=filed[1], _standing=filed[2], pending=pending, _made=pending
        )

    if TYPE_CHECKING:
        pending: ClassVar[int]
        """How many durations and triggers are waited for."""
        _lasting: ClassVar[Cabinet[LastingEntry]]
        _delayed: ClassVar[Cabinet[DelayedEntry]]
        _standing: ClassVar[Cabinet[StandingEntry]]
        _made: ClassVar[int]
    else:

        def __getattr__(self, name: str) -> object:
            """Make the tuple of entries that is asked for."""
            if name not in ("lasting", "delayed", "standing"):
                raise AttributeError(f"a Calendar has no {name!r}")
            found = self.__dict__[name] = self.__dict__[f"_{name}"].entries()
            return found

    def _with(self, more: int, **filed: object) -> Calendar:
        """Return this calendar with so many more entries, or fewer, which are filed like this."""
        old, new = self.__dict__, object.__new__(Calendar)
        same = {name: old[name] for name in ("_lasting", "_delayed", "_standing")}
        new.__dict__.update(
            same, **filed, pending=self.pending + more, _made=self._made + max(more, 0)
        )
        return new

    @property
    def empty(self) -> bool:
        """Is there nothing to wait for?"""
        return not self.pending

    @property
    def limited(self) -> bool:
        """Does some standing trigger trigger only the first time each turn?"""
        return bool(self._standing.places(lambda _, key: key.first_each_turn))

    def plus(self, entry: Entry) -> Calendar:
        """Add an entry, the newest of all."""
        if isinstance(entry, LastingEntry):
            return self._with(1, _lasting=self._lasting.plus(self._made, entry))
        if isinstance(entry, DelayedEntry):
            return self._with(1, _delayed=self._delayed.plus(self._made, entry))
        return self._with(1, _standing=self._standing.plus(self._made, entry))

    def expire(self, moment: Moment, durations: Iterable[Duration]) -> Due:
        """Take out the durations that end at this moment; their ids, oldest first."""
        ending = (d for d in durations if d.moment == moment.kind and d.what in moment.names)
        return self._forget(
            [
                (d.name, key)
                for d in ending
                for key in self._lasting.keys(d.name)
                if _over(key, d, moment)
            ]
        )

    def bind_turn(self, moment: Moment, durations: Iterable[Duration]) -> Calendar:
        """A turn begins: what waits for the next turn, or for the owner's, is bound to it."""
        next_turn = {d.name for d in durations if d.turn == "next"}
        lasting = self._lasting.places(
            lambda until, key: (
                until in next_turn
                and not key.turn
                and key.side == moment.active
                and moment.is_in(key.within)
            )
        )
        delayed = self._delayed.places(lambda _, key: not key.turn and _waits_for_turn(key, moment))
        if not (lasting or delayed):
            return self
        return self._with(
            0,
            _lasting=self._lasting.moved(lasting, lambda entry: replace(entry, turn=moment.turn)),
            _delayed=self._delayed.moved(delayed, lambda entry: replace(entry, turn=moment.turn)),
        )

    def close_turn(self, turn: int, coming: Collection[str] = ()) -> Due:
        """A turn is over: what was bound to it and did not come is lost, or over.

        So is what waits for a label, unless a turn with this label is to come: `coming` are the
        labels of those.
        """

        def gone(_: str, key: Key) -> bool:
            return key.turn == turn or key.within not in ("", *coming)

        lost, _ = self._lose(self._delayed.places(gone))
        return Calendar._forget(lost, self._lasting.places(gone))

    def miss_turn(self, side: str, durations: Iterable[Duration]) -> Due:
        """The turn of a side that left would have begun now: what lasted until then is over."""
        yours = {d.name for d in durations if d.whose == "yours"}
        return self._forget(
            self._lasting.places(lambda until, key: until in yours and key.side == side)
        )

    def withdraw(self, id: str) -> Calendar:
        """End the durations and triggers with this id."""
        lasting, some = self._lasting.without(id)
        delayed, more = self._delayed.without(id)
        standing, others = self._standing.without(id)
        return self._with(
            -some - more - others, _lasting=lasting, _delayed=delayed, _standing=standing
        )

    def trigger(self, moment: Moment, *, earlier: Collection[str] = ()) -> Due:
        """What triggers as this step begins. `earlier` are names of what began before it this turn."""
        names = dict.fromkeys(moment.names)
        due = [
            (step, key)
            for step in names
            for key in self._delayed.keys(step)
            if _waits_for(key, moment)
        ]
        kept, triggered = self._lose(due)
        ringing = [
            (step, key)
            for step in names
            for key in self._standing.keys(step)
            if key.side in ("each", moment.active) and not (key.first_each_turn and step in earlier)
        ]
        return kept, triggered + tuple([entry.id for _, entry in self._standing.pairs(ringing)])

    def _forget(self, gone: Sequence[Place]) -> Due:
        """Take out durations; their ids, oldest first."""
        if not gone:
            return self, ()
        ids = tuple([entry.id for _, entry in self._lasting.pairs(gone)])
        return self._with(-len(ids), _lasting=self._lasting.less(gone)), ids

    def _lose(self, gone: Sequence[Place]) -> Due:
        """Take out delayed triggers; their ids, oldest first."""
        if not gone:
            return self, ()
        ids = tuple([entry.id for _, entry in self._delayed.pairs(gone)])
        return self._with(-len(ids), _delayed=self._delayed.less(gone)), ids


Due = tuple[Calendar, tuple[str, ...]]
"""What the calendar is from now on, and the ids that were due."""
NO_ENTRIES = Calendar()


def _over(entry: Key, duration: Duration, moment: Moment) -> bool:
    if (duration.whose == "yours" and entry.side != moment.active) or not moment.is_in(
        entry.within
    ):
        return False
    return duration.turn == "any" or entry.turn == moment.turn


def _waits_for(entry: Key, moment: Moment) -> bool:
    if not moment.is_in(entry.within):
        return False
    if entry.on == "your_next":
        return entry.side == moment.active
    return entry.on == "next" or entry.turn == moment.turn


def _waits_for_turn(entry: Key, moment: Moment) -> bool:
    """Is the turn that begins the one in which the entry may trigger?"""
    if entry.on == "next_turn":
        return True
    return (
        entry.on == "your_next_turn" and entry.side == moment.active and moment.is_in(entry.within)
    )
