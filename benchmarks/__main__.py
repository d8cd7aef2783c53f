"""`python -m benchmarks`, in a checkout."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from fsm.cli.errors import TidyCommand

if TYPE_CHECKING:
    from benchmarks.results import Effort, Result

WIDE = 280
"""How many columns a result may take. It stays on one line, so that programs such as grep find it."""


@click.command(cls=TidyCommand)
@click.argument("names", nargs=-1, metavar="[NAME]...")
@click.option(
    "--only",
    multiple=True,
    metavar="NAME...",
    help="Only these bars; 'dispatch' means each that begins so.",
)
@click.option(
    "--rounds",
    type=click.IntRange(min=1),
    metavar="N",
    help="How many rounds: 11, and 3 with --quick.",
)
@click.option(
    "--quick", is_flag=True, help="A few seconds in all: to see that it works, not to quote."
)
@click.option(
    "--growth",
    is_flag=True,
    help="How costs grow with the size of models, games and logs, instead.",
)
@click.option("--json", "output", flag_value="json", help="The same as --format json.")
@click.option(
    "--format",
    "output",
    type=click.Choice(["text", "json", "markdown"]),
    default="text",
    help="For people, for programs, or for a page.",
)
def bench(
    names: tuple[str, ...],
    only: tuple[str, ...],
    rounds: int | None,
    quick: bool,
    growth: bool,
    output: str,
) -> None:
    """Measure what the package costs, against hand-written code and other state machine libraries.

    Each line is a bar: the entry measured, ours, the reference, their ratio, the limit, and whether it is met.
    Libraries that are not installed are left out, with a message; pip install '.[bench]' brings them all.
    Ends with 0 whatever the figures are, 2 when a name is wrong.

    \b
    Examples:
      python -m benchmarks
      python -m benchmarks --only turn start
      python -m benchmarks --quick --json
      python -m benchmarks --growth
    """
    from benchmarks.bars import GROWTH, chosen, run
    from benchmarks.results import FULL, QUICK

    effort = (QUICK if quick else FULL).with_rounds(rounds)
    bars = GROWTH.bars if growth else chosen((*only, *names))
    results = list(run(bars, effort, telling=_tell))
    _print(results, effort, output)


def _tell(group: str) -> None:
    """Who watches is told what is being measured; a program reads nothing of it."""
    if sys.stderr.isatty():
        click.echo(f"measuring {group} ...", err=True)


def _print(results: Sequence[Result], effort: Effort, output: str) -> None:
    from benchmarks.report import HEAD, as_json, as_row, markdown, measured_on, notes
    from fsm.cli.show import say, table

    if output == "markdown":
        say_lines(markdown(results, effort))
        return
    for note in notes(results):
        say(note, err=True)
    if output == "json":
        click.echo(json.dumps([as_json(result) for result in results], indent=2))
        return
    table(HEAD, [as_row(result) for result in results], room=WIDE)
    say(measured_on(effort))


def say_lines(text: str) -> None:
    """Print a text of several lines."""
    from fsm.cli.show import say

    for line in text.splitlines():
        say(line)


if __name__ == "__main__":
    bench(prog_name="python -m benchmarks")
