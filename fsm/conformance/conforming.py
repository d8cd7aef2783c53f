"""The one function that checks a record: observations of a game, or the log of a machine."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any, overload

from fsm.adapters import is_machine
from fsm.conformance.following import Conformance, conform_game
from fsm.conformance.observations import Observation
from fsm.coverage.logs.covering import Followed
from fsm.coverage.logs.following import LogConformance, LogFollower
from fsm.coverage.logs.records import LogKeys, MachineLog
from fsm.model.likeness import ModelLike, as_model


@overload
def conform(
    model: ModelLike,
    record: Iterable[Observation],
    *,
    allow: Iterable[str] = (),
    explain: bool = True,
) -> Conformance: ...


@overload
def conform(
    model: ModelLike | Any,
    record: str | Path,
    *,
    keys: LogKeys | None = None,
    unseen: Iterable[str] = (),
    only: Iterable[str] = (),
    starts: Iterable[str] = (),
    refusals: int = 1,
) -> LogConformance: ...


def conform(
    model: ModelLike | Any,
    record: Iterable[Observation] | str | Path,
    *,
    allow: Iterable[str] = (),
    explain: bool = True,
    keys: LogKeys | None = None,
    unseen: Iterable[str] = (),
    only: Iterable[str] = (),
    starts: Iterable[str] = (),
    refusals: int = 1,
) -> Conformance | LogConformance:
    """Check whether a record is a run: of a game's Model, or of any machine of the `transitions`
    library.

    Parameters
    ----------
    model
        The model. For a log, it may also be a machine. Nothing of the machine is called.
    record
        What was seen of a game, in order, or the path of a log: JSON Lines with one object for each
        event.
    allow
        For a game: the layers whose effects it may have had: "extra", "skip", "jump".
    explain
        For a game: whether to search for effects that would explain a refusal.
    keys
        For a log: its keys. See `LogKeys`.
    unseen, only
        For a log: the events that it does not record, or those that alone it records. "*" stands
        for all events.
    starts
        For a log: the states in which runs may start; "any" for all. By default a run starts where
        the log says, or in the initial state.
    refusals
        For a log: after this many refusals nothing more is read. 0 means that everything is read.

    Returns
    -------
    Conformance or LogConformance
        The result. `ok` says whether the record is a run, and `refusal` what is first none.

    Raises
    ------
    FsmError
        If a layer cannot be allowed.
    LogError
        If the log cannot be read, or names of events and states are unknown.
    """
    if not isinstance(record, str | Path):
        return conform_game(model, record, allow=allow, explain=explain)
    bare = Followed.of(model if is_machine(model) else as_model(model)).bare
    return LogFollower(bare, unseen=unseen, only=only, starts=starts, refusals=refusals).follow(
        MachineLog.open(record, keys)
    )
