"""The contents of a report: models, each with its coverage by some criteria, and totals."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace

from fsm.coverage.allowing import AllowedList
from fsm.coverage.data import Data
from fsm.coverage.evidence import subjects_for
from fsm.coverage.grouping import recorded_in
from fsm.coverage.measuring import covered
from fsm.coverage.subjects import Subject
from fsm.coverage.target import Coverage, Key, Result, Target
from fsm.errors import CoverageError
from fsm.model import Model
from fsm.rulesets import load, names

ALL = ("", "all")
"""The words for everything that was recorded."""


def results_of(
    data: Data,
    models: Sequence[tuple[str, Model]],
    criteria: Sequence[str],
    allowed: AllowedList,
) -> list[Result]:
    """Return the results for these models, given by name, or for all recorded models if none are
    given.

    The latter are sorted by the number of recorded firings.
    `allowed` are the targets that may be missing. Raises CoverageError if a criterion is unknown. A
    criterion with too many targets is `refused` in the result.
    """
    if models:
        return [_result(name, model, data, criteria, allowed) for name, model in models]
    found = []
    for one in recorded_in(data):
        [subject] = one.data.seen
        name = one.label if subject.place else called(subject)
        found.append(_result(name, one.model, one.data, criteria, allowed, one.names))
    return sorted(found, key=lambda result: (-result.firings, result.name))


def called(subject: Subject) -> str:
    """Return the name of a plain machine with its place, or of a ruleset with the options that are
    not usual.
    """
    name, _, query = subject.name.partition("?")
    if subject.place or not query:
        return subject.label
    options = load(name).options if name in names() else {}  # data must name no code
    usual = [f"{option}={value}" for option, value in options.items()]
    own = [option for option in query.split("&") if option not in usual]
    return f"{name}?{'&'.join(own)}" if own else name


def _result(
    name: str,
    model: Model,
    data: Data,
    criteria: Sequence[str],
    allowed: AllowedList,
    known_as: frozenset[str] = frozenset(),
) -> Result:
    coverages, refused = list[Coverage](), dict[str, str]()
    for criterion in criteria:
        try:
            found = covered(model, criterion, data)
            coverages.append(replace(found, allowed=allowed.of(known_as | {name}, found)))
        except CoverageError as error:
            refused[criterion] = str(error)
    own = subjects_for(model, data)
    place = next((subject.place for subject in own if subject.place), "")
    firings = sum(data.seen[subject].firings for subject in own)
    return Result(name, model, tuple(coverages), refused, firings, place, known_as | {name})


# totals -------------------------------------------------------------------------------------------


def total_of(coverages: Iterable[Coverage]) -> tuple[int, int]:
    """Return how many targets were taken, and how many count: those that were taken and those that
    are missing.
    """
    found = tuple(coverages)
    return sum(len(c.covered) for c in found), sum(c.asked for c in found)


def criteria_of(results: Iterable[Result]) -> list[str]:
    """Return the criteria of these results in their order, with those that cannot be measured last
    for each machine.
    """
    found = [name for r in results for name in (*[c.criterion for c in r.coverages], *r.refused)]
    return list(dict.fromkeys(found))


def own_missing(result: Result, coverage: Coverage) -> list[Target]:
    """Return the missing targets of a criterion that do not need a transition that is missing
    itself.
    """
    if coverage.criterion == "transitions":
        return [*coverage.missing]
    transitions = result.by("transitions")
    gone = {target.key for target in transitions.missing} if transitions else set()
    return [target for target in coverage.missing if not _goes_with(target, gone)]


def _goes_with(target: Target, gone: Collection[Key]) -> bool:
    """Whether this target can be taken only by transitions that are missing themselves."""
    if target.id.endswith((" fails", " does not fire")):
        return False
    ids = re.split(" where | needs: ", target.id)[0].split(" ; ")
    return any((target.machine, id) in gone for id in ids)
