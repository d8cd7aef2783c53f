"""The one function that checks a record: observations of a game, or the log of a machine."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any, overload

from fsm.adapters import is_machine
from fsm.conformance.following import Conformance, conform_game
from fsm.conformance.machinelogs import LogConformance, conform_log
from fsm.conformance.observations import Observation
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
    model: ModelLike | Any, record: str | Path, *, key: str = "machine"
) -> LogConformance: ...


def conform(
    model: ModelLike | Any,
    record: Iterable[Observation] | str | Path,
    *,
    allow: Iterable[str] = (),
    explain: bool = True,
    key: str = "machine",
) -> Conformance | LogConformance:
    """Check whether a record is a run: of a game's Model, or of any machine of the `transitions`
    library.

    Parameters
    ----------
    model
        The model. For a log, it may also be a machine. Nothing of the machine is called.
    record
        What was seen of a game, in order, or the path of a log: JSON Lines with one object for each
        event of the machine.
    allow
        For a game: the layers whose effects it may have had: "extra", "skip", "jump".
    explain
        For a game: whether to search for effects that would explain a refusal.
    key
        For a log: the key that tells one machine from another.

    Returns
    -------
    Conformance or LogConformance
        The result. `ok` says whether the record is a run, and `refusal` what is first none.

    Raises
    ------
    FsmError
        If a layer cannot be allowed.
    LogError
        If the log cannot be read or has no event, or if the machine has parallel states.
    """
    if not isinstance(record, str | Path):
        return conform_game(model, record, allow=allow, explain=explain)
    return conform_log(model if is_machine(model) else as_model(model), record, key=key)
