"""The contents of a report: models, each with its coverage by some criteria."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from fsm.coverage.allowing import Lists, allowed_of
from fsm.coverage.data import Data
from fsm.coverage.evidence import subjects_for
from fsm.coverage.grouping import recorded_in
from fsm.coverage.measuring import covered
from fsm.coverage.subjects import Subject
from fsm.coverage.target import Coverage, Result
from fsm.errors import CoverageError
from fsm.model import Model
from fsm.rulesets import load, names

ALL = ("", "all")
"""The words for everything that was recorded."""


def results_of(
    data: Data, models: Sequence[tuple[str, Model]], criteria: Sequence[str], allowed: Lists
) -> list[Result]:
    """Return the results for these models, given by name, or for all recorded models if none are
    given.

    The latter are sorted by the number of recorded firings.
    `allowed` are the targets that may be missing. Raises CoverageError if a criterion is unknown. A
    criterion with too many targets is `refused` in the result.
    """
    if models:
        named = [_measured(name, model, data, criteria) for name, model in models]
        return [_excused(result, allowed) for result in named]
    found = list[Result]()
    for one in recorded_in(data):
        [subject] = one.data.seen
        name = one.label if subject.place else called(subject)
        result = _measured(name, one.model, one.data, criteria)
        found.append(_excused(replace(result, names=one.names | {name}), allowed))
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


def _measured(name: str, model: Model, data: Data, criteria: Sequence[str]) -> Result:
    coverages, refused = list[Coverage](), dict[str, str]()
    for criterion in criteria:
        try:
            coverages.append(covered(model, criterion, data))
        except CoverageError as error:
            refused[criterion] = str(error)
    own = subjects_for(model, data)
    place = next((subject.place for subject in own if subject.place), "")
    firings = sum(data.seen[subject].firings for subject in own)
    return Result(name, model, tuple(coverages), refused, firings, place, frozenset({name}))


def _excused(result: Result, allowed: Lists) -> Result:
    """Return the result with what may be missing."""
    coverages = list[Coverage]()
    for coverage in result.coverages:
        excused = allowed_of(allowed, result.names, coverage)
        coverages.append(replace(coverage, allowed=excused))
    return replace(result, coverages=tuple(coverages))
