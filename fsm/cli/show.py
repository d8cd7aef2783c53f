"""Prints to a terminal with colour and tables, and plain text anywhere else."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from shutil import get_terminal_size
from typing import TYPE_CHECKING, Any, TypeAlias

import click

if TYPE_CHECKING:
    from fsm.model import Model
    from fsm.runs.timeline import Span, Timeline
    from fsm.runs.turns import Turn

_BOLD = {"bold": True}
STYLES: dict[str, dict[str, Any]] = {
    "head": _BOLD,
    "muted": {"dim": True},
    "skip": {"fg": "cyan"},
    "extra": {"fg": "yellow", **_BOLD},
    "again": {"fg": "magenta", **_BOLD},
    "back": {"fg": "cyan", **_BOLD},
    "cut": {"fg": "red", **_BOLD},
    "good": {"fg": "green"},
    "bad": {"fg": "red", **_BOLD},
}
WIDTH = 80
"""How many columns a table has where there is no terminal."""
Line: TypeAlias = "str | Sequence[Span]"
"""A text, or parts of it with their styles."""


@dataclass(frozen=True)
class Result:
    """What a command has found: for programs, for people, and whether all is well."""

    values: Any
    lines: Iterable[Line]
    good: bool = True


def present(results: Iterable[Result], as_json: bool) -> int:
    """Print each result as soon as it is there, or all as JSON. Return the exit code."""
    seen = list[Result]()
    for result in results:
        if not as_json:
            show([""] if seen else [])
            show(result.lines)
        seen.append(result)
    if as_json:
        values = [result.values for result in seen]
        click.echo(json.dumps(values if len(values) > 1 else values[0], indent=2))
    return 0 if all(result.good for result in seen) else 1


# lines --------------------------------------------------------------------------------------------


def columns() -> int | None:
    """Return how many columns the terminal has. Elsewhere lines may be as long as they are."""
    return get_terminal_size().columns if sys.stdout.isatty() else None


def show(lines: Iterable[Line]) -> None:
    """Print lines, in colour on a terminal."""
    in_colour = sys.stdout.isatty() and not os.environ.get("NO_COLOR")
    for line in lines:
        spans = [(line, "")] if isinstance(line, str) else line
        if in_colour:
            parts = [click.style(printable(text), **STYLES.get(style, {})) for text, style in spans]
            click.echo("".join(parts))
        else:
            say("".join(text for text, _ in spans).rstrip())


def say(text: str, *, err: bool = False) -> None:
    """Print a line, with characters that cannot be printed escaped."""
    click.echo(printable(text), err=err)


def printable(text: str) -> str:
    """Return the text with control characters escaped, because input must not control a terminal.
    The signs of a timeline become ASCII where standard output has no Unicode.
    """
    try:
        text.encode(sys.stdout.encoding or "ascii")
    except UnicodeEncodeError:
        from fsm.runs.timeline import ASCII

        text = text.translate(ASCII)
    return "".join(letter if letter.isprintable() else ascii(letter)[1:-1] for letter in text)


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[Line]:
    """Yield rows in columns under a heading.

    If they do not fit the terminal, or 80 columns elsewhere, the texts of a row stand below its
    names.
    """
    from fsm.wording import cells, padded, wrapped

    room, every = columns() or WIDTH, [head, *rows]
    widths = [max(map(cells, column)) for column in zip(*every, strict=True)]
    fits = sum(widths) + 2 * len(widths) - 2 <= room
    for row in every:
        style = "head" if row is head else ""
        if fits:
            yield [("  ".join(map(padded, row, widths)), style)]
            continue
        words = [text for text in row if text and " " not in text]
        yield [("  ".join(words), style)]
        for text in [text for text in row if " " in text]:
            yield from ([(f"    {line}", style)] for line in wrapped(text, room - 4))


class Turns:
    """Prints turns as they come: for people a timeline, for programs a line for each visit."""

    def __init__(self, as_json: bool) -> None:
        self.as_json = as_json
        self.layout: Timeline | None = None

    def begin(self, model: Model, title: str) -> None:
        """Begin a game. The key stands above the first game of a model."""
        from fsm.runs.timeline import Timeline

        if self.as_json:
            return
        if self.layout is None or self.layout.model.fingerprint != model.fingerprint:
            self.end()
            self.layout = Timeline(model, room=columns())
            show(["", *self.layout.key()])
        show(["", [(title, "head")], *self.layout.header()])

    def turn(self, turn: Turn, about: Mapping[str, object]) -> None:
        """Print a turn. For programs, `about` says of which game."""
        if self.layout is not None:
            show(self.layout.turn(turn))
            return
        for visit in turn.visits:
            say(json.dumps({**about, **asdict(visit)}))

    def end(self) -> None:
        """Explain the signs that were printed."""
        legend = self.layout.legend() if self.layout is not None else []
        if any(legend):
            show(["", *legend, ""])


# progress and files -------------------------------------------------------------------------------


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
    """Write files, and say so unless it is to be `quiet`."""
    from fsm.files import write_file

    for path, text in texts.items():
        write_file(path, text)
        if not quiet:
            say_written(path)


def say_written(path: str) -> None:
    """Say which file was written. Nothing is said of standard output."""
    if path != "-":
        say(f"written: {path}")
