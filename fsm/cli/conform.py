"""`fsm conform`"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from dataclasses import asdict
from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from fsm.cli.options import json_option
from fsm.cli.show import layout_of, say, say_written, show
from fsm.errors import CoverageError

if TYPE_CHECKING:
    from fsm.conformance.following import Conformance
    from fsm.conformance.rows import RowNames
    from fsm.engine.records import Record
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
    the model, and how much of the model the games took. Ends with 0 when they are, with 1 if one is not: its first line
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
    from fsm.conformance.explaining import check_layers
    from fsm.conformance.rows import read_names
    from fsm.files import check_writable, write_files

    check_writable([timeline])
    model = rulesets.load(ruleset)
    layers = tuple(layer.strip() for text in allow for layer in text.split(",") if layer.strip())
    check_layers(layers)
    words = read_names(names, model) if names is not None else None
    games = RecordedGames(model, layers, words, several=len(logs) > 1)
    for path in logs:
        games.follow(path, as_json=as_json, drawn=timeline is not None)
    if not as_json:
        say(games.taken_sentence())
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
        if as_json:
            refusal = asdict(result.refusal) if result.refusal is not None else None
            found = {"log": path, "ok": result.ok, "rows": result.rows, "refusal": refusal}
            say(json.dumps({**found, "machines": result.machines}))
        else:
            say(f"{path}: {_many(result.rows, 'row')} of {_many(result.machines, 'machine')}")
            _show_verdict("every row fits the machine", result.refusal)
    if writer is not None and writer.failed:
        raise CoverageError(writer.failed)
    if writer is not None and writer.path is not None and not as_json:
        say_written(str(writer.path))
    return ok


def _show_verdict(good: str, refusal: object) -> None:
    show([[(f"refused: {refusal}", "bad") if refusal else (good, "good")]])


def _many(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"


def _print_end(name: str, players: list[str], assumed: bool, result: Conformance) -> None:
    parts = [f"{_many(result.turns, 'turn')} of {_many(result.games, 'game')}"]
    parts.append(f"{_many(result.read, 'line')} read")
    if result.skipped_lines:
        parts.append(f"{_many(result.skipped_lines, 'damaged line')} skipped")
    if result.joined:
        parts.append("the log begins in the middle of a game")
    say(f"{name}: {', '.join(parts)}")
    if players:
        seats = ", ".join(f"{seat} is {player}" for seat, player in enumerate(players, 1))
        unsaid = " (nobody said who plays: two players are assumed)" if assumed else ""
        say(f"seats: {seats}{unsaid}")
    _show_verdict("every change is a run of the model", result.refusal)


class RecordedGames:
    """Follows recorded games, each log by itself, and puts together what all of them took."""

    def __init__(
        self, model: Model, allow: tuple[str, ...], names: RowNames | None, *, several: bool
    ) -> None:
        self.model, self.allow, self.names, self.several = model, allow, names, several
        self.ok = True
        self.taken: set[str] = set()
        self.turns: dict[str, list[Turn]] = {}

    def follow(self, path: str, *, as_json: bool, drawn: bool) -> None:
        """Follow one log, and print each turn as soon as it is certain. Raises LogError."""
        from fsm.conformance.clientlogs import ArenaLog
        from fsm.conformance.following import Follower
        from fsm.conformance.recordings import followed, open_recording
        from fsm.conformance.rows import RowLog
        from fsm.runs.turns import read_turns
        from fsm.runs.visits import visits_in

        model = self.model
        log = open_recording(path, model, self.names)
        follower = Follower(model, allow=self.allow)
        layout = layout_of(model)
        for number, of_game in groupby(followed(log, follower), key=itemgetter(0)):
            title = f"{log.name}, game {number}" if self.several else f"game {number}"
            if not as_json:
                key = [] if layout.used else [[], *layout.key()]
                show([*key, [], [(title, "head")], *layout.header()], layout.families)
            for turn in read_turns(self._noting(of_game), model):
                if drawn:
                    self.turns.setdefault(title, []).append(turn)
                if not as_json:
                    show(layout.turn(turn), layout.families)
                    continue
                for visit in visits_in(turn, model):
                    say(json.dumps({"game": number, **visit.as_dict()}))
        self.ok = self.ok and follower.result.ok
        players = [] if isinstance(log, ArenaLog) else log.players
        if as_json:
            self._print_values(log.name, players, follower.result)
        else:
            assumed = isinstance(log, RowLog) and not log.named
            show([[], *layout.legend(), []])
            _print_end(log.name, players, assumed, follower.result)

    def _noting(self, of_game: Iterator[tuple[int, Record]]) -> Iterator[Record]:
        """Note which transitions of the turn are taken. Logs seldom show what happens in a window."""
        for _, record in of_game:
            if record.machine == "turn":
                self.taken.add(record.transition)
            yield record

    def _print_values(self, name: str, players: list[str], result: Conformance) -> None:
        values = {
            "log": name,
            "ok": result.ok,
            "games": result.games,
            "turns": result.turns,
            "lines": result.read,
            "damaged_lines": result.skipped_lines,
            "joined": result.joined,
            "players": players,
            "refusal": asdict(result.refusal) if result.refusal else None,
            "taken": {"transitions": len(self.taken), "of": len(self.model.transitions)},
        }
        say(json.dumps(values))

    def taken_sentence(self) -> str:
        """Return in one sentence how much of the model was taken, with the steps that no game
        visited.
        """
        model = self.model
        begun = {t.target for t in model.transitions if t.id in self.taken}
        steps = {s.parent: s.id in begun for s in model.leaves if s.role == "begin" and s.parent}
        unseen = [s.name for s in model.of_kind("step") if not steps.get(s.id, True)]
        never = f"; no game came to {', '.join(dict.fromkeys(unseen))}" if unseen else ""
        return f"{len(self.taken)} of {len(model.transitions)} transitions of the turn were taken{never}"

    def timeline(self, title: str) -> str:
        """Return a picture of the games so far. They must have been drawn."""
        from fsm.views.timelines import Section, timelines

        alone = len(self.turns) == 1
        sections = [Section(t, "" if alone else head) for head, t in self.turns.items()]
        return timelines(self.model, sections, title=title)
