"""`fsm fuzz`"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from typing import TYPE_CHECKING

import click

from fsm.cli.options import output_format, workers

if TYPE_CHECKING:
    from fsm.testing.fuzzing.report import Report
    from fsm.testing.fuzzing.spreading import Progress

COUNT = click.IntRange(min=1)
SHARE = click.FloatRange(0, 1)


@click.command()
@click.argument("ruleset")
@click.option(
    "--games", type=COUNT, default=100, show_default=True, metavar="N", help="How many games."
)
@click.option(
    "--turns",
    type=COUNT,
    default=12,
    show_default=True,
    metavar="N",
    help="A game ends after N turns.",
)
@click.option(
    "--seed", type=int, default=0, show_default=True, help="Equal seeds make equal games."
)
@click.option(
    "--tables",
    type=COUNT,
    default=1,
    show_default=True,
    metavar="N",
    help="So many games are open at a time in a process, an answer at each in turn.",
)
@click.option(
    "--snapshot-share",
    type=SHARE,
    default=0.01,
    show_default=True,
    metavar="S",
    help="Share of the waiting points at which a restored game and a fork are compared.",
)
@click.option(
    "--trace-share",
    type=SHARE,
    default=0.1,
    show_default=True,
    metavar="S",
    help="Share of the games whose record is looked at, and replayed.",
)
@click.option("--out", metavar="FILE", help="Where to write the smallest case of what is broken.")
@click.option(
    "--case",
    metavar="FILE",
    help="Play this case again, a scenario or a trace; no random games then.",
)
@workers
@output_format
def fuzz(
    ruleset: str,
    games: int,
    turns: int,
    seed: int,
    tables: int,
    snapshot_share: float,
    trace_share: float,
    out: str | None,
    case: str | None,
    jobs: int,
    cluster: str,
    output: str,
) -> None:
    """Play random games of RULESET and hold each of them to what must be true of any.

    Such as: a game waits in exactly one state; nobody acts in a step without a window; the last step ends every turn;
    every begun phase ends; whose turn comes next is right; snapshot, fork and replay stand where the game stands. Each
    game follows from the seed and its number alone, whoever plays it.

    Ends with 0 when everything held. Stops at the first that did not, makes that game small, writes it as a scenario
    (for fsm run --ruleset RULESET) or a trace (for `Trace.replay`), and ends with 1. With --case it plays such a file
    again, and ends with 1 while it still breaks an invariant.

    \b
    Examples:
      fsm fuzz magic --games 1000 --jobs 2
      fsm fuzz my_game:TABLE --games 100 --snapshot-share 1 --trace-share 1
      fsm fuzz magic --games 10000 --tables 10000 --turns 1
      fsm fuzz magic --case fuzz-turn_order_is_right.json
    """
    from fsm.files import check_writable
    from fsm.testing.fuzzing.playing import Plan
    from fsm.testing.fuzzing.spreading import fuzz as play

    if case is not None:
        raise click.exceptions.Exit(_again(ruleset, case, output))
    check_writable([out])
    plan = Plan(seed, turns, snapshot_share, trace_share)
    with _progress(games) as progress:
        report = play(
            ruleset, games, plan=plan, jobs=jobs, cluster=cluster, tables=tables, progress=progress
        )
    path = _write(report, out)
    _print(report, path, output)
    raise click.exceptions.Exit(0 if report.ok else 1)


def _again(ruleset: str, case: str, output: str) -> int:
    """Play a case again; the exit code."""
    from fsm import rulesets
    from fsm.cli.show import say
    from fsm.testing.fuzzing.caseplaying import play_case

    found = list(play_case(rulesets.load(ruleset), case))
    for one in found:
        say(json.dumps(one.as_dict()) if output == "json" else one.sentence)
    return 1 if any(one.broken is not None for one in found) else 0


@contextmanager
def _progress(games: int) -> Iterator[Progress]:
    """Show a progress bar on a terminal. If the user interrupts, say what was played until then."""
    done = turns = 0

    def played(in_all: int, in_turns: int) -> None:
        nonlocal done, turns
        if bar is not None:
            bar.update(in_all - done)
        done, turns = in_all, in_turns

    shown = sys.stderr.isatty()
    with (
        click.progressbar(
            range(games),
            label="games",
            show_pos=True,
            item_show_func=lambda _: f"{turns} turns",
            file=sys.stderr,
        )
        if shown
        else nullcontext() as bar
    ):
        try:
            yield played
        except KeyboardInterrupt:
            found = "every invariant held in them" if done else "nothing is known yet"
            raise click.Abort(
                f"interrupted after {done} games and {turns} turns: {found}"
            ) from None


def _write(report: Report, out: str | None) -> str | None:
    """The path of the file that was written, if one was."""
    from fsm.files import write_files

    found = report.found
    if found is None:
        return None
    name = f"fuzz-{found.broken.name}{'.json' if found.kind == 'scenario' else '.jsonl'}"
    write_files({out or name: found.case})
    return out or name


def _peak() -> int | None:
    """The most memory, in bytes, that this process or one that it started has held; None where it
    cannot be known.
    """
    try:
        from resource import RUSAGE_CHILDREN, RUSAGE_SELF, getrusage
    except ImportError:
        return None
    most = max(getrusage(who).ru_maxrss for who in (RUSAGE_SELF, RUSAGE_CHILDREN))
    return most if sys.platform == "darwin" else most * 1024


def _print(report: Report, path: str | None, output: str) -> None:
    from fsm.cli.show import say

    found, looks = report.found, report.looks
    peak = _peak()
    if output == "json":
        say(json.dumps({**report.as_dict(), "file": path, "peak_memory": peak}))
        return
    say(
        f"{report.ruleset}, seed {report.seed}: {report.games} games, {looks.turns} turns, {looks.answers} answers; "
        f"compared with snapshot and fork at {looks.twins} points, {looks.traces} traces replayed"
    )
    if peak:
        say(f"at most {peak / 2**20:.0f} MiB of memory in a process")
    if found is None:
        say("every invariant held")
        return
    say(found.sentence)
    say(
        f"written: {path} (a {found.kind}, with {found.departures} of the {found.of} things that happened in the game)"
    )
