"""Prints to a terminal with colour and tables, and plain text anywhere else."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from shutil import get_terminal_size
from typing import TYPE_CHECKING, TypeAlias

import click

if TYPE_CHECKING:
    from fsm.model import Model
    from fsm.runs.timeline import Span, Timeline

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
Line: TypeAlias = "str | Sequence[Span]"
"""A text, or parts of it with their styles."""


def layout_of(model: Model) -> Timeline:
    """Return the timeline of a model, which fits the terminal."""
    from fsm.runs.timeline import Timeline

    return Timeline(model, room=columns())


def columns() -> int | None:
    """Return how many columns the terminal has. Elsewhere lines may be as long as they are."""
    return get_terminal_size().columns if sys.stdout.isatty() else None


def show(lines: Iterable[Line], families: Sequence[str] = ()) -> None:
    """Print lines. `families` gives each kind of phase its colour, which only a terminal has."""
    plain = os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"
    in_colour = sys.stdout.isatty() and not plain
    for line in lines:
        spans = [(line, "")] if isinstance(line, str) else line
        if in_colour:
            from fsm.views.cells import painted

            parts = [painted(printable(text), _style(style, families)) for text, style in spans]
            click.echo("".join(parts))
        else:
            say("".join(text for text, _ in spans).rstrip())


def _style(style: str, families: Sequence[str]) -> str:
    kind, _, family = style.partition(":")
    if kind == "kind" and family in families:
        return HUES[families.index(family) % len(HUES)]
    return STYLES.get(style, "")


def printable(text: str) -> str:
    """Return the text with control characters escaped, because input must not control a terminal.
    The signs of a timeline become ASCII where standard output has no Unicode.
    """
    try:
        text.encode(sys.stdout.encoding or "ascii")
    except UnicodeEncodeError:
        from fsm.runs.timeline import ASCII

        text = text.translate(ASCII)
    if text.isprintable():
        return text
    return "".join(letter if letter.isprintable() else ascii(letter)[1:-1] for letter in text)


def say(text: str, *, err: bool = False) -> None:
    """Print a line, with characters that cannot be printed escaped."""
    click.echo(printable(text), err=err)


@contextmanager
def progress_bar(label: str) -> Iterator[Callable[[int, int], None]]:
    """Give a function that gets how much is done, and of how much. A terminal shows it as a bar."""
    hidden = not sys.stderr.isatty()
    bars = click.progressbar(
        length=1, label=label, show_eta=False, show_pos=True, file=sys.stderr, hidden=hidden
    )
    with bars as bar:

        def progress(done: int, most: int) -> None:
            bar.length = most
            bar.update(done - bar.pos)

        yield progress


def write(texts: Mapping[str, str | bytes], *, quiet: bool = False) -> None:
    """Write files, all or none, and say so unless it is to be `quiet`."""
    from fsm.files import write_files

    write_files(texts)
    for path in () if quiet else texts:
        say_written(path)


def say_written(path: str, what: str = "") -> None:
    """Say which file was written, and what it holds. Nothing is said of standard output."""
    if path != "-":
        say(f"written: {path}{': ' * bool(what)}{what}")


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[Line]:
    """Yield rows in columns under a heading.

    If they do not fit the terminal, or 80 columns elsewhere, the texts of a row stand below its
    names.
    """
    from fsm.views.cells import cells, padded, wrapped

    room, rows = columns() or WIDTH, [*rows]
    widths = [max(map(cells, column)) for column in zip(head, *rows, strict=True)]
    fits = sum(widths) + 2 * len(widths) - 2 <= room
    every_column = enumerate(zip(*rows, strict=True))
    texts = [number for number, column in every_column if " " in "".join(column)]
    for row in (head, *rows):
        style = "head" if row is head else ""
        if fits:
            yield [("  ".join(map(padded, row, widths)), style)]
            continue
        names = [text for number, text in enumerate(row) if text and number not in texts]
        yield [("  ".join(names), style)]
        for number in texts:
            lines = wrapped(row[number], room - 4)
            yield from ([(f"    {line}", style)] for line in lines if line)
