"""The command line. Each command lives in a module of its own and is imported only when it is used."""

from __future__ import annotations

from importlib import import_module

import click

from fsm import __version__
from fsm.cli.errors import TidyGroup

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


class LazyGroup(TidyGroup):
    """A group that imports a command only when it is used, so that help is fast."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return [*COMMANDS]  # the module fsm.cli.list is called `list` here

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = getattr(import_module(f"fsm.cli.{cmd_name}"), cmd_name)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([*COMMANDS.items()])


@click.command(
    cls=LazyGroup,
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
