"""Puts together the recorded subjects that are one machine to the reader of a report.

Plain machines are one subject if they were made at the same place with the same definition,
whatever they drive. Three more cases are one subject, which different processes record as several:

- machines that drive objects of several classes, or have names of their own;
- machines made without transitions at the same place, if one has all states and transitions of the
  other: one process may have met the machine before it had all of them;
- a machine that nobody saw being made, because it was copied or unpickled, and the only one of the
  same definition.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from fsm.coverage.data import Data, Subject, subject_of
from fsm.coverage.growing import contains
from fsm.coverage.recorded import model_in
from fsm.errors import ModelError
from fsm.model import Model
from fsm.model.graph import graphs_of

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
    models = {
        subject: model for subject in data.seen if (model := _known(data, subject)) is not None
    }
    groups = [_recorded(data, group) for group in _grouped(data, models)]
    return tuple(_with_numbers(groups))


def unknown_in(data: Data) -> tuple[Subject, ...]:
    """Return the subjects whose Model is neither in the data nor built in."""
    return tuple(subject for subject in data.seen if _known(data, subject) is None)


def _known(data: Data, subject: Subject) -> Model | None:
    try:
        return model_in(data, subject)
    except ModelError:
        return None


def _grouped(data: Data, models: Mapping[Subject, Model]) -> Iterator[list[Subject]]:
    """Yield the subjects that are one."""
    made: dict[tuple[str, str], list[Subject]] = {}
    for subject in models:
        if subject.place:
            made.setdefault((subject.place, subject.fingerprint), []).append(subject)
    groups = list(_ages(made.values(), models))
    for subject in models:
        if not subject.place:
            home = [group for group in groups if _is_copy(subject, models[subject], group)]
            if len(home) == 1:
                home[0].append(subject)
            else:
                yield [subject]
    yield from groups


def _ages(
    made: Iterable[list[Subject]], models: Mapping[Subject, Model]
) -> Iterator[list[Subject]]:
    """Join the groups of machines that were made without transitions and met at different ages."""
    groups: list[list[Subject]] = []
    for group in sorted(made, key=lambda group: -len(models[group[0]].transitions)):
        model = models[group[0]]
        older = (
            one
            for one in groups
            if group[0].grows
            and one[0].grows
            and one[0].place == group[0].place
            and contains(models[one[0]], model)
        )
        home = next(older, None)
        if home is None:
            groups.append(group)
        else:
            home += group
    yield from groups


def _is_copy(subject: Subject, model: Model, group: list[Subject]) -> bool:
    """Whether a machine that nobody saw being made is one of these."""
    same = (one.name == subject.name and one.fingerprint == subject.fingerprint for one in group)
    return not graphs_of(model)[0].played and any(same)


def _recorded(data: Data, group: list[Subject]) -> Recorded:
    first = min(group, key=lambda subject: (not subject.place, subject))
    own = Data(notes=list(data.notes))
    for subject in sorted(group):
        own.of(first).update(data.seen[subject])
        if subject in data.models:
            own.add_model(first, data.models[subject])
        if subject in data.unordered:
            own.unordered.add(first)
    model = model_in(own, first)
    assert model is not None
    names = sorted({subject.name for subject in group})
    more = f" and {len(names) - MOST_NAMES} more" if len(names) > MOST_NAMES else ""
    label = replace(first, name=", ".join(names[:MOST_NAMES]) + more).label
    return Recorded(label, frozenset({*names, model.name}), model, own)


def _with_numbers(found: list[Recorded]) -> Iterator[Recorded]:
    """Number machines of several definitions that were made at one place, such as a function that
    reads files.
    """
    order = sorted(
        found, key=lambda one: (one.label, [s.id for s in one.model.states], subject_of(one.model))
    )
    numbers: dict[int, int] = {}
    for before, one in zip([None, *order], order, strict=False):
        same = before is not None and before.label == one.label
        numbers[id(one)] = numbers[id(before)] + 1 if same else 1
    for one in found:
        number = numbers[id(one)]
        yield replace(one, label=f"{one.label} #{number}") if number > 1 else one
