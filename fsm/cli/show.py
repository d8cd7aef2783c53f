"""Showing things on a terminal: colour and tables there, plain text anywhere else."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Sequence
from functools import cache
from shutil import get_terminal_size
from typing import TYPE_CHECKING

import click

from fsm.cli.errors import printable
from fsm.model import Model
from fsm.timeline import ASCII, Marks, Span, Timeline, plain

if TYPE_CHECKING:
    from rich.console import Console

STYLES = {
    "head": "bold",
    "muted": "dim",
    "skip": "cyan",
    "extra": "bold yellow",
    "again": "bold magenta",
    "back": "bold cyan",
    "cut": "bold red",
    "good": "green",
    "bad": "bold red",
}
HUES = ("blue", "green", "dark_orange3", "medium_purple")


def marks() -> Marks:
    """The signs that standard output can show."""
    signs = Marks()
    try:
        "".join(getattr(signs, name) for name in Marks.__slots__).encode(sys.stdout.encoding or "ascii")
    except UnicodeEncodeError:
        return ASCII
    return signs


def coloured() -> bool:
    """Colour is for terminals that have it and for people who did not ask for none."""
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def layout_of(model: Model) -> Timeline:
    """The timeline of a model as standard output can show it."""
    room = get_terminal_size().columns if sys.stdout.isatty() else None
    return Timeline(model, marks(), room=room)


@cache
def _console() -> Console:
    from rich.console import Console

    return Console(highlight=False, soft_wrap=True, markup=False, emoji=False)


def show(lines: Iterable[Sequence[Span]], families: Sequence[str] = ()) -> None:
    """Print lines of (text, style); `families` gives each kind of phase its hue."""
    for line in lines:
        if coloured():
            from rich.text import Text

            text = Text()
            for words, style in line:
                text.append(printable(words), _style(style, families))
            _console().print(text)
        else:
            say(plain(line))


def _style(style: str, families: Sequence[str]) -> str:
    if style.startswith("kind:"):
        family = style[5:]
        return HUES[families.index(family) % len(HUES)] if family in families else ""
    return STYLES.get(style, "")


def say(text: str, *, err: bool = False) -> None:
    """Print a line; what cannot be printed is written as an escape."""
    stream = sys.stderr if err else sys.stdout
    encoding = stream.encoding or "utf-8"
    click.echo(printable(text).encode(encoding, "backslashreplace").decode(encoding), err=err)


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Print rows under a head: a table on a terminal, columns of plain text elsewhere."""
    if coloured():
        from rich import box
        from rich.table import Table

        drawn = Table(*head, box=box.SIMPLE_HEAD, header_style="bold")
        for row in rows:
            drawn.add_row(*row)
        _console().print(drawn)
        return
    widths = [max(map(len, column)) for column in zip(head, *rows, strict=True)]
    for row in (head, *rows):
        say("  ".join(word.ljust(width) for word, width in zip(row, widths, strict=True)).rstrip())
