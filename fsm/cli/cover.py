"""`fsm cover`"""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from fsm.cli.errors import TidyGroup

if TYPE_CHECKING:
    from fsm.coverage.commands import Commands

DIRECTORY = ".fsm-coverage"


@click.group(cls=TidyGroup)
def cover() -> None:
    """Recorded coverage: which ways through state machines were taken.

    \b
    Examples:
      fsm cover report                        what 'pytest --fsm-cov' has recorded here
      fsm cover combine linux/ mac/ -o all.fsmcov
      fsm cover diff main.fsmcov
      fsm cover baseline -o cover-baseline.jsonl
    """


@cover.command()
@click.argument("data", nargs=-1)
@click.option(
    "--criteria", multiple=True, metavar="LIST", help="By which criteria, as 'transitions,pairs'."
)
@click.option(
    "--report",
    "kinds",
    multiple=True,
    metavar="KIND[:FILE]",
    help="term (default), html...",
)
@click.option(
    "--allow",
    "lists",
    multiple=True,
    metavar="FILE",
    help="A list of what may be missing, with reasons.",
)
@click.option(
    "--fail-under",
    "floors",
    multiple=True,
    metavar="PERCENT",
    help="90 in total, or transitions=100,pairs=80.",
)
@click.option(
    "--baseline",
    "baselines",
    multiple=True,
    metavar="FILE",
    help="A list of what must still be taken.",
)
def report(
    data: tuple[str, ...],
    criteria: tuple[str, ...],
    kinds: tuple[str, ...],
    lists: tuple[str, ...],
    floors: tuple[str, ...],
    baselines: tuple[str, ...],
) -> None:
    """Report what was recorded in DATA: files, or directories of them (.fsm-coverage if none is named).

    KIND is term, term-missing, markdown, html or json. Ends with 1 when less was taken than asked for
    or than a baseline lists, or when a list of what may be missing is wrong.

    \b
    Examples:
      fsm cover report --report term-missing
      fsm cover report all.fsmcov --criteria transitions,rules --report html:cover.html
      fsm cover report --fail-under 100
    """
    held = _commands().report(
        data,
        criteria=criteria,
        kinds=kinds,
        lists=lists,
        floors=floors,
        baselines=baselines,
    )
    if not held:
        raise click.exceptions.Exit(1)


@cover.command()
@click.argument("data", nargs=-1)
@click.option(
    "-o",
    "--output",
    "file",
    required=True,
    metavar="FILE",
    help="Where to write; ends in .fsmcov, say.",
)
def combine(data: tuple[str, ...], file: str) -> None:
    """Write what was recorded in DATA (files, or directories of them) to one file.

    \b
    Example:
      fsm cover combine linux/ mac/ -o all.fsmcov
    """
    _commands().combine(data, file)


@cover.command()
@click.argument("data", nargs=-1)
@click.option(
    "-o",
    "--output",
    "file",
    required=True,
    metavar="FILE",
    help="Where to write, as 'cover-baseline.jsonl'.",
)
@click.option(
    "--criteria",
    multiple=True,
    metavar="LIST",
    help="What to list, as 'transitions,pairs' (transitions,literals).",
)
def baseline(data: tuple[str, ...], file: str, criteria: tuple[str, ...]) -> None:
    """Write a list of what was taken, to be kept with the project. 'report --baseline FILE' fails if it is lost.

    The file is text with one line for each transition and literal, sorted. DATA is as for 'report'.

    \b
    Example:
      fsm cover baseline -o cover-baseline.jsonl
    """
    _commands().baseline(data, file, criteria)


@cover.command()
@click.argument("base")
@click.argument("now", required=False, default=DIRECTORY)
def diff(base: str, now: str) -> None:
    """Say what NOW lost against BASE (-), and what it gained (+). Ends with 1 when anything was lost.

    Each is a file, or a directory of files; NOW is .fsm-coverage if it is not named. BASE may be a baseline.

    \b
    Examples:
      fsm cover diff main.fsmcov
      fsm cover diff cover-baseline.jsonl .fsm-coverage
    """
    if not _commands().diff(base, now):
        raise click.exceptions.Exit(1)


def _commands() -> Commands:
    from fsm.cli.show import say, show
    from fsm.coverage.commands import Commands

    def changed(sign: str, text: str) -> None:
        show([[(f"{sign} ", "bad" if sign == "-" else "good"), (text, "")]])

    return Commands("fsm cover", "pytest --fsm-cov", DIRECTORY, say, changed)
