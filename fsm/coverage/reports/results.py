"""The contents of a report: models, each with its coverage by some criteria."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from fsm.coverage.allowing import Allowed, allowed_of
from fsm.coverage.criteria import covered
from fsm.coverage.data import Data, Subject, subject_of
from fsm.coverage.extension import extension
from fsm.coverage.recorded import model_in
from fsm.coverage.target import Coverage, Result
from fsm.errors import CoverageError, ModelError
from fsm.model import Model

ALL = ("", "all")
"""The words for everything that was recorded."""


def results_of(
    data: Data, models: Sequence[tuple[str, Model]], criteria: Sequence[str], allowed: Sequence[Allowed] = ()
) -> tuple[Result, ...]:
    """Return the results for these models, given by name, or for all recorded models if none are given.

    The latter are sorted by the number of recorded firings, and left out if their model is unknown. `allowed` are the
    targets that may be missing. Raises CoverageError if a criterion is unknown. A criterion with too many targets is
    `refused` in the result.
    """
    if models:
        return tuple(_result(name, model, data, criteria, allowed) for name, model in models)
    found = []
    for subject in data.seen:
        model = _known(data, subject)
        if model is not None:
            own = Data({subject: data.seen[subject]}, data.notes)
            found.append(_result(called(subject), model, own, criteria, allowed))
    return tuple(sorted(found, key=lambda result: (-result.firings, result.name)))


def unknown_in(data: Data) -> tuple[str, ...]:
    """Return the names of recorded models that cannot be reported: they are neither in the data nor built in."""
    return tuple(sorted(called(subject) for subject in data.seen if _known(data, subject) is None))


def called(subject: Subject) -> str:
    """Return the name of a ruleset with those options that are not at their default."""
    name, _, query = subject.name.partition("?")
    model = extension().built_in(name)
    usual = {f"{option}={value}" for option, value in model.options} if model is not None else set()
    own = [option for option in query.split("&") if option and option not in usual]
    return f"{name}?{'&'.join(own)}" if own else name


def _known(data: Data, subject: Subject) -> Model | None:
    try:
        return model_in(data, subject)
    except ModelError:
        return None


def _result(name: str, model: Model, data: Data, criteria: Sequence[str], allowed: Sequence[Allowed]) -> Result:
    coverages, refused = list[Coverage](), dict[str, str]()
    for criterion in criteria:
        try:
            found = covered(model, criterion, data)
            coverages.append(replace(found, allowed=allowed_of(allowed, name, found)))
        except CoverageError as error:
            refused[criterion] = str(error)
    own = {subject: seen for subject, seen in data.seen.items() if subject.name == subject_of(model).name}
    return Result(name, model, tuple(coverages), refused, Data(own).firings)


def percent(coverage: Coverage) -> str:
    """Return the share in percent, rounded down, so that 100% means all."""
    share = int(coverage.share * 1000) / 10
    return f"{share:.0f}%" if share == int(share) else f"{share:.1f}%"
