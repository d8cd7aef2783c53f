"""Conformance: check whether a log is a run of a Model or machine, and if not, what would explain
it.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from fsm.adapters import is_machine
from fsm.conformance.following import Follower
from fsm.conformance.recordings import open_log
from fsm.conformance.rows import Conformance, Mismatch
from fsm.model.model import ModelLike, as_model

__all__ = ["Conformance", "Mismatch", "conform"]


def conform(
    model: ModelLike | Any, log: str | Path, *, allow: Iterable[str] = (), key: str = "machine"
) -> Conformance:
    """Check whether a log is a run: of a game's Model, or of any machine of the `transitions`
    library. It is followed up to the first row that does not agree.

    Parameters
    ----------
    model
        The model, or a machine. Nothing of the machine is called.
    log
        The path of a recorded game: a client's log, a trace, or JSON Lines with one object for each
        step. Of a machine, or a Model without steps: JSON Lines with one object for each event.
    allow
        For a game: the layers whose effects it may have had: "extra", "skip", "jump".
    key
        For a machine: the key that tells one machine from another.

    Returns
    -------
    Conformance
        The result. `ok` says whether the log is a run, and `refusal` what is first none.

    Raises
    ------
    FsmError
        If a layer cannot be allowed.
    LogError
        If the log cannot be read or has no event, or if the machine has parallel states.
    TraceError
        If a trace cannot be read.
    """
    known: Any = model if is_machine(model) else as_model(model)
    if is_machine(model) or not known.of_kind("step"):
        from fsm.conformance.machinelogs import follow_machine

        return follow_machine(known, log, key=key)
    follower = Follower(open_log(log, known), known, allow)
    for _, turn in follower:
        follower.result.visits += turn.visits
    return follower.result
