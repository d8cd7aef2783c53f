"""What the commands share: options, results, and how things are printed."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from itertools import chain
from pathlib import Path
from shutil import get_terminal_size
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import click

from fsm.files import check_writable, write_file

if TYPE_CHECKING:
    from fsm.model import Model
    from fsm.runs.timeline import Span, Timeline
    from fsm.runs.turns import Turn

Line: TypeAlias = "str | Sequence[Span]"
"""A text, or parts of it with their styles."""
Text: TypeAlias = "str | None"
"""The value of an option, which is never empty, or None if it is not given."""

COLOURS = {
    "skip": "cyan",
    "extra": "yellow",
    "again": "magenta",
    "back": "cyan",
    "cut": "red",
    "good": "green",
    "bad": "red",
}
"""The colour of a style."""
PLAIN = ("", "muted")
"""The styles that are not bold."""


# options ------------------------------------------------------------------------------------------


def _writable(path: str) -> str:
    """Return the path of a file, which is refused before any work is done if it cannot be written."""
    check_writable(_filled(path))
    return path


def _filled(text: str) -> str:
    if not text:
        raise click.BadParameter("it is empty")
    return text


TYPES: Mapping[str, Any] = {
    "FILE": _writable,
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
        return click.option(value, *name, help=help, is_flag=True)
    if "|" in value:
        more["type"] = click.Choice(value.split("|"))
    else:
        more |= {"type": TYPES.get(value, _filled), "metavar": value}
    return click.option(*flags, *name, help=help, show_default="default" in more, **more)


json_option = option("--json", "Print JSON, for programs.", "as_json")


def default_file(ruleset: str, ending: str) -> str:
    """Return the file that is written for a ruleset where none is named: NAME.svg for module:NAME."""
    name = ruleset.partition("?")[0].rpartition(":")[2]
    return Path(name).stem + ending


# results ------------------------------------------------------------------------------------------


class Result(NamedTuple):
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
        click.echo(json.dumps(values if values[1:] else values[0], indent=2))
    return 0 if all(result.good for result in seen) else 1


def write(texts: Mapping[str, str | bytes], *, quiet: bool = False) -> None:
    """Write files, and say so unless it is to be `quiet`."""
    for path, text in texts.items():
        write_file(path, text)
        if not quiet:
            say_written(path)


# lines --------------------------------------------------------------------------------------------


def show(lines: Iterable[Line]) -> None:
    """Print lines, in colour on a terminal."""
    in_colour = sys.stdout.isatty() and not os.environ.get("NO_COLOR")
    for line in lines:
        spans = [(line, "")] if isinstance(line, str) else line
        if in_colour:
            click.echo("".join(_painted(printable(text), style) for text, style in spans))
        else:
            say("".join(text for text, _ in spans).rstrip())


def _painted(text: str, style: str) -> str:
    return click.style(text, COLOURS.get(style), bold=style not in PLAIN, dim=style == "muted")


def say(text: str, *, err: bool = False) -> None:
    """Print a line, with characters that cannot be printed escaped."""
    click.echo(printable(text), err=err)


def say_written(path: str) -> None:
    """Say which file was written. Nothing is said of standard output."""
    if path != "-":
        say(f"written: {path}")


def printable(text: str) -> str:
    """Return the text with control characters escaped, because input must not control a terminal.
    The signs of a timeline become ASCII where standard output has no Unicode.
    """
    try:
        text.encode(sys.stdout.encoding or "ascii")
    except UnicodeEncodeError:
        from fsm.runs.timeline import ASCII

        text = text.translate(ASCII)
    if not text.isprintable():
        text = "".join(one if one.isprintable() else ascii(one)[1:-1] for one in text)
    return text


def table(rows: Iterable[Sequence[str]]) -> list[str]:
    """Return the lines of a table, as help is written: the first column, and beside it the others."""
    formatter = click.HelpFormatter(width=get_terminal_size().columns)
    formatter.write_dl([(first, "; ".join(filter(None, more))) for first, *more in rows])
    return formatter.getvalue().splitlines()


class Turns:
    """Prints games as they come: for people a timeline, for programs a line for each visit."""

    def __init__(self, as_json: bool) -> None:
        self.as_json = as_json
        self.layout: Timeline | None = None

    def game(self, model: Model, title: str, turns: Iterable[Turn], **about: object) -> None:
        """Print a game. The key stands above the first game of a model. For programs, `about` says
        which game it is.
        """
        from fsm.runs.timeline import Timeline

        if self.as_json:
            for visit in chain.from_iterable(turn.visits for turn in turns):
                say(json.dumps({**about, **asdict(visit)}))
            return
        if self.layout is None or self.layout.model is not model:
            self.end()
            room = get_terminal_size().columns if sys.stdout.isatty() else None
            self.layout = Timeline(model, room=room)
            show(["", *self.layout.key()])
        show(["", [(title, "head")], *self.layout.header()])
        for turn in turns:
            show(self.layout.turn(turn))

    def end(self) -> None:
        """Explain the signs that were printed."""
        if self.layout is not None:
            show(["", *self.layout.legend()])


@contextmanager
def progress_bar(label: str) -> Iterator[Callable[[int, int], None]]:
    """Give a function that gets how much is done, and of how much. A terminal shows it as a bar."""
    how: Any = {"show_eta": False, "show_pos": True, "hidden": not sys.stderr.isatty()}
    with click.progressbar(length=1, label=label, file=sys.stderr, **how) as bar:

        def progress(done: int, most: int) -> None:
            bar.length = most
            bar.update(done - bar.pos)

        yield progress
