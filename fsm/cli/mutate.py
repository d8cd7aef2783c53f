"""`fsm mutate`"""

from __future__ import annotations

import json
import os
import shlex
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from fsm.cli.errors import INTERRUPTED
from fsm.cli.options import output_format, workers

if TYPE_CHECKING:
    from fsm.testing.mutation.results import Definition, Outcome

ALL = "all"


@click.command()
@click.argument("machine", metavar="MACHINE")
@click.argument("arguments", metavar="[-- PYTEST ARGUMENTS]", nargs=-1, type=click.UNPROCESSED)
@click.option(
    "-o", "--output", "file", metavar="FILE", help="Write a test for each survivor to this file."
)
@click.option(
    "--make", metavar="SPEC", help="For these tests: module:function that makes a fresh machine."
)
@click.option(
    "--callbacks",
    type=click.Choice(["real", "stub"]),
    default="real",
    help="In these tests: run the callbacks (default), or none of them.",
)
@click.option(
    "--limit",
    type=click.IntRange(min=1),
    metavar="N",
    help="Try only so many changes, chosen by the seed.",
)
@click.option(
    "--seed", type=int, default=1, metavar="S", help="The seed of that choice (default: 1)."
)
@click.option(
    "--timeout",
    type=click.FloatRange(min=0, min_open=True),
    metavar="S",
    help="A change is noticed if the tests take longer (default: five times as long as without it, at least 10).",
)
@workers
@output_format
def mutate(
    machine: str,
    arguments: tuple[str, ...],
    file: str | None,
    make: str | None,
    callbacks: str,
    limit: int | None,
    seed: int,
    timeout: float | None,
    jobs: int,
    cluster: str,
    output: str,
) -> None:
    """Would your tests notice? Try small changes of a machine of the transitions library against your own tests.

    A transition is removed or leads elsewhere, a condition is negated or not asked, a callback is not called, the
    machine begins in another state. The machines are changed while pytest runs; no source is edited. Only the tests
    that take what is changed run.

    MACHINE is module:machine, the name of a machine as 'fsm cover report' shows it, or 'all'. What follows -- goes to
    pytest. Ends with 0 when every change is noticed, 1 when some are not, 2 when the tests fail without any change.

    \b
    Examples:
      fsm mutate shop:door
      fsm mutate shop:door -o test_survivors.py -- tests/test_shop.py
      fsm mutate all --limit 50 --jobs 2 -- -m "not slow"
    """
    from fsm.cli.show import say
    from fsm.files import check_writable, write_files
    from fsm.testing.machinesource import source_of
    from fsm.testing.mutation import running

    check_writable([file])
    spec = make or (machine if ":" in machine else "")
    source = source_of(spec) if spec else None
    if file is not None and source is None:
        raise click.UsageError(
            "-o needs a fresh machine: name module:machine, or --make module:function"
        )
    runs = running.Mutating(arguments, timeout or 0.0)
    with tempfile.TemporaryDirectory() as temporary:
        say("the tests run without a change...", err=True)
        covered = runs.cover(Path(temporary))
        definitions = _asked(machine, covered.definitions)
        with _progress() as progress:
            todo = running.chosen(definitions, limit or 0, seed)
            outcome = runs.against(todo, covered, progress, jobs=jobs, cluster=cluster)
    if source is not None and file is not None and outcome.survivors and not outcome.interrupted:
        from fsm.testing.mutation.survivors import write_tests

        say("tests for the survivors are written and run...", err=True)
        command = shlex.join(
            [
                "fsm",
                "mutate",
                machine,
                "-o",
                os.path.basename(file),
                *(["--", *arguments] if arguments else []),
            ]
        )
        text, outcome.tests, notes = write_tests(
            outcome.survivors, source, command, callbacks == "real"
        )
        outcome.notes += notes
        if outcome.tests:
            write_files({file: text})
    _show(outcome, output, file)
    if outcome.interrupted:
        raise click.exceptions.Exit(INTERRUPTED)
    raise click.exceptions.Exit(1 if outcome.survivors else 0)


def _asked(machine: str, definitions: tuple[Definition, ...]) -> list[Definition]:
    """Return the definitions that are asked for. Raises FsmError if the tests use none of them."""
    from fsm.errors import FsmError, suggest

    names = sorted({definition.subject.name for definition in definitions})
    if machine == ALL:
        found = list(definitions)
    elif ":" in machine:
        from fsm.adapters import model_of
        from fsm.coverage.data import subject_of
        from fsm.testing.machinesource import source_of

        subject = subject_of(model_of(source_of(machine).fresh()))
        found = [one for one in definitions if one.subject == subject]
        if not found and subject.name in names:
            raise FsmError(
                f"the tests use no machine that is defined as {machine}, only others called {subject.name}"
            )
    else:
        found = [one for one in definitions if one.subject.name == machine]
    if not found:
        near = (
            suggest(machine, names)
            or f"; they use: {', '.join(names) or 'no machine of the transitions library'}"
        )
        raise FsmError(f"the tests do not use {machine!r}{near}")
    return found


@contextmanager
def _progress() -> Iterator[Callable[[int, int], None]]:
    """Show a progress bar on a terminal."""
    if not sys.stderr.isatty():
        yield lambda done, most: None
        return
    with click.progressbar(length=1, label="changes tried", show_pos=True, file=sys.stderr) as bar:

        def tried(done: int, most: int) -> None:
            bar.length = most
            bar.update(done - bar.pos)

        yield tried


def _show(outcome: Outcome, output: str, file: str | None) -> None:
    from fsm.cli.show import say

    if output == "json":
        click.echo(json.dumps(outcome.to_json(), indent=1))
        return
    for line in outcome.lines():
        say(line)
    if outcome.tests and file is not None:
        say(f"written: {file}: {len(set(outcome.tests.values()))} tests")
    elif outcome.survivors and file is None:
        say("-o FILE writes a test for each")
