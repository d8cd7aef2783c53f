"""The state of one run: everything that changes while a turn is played, and nothing else.

Every field holds an immutable value, or an agenda or calendar whose fields do, so a run is copied
in one stroke: that is what undoes a step that failed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from functools import cache
from operator import attrgetter
from typing import Any

from fsm.agenda import Agenda
from fsm.calendar import Calendar, Moment
from fsm.compiling.sharing import function_of
from fsm.model import Model

NOTHING_LATCHED: frozenset[str] = frozenset()
"""The one empty set of latched facts, for all games."""


@dataclass(slots=True)
class Run:
    """One game's place in a Model: states, agenda, calendar, facts told, and what is due.

    `state` is the turn machine's state; `frame` the window's, "" while no window is open. `holder` has
    priority, `passed` are the sides that passed since the last action. `latched` are the facts
    that stay true until their scope is cleared; `told` the facts that came with the last answer.
    """

    model: Model
    agenda: Agenda
    calendar: Calendar = field(default_factory=Calendar)
    settings: Mapping[str, bool] = field(default_factory=dict)
    state: str = ""
    frame: str = ""
    holder: str = ""
    passed: tuple[str, ...] = ()
    latched: frozenset[str] = NOTHING_LATCHED
    told: Mapping[str, bool] = field(default_factory=dict)
    expired: tuple[str, ...] = ()
    triggered: tuple[str, ...] = ()

    def copy(self) -> Run:
        """An independent copy."""
        run: Run = _copier(Run)(self)
        run.agenda, run.calendar = _copier(Agenda)(self.agenda), _copier(Calendar)(self.calendar)
        return run

    def save(self) -> Saved:
        """Everything that an answer can change, to be brought back by `restore`. Quicker than a copy."""
        return _OWN(self), _AGENDA(self.agenda), _CALENDAR(self.calendar)

    def restore(self, saved: Saved) -> None:
        """Be again as when this was saved."""
        for thing, names, values in zip((self, self.agenda, self.calendar), _NAMES, saved, strict=True):
            for name, value in zip(names, values, strict=True):
                setattr(thing, name, value)

    def moment(self, kind: str, *names: str) -> Moment:
        """This moment, as the calendar wants to be told it."""
        return Moment(kind, names, self.agenda.active, self.agenda.turn)

    def expire(self, kind: str, *names: str) -> None:
        """Tell the calendar a moment at which durations may run out."""
        if not self.calendar.empty:
            self.expired += self.calendar.expire(self.moment(kind, *names), self.model.durations)


@cache
def _copier(kind: Any) -> Callable[[Any], Any]:
    """Straight code that copies an object of this class, without the detour through its __init__."""
    lines = ["def copy(old):", "    new = make(kind)", *(f"    new.{f.name} = old.{f.name}" for f in fields(kind))]
    return function_of("\n".join((*lines, "    return new")), "copy", {"make": object.__new__, "kind": kind})


Saved = tuple[tuple[Any, ...], tuple[Any, ...], tuple[Any, ...]]
_NAMES = (
    tuple(f.name for f in fields(Run) if f.name not in ("model", "agenda", "calendar", "settings")),
    tuple(f.name for f in fields(Agenda) if f.name != "sides"),
    tuple(f.name for f in fields(Calendar)),
)
_OWN, _AGENDA, _CALENDAR = (attrgetter(*names) for names in _NAMES)
