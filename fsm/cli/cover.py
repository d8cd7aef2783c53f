"""`fsm cover`"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

from fsm.cli.completing import CRITERIA, FILE, REPORT, RULESET
from fsm.cli.errors import TidyGroup
from fsm.cli.options import output_format

if TYPE_CHECKING:
    from fsm.coverage import Data, Difference

DIRECTORY = ".fsm-coverage"
MOST = 40
_SIGNS = (("-", "bad", "lost"), ("+", "good", "gained"))


@click.group(cls=TidyGroup)
def cover() -> None:
    """Recorded coverage: which ways through state machines were taken.

    \b
    Examples:
      fsm cover report                        what 'pytest --fsm-cov' has recorded here
      fsm cover combine linux/ mac/ -o all.fsmcov
      fsm cover diff main.fsmcov .fsm-coverage
    """


@cover.command()
@click.argument("data", nargs=-1, type=FILE)
@click.option(
    "--of",
    "specs",
    multiple=True,
    type=RULESET,
    metavar="SPEC",
    help="A ruleset, model file or module:machine; else all.",
)
@click.option("--criteria", multiple=True, type=CRITERIA, help="By which criteria, as 'transitions,pairs'.")
@click.option(
    "--report", "kinds", multiple=True, type=REPORT, metavar="KIND[:FILE]", help="term (default), term-missing, html..."
)
@click.option("--allow", "lists", multiple=True, type=FILE, help="A list of what may be missing, with reasons.")
@click.option("--fail-under", "floors", multiple=True, metavar="PERCENT", help="90, or transitions=100,pairs=80.")
@output_format
def report(
    data: tuple[str, ...],
    specs: tuple[str, ...],
    criteria: tuple[str, ...],
    kinds: tuple[str, ...],
    lists: tuple[str, ...],
    floors: tuple[str, ...],
    output: str,
) -> None:
    """Report what was recorded in DATA: files, or directories of them (.fsm-coverage if none is named).

    KIND is term, term-missing, html, svg, json or lcov. Ends with 1 when less was taken than asked for, or when a list
    of what may be missing is wrong.

    \b
    Examples:
      fsm cover report --report term-missing
      fsm cover report all.fsmcov --of magic --criteria transitions,rules --report html:cover.html
      fsm cover report --of mygame.machines:door --fail-under 100
    """
    from fsm.cli.show import say
    from fsm.coverage import reports
    from fsm.coverage.reports.asjson import as_json
    from fsm.outputfiles import check_writable, write_files
    from fsm.rulesets import load

    asked = [reports.report_asked(kind) for kind in kinds or ("term",)]
    least, names = reports.floors_asked(floors), reports.criteria_asked(criteria)
    check_writable(one.file or None for one in asked)
    models = [(spec, load(spec, machines=True)) for spec in specs]
    allowed = [one for path in lists for one in reports.read_allowed(path)]
    results = reports.results_of(_read(data), models, names, allowed)
    if output == "json":
        click.echo(as_json(results), nl=False)
    elif any(one.kind.startswith("term") for one in asked):
        for line in reports.lines(results, missing=any(one.kind == "term-missing" for one in asked)):
            say(line)
    files = reports.written(results, asked)
    write_files(files)
    for path in files if output == "text" else ():
        say(f"written: {path}")
    problems = (*reports.below(results, least), *reports.wrong(allowed, results))
    for problem in problems:
        say(problem, err=True)
    if problems:
        raise click.exceptions.Exit(1)


@cover.command()
@click.argument("data", nargs=-1, type=FILE)
@click.option("-o", "--output", "file", required=True, type=FILE, help="Where to write; ends in .fsmcov, say.")
def combine(data: tuple[str, ...], file: str) -> None:
    """Write what was recorded in DATA (files, or directories of them) to one file.

    \b
    Example:
      fsm cover combine linux/ mac/ -o all.fsmcov
    """
    from fsm.cli.show import say
    from fsm.coverage import save
    from fsm.outputfiles import check_writable

    check_writable([file])
    found = _read(data)
    save(found, file)
    for note in found.notes:
        say(note, err=True)
    count = len(found.seen)
    say(f"written: {file}: {found.firings} firings of {count} machine{'s' * (count != 1)}")


@cover.command()
@click.argument("before", type=FILE)
@click.argument("after", type=FILE)
@output_format
def diff(before: str, after: str, output: str) -> None:
    """Say what AFTER lost against BEFORE (-), and what it gained (+). Ends with 1 when anything was lost.

    Each is a file, or a directory of files.

    \b
    Example:
      fsm cover diff main.fsmcov .fsm-coverage
    """
    from fsm.coverage import difference

    found = difference(_read((before,)), _read((after,)))
    if output == "json":
        click.echo(json.dumps(_as_json(found), indent=1))
    else:
        _print(found)
    if found.lost:
        raise click.exceptions.Exit(1)


def _read(paths: tuple[str, ...]) -> Data:
    """Return the data in these files. Raises CoverageError, or BadParameter if there are none."""
    from fsm.coverage import combine
    from fsm.coverage.files import ENDING

    for path in map(Path, paths or (DIRECTORY,)):
        if not path.exists():
            hint = "" if paths else ": run 'pytest --fsm-cov' first, or name files"
            raise click.BadParameter(f"{str(path)!r} does not exist{hint}", param_hint="DATA")
        if path.is_dir() and not any(path.glob(f"*{ENDING}")):
            raise click.BadParameter(f"{str(path)!r} has no files *{ENDING} in it", param_hint="DATA")
    return combine(paths or (DIRECTORY,))


def _as_json(found: Difference) -> dict[str, object]:
    names = ("subject", "machine", "kind", "id")
    lists = {word: [{n: getattr(t, n) for n in names} for t in getattr(found, word)] for _, _, word in _SIGNS}
    return {**lists, "notes": list(found.notes)}


def _print(found: Difference) -> None:
    from fsm.cli.show import say, show

    for note in found.notes:
        say(note)
    for sign, style, word in _SIGNS:
        items = getattr(found, word)
        for item in items[:MOST]:
            show([[(f"{sign} ", style), (f"{item.subject}: {item.kind} {item.id}", "")]])
        if len(items) > MOST:
            say(f"{sign} and {len(items) - MOST} more (--json lists all)")
    say(f"{len(found.lost)} lost, {len(found.gained)} gained")
