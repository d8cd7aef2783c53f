"""`fsm explore`"""

from __future__ import annotations

import time

import click

from fsm.cli.frame import Text, default_file, option, say, write
from fsm.conformance.recordings import read_trace
from fsm.engine.trace import Trace
from fsm.model import Model
from fsm.rulesets import load
from fsm.scenarios import load as read, play
from fsm.views.explorer import PLAYERS, explore as page
from fsm.views.live import inspect

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
    output: Text,
    game: Text,
    live: Text,
    port: int,
    shown: bool,
    players: Text,
    theme: Text,
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
    model = load(ruleset)
    if any((output, game, players, theme) if live else (port, shown)):
        text = "--port and --open go with --live; -o, --load, --players and --theme do not"
        raise click.UsageError(text)
    if live:
        _serve(live, model, port, shown)
        return
    if game and players:
        raise click.UsageError("the players are those of --load's game: leave --players out")
    names = [name.strip() for name in players.split(",")] if players else PLAYERS
    trace = _trace(game, model) if game else None
    text = page(model, theme=theme or "", players=names, trace=trace)
    write({output or default_file(ruleset, ".html"): text})


def _serve(file: str, model: Model, port: int, shown: bool) -> None:
    """Serve the page of a saved game until Ctrl+C."""
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
    if path.lower().endswith(TRACES):
        return read_trace(path, model)
    scenarios = read(path, model)
    if len(scenarios) > 1:
        raise click.UsageError(f"--load: {path} holds {len(scenarios)} scenarios; a page walks one")
    return play(scenarios[0]).trace
