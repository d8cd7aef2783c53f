"""`fsm conform`"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from fsm.cli.options import output_format, theme_of_pictures

if TYPE_CHECKING:
    from fsm.conform import Conformance, Follower
    from fsm.model import Model
    from fsm.trace import Record
    from fsm.turns import Turn


@click.command()
@click.argument("log")
@click.option("--ruleset", default="magic", show_default=True, help="The model that the game should be a run of.")
@click.option("--allow", multiple=True, metavar="LAYER", help="Effects the game may have had: skip, extra or jump.")
@click.option("--timeline", metavar="FILE", help="Draw what was played as SVG: steps across, turns down.")
@theme_of_pictures
@output_format
def conform(log: str, ruleset: str, allow: tuple[str, ...], timeline: str | None, theme: str, output: str) -> None:
    """Follow a game that a commercial client recorded in LOG through the model.

    Prints its turns and says whether every change of turn, active player, phase and step that the client reports is
    a run of the model. Ends with 0 when it is, with 1 at the first that is not: its line, what was seen and what could
    have come. As JSON: a line for each visited step, then one with the verdict.

    \b
    Examples:
      fsm conform Player.log --timeline game.svg
      fsm conform Player.log --allow extra --allow skip --json
    """
    from fsm import rulesets
    from fsm.arena import ArenaLog
    from fsm.cli.files import write_files
    from fsm.cli.show import say
    from fsm.conform import Follower

    model = rulesets.load(ruleset)
    layers = [layer.strip() for text in allow for layer in text.split(",") if layer.strip()]
    follower = Follower(model, allow=layers)
    source = ArenaLog.open(log)
    games = Games(model, follower.by_game(source), kept=timeline is not None)
    (_tell_json if output == "json" else _tell_text)(model, follower, games, source.name)
    if timeline is not None:
        write_files({timeline: games.timeline(theme, title=os.path.basename(log))})
        if output != "json":
            say(f"written: {timeline}")
    raise click.exceptions.Exit(0 if follower.result.ok else 1)


class Games:
    """The games of a log as they are followed; with `kept`, their turns are kept for a picture."""

    def __init__(self, model: Model, games: Iterable[tuple[int, Iterator[Record]]], *, kept: bool) -> None:
        self.model, self.games, self.kept = model, games, kept
        self.turns: dict[int, list[Turn]] = {}

    def __iter__(self) -> Iterator[tuple[int, Iterator[Record]]]:
        from fsm.turns import keeping_turns

        for number, records in self.games:
            turns = self.turns.setdefault(number, []) if self.kept else None
            yield number, records if turns is None else keeping_turns(records, self.model, turns)

    def timeline(self, theme: str, *, title: str) -> str:
        """The picture of the games followed so far."""
        from fsm.drawing.timeline import Section, timelines

        alone = len(self.turns) == 1
        sections = [Section(turns, "" if alone else f"game {game}") for game, turns in self.turns.items()]
        return timelines(self.model, sections, theme=theme, title=title)


def _tell_text(model: Model, follower: Follower, games: Games, name: str) -> None:
    from fsm.cli.show import layout_of, say, show
    from fsm.turns import read_turns

    layout = layout_of(model)
    for game, records in games:
        show([[], [(f"game {game}", "head")], *layout.header()], layout.families)
        for turn in read_turns(records, model):
            show(layout.turn(turn), layout.families)
    show([[], *layout.legend(), []])
    result = follower.result
    say(_read(name, result))
    show([[("every change is a run of the model", "good") if result.ok else (f"refused: {result.refusal}", "bad")]])


def _read(name: str, result: Conformance) -> str:
    parts = [f"{_many(result.turns, 'turn')} of {_many(result.games, 'game')}", f"{_many(result.read, 'line')} read"]
    parts += [f"{_many(result.skipped_lines, 'damaged line')} skipped"] if result.skipped_lines else []
    parts += ["the log begins in the middle of a game"] if result.joined else []
    return f"{name}: {', '.join(parts)}"


def _many(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"


def _tell_json(model: Model, follower: Follower, games: Games, name: str) -> None:
    from fsm.cli.show import say
    from fsm.visits import visits_of

    for game, records in games:
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
