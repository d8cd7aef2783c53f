"""What a report is asked for, and what comes of it, for the command line and for pytest."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

import msgspec

from fsm.coverage.criteria import covered, criterion_of, subjects_for
from fsm.coverage.data import Data, Subject
from fsm.coverage.demands import (
    Allowed,
    Floor,
    Lists,
    below,
    difference,
    excused,
    floor_asked,
    lists_in,
    overtaken,
)
from fsm.coverage.formats import as_json, as_lines, as_markdown
from fsm.coverage.target import Result
from fsm.errors import CoverageError, suggest
from fsm.model import Model
from fsm.rulesets import load, names
from fsm.wording import few

DEFAULT = ("states", "transitions")
"""The default criteria: those that are counted at once, for a machine of any size."""
TERMINAL = ("term", "term-missing")
FILES = {
    "html": "fsm-coverage.html",
    "json": "fsm-coverage.json",
    "markdown": "fsm-coverage.md",
}
"""The file of each kind of report that is written to one, if no other is named."""
MOST_LOST = 5
"""At most this many lost targets are named."""
MOST_NAMES = 3
"""At most this many names of what one machine drives are written."""


@dataclass(frozen=True)
class Asked:
    """What a report is asked for. `reports` are the kinds with their files, "" for the terminal,
    and `baselines` are by their names.
    """

    criteria: Sequence[str]
    reports: Sequence[tuple[str, str]]
    floors: Sequence[Floor]
    allowed: Sequence[Allowed]
    baselines: Mapping[str, Lists]


def asked_for(
    criteria: Iterable[str],
    reports: Iterable[str],
    floors: Iterable[str],
    allowed: Iterable[str | Path],
    baselines: Iterable[tuple[str | Path, str]],
) -> Asked:
    """Read options, and the files that they name; a baseline has a path and a name.

    What a floor is for is measured, too. Raises CoverageError.
    """
    names = _split(criteria) or [*DEFAULT]
    for name in names:
        criterion_of(name)
    floor = [floor_asked(text) for text in _split(floors)]
    names += [each.criterion for each in floor if each.criterion]
    kinds = [_report_asked(text) for text in reports] or [("term", "")]
    excuses = list[Allowed]()
    for path in allowed:
        excuses += lists_in(path).allow
    listed = {name: lists_in(path) for path, name in baselines}
    return Asked(list(dict.fromkeys(names)), kinds, floor, excuses, listed)


def _report_asked(text: str) -> tuple[str, str]:
    """Read "KIND" or "KIND:FILE". Raises CoverageError if there is no such kind."""
    kind, colon, file = text.partition(":")
    if kind in TERMINAL and not colon:
        return kind, ""
    if kind not in FILES:
        raise CoverageError(f"report {text!r} is unknown{suggest(kind, (*TERMINAL, *FILES))}")
    return kind, file or FILES[kind]


def _split(texts: Iterable[str]) -> list[str]:
    return [part.strip() for part in ",".join(texts).split(",") if part.strip()]


class Outcome(NamedTuple):
    """What came of a report: its lines for the terminal, the texts of its files by path, notes, and
    problems, for which a run fails.
    """

    lines: list[str]
    files: dict[str, str]
    notes: list[str]
    problems: list[str]


def reported(data: Data, models: Sequence[tuple[str, Model]], asked: Asked) -> Outcome:
    """Report on these models, given by name, or on all recorded ones if none are given.

    Raises DrawError if nothing can be drawn.
    """
    results = [excused(one, asked.allowed) for one in results_of(data, models, asked.criteria)]
    notes = list(data.notes)
    problems = [*below(results, asked.floors), *overtaken(asked.allowed, results)]
    for name, baseline in asked.baselines.items():
        found = difference(baseline, data)
        if found.lost:
            lost = [f"{one.subject}: {one.id}" for one in found.lost]
            head = f"{name}: {len(lost)} of what it lists is no longer taken"
            problems.append(head + few(["", *lost], MOST_LOST + 1, "\n    "))
        if found.gained:
            more = f"{name}: {len(found.gained)} more is taken than it lists"
            notes.append(f"{more}; 'fsm cover combine -o {name}' brings it up to date")
    kinds = {kind for kind, _ in asked.reports}
    files = {file: _text(kind, results) for kind, file in asked.reports if file}
    text = as_lines(results, missing="term-missing" in kinds) if kinds & {*TERMINAL} else ()
    return Outcome(list(text), files, notes, list(dict.fromkeys(problems)))


def _text(kind: str, results: Sequence[Result]) -> str:
    """Return the text of a report that is written to a file."""
    if kind == "json":
        return as_json(results)
    if kind == "markdown":
        return as_markdown(results)
    from fsm.views.coveragepage import page  # seldom asked for

    return page(results)


# machines -----------------------------------------------------------------------------------------


def results_of(
    data: Data, models: Sequence[tuple[str, Model]], criteria: Sequence[str]
) -> list[Result]:
    """Return the results for these models, given by name, or for all recorded models if none are
    given.

    The latter are sorted by the number of recorded firings. Raises CoverageError if a criterion is
    unknown or has too many targets.
    """
    if models:
        return [_measured(name, model, data, criteria) for name, model in models]
    found = list[Result]()
    for group in _grouped(data.models):
        found.append(_recorded(data, group, criteria))
    return sorted(found, key=lambda result: (-result.firings, result.name))


def _measured(name: str, model: Model, data: Data, criteria: Sequence[str]) -> Result:
    coverages = tuple(covered(model, criterion, data) for criterion in criteria)
    own = subjects_for(model, data)
    place = next((subject.place for subject in own if subject.place), "")
    firings = sum(data.seen[subject].firings for subject in own)
    return Result(name, model, coverages, firings, place, frozenset({name}))


def _grouped(models: Mapping[Subject, Model]) -> list[list[Subject]]:
    """Return the subjects that are one machine to the reader of a report, in groups.

    Plain machines are one if they were made at the same place with the same definition, whatever
    they drive. One that nobody saw being made, because it was copied or unpickled, is the only one
    of the same definition.
    """
    groups = dict[object, list[Subject]]()
    for subject in models:
        key = (subject.place, subject.fingerprint) if subject.place else subject
        groups.setdefault(key, []).append(subject)
    for subject in models:
        homes = [group for group in groups.values() if _is_copy(subject, group)]
        if len(homes) == 1 and not models[subject].played:
            homes[0] += groups.pop(subject)
    return [*groups.values()]


def _is_copy(subject: Subject, group: list[Subject]) -> bool:
    """Whether a machine that nobody saw being made may be a copy of one of these."""
    return subject in [msgspec.structs.replace(one, place="") for one in group if one.place]


def _recorded(data: Data, group: list[Subject], criteria: Sequence[str]) -> Result:
    """Return the result for a group. Its names are those of what the machines drive."""
    first = min(group, key=lambda subject: (not subject.place, subject))
    own = Data(notes=list(data.notes))
    for subject in sorted(group):
        own.update(Data({first: data.of(subject)}, [], {first: data.models[subject]}))
    model = own.models[first]
    names = sorted({subject.name for subject in group})
    label = _called(msgspec.structs.replace(first, name=few(names, MOST_NAMES)))
    result = _measured(label, model, own, criteria)
    return replace(result, names=frozenset({*names, model.name, label}))


def _called(subject: Subject) -> str:
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
