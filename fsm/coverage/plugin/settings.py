"""Reads the settings of the pytest plugin from the command line or, if not given there, the
configuration file.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from fsm.coverage.allowing import Allowed
from fsm.coverage.baseline import Baseline, read_baseline
from fsm.coverage.reports import (
    Floor,
    Report,
    criteria_asked,
    floors_asked,
    read_allowed,
    report_asked,
)
from fsm.coverage.reports.results import ALL
from fsm.errors import FsmError, suggest
from fsm.rulesets import load, names


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings of the plugin.

    `specs` are the names of the models. Without any, all that are recorded are reported. `data` is
    the directory, relative to the root. `baselines` are given with the names of their files.
    """

    specs: tuple[str, ...]
    criteria: tuple[str, ...]
    reports: tuple[Report, ...]
    floors: tuple[Floor, ...]
    data: str
    allowed: tuple[Allowed, ...] = ()
    baselines: tuple[tuple[str, Baseline], ...] = ()


def settings_of(config: pytest.Config) -> Settings:
    """Read the settings. Raises UsageError if one is wrong."""
    try:
        return Settings(
            _specs(_words(config, "fsm_cov")),
            criteria_asked(_words(config, "fsm_cov_criteria")),
            tuple(map(report_asked, _words(config, "fsm_cov_report") or ["term"])),
            floors_asked(_words(config, "fsm_cov_fail_under")),
            (_words(config, "fsm_cov_data") or [".fsm-coverage"])[-1],
            tuple(
                one
                for path in _words(config, "fsm_cov_allow")
                for one in read_allowed(_found(config, "fsm_cov_allow", path))
            ),
            tuple(
                (path, read_baseline(_found(config, "fsm_cov_baseline", path)))
                for path in _words(config, "fsm_cov_baseline")
            ),
        )
    except FsmError as error:
        raise pytest.UsageError(f"--fsm-cov: {error}") from None


def _words(config: pytest.Config, key: str) -> list[str]:
    """Return the values of an option from the command line, or else the configuration file."""
    return list(config.getoption(key) or config.getini(key))


def _found(config: pytest.Config, key: str, path: str) -> Path:
    """Resolve a path: from the current directory on the command line, from its own folder in the
    configuration file.
    """
    return (config.invocation_params.dir if config.getoption(key) else config.rootpath) / path


def _specs(words: Sequence[str]) -> tuple[str, ...]:
    """Return the names of the models. Rulesets are loaded at once to check them, modules only after
    the tests are.
    """
    specs = tuple(dict.fromkeys(word for word in words if word not in ALL))
    for spec in specs:
        _check(spec)
    return specs


def _check(spec: str) -> None:
    """Load a ruleset. Modules and files are not read."""
    if ":" in spec or spec.endswith(".json"):
        return
    if spec.partition("?")[0] not in names():
        known = suggest(spec, [*names(), "all"])
        raise FsmError(
            f"{spec!r} is no ruleset{known} (or name module:machine, or a model's .json file)"
        )
    load(spec)
