"""The pytest plugin of turn-fsm: its options. Everything else is imported once measuring is asked for.

The plugin has a name of its own, because pytest imports it in every project of its Python, and some of these have a
module `fsm` themselves.

    pytest --fsm-cov=magic --fsm-cov=mygame.machines:door --fsm-cov-report=term-missing --fsm-cov-report=html

For pytest: PYTEST_DONT_REWRITE.
"""

from __future__ import annotations

import sys

import pytest

OPTIONS = {
    "fsm_cov": (
        *("--fsm-cov", "SPEC"),
        "Measure which ways through state machines the tests take: of a ruleset, a model file or module:machine "
        "(may be given more than once), or without a name of every machine that the tests use.",
    ),
    "fsm_cov_criteria": (
        *("--fsm-cov-criteria", "LIST"),
        "By which criteria, as 'transitions,pairs' (default: states,transitions,literals,pairs). Also: 2-switch, "
        "round-trips, prime-paths, rules, refusals.",
    ),
    "fsm_cov_report": (
        *("--fsm-cov-report", "KIND[:FILE]"),
        "term (default), term-missing, html, svg, json or lcov (may be given more than once).",
    ),
    "fsm_cov_fail_under": (
        *("--fsm-cov-fail-under", "PERCENT"),
        "Fail when less is taken: 90, or transitions=100,pairs=80.",
    ),
    "fsm_cov_allow": (
        *("--fsm-cov-allow", "FILE"),
        "A list (TOML) of what may be missing, with reasons; an entry that is taken after all fails the run.",
    ),
    "fsm_cov_data": (
        *("--fsm-cov-data", "DIR"),
        "Where what is recorded is kept, for 'fsm cover' (default: .fsm-coverage; emptied as the run begins).",
    ),
}


def pytest_addoption(parser: pytest.Parser, pluginmanager: pytest.PytestPluginManager) -> None:
    """The options, each of them in the configuration file, too, with underscores: fsm_cov = ["magic"]."""
    _spare_assertions(pluginmanager)
    group = parser.getgroup("fsm-cov", "coverage of state machines")
    for name, (flag, what, help) in OPTIONS.items():
        more = {"nargs": "?", "const": "all"} if name == "fsm_cov" else {}
        group.addoption(flag, action="append", default=None, metavar=what, dest=name, help=help, **more)
        parser.addini(name, f"as {flag}", type="linelist", default=[])
    group.addoption("--no-fsm-cov", action="store_true", help="Measure nothing, whatever else is said.")


def _spare_assertions(pluginmanager: pytest.PytestPluginManager) -> None:
    """Keep pytest from rewriting the assertions of every module named fsm.

    pytest does so for all packages of a distribution that has a plugin. It would cost seconds wherever no bytecode is
    written, and would meet a stranger's `fsm` as well. A pytest without this set is only slower.
    """
    marked = getattr(pluginmanager.rewrite_hook, "_must_rewrite", set[str]())
    marked.difference_update(("fsm", "turn_fsm"))


def pytest_configure(config: pytest.Config) -> None:
    """Begin, if it is asked for here or by the process that started this worker."""
    config.addinivalue_line("markers", "no_fsm_cov: nothing is measured while this test runs.")
    asked = config.getoption("fsm_cov") or config.getini("fsm_cov")
    if not asked or config.getoption("no_fsm_cov"):
        return
    from turn_fsm.ours import trouble

    wrong = trouble()
    if wrong:
        raise pytest.UsageError(f"--fsm-cov: {wrong}")
    try:
        from fsm.testing.plugin import begin
    except ImportError as error:
        where = getattr(sys.modules.get("fsm"), "__file__", None)
        raise pytest.UsageError(f"--fsm-cov: turn-fsm cannot be imported from {where}: {error}") from None
    begin(config)


def pytest_assertrepr_compare(op: str, left: object, right: object) -> list[str] | None:
    """A path that is not the one expected says where they part."""
    for one, other in ((left, right), (right, left)):
        if op == "==" and type(one).__module__ == "fsm.testing.paths" and hasattr(one, "explain_against"):
            lines: list[str] = one.explain_against(other)
            return lines
    return None
