"""Recorded games as what an export is fed: random games of every ruleset that between them take
every transition.
"""

from __future__ import annotations

import json
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from random import Random
from typing import Any

import fsm
from fsm.engine.controller import TurnController
from fsm.engine.requests import Answer
from fsm.engine.trace import Record
from fsm.model import Model
from support.eventfeed import begins, exported_events
from support.tools import node_packages, tool
from support.wanderer import Wanderer

NEAR = {"grand-archive": "grand-archive?clean_up_limit=2"}
"""The ruleset with the bound of its one endless loop brought near: the same transitions."""
SEEDS, ANSWERS, LONGER = range(150), 5_000, 50
"""A game is fed this much further than its last transition that is new."""

SCION, XSTATE = ("scxml.cjs", "@scion-scxml/scxml"), ("xstate.mjs", "xstate")
"""Interpreters that are not ours: the script that feeds each, and its package."""

Run = tuple[str, list[tuple[str, dict[str, bool], str]]]


@dataclass(frozen=True)
class Fed:
    """A model, runs of it that take every one of its transitions, and how many steps they are."""

    model: Model
    runs: Sequence[Run]
    missed: frozenset[tuple[str, str]]

    @property
    def steps(self) -> int:
        return sum(len(steps) for _, steps in self.runs)


def run_of(model: Model, records: Sequence[Record]) -> Run:
    return begins(model), [
        (fed.event, fed.facts, fed.state) for fed in exported_events(model, records)
    ]


def wandered(model: Model, answers: int = 60) -> list[Record]:
    """A random game of a model that has no window."""
    controller, random = TurnController(model, ["A", "B"]), Random(1)
    for _ in range(answers):
        controller.answer(
            Answer("done", {name: random.random() < 0.5 for name in controller.request.facts})
        )
    return controller.trace.records


def fed(name: str) -> Fed:
    """Games of this ruleset, each as far as it takes a transition which none has taken before."""
    model = fsm.load(NEAR.get(name, name))
    machines = [("turn", model), *([("window", model.window)] if model.window else [])]
    missed = {(machine, t.id) for machine, part in machines for t in part.transitions}
    runs = []
    for seed in SEEDS:
        for game in Wanderer(model, seed).games(ANSWERS):
            records = game.trace.records
            fresh = [i for i, r in enumerate(records) if (r.machine, r.transition) in missed]
            missed.difference_update((r.machine, r.transition) for r in records)
            runs += [run_of(model, records[: fresh[-1] + LONGER])] if fresh else []
        if not missed:
            break
    return Fed(model, runs, frozenset(missed))


@lru_cache(maxsize=1)
def few(name: str) -> list[list[Record]]:
    """The records of a few games of this ruleset."""
    return [game.trace.records for game in Wanderer(fsm.load(name), 3).games(900)]


def followed(
    judge: tuple[str, str], machine: str, runs: Sequence[Run], folder: Path
) -> dict[str, Any]:
    """What the interpreter in one Node process says of these runs: how many steps, and where it
    went elsewhere.
    """
    script, package = judge
    home = node_packages(package)
    (folder / "machine").write_text(machine, encoding="utf-8")
    (folder / "runs.json").write_text(json.dumps(runs), encoding="utf-8")
    command = [tool("node"), str(home / script), str(folder / "machine"), str(folder / "runs.json")]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    found: dict[str, Any] = json.loads(done.stdout)
    return found
