"""`fsm conform`"""

from __future__ import annotations

import json
import os
from dataclasses import asdict
from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from fsm.cli.options import json_option
from fsm.cli.show import layout_of, say, say_written, show
from fsm.errors import CoverageError
from fsm.wording import many

if TYPE_CHECKING:
    from fsm.conformance.following import Conformance
    from fsm.conformance.linelogs import Names
    from fsm.conformance.rows import Log
    from fsm.model import Model
    from fsm.runs.turns import Turn


@click.command()
@click.argument("logs", metavar="LOG...", nargs=-1, required=True)
@click.option(
    "--ruleset",
    metavar="RULESET",
    default="magic",
    show_default=True,
    help="The rules that the games should follow.",
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
@click.option(
    "--machine", metavar="SPEC", help="LOG is of this machine of the transitions library."
)
@click.option(
    "--key",
    metavar="NAME",
    help="With --machine: the key that tells one machine from another (default: machine).",
)
@click.option("--coverage", metavar="DIR", help="With --machine: write what LOG took, as coverage.")
@json_option
@click.pass_context
def conform(
    context: click.Context,
    /,
    logs: tuple[str, ...],
    ruleset: str,
    allow: tuple[str, ...],
    names: str | None,
    timeline: str | None,
    machine: str | None,
    key: str | None,
    coverage: str | None,
    as_json: bool,
) -> None:
    """Check the games recorded in each LOG against the rules: follow them through the model.

    A LOG is what a commercial client writes; a trace (fsm run --trace); or JSON Lines of any program, one for each step
    as it begins, such as {"turn": 1, "player": "Ann", "phase": "beginning", "step": "upkeep"}: which of them is seen
    from its lines. With --names other fields and other words will do.

    Prints the turns and says whether every change of turn, active player, phase and step that was recorded is a run of
    the model. Ends with 0 when they are, with 1 if one is not: its first line
    that is none, what was seen and what could have come. As JSON: a line for each visited step, then one with the
    verdict, for each LOG.

    With --machine, a LOG has every event of any machine of the `transitions` library with the state after it, such as
    {"event": "push", "state": "open", "machine": 7}; the machine may be missing. Nothing of the machine is called.

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
        ok = _follow_machine(machine, logs, key or "machine", coverage, as_json)
        raise click.exceptions.Exit(0 if ok else 1)
    _refuse({"key": key, "coverage": coverage}, "these options go with --machine")
    from fsm import rulesets
    from fsm.conformance.following import check_layers
    from fsm.conformance.linelogs import read_names
    from fsm.files import check_writable, write_files

    check_writable([timeline])
    model = rulesets.load(ruleset)
    check_layers(allow)
    words = read_names(names, model) if names is not None else None
    games = RecordedGames(model, allow, words, as_json, drawn=timeline is not None)
    for path in logs:
        games.follow(path, several=len(logs) > 1)
    if timeline is not None:
        write_files({timeline: games.timeline(", ".join(map(os.path.basename, logs)))})
        if not as_json:
            say_written(timeline)
    raise click.exceptions.Exit(0 if games.ok else 1)


def _refuse(given: dict[str, Any], why: str) -> None:
    """Refuse options that were given and do not go with the others."""
    wrong = [f"--{name}" for name, value in given.items() if value]
    if wrong:
        raise click.UsageError(f"{', '.join(wrong)}: {why}")


def _follow_machine(
    spec: str, logs: tuple[str, ...], key: str, coverage: str | None, as_json: bool
) -> bool:
    """Follow logs of a machine and print the results. Return whether every row fits."""
    from fsm.conformance.machinelogs import follow_machine
    from fsm.coverage.files import DataWriter
    from fsm.rulesets import load, machine_of

    machine: Any = machine_of(spec)
    if machine is None:
        machine = load(spec, machines=True)
    writer = DataWriter(coverage) if coverage is not None else None
    ok = True
    for path in logs:
        result = follow_machine(machine, path, key=key, write=writer)
        ok = ok and result.ok
        if as_json:
            refusal = asdict(result.refusal) if result.refusal is not None else None
            found = {"log": path, "ok": result.ok, "rows": result.rows, "refusal": refusal}
            say(json.dumps({**found, "machines": result.machines}))
        else:
            say(f"{path}: {many(result.rows, 'row')} of {many(result.machines, 'machine')}")
            _show_verdict("every row fits the machine", result.refusal)
    if writer is not None and writer.failed:
        raise CoverageError(writer.failed)
    if writer is not None and writer.path is not None and not as_json:
        say_written(str(writer.path))
    return ok


def _show_verdict(good: str, refusal: object) -> None:
    show([[(f"refused: {refusal}", "bad") if refusal else (good, "good")]])


class RecordedGames:
    """Follows recorded games, each log by itself."""

    def __init__(
        self,
        model: Model,
        allow: tuple[str, ...],
        names: Names | None,
        as_json: bool,
        *,
        drawn: bool,
    ) -> None:
        self.model, self.allow, self.names, self.as_json = model, allow, names, as_json
        self.drawn, self.ok = drawn, True
        self.turns: dict[str, list[Turn]] = {}

    def follow(self, path: str, *, several: bool) -> None:
        """Follow one log, and print each turn as soon as it is certain. Raises LogError."""
        from fsm.conformance.conforming import open_log
        from fsm.conformance.following import Follower
        from fsm.runs.turns import read_turns
        from fsm.runs.visits import visits_in

        log = open_log(path, self.model, self.names)
        follower = Follower(log, self.model, self.allow)
        layout = layout_of(self.model)
        for number, of_game in groupby(follower, key=itemgetter(0)):
            title = f"{log.path}, game {number}" if several else f"game {number}"
            if not self.as_json:
                key = [] if layout.used else [[], *layout.key()]
                show([*key, [], [(title, "head")], *layout.header()], layout.families)
            for turn in read_turns((record for _, record in of_game), self.model):
                if self.drawn:
                    self.turns.setdefault(title, []).append(turn)
                if not self.as_json:
                    show(layout.turn(turn), layout.families)
                for visit in visits_in(turn, self.model) if self.as_json else ():
                    say(json.dumps({"game": number, **visit.as_dict()}))
        self.ok = self.ok and follower.result.ok
        if self.as_json:
            _print_values(log, follower.result)
        else:
            show([[], *layout.legend(), []])
            _print_end(log, follower.result)

    def timeline(self, title: str) -> str:
        """Return a picture of the games so far."""
        from fsm.views.timelines import Section, timelines

        alone = len(self.turns) == 1
        sections = [Section(t, "" if alone else head) for head, t in self.turns.items()]
        return timelines(self.model, sections, title=title)


def _print_end(log: Log, result: Conformance) -> None:
    parts = [f"{many(result.turns, 'turn')} of {many(result.games, 'game')}"]
    parts.append(f"{many(result.read, 'line')} read")
    if result.skipped_lines:
        parts.append(f"{many(result.skipped_lines, 'damaged line')} skipped")
    if result.joined:
        parts.append("the log begins in the middle of a game")
    say(f"{log.path}: {', '.join(parts)}")
    if log.game.players:
        seats = ", ".join(f"{seat} is {player}" for seat, player in enumerate(log.game.players, 1))
        unsaid = "" if log.game.named else " (nobody said who plays: two players are assumed)"
        say(f"seats: {seats}{unsaid}")
    _show_verdict("every change is a run of the model", result.refusal)


def _print_values(log: Log, result: Conformance) -> None:
    values = {
        "log": str(log.path),
        "ok": result.ok,
        "games": result.games,
        "turns": result.turns,
        "lines": result.read,
        "damaged_lines": result.skipped_lines,
        "joined": result.joined,
        "players": log.game.players,
        "refusal": asdict(result.refusal) if result.refusal else None,
    }
    say(json.dumps(values))
