"""What every test may ask for: the built-in models, built once. How Hypothesis chooses. What a run
took. How long a test may take.
"""

from __future__ import annotations

import shutil
from collections import Counter
from collections.abc import Generator

import pytest
from hypothesis import HealthCheck, settings

import fsm
from fsm.errors import DrawError
from fsm.model import Model
from support.amounts import THOROUGH, has_more_to_try, seconds
from support.tools import missing

# A failing example prints the decorator that repeats it. No test fails because the machine is busy.
# All runs try the same examples, unless `pytest --hypothesis-profile=ci` asks for new ones.
ALWAYS = settings(
    print_blob=True, deadline=None, database=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.register_profile("quick", ALWAYS, derandomize=True)
settings.register_profile("ci", ALWAYS, derandomize=False)
settings.load_profile("quick")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Limit the time of each test, if the command line does not. The thorough run leaves out what
    the quick run has tried already.
    """
    if THOROUGH:
        items[:] = [item for item in items if has_more_to_try(item)]
    if config.getoption("timeout") is None:
        for item in items:
            item.add_marker(pytest.mark.timeout(seconds(item.nodeid)))


@pytest.fixture(scope="session")
def magic() -> Model:
    """Magic's Model with its default options."""
    return fsm.load("magic")


@pytest.fixture(scope="session")
def window(magic: Model) -> Model:
    """The window Model that Magic's window stages run."""
    assert magic.window is not None
    return magic.window


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call() -> Generator[None]:
    """Skip a test that draws what Graphviz lays out, where there is no Graphviz."""
    try:
        return (yield)
    except DrawError as error:
        if shutil.which("dot") is None and "program dot" in str(error):
            missing("the program 'dot'")
        raise


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """How many tests each folder ran, and how long they took."""
    tests, seconds = Counter[str](), Counter[str]()
    for report in (
        r for reports in terminalreporter.stats.values() for r in reports if hasattr(r, "duration")
    ):
        folder = report.nodeid.partition("::")[0].rpartition("/")[0]
        tests[folder] += report.when == "call"
        seconds[folder] += report.duration
    if len(tests) > 1:
        terminalreporter.section("tests and seconds by folder")
        for folder in sorted(tests):
            terminalreporter.line(f"{folder:24} {tests[folder]:6} {seconds[folder]:8.1f} s")
