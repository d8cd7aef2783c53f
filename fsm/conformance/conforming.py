"""The one function that checks a log: of games, or of machines."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice
from pathlib import Path
from typing import Any

from fsm.adapters import is_machine
from fsm.conformance.clientlogs import client_rows
from fsm.conformance.following import Conformance, Follower
from fsm.conformance.linelogs import Names, line_rows
from fsm.conformance.machinelogs import follow_machine
from fsm.conformance.rows import Log
from fsm.conformance.tracelogs import read_trace, sides_of, trace_rows
from fsm.files import file_lines, parse_json
from fsm.model import Model
from fsm.model.model import ModelLike, as_model
from fsm.runs.visits import visits_of

LINES_EXAMINED = 1000
"""At most this many lines are read to detect the recorder."""
FIELDS = frozenset({"turn", "player", "phase", "step"})


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
    """
    known: Any = model if is_machine(model) else as_model(model)
    if is_machine(model) or not known.of_kind("step"):
        return follow_machine(known, log, key=key)
    follower = Follower(open_log(log, known), known, allow)
    follower.result.records = [record for _, record in follower]
    follower.result.visits = list(visits_of(follower.result.records, known))
    return follower.result


def open_log(path: str | Path, model: Model, names: Names | None = None) -> Log:
    """Return the log of games in this file. With `names`, it has lines of any program. Else the
    first line that shows the recorder decides, and the default is the client.

    Raises LogError, also while its rows are read.
    """
    log = Log(path)
    recorder = "lines" if names is not None else _recorder(log.path)
    if recorder == "trace":
        log.trace = read_trace(log.path)
        log.read = len(log.trace.entries) + 1
        log.game.players = [", ".join(side) for side in sides_of(log.trace.head)]
        log.game.named = True
        log.rows = trace_rows(log, log.trace)
    elif recorder == "lines":
        log.rows = line_rows(log, model, names or Names())
    else:
        log.rows = client_rows(log)
    return log


def _recorder(path: Path) -> str:
    for line in islice(file_lines(path), LINES_EXAMINED):
        text = (line or b"").decode("utf-8-sig", "replace").strip()
        try:
            data = parse_json(text) if text.startswith("{") else {}
        except ValueError:
            continue
        if "greToClientEvent" in data:
            break
        if data.get("is") == "GameHeader":
            return "trace"
        if len(FIELDS & data.keys()) >= 2 or isinstance(data.get("players"), list):
            return "lines"
    return "client"
