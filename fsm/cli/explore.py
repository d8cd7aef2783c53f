"""`fsm explore`"""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from fsm.cli.options import default_file, option
from fsm.cli.show import say, write

if TYPE_CHECKING:
    from fsm.engine.trace import Trace
    from fsm.model import Model

TRACES = (".jsonl", ".ndjson")


@click.command()
@click.argument("ruleset")
@option("-o, --output FILE", "Where to write (default: NAME.html); '-' is standard output.")
@option("--load PATH", "A scenario (JSON, TOML) or a trace (.jsonl) to walk through.", "game")
@option(
    "--live PATH",
    "Follow the game in a file that fsm.hosts.saving writes: serve the page on this computer.",
)
@option("--port PORT", "With --live: the port (0: any that is free).", default=0)
@option("--open", "With --live: open the page in a browser.", "shown")
@option("--players LIST", "Who plays, in turn order: Alice,Bob.")
@option("--theme light|dark", "Its colours at first (else the reader's).")
def explore(
    ruleset: str,
    output: str | None,
    game: str | None,
    live: str | None,
    port: int,
    shown: bool,
    players: str | None,
    theme: str | None,
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
        if output or game or players or theme:
            text = "--live serves the game of its file: leave out -o, --load, --players and --theme"
            raise click.UsageError(text)
        _serve(live, rulesets.load(ruleset), port, shown)
        return
    if port or shown:
        raise click.UsageError("--port and --open are for --live: add it, or leave them out")
    if game is not None and players is not None:
        raise click.UsageError("the players are those of --load's game: leave --players out")
    from fsm.views.explorer import PLAYERS
    from fsm.views.explorer import explore as page

    output = output or default_file(ruleset, ".html")
    model = rulesets.load(ruleset)
    named = PLAYERS if players is None else [name.strip() for name in players.split(",")]
    trace = None if game is None else _trace(game, model)
    write({output: page(model, theme=theme or "", players=named, trace=trace)})


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
    """Return the game in a file: a trace of this model, or a scenario, which is played with it."""
    from fsm.conformance.recordings import read_trace
    from fsm.scenarios import load, play

    if path.lower().endswith(TRACES):
        return read_trace(path, model)
    scenarios = load(path, model)
    if len(scenarios) > 1:
        raise click.UsageError(f"--load: {path} holds {len(scenarios)} scenarios; a page walks one")
    return play(scenarios[0]).trace
