"""`fsm paths`"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn

import click

from fsm.cli.options import workers
from fsm.cli.show import progress_bar, say, say_written

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
    type=click.Choice(["states", "transitions", "literals", "rules", "refusals"]),
    multiple=True,
    default=["transitions"],
    show_default=True,
    help="What the paths take. May be given several times.",
)
@click.option(
    "--format",
    "output",
    type=click.Choice(FORMATS),
    default="text",
    show_default=True,
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
    show_default=True,
    help="Search about this long at most.",
)
@click.option("--to", "state", metavar="STATE", help="Only the shortest path to this state.")
@click.option(
    "--callbacks",
    type=click.Choice(["real", "stub"]),
    default="real",
    show_default=True,
    help="Of a plain machine: run its callbacks, or none of them.",
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
    the file, {criterion} then stands for each.

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
    from fsm import rulesets
    from fsm.files import check_writable
    from fsm.testing import generating

    criteria = tuple(dict.fromkeys(criteria))[: 1 if state is not None else None]
    files = [file.replace(EACH, criterion) for criterion in criteria] if EACH in file else [file]
    if len(criteria) > len(files) and output != "text":
        raise click.UsageError(
            f"several criteria as {output} need a file each; write {EACH} in the name after -o"
        )
    check_writable(files)
    model = rulesets.load(ruleset, machines=True)
    machine: Any = rulesets.machine_of(ruleset)
    if machine is not None and getattr(machine, "definition", None) is None:
        _write_machine(make or ruleset, callbacks, output, file)
    if state is not None:
        made = [_formatted(generating.path_to(model, state), ruleset, output)]
    else:
        search = partial(_search, model, ruleset, output, seconds)
        made = _searched(search, criteria, jobs, cluster)
    texts = [one.text for one in made]
    _write(dict(zip(files, texts if len(files) > 1 else ["\n".join(texts)], strict=True)))
    for one in made:
        if one.note:
            say(one.note, err=True)
    raise click.exceptions.Exit(int(any(one.open for one in made)))


class Made(NamedTuple):
    """Paths as they are written, whether anything is open, and a note for the user."""

    text: str
    open: bool
    note: str


def _searched(
    search: partial[Made], criteria: Sequence[str], jobs: int, cluster: str
) -> list[Made]:
    """Make the paths of each criterion. One progress bar counts the criteria, or what is tried for
    a single one.
    """
    from fsm.parallel import spread

    if len(criteria) == 1 and not cluster:
        with progress_bar("answers tried") as progress:
            return [search(criteria[0], progress)]
    made = []
    with (
        progress_bar("criteria") as progress,
        spread(search, criteria, jobs=jobs, cluster=cluster) as results,
    ):
        for one in results:
            made.append(one)
            progress(len(made), len(criteria))
    return made


def _search(
    model: Model,
    ruleset: str,
    output: str,
    seconds: float,
    criterion: str,
    progress: Progress | None = None,
) -> Made:
    """Make the paths of one criterion."""
    from fsm.testing import generating

    found = generating.paths(model, criterion, seconds=seconds, progress=progress)
    return _formatted(found, ruleset, output)


def _formatted(found: PathSet, ruleset: str, output: str) -> Made:
    from fsm.testing import formats
    from fsm.testing.scenarios import as_scenarios

    if output != "scenario":
        written = {"text": formats.as_text, "json": formats.as_json}.get(output)
        text = written(found) if written else formats.as_pytest(found, ruleset)
        return Made(text, bool(found.open), "")
    text = as_scenarios(found, ruleset)
    told, note = len(json.loads(text)), ""
    if told < len(found):
        note = f"{told} of {len(found)} paths written: scenarios have no words for the others"
    return Made(text, bool(found.open), note)


def _write(texts: Mapping[str, str]) -> None:
    from fsm.files import write_files

    write_files(texts)
    for path in texts:
        say_written(path)


def _write_machine(spec: str, callbacks: Callbacks, output: str, file: str) -> NoReturn:
    """Write a way to each transition of a plain machine."""
    from fsm.errors import FsmError
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
    _write({file: text})
    for row, why in ways.missing if output == "pytest" else ():
        say(f"no test: {row.id}: {why}", err=True)
    raise click.exceptions.Exit(1 if ways.missing else 0)
