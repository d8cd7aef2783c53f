"""One browser for all tests of a module."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from support.explorerpage import chromium


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with chromium() as running:
        yield running
