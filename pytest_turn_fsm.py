"""The pytest plugin of turn-fsm. Everything but its options is imported once measuring is asked
for.

The plugin has a name of its own, because pytest imports it in every project of its Python, and some
of these have a module `fsm` themselves.

    pytest --fsm-cov=magic --fsm-cov=mygame.machines:door --fsm-cov-report=term-missing
    --fsm-cov-report=html

For pytest: PYTEST_DONT_REWRITE.
"""

from __future__ import annotations

import sys

import pytest

from turn_fsm.coverageoptions import Spelling, explained, spare_assertions
from turn_fsm.ours import trouble

SPELLING = Spelling(
    flag="fsm-cov",
    command="fsm cover",
    directory=".fsm-coverage",
    what="a ruleset, a model file or module:machine",
    kinds="term (default), term-missing, markdown, html or json",
    trouble=trouble,
)


def pytest_addoption(parser: pytest.Parser, pluginmanager: pytest.PytestPluginManager) -> None:
    """Add the options."""
    spare_assertions(pluginmanager, "fsm", "turn_fsm")
    SPELLING.add_options(parser)


def pytest_configure(config: pytest.Config) -> None:
    """Begin, if it is asked for here or by the process that started this worker."""
    SPELLING.add_marker(config)
    if not SPELLING.asked(config):
        return
    wrong = trouble()
    if wrong:
        raise pytest.UsageError(f"--fsm-cov: {wrong}")
    try:
        from fsm.coverage.plugin import begin
    except ImportError as error:
        where = getattr(sys.modules.get("fsm"), "__file__", None)
        raise pytest.UsageError(
            f"--fsm-cov: turn-fsm cannot be imported from {where}: {error}"
        ) from None
    begin(config, SPELLING)


def pytest_assertrepr_compare(op: str, left: object, right: object) -> list[str] | None:
    """Explain a path that is not the expected one."""
    return explained(op, left, right)
