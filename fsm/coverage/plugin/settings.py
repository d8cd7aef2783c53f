"""Reads the settings of the pytest plugin from the command line or, if not given there, the
configuration file.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import pytest

from fsm.coverage.allowing import Allowed
from fsm.coverage.baseline import Baseline, read_baseline
from fsm.coverage.extension import extension
from fsm.coverage.reports import (
    Floor,
    Report,
    criteria_asked,
    floors_asked,
    read_allowed,
    report_asked,
)
from fsm.coverage.reports.results import ALL
from fsm.errors import FsmError
from turn_fsm.coverageoptions import Spelling


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings of the plugin.

    `specs` are the names of the models. Without any, all that are recorded are reported. `data` is
    the directory, relative to the root. `baselines` are given with the names of their files.
    """

    spelling: Spelling
    specs: tuple[str, ...]
    criteria: tuple[str, ...]
    reports: tuple[Report, ...]
    floors: tuple[Floor, ...]
    data: str
    allowed: tuple[Allowed, ...] = ()
    baselines: tuple[tuple[str, Baseline], ...] = ()

    @property
    def option(self) -> str:
        """The first option, for messages."""
        return f"--{self.spelling.flag}"


def settings_of(config: pytest.Config, spelling: Spelling) -> Settings:
    """Read the settings. Raises UsageError if one is wrong."""
    words = partial(spelling.words, config)
    try:
        return Settings(
            spelling,
            _specs(words(""), f"--{spelling.flag}"),
            criteria_asked(words("criteria")),
            tuple(map(report_asked, words("report") or ["term"])),
            floors_asked(words("fail-under")),
            (words("data") or [spelling.directory])[-1],
            tuple(
                one
                for path in words("allow")
                for one in read_allowed(_found(config, spelling, "allow", path))
            ),
            tuple(
                (path, read_baseline(_found(config, spelling, "baseline", path)))
                for path in words("baseline")
            ),
        )
    except FsmError as error:
        raise pytest.UsageError(f"--{spelling.flag}: {error}") from None


def _found(config: pytest.Config, spelling: Spelling, option: str, path: str) -> Path:
    """Resolve a path: from the current directory on the command line, from its own folder in the
    configuration file.
    """
    base = (
        config.invocation_params.dir
        if config.getoption(spelling.key_of(option))
        else config.rootpath
    )
    return base / path


def _specs(words: Sequence[str], option: str) -> tuple[str, ...]:
    """Return the names of the models. Rulesets are loaded at once to check them, modules only after
    the tests are.
    """
    for word in words:
        if os.path.exists(word) and not word.endswith(".json"):
            raise FsmError(
                f"{word!r} is a file or directory: write {option} after it, or {option}=all"
            )
        if word not in ALL:
            extension().check(word)
    return tuple(dict.fromkeys(word for word in words if word not in ALL))
