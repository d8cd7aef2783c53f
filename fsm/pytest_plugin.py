"""The pytest plugin: options alone. All else is imported once --fsm-cov asks for it; before, nothing is in the way.

    pytest --fsm-cov=magic --fsm-cov=mygame.machines:door --fsm-cov-report=term-missing --fsm-cov-report=html
"""

from __future__ import annotations

TYPE_CHECKING = False  # as in typing, which would have to be imported
if TYPE_CHECKING:
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


def pytest_addoption(parser: pytest.Parser) -> None:
    """The options, each of them in the configuration file, too, with underscores: fsm_cov = ["magic"]."""
    group = parser.getgroup("fsm-cov", "coverage of state machines")
    for name, (flag, what, help) in OPTIONS.items():
        more = {"nargs": "?", "const": "all"} if name == "fsm_cov" else {}
        group.addoption(flag, action="append", default=None, metavar=what, dest=name, help=help, **more)
        parser.addini(name, f"as {flag}", type="linelist", default=[])
    group.addoption("--no-fsm-cov", action="store_true", help="Measure nothing, whatever else is said.")


def pytest_configure(config: pytest.Config) -> None:
    """Begin, if it is asked for here or by the process that started this worker."""
    config.addinivalue_line("markers", "no_fsm_cov: nothing is measured while this test runs.")
    asked = config.getoption("fsm_cov") or config.getini("fsm_cov")
    if asked and not config.getoption("no_fsm_cov"):
        from fsm.testing.plugin import begin

        begin(config)


def pytest_assertrepr_compare(op: str, left: object, right: object) -> list[str] | None:
    """A path that is not the one expected says where they part."""
    for one, other in ((left, right), (right, left)):
        explain = getattr(type(one), "explain_against", None)
        if op == "==" and explain is not None and type(one).__module__ == "fsm.testing.paths":
            lines: list[str] = explain(one, other)
            return lines
    return None
