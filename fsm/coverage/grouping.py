"""Puts together the recorded subjects that are one machine to the reader of a report.

Plain machines are one subject if they were made at the same place with the same definition,
whatever they drive. Three more cases are one subject, which different processes record as several:

- machines that drive objects of several classes, or have names of their own;
- machines that changed before their first event, if one has all states and transitions of the
  other and was made at the same place;
- a machine that nobody saw being made, because it was copied or unpickled, and the only one of the
  same definition.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import msgspec

from fsm.coverage.data import Data, model_in
from fsm.coverage.subjects import Subject, contains, subject_of
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
    models = {subject: model for subject in data.seen if (model := model_in(data, subject))}
    found = [_recorded(data, group) for group in _grouped(models)]
    return tuple(_numbered(found))


def _grouped(models: Mapping[Subject, Model]) -> list[list[Subject]]:
    """Return the subjects that are one, in groups."""
    groups, unmade = list[list[Subject]](), list[Subject]()
    for subject in sorted(models, key=lambda one: -len(models[one].transitions)):
        if not subject.place:
            unmade.append(subject)
            continue
        homes = [group for group in groups if _is_one(subject, group, models)]
        homes[0].append(subject) if homes else groups.append([subject])
    found = list(groups)
    for subject in unmade:
        key = subject.name, subject.fingerprint
        homes = [g for g in groups if key in [(one.name, one.fingerprint) for one in g]]
        if len(homes) == 1 and not models[subject].played:
            homes[0].append(subject)
        else:
            found.append([subject])
    return found


def _is_one(subject: Subject, group: list[Subject], models: Mapping[Subject, Model]) -> bool:
    """Whether a machine is one of these, which were made at one place and have no fewer parts."""
    first = group[0]
    if first.place != subject.place:
        return False
    same = any(one.fingerprint == subject.fingerprint for one in group)
    return same or (first.grows and contains(models[first], models[subject]))


def _recorded(data: Data, group: list[Subject]) -> Recorded:
    first = min(group, key=lambda subject: (not subject.place, subject))
    own = Data(notes=list(data.notes))
    for subject in sorted(group):
        part = Data({first: data.seen[subject]})
        if subject in data.models:
            part.models[first] = data.models[subject]
        own.update(part)
    model = model_in(own, first)
    assert model is not None
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
