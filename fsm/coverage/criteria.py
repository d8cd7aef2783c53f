"""The criteria by name, and how a model's coverage is measured by one."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Protocol

from fsm.coverage.data import Data
from fsm.coverage.evidence import Evidence, evidence_of
from fsm.coverage.paths import RoundTrips, Switches
from fsm.coverage.primes import PrimePaths, check_part
from fsm.coverage.simple import Literals, Refusals, Rules, States, Takes, Transitions
from fsm.coverage.target import Coverage, Key, Target
from fsm.errors import CoverageError, suggest
from fsm.model import Model
from fsm.model.graph import Graph, graphs_of


class Criterion(Protocol):
    """A criterion: what it asks for, and what of it was taken."""

    def targets(self, graph: Graph) -> Iterator[Target]:
        """What it asks of one machine."""

    def taken(self, evidence: Evidence) -> Takes:
        """How often each target was taken, by its id and the context."""


_NAMED: dict[str, Criterion] = {
    "states": States(),
    "transitions": Transitions(),
    "literals": Literals(),
    "pairs": Switches(1),
    "2-switch": Switches(2),
    "round-trips": RoundTrips(),
    "prime-paths": PrimePaths(""),
    "rules": Rules(),
    "refusals": Refusals(),
}


def criteria() -> tuple[str, ...]:
    """The names of the criteria. Also understood: "3-switch" and so on, "prime-paths:PART" (a phase, "glance"...)."""
    return tuple(_NAMED)


def criterion(name: str) -> Criterion:
    """The criterion of this name. Raises CoverageError when there is none."""
    if name in _NAMED:
        return _NAMED[name]
    switch = re.fullmatch(r"(\d{1,2})-switch", name)
    if switch:
        return Switches(int(switch[1]))
    kind, colon, part = name.partition(":")
    if kind == "prime-paths" and colon:
        return PrimePaths(part)
    raise CoverageError(f"criterion {name!r} is unknown{suggest(name, _NAMED)}")


def targets(model: Model, criterion: str, *, starts: frozenset[str] = frozenset()) -> tuple[Target, ...]:
    """All that a criterion asks of a model, turn and window, in the model's order; what cannot be taken is marked.

    `starts`: states in which runs begin besides the initial one, as where objects of a machine of the `transitions`
    library are restored or put into a state: what can be reached from there is possible. Raises CoverageError when
    there is no such criterion, or it has too many targets here.
    """
    return model.kept(("targets", criterion, starts), lambda: _targets(model, criterion, starts))


def covered(model: Model, criterion: str, data: Data, context: str | None = None) -> Coverage:
    """What of it was taken, by the data; with `context`, in that test alone. Raises CoverageError as `targets`."""
    found, notes = evidence_of(model, data)
    starts = found[0].graph.starts
    asked = targets(model, criterion, starts=starts)
    known = {target.key for target in asked}
    if starts and sum(bool(t.infeasible) for t in targets(model, criterion)) > sum(bool(t.infeasible) for t in asked):
        notes = (*notes, f"runs began in {_few(sorted(starts))}, too: so what can be reached from there is possible")
    taken: dict[Key, int] = {}
    by: dict[Key, dict[str, int]] = {}
    for evidence in found:
        for (id, where), count in _criterion(criterion).taken(evidence).items():
            key = (evidence.graph.name, id)
            if key in known and context in (None, where):
                taken[key] = taken.get(key, 0) + count
                by.setdefault(key, {})[where] = count
    return Coverage(criterion, asked, taken, by, notes)


_criterion = criterion


def _few(names: Sequence[str], most: int = 3) -> str:
    """Some names; of many the first."""
    return ", ".join(names[:most]) + (f" and {len(names) - most} more" if len(names) > most else "")


def _targets(model: Model, name: str, starts: frozenset[str]) -> tuple[Target, ...]:
    graphs, found = graphs_of(model, starts=starts), criterion(name)
    if isinstance(found, PrimePaths):
        check_part(graphs, found.part)
    return tuple(target for graph in graphs for target in found.targets(graph))
