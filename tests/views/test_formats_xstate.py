"""XState: what stands in it. The real one follows it in the thorough tests."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

import fsm
from fsm.model import Model
from fsm.rulesets import names
from fsm.views.drawing.options import DrawOptions
from fsm.views.export.modeljson import modeljson
from fsm.views.export.xstate import xstate
from support.hostilemodels import hostile

MAGIC = fsm.load("magic")


def states(config: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for inner in config.get("states", {}).values():
        yield inner
        yield from states(inner)


def test_states_and_transitions_say_what_they_are() -> None:
    config = json.loads(xstate(MAGIC, DrawOptions()))
    upkeep = next(s for s in states(config) if s.get("id") == "upkeep_before")
    assert (upkeep["description"], upkeep["tags"]) == ("Before upkeep", ["choice"])
    skip = next(
        row
        for row in upkeep["on"]["turn.done"]
        if row.get("guard", {}).get("params") == {"skip_upkeep": True}
    )
    assert (skip["target"], skip["meta"]) == ("#upkeep_after", {"layer": "skip", "rule": "614.10"})
    assert (
        config["meta"]["facts"]["attackers_declared"]
        == "a creature was declared as an attacker this combat"
    )


@pytest.mark.parametrize("name", names())
def test_every_row_is_there_in_its_place(name: str) -> None:
    model = fsm.load(name)
    config = json.loads(xstate(model, DrawOptions()))
    rows = [row for s in states(config) for found in s.get("on", {}).values() for row in found]
    assert model.window is not None
    assert len(rows) == len(model.transitions) + len(model.of_kind("window")) * len(
        model.window.transitions
    )


def test_the_model_file_is_read_back_as_it_was() -> None:
    for model in (MAGIC, hostile()):
        assert Model.from_json(json.loads(modeljson(model, DrawOptions()))) == model
