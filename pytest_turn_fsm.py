"""The pytest plugin of turn-fsm: `pytest --fsm-cov` measures which transitions the tests take.

pytest imports this module in every project of its Python. Some of these have an `fsm` of their own,
so nothing of `fsm` is imported before the option is used. For pytest: PYTEST_DONT_REWRITE.
"""

from importlib.machinery import PathFinder
from pathlib import Path

import pytest

OPTIONS = {
    "fsm_cov": ("SPEC", "Measure a ruleset, model file or module:machine; alone: all machines."),
    "fsm_cov_criteria": ("LIST", "As 'transitions,pairs' (default: states,transitions)."),
    "fsm_cov_report": ("KIND[:FILE]", "term (default), term-missing, markdown, html or json."),
    "fsm_cov_fail_under": ("PERCENT", "Fail if less is taken: 90, or transitions=100,pairs=80."),
    "fsm_cov_baseline": (
        "FILE",
        "Fail if something that a baseline of 'fsm cover combine' lists is lost.",
    ),
    "fsm_cov_allow": ("FILE", "What need not be taken, with reasons (TOML)."),
    "fsm_cov_data": ("DIR", "Where to record, for 'fsm cover' (default: .fsm-coverage)."),
}


def pytest_addoption(parser: pytest.Parser, pluginmanager: pytest.PytestPluginManager) -> None:
    # pytest rewrites the assertions in all packages of a plugin. For `fsm`, this costs seconds.
    getattr(pluginmanager.rewrite_hook, "_must_rewrite", set[str]()).discard("fsm")
    group = parser.getgroup("fsm-cov", "coverage of state machines (options can be repeated)")
    for key, (value, text) in OPTIONS.items():
        flag = "--" + key.replace("_", "-")
        more = {"nargs": "?", "const": "all"} if key == "fsm_cov" else {}
        group.addoption(flag, action="append", metavar=value, help=text, **more)
        parser.addini(key, f"as {flag}", type="linelist", default=[])
    group.addoption("--no-fsm-cov", action="store_true", help="Measure nothing.")


@pytest.hookimpl(tryfirst=True)
def pytest_load_initial_conftests(  # a bare --fsm-cov must not take the next word as its SPEC
    early_config: pytest.Config, parser: pytest.Parser, args: list[str]
) -> None:
    args[:] = ["--fsm-cov=all" if arg == "--fsm-cov" else arg for arg in args]
    early_config.known_args_namespace.file_or_dir = parser.parse_known_args(args).file_or_dir


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "no_fsm_cov: nothing is measured while this test runs.")
    asked = config.getoption("fsm_cov") or config.getini("fsm_cov")
    if asked and not config.getoption("no_fsm_cov"):
        if wrong := another_fsm():
            raise pytest.UsageError(f"--fsm-cov: {wrong}")
        from fsm.coverage import plugin

        plugin.begin(config)


def another_fsm() -> str:
    """Say which file or folder hides the package `fsm` of turn-fsm, or ""."""
    spec = PathFinder.find_spec("fsm")
    file = spec and (spec.origin or next(iter(spec.submodule_search_locations or [])))
    source = Path(file).read_text("utf-8", "replace") if file and Path(file).is_file() else ""
    ours = not file or "TurnController" in source
    return "" if ours else f"{file} hides the package 'fsm' of turn-fsm: rename or uninstall it"
