"""`fsm explore`"""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from fsm.cli.options import default_file
from fsm.cli.show import say, say_written

if TYPE_CHECKING:
    from fsm.engine.trace import Trace
    from fsm.model import Model

TRACES = (".jsonl", ".ndjson")


@click.command()
@click.argument("ruleset")
@click.option(
    "-o",
    "--output",
    metavar="FILE",
    help="Where to write (default: NAME.html); '-' is standard output.",
)
@click.option(
    "--load",
    "game",
    metavar="FILE",
    help="A scenario (JSON, TOML) or a trace (.jsonl) to walk through.",
)
@click.option(
    "--live",
    metavar="FILE",
    help="Follow the game in a file that fsm.hosts.saving writes: serve the page on this computer.",
)
@click.option(
    "--port", default=0, type=click.IntRange(0, 65535), metavar="N", help="The port for --live."
)
@click.option("--open", "shown", is_flag=True, help="Open the page of --live in a browser.")
@click.option("--players", metavar="LIST", help="Who plays, in turn order: Alice,Bob.")
@click.option(
    "--theme",
    default="",
    metavar="light|dark",
    help="Its colours at first (else the reader's).",
)
def explore(
    ruleset: str,
    output: str | None,
    game: str | None,
    live: str | None,
    port: int,
    shown: bool,
    players: str | None,
    theme: str,
) -> None:
    """Write a page to click through a turn of RULESET: a built-in name, module:attribute, or a model's JSON file.

    The page is one file and works offline: the map of the turn, the state the game is in, what can happen and why the
    rest is closed, the facts as switches, and the way so far. A scenario to walk through is played by RULESET, whatever
    ruleset it names.

    \b
    Examples:
      fsm explore magic
      fsm explore grand-archive -o turn.html --players Ann,Ben,Cleo
      fsm explore magic -o case.html --load my-scenario.json
      fsm explore magic --live game.jsonl --open
    """
    from fsm import rulesets

    if live is not None:
        if (output, game, players) != (None, None, None):
            words = "it serves the page of its own game; leave -o, --load and --players out"
            raise click.BadParameter(words, param_hint="--live")
        _serve(live, rulesets.load(ruleset), port, shown)
        return
    from fsm.files import check_writable, write_files
    from fsm.views.explorer import PLAYERS, check_theme
    from fsm.views.explorer import explore as page

    if players is not None and game is not None:
        words = "the players are those of --load's game; leave one of the two out"
        raise click.BadParameter(words, param_hint="--players")
    names = (
        tuple(name.strip() for name in players.split(",") if name.strip())
        if players is not None
        else PLAYERS
    )
    check_theme(theme)
    output = output or default_file(ruleset, ".html")
    check_writable([output])
    model = rulesets.load(ruleset)
    trace = None if game is None else _trace(game, model)
    write_files({output: page(model, theme=theme, players=names, trace=trace)})
    say_written(output)


def _serve(file: str, model: Model, port: int, shown: bool) -> None:
    """Serve the page of a saved game until Ctrl+C."""
    import time

    from fsm.views.live import inspect

    with inspect(file, model, port=port) as page:
        say(f"live: {page.address}")
        if shown:
            click.launch(page.address)
        try:
            while True:
                time.sleep(3600)
        except KeyboardInterrupt:
            say("ended")


def _trace(path: str, model: Model) -> Trace:
    """Return the game in a file: a trace of this model, or a scenario, which is played with it.
    Raises FsmError.
    """
    from fsm.cli.overlaid import read_trace

    if path.lower().endswith(TRACES):
        trace = read_trace(path)
        trace.replay(model)
        return trace
    from fsm.scenarios import load, play

    scenarios = load(path, model)
    if len(scenarios) > 1:
        raise click.BadParameter(
            f"{path} holds {len(scenarios)} scenarios: a page walks one", param_hint="--load"
        )
    return play(scenarios[0]).trace
