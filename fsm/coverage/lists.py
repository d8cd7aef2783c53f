"""What every report in words has: a table of the machines, and lists of what is missing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from fsm.coverage.target import Coverage, Result, Target, percent, total_of
from fsm.coverage.ways import way_text, way_to
from fsm.model.graph import Arc
from fsm.wording import citation

STATES = 5
"""At most this many states of a path are written."""
FAR = 10**6
"""What no way leads to comes last."""


def table(results: Sequence[Result], most: int) -> list[list[str]]:
    """Return the cells of the table: a head, the first machines, and the total if there are several
    machines.
    """
    names = list[str]()
    for result in results:
        names += [*(coverage.criterion for coverage in result.coverages), *result.refused]
    names = list(dict.fromkeys(names))
    rows = [["", *names]]
    rows += [[result.name, *_cells([result], names)] for result in results[:most]]
    if len(results) > 1:
        rows.append(["total", *_cells(results, names)])
    return rows


def _cells(results: Sequence[Result], names: Iterable[str]) -> Iterator[str]:
    for name in names:
        known = [coverage for result in results if (coverage := result.by(name)) is not None]
        total = total_of(known)
        share = f"{percent(total.share):>5}"
        yield f"{total.taken}/{total.asked} {share}" if known else "refused"


class Missing(NamedTuple):
    """What is missing of one criterion: a line that counts it, the nearest targets, each with a way
    to it or "", and how many more there are.
    """

    head: str
    targets: list[tuple[str, str]]
    left: int


def missing_in(result: Result, most: int) -> Iterator[Missing]:
    """Yield what is missing, with so many targets at most of each criterion."""
    for coverage in result.coverages:
        own = _own_missing(result, coverage)
        ways = {target.key: way_to(result.model, target) for target in own}
        own.sort(key=lambda target: len(ways[target.key]) or FAR)
        if coverage.missing:
            items = [_item(result, target, ways[target.key]) for target in own[:most]]
            yield Missing(_head(result, coverage, len(own)), items, len(own[most:]))


def _own_missing(result: Result, coverage: Coverage) -> list[Target]:
    """Leave out the targets that need a transition that is missing itself."""
    transitions = result.by("transitions")
    if transitions is None or transitions is coverage:
        return [*coverage.missing]
    gone, found = {target.key for target in transitions.missing}, list[Target]()
    for target in coverage.missing:
        needs = [(target.machine, id) for id in target.rows if target.fires]
        if gone.isdisjoint(needs):
            found.append(target)
    return found


def _head(result: Result, coverage: Coverage, own: int) -> str:
    taken, missing = len(coverage.covered), len(coverage.missing)
    head = f"{result.name}: {taken} of {coverage.asked} {coverage.criterion}; missing: {missing}"
    others = missing - own
    return f"{head} ({others} of them through transitions that are not taken)" if others else head


def _item(result: Result, target: Target, way: Sequence[Arc]) -> tuple[str, str]:
    window = "in the window: " if target.machine == "window" else ""
    text = f"{window}{target.id}{citation(target.rule)}"
    return text, way_text(result.model, way, STATES)
