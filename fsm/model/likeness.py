"""What names or makes a Model is accepted wherever a Model is: a specification, the path of a model
file, a Table.
"""

from __future__ import annotations

from os import PathLike
from typing import Protocol, TypeAlias

from fsm.model.model import Model


class Builds(Protocol):
    """A table, which makes a Model."""

    def build(self) -> Model:
        """Return the Model."""


ModelLike: TypeAlias = Model | Builds | str | PathLike[str]


def as_model(what: ModelLike) -> Model:
    """Return the Model that something is, names or makes.

    Raises
    ------
    FsmError
        If there is no such Model.
    """
    if isinstance(what, Model):
        return what
    from fsm.rulesets import model_of_any  # who has a Model does without rulesets

    return model_of_any(what)
