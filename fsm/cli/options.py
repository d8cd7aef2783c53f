"""Options that several commands share."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

_F = TypeVar("_F", bound=Callable[..., Any])


def output_format(function: _F) -> _F:
    """Add `--format text|json`, with `--json` for short."""
    function = click.option("--json", "output", flag_value="json", help="The same as --format json.")(function)
    return click.option(
        "--format", "output", type=click.Choice(["text", "json"]), default="text", help="For people, or for programs."
    )(function)


def theme_of_pictures(function: _F) -> _F:
    """Add `--theme light|dark`, for commands that can also draw."""
    return click.option(
        "--theme", type=click.Choice(["light", "dark"]), default="light", help="Colours of the pictures."
    )(function)
