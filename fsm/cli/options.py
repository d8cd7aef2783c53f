"""Options that several commands share."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

_F = TypeVar("_F", bound=Callable[..., Any])


def output_format(function: _F) -> _F:
    """Add `--format text|json`, with `--json` for short."""
    function = click.option(
        "--json", "output", flag_value="json", help="The same as --format json."
    )(function)
    return click.option(
        "--format",
        "output",
        type=click.Choice(["text", "json"]),
        default="text",
        help="For people, or for programs.",
    )(function)


def workers(function: _F) -> _F:
    """Add `--jobs N` and `--cluster ADDRESS`, for commands whose work `fsm.parallel` spreads."""
    return with_options(
        click.option(
            "--jobs",
            type=click.IntRange(min=1),
            default=1,
            show_default=True,
            metavar="N",
            help="Spread the work over N processes.",
        ),
        click.option(
            "--cluster",
            default="",
            metavar="ADDRESS",
            help="Or over the workers of a Dask scheduler, such as tcp://127.0.0.1:8786.",
        ),
    )(function)


def theme_of_pictures(function: _F) -> _F:
    """Add `--theme auto|light|dark`, for commands that can also draw."""
    return click.option(
        "--theme",
        type=click.Choice(["auto", "light", "dark"]),
        default="auto",
        help="Colours of the pictures; auto follows the reader's screen.",
    )(function)


def with_options(*options: Callable[[Any], Any]) -> Callable[[_F], _F]:
    """Return a decorator that adds these options in this order."""

    def add(function: _F) -> _F:
        for option in reversed(options):
            function = option(function)
        return function

    return add


def bound(name: str, default: int, help: str, least: int = 1) -> Callable[[_F], _F]:
    """Return an option for a number that limits which games are explored."""
    kind = click.IntRange(min=least)
    return click.option(
        f"--{name}", type=kind, default=default, show_default=True, metavar="N", help=help
    )
