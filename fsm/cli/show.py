"""Showing things on a terminal: colour and tables there, plain text anywhere else."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Sequence
from shutil import get_terminal_size

import click

from fsm.cli.errors import printable
from fsm.model import Model
from fsm.runs.timeline import ASCII, Marks, Span, Timeline, plain

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
HUES = ("blue", "green", "166", "104")  # 166 is an orange, 104 a violet


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


def show(lines: Iterable[Sequence[Span]], families: Sequence[str] = ()) -> None:
    """Print lines of (text, style); `families` gives each kind of phase its hue."""
    in_colour = coloured()
    if in_colour:
        from fsm.views.tables.cells import painted  # with all that makes tables

    for line in lines:
        if in_colour:
            _echo("".join(painted(printable(words), _style(style, families)) for words, style in line))
        else:
            say(plain(line))


def _style(style: str, families: Sequence[str]) -> str:
    if style.startswith("kind:"):
        family = style[5:]
        return HUES[families.index(family) % len(HUES)] if family in families else ""
    return STYLES.get(style, "")


def say(text: str, *, err: bool = False) -> None:
    """Print a line; what cannot be printed is written as an escape."""
    _echo(printable(text), err=err)


def _echo(text: str, *, err: bool = False) -> None:
    stream = sys.stderr if err else sys.stdout
    encoding = stream.encoding or "utf-8"
    click.echo(text.encode(encoding, "backslashreplace").decode(encoding), err=err)


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Print rows under a head, in columns; the head is bold on a terminal."""
    from fsm.views.tables.cells import cells, padded, painted

    widths = [max(map(cells, column)) for column in zip(head, *rows, strict=True)]
    for row in (head, *rows):
        line = printable("  ".join(padded(word, width) for word, width in zip(row, widths, strict=True)).rstrip())
        _echo(painted(line, "bold") if row is head and coloured() else line)
