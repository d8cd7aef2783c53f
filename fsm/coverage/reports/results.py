"""The contents of a report: models, each with its coverage by some criteria."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from fsm.coverage.allowing import Allowed, allowed_of
from fsm.coverage.criteria import covered
from fsm.coverage.data import Data, Subject
from fsm.coverage.evidence import subjects_for
from fsm.coverage.growing import contains
from fsm.coverage.recorded import built_in_called
from fsm.coverage.subjects import recorded_in
from fsm.coverage.subjects import unknown_in as subjects_unknown
from fsm.coverage.target import Coverage, Result
from fsm.errors import CoverageError
from fsm.model import Model
from fsm.model.graph import graphs_of

ALL = ("", "all")
"""The words for everything that was recorded."""


def results_of(
    data: Data,
    models: Sequence[tuple[str, Model]],
    criteria: Sequence[str],
    allowed: Sequence[Allowed] = (),
) -> tuple[Result, ...]:
    """Return the results for these models, given by name, or for all recorded models if none are
    given.

    The latter are sorted by the number of recorded firings, and left out if their model is unknown.
    `allowed` are the targets that may be missing. Raises CoverageError if a criterion is unknown. A
    criterion with too many targets is `refused` in the result.
    """
    if models:
        return tuple(
            _result(name, _as_recorded(model, data), data, criteria, allowed)
            for name, model in models
        )
    found = []
    for one in recorded_in(data):
        [subject] = one.data.seen
        name = one.label if subject.place else called(subject)
        found.append(_result(name, one.model, one.data, criteria, allowed, one.names))
    return tuple(sorted(found, key=lambda result: (-result.firings, result.name)))


def unknown_in(data: Data) -> tuple[str, ...]:
    """Return the names of recorded models that cannot be reported: they are neither in the data nor
    built in.
    """
    return tuple(sorted(map(called, subjects_unknown(data))))


def called(subject: Subject) -> str:
    """Return the name of a plain machine with its place, or of a ruleset with the options that are
    not usual.
    """
    if subject.place:
        return subject.label
    name, _, query = subject.name.partition("?")
    model = built_in_called(name)
    usual = (
        {f"{option}={value}" for option, value in model.options.items()}
        if model is not None
        else set()
    )
    own = [option for option in query.split("&") if option and option not in usual]
    return f"{name}?{'&'.join(own)}" if own else name


def _as_recorded(model: Model, data: Data) -> Model:
    """Return a plain machine's Model with what was added to the machine while it was recorded."""
    if graphs_of(model)[0].played:
        return model
    grown = (
        one.model
        for one in recorded_in(data)
        if subjects_for(model, one.data) and contains(one.model, model)
    )
    return next((found for found in grown if not contains(model, found)), model)


def _result(
    name: str,
    model: Model,
    data: Data,
    criteria: Sequence[str],
    allowed: Sequence[Allowed],
    names: frozenset[str] = frozenset(),
) -> Result:
    coverages, refused = list[Coverage](), dict[str, str]()
    for criterion in criteria:
        try:
            found = covered(model, criterion, data)
            coverages.append(replace(found, allowed=allowed_of(allowed, names | {name}, found)))
        except CoverageError as error:
            refused[criterion] = str(error)
    own = {subject: data.seen[subject] for subject in subjects_for(model, data)}
    place = next((subject.place for subject in own if subject.place), "")
    return Result(name, model, tuple(coverages), refused, Data(own).firings, place, names | {name})
