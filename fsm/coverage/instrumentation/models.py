"""Writes the Models of what is recorded with the data, so that a report can be made without the
program.
"""

from __future__ import annotations

from typing import Any

from fsm.coverage.data import Subject, subject_of
from fsm.coverage.growing import is_ordered, together
from fsm.coverage.recorded import built_in
from fsm.model import Model

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
