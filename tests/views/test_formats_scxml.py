"""SCXML: what stands in it. An interpreter follows it in the thorough tests."""

from __future__ import annotations

from xml.etree import ElementTree as ET

import pytest

import fsm
from fsm.errors import TraceError
from fsm.model import Model
from fsm.rulesets import names
from fsm.views.drawing.options import DrawOptions
from fsm.views.export.scxml import NAMESPACE, SCXML, scxml
from support.eventfeed import exported_events
from support.fedruns import wandered
from support.hostilemodels import HOSTILE, hostile
from support.inventedgames import towns

MAGIC = fsm.load("magic")
TAG, OWN = f"{{{SCXML}}}", f"{{{NAMESPACE}}}"


@pytest.mark.parametrize(
    "model", [*map(fsm.load, names()), towns(), hostile()], ids=lambda m: m.title[:8]
)
def test_ids_are_unique_and_every_target_is_there(model: Model) -> None:
    root = ET.fromstring(scxml(model, DrawOptions()))
    named = [e.get("id") for e in root.iter() if e.get("id") is not None]
    assert len(named) == len(set(named)), "states and data share one set of ids"
    ids = [e.get("id") for e in root.iter() if e.tag in (f"{TAG}state", f"{TAG}final")]
    assert {e.get("target") for e in root.iter(f"{TAG}transition")} - {None} <= set(ids)
    rows = [e for e in root.iter(f"{TAG}transition") if e.get("event") != "fsm.facts"]
    windows = len(model.of_kind("window")) * len(model.window.transitions) if model.window else 0
    assert len(rows) == len(model.transitions) + windows


def test_every_fact_is_a_variable_and_says_what_it_is_about() -> None:
    root = ET.fromstring(scxml(MAGIC, DrawOptions()))
    said = {e.get(f"{OWN}fact"): e.get(f"{OWN}doc") for e in root.iter(f"{TAG}data")}
    assert said["attackers_declared"] == "a creature was declared as an attacker this combat"
    assert MAGIC.window is not None
    assert set(said) == {f.name for m in (MAGIC, MAGIC.window) for f in m.facts}
    odd = ET.fromstring(scxml(hostile(), DrawOptions()))
    assert len({e.get("id") for e in odd.iter(f"{TAG}data")}) == len(HOSTILE)


def test_a_transition_says_its_layer_and_rule() -> None:
    root = ET.fromstring(scxml(MAGIC, DrawOptions()))
    [skip] = [e for e in root.iter(f"{TAG}transition") if e.get("cond") == "skip_upkeep"]
    assert (skip.get("target"), skip.get(f"{OWN}layer"), skip.get(f"{OWN}rule")) == (
        "upkeep_after",
        "skip",
        "614.10",
    )


def test_a_run_of_another_model_is_refused() -> None:
    records = wandered(hostile())
    with pytest.raises(TraceError, match="is not in magic"):
        list(exported_events(MAGIC, records))
    with pytest.raises(TraceError, match="from its start"):
        list(exported_events(hostile(), records[1:]))
