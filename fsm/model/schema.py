"""Compares a model file with the published schema, so that messages name the wrong place."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from fsm.errors import ModelFileError
from fsm.schemas import published

LONGEST = 200


def check_model(data: object, place: str) -> None:
    """Raise ModelFileError if plain JSON values do not follow the schema of models."""
    from jsonschema.exceptions import best_match

    error = best_match(_validator().iter_errors(data))
    if error is not None:
        where = "".join(f"[{p}]" if isinstance(p, int) else f".{p}" for p in error.absolute_path)
        what = error.message if len(error.message) <= LONGEST else f"... {error.message[-LONGEST:]}"
        raise ModelFileError(f"{place}{where}: {what}")


@lru_cache(maxsize=1)
def _validator() -> Any:
    from jsonschema import Draft202012Validator

    return Draft202012Validator(published("model"))
