"""What is true of every run of a ruleset, in a small closed language: data, each with its rule, to be proved.

    Property("untap_is_quiet", "nobody receives priority in untap", "502.4", never(priority("untap")))

An event is one firing of the turn or its window, or an order; `|` joins events. Forms: `never`,
`after ... no ... until`, `followed ... by ... before`, `only ... after ... since`, and `responds` (under fairness). A
ruleset of your own may add itself: `PROPERTIES["my-game"] = (...)` in the module that makes its Model.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal

EventKind = Literal[
    "begins", "ends", "skipped", "reaches", "performs", "priority", "acts", "passes", "resolves", "checks", "ordered"
]
EACH = "*"
"""Stands for the name of every step of the model, one after the other."""


@dataclass(frozen=True, slots=True)
class Event:
    """One kind of firing. `level`: turn, phase or step; `names`: which of them, "" for any; `besides`: which not.

    `inside`, `outside`: the phase, step or stage in which it happens; `extra`: is it, or its phase, an extra one?
    """

    kind: EventKind
    level: str = ""
    names: tuple[str, ...] = ()
    besides: tuple[str, ...] = ()
    inside: tuple[str, ...] = ()
    outside: tuple[str, ...] = ()
    extra: bool | None = None

    def __or__(self, other: Event | Events) -> Events:
        return Events((self,)) | other

    def __str__(self) -> str:
        what = " or ".join(self.names) or ("any other than " + " or ".join(self.besides) if self.besides else "")
        which = {None: "", True: "extra ", False: "natural "}[self.extra]
        said = " ".join(f"{which}{self.level} {what}".split())
        text = f"{said} {self.kind}" if self.kind in ("begins", "ends", "skipped") else f"{self.kind} {said}"
        text += f" in {' or '.join(self.inside)}" if self.inside else ""
        return (text + (f" outside {' or '.join(self.outside)}" if self.outside else "")).strip()


@dataclass(frozen=True, slots=True)
class Events:
    """Any of several events."""

    any: tuple[Event, ...] = ()

    def __or__(self, other: Event | Events) -> Events:
        return Events(self.any + (other.any if isinstance(other, Events) else (other,)))

    def __str__(self) -> str:
        return ", or ".join(map(str, self.any)) or "ever"


@dataclass(frozen=True, slots=True)
class Safe:
    """From `arm` on (`start`: from the start of the game too) nothing of `no` happens, up to `until`."""

    arm: Events
    no: Events
    until: Events
    start: bool = False

    def __str__(self) -> str:
        first = ["the start"] * self.start + [str(self.arm)] * bool(self.arm.any)
        return f"after {', or '.join(first)}: no {self.no}" + (f", until {self.until}" if self.until.any else "")


@dataclass(frozen=True, slots=True)
class Response:
    """After `event` there comes `by`, if from some time on nothing more happens than what was on its way."""

    event: Events
    by: Events

    def __str__(self) -> str:
        return f"after {self.event} there comes {self.by}, once nothing more happens"


Form = Safe | Response


@dataclass(frozen=True, slots=True)
class Property:
    """A property: its name, what it says in the rulebook's words, the rule, and its form."""

    name: str
    says: str
    rule: str
    form: Form

    def of(self, steps: tuple[str, ...]) -> tuple[Property, ...]:
        """The property itself, or one for each step if it is about every step."""
        if EACH not in str(self.form):
            return (self,)
        return tuple(replace(self, name=f"{self.name}[{step}]", form=_named(self.form, step)) for step in steps)


# events -------------------------------------------------------------------------------------------------


def begins(
    level: str, *names: str, besides: tuple[str, ...] = (), inside: tuple[str, ...] = (), extra: bool | None = None
) -> Event:
    """A turn, phase or step begins; `inside`: out of that phase, step or stage."""
    return Event("begins", level, names, besides, inside, extra=extra)


def ends(level: str, *names: str) -> Event:
    """A turn, phase or step ends."""
    return Event("ends", level, names)


def skipped(level: str, *names: str) -> Event:
    """An effect skips it."""
    return Event("skipped", level, names)


def reaches(*states: str, inside: tuple[str, ...] = (), outside: tuple[str, ...] = ()) -> Event:
    """The turn comes to one of these states."""
    return Event("reaches", "", states, inside=inside, outside=outside)


def performs(*actions: str, inside: tuple[str, ...] = (), extra: bool | None = None) -> Event:
    """The game is asked to perform one of these turn-based actions."""
    return Event("performs", "", actions, inside=inside, extra=extra)


def priority(*inside: str) -> Event:
    """Somebody receives priority (or Opportunity), in one of these steps or stages."""
    return Event("priority", inside=inside)


def acts(*inside: str) -> Event:
    """Whoever has priority acts."""
    return Event("acts", inside=inside)


def passes(*inside: str) -> Event:
    """Whoever has priority passes."""
    return Event("passes", inside=inside)


def resolves(*inside: str) -> Event:
    """The top of the stack resolves."""
    return Event("resolves", inside=inside)


def checks() -> Event:
    """State-based actions are checked in a window."""
    return Event("checks")


def ordered(kind: str, *names: str, inside: tuple[str, ...] = ()) -> Event:
    """An effect orders something: "extra phase", "extra step", "step before", "step after phase", "skipped step"..."""
    return Event("ordered", kind, names, inside=inside)


# forms ----------------------------------------------------------------------------------------------------


def never(event: Event | Events) -> Safe:
    """It never happens."""
    return Safe(Events(), _all(event), Events(), start=True)


def after(event: Event | Events, no: Event | Events, until: Event | Events, *, start: bool = False) -> Safe:
    """After the one nothing of the other, until the third."""
    return Safe(_all(event), _all(no), _all(until), start)


def followed(event: Event | Events, by: Event | Events, before: Event | Events) -> Safe:
    """After the one comes the other, before the third does."""
    return Safe(_all(event), _all(before), _all(by))


def only(event: Event | Events, after: Event | Events, since: Event | Events | None = None) -> Safe:
    """The one happens only when the other has, since the third (or the start)."""
    return Safe(_all(since or Events()), _all(event), _all(after), start=True)


def responds(event: Event | Events, by: Event | Events) -> Response:
    """After the one comes the other in the end, when nothing more happens."""
    return Response(_all(event), _all(by))


def _all(event: Event | Events) -> Events:
    return event if isinstance(event, Events) else Events((event,))


def _named(form: Form, step: str) -> Form:
    if isinstance(form, Response):
        return Response(_filled(form.event, step), _filled(form.by, step))
    return Safe(_filled(form.arm, step), _filled(form.no, step), _filled(form.until, step), form.start)


def _filled(events: Events, step: str) -> Events:
    return Events(
        tuple(replace(e, names=tuple(_each(e.names, step)), inside=tuple(_each(e.inside, step))) for e in events.any)
    )


def _each(names: tuple[str, ...], step: str) -> Iterator[str]:
    yield from (name.replace(EACH, step) for name in names)


PROPERTIES: dict[str, tuple[Property, ...]] = {}
"""What rulesets of your own state, by the name of the Model."""


def properties_of(name: str) -> tuple[Property, ...]:
    """What the ruleset of this name states; nothing for one that states nothing."""
    from fsm.rulesets.grand_archive.properties import ARCHIVE
    from fsm.rulesets.magic.properties import CLASSIC, CURRENT, TABLE

    built_in = {"magic": CURRENT, "magic-2010": TABLE, "magic-classic": CLASSIC, "grand-archive": ARCHIVE}
    return PROPERTIES.get(name) or built_in.get(name, ())
