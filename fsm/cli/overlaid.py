"""Makes the overlay of a picture from the options of `fsm draw`."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING

import click

from fsm.engine.trace import Trace
from fsm.errors import TraceError, suggest
from fsm.files import regular
from fsm.model import Model

if TYPE_CHECKING:
    from fsm.views.draw import Shown
    from fsm.views.overlays import Counts, Now


def check_one_overlay(**given: str | None) -> None:
    """Raise BadParameter if more than one of these options is given."""
    names = [f"--{name}" for name, value in given.items() if value is not None]
    if len(names) > 1:
        raise click.BadParameter(
            f"a picture shows {' or '.join(names)}, not both", param_hint=names[0]
        )


def with_overlay(
    shown: Shown,
    ruleset: str,
    model: Model,
    *,
    trace: str | None,
    coverage: str | None,
    at: str | None,
    against: str | None,
) -> Shown:
    """Return what is shown, with the overlay that is asked for. Raises BadParameter for an unknown
    state and TraceError for a wrong file.
    """
    from fsm import rulesets

    if trace is not None:
        return replace(shown, trace=_trace(trace, model).records)
    if coverage is not None:
        return replace(shown, counts=_counts(_trace(coverage, model)))
    if at is not None:
        return replace(shown, now=_standing(model, at))
    if against is not None:
        other = rulesets.load(against, machines=True)
        return replace(shown, against=other, names=(against, ruleset))
    return shown


def read_trace(path: str) -> Trace:
    """Return the trace in a file. Raises TraceError, which names the file."""
    try:
        with open(path, encoding="utf-8", errors="replace", opener=regular) as lines:
            return Trace.read(lines)
    except TraceError as error:
        raise TraceError(f"{path}: {error}", line=error.line) from None


def _trace(path: str, model: Model) -> Trace:
    """Return the trace in a file, which must be of this model."""
    trace = read_trace(path)
    if trace.head.fingerprint != model.fingerprint:
        raise TraceError(
            f"{path} is a trace of {trace.head.model} {trace.head.fingerprint}, not of {model.name} "
            f"{model.fingerprint}: name the ruleset that it was made with"
        )
    return trace


def _counts(trace: Trace) -> Counts:
    from fsm.views.overlays import Counts

    found = {"turn": Counter[str](), "window": Counter[str]()}
    for record in trace.records:
        found[record.machine][record.transition] += 1
    return Counts(**found)


def _standing(model: Model, at: str) -> Now:
    """Return a state of the turn or, after a slash, of its window: "upkeep_window/priority"."""
    from fsm.views.overlays import Now

    state, _, frame = at.partition("/")
    here = _leaf(model, state)
    if frame and model.window is not None:
        _leaf(model.window, frame)
    elif frame:
        raise click.BadParameter(
            f"{model.name} has no window; leave out {'/' + frame!r}", param_hint="--at"
        )
    return Now(here, frame)


def _leaf(model: Model, id: str) -> str:
    known = [state.id for state in model.leaves]
    if id not in known:
        raise click.BadParameter(
            f"{id!r} is not a state of {model.name}{suggest(id, known)}", param_hint="--at"
        )
    return id
