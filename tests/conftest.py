"""What every test may ask for: Magic's Model, built once. How Hypothesis chooses. How long a test may
take, and which took long.
"""

from __future__ import annotations

import gc
import shutil
from collections import Counter
from collections.abc import Generator

import pytest
from hypothesis import HealthCheck, settings

import fsm
from fsm.errors import DrawError
from fsm.model import Model
from support.amounts import THOROUGH, has_more_to_try, left_to_the_thorough_run, seconds
from support.tools import missing

# A failing example prints the decorator that repeats it. No test fails because the machine is busy.
# All runs try the same examples, unless `pytest --hypothesis-profile=ci` asks for new ones.
ALWAYS = settings(
    print_blob=True, deadline=None, database=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.register_profile("quick", ALWAYS, derandomize=True)
settings.register_profile("ci", ALWAYS, derandomize=False)
settings.load_profile("quick")


def pytest_collection_finish() -> None:
    """Leave what the tests are made of out of every later collection of garbage."""
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Limit the time of each test, if the command line does not. The quick run takes a few cases of
    each function. The thorough run leaves out what the quick run has tried already, and begins with
    what takes longest.
    """
    left_out = left_to_the_thorough_run(items)
    if THOROUGH:
        more = [item for item in items if item in left_out or has_more_to_try(item)]
        items[:] = sorted(more, key=lambda item: "tests/thorough/" not in item.nodeid)
    else:
        items[:] = [item for item in items if item not in left_out]
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
    """Name the cases that took more than a second."""
    seconds = Counter[str]()
    for reports in terminalreporter.stats.values():
        for report in reports:
            if hasattr(report, "duration"):
                seconds[report.nodeid] += report.duration
    slow = [(test, duration) for test, duration in seconds.most_common() if duration > 1]
    if slow:
        took = f"{sum(seconds.values()):.0f} s, {len(slow)} cases above 1 s"
        terminalreporter.section(took)
    for test, duration in slow:
        terminalreporter.line(f"{duration:6.1f} s  {test}")
