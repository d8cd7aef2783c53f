"""The pytest plugin. Everything but its options is imported once measuring is asked for.

For pytest: PYTEST_DONT_REWRITE.
"""

from __future__ import annotations

import pytest

from turn_fsm.coverageoptions import Spelling, explained, spare_assertions

SPELLING = Spelling(
    flag="transitions-cov",
    command="transitions-cov",
    directory=".transitions-cov",
    what="module:attribute, which is a machine, an object that one drives, or a class or function that makes one",
    kinds="term (default), term-missing, github, markdown, json or lcov; html and svg with turn-fsm",
)


def pytest_addoption(parser: pytest.Parser, pluginmanager: pytest.PytestPluginManager) -> None:
    """Add the options."""
    spare_assertions(pluginmanager, "transitions_cov")
    SPELLING.add_options(parser)


def pytest_configure(config: pytest.Config) -> None:
    """Begin, if it is asked for here or by the process that started this worker."""
    SPELLING.add_marker(config)
    if SPELLING.asked(config):
        from fsm.coverage.plugin import begin

        begin(config, SPELLING)


def pytest_assertrepr_compare(op: str, left: object, right: object) -> list[str] | None:
    """Explain a path that is not the expected one."""
    return explained(op, left, right)
