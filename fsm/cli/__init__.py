"""The command line. Each command lives in a module of its own and is imported only when it is used.

Every failure that input can cause ends in a line on standard error and an exit code.
"""

from __future__ import annotations

import errno
import os
import sys
from importlib import import_module
from typing import Any, NoReturn

import click

from fsm import __version__
from fsm.cli.frame import say
from fsm.errors import FsmError

COMMANDS = {
    "new": "write a game to start from: a table, a host and a test",
    "run": "play scenarios and check what they expect",
    "draw": "draw a turn, or write it as a table or data",
    "explore": "write a page to click through a turn",
    "check": "find what is wrong before a game is played",
    "diff": "compare two rulesets",
    "paths": "make tests that take every transition, literal or rule",
    "cover": "report, combine and compare recorded coverage",
    "mutate": "try your tests on small changes of a machine",
    "conform": "check recorded games against the rules",
    "list": "list the rulesets, or describe one of them",
}

EXAMPLES = """\b
Examples:
  fsm run --svg turn.svg            play the showcase and draw the way it took
  fsm run my-scenario.json          play a scenario and check what it expects
  fsm draw magic -o turn.svg        draw the turn
  fsm conform Player.log            follow a recorded game through the model

\b
Exit codes: 0 fine, 1 the thing checked does not hold, 2 wrong input."""

WRONG_INPUT = 2
INTERRUPTED = 130


class TidyGroup(click.Group):
    """Commands that show no traceback for errors that the user can correct.

    A command returns its exit code, if it is not 0.
    """

    def main(self, *args: Any, **how: Any) -> NoReturn:
        """Run, and end the process with the command's exit code."""
        code = WRONG_INPUT
        problems: tuple[str, ...] = ()
        try:
            code = super().main(*args, **{**how, "standalone_mode": False}) or 0
            sys.stdout.flush()
        except click.ClickException as error:
            problems = (error.format_message(),)
        except click.Abort:
            code, problems = INTERRUPTED, ("interrupted",)
        except FsmError as error:
            problems = error.problems or (str(error),)
        except OSError as error:
            _give_up_output()
            if error.errno == errno.EPIPE:
                code = 1
            else:
                where = f"{error.filename}: " if error.filename else ""
                problems = (f"{where}{error.strerror}",)
        for problem in problems:
            say(f"fsm: {' '.join(problem.split())}", err=True)
        sys.exit(code)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command. An exit in the user's code is wrong input."""
        try:
            return super().invoke(ctx)
        except SystemExit as error:
            raise FsmError(f"the user's code ended the program (SystemExit: {error})") from None


def _give_up_output() -> None:
    """Stop writing to standard output if it takes no more, as in `fsm run | head` or on a full disk."""
    try:
        sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


class LazyGroup(TidyGroup):
    """A group that imports a command only when it is used, so that help is fast."""

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in self.commands:
            return None
        command: click.Command = getattr(import_module(f"fsm.cli.{cmd_name}"), cmd_name)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([*COMMANDS.items()])


@click.command(
    cls=LazyGroup,
    commands=dict.fromkeys(COMMANDS, click.Command("")),
    epilog=EXAMPLES,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.version_option(__version__, prog_name="turn-fsm", message="%(prog)s %(version)s")
@click.pass_context
def cli(ctx: click.Context) -> None:
    """Run, draw, test and prove the turn of a card game, from one explicit state machine."""
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())
