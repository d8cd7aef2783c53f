"""Prints to a terminal with colour and tables, and plain text anywhere else."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from shutil import get_terminal_size
from typing import TYPE_CHECKING

import click

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


def printable(text: str) -> str:
    """Return the text with control characters escaped, because input must not control a terminal."""
    if text.isprintable():
        return text
    return "".join(letter if letter.isprintable() else ascii(letter)[1:-1] for letter in text)


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


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Print rows in columns under a heading, which is bold on a terminal.

    If they do not fit the terminal, or 80 columns elsewhere, the texts of a row stand below its
    names.
    """
    from fsm.views.cells import cells, padded, painted, wrapped

    room = room_for_lines() or WIDTH
    columns = list(zip(head, *rows, strict=True))
    widths = [max(map(cells, column)) for column in columns]
    fits = sum(widths) + 2 * len(widths) - 2 <= room
    texts = {n for n, column in enumerate(columns) if any(" " in text for text in column[1:])}
    for number, row in enumerate((head, *rows)):
        if fits:
            lines = ["  ".join(map(padded, row, widths)).rstrip()]
        else:
            lines = ["  ".join(text for n, text in enumerate(row) if text and n not in texts)]
            for n in sorted(texts):
                lines += [f"    {line}" for line in wrapped(row[n], room - 4) if line]
        for line in map(printable, lines):
            _echo(painted(line, "bold") if number == 0 and coloured() else line)
