"""Pictures that are drawn once in a run and shared by all tests that look at them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import fsm
from fsm.model import Model
from support.amounts import sample
from support.commandline import command
from support.drawnsvg import Picture, read
from support.folders import ROOT, SCENARIOS

BUILT_IN = ("magic", "magic-2010", "magic-classic", "grand-archive")
LANTERNS = "lanterns:LANTERNS"
"""A game that no rulebook knows: three phases, one inside another, a skip, a fork, a fallback."""
OWN = (LANTERNS, "duel.rules:DUEL", "fleet.rules:HARBOUR")
GAMES = sorted(
    f"games.{path.stem}:{path.stem.upper()}" for path in (ROOT / "examples/games").glob("*.py")
)
"""The games of the examples."""


@cache
def loaded(ruleset: str) -> Model:
    return fsm.load(ruleset)


@cache
def drawn(ruleset: str, view: str = "turn", format: str = "svg", theme: str = "auto") -> str:
    if format != "svg":
        return str(fsm.draw(loaded(ruleset), view=view, format=format))
    return fsm.draw(loaded(ruleset), view=view, theme=theme)


@cache
def picture(ruleset: str, view: str = "turn") -> Picture:
    return read(drawn(ruleset, view))


@cache
def views(ruleset: str) -> list[str]:
    """The views that `fsm draw` offers."""
    listed = command("draw", ruleset, "--views").stdout.splitlines()
    return [line.split()[0] for line in listed[1:]]


def timelines(game: str) -> Iterator[str]:
    """The games of its scenarios as timelines; quiet turns if it has no scenarios."""
    name = game.partition(":")[0].replace(".", "/")
    files = {*(SCENARIOS / name).glob("*.json"), *(ROOT / "examples").glob(f"{name}.json")}
    rules = () if game in BUILT_IN else ("--ruleset", game)
    with TemporaryDirectory() as folder:
        scenario, path = Path(folder) / "game.json", Path(folder) / "game.svg"
        for file in sample(sorted(files), 2):
            found = json.loads(file.read_text("utf-8"))
            for case in found if isinstance(found, list) else [found]:
                scenario.write_text(json.dumps({**case, "id": "a game"}), "utf-8")
                command("run", *rules, scenario, "--timeline", path)
                yield path.read_text("utf-8")
    if not files:
        yield made("run", "--ruleset", game, option="--timeline")


def made(line: str, *arguments: object, option: str = "-o", ending: str = "svg") -> str:
    """What a command writes into the file that an option names."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / f"made.{ending}"
        done = command(line, *arguments, option, path)
        assert (done.exit_code, done.stderr) == (0, "")
        return path.read_text("utf-8")
