"""`fsm explore`"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

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
        if any((output, game, players, theme)):
            text = "--live serves the game of its file: leave out -o, --load, --players and --theme"
            raise click.UsageError(text)
        _serve(live, rulesets.load(ruleset), port, shown)
        return
    if any((port, shown)):
        raise click.UsageError("--port and --open are for --live: add it, or leave them out")
    from fsm.views.explorer import explore as page

    model = rulesets.load(ruleset)
    more = dict[str, Any]()
    if players is not None:
        more["players"] = [name.strip() for name in players.split(",")]
    if game is not None:
        more["trace"] = _trace(game, model)
    if len(more) > 1:
        raise click.UsageError("the players are those of --load's game: leave --players out")
    write({output or default_file(ruleset, ".html"): page(model, theme=theme or "", **more)})


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
