"""Plain machines of the `transitions` library: their labels, and what their pictures call things."""

from __future__ import annotations

from transitions.extensions import HierarchicalMachine

from fsm.adapters import model_of
from fsm.model import Model
from fsm.views.drawing import draw
from support.drawnsvg import astray, collisions, read, read_as_one


class Phone:
    """What the machine of a telephone moves."""


def phone() -> Model:
    talking = {"name": "talking", "children": ["normal", "muted", "held"]}
    calls = {"name": "call", "children": ["dialing", "ringing", talking]}
    errors = {"name": "error", "children": ["busy", "network"]}
    rows = [
        ["dial", "idle", "call_dialing"],
        ["connect", "call_dialing", "call_ringing"],
        ["pick_up", "call_ringing", "call_talking_normal"],
        ["mute", "call_talking_normal", "call_talking_muted"],
        ["unmute", "call_talking_muted", "call_talking_normal"],
        ["hold", "call_talking_normal", "call_talking_held"],
        ["resume", "call_talking_held", "call_talking_normal"],
        ["hang_up", "call", "idle"],
        ["engaged", "call_dialing", "error_busy"],
        ["fail", "call_dialing", "error_network"],
        ["retry", "error", "call_dialing"],
        ["power", "*", "off"],
    ]
    return model_of(
        HierarchicalMachine(
            Phone(), states=["idle", calls, errors, "off"], transitions=rows, initial="idle", auto_transitions=False
        )
    )


def test_the_labels_of_a_nested_machine_stand_at_their_own_lines() -> None:
    picture = read(draw(phone()))
    assert [astray(picture), read_as_one(picture), collisions(picture)] == [[], [], []]
