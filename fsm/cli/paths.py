"""`fsm paths`"""

from __future__ import annotations

import json
import signal
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import click

from fsm.cli.options import workers

if TYPE_CHECKING:
    from fsm.model import Model
    from fsm.testing.budget import Progress
    from fsm.testing.machineways import Callbacks
    from fsm.testing.path import PathSet

FORMATS = ["text", "json", "scenario", "pytest"]
EACH = "{criterion}"
"""In the name of the file that is written, this stands for each criterion."""


@click.command()
@click.argument("ruleset")
@click.option(
    "--criterion",
    "criteria",
    metavar="C",
    multiple=True,
    default=["transitions"],
    help="What the paths take (default: transitions). May be given several times.",
)
@click.option(
    "--format",
    "output",
    type=click.Choice(FORMATS),
    default="text",
    help="For people, for programs, for `fsm run`, or as a file of tests.",
)
@click.option(
    "-o",
    "--output",
    "file",
    metavar="FILE",
    default="-",
    help="Where to write (default: the terminal).",
)
@click.option(
    "--seconds",
    type=click.FloatRange(min=0, min_open=True),
    default=120,
    metavar="S",
    help="Search about this long at most (default: 120).",
)
@click.option("--to", "state", metavar="STATE", help="Only the shortest path to this state.")
@click.option(
    "--callbacks",
    type=click.Choice(["real", "stub"]),
    default="real",
    help="Of a plain machine: run its callbacks (default), or none of them.",
)
@click.option(
    "--make",
    metavar="SPEC",
    help="Of a plain machine: module:function that makes a fresh one.",
)
@workers
def paths(
    ruleset: str,
    criteria: tuple[str, ...],
    output: str,
    file: str,
    seconds: float,
    state: str | None,
    callbacks: Callbacks,
    make: str | None,
    jobs: int,
    cluster: str,
) -> None:
    """Make paths through RULESET that take all of a coverage criterion, with the answers that open every guard.

    RULESET may also be a machine of the transitions library, module:machine. Then it is the events that lead to each
    transition, with what conditions must say. As pytest, it is one test for each. What could not be reached is listed
    as open. Ends with 0 when nothing is open, 1 when something is.

    Several criteria have paths of their own, and can be searched at the same time by several processes. In the name of
    the file, {criterion} then stands for each; without it, as JSON, they are a list.

    \b
    Examples:
      fsm paths grand-archive --criterion transitions
      fsm paths magic --criterion states --format pytest -o test_magic.py
      fsm paths magic --criterion states --criterion rules --jobs 2 --format pytest -o 'test_{criterion}.py'
      fsm paths magic --format scenario -o paths.json
      fsm paths magic --to cleanup_again_end
      fsm paths mymodule:machine --format pytest -o test_machine.py
      fsm paths mymodule:Door --callbacks stub --format pytest -o test_door.py
    """
    from fsm.files import check_writable

    criteria = tuple(dict.fromkeys(criteria))[: 1 if state is not None else None]
    check_writable(_files(criteria, file, output))
    from fsm import rulesets
    from fsm.testing import generating

    model = rulesets.load(ruleset, machines=True)
    machine: Any = rulesets.machine_of(ruleset)
    if machine is not None and getattr(machine, "definition", None) is None:
        _machine(make or ruleset, callbacks, output, file)
    if state is not None:
        made = [_made(generating.path_to(model, state), ruleset, output)]
    else:
        search = partial(searched, model, ruleset, output, {"seconds": seconds})
        made = _searched(search, criteria, jobs, cluster)
    _write(made, criteria, file, output)
    raise click.exceptions.Exit(int(len(made) < len(criteria) or any(m.open for m in made)))


@dataclass(frozen=True, slots=True)
class Made:
    """Paths as they are written, whether anything is open, and a note for the user."""

    text: str
    open: bool
    note: str


def searched(
    model: Model,
    ruleset: str,
    output: str,
    options: dict[str, Any],
    criterion: str,
    progress: Progress | None = None,
) -> Made:
    """Make the paths of one criterion."""
    from fsm.testing import generating

    found = generating.paths(model, criterion, progress=progress, **options)
    return _made(found, ruleset, output)


