"""The machine of the explorer's page and the engine go in step, over the whole language of tables."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

import fsm
from fsm.errors import FsmError
from fsm.rulesets import Table
from support.court import COURT
from support.folders import ROOT
from support.tools import tool

sys.path.insert(0, str(ROOT / "examples" / "games"))
NAMES = ["yugioh", "pokemon", "lorcana", "onepiece", "fab", "swu", "netrunner", "l5r", "keyforge", "arkham"]  # fmt: skip
GAMES: dict[str, Table] = {name: getattr(import_module(name), name.upper()) for name in NAMES}
MACHINE = ROOT / "fsm" / "views" / "explorer" / "machine"
SCRIPTS = ("model", "agenda", "calendar", "scheduling", "primitives", "asking", "machine")
FOLLOW = """
const { model, players, steps } = JSON.parse(require("fs").readFileSync(0));
const game = new Controller(new Model(model), { players });
for (const [answer, wanted] of steps) {
  const { state, at, facts, players, winners } = game.answer(answer);
  const found = [state, at.stage, at.active, at.turn, players || winners || [], [...facts].sort()];
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
    if wanderer.random() < 0.02:
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


@pytest.mark.parametrize("name", ["court", *GAMES])
@pytest.mark.parametrize("seed", range(3))
def test_both_say_the_same(name: str, seed: int, tmp_path: Path) -> None:
    game = fsm.TurnController(GAMES.get(name, COURT), ["A", "B", "C"][: 2 + seed % 2])
    wanderer, steps = random.Random(seed), list[Any]()
    for _ in range(150):
        if isinstance(game.request, fsm.Over):
            break
        answer = answered(game, wanderer)
        try:
            now = game.answer(answer)
        except FsmError:
            continue
        who = now.winners if isinstance(now, fsm.Over) else now.by
        at = now.at
        found = [now.state, at.stage, at.active, at.turn, [*who], sorted(now.facts)]
        steps.append((answer.to_json(), found))
    script = tmp_path / "follow.js"
    code = "\n".join((MACHINE / f"{one}.js").read_text("utf-8") for one in SCRIPTS)
    script.write_text(code + FOLLOW, "utf-8")
    told = json.dumps({"model": game.model.to_json(), "players": game.players, "steps": steps})
    run = subprocess.run(
        [tool("node"), str(script)], input=told, capture_output=True, text=True, check=False
    )
    assert (run.stdout, run.stderr) == ("", "")
