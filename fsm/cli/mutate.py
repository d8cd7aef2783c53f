"""`fsm mutate`"""

from __future__ import annotations

import os
import shlex
from itertools import chain

import click

from fsm.cli.errors import INTERRUPTED
from fsm.cli.options import jobs as with_jobs
from fsm.cli.show import progress_bar, say, say_written


@click.command()
@click.argument("machine", metavar="MACHINE")
@click.argument("arguments", metavar="[-- PYTEST ARGUMENTS]", nargs=-1, type=click.UNPROCESSED)
@click.option(
    "-o", "--output", "file", metavar="FILE", help="Write a test for each survivor to this file."
)
@click.option(
    "--limit",
    type=click.IntRange(min=1),
    metavar="N",
    help="Try only so many changes, chosen by the seed.",
)
@click.option(
    "--seed", type=int, default=1, show_default=True, metavar="S", help="The seed of that choice."
)
@click.option(
    "--timeout",
    type=click.FloatRange(min=0, min_open=True),
    metavar="S",
    help="A change is noticed if the tests take longer (default: five times as long as without it, at least 10).",
)
@with_jobs
def mutate(
    machine: str,
    arguments: tuple[str, ...],
    file: str | None,
    limit: int | None,
    seed: int,
    timeout: float | None,
    jobs: int,
) -> None:
    """Try small changes of a machine of the transitions library against your own tests: would they notice?

    A transition is removed or leads elsewhere, a condition is negated or not asked. The machines are changed while
    pytest runs; no source is edited. Only the tests that take what is changed run.

    MACHINE is module:machine, the name of a machine as 'fsm cover report' shows it, or 'all'. What follows -- goes to
    pytest. Ends with 0 when every change is noticed, 1 when some are not, 2 when the tests fail without any change.

    \b
    Examples:
      fsm mutate shop:door
      fsm mutate shop:door -o test_survivors.py -- tests/test_shop.py
      fsm mutate all --limit 50 --jobs 2 -- -m "not slow"
    """
    from fsm.files import check_writable, write_files
    from fsm.testing import survivors
    from fsm.testing.machinesource import source_of
    from fsm.testing.mutate import Mutating, chosen

    check_writable([file])
    source = source_of(machine) if ":" in machine and not machine.endswith(")") else None
    if file is not None and source is None:
        raise click.UsageError("-o needs a machine that can be made anew: name module:machine")
    runs = Mutating(arguments, timeout)
    say("the tests run without a change...", err=True)
    recorded = runs.record()
    subjects = recorded.asked(machine, source.subject if source else None)
    found = {subject: recorded.changes(subject) for subject in subjects}
    todo = chosen(chain.from_iterable(changes for changes, _ in found.values()), limit, seed)
    with progress_bar("changes tried") as progress:
        report = runs.against(todo, progress, jobs)
    report.same = {subject: same for subject, (_, same) in found.items()}
    for line in report.lines():
        say(line)
    if report.interrupted:
        raise click.exceptions.Exit(INTERRUPTED)
    if not report.survivors:
        return
    if file is None or source is None:
        say("-o FILE writes a test for each")
    else:
        say("tests for the survivors are written and run...", err=True)
        words = ["fsm", "mutate", machine, "-o", os.path.basename(file)]
        words += ["--", *arguments] if arguments else []
        text, names, notes = survivors.tests_for(report.survivors, source, shlex.join(words))
        for note in notes:
            say(note)
        if text:
            write_files({file: text})
            say_written(file, f"{len(names)} test{'s' * (len(names) != 1)}")
    raise click.exceptions.Exit(1)
