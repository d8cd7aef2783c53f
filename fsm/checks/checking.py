"""Checks of a Model: states where a run stops, transitions that never fire, and unused elements.

    findings = check(model)

Guards are conjunctions of facts. The checks solve over the facts involved and do not sample. `fsm
check` prints the findings; `docs/checking.md` explains each kind.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from os import PathLike, fspath
from typing import Any

from msgspec.structs import replace

from fsm.adapters import machine_behind
from fsm.checks.finding import Allowance, Finding, Kind, Report
from fsm.checks.plain import plain
from fsm.checks.rulebook import holds, notes_of
from fsm.checks.structure import played
from fsm.engine.controller import TurnController
from fsm.errors import AnswerError, RulesetError, StuckError
from fsm.model import Model
from fsm.model.graph import graphs_of
from fsm.model.model import ModelLike, as_model
from fsm.rulesets import BUILT_IN, machine_of
from fsm.state.primitives import misused_primitives

CAUSES: frozenset[Kind] = frozenset({"dead end", "gap"})
CONSEQUENCES: frozenset[Kind] = frozenset(
    {"unreachable", "disconnected", "never fires", "irregular", "no way out"}
)
"""What is left out as long as there is a cause: it goes with the cause, or shows again."""


def check(model: ModelLike, allow: Iterable[Allowance] | None = None) -> list[Finding]:
    """Check a model and its window.

    Parameters
    ----------
    model
        What to check: a Model, a Table or a machine of the `transitions` library, or the
        specification of one, such as a name.
    allow
        Findings that are intended. If None, the allowances beside the file or the built-in ruleset
        are used.

    Returns
    -------
    list of Finding
        The findings that are not allowed. The list is empty if nothing is wrong. An allowance that
        matches no finding is a finding itself. A table that cannot be built has a finding for each
        problem.

    Raises
    ------
    FsmError
        If there is no such ruleset, or if the allowances cannot be read.
    """
    return list(report(model, allow).findings)


def report(model: ModelLike, allow: Iterable[Allowance] | None = None) -> Report:
    """Check a model and its window, and also return the findings that are allowed.

    The parameters and errors are those of `check`.

    Returns
    -------
    Report
        The findings, and the allowed findings with the reason for each.
    """
    try:
        built = as_model(model)
    except RulesetError as error:
        if not error.problems:
            raise
        return _cannot_start(error.problems)
    problems = [*misused_primitives(built)] or [*_read_too_soon(built)] if built.played else []
    if problems:
        return _cannot_start(problems, built)
    spec = fspath(model) if isinstance(model, str | PathLike) else ""
    machine = machine_of(spec) if spec else machine_behind(model)
    if allow is None:
        shipped = built.name if built.name in BUILT_IN else ""
        allow = notes_of(spec or shipped).allow
    return _report(built, machine, [one for one in allow if holds(one.when, built)])


def _report(model: Model, machine: Any, allow: Sequence[Allowance]) -> Report:
    found = list[Finding]()
    allowed = list[tuple[Finding, str]]()
    findings = list[Finding]()
    for graph in graphs_of(model):
        wrong = played(graph) if graph.played else plain(graph, machine)
        own = [replace(one, machine=graph.name) for one in wrong]
        for finding in own:
            allowed += [(finding, one.why) for one in allow if one.fits(finding)][:1]
        meant = dict(allowed)
        kept = [one for one in own if one not in meant]
        findings += consolidated(own, kept) if graph.played else kept
        found += own
    following = len(found) - len(allowed) - len(findings)
    idle = [_idle(one) for one in allow if not any(map(one.fits, found))]
    return Report((*findings, *idle), tuple(allowed), following, model)


def _cannot_start(problems: Iterable[str], model: Model | None = None) -> Report:
    findings = [Finding("cannot start", one.split(";")[0], one) for one in problems]
    return Report(tuple(findings), model=model)


def _read_too_soon(model: Model) -> Iterator[str]:
    """Find a fact that is read before anything is asked, so that nobody can have told it."""
    try:
        TurnController(model, ("A", "B"))
    except StuckError:
        return  # other findings say where
    except AnswerError as error:
        words = f"the fact {error.found!r} is read before anything is asked"
        yield f"{words}; read it after an action, or begin with StartAt(STEP, facts=...)"


def _idle(allowance: Allowance) -> Finding:
    subject = f"{allowance.kind} at {allowance.subject}"
    words = f"{allowance.kind!r} at {allowance.subject!r} is allowed, and there is no such finding"
    return Finding("idle allowance", subject, f"{words}; take the allowance away")


def consolidated(found: Sequence[Finding], kept: Iterable[Finding]) -> Iterator[Finding]:
    """Yield those findings of one machine that are kept, without what may follow from others that
    were found, and propose the row that is missing.
    """
    causes = [one for one in found if one.kind in CAUSES]
    lost = [one.state for one in found if one.kind == "unreachable"]
    for one in kept:
        if causes and (one.kind in CONSEQUENCES or one.subject.startswith("fact ")):
            continue
        if causes == [one] and len(lost) == 1 and "add row" not in one.message:
            one = _with_row(one, lost[0])
        yield one


def _with_row(cause: Finding, target: str) -> Finding:
    """Add to the only cause the row that leads to the only states to which nothing leads."""
    event = "" if cause.event == "done" else f", event={cause.event!r}"
    row = f"row({cause.state!r}, {target!r}{event})"
    return replace(cause, message=f"{cause.message}, and nothing leads to {target!r}; add {row}")
