"""The machine of the explorer's page and the engine go in step, over the whole language of tables."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

import fsm
from fsm.errors import FsmError
from fsm.rulesets import Table
from support.court import COURT
from support.drawings import BUILT_IN
from support.folders import ROOT
from support.tools import tool
from support.wanderer import Wanderer

sys.path.insert(0, str(ROOT / "examples" / "games"))
NAMES = ["yugioh", "pokemon", "lorcana", "onepiece", "fab", "swu", "netrunner", "l5r", "keyforge", "arkham"]  # fmt: skip
GAMES: dict[str, Table] = {name: getattr(import_module(name), name.upper()) for name in NAMES}
MACHINE = ROOT / "fsm" / "views" / "explorer" / "machine"
SCRIPTS = (
    "model",
    "agenda",
    "calendar",
    "scheduling",
    "primitives",
    "asking",
    "machine",
    "restore",
)
FOLLOW = """
const { model, players, teams, settings, steps } = JSON.parse(require("fs").readFileSync(0));
const shown = new Model(model);
let game = new Controller(shown, { players, teams, settings });
for (const [answer, wanted, snapshot] of steps) {
  if (snapshot) game = restored(shown, snapshot.fingerprint, snapshot);
  const { state, at, facts, players, winners, expired = [], triggered = [] } = game.answer(answer);
  const asked = wanted[5].filter((name) => facts.includes(name)); // the page may ask for more
  const found = [state, at.stage, at.active, at.turn, players || winners || [], asked, [...expired, ...triggered]];
  if (JSON.stringify(found) !== JSON.stringify(wanted)) {
    console.log(JSON.stringify({ answer, found, wanted }));
    break;
  }
}
"""


def answered(game: fsm.TurnController, wanderer: random.Random) -> fsm.Answer:
    """Any answer."""
    request: Any = game.request
    facts = {name: wanderer.random() < 0.4 for name in request.facts}
    events = [event for event in game.model.signals if event != game.model.leaving]
    orders: list[Any] = []
    if events and wanderer.random() < 0.2:
        orders.append(fsm.Signal(wanderer.choice(events)))
    for role in game.model.roles:
        if wanderer.random() < 0.1:
            orders.append(fsm.Appoint(role.name, wanderer.choice(game.players)))
    if wanderer.random() < 0.02 and len(game.run.left) + 1 < len(game.players):
        orders.append(fsm.Leave(wanderer.choice(game.players)))
    if isinstance(request, fsm.Priority):
        if request.manner == "for_good" and wanderer.random() < 0.2:
            return request.passed(for_good=True, **facts)
        act = request.acted if wanderer.random() < 0.4 else request.passed
        return act(*orders, **facts)
    if isinstance(request, fsm.Perform) and len(request.by) > 1 and wanderer.random() < 0.6:
        return request.done(*orders, player=wanderer.choice(request.waits_for), **facts)
    answer: fsm.Answer = request.done(*orders, **facts)
    return answer


def both(game: fsm.TurnController, wanderer: random.Random, folder: Path, answer: Any) -> str:
    """Play a game in both machines, and return where they differ. The page's machine begins again
    from a snapshot now and then.
    """
    steps = list[Any]()
    told = {
        "model": game.model.to_json(),
        "players": game.players,
        "teams": [
            [game.players[seat] for seat in side] for side in game.run.sides if len(side) > 1
        ],
        "settings": {one.name: one.name in game.run.settings for one in game.model.settings},
        "steps": steps,
    }
    saved = None

    def note(answered: Any) -> None:
        now = game.request
        who = now.winners if isinstance(now, fsm.Over) else now.by
        at = now.at
        found = [now.state, at.stage, at.active, at.turn, [*who], sorted(now.facts)]
        found.append([*now.expired, *now.triggered])
        steps.append((answered.answer.to_json(), found, saved))

    with game.watch(note):
        for _ in range(150):
            if isinstance(game.request, fsm.Over):
                break
            saved = game.snapshot() if wanderer.random() < 0.1 else None
            with suppress(FsmError):
                answer(game)
    script = folder / "follow.js"
    code = "\n".join((MACHINE / f"{one}.js").read_text("utf-8") for one in SCRIPTS)
    script.write_text(code + FOLLOW, "utf-8")
    command = [tool("node"), str(script)]
    run = subprocess.run(
        command, input=json.dumps(told), capture_output=True, text=True, check=False
    )
    return run.stdout + run.stderr


@pytest.mark.parametrize("name", ["court", *GAMES])
@pytest.mark.parametrize("seed", range(3))
def test_both_say_the_same_of_any_game(name: str, seed: int, tmp_path: Path) -> None:
    game = fsm.TurnController(GAMES.get(name, COURT), ["A", "B", "C"][: 2 + seed % 2])
    wanderer = random.Random(seed)
    answer = lambda game: game.answer(answered(game, wanderer))  # noqa: E731
    assert both(game, wanderer, tmp_path, answer) == ""


@pytest.mark.parametrize("ruleset", BUILT_IN)
@pytest.mark.parametrize("seed", range(25))
def test_both_say_the_same_whatever_is_ordered(ruleset: str, seed: int, tmp_path: Path) -> None:
    wanderer = Wanderer(fsm.load(ruleset), seed)
    assert both(wanderer.game(), wanderer.random, tmp_path, wanderer.answer) == ""
