"""What every test may ask for: the built-in models, built once."""

from __future__ import annotations

import pytest

import fsm
from fsm.model import Model


@pytest.fixture(scope="session")
def magic() -> Model:
    """Magic's Model with its default options."""
    return fsm.load("magic")


@pytest.fixture(scope="session")
def window(magic: Model) -> Model:
    """The window Model that Magic's window stages run."""
    assert magic.window is not None
    return magic.window
