"""The one function that checks a record: of a game, or of a machine."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any, overload

from fsm.adapters import is_machine
from fsm.conformance.following import Conformance, Follower
from fsm.conformance.machinelogs import LogConformance, conform_log
from fsm.conformance.recordings import followed, open_recording
from fsm.conformance.rows import Observation
from fsm.model.likeness import ModelLike, as_model
from fsm.runs.visits import visits_of


@overload
def conform(
    model: ModelLike, record: Iterable[Observation] | str | Path, *, allow: Iterable[str] = ()
) -> Conformance: ...


@overload
def conform(model: Any, record: str | Path, *, key: str = "machine") -> LogConformance: ...


def conform(
    model: ModelLike | Any,
    record: Iterable[Observation] | str | Path,
    *,
    allow: Iterable[str] = (),
    key: str = "machine",
) -> Conformance | LogConformance:
    """Check whether a record is a run: of a game's Model, or of any machine of the `transitions`
    library. It is followed up to the first observation or row that does not agree.

    Parameters
    ----------
    model
        The model, or a machine. Nothing of the machine is called.
    record
        The path of a recorded game: a client's log, a trace, or JSON Lines with one object for each
        step. Of a machine, or a Model without steps: JSON Lines with one object for each event.
    allow
        For a game: the layers whose effects it may have had: "extra", "skip", "jump".
    key
        For a machine: the key that tells one machine from another.

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
    known: Any = model if is_machine(model) else as_model(model)
    if isinstance(record, str | Path) and (is_machine(model) or not known.of_kind("step")):
        return conform_log(known, record, key=key)
    follower = Follower(known, allow=allow)
    if isinstance(record, str | Path):
        fired = followed(open_recording(record, known), follower)
    else:
        fired = follower.follow(record)
    follower.result.records = [one for _, one in fired]
    follower.result.visits = list(visits_of(follower.result.records, known))
    return follower.result
