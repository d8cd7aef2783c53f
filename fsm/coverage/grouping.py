"""Puts together the recorded subjects that are one machine to the reader of a report.

Plain machines are one if they were made at the same place with the same definition, whatever they
drive. One that nobody saw being made, because it was copied or unpickled, is the only one of the
same definition.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import msgspec

from fsm.coverage.data import Data
from fsm.coverage.subjects import Subject, subject_of
from fsm.model import Model
from fsm.wording import few

MOST_NAMES = 3


@dataclass(frozen=True, slots=True)
class Recorded:
    """One subject as a report shows it. `names` are those of what the machines drive, and `data`
    has only this one.
    """

    label: str
    names: frozenset[str]
    model: Model
    data: Data


def recorded_in(data: Data) -> tuple[Recorded, ...]:
    """Return the subjects whose Model is known, each with its own data."""
    found = [_recorded(data, group) for group in _grouped(data.models)]
    return tuple(_numbered(found))


def _grouped(models: Mapping[Subject, Model]) -> list[list[Subject]]:
    """Return the subjects that are one, in groups."""
    groups = dict[object, list[Subject]]()
    for subject in models:
        key = (subject.place, subject.fingerprint) if subject.place else subject
        groups.setdefault(key, []).append(subject)
    for subject in models:
        homes = [group for group in groups.values() if group[0].place and _is_copy(subject, group)]
        if len(homes) == 1 and not models[subject].played:
            homes[0] += groups.pop(subject)
    return [*groups.values()]


def _is_copy(subject: Subject, group: list[Subject]) -> bool:
    """Whether a machine may be a copy of one of these: nobody saw it being made."""
    same = [(one.name, one.fingerprint) for one in group]
    return not subject.place and (subject.name, subject.fingerprint) in same


def _recorded(data: Data, group: list[Subject]) -> Recorded:
    first = min(group, key=lambda subject: (not subject.place, subject))
    own = Data(notes=list(data.notes))
    for subject in sorted(group):
        own.update(Data({first: data.of(subject)}, [], {first: data.models[subject]}))
    model = own.models[first]
    names = sorted({subject.name for subject in group})
    label = msgspec.structs.replace(first, name=few(names, MOST_NAMES)).label
    return Recorded(label, frozenset({*names, model.name}), model, own)


def _numbered(found: list[Recorded]) -> list[Recorded]:
    """Number machines of several definitions that were made at one place, such as a function that
    reads files.
    """
    numbers: dict[str, int] = {}
    labels: dict[int, str] = {}
    by_definition = sorted(
        found, key=lambda one: ([s.id for s in one.model.states], subject_of(one.model))
    )
    for one in by_definition:
        number = numbers[one.label] = numbers.get(one.label, 0) + 1
        labels[id(one)] = one.label if number == 1 else f"{one.label} #{number}"
    return [replace(one, label=labels[id(one)]) for one in found]
