"""How commands say their options, and what several of them share."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import click

from fsm.files import check_writable


def writable(path: str) -> str:
    """Return the path of a file, which is refused before any work is done if it cannot be written,
    or if two outputs would be in it.
    """
    check_writable(path)
    others: list[str] = click.get_current_context().meta.setdefault(__name__, [])
    if path != "-" and path in others:
        raise click.UsageError(f"two outputs cannot be written to {path!r}; name another file")
    others.append(path)
    return path


TYPES: Mapping[str, Any] = {
    "FILE": writable,
    "N": click.IntRange(min=1),
    "SECONDS": click.FloatRange(min=0, min_open=True),
    "SEED": click.INT,
    "PORT": click.IntRange(0, 65535),
}
"""What a value must be, by the word for it. Any other is a text; a PATH is read."""


def option(spec: str, help: str, *name: str, **more: Any) -> Callable[[Any], Any]:
    """Return a decorator that adds an option.

    Parameters
    ----------
    spec
        The option as help shows it: "-o, --output FILE", "--jobs N", "--theme light|dark", or
        "--rules" for a flag.
    help
        What it does.
    *name
        The parameter that gets it, if it is not called as the option.
    **more
        As for `click.option`.
    """
    *flags, value = spec.replace(",", "").split(" ")
    if value.startswith("-"):
        more["is_flag"] = True
        flags = [value]
    elif "|" in value:
        more["type"] = click.Choice(value.split("|"))
    else:
        more |= {"type": TYPES.get(value), "metavar": value}
    return click.option(*flags, *name, help=help, show_default="default" in more, **more)


json_option = option("--json", "Print JSON, for programs.", "as_json")


def default_file(ruleset: str, ending: str) -> str:
    """Return the file that is written for a ruleset where none is named: NAME.svg for module:NAME."""
    name = ruleset.partition("?")[0].rpartition(":")[2]
    return Path(name).stem + ending
