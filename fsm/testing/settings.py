"""Reads the settings of the pytest plugin from the command line or, if not given there, the configuration file."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from fsm.coverage.allowing import Allowed
from fsm.coverage.reports import Floor, Report, criteria_asked, floors_asked, read_allowed, report_asked
from fsm.coverage.reports.results import ALL
from fsm.errors import FsmError, suggest
from fsm.rulesets import load, names

DIRECTORY = ".fsm-coverage"


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings of the plugin.

    `specs` are the names of the models. Without any, all that are recorded are reported. `data` is the directory,
    relative to the root.
    """

    specs: tuple[str, ...]
    criteria: tuple[str, ...]
    reports: tuple[Report, ...]
    floors: tuple[Floor, ...]
    data: str
    allowed: tuple[Allowed, ...] = ()


def settings_of(config: pytest.Config) -> Settings:
    """Read the settings. Raises UsageError if one is wrong."""
    try:
        return Settings(
            _specs(_words_of(config, "fsm_cov")),
            criteria_asked(_words_of(config, "fsm_cov_criteria")),
            tuple(map(report_asked, _words_of(config, "fsm_cov_report") or ["term"])),
            floors_asked(_words_of(config, "fsm_cov_fail_under")),
            (_words_of(config, "fsm_cov_data") or [DIRECTORY])[-1],
            tuple(one for path in _words_of(config, "fsm_cov_allow") for one in read_allowed(_found(config, path))),
        )
    except FsmError as error:
        raise pytest.UsageError(f"--fsm-cov: {error}") from None


def _words_of(config: pytest.Config, name: str) -> list[str]:
    """Return the values of an option from the command line or, if there are none, from the configuration file."""
    return list(config.getoption(name) or config.getini(name))


def _found(config: pytest.Config, path: str) -> Path:
    """Resolve a path: from the current directory on the command line, from its own folder in the configuration file."""
    base = config.invocation_params.dir if config.getoption("fsm_cov_allow") else config.rootpath
    return base / path


def _specs(words: Sequence[str]) -> tuple[str, ...]:
    """Return the names of the models. Rulesets are loaded at once to check them, modules only after the tests are."""
    for word in words:
        if os.path.exists(word) and not word.endswith(".json"):
            raise FsmError(f"{word!r} is a file or directory: write --fsm-cov after it, or --fsm-cov=all")
        if word not in ALL and ":" not in word and not word.endswith(".json"):
            _check(word)
    return tuple(dict.fromkeys(word for word in words if word not in ALL))


def _check(word: str) -> None:
    if word.partition("?")[0] not in names():
        known = suggest(word, [*names(), "all"])
        raise FsmError(f"{word!r} is no ruleset{known} (or name module:machine, or a model's .json file)")
    load(word)
