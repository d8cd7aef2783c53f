"""The calendar: when delayed triggers trigger and durations run out.

Nothing in a turn depends on it: it only listens. So it is kept beside the run, is told the moments
of the turn when an answer has been processed, and says what has expired and triggered. A turn with
effects costs hardly more than one without.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from fsm.model import Duration
from fsm.state.orders import WITHDRAWN, DelayedTrigger, Effect, Result, StandingTrigger, why_missed

EVERYBODY = -1
Ids = tuple[str, ...]
Durations: TypeAlias = Mapping[str, Duration]


class Moment(Struct, frozen=True):
    """One moment of the turn.

    Attributes
    ----------
    kind
        "begin" or "end" of what has these names, "mark" (the name of a moment of the rules),
        "trigger" (a step has begun in the ordinary way), "over" (the turn), or "missed" (the turn
        of a side that left).
    names
        The name and the family of what begins or ends, or the name of the mark.
    side
        The active side.
    labels
        The labels of the turn, the phases and the steps that it is in. For "over", those of turns
        that are still to come.
    earlier
        For "trigger", the names of the steps that began before it in this turn.
    """

    kind: str
    names: Ids
    side: int
    labels: Ids
    earlier: frozenset[str] = frozenset()


class Lasting(Struct, frozen=True, omit_defaults=True):
    """An effect that lasts. If it is bound, it ends in the turn under way, or with it."""

    order: Effect
    side: int
    bound: bool = False


class Delayed(Struct, frozen=True, omit_defaults=True):
    """A trigger that waits. If it is bound, it waits for a step of the turn under way."""

    order: DelayedTrigger
    side: int
    step: str
    bound: bool = False


class Standing(Struct, frozen=True, omit_defaults=True):
    """A trigger that stands, in the turns of a side, or of EVERYBODY."""

    order: StandingTrigger
    side: int
    step: str


Waiting: TypeAlias = Lasting | Delayed | Standing


class News(NamedTuple):
    """What has expired and triggered, and what became of delayed triggers."""

    expired: list[str]
    triggered: list[str]
    results: list[Result]


class Calendar(Struct, frozen=True, omit_defaults=True):
    """Durations, delayed and standing triggers of one game, in the order of their orders."""

    effects: tuple[Lasting, ...] = ()
    delayed: tuple[Delayed, ...] = ()
    standing: tuple[Standing, ...] = ()

    def __len__(self) -> int:
        return len(self.effects) + len(self.delayed) + len(self.standing)

    def plus(self, entries: Sequence[Waiting]) -> Calendar:
        """Return the calendar with more entries."""
        effects = list(self.effects)
        delayed = list(self.delayed)
        standing = list(self.standing)
        for entry in entries:
            match entry:
                case Lasting():
                    effects.append(entry)
                case Delayed():
                    delayed.append(entry)
                case Standing():
                    standing.append(entry)
        return Calendar(tuple(effects), tuple(delayed), tuple(standing))

    def without(self, id: str) -> tuple[Calendar, list[Result]]:
        """Return the calendar without what has this id, and what became of delayed triggers."""
        gone = [entry.order for entry in self.delayed if entry.order.id == id]
        kept = Calendar(
            tuple(entry for entry in self.effects if entry.order.id != id),
            tuple(entry for entry in self.delayed if entry.order.id != id),
            tuple(entry for entry in self.standing if entry.order.id != id),
        )
        return kept, [Result(order, "nothing", WITHDRAWN) for order in gone]

    def after(self, moments: Iterable[Moment], durations: Durations) -> tuple[Calendar, News]:
        """Return the calendar after these moments, and what has happened in it."""
        calendar, news = self, News([], [], [])
        for moment in moments:
            if moment.kind == "trigger":
                calendar = _triggered(calendar, moment, news)
                continue
            if moment.kind == "begin" and moment.names == ("turn",):
                calendar = _bound(calendar, moment, durations)
            calendar = _expired(calendar, moment, durations, news)
            if moment.kind == "over":
                calendar = _lost(calendar, moment, news)
        return calendar, news


NO_ENTRIES = Calendar()


# a turn begins -----------------------------------------------------------------------------------


def _bound(calendar: Calendar, moment: Moment, durations: Durations) -> Calendar:
    """Bind what waits for the next turn, or for the next one of its player, to the turn."""

    effects, delayed = list[Lasting](), list[Delayed]()
    for effect in calendar.effects:
        next_turn = durations[effect.order.until].turn == "next"
        bound = next_turn and _is_of(effect, moment)
        effects.append(replace(effect, bound=True) if bound else effect)
    for entry in calendar.delayed:
        on = entry.order.on
        bound = on == "next_turn" or (on == "your_next_turn" and _is_of(entry, moment))
        delayed.append(replace(entry, bound=True) if bound else entry)
    return replace(calendar, effects=tuple(effects), delayed=tuple(delayed))


def _is_of(entry: Lasting | Delayed, moment: Moment) -> bool:
    """Say whether this is about the turn of its player, and one with its label."""
    return entry.side == moment.side and _is_within(entry, moment)


def _is_within(entry: Lasting | Delayed, moment: Moment) -> bool:
    return entry.order.within in ("", *moment.labels)


# durations ---------------------------------------------------------------------------------------


def _expired(calendar: Calendar, moment: Moment, durations: Durations, news: News) -> Calendar:
    """End the effects whose durations run out at this moment."""
    kept = list[Lasting]()
    for effect in calendar.effects:
        if _is_over(effect, durations[effect.order.until], moment):
            news.expired.append(effect.order.id)
        else:
            kept.append(effect)
    if len(kept) == len(calendar.effects):
        return calendar
    return replace(calendar, effects=tuple(kept))


def _is_over(effect: Lasting, duration: Duration, moment: Moment) -> bool:
    if moment.kind == "over":
        return effect.bound or not _is_within(effect, moment)
    if moment.kind == "missed":
        return duration.whose == "yours" and effect.side == moment.side
    if duration.moment != moment.kind or duration.what not in moment.names:
        return False
    if duration.whose != "any" and effect.side != moment.side:
        return False
    if duration.turn != "any" and not effect.bound:
        return False
    return _is_within(effect, moment)


def _lost(calendar: Calendar, moment: Moment, news: News) -> Calendar:
    """Lose the triggers that waited for the turn that is over."""
    delayed = list[Delayed]()
    for entry in calendar.delayed:
        if not entry.bound and _is_within(entry, moment):
            delayed.append(entry)
        else:
            why = why_missed(entry.step, entry.order.within)
            news.results.append(Result(entry.order, "nothing", why))
    return replace(calendar, delayed=tuple(delayed))


# triggers ----------------------------------------------------------------------------------------


def _triggered(calendar: Calendar, moment: Moment, news: News) -> Calendar:
    """Let trigger what waits for this step, then what stands."""
    delayed = list[Delayed]()
    for entry in calendar.delayed:
        if entry.step in moment.names and _is_due(entry, moment):
            news.triggered.append(entry.order.id)
            news.results.append(Result(entry.order, "done"))
        else:
            delayed.append(entry)
    for standing in calendar.standing:
        if standing.step in moment.names and _rings(standing, moment):
            news.triggered.append(standing.order.id)
    if len(delayed) == len(calendar.delayed):
        return calendar
    return replace(calendar, delayed=tuple(delayed))


def _is_due(entry: Delayed, moment: Moment) -> bool:
    on = entry.order.on
    if on == "your_next" and entry.side != moment.side:
        return False
    if on in ("your_next_turn", "next_turn") and not entry.bound:
        return False
    return _is_within(entry, moment)


def _rings(entry: Standing, moment: Moment) -> bool:
    if entry.order.first_each_turn and entry.step in moment.earlier:
        return False
    return entry.side in (EVERYBODY, moment.side)
