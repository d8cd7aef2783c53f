"""Describes what a firing did: the Record.

An answer makes several records, and most are never read, or little of them. So a record only refers
to its values, which are shared by all games in which the same fires, and to the moment of its own
game.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import FrozenInstanceError, dataclass, fields, replace
from functools import wraps
from operator import attrgetter
from typing import TYPE_CHECKING, Any, NoReturn, Protocol, TypeVar

from fsm.compiled.quickinit import quick

if TYPE_CHECKING:
    from fsm.engine.askers import Players
    from fsm.engine.semantics import Fired
    from fsm.state.run import Run

_C = TypeVar("_C", bound=type[Any])
Values = Any
"""What a record refers to: its fields. Values that games share have the seat of the active player
instead of the name. The turn counts from that of the moment, and an id from its base, or is None
for 0."""


class Moment(Protocol):
    """A moment of one game: who plays, and how far it has come."""

    @property
    def players(self) -> Players:
        """Who plays."""

    @property
    def progress(self) -> Any:
        """The Progress."""


def _turn(record: Any) -> Any:
    moment = record._moment
    return record._values.turn if moment is None else record._values.turn + moment.progress.turn


def _active(record: Any) -> Any:
    moment = record._moment
    return record._values.active if moment is None else moment.players[record._values.active]


def _phase_id(record: Any) -> Any:
    return _id(record._values.phase_id, record._moment)


def _step_id(record: Any) -> Any:
    return _id(record._values.step_id, record._moment)


def _id(id: int | None, moment: Any) -> int | None:
    return id if moment is None else 0 if id is None else id + moment.progress.base


_VARYING = {"turn": _turn, "active": _active, "phase_id": _phase_id, "step_id": _step_id}
"""The fields in which the records of games differ where the same fires."""


def _light(cls: _C) -> _C:
    """Decorate the dataclass of records: return a class that looks the same, whose objects refer to
    their values.
    """

    @wraps(cls.__init__)
    def __init__(self: Any, *args: object, **kwargs: object) -> None:
        self._values, self._moment = cls(*args, **kwargs), None

    def __reduce__(self: Any) -> tuple[object, ...]:
        return made, tuple([getattr(self, field.name) for field in fields(cls)])

    def frozen(self: object, value: object = None) -> NoReturn:
        raise FrozenInstanceError("a record cannot be changed")

    same = (
        "annotations",
        "dataclass_fields",
        "dataclass_params",
        "doc",
        "eq",
        "hash",
        "match_args",
        "module",
        "repr",
    )
    face = {f"__{name}__": getattr(cls, f"__{name}__") for name in same}
    for field in fields(cls):
        face[field.name] = property(
            _VARYING.get(field.name) or attrgetter(f"_values.{field.name}"), frozen, frozen
        )
    face |= {"__slots__": ("_moment", "_values"), "__init__": __init__, "__reduce__": __reduce__}
    made: Any = type(cls.__name__, (), face)
    return made  # type: ignore[no-any-return]


@_light
@quick
@dataclass(frozen=True, slots=True)
class Record:
    """One firing of a transition.

    Attributes
    ----------
    machine
        The machine that fired: "turn" or "window".
    event
        The name of the event.
    transition
        The id of the transition.
    source, target
        The ids of the states before and after the firing.
    guards
        The facts that the guards read, in order, with their values.
    actions
        The actions that were performed, as the model writes them.
    turn, active, extra, phase, step, iteration
        The position of the run after the firing. See `fsm.engine.requests.Position`.
    extra_phase, extra_step
        Whether the phase or step is an extra one.
    phase_id, step_id
        Numbers that tell the phases and steps of a game apart, also those of the same name.
    """

    machine: str
    event: str
    transition: str
    source: str
    target: str
    guards: tuple[tuple[str, bool], ...]
    actions: tuple[str, ...]
    turn: int
    active: str
    extra: bool
    phase: str
    step: str
    iteration: int
    extra_phase: bool = False
    extra_step: bool = False
    phase_id: int = 0
    step_id: int = 0


def shared(records: Iterable[Any], players: Players, turn: int, base: int) -> list[Values]:
    """Return the values of the records of a game, for all games. It was in this turn, where ids
    count from `base`.
    """
    return [
        replace(
            record._values,
            active=players.index(record.active),
            turn=record.turn - turn,
            phase_id=record.phase_id - base if record.phase_id else None,
            step_id=record.step_id - base if record.step_id else None,
        )
        for record in records
    ]


def tell(every: Iterable[Values], moment: Moment, hear: Callable[[Record], object]) -> None:
    """Call a function with each record of a game that has such values at this moment."""
    make: Any = object.__new__
    for values in every:
        record = make(Record)
        record._values = values
        record._moment = moment
        hear(record)


def told(every: Iterable[Values], moment: Moment) -> list[Record]:
    """Return the records of a game that have such values at this moment."""
    found = list[Record]()
    tell(every, moment, found.append)
    return found


def record_of(run: Run, fired: Fired) -> Record:
    """Return the record of one firing.

    Parameters
    ----------
    run
        The run after the firing.
    fired
        The firing.
    """
    agenda = run.agenda
    turn, phase, step = agenda.current_turn, agenda.current_phase, agenda.current_step
    return Record(
        machine=fired.machine,
        event=fired.event,
        transition=fired.row.transition.id,
        source=fired.source,
        target=fired.target,
        guards=tuple(fired.guards.items()),
        actions=fired.row.written,
        turn=agenda.turn,
        active=agenda.active,
        extra=turn is not None and turn.extra,
        phase=phase.name if phase is not None else "",
        step=step.name if step is not None else "",
        iteration=step.iteration if step is not None else 0,
        extra_phase=phase is not None and phase.extra,
        extra_step=step is not None and step.extra,
        phase_id=phase.id if phase is not None else 0,
        step_id=step.id if step is not None else 0,
    )
