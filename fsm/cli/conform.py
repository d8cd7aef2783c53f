"""`fsm conform`"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from fsm.cli.options import output_format
from fsm.errors import CoverageError

if TYPE_CHECKING:
    from fsm.cli.recordedgames import LogEnd, RecordedGames, Told
    from fsm.conformance.following import Conformance


@click.command()
@click.argument("logs", metavar="LOG...", nargs=-1, required=True)
@click.option(
    "--ruleset",
    metavar="TEXT",
    default="magic",
    show_default=True,
    help="The model that the games should be runs of.",
)
@click.option(
    "--allow",
    multiple=True,
    metavar="LAYER",
    help="Effects the game may have had: skip, extra or jump.",
)
@click.option(
    "--names",
    metavar="FILE",
    help="Which fields and words a recording of lines has, as JSON or TOML.",
)
@click.option(
    "--timeline", metavar="FILE", help="Draw what was played as SVG: steps across, turns down."
)
@click.option("--machine", metavar="SPEC", help="LOG is of this machine: module:machine.")
@click.option("--key", help="The key that tells one machine from another in LOG ('machine').")
@click.option("--coverage", metavar="DIR", help="Write what LOG took of the machine, as coverage.")
@output_format
@click.pass_context
def conform(
    context: click.Context,
    /,
    logs: tuple[str, ...],
    ruleset: str,
    allow: tuple[str, ...],
    names: str | None,
    timeline: str | None,
    output: str,
    machine: str | None,
    key: str | None,
    coverage: str | None,
) -> None:
    """Follow the games recorded in each LOG through the model.

    A LOG is what a commercial client writes; a trace (fsm run --trace); or JSON Lines of any program, one for each step
    as it begins, such as {"turn": 1, "player": "Ann", "phase": "beginning", "step": "upkeep"}: which of them is seen
    from its lines. With --names other fields and other words will do.

    Prints the turns and says whether every change of turn, active player, phase and step that was recorded is a run of
    the model, and how much of the model the games took. Ends with 0 when they are, with 1 if one is not: its first line
    that is none, what was seen and what could have come. As JSON: a line for each visited step, then one with the
    verdict, for each LOG.

    With --machine, a LOG has every event of any machine of the `transitions` library, such as {"event": "push",
    "state": "open", "machine": 7}; the state and the machine may be missing. Nothing of the machine is called.

    \b
    Examples:
      fsm conform Player.log --timeline game.svg
      fsm conform Player.log --allow extra --allow skip --json
      fsm conform games/*.jsonl --names names.json --ruleset grand-archive
      fsm conform --machine shop.orders:machine orders.jsonl
      fsm conform --machine shop.orders:machine orders.jsonl --key order --coverage .fsm-coverage
    """
    if machine is not None:
        of_games = {"allow": allow, "names": names, "timeline": timeline}
        if context.get_parameter_source("ruleset") is not ParameterSource.DEFAULT:
            of_games["ruleset"] = ruleset
        _refuse(of_games, "these options are for recorded games, not for --machine")
        ok = _conform_logs(machine, logs, key or "machine", coverage, output)
        raise click.exceptions.Exit(0 if ok else 1)
    _refuse({"key": key, "coverage": coverage}, "these options go with --machine")
    from fsm import rulesets
    from fsm.cli.recordedgames import Following, RecordedGames, follow
    from fsm.cli.show import marks, room_for_lines, say
    from fsm.conformance.effects import check_layers
    from fsm.conformance.rows import read_names
    from fsm.files import check_writable, write_files

    check_writable([timeline])
    model = rulesets.load(ruleset)
    layers = tuple(layer.strip() for text in allow for layer in text.split(",") if layer.strip())
    check_layers(layers)
    words = read_names(names, model) if names is not None else None
    how = Following(
        model, layers, words, output, timeline is not None, len(logs) > 1, marks(), room_for_lines()
    )
    games = RecordedGames(model)
    for path in logs:
        _print(follow(how, path), games, output)
    if output != "json":
        say(games.taken_sentence())
    if timeline is not None:
        title = ", ".join(map(os.path.basename, logs))
        write_files({timeline: games.timeline(title)})
        if output != "json":
            say(f"written: {timeline}")
    raise click.exceptions.Exit(0 if games.ok else 1)


def _conform_logs(
    spec: str, logs: tuple[str, ...], key: str, coverage: str | None, output: str
) -> bool:
    """Follow logs of a machine and print the results. Return whether every row fits."""
    from fsm.cli.show import say, show
    from fsm.conformance.machinelogs import conform_log
    from fsm.coverage.files import DataWriter
    from fsm.rulesets import load, machine_of

    machine: Any = machine_of(spec)
    if machine is None:
        machine = load(spec, machines=True)
    writer = DataWriter(coverage) if coverage is not None else None
    ok = True
    for path in logs:
        result = conform_log(machine, path, key=key, write=writer)
        ok = ok and result.ok
        if output == "json":
            refusal = asdict(result.refusal) if result.refusal is not None else None
            found = {"log": path, "ok": result.ok, "rows": result.rows, "refusal": refusal}
            say(json.dumps(found | {"machines": result.machines}))
            continue
        say(f"{path}: {_many(result.rows, 'row')} of {_many(result.machines, 'machine')}")
        said = f"refused: {result.refusal}" if result.refusal else "every row fits the machine"
        show([[(said, "good" if result.ok else "bad")]])
    if writer is not None and writer.failed:
        raise CoverageError(writer.failed)
    if writer is not None and writer.path is not None and output != "json":
        say(f"written: {writer.path}")
    return ok


def _refuse(given: dict[str, Any], why: str) -> None:
    """Refuse options that were given and do not go with the others."""
    wrong = [f"--{name.replace('_', '-')}" for name, value in given.items() if value]
    if wrong:
        raise click.UsageError(f"{', '.join(wrong)}: {why}")


def _print(told: Iterable[Told], games: RecordedGames, output: str) -> None:
    """Print what is told of one log, and add what it took."""
    from fsm.cli.recordedgames import LogEnd
    from fsm.cli.show import layout_of, say, show

    families = layout_of(games.model).families
    for one in told:
        if isinstance(one, str):
            say(one)
        elif not isinstance(one, LogEnd):
            show([one], families)
        else:
            games.add(one)
            (_print_json if output == "json" else _print_text)(one, games)


def _print_text(end: LogEnd, games: RecordedGames) -> None:
    from fsm.cli.show import say, show

    result = end.result
    say(_read(end.name, result))
    if end.players:
        seats = ", ".join(f"{seat} is {player}" for seat, player in enumerate(end.players, 1))
        say(
            f"seats: {seats}{' (nobody said who plays: two players are assumed)' if end.assumed else ''}"
        )
    show(
        [
            [
                ("every change is a run of the model", "good")
                if result.ok
                else (f"refused: {result.refusal}", "bad")
            ]
        ]
    )


def _read(name: str, result: Conformance) -> str:
    parts = [
        f"{_many(result.turns, 'turn')} of {_many(result.games, 'game')}",
        f"{_many(result.read, 'line')} read",
    ]
    parts += (
        [f"{_many(result.skipped_lines, 'damaged line')} skipped"] if result.skipped_lines else []
    )
    parts += ["the log begins in the middle of a game"] if result.joined else []
    return f"{name}: {', '.join(parts)}"


def _many(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"


def _print_json(end: LogEnd, games: RecordedGames) -> None:
    from fsm.cli.show import say

    say(json.dumps(dict(_verdict(end, games))))


def _verdict(end: LogEnd, games: RecordedGames) -> Iterator[tuple[str, object]]:
    result = end.result
    yield "log", end.name
    yield "ok", result.ok
    yield "games", result.games
    yield "turns", result.turns
    yield "lines", result.read
    yield "damaged_lines", result.skipped_lines
    yield "joined", result.joined
    yield "players", end.players
    yield "refusal", asdict(result.refusal) if result.refusal else None
    yield "taken", {"transitions": len(games.taken), "of": len(games.model.transitions)}
