"""How much is tried: a sample in the quick tests, everything in the thorough ones
(`FSM_THOROUGH=1`).
"""

from __future__ import annotations

import ast
import os
import random
from collections import defaultdict
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import TypeVar

import pytest

T = TypeVar("T")

THOROUGH = os.environ.get("FSM_THOROUGH", "") not in ("", "0")

thorough = pytest.mark.skipif(not THOROUGH, reason="takes seconds: FSM_THOROUGH=1 runs it")
"""For a single test that takes long, beside quick ones that share its helpers."""


def seconds(test: str) -> int:
    """How long the test with this id may take. `pyproject.toml` has the same number for the quick
    ones.
    """
    return 300 if THOROUGH or test.startswith("tests/thorough/") else 30


CASES = 8
"""The quick run takes at most so many cases of a function."""


def left_to_the_thorough_run(tests: Iterable[pytest.Item]) -> set[pytest.Item]:
    """The cases that the quick run leaves out: the same ones each time."""
    functions = defaultdict[str, list[pytest.Item]](list)
    for test in tests:
        functions[test.nodeid.partition("[")[0]].append(test)
    left_out = set[pytest.Item]()
    for name, cases in functions.items():
        chance = random.Random(name)
        left_out |= set(chance.sample(cases, max(0, len(cases) - CASES)))
    return left_out


def has_more_to_try(test: pytest.Item) -> bool:
    """Whether the thorough run tries more of this test than the quick run: it stands in
    `tests/thorough`, is marked as thorough, takes an amount from here, or needs a tool.
    """
    if "tests/thorough/" in test.nodeid:
        return True
    return test.path.suffix == ".py" and test.name.partition("[")[0] in _trying_more(test.path)


@cache
def _trying_more(module: Path) -> set[str]:
    """Return the names in a module of what depends on the amount that is tried, or on a tool."""
    found, before = set[str](), -1
    body = ast.parse(module.read_text("utf-8")).body
    while len(found) > before:
        before = len(found)
        for statement in body:
            used = {getattr(each, "id", getattr(each, "arg", None)) for each in ast.walk(statement)}
            source = getattr(statement, "module", "")
            if used & found or source in ("support.amounts", "support.tools"):
                found |= {alias.name for alias in getattr(statement, "names", ())}
                found |= {getattr(t, "id", "") for t in getattr(statement, "targets", ())}
                found.add(getattr(statement, "name", ""))
    return found


def sample(values: Iterable[T], count: int, *, seed: int = 1) -> list[T]:
    """These many of the values in their own order, the same ones each time; all of them in the
    thorough tests.

    Give tests over the same few values different seeds, so that each value is in some sample.
    """
    every = list(values)
    if THOROUGH or len(every) <= count:
        return every
    chosen = random.Random(seed).sample(range(len(every)), count)
    return [every[i] for i in sorted(chosen)]


def amount(quick: int, thorough: int) -> int:
    """A number of seeds, games or examples: the first in the quick tests, the second in the
    thorough ones.
    """
    return thorough if THOROUGH else quick
