"""Properties that hold for every run of a ruleset, in a small closed language. They are data, each
with its rule.

    Property("untap_is_quiet", "nobody receives priority in untap", "502.4",
    never(priority("untap")))

An event is one firing of the turn or its window, or an order; `|` joins events. Forms are `never`,
`after ... no ... until`, `followed ... by ... before`, `only ... after ... since`, and `responds`
(under fairness). A ruleset of your own may add properties: `PROPERTIES["my-game"] = (...)` in the
module that makes its Model.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

EACH = "*"
"""Stands for the name of each step of the model in turn."""


@dataclass(frozen=True, slots=True)
class PropertyEvent:
    """One kind of event.

    `level` is turn, phase or step. `names` limits it to these, and `besides` excludes these.
    `inside` and `outside` are the phase, step or stage in which it happens. `extra` says whether
    it, or its phase, is an extra one.
    """

    kind: str
    level: str = ""
    names: tuple[str, ...] = ()
    besides: tuple[str, ...] = ()
    inside: tuple[str, ...] = ()
    outside: tuple[str, ...] = ()
    extra: bool | None = None

    def of(self, step: str) -> PropertyEvent:
        """Return the event for one step, if it is about each."""
        return replace(self, names=tuple([name.replace(EACH, step) for name in self.names]))


class Events(tuple[PropertyEvent, ...]):
    """Any of several events."""

    def __or__(self, other: Events) -> Events:
        return Events((*self, *other))


NOTHING = Events()


@dataclass(frozen=True, slots=True)
class Form:
    """After `arm`, or from the start with `start`, nothing of `no` happens until `until`. If
    nothing is forbidden, `until` must come in the end, unless new things keep happening.
    """

    arm: Events
    no: Events
    until: Events
    start: bool = False


@dataclass(frozen=True, slots=True)
class Property:
    """A property: its name, a sentence in the rulebook's words, the rule, and its form."""

    name: str
    says: str
    rule: str
    form: Form

    def of(self, steps: tuple[str, ...]) -> tuple[Property, ...]:
        """Return the property itself, or one property for each step if it is about every step."""
        form, found = self.form, []
        if EACH not in repr(form):
            return (self,)
        for step in steps:
            arm, no, until = [
                Events(event.of(step) for event in events)
                for events in (form.arm, form.no, form.until)
            ]
            of_step = Form(arm, no, until, form.start)
            found.append(replace(self, name=f"{self.name}[{step}]", form=of_step))
        return tuple(found)


# events -------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class EventKind:
    """A kind of events. Called with names, it returns the event of this kind that is about them.

    Of `begins`, `ends`, `skipped` and `ordered` the first name is the level, or the kind of order.
    Of what happens in windows, names are the steps or stages in which it happens.
    """

    kind: str

    def __call__(
        self,
        *names: str,
        besides: tuple[str, ...] = (),
        inside: tuple[str, ...] = (),
        outside: tuple[str, ...] = (),
        extra: bool | None = None,
    ) -> Events:
        """Return the event."""
        level = ""
        if self.kind in ("begins", "ends", "skipped", "ordered"):
            level, *others = names
            names = tuple(others)
        elif self.kind not in ("reaches", "performs"):
            names, inside = (), names
        return Events((PropertyEvent(self.kind, level, names, besides, inside, outside, extra),))


begins = EventKind("begins")
"""A turn, phase or step begins. `inside` limits it to those after that phase, step or stage."""
ends = EventKind("ends")
"""A turn, phase or step ends."""
skipped = EventKind("skipped")
"""An effect skips a turn, phase or step."""
reaches = EventKind("reaches")
"""The turn reaches one of these states."""
performs = EventKind("performs")
"""The game is asked to perform one of these turn-based actions."""
priority = EventKind("priority")
"""A player receives priority (or Opportunity), in one of these steps or stages."""
acts = EventKind("acts")
"""The player with priority acts."""
passes = EventKind("passes")
"""The player with priority passes."""
resolves = EventKind("resolves")
"""The top of the stack resolves."""
checks = EventKind("checks")
"""State-based actions are checked in a window."""
ordered = EventKind("ordered")
"""An effect orders this: "extra phase", "extra step", "step before", "step after phase", "skipped
step"...
"""


# forms --------------------------------------------------------------------------------------------


def never(event: Events) -> Form:
    """The event never happens."""
    return Form(NOTHING, event, NOTHING, start=True)


def after(event: Events, no: Events, until: Events, *, start: bool = False) -> Form:
    """After `event`, `no` does not happen until `until`."""
    return Form(event, no, until, start)


def followed(event: Events, by: Events, before: Events) -> Form:
    """After `event`, `by` happens before `before` does."""
    return Form(event, before, by)


def only(event: Events, after: Events, since: Events = NOTHING) -> Form:
    """`event` happens only after `after` has happened since `since`, or since the start."""
    return Form(since, event, after, start=True)


def responds(event: Events, by: Events) -> Form:
    """After `event`, `by` happens in the end if nothing new happens."""
    return Form(event, NOTHING, by)


PROPERTIES: dict[str, tuple[Property, ...]] = {}
"""The properties of your own rulesets, by the name of the Model."""
