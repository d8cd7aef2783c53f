"""Prints to a terminal with colour and tables, and plain text anywhere else."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from shutil import get_terminal_size
from typing import TYPE_CHECKING

import click

from fsm.cli.errors import printable

if TYPE_CHECKING:
    from fsm.model import Model
    from fsm.runs.timeline import Marks, Span, Timeline

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
    from fsm.runs.timeline import ASCII, Marks

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
    from fsm.runs.timeline import Timeline

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
            say("".join(words for words, _ in line).rstrip())


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


@contextmanager
def progress_bar(label: str) -> Iterator[Callable[[int, int], None]]:
    """Give a function that gets how much is done, and of how much. A terminal shows it as a bar."""
    if not sys.stderr.isatty():
        yield lambda done, most: None
        return
    with click.progressbar(
        length=1, label=label, show_eta=False, show_pos=True, file=sys.stderr
    ) as bar:

        def progress(done: int, most: int) -> None:
            bar.length = most
            bar.update(done - bar.pos)

        yield progress


def say_written(path: str, what: str = "") -> None:
    """Say which file was written, and what it holds. Nothing is said of standard output."""
    if path != "-":
        say(f"written: {path}{': ' * bool(what)}{what}")


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
