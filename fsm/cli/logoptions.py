"""Options that commands for logs of machines share: what the log records, and under which keys."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

from fsm.cli.options import with_options

_F = TypeVar("_F", bound=Callable[..., Any])


def log_options(function: _F) -> _F:
    """Add the options of a log of a machine."""
    several: dict[str, Any] = {"multiple": True, "metavar": "EVENTS"}
    return with_options(
        click.option(
            "--only", help="The log records only these events; others may happen unseen.", **several
        ),
        click.option("--unseen", help="These events may happen unseen; '*' for all.", **several),
        click.option(
            "--start",
            "starts",
            multiple=True,
            metavar="STATE",
            help="Where runs may start; 'any' for all.",
        ),
        click.option(
            "--key",
            "keys",
            multiple=True,
            metavar="PART=KEY",
            help="The log's key for one of event, state, from, id, conditions, fired, start.",
        ),
        click.option("--event-key", metavar="KEY", help="The same as --key event=KEY."),
        click.option("--state-key", metavar="KEY", help="The same as --key state=KEY."),
        click.option("--id-key", metavar="KEY", help="The same as --key id=KEY."),
        click.option(
            "--where",
            multiple=True,
            metavar="KEY=VALUE",
            help="Only lines that have this are about it.",
        ),
        click.option(
            "--continued",
            is_flag=True,
            help="Each LOG continues the one before, as rotated logs do.",
        ),
    )(function)
