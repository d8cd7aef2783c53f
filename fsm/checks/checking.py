"""Static checks of a Model: states where a run stops, transitions that never fire, and unused
elements.

    findings = check(model)

Guards are conjunctions of facts. The checks solve over the facts involved and do not sample. `fsm
check` prints the findings; `docs/checking.md` explains each kind.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from fsm.checks.finding import Allowance, Finding, Kind, Report, divided
from fsm.engine.controller import TurnController
from fsm.errors import AnswerError, RulesetError, StuckError
from fsm.model import Model
from fsm.model.model import ModelLike, as_model
from fsm.state.primitives import misused_primitives

if TYPE_CHECKING:
    import transitions

    from fsm.model.graph import Graph

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
        What to check: a Model or a Table, or the specification of one, such as a name.
    allow
        Findings that are intended. If None, the allowances that are shipped with a built-in ruleset
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
    from fsm.checks.rulebook import notes_of

    try:
        built = as_model(model)
    except RulesetError as error:
        if not error.problems:
            raise
        return list(map(cannot_start, error.problems))
    if allow is None and isinstance(model, str):
        allow = notes_of(model).allowances(built)
    return list(report(built, allow).findings)


def cannot_start(problem: str) -> Finding:
    """Return the finding for a problem, in words, with which no machine can be built."""
    return Finding("cannot start", problem.split(";")[0], problem)


def _read_too_soon(model: Model) -> Iterator[str]:
    """Find a fact that is read before anything is asked, so that nobody can have told it."""
    try:
        TurnController(model, ("A", "B"))
    except StuckError:
        return  # other findings say where
    except AnswerError as error:
        words = f"the fact {error.found!r} is read before anything is asked"
        yield f"{words}; read it after an action, or begin with StartAt(STEP, facts=...)"


def report(
    model: Model,
    allow: Iterable[Allowance] | None = None,
    *,
    machine: transitions.Machine | None = None,
) -> Report:
    """Check a model and its window, and also return the findings that are allowed.

    Parameters
    ----------
    model
        The Model to check.
    allow
        Findings that are intended. If None, the allowances that are shipped with a built-in ruleset
        are used.
    machine
        The machine of the `transitions` library from which the Model was made, if there is one.

    Returns
    -------
    Report
        The findings, and the allowed findings with the reason for each.

    Raises
    ------
    FsmError
        If the shipped allowances cannot be read.
    """
    from fsm.checks.rulebook import shipped_notes
    from fsm.model.graph import graphs_of

    problems = [*misused_primitives(model)] or [*_read_too_soon(model)] if model.played else ()
    if problems:
        return Report(tuple(map(cannot_start, problems)))
    found = list[Finding]()
    graphs = graphs_of(model)
    for graph in graphs:
        found += [replace(one, machine=graph.name) for one in _findings(graph, machine)]
    allow = shipped_notes(model).allowances(model) if allow is None else allow
    kept, allowed, idle = divided(found, allow)
    findings = list[Finding]()
    for graph in graphs:
        here = [one for one in kept if one.machine == graph.name]
        meant = [one for one, _ in allowed if one.machine == graph.name]
        findings += consolidated(here, meant) if graph.played else here
    return Report((*findings, *idle), tuple(allowed), len(kept) - len(findings))


def _findings(graph: Graph, machine: Any) -> Iterator[Finding]:
    from fsm.checks import plain, structure, uses
    from fsm.checks.feasible import feasible_of

    if not graph.played:
        yield from plain.plain(graph, machine)
        return
    yield from structure.unreachable(graph.model, feasible_of(graph).reached)
    yield from structure.no_way_out(graph.model)
    for find in (
        *(structure.dead_ends, structure.undecided, structure.never_taken, structure.disconnected),
        *(uses.irregular, uses.unused, uses.citations),
    ):
        yield from find(graph)


def consolidated(found: list[Finding], allowed: list[Finding]) -> list[Finding]:
    """Leave out the findings of one machine that may follow from others, or from what is allowed,
    and propose the row that is missing.
    """
    causes = [one for one in (*found, *allowed) if one.kind in CAUSES]
    lost = [one.state for one in found if one.kind == "unreachable"]
    kept = list[Finding]()
    for one in found:
        if causes and (one.kind in CONSEQUENCES or one.subject.startswith("fact ")):
            continue
        if causes == [one] and len(lost) == 1 and "add row" not in one.message:
            one = _with_row(one, lost[0])
        kept.append(one)
    return kept


def _with_row(cause: Finding, target: str) -> Finding:
    """Add to the only cause the row that leads to the only states to which nothing leads."""
    event = "" if cause.event == "done" else f", event={cause.event!r}"
    row = f"row({cause.state!r}, {target!r}{event})"
    return replace(cause, message=f"{cause.message}, and nothing leads to {target!r}; add {row}")
