"""`fsm mutate`"""

from __future__ import annotations

import click

from fsm.cli import INTERRUPTED
from fsm.cli.frame import Text, option, progress_bar, say, show, write
from fsm.coverage.data import Subject
from fsm.testing.machineways import source_of


@click.command()
@click.argument("machine", metavar="MACHINE")
@click.argument("arguments", metavar="[-- PYTEST ARGUMENTS]", nargs=-1, type=click.UNPROCESSED)
@option("-o, --output FILE", "Write a test for each survivor to this file.", "file")
@option("--limit N", "Try only so many changes, chosen by the seed.")
@option("--seed SEED", "The seed of that choice.", default=1)
@option(
    "--timeout SECONDS",
    "A change is noticed if the tests take longer (default: five times as long as without it, at least 10).",
)
@option("--jobs N", "Run the tests against N changes at a time.", default=1)
def mutate(
    machine: str,
    arguments: tuple[str, ...],
    file: Text,
    limit: int | None,
    seed: int,
    timeout: float | None,
    jobs: int,
) -> int:
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
    from fsm.testing import mutate as runs  # this needs pytest

    source = source_of(machine) if ":" in machine and not machine.endswith(")") else None
    if file and source is None:
        raise click.UsageError("-o needs a machine that can be made anew: name module:machine")
    mutating = runs.Mutating(arguments, timeout)
    say("the tests run without a change...", err=True)
    data = mutating.record()
    changes, same = list[runs.Change](), dict[Subject, int]()
    own = source.subject if source else None
    for subject, model in runs.asked(data, machine, own).items():
        found, same[subject] = runs.changes_of(data, subject, model)
        changes += found
    changes = runs.chosen(changes, limit, seed)
    with progress_bar("changes tried") as progress:
        mutating.against(changes, progress, jobs)
    show(runs.report(changes, same))
    fates = {change.fate for change in changes}
    if "" in fates:
        return INTERRUPTED
    if source and file:
        text, notes = runs.tests_for(changes, source)
        show(notes)
        write({file: text} if text else {})
    return 1 if "survived" in fates else 0
