"""The calendar: when delayed triggers trigger and durations run out.

Nothing in a turn depends on it: it only listens. So it is kept beside the run, is told the moments
of the turn when an answer has been processed, and says what has expired and triggered. A turn with
effects costs hardly more than one without.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from fsm.state.orders import LEFT, DelayedTrigger, Effect, Result, StandingTrigger, ended

EVERYBODY = -1
Ids = tuple[str, ...]


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


class Listener(Struct, frozen=True, omit_defaults=True):
    """A duration or a trigger, which listens to moments.

    Attributes
    ----------
    order
        The order that made it.
    moment, what
        The kind of moment at which it is due, and a name that this moment has.
    side
        The side in whose turns it is due, or EVERYBODY.
    next_turn
        Whether it is due only in the next turn of that side, or of anybody.
    bound
        Whether that turn is under way.
    waits
        What a delayed trigger waits for, in words.
    """

    order: Effect | DelayedTrigger | StandingTrigger
    moment: str
    what: str
    side: int = EVERYBODY
    next_turn: bool = False
    bound: bool = False
    waits: str = ""


Calendar: TypeAlias = tuple[Listener, ...]
"""The durations and triggers of one game, in the order of their orders."""
NO_ENTRIES: Calendar = ()


class News(NamedTuple):
    """What has expired and triggered, and what became of delayed triggers."""

    expired: list[str]
    triggered: list[str]
    results: list[Result]


def advanced(calendar: Calendar, moments: Iterable[Moment]) -> tuple[Calendar, News]:
    """Return the calendar after these moments, and what has happened in it."""
    news = News([], [], [])
    for moment in moments:
        if moment.kind == "trigger":  # what waits for it triggers before what stands
            calendar = tuple(sorted(calendar, key=lambda e: isinstance(e.order, StandingTrigger)))
        begins = moment.kind == "begin" and moment.names == ("turn",)
        kept = list[Listener]()
        for entry in calendar:
            if begins and entry.next_turn:
                entry = _bound(entry, moment)
            if not _goes(entry, moment, news):
                kept.append(entry)
        calendar = tuple(kept)
    return calendar, news


def _goes(entry: Listener, moment: Moment, news: News) -> bool:
    """Tell an entry a moment, and note what that means. Say whether it has ended."""
    order = entry.order
    due = _is_due(entry, moment)
    why = _why_over(entry, moment)
    if not due and not why:
        return False
    if isinstance(order, Effect):
        news.expired.append(order.id)
    elif due:
        news.triggered.append(order.id)
    if isinstance(order, DelayedTrigger):
        news.results.append(Result(order, "done") if due else Result(order, "nothing", why))
    return not (due and isinstance(order, StandingTrigger))


def _why_over(entry: Listener, moment: Moment) -> str:
    """Return why an entry ends without having been due, or ""."""
    if moment.kind == "missed" and entry.side == moment.side:
        return LEFT
    ends = moment.kind == "over" and (entry.bound or not _is_within(entry, moment))
    return ended(entry.waits) if ends else ""


def _bound(entry: Listener, moment: Moment) -> Listener:
    """Bind what waits for the next turn, or for the next one of its side, to the turn."""
    its_own = entry.side == moment.side and _is_within(entry, moment)
    return replace(entry, bound=True) if its_own or entry.side == EVERYBODY else entry


def _is_within(entry: Listener, moment: Moment) -> bool:
    return entry.order.within in ("", *moment.labels)


def _is_due(entry: Listener, moment: Moment) -> bool:
    if entry.moment != moment.kind or entry.what not in moment.names:
        return False
    if entry.side not in (EVERYBODY, moment.side) or (entry.next_turn and not entry.bound):
        return False
    order = entry.order
    if isinstance(order, StandingTrigger) and order.first_each_turn:
        return entry.what not in moment.earlier
    return _is_within(entry, moment)
