"""`python -m benchmarks`, in a checkout: one row for each bar."""

from __future__ import annotations

import os
import platform
from collections.abc import Sequence

import click

from benchmarks.timing import FULL, QUICK, Row
from fsm.errors import suggest

HEAD = ("bar", "what", "ours", "reference", "ratio", "limit", "met")


@click.command()
@click.argument("names", nargs=-1, metavar="[BAR]...")
@click.option("--quick", is_flag=True, help="A minute in all: to see that it works, not to quote.")
def bench(names: tuple[str, ...], quick: bool) -> None:
    """Measure what the package costs: all bars, or these.

    Ends with 0 whatever the figures are, 2 when there is no such bar.

    \b
    Examples:
      python -m benchmarks
      python -m benchmarks turn dispatch
    """
    from benchmarks.bars import BARS

    for name in names:
        if name not in BARS:
            raise click.UsageError(f"there is no bar {name!r}{suggest(name, BARS)}")
    rows: list[Row] = []
    for name in names or BARS:
        rows += BARS[name](QUICK if quick else FULL)
        click.echo(f"{name} is measured", err=True)
    click.echo(markdown(rows))


def markdown(rows: Sequence[Row]) -> str:
    """The table, with where it was measured over it."""
    python = f"{platform.python_implementation()} {platform.python_version()}"
    where = f"{python}, {platform.system()} {platform.machine()}, {os.cpu_count()} processors"
    cells = [HEAD, tuple("---" for _ in HEAD), *(row.cells() for row in rows)]
    return "\n".join([where, "", *(f"| {' | '.join(line)} |" for line in cells)])


if __name__ == "__main__":
    bench(prog_name="python -m benchmarks")
