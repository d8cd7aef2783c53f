"""Prints to a terminal with colour and tables, and plain text anywhere else."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from shutil import get_terminal_size
from typing import TypeVar

import click

from fsm.cli.errors import printable
from fsm.model import Model
from fsm.runs.timeline import ASCII, Marks, Span, Timeline, plain

_T = TypeVar("_T")
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
WIDTH = 80
"""How many columns a table has where there is no terminal."""
HUES = ("blue", "green", "166", "104")  # 166 is orange, 104 is violet


def marks() -> Marks:
    """Return the signs that standard output can show."""
    signs = Marks()
    try:
        "".join(getattr(signs, name) for name in Marks.__slots__).encode(
            sys.stdout.encoding or "ascii"
        )
    except UnicodeEncodeError:
        return ASCII
    return signs


def coloured() -> bool:
    """Say whether to use colour: on a terminal that supports it, unless the user has turned it off."""
    return (
        sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
    )


def layout_of(model: Model) -> Timeline:
    """Return the timeline of a model with the signs that standard output can show."""
    return Timeline(model, marks(), room=room_for_lines())


def room_for_lines() -> int | None:
    """Return how many columns the terminal has. Elsewhere lines may be as long as they are."""
    return get_terminal_size().columns if sys.stdout.isatty() else None


def show(lines: Iterable[Sequence[Span]], families: Sequence[str] = ()) -> None:
    """Print lines of (text, style). `families` gives each kind of phase its colour."""
    in_colour = coloured()
    if in_colour:
        from fsm.views.cells import painted

    for line in lines:
        if in_colour:
            _echo(
                "".join(painted(printable(words), _style(style, families)) for words, style in line)
            )
        else:
            say(plain(line))


def _style(style: str, families: Sequence[str]) -> str:
    if style.startswith("kind:"):
        family = style[5:]
        return HUES[families.index(family) % len(HUES)] if family in families else ""
    return STYLES.get(style, "")


def say(text: str, *, err: bool = False) -> None:
    """Print a line, with characters that cannot be printed escaped."""
    _echo(printable(text), err=err)


def _echo(text: str, *, err: bool = False) -> None:
    stream = sys.stderr if err else sys.stdout
    encoding = stream.encoding or "utf-8"
    click.echo(text.encode(encoding, "backslashreplace").decode(encoding), err=err)


def with_bar(results: Iterable[_T], length: int, label: str) -> Iterator[_T]:
    """Yield so many results. Show on a terminal how many there have been."""
    if not sys.stderr.isatty():
        yield from results
        return
    with click.progressbar(
        results, length=length, label=label, show_pos=True, file=sys.stderr
    ) as bar:
        yield from bar


def say_written(path: str) -> None:
    """Say which file was written. Nothing is said of standard output."""
    if path != "-":
        say(f"written: {path}")


def table(head: Sequence[str], rows: Sequence[Sequence[str]], room: int | None = None) -> None:
    """Print rows in columns under a heading, which is bold on a terminal.

    They fit in so many columns of text, by default in those of the terminal, and in 80 elsewhere.
    """
    from fsm.cli.columns import laid_out
    from fsm.views.cells import painted

    room = room or (get_terminal_size().columns if sys.stdout.isatty() else WIDTH)
    heading, *others = laid_out([head, *rows], room)
    for line in heading:
        _echo(painted(printable(line), "bold") if coloured() else printable(line))
    for line in (line for lines in others for line in lines):
        say(line)
