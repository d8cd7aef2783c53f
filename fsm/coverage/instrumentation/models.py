"""Writes the Models of what is recorded with the data, so that a report can be made without the program."""

from __future__ import annotations

from typing import Any

from fsm.coverage.data import Subject
from fsm.coverage.recorded import built_in
from fsm.model import Model

_models: dict[Subject, Model] = {}


def remember(subject: Subject, model: Model) -> None:
    """Remember the Model of a subject."""
    _models.setdefault(subject, model)


def forget() -> None:
    """Forget all Models when the collection ends."""
    _models.clear()


def written(subject: Subject) -> dict[str, Any] | None:
    """Return the Model of a subject as JSON, or None if it is unknown or a built-in ruleset."""
    model = _models.get(subject)
    return None if model is None or built_in(subject) else model.to_json()
