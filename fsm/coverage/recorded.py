"""Finds the Model of recorded data."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from fsm.coverage.data import Data, Subject, subject_of
from fsm.coverage.growing import is_ordered, together, without_order
from fsm.errors import FsmError
from fsm.model import Model
from fsm.model.graph import graphs_of


def model_in(data: Data, subject: Subject) -> Model | None:
    """Return the Model of a recorded subject.

    Parameters
    ----------
    data
        The recorded data.
    subject
        A subject of the data.

    Returns
    -------
    Model or None
        The Model from the data or from the built-in rulesets, or None if neither has it. If several
        initial states of a plain machine were recorded, the Model begins in the one that it lists
        first.
    """
    if subject in data.models:
        stored = Model.from_json(data.models[subject])
        starts = (
            data.seen[subject].starts
            if subject in data.seen and not graphs_of(stored)[0].played
            else set()
        )
        found = replace(
            stored, initial=next((s.id for s in stored.leaves if s.id in starts), stored.initial)
        )
        return without_order(found) if subject in data.unordered else found
    return built_in(subject)


def built_in(subject: Subject) -> Model | None:
    """Return the built-in Model of a subject, or None if it is none."""
    model = built_in_called(subject.name)
    return (
        model
        if model is not None and subject_of(model).fingerprint == subject.fingerprint
        else None
    )


def built_in_called(name: str) -> Model | None:
    """Return the Model of a built-in ruleset, or None if there is none or it does not have these
    options.
    """
    from fsm.rulesets import load, names

    if name.partition("?")[0] not in names():
        return None
    try:
        return load(name)
    except FsmError:
        return None


_models: dict[Subject, Model] = {}


def remember(subject: Subject, model: Model) -> bool:
    """Remember the Model of a subject. Return whether it differs from what was remembered before."""
    before = _models.get(subject)
    if before is None or subject_of(before).fingerprint == subject_of(model).fingerprint:
        _models.setdefault(subject, model)
        return False
    _models[subject] = together(before, model)
    return _models[subject] is not before


def forget() -> None:
    """Forget all Models when the collection ends."""
    _models.clear()


def written(subject: Subject) -> tuple[dict[str, Any] | None, bool]:
    """Return the Model of a subject as JSON, or None if it is unknown or a built-in ruleset, and if
    it is ordered.
    """
    model = _models.get(subject)
    return (
        (None, True) if model is None or built_in(subject) else (model.to_json(), is_ordered(model))
    )
