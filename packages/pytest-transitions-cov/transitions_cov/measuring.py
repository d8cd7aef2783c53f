"""What to do with recorded data: measure it, compare it, report it."""

from __future__ import annotations

from collections.abc import Sequence

from fsm.adapters import model_of
from fsm.adapters.naming import machine_behind
from fsm.coverage import Coverage, CoverageError, Data, Subject, collecting, difference, model_in
from fsm.coverage import covered as covered_of
from fsm.coverage.reports import criteria_asked, printed, report_asked, results_of, written

collect = collecting
compare = difference


def subjects(data: Data) -> tuple[Subject, ...]:
    """Return the machines of which something was recorded.

    Parameters
    ----------
    data
        The recorded data.

    Returns
    -------
    tuple of Subject
        Their names and fingerprints, sorted.
    """
    return tuple(sorted(data.seen))


def covered(of: object, criterion: str, data: Data) -> Coverage:
    """Measure the coverage of one machine by recorded data.

    Parameters
    ----------
    of
        A machine, an object that it drives, or one of the `subjects` of the data.
    criterion
        The name of a criterion. See `criteria`.
    data
        The recorded data.

    Returns
    -------
    Coverage
        The targets of the criterion, and how often each was taken.

    Raises
    ------
    CoverageError
        If `of` is anything else, or if the criterion is unknown or has too many targets.
    ModelError
        If the machine cannot be read.
    """
    machine = machine_behind(of)
    model = (
        model_in(data, of)
        if isinstance(of, Subject)
        else model_of(machine)
        if machine is not None
        else None
    )
    if model is None:
        kinds = "a machine of the transitions library, one of its models, or one of subjects()"
        raise CoverageError(f"covered() takes {kinds}, not {of!r}")
    return covered_of(model, criterion, data)


def report(data: Data, kind: str = "term", criteria: Sequence[str] = ()) -> str:
    """Return a report of recorded data as text.

    Parameters
    ----------
    data
        The recorded data.
    kind
        The kind of the report: "term", "term-missing", "json" and so on, as for
        `--transitions-cov-report`. If a kind has several files, the text is that of the first.
    criteria
        The names of the criteria. Without any, the default ones are used.

    Returns
    -------
    str
        The text.

    Raises
    ------
    CoverageError
        If the kind or a criterion is unknown.
    """
    asked = report_asked(kind)
    results = results_of(data, [], criteria_asked(criteria))
    if not asked.file:
        return "".join(f"{line}\n" for line in printed(results, [asked]))
    return next(iter(written(results, [asked]).values()))
