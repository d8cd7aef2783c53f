"""Turns every failure that input can cause into a line on standard error and an exit code."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Sequence
from typing import Any, NoReturn

import click

from fsm.cli.show import say
from fsm.errors import FsmError, shortened, suggest

WRONG_INPUT = 2
INTERRUPTED = 130


class TidyCommand(click.Command):
    """A command that shows no traceback for errors that the user can correct."""

    def main(
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        complete_var: str | None = None,
        standalone_mode: bool = True,
        **extra: Any,
    ) -> NoReturn:
        """Run, and end the process with the command's exit code."""
        options = {"prog_name": prog_name, "complete_var": complete_var, **extra}
        sys.exit(_guarded(self, args, options))

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command. A SystemExit of the user's code would end the process with another exit
        code.
        """
        try:
            return super().invoke(ctx)
        except SystemExit as error:
            raise FsmError(f"the user's code ended the program (SystemExit: {error})") from error


class TidyGroup(TidyCommand, click.Group):
    """A group of such commands."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Resolve a command as click does. An unknown command is an error that names the nearest
        one.
        """
        name = args[0]
        if self.get_command(ctx, name) is None and not name.startswith("-"):
            ctx.fail(f"there is no command {name!r}{suggest(name, self.list_commands(ctx))}")
        return super().resolve_command(ctx, args)


def _guarded(command: click.Command, args: Sequence[str] | None, options: dict[str, Any]) -> int:
    try:
        code = click.Command.main(command, args, standalone_mode=False, **options)
        sys.stdout.flush()
        return code if isinstance(code, int) else 0
    except click.UsageError as error:
        who = error.ctx.command_path if error.ctx else "fsm"
        return _say(who, error.format_message(), error.exit_code)
    except click.ClickException as error:
        return _say("fsm", error.format_message(), WRONG_INPUT)
    except click.Abort as error:
        return _say("fsm", str(error) or "interrupted", INTERRUPTED)
    except FsmError as error:
        for problem in error.problems or (str(error),):
            _say("fsm", problem, WRONG_INPUT)
        return WRONG_INPUT
    except OSError as error:
        _give_up_output()
        if error.errno == errno.EPIPE:
            return 1
        where = f"{error.filename}: " if error.filename else ""
        return _say("fsm", f"{where}{error.strerror or error}", WRONG_INPUT)


def _give_up_output() -> None:
    """Stop writing to standard output if it takes no more, as in `fsm run | head` or on a full disk."""
    try:
        sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _say(who: str, message: str, code: int) -> int:
    """Print one line on standard error."""
    say(shortened(f"{who}: {' '.join(message.split())}"), err=True)
    return code
