"""The state of one run: everything that changes while a turn is played, and nothing else.

Every field holds an immutable value, or an agenda whose fields do, so a run is copied
in one stroke: that is what undoes a step that failed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from functools import cache
from operator import attrgetter
from typing import Any

from fsm.compiled.sharing import function_of
from fsm.model import Model
from fsm.state.agenda import Agenda
from fsm.state.calendar import NO_ENTRIES, Calendar, Moment

NOTHING_LATCHED: frozenset[str] = frozenset()
"""The one empty set of latched facts, for all games."""


@dataclass(slots=True)
class Run:
    """One game's place in a Model: states, agenda, calendar, facts told, and what is due.

    `state` is the turn machine's state; `frame` the window's, "" while no window is open. `holder`
    has priority, `passed` are the sides that passed since the last action. `latched` are the facts
    that stay true until their scope is cleared; `told` the facts that came with the last answer.
    """

    model: Model
    agenda: Agenda
    calendar: Calendar = NO_ENTRIES
    settings: Mapping[str, bool] = field(default_factory=dict)
    state: str = ""
    frame: str = ""
    holder: str = ""
    passed: tuple[str, ...] = ()
    latched: frozenset[str] = NOTHING_LATCHED
    told: Mapping[str, bool] = field(default_factory=dict)
    expired: tuple[str, ...] = ()
    triggered: tuple[str, ...] = ()

    def __reduce__(self) -> tuple[type[Run], tuple[object, ...]]:
        """Copy and pickle the facts as a dict: a view that cannot be changed cannot be pickled."""
        return Run, tuple(
            dict(self.told) if f.name == "told" else getattr(self, f.name) for f in fields(self)
        )

    def copy(self) -> Run:
        """An independent copy."""
        run: Run = _copier(Run)(self)
        run.agenda = _copier(Agenda)(self.agenda)
        return run

    def seat(self, players: tuple[str, ...]) -> None:
        """Let others play, in the seats of those who do: nothing is scheduled, and nobody has left."""
        agenda = self.agenda
        name = dict(zip(agenda.players, players, strict=True)).get
        agenda.players, agenda.natural = players, name(agenda.natural, "")
        agenda.active, agenda.decider = name(agenda.active, ""), name(agenda.decider, "")
        agenda.candidate_turn, self.holder = name(agenda.candidate_turn, ""), name(self.holder, "")
        agenda.appointed = tuple([(role, name(side, "")) for role, side in agenda.appointed])
        if self.passed:
            self.passed = tuple(name(side, "") for side in self.passed)

    def save(self) -> Saved:
        """Everything that an answer can change, to be brought back by `restore`. Quicker than a
        copy.
        """
        return _OWN(self), _AGENDA(self.agenda)

    def restore(self, saved: Saved) -> None:
        """Be again as when this was saved."""
        for thing, names, values in zip((self, self.agenda), _NAMES, saved, strict=True):
            for name, value in zip(names, values, strict=True):
                setattr(thing, name, value)

    def moment(self, kind: str, *names: str) -> Moment:
        """This moment, as the calendar wants to be told it."""
        agenda = self.agenda
        return Moment(
            kind, names, agenda.active, agenda.turn, tuple(o.label for o in agenda.labelled)
        )

    def expire(self, kind: str, *names: str) -> None:
        """Tell the calendar a moment at which durations may run out."""
        if not self.calendar.empty:
            self.calendar, expired = self.calendar.expire(
                self.moment(kind, *names), self.model.durations
            )
            self.expired += expired


@cache
def _copier(kind: Any) -> Callable[[Any], Any]:
    """Straight code that copies an object of this class, without the detour through its __init__."""
    lines = [
        "def copy(old):",
        "    new = make(kind)",
        *(f"    new.{f.name} = old.{f.name}" for f in fields(kind)),
    ]
    return function_of(
        "\n".join((*lines, "    return new")), "copy", {"make": object.__new__, "kind": kind}
    )


Saved = tuple[tuple[Any, ...], tuple[Any, ...]]
_NAMES = (
    tuple(f.name for f in fields(Run) if f.name not in ("model", "agenda", "settings")),
    tuple(f.name for f in fields(Agenda) if f.name not in ("players", "teams")),
)
_OWN, _AGENDA = (attrgetter(*names) for names in _NAMES)
