"""`fsm conform`"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from fsm.cli.options import json_option, option
from fsm.cli.show import Line, Turns, say, say_written, show, write
from fsm.errors import CoverageError
from fsm.wording import many

if TYPE_CHECKING:
    from fsm.conformance.rows import Conformance, Log
    from fsm.model import Model


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
    names: str | None,
    timeline: str | None,
    key: str | None,
    coverage: str | None,
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
    from fsm import rulesets

    model = rulesets.load(ruleset, machines=True)
    machine: Any = rulesets.machine_of(ruleset)
    if machine is None and model.of_kind("step"):
        if any((key, coverage)):
            raise click.UsageError(f"{ruleset} is a game: leave out --key and --coverage")
        good = _follow_games(model, logs, allow, names, as_json, timeline)
    else:
        if any((allow, names, timeline)):
            text = f"{ruleset} is a machine: leave out --allow, --names and --timeline"
            raise click.UsageError(text)
        good = _follow_machine(machine or model, logs, key or "machine", coverage, as_json)
    return 0 if good else 1


def _verdict(good: str, result: Conformance) -> Line:
    return [(good, "good") if result.ok else (f"refused: {result.refusal}", "bad")]


def _print_values(path: str, result: Conformance) -> None:
    told = asdict(result)
    del told["visits"]
    say(json.dumps({"log": path, "ok": result.ok, **told}))


# machines -----------------------------------------------------------------------------------------


def _follow_machine(
    machine: Any, logs: tuple[str, ...], key: str, coverage: str | None, as_json: bool
) -> bool:
    """Follow logs of a machine and print the results. Return whether every row fits."""
    from fsm.conformance.machinelogs import follow_machine
    from fsm.coverage.files import DataWriter

    writer = DataWriter(coverage) if coverage is not None else None
    good = True
    for path in logs:
        result = follow_machine(machine, path, key=key, write=writer)
        good = good and result.ok
        if as_json:
            _print_values(path, result)
        else:
            rows = f"{many(result.rows, 'row')} of {many(result.machines, 'machine')}"
            show([f"{path}: {rows}", _verdict("every row fits the machine", result)])
    if writer is not None and writer.failed:
        raise CoverageError(writer.failed)
    if writer is not None and writer.path is not None and not as_json:
        say_written(str(writer.path))
    return good


# recorded games -----------------------------------------------------------------------------------


def _follow_games(
    model: Model,
    logs: tuple[str, ...],
    allow: tuple[str, ...],
    names: str | None,
    as_json: bool,
    timeline: str | None,
) -> bool:
    """Follow logs of games, and print each turn as soon as it is certain. Return whether all are
    runs. What was played is kept only if it is drawn.
    """
    from fsm.conformance.following import Follower
    from fsm.conformance.recordings import open_log, read_names
    from fsm.runs.turns import read_turns

    words = read_names(names) if names is not None else None
    good, games = True, list[tuple[list[Any], str]]()
    for path in logs:
        log, printed = open_log(path, model, words), Turns(as_json)
        follower = Follower(log, model, allow)
        for number, of_game in groupby(follower, key=itemgetter(0)):
            title, played = f"{log.path}, game {number}", list[Any]()
            printed.begin(model, title)
            for turn in read_turns((record for _, record in of_game), model):
                printed.turn(turn, {"game": number})
                played += [turn] if timeline else []
            games.append((played, title))
        printed.end()
        if as_json:
            _print_values(path, follower.result)
        else:
            show(_end(log, follower.result))
        good = good and follower.result.ok
    if timeline:
        from fsm.views.timelines import Section, timelines

        sections = [Section(*game) for game in games]
        title = ", ".join(Path(log).name for log in logs)
        write({timeline: timelines(model, sections, title=title)}, quiet=as_json)
    return good


def _end(log: Log, result: Conformance) -> Iterator[Line]:
    parts = [f"{many(result.turns, 'turn')} of {many(result.games, 'game')}"]
    parts.append(f"{many(result.read, 'line')} read")
    if result.skipped_lines:
        parts.append(f"{many(result.skipped_lines, 'damaged line')} skipped")
    if result.joined:
        parts.append("the log begins in the middle of a game")
    yield f"{log.path}: {', '.join(parts)}"
    if log.game.players:
        seats = ", ".join(f"{seat} is {player}" for seat, player in enumerate(log.game.players, 1))
        unsaid = "" if log.game.named else " (nobody said who plays: two players are assumed)"
        yield f"seats: {seats}{unsaid}"
    yield _verdict("every change is a run of the model", result)
