"""`fsm conform`"""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from fsm.cli.options import output_format

if TYPE_CHECKING:
    from fsm.arena import ArenaLog
    from fsm.conform import Conformance, Follower
    from fsm.model import Model


@click.command()
@click.argument("log")
@click.option("--ruleset", default="magic", show_default=True, help="The model that the game should be a run of.")
@click.option("--allow", multiple=True, metavar="LAYER", help="Effects the game may have had: skip, extra or jump.")
@output_format
def conform(log: str, ruleset: str, allow: tuple[str, ...], output: str) -> None:
    """Follow a game that a commercial client recorded in LOG through the model.

    Prints its turns and says whether every change of turn, active player, phase and step that the client reports is
    a run of the model. Ends with 0 when it is, with 1 at the first that is not: its line, what was seen and what could
    have come. As JSON: a line for each visited step, then one with the verdict.

    \b
    Examples:
      fsm conform Player.log
      fsm conform Player.log --allow extra --allow skip --json
    """
    from fsm import rulesets
    from fsm.arena import ArenaLog
    from fsm.conform import Follower

    model = rulesets.load(ruleset)
    layers = [layer.strip() for text in allow for layer in text.split(",") if layer.strip()]
    follower = Follower(model, allow=layers)
    tell = _tell_json if output == "json" else _tell_text
    tell(model, follower, ArenaLog.open(log))
    raise click.exceptions.Exit(0 if follower.result.ok else 1)


def _tell_text(model: Model, follower: Follower, source: ArenaLog) -> None:
    from fsm.cli.show import layout_of, say, show
    from fsm.turns import read_turns

    layout = layout_of(model)
    for game, records in follower.by_game(source):
        show([[], [(f"game {game}", "head")], *layout.header()], layout.families)
        for turn in read_turns(records, model):
            show(layout.turn(turn), layout.families)
    show([[], *layout.legend(), []])
    result = follower.result
    say(_read(source.name, result))
    show([[("every change is a run of the model", "good") if result.ok else (f"refused: {result.refusal}", "bad")]])


def _read(name: str, result: Conformance) -> str:
    parts = [f"{_many(result.turns, 'turn')} of {_many(result.games, 'game')}", f"{_many(result.read, 'line')} read"]
    parts += [f"{_many(result.skipped_lines, 'damaged line')} skipped"] if result.skipped_lines else []
    parts += ["the log begins in the middle of a game"] if result.joined else []
    return f"{name}: {', '.join(parts)}"


def _many(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"


def _tell_json(model: Model, follower: Follower, source: ArenaLog) -> None:
    from fsm.cli.show import say
    from fsm.visits import visits_of

    for game, records in follower.by_game(source):
        for visit in visits_of(records, model):
            say(json.dumps({"game": game, **visit.as_dict()}))
    result = follower.result
    verdict = {
        "ok": result.ok,
        "games": result.games,
        "turns": result.turns,
        "lines": result.read,
        "damaged_lines": result.skipped_lines,
        "joined": result.joined,
        "refusal": asdict(result.refusal) if result.refusal else None,
    }
    say(json.dumps(verdict))
