"""`fsm conform`"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import asdict
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import Any

import click

from fsm.cli.frame import Line, Text, Turns, json_option, option, say, say_written, show, write
from fsm.conformance.following import Follower
from fsm.conformance.machinelogs import follow_machine
from fsm.conformance.recordings import open_log, read_names
from fsm.conformance.rows import Conformance
from fsm.coverage.data import DataWriter
from fsm.errors import CoverageError
from fsm.rulesets import load, machine_of
from fsm.views.timelines import Game, timelines
from fsm.wording import many


@click.command()
@click.argument("logs", metavar="LOG...", nargs=-1, required=True)
@option(
    "--ruleset RULESET",
    "The rules that the games should follow, or any machine of the transitions library.",
    default="magic",
)
@option("--allow LAYER", "Effects the game may have had: skip, extra or jump.", multiple=True)
@option("--names PATH", "Which fields and words a recording of lines has, as JSON or TOML.")
@option("--timeline FILE", "Draw what was played as SVG: steps across, turns down.")
@option("--key NAME", "Of a machine: the key that tells one from another (default: machine).")
@option("--coverage DIR", "Of a machine: write what LOG took, as coverage.")
@json_option
def conform(
    logs: tuple[str, ...],
    ruleset: str,
    allow: tuple[str, ...],
    names: Text,
    timeline: Text,
    key: Text,
    coverage: Text,
    as_json: bool,
) -> int:
    """Check the games recorded in each LOG against the rules: follow them through the model.

    A LOG is what a commercial client writes; a trace (fsm run --trace); or JSON Lines of any program, one for each step
    as it begins, such as {"turn": 1, "player": "Ann", "phase": "beginning", "step": "upkeep"}: which of them is seen
    from its lines. With --names other fields and other words will do.

    Prints the turns and says whether every change of turn, active player, phase and step that was recorded is a run of
    the model. Ends with 0 when they are, with 1 if one is not: its first line
    that is none, what was seen and what could have come. As JSON: a line for each visited step, then one with the
    verdict, for each LOG.

    RULESET may also be any machine of the `transitions` library. Then a LOG has every event with the state after it,
    such as {"event": "push", "state": "open", "machine": 7}; the machine may be missing. Nothing of the machine is
    called.

    \b
    Examples:
      fsm conform Player.log --timeline game.svg
      fsm conform Player.log --allow extra --allow skip --json
      fsm conform games/*.jsonl --names names.json --ruleset grand-archive
      fsm conform orders.jsonl --ruleset shop.orders:machine
      fsm conform orders.jsonl --ruleset shop.orders:machine --key order --coverage .fsm-coverage
    """
    model = load(ruleset, machines=True)
    machine: Any = machine_of(ruleset)
    is_game = machine is None and bool(model.of_kind("step"))
    if any((key, coverage) if is_game else (allow, names, timeline)):
        text = "--allow, --names and --timeline are for games, --key and --coverage for machines"
        raise click.UsageError(text)
    words = read_names(names) if names else None
    writer = DataWriter(coverage) if coverage else None
    good, drawn = True, list[Game]()
    for path in logs:
        if is_game:
            follower = Follower(open_log(path, model, words), model, allow)
            about = _follow(follower, drawn if timeline else None, as_json)
            result = follower.result
        else:
            result = follow_machine(machine or model, path, key=key or "machine", write=writer)
            about = [f"{path}: {many(result.rows, 'row')} of {many(result.machines, 'machine')}"]
        good = good and result.ok
        _tell(path, about, result, as_json)
    if timeline:
        picture = timelines(model, drawn, title=", ".join(Path(log).name for log in logs))
        write({timeline: picture}, quiet=as_json)
    if writer and writer.failed:
        raise CoverageError(writer.failed)
    if writer and writer.path and not as_json:
        say_written(str(writer.path))
    return 0 if good else 1


def _follow(follower: Follower, drawn: list[Game] | None, as_json: bool) -> list[str]:
    """Follow a log of games, and print each turn as soon as it is certain. Return what is said of
    the log. What was played is kept only if it is drawn.
    """
    log, model, result = follower.log, follower.model, follower.result
    printed = Turns(as_json)
    for number, of_game in groupby(follower, key=itemgetter(0)):
        title = f"{log.path}, game {number}"
        turns: Any = (turn for _, turn in of_game)
        if drawn is not None:
            turns = [*turns]
            drawn.append((title, turns))
        printed.game(model, title, turns, game=number)
    printed.end()
    counts = f"{many(result.turns, 'turn')} of {many(result.games, 'game')}"
    lines = f"{many(result.read, 'line')} read, {result.skipped_lines} damaged"
    seats = ", ".join(f"{seat} is {player}" for seat, player in enumerate(log.game.players, 1))
    return [f"{log.path}: {counts}, {lines}", f"seats: {seats or 'nobody is named'}"]


def _tell(path: str, about: Iterable[Line], result: Conformance, as_json: bool) -> None:
    if as_json:
        say(json.dumps({"log": path, "ok": result.ok, **asdict(result)}))
    else:
        verdict = ("every change is a run of the model", "good")
        show([*about, [verdict if result.ok else (f"refused: {result.refusal}", "bad")]])
