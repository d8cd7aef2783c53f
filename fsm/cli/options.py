"""Options that several commands share."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

_F = TypeVar("_F", bound=Callable[..., Any])


def json_option(function: _F) -> _F:
    """Add `--json`, which the command gets as `as_json`."""
    return click.option("--json", "as_json", is_flag=True, help="Print JSON, for programs.")(
        function
    )


def default_file(ruleset: str, ending: str) -> str:
    """Return the file that is written for a ruleset where none is named: NAME.svg for module:NAME."""
    name = ruleset.partition("?")[0].rpartition(":")[2]
    return Path(name).stem + ending


def jobs(function: _F) -> _F:
    """Add `--jobs N`."""
    return click.option(
        "--jobs",
        type=click.IntRange(min=1),
        default=1,
        show_default=True,
        metavar="N",
        help="Spread the work over N processes.",
    )(function)


def workers(function: _F) -> _F:
    """Add `--jobs N` and `--cluster ADDRESS`, for commands whose work `fsm.parallel` spreads."""
    cluster = click.option(
        "--cluster",
        default="",
        metavar="ADDRESS",
        help="Or over the workers of a Dask scheduler, such as tcp://127.0.0.1:8786.",
    )
    return jobs(cluster(function))
