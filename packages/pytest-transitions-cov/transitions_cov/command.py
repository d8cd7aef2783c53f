"""The command `transitions-cov`: reports, combines and compares what `pytest --transitions-cov` has
recorded.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from io import TextIOWrapper

from fsm.coverage.commands import Commands
from fsm.coverage.files import ENDING
from fsm.errors import FsmError
from transitions_cov import __version__
from transitions_cov.pytestplugin import SPELLING

Arguments = argparse.Namespace


def main(words: Sequence[str] | None = None) -> None:
    """Run the command line. Ends the process with 0 (fine), 1 (does not hold) or 2 (wrong input)."""
    arguments = _parser().parse_args(words)
    run: Callable[[Arguments], bool] = arguments.run
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # what a console cannot show is escaped
    sys.path.insert(0, "")  # as `python -m` does: a SPEC names a module of the current folder
    try:
        sys.exit(0 if run(arguments) else 1)
    except OSError as error:
        text = f"{error.filename}: {error.strerror}" if error.filename else str(error)
    except FsmError as error:
        text = str(error)
    print(f"transitions-cov: {text}", file=sys.stderr)
    sys.exit(2)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="transitions-cov", description=__doc__)
    parser.add_argument(
        "--version", action="version", version=f"pytest-transitions-cov {__version__}"
    )
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    data = f"files of recorded data, or directories of them (default: {SPELLING.directory})"

    one = commands.add_parser("report", help="report what was recorded")
    one.add_argument("data", nargs="*", metavar="DATA", help=data)
    one.add_argument(
        "--criteria", action="append", default=[], metavar="LIST", help="as 'transitions,pairs'"
    )
    one.add_argument(
        "--report", action="append", default=[], metavar="KIND[:FILE]", help=SPELLING.kinds
    )
    one.add_argument(
        "--allow", action="append", default=[], metavar="FILE", help="a list of what may be missing"
    )
    one.add_argument(
        "--fail-under",
        action="append",
        default=[],
        metavar="PERCENT",
        help="90, or transitions=100",
    )
    one.add_argument(
        "--baseline",
        action="append",
        default=[],
        metavar="FILE",
        help="a list of what must still be taken",
    )
    one.set_defaults(run=_report)

    one = commands.add_parser("combine", help="write what was recorded in several runs to one file")
    one.add_argument("data", nargs="*", metavar="DATA", help=data)
    one.add_argument(
        "-o",
        "--output",
        required=True,
        metavar="FILE",
        help=f"where to write; ends in {ENDING}, say",
    )
    one.set_defaults(run=_combine)

    one = commands.add_parser(
        "baseline", help="write a list of what was taken, to be kept with the project"
    )
    one.add_argument("data", nargs="*", metavar="DATA", help=data)
    one.add_argument(
        "-o",
        "--output",
        required=True,
        metavar="FILE",
        help="where to write, as cover-baseline.jsonl",
    )
    one.add_argument(
        "--criteria",
        action="append",
        default=[],
        metavar="LIST",
        help="transitions,literals by default",
    )
    one.set_defaults(run=_baseline)

    one = commands.add_parser(
        "diff", help="say what NOW lost against BASE (-), and what it gained (+)"
    )
    one.add_argument("base", metavar="BASE", help="recorded data, or a baseline")
    one.add_argument(
        "now",
        metavar="NOW",
        nargs="?",
        default=SPELLING.directory,
        help=f"default: {SPELLING.directory}",
    )
    one.set_defaults(run=_diff)
    return parser


def _report(arguments: Arguments) -> bool:
    return COMMANDS.report(
        arguments.data,
        criteria=arguments.criteria,
        kinds=arguments.report,
        lists=arguments.allow,
        floors=arguments.fail_under,
        baselines=arguments.baseline,
    )


def _combine(arguments: Arguments) -> bool:
    COMMANDS.combine(arguments.data, arguments.output)
    return True


def _baseline(arguments: Arguments) -> bool:
    COMMANDS.baseline(arguments.data, arguments.output, arguments.criteria)
    return True


def _diff(arguments: Arguments) -> bool:
    return COMMANDS.diff(arguments.base, arguments.now)


def _say(text: str, *, err: bool = False) -> None:
    print(text, file=sys.stderr if err else sys.stdout)


def _changed(sign: str, text: str) -> None:
    _say(f"{sign} {text}")


COMMANDS = Commands(
    SPELLING.command, f"pytest --{SPELLING.flag}", SPELLING.directory, _say, _changed
)
