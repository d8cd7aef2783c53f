"""`fsm cover`"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

import click

from fsm.cli import TidyGroup
from fsm.cli.frame import option, say, say_written, show, write
from fsm.coverage import Data, combine as combined
from fsm.coverage.data import save
from fsm.coverage.demands import baseline_of, difference, lists_in
from fsm.coverage.reporting import asked_for, reported
from fsm.errors import CoverageError

DIRECTORY, BASELINE = ".fsm-coverage", ".toml"


@click.group(cls=TidyGroup, no_args_is_help=False)
def cover() -> None:
    """Report, combine and compare recorded coverage: which ways through state machines were taken.

    \b
    Examples:
      fsm cover report                        what 'pytest --fsm-cov' has recorded here
      fsm cover combine linux/ mac/ -o all.fsmcov
      fsm cover diff main.fsmcov
      fsm cover combine -o cover-baseline.toml
    """


@cover.command()
@click.argument("data", nargs=-1)
@option("--criteria LIST", "By which criteria, as 'transitions,pairs'.", multiple=True)
@option("--report KIND[:FILE]", "term (default), html...", "kinds", multiple=True)
@option("--allow PATH", "A list of what may be missing, with reasons.", "lists", multiple=True)
@option(
    "--fail-under PERCENT", "90 in total, or transitions=100,pairs=80.", "floors", multiple=True
)
@option("--baseline PATH", "A list of what must still be taken.", "baselines", multiple=True)
def report(
    data: tuple[str, ...],
    criteria: tuple[str, ...],
    kinds: tuple[str, ...],
    lists: tuple[str, ...],
    floors: tuple[str, ...],
    baselines: tuple[str, ...],
) -> int:
    """Report what was recorded in DATA: files, or directories of them (.fsm-coverage if none is named).

    KIND is term, term-missing, markdown, html or json. Ends with 1 when less was taken than asked for
    or than a baseline lists, or when a list of what may be missing is wrong.

    \b
    Examples:
      fsm cover report --report term-missing
      fsm cover report all.fsmcov --criteria transitions,rules --report html:cover.html
      fsm cover report --fail-under 100
    """
    asked = asked_for(criteria, kinds, floors, lists, [(path, path) for path in baselines])
    found = reported(_read(data), [], asked)
    show(found.lines)
    write(found.files)
    _note([*found.notes, *found.problems])
    return 1 if found.problems else 0


@cover.command()
@click.argument("data", nargs=-1)
@option(
    "-o, --output FILE", "Where to write: a baseline if FILE ends in .toml.", "file", required=True
)
def combine(data: tuple[str, ...], file: str) -> None:
    """Write what was recorded in DATA (files, or directories of them) to one file.

    A baseline lists what was taken, sorted: a line for each transition, and for each condition that failed.
    Keep it with the project: 'report --baseline FILE' fails if something is lost. Any other FILE holds everything that was recorded.

    \b
    Examples:
      fsm cover combine linux/ mac/ -o all.fsmcov
      fsm cover combine -o cover-baseline.toml
    """
    found = _read(data)
    _note(found.notes)
    if file.endswith(BASELINE):
        write({file: baseline_of(found)})
    else:
        save(found, file)
        say_written(file)


@cover.command()
@click.argument("base")
@click.argument("now", required=False, default=DIRECTORY)
def diff(base: str, now: str) -> int:
    """Say what NOW lost against BASE (-), and what it gained (+). Ends with 1 when anything was lost.

    Each is a file, or a directory of files; NOW is .fsm-coverage if it is not named. BASE may be a baseline.

    \b
    Examples:
      fsm cover diff main.fsmcov
      fsm cover diff cover-baseline.toml .fsm-coverage
    """
    before = lists_in(base) if base.endswith(BASELINE) else _read([base])
    found = difference(before, _read([now]))
    show([(f"- {one.subject}: {one.id}", "bad")] for one in found.lost)
    show([(f"+ {one.subject}: {one.id}", "good")] for one in found.gained)
    say(f"{len(found.lost)} lost, {len(found.gained)} gained")
    return 1 if found.lost else 0


def _read(paths: Sequence[str]) -> Data:
    """Return the data in these files, or in the usual directory. Raises CoverageError if there is
    none.
    """
    usual = [DIRECTORY] if Path(DIRECTORY).exists() else []
    found = combined(paths or usual)
    if not found.seen:
        where = ", ".join(paths) or DIRECTORY
        remedy = "run 'pytest --fsm-cov' first, or name files"
        raise CoverageError(f"nothing was recorded in {where}", remedy=remedy)
    return found


def _note(notes: Iterable[str]) -> None:
    for line in "\n".join(notes).splitlines():
        say(line, err=True)
