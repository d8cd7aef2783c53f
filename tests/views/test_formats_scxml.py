"""SCXML: what stands in it, and that SCION, which is not ours, follows it; all transitions: test_formats_runs.py."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

import fsm
from fsm.drawing.asked import Asked
from fsm.errors import TraceError
from fsm.exporting.feeding import feed
from fsm.exporting.scxml import OURS, SCXML, scxml
from fsm.model import Model
from fsm.rulesets import names
from support.fedruns import SCION, few, followed, run_of, wandered
from support.hostilemodels import HOSTILE, hostile
from support.inventedgames import towns

MAGIC = fsm.load("magic")
TAG, OWN = f"{{{SCXML}}}", f"{{{OURS}}}"


def forks(state: str) -> bool:
    """Does each row of this state lead elsewhere?"""
    targets = [t.target for t in MAGIC.rows(state)]
    return len(targets) > 1 and len(targets) == len(set(targets))


def test_scion_notices_a_guard_that_is_turned_round(tmp_path: Path) -> None:
    games = few("magic")
    taken = {r.transition for records in games for r in records}
    row = next(t for t in MAGIC.transitions if t.id in taken and t.guard and forks(t.source))
    turned = replace(row, guard=tuple(replace(term, value=not term.value) for term in row.guard))
    other = replace(MAGIC, transitions=tuple(turned if t is row else t for t in MAGIC.transitions))
    runs = [run_of(MAGIC, records) for records in games]
    assert followed(SCION, scxml(MAGIC, Asked()), runs, tmp_path)["wrong"] == 0
    assert followed(SCION, scxml(other, Asked()), runs, tmp_path)["wrong"] > 0


def test_hostile_names_change_nothing(tmp_path: Path) -> None:
    model = hostile()
    run = run_of(model, wandered(model))
    assert followed(SCION, scxml(model, Asked()), [run], tmp_path) == {"steps": 60, "wrong": 0, "first": []}


@pytest.mark.parametrize("model", [*map(fsm.load, names()), towns(), hostile()], ids=lambda m: m.title[:8])
def test_ids_are_unique_and_every_target_is_there(model: Model) -> None:
    root = ET.fromstring(scxml(model, Asked()))
    named = [e.get("id") for e in root.iter() if e.get("id") is not None]
    assert len(named) == len(set(named)), "states and data share one set of ids"
    ids = [e.get("id") for e in root.iter() if e.tag in (f"{TAG}state", f"{TAG}final")]
    assert {e.get("target") for e in root.iter(f"{TAG}transition")} - {None} <= set(ids)
    rows = [e for e in root.iter(f"{TAG}transition") if e.get("event") != "fsm.facts"]
    windows = len(model.of_kind("window")) * len(model.window.transitions) if model.window else 0
    assert len(rows) == len(model.transitions) + windows


def test_every_fact_is_a_variable_and_says_what_it_is_about() -> None:
    root = ET.fromstring(scxml(MAGIC, Asked()))
    said = {e.get(f"{OWN}fact"): e.get(f"{OWN}doc") for e in root.iter(f"{TAG}data")}
    assert said["attackers_declared"] == "a creature was declared as an attacker this combat"
    assert MAGIC.window is not None
    assert set(said) == {f.name for m in (MAGIC, MAGIC.window) for f in m.facts}
    odd = ET.fromstring(scxml(hostile(), Asked()))
    assert len({e.get("id") for e in odd.iter(f"{TAG}data")}) == len(HOSTILE)


def test_a_transition_says_its_layer_and_rule() -> None:
    root = ET.fromstring(scxml(MAGIC, Asked()))
    [skip] = [e for e in root.iter(f"{TAG}transition") if e.get("cond") == "skip_upkeep"]
    assert (skip.get("target"), skip.get(f"{OWN}layer"), skip.get(f"{OWN}rule")) == ("upkeep_after", "skip", "614.10")


def test_a_run_of_another_model_is_refused() -> None:
    records = wandered(hostile())
    with pytest.raises(TraceError, match="is not in magic"):
        list(feed(MAGIC, records))
    with pytest.raises(TraceError, match="from its start"):
        list(feed(hostile(), records[1:]))
