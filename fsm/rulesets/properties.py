"""Properties that hold for every run of a ruleset, in a small closed language. They are data, each
with its rule.

    Property("untap_is_quiet", "nobody receives priority in untap", "502.4",
    never(priority("untap")))

An event is one firing of the turn or its window, or an order; `|` joins events. Forms are `never`, `after ... no ...
until`, `followed ... by ... before`, `only ... after ... since`, and `responds` (under fairness). A
ruleset of your own may add properties: `PROPERTIES["my-game"] = (...)` in the module that makes its
Model.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal

EventKind = Literal[
    "begins",
    "ends",
    "skipped",
    "reaches",
    "performs",
    "priority",
    "acts",
    "passes",
    "resolves",
    "checks",
    "ordered",
]
EACH = "*"
"""Stands for the name of each step of the model in turn."""


@dataclass(frozen=True, slots=True)
class PropertyEvent:
    """One kind of event.

    `level` is turn, phase or step. `names` limits it to these, and `besides` excludes these.
    `inside` and `outside` are the phase, step or stage in which it happens. `extra` says whether
    it, or its phase, is an extra one.
    """

    kind: EventKind
    level: str = ""
    names: tuple[str, ...] = ()
    besides: tuple[str, ...] = ()
    inside: tuple[str, ...] = ()
    outside: tuple[str, ...] = ()
    extra: bool | None = None

    def __or__(self, other: PropertyEvent | AnyEvent) -> AnyEvent:
        return AnyEvent((self,)) | other

    def __str__(self) -> str:
        what = " or ".join(self.names) or (
            "any other than " + " or ".join(self.besides) if self.besides else ""
        )
        which = {None: "", True: "extra ", False: "natural "}[self.extra]
        said = " ".join(f"{which}{self.level} {what}".split())
        text = (
            f"{said} {self.kind}"
            if self.kind in ("begins", "ends", "skipped")
            else f"{self.kind} {said}"
        )
        text += f" in {' or '.join(self.inside)}" if self.inside else ""
        return (text + (f" outside {' or '.join(self.outside)}" if self.outside else "")).strip()


@dataclass(frozen=True, slots=True)
class AnyEvent:
    """Any of several events."""

    any: tuple[PropertyEvent, ...] = ()

    def __or__(self, other: PropertyEvent | AnyEvent) -> AnyEvent:
        return AnyEvent(self.any + (other.any if isinstance(other, AnyEvent) else (other,)))

    def __str__(self) -> str:
        return ", or ".join(map(str, self.any)) or "ever"


@dataclass(frozen=True, slots=True)
class Safe:
    """A safety property: after `arm`, or from the start with `start`, nothing of `no` happens until
    `until`.
    """

    arm: AnyEvent
    no: AnyEvent
    until: AnyEvent
    start: bool = False

    def __str__(self) -> str:
        first = ["the start"] * self.start + [str(self.arm)] * bool(self.arm.any)
        return f"after {', or '.join(first)}: no {self.no}" + (
            f", until {self.until}" if self.until.any else ""
        )


@dataclass(frozen=True, slots=True)
class Response:
    """A response property: `by` comes after `event` unless new things keep happening."""

    event: AnyEvent
    by: AnyEvent

    def __str__(self) -> str:
        return f"after {self.event} there comes {self.by}, once nothing more happens"


Form = Safe | Response


@dataclass(frozen=True, slots=True)
class Property:
    """A property: its name, a sentence in the rulebook's words, the rule, and its form."""

    name: str
    says: str
    rule: str
    form: Form

    def of(self, steps: tuple[str, ...]) -> tuple[Property, ...]:
        """Return the property itself, or one property for each step if it is about every step."""
        if EACH not in str(self.form):
            return (self,)
        return tuple(
            replace(self, name=f"{self.name}[{step}]", form=_named(self.form, step))
            for step in steps
        )


# events -------------------------------------------------------------------------------------------


def begins(
    level: str,
    *names: str,
    besides: tuple[str, ...] = (),
    inside: tuple[str, ...] = (),
    extra: bool | None = None,
) -> PropertyEvent:
    """A turn, phase or step begins. `inside` limits it to those after that phase, step or stage."""
    return PropertyEvent("begins", level, names, besides, inside, extra=extra)


