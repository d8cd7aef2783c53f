"""Turns every failure that input can cause into a line on standard error and an exit code."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Callable
from functools import partial
from typing import Any, NoReturn

import click

from fsm.cli.show import say
from fsm.errors import FsmError, shortened, suggest

WRONG_INPUT = 2
INTERRUPTED = 130


class TidyGroup(click.Group):
    """Commands that show no traceback for errors that the user can correct.

    A command returns its exit code, if it is not 0.
    """

    def main(self, *args: Any, **how: Any) -> NoReturn:
        """Run, and end the process with the command's exit code."""
        sys.exit(_guarded(partial(super().main, *args, **{**how, "standalone_mode": False})))

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command. A SystemExit of the user's code would end the process with another exit
        code.
        """
        try:
            return super().invoke(ctx)
        except SystemExit as error:
            raise FsmError(f"the user's code ended the program (SystemExit: {error})") from error

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


def _guarded(run: Callable[[], Any]) -> int:
    """Run a command, and return its exit code."""
    try:
        code = run()
        sys.stdout.flush()
        return code if isinstance(code, int) else 0
    except click.ClickException as error:
        context = getattr(error, "ctx", None)
        return _say(error.format_message(), WRONG_INPUT, context.command_path if context else "fsm")
    except click.Abort as error:
        return _say(str(error) or "interrupted", INTERRUPTED)
    except FsmError as error:
        for problem in error.problems or (str(error),):
            _say(problem, WRONG_INPUT)
        return WRONG_INPUT
    except OSError as error:
        _give_up_output()
        if error.errno == errno.EPIPE:
            return 1
        where = f"{error.filename}: " if error.filename else ""
        return _say(f"{where}{error.strerror or error}", WRONG_INPUT)


def _give_up_output() -> None:
    """Stop writing to standard output if it takes no more, as in `fsm run | head` or on a full disk."""
    try:
        sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _say(message: str, code: int, who: str = "fsm") -> int:
    """Print one line on standard error."""
    say(shortened(f"{who}: {' '.join(message.split())}"), err=True)
    return code
