"""`fsm inspect`"""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import click

from fsm.cli.show import say

if TYPE_CHECKING:
    from fsm.engine.requests import Request
    from fsm.views.inspector import Inspector

PACE = 0.2


@click.command()
@click.argument("targets", nargs=-1, required=True, metavar="TARGET...")
@click.option(
    "--ruleset",
    default="",
    metavar="RULESET",
    help="The ruleset of a trace (else the one it names).",
)
@click.option(
    "--pace",
    default=PACE,
    show_default=True,
    metavar="SECONDS",
    help="How long to wait before an answer.",
)
@click.option(
    "--port",
    default=0,
    type=click.IntRange(0, 65535),
    metavar="N",
    help="The port (else any that is free).",
)
@click.option("--open", "shown", is_flag=True, help="Open the page in a browser.")
def inspect(targets: tuple[str, ...], ruleset: str, pace: float, port: int, shown: bool) -> None:
    """Show games on a page: where they stand, what is possible and why not, and every moment before.

    A TARGET is a trace (fsm run --trace), or module:make_game, which names a function that returns the controller of a
    game, or the game and the host that plays it. Then the game is played here, while you look. Without a host nobody
    does anything.

    Prints the address of the page, which only this computer can open. Ends on Ctrl+C and on SIGTERM.

    \b
    Examples:
      fsm inspect game.jsonl --open
      fsm inspect mygame:make_game --pace 0.5
    """
    import time
    import traceback

    from fsm.errors import FsmError
    from fsm.views.inspector import Inspector

    with Inspector(port=port, title=", ".join(map(os.path.basename, targets))) as inspector:
        played = [game for target in targets for game in _added(inspector, target, ruleset)]
        say(f"inspector: {inspector.address}")
        if shown:
            click.launch(inspector.address)
        try:
            for game, host in played:
                try:
                    _play(game, host, pace)
                except FsmError as error:
                    inspector.mark_failed(game, error)
                    say(f"the game stopped, and the page stays: {error}", err=True)
                except Exception as error:  # of the host, whose author wants to see both
                    inspector.mark_failed(game, error)
                    traceback.print_exc()
                    say("the game stopped, and the page stays", err=True)
            while True:
                time.sleep(3600)
        except KeyboardInterrupt:
            say("ended")


def _added(inspector: Inspector, target: str, ruleset: str) -> Iterable[tuple[Any, Any]]:
    """Add what a target names. Return its games with their hosts."""
    from fsm.adapters.naming import named
    from fsm.engine.controller import TurnController
    from fsm.errors import FsmError
    from fsm.hosts.history import History
    from fsm.hosts.host import BaseHost

    if ":" not in target or os.path.exists(target):
        inspector.add_file(target, ruleset)
        return []
    made: Any = named(target, "game", FsmError)
    game, host = made if isinstance(made, tuple) and len(made) == 2 else (made, BaseHost())
    inspector.add(game, target)
    return [(game, host)] if isinstance(game, TurnController | History) else []


def _play(game: Any, host: Any, pace: float) -> None:
    """Play a game."""
    import time

    from fsm.hosts.driving import drive

    def wait(request: Request) -> bool:
        time.sleep(pace)
        return False

    drive(game, host, until=wait)