def ends(level: str, *names: str) -> PropertyEvent:
    """A turn, phase or step ends."""
    return PropertyEvent("ends", level, names)


def skipped(level: str, *names: str) -> PropertyEvent:
    """An effect skips a turn, phase or step."""
    return PropertyEvent("skipped", level, names)


def reaches(
    *states: str, inside: tuple[str, ...] = (), outside: tuple[str, ...] = ()
) -> PropertyEvent:
    """The turn reaches one of these states."""
    return PropertyEvent("reaches", "", states, inside=inside, outside=outside)


def performs(
    *actions: str, inside: tuple[str, ...] = (), extra: bool | None = None
) -> PropertyEvent:
    """The game is asked to perform one of these turn-based actions."""
    return PropertyEvent("performs", "", actions, inside=inside, extra=extra)


def priority(*inside: str) -> PropertyEvent:
    """A player receives priority (or Opportunity), in one of these steps or stages."""
    return PropertyEvent("priority", inside=inside)


def acts(*inside: str) -> PropertyEvent:
    """The player with priority acts."""
    return PropertyEvent("acts", inside=inside)


def passes(*inside: str) -> PropertyEvent:
    """The player with priority passes."""
    return PropertyEvent("passes", inside=inside)


def resolves(*inside: str) -> PropertyEvent:
    """The top of the stack resolves."""
    return PropertyEvent("resolves", inside=inside)


def checks() -> PropertyEvent:
    """State-based actions are checked in a window."""
    return PropertyEvent("checks")


def ordered(kind: str, *names: str, inside: tuple[str, ...] = ()) -> PropertyEvent:
    """An effect orders this: "extra phase", "extra step", "step before", "step after phase",
    "skipped step"...
    """
    return PropertyEvent("ordered", kind, names, inside=inside)


# forms --------------------------------------------------------------------------------------------


def never(event: PropertyEvent | AnyEvent) -> Safe:
    """The event never happens."""
    return Safe(AnyEvent(), _all(event), AnyEvent(), start=True)


def after(
    event: PropertyEvent | AnyEvent,
    no: PropertyEvent | AnyEvent,
    until: PropertyEvent | AnyEvent,
    *,
    start: bool = False,
) -> Safe:
    """After `event`, `no` does not happen until `until`."""
    return Safe(_all(event), _all(no), _all(until), start)


def followed(
    event: PropertyEvent | AnyEvent, by: PropertyEvent | AnyEvent, before: PropertyEvent | AnyEvent
) -> Safe:
    """After `event`, `by` happens before `before` does."""
    return Safe(_all(event), _all(before), _all(by))


def only(
    event: PropertyEvent | AnyEvent,
    after: PropertyEvent | AnyEvent,
    since: PropertyEvent | AnyEvent | None = None,
) -> Safe:
    """`event` happens only after `after` has happened since `since`, or since the start."""
    return Safe(_all(since or AnyEvent()), _all(event), _all(after), start=True)


def responds(event: PropertyEvent | AnyEvent, by: PropertyEvent | AnyEvent) -> Response:
    """After `event`, `by` happens in the end if nothing new happens."""
    return Response(_all(event), _all(by))


def _all(event: PropertyEvent | AnyEvent) -> AnyEvent:
    return event if isinstance(event, AnyEvent) else AnyEvent((event,))


def _named(form: Form, step: str) -> Form:
    if isinstance(form, Response):
        return Response(_filled(form.event, step), _filled(form.by, step))
    return Safe(
        _filled(form.arm, step), _filled(form.no, step), _filled(form.until, step), form.start
    )


def _filled(events: AnyEvent, step: str) -> AnyEvent:
    return AnyEvent(
        tuple(
            replace(e, names=tuple(_each(e.names, step)), inside=tuple(_each(e.inside, step)))
            for e in events.any
        )
    )


def _each(names: tuple[str, ...], step: str) -> Iterator[str]:
    yield from (name.replace(EACH, step) for name in names)


PROPERTIES: dict[str, tuple[Property, ...]] = {}
"""The properties of your own rulesets, by the name of the Model."""
