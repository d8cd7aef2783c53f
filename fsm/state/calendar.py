"""The calendar: when delayed triggers trigger and durations run out.

Nothing in a turn depends on it: it only listens. So it is kept beside the run, is told the moments
of the turn when an answer has been processed, and says what has expired and triggered. A turn with
effects costs hardly more than one without.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import ClassVar, NamedTuple, TypeAlias, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from fsm.model import Duration
from fsm.state.orders import (
    LEFT,
    DelayedTrigger,
    Effect,
    Result,
    StandingTrigger,
    ended,
    next_one,
)

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
    waits_for: ClassVar[str] = ""


class Delayed(Struct, frozen=True, omit_defaults=True):
    """A trigger that waits. If it is bound, it waits for a step of the turn under way."""

    order: DelayedTrigger
    side: int
    step: str
    bound: bool = False

    @property
    def waits_for(self) -> str:
        """In words."""
        player = self.order.player if self.order.on.startswith("your") else ""
        return next_one(self.order.step, player, self.order.within)


class Standing(Struct, frozen=True, omit_defaults=True):
    """A trigger that stands, in the turns of a side, or of EVERYBODY."""

    order: StandingTrigger
    side: int
    step: str
    waits_for: ClassVar[str] = ""


Waiting: TypeAlias = Lasting | Delayed | Standing
_W = TypeVar("_W", Lasting, Delayed)


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

    def plus(self, entry: Waiting) -> Calendar:
        """Return the calendar with one more entry."""
        match entry:
            case Lasting():
                return replace(self, effects=(*self.effects, entry))
            case Delayed():
                return replace(self, delayed=(*self.delayed, entry))
            case Standing():
                return replace(self, standing=(*self.standing, entry))

    def without(self, id: str) -> Calendar:
        """Return the calendar without what has this id."""
        return Calendar(
            tuple(entry for entry in self.effects if entry.order.id != id),
            tuple(entry for entry in self.delayed if entry.order.id != id),
            tuple(entry for entry in self.standing if entry.order.id != id),
        )

    def after(self, moments: Iterable[Moment], durations: Durations) -> tuple[Calendar, News]:
        """Return the calendar after these moments, and what has happened in it."""
        effects, delayed, news = self.effects, self.delayed, News([], [], [])
        for moment in moments:
            if moment.kind == "trigger":
                delayed, due = _parted(delayed, partial(_is_due, moment))
                news.results.extend(Result(entry.order, "done") for entry in due)
                news.triggered.extend(entry.order.id for entry in due)
                ringing = (entry for entry in self.standing if _rings(moment, entry))
                news.triggered.extend(entry.order.id for entry in ringing)
                continue
            if moment.kind == "begin" and moment.names == ("turn",):
                effects = _bound(effects, moment, durations)
                delayed = _bound(delayed, moment, durations)
            effects, over = _parted(effects, partial(_is_over, moment, durations))
            news.expired.extend(entry.order.id for entry in over)
            if moment.kind in ("over", "missed"):
                delayed, lost = _parted(delayed, partial(_is_lost, moment))
                for entry in lost:
                    why = LEFT if moment.kind == "missed" else ended(entry.waits_for)
                    news.results.append(Result(entry.order, "nothing", why))
        return Calendar(effects, delayed, self.standing), news


NO_ENTRIES = Calendar()


def _parted(entries: tuple[_W, ...], goes: Callable[[_W], bool]) -> tuple[tuple[_W, ...], list[_W]]:
    """Return the entries that stay and those that go."""
    stay, gone = list[_W](), list[_W]()
    for entry in entries:
        (gone if goes(entry) else stay).append(entry)
    return tuple(stay), gone


def _bound(entries: tuple[_W, ...], moment: Moment, durations: Durations) -> tuple[_W, ...]:
    """Bind what waits for the next turn, or for the next one of its player, to the turn."""
    bound = list[_W]()
    for entry in entries:
        binds = _binds(entry, moment, durations)
        bound.append(replace(entry, bound=True) if binds else entry)
    return tuple(bound)


def _binds(entry: Lasting | Delayed, moment: Moment, durations: Durations) -> bool:
    if isinstance(entry, Lasting):
        next_turn = durations[entry.order.until].turn == "next"
    elif entry.order.on == "next_turn":
        return True
    else:
        next_turn = entry.order.on == "your_next_turn"
    return next_turn and entry.side == moment.side and _is_within(entry, moment)


def _is_within(entry: Lasting | Delayed, moment: Moment) -> bool:
    return entry.order.within in ("", *moment.labels)


def _is_over(moment: Moment, durations: Durations, effect: Lasting) -> bool:
    duration = durations[effect.order.until]
    if moment.kind == "over":
        return effect.bound or not _is_within(effect, moment)
    if moment.kind == "missed":
        return duration.whose == "yours" and effect.side == moment.side
    if duration.moment != moment.kind or duration.what not in moment.names:
        return False
    if duration.turn != "any" and not effect.bound:
        return False
    if duration.whose != "any" and effect.side != moment.side:
        return False
    return _is_within(effect, moment)


def _is_lost(moment: Moment, entry: Delayed) -> bool:
    if moment.kind == "missed":
        return entry.order.on.startswith("your") and entry.side == moment.side
    return entry.bound or not _is_within(entry, moment)


def _is_due(moment: Moment, entry: Delayed) -> bool:
    on = entry.order.on
    if entry.step not in moment.names or (on.endswith("turn") and not entry.bound):
        return False
    return (on != "your_next" or entry.side == moment.side) and _is_within(entry, moment)


def _rings(moment: Moment, entry: Standing) -> bool:
    if entry.step not in moment.names or entry.side not in (EVERYBODY, moment.side):
        return False
    return not (entry.order.first_each_turn and entry.step in moment.earlier)