def _searched(
    search: partial[Made], criteria: Sequence[str], jobs: int, cluster: str
) -> list[Made]:
    """Make the paths of each criterion. One progress bar counts the criteria, or what is tried for
    a single one.
    """
    from fsm.cli.show import say, with_bar
    from fsm.coverage.criteria import criterion as criterion_of
    from fsm.parallel import spread

    if len(criteria) == 1 and not cluster:
        with _progress() as progress:
            return [search(criteria[0], progress=progress)]
    for criterion in criteria:
        criterion_of(criterion)  # a wrong name is said before anything is searched
    made: list[Made] = []
    try:
        with spread(search, criteria, jobs=jobs, cluster=cluster) as results:
            made.extend(with_bar(results, len(criteria), "criteria"))
    except KeyboardInterrupt:
        say(f"fsm: interrupted after {len(made)} of {len(criteria)} criteria", err=True)
    return made


def _files(criteria: Sequence[str], file: str, output: str) -> list[str]:
    """Return the files that are written: one for each criterion if its name says so."""
    if EACH in file:
        return [file.replace(EACH, criterion) for criterion in criteria]
    if len(criteria) > 1 and output not in ("text", "json"):
        raise click.UsageError(
            f"several criteria as {output} need a file each; write {EACH} in the name after -o"
        )
    return [file]


def _write(made: Sequence[Made], criteria: Sequence[str], file: str, output: str) -> None:
    """Write what was made, together or in files of their own."""
    from fsm.cli.show import say_written
    from fsm.files import write_files

    for one in made:
        if one.note:
            click.echo(one.note, err=True)
    texts = [one.text for one in made]
    if EACH in file:
        files = dict(
            zip(_files(criteria, file, output), texts, strict=False)
        )  # an interrupt may leave fewer
    elif output == "json" and len(criteria) > 1:
        files = {
            file: json.dumps([json.loads(text) for text in texts], indent=1, ensure_ascii=False)
            + "\n"
        }
    else:
        files = {file: "\n".join(texts)} if texts else {}
    write_files(files)
    for path in files:
        say_written(path)


@contextmanager
def _progress() -> Iterator[Progress]:
    """Show a progress bar on a terminal. An interrupt ends the search with what it has, and a
    second one at once.
    """
    from fsm.cli.show import say

    bar = click.progressbar(
        length=1, label="answers tried", show_eta=False, show_pos=True, file=sys.stderr
    )
    shown, enough = sys.stderr.isatty(), False

    def tried(done: int, most: int) -> bool:
        if shown:
            bar.length = most
            bar.update(done - bar.pos)
        return enough

    def interrupted(*_: object) -> None:
        nonlocal enough
        enough = True
        signal.signal(signal.SIGINT, before)

    before = signal.signal(signal.SIGINT, interrupted)
    try:
        with bar if shown else nullcontext():
            yield tried
    finally:
        signal.signal(signal.SIGINT, before)
    if enough:
        say("fsm: interrupted; these are the paths that were found until then", err=True)


def _made(found: PathSet, ruleset: str, output: str) -> Made:
    from fsm.testing import formats
    from fsm.testing.scenarios import as_scenarios

    text, note = "", ""
    if output == "scenario":
        text = as_scenarios(found, ruleset)
        told = len(json.loads(text))
        if told < len(found):
            note = f"{told} of {len(found)} paths written: scenarios have no words for the others"
    elif output == "pytest":
        text = formats.as_pytest(found, ruleset)
    else:
        text = formats.as_json(found) if output == "json" else formats.as_text(found)
    return Made(text, bool(found.open), note)


def _machine(spec: str, callbacks: Callbacks, output: str, file: str) -> NoReturn:
    """Write a way to each transition of a plain machine."""
    from fsm.cli.show import say, say_written
    from fsm.errors import FsmError
    from fsm.files import write_files
    from fsm.testing import machinesource, machinetests, machineways

    if output not in ("text", "json", "pytest"):
        raise FsmError(
            f"a machine of the transitions library has no {output} format; choose text, json or pytest"
        )
    source = machinesource.source_of(spec)
    ways = machineways.ways_of(source.fresh, callbacks)
    if output == "pytest":
        options = " --callbacks stub" * (callbacks == "stub")
        options += f" -o {Path(file).name}" if file != "-" else ""
        command = f"fsm paths {spec} --format pytest{options}"
        text = machinetests.tests_of(ways, source, command)
    else:
        write = machinetests.as_json if output == "json" else machinetests.as_text
        text = write(ways, spec)
    write_files({file: text})
    say_written(file)
    for row, why in ways.missing if output == "pytest" else ():
        say(f"no test: {row.id}: {why}", err=True)
    raise click.exceptions.Exit(1 if ways.missing else 0)
