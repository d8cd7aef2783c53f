"""Plain machines of the `transitions` library: their labels, and what their pictures call things."""

from __future__ import annotations

from typing import Any

from transitions import Machine
from transitions.extensions import HierarchicalMachine

from fsm import draw
from fsm.adapters import model_of
from fsm.model import Model
from fsm.views.drawing.options import DrawOptions, Now
from fsm.views.drawing.pipeline import svg
from fsm.views.drawing.views import place
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
            Phone(),
            states=["idle", calls, errors, "off"],
            transitions=rows,
            initial="idle",
            auto_transitions=False,
        )
    )


def test_the_labels_of_a_nested_machine_stand_at_their_own_lines() -> None:
    picture = read(draw(phone()))
    assert [astray(picture), read_as_one(picture), collisions(picture)] == [[], [], []]


class Shop:
    """What the machine of an order moves."""

    def is_paid_up(self) -> bool:
        return True


def shop() -> Model:
    finals = [{"name": "delivered", "final": True}, {"name": "called_off", "final": True}]
    rows: list[Any] = [
        {"trigger": "pay_now", "source": "NEW_order", "dest": "paid", "conditions": "is_paid_up"},
        {"trigger": "deliver", "source": "paid", "dest": "delivered"},
        {"trigger": "call_off", "source": ["NEW_order", "paid"], "dest": "called_off"},
    ]
    return model_of(
        Machine(
            Shop(),
            states=["NEW_order", "paid", *finals],
            transitions=rows,
            initial="NEW_order",
            auto_transitions=False,
        )
    )


def test_names_are_as_the_user_wrote_them() -> None:
    picture = read(draw(shop()))
    assert {"NEW_order", "pay_now [is_paid_up]", "call_off", "called_off"} <= set(picture.words)
    assert {"call", "talking", "error"} <= set(read(draw(phone())).words)
    assert not [word for word in picture.words if "pay now" in word or "is paid up" in word]


def test_the_legend_has_no_words_of_games() -> None:
    words = {*read(draw(shop())).words, *read(draw(phone())).words}
    assert {"initial state", "final state", "transition", "from any state inside"} <= words
    assert not {"begin", "end", "core", "jump", "jump out of everything"} & words


def test_final_and_current_states_are_marked() -> None:
    model = shop()
    drawn = drawn_at(model, "paid")
    assert {"current state", "can happen now"} <= set(read(drawn).words)
    assert sum(name.startswith("node final") for name in read(drawn).groups) == 1
    assert len(read(drawn).groups["node final"]) == 2


def drawn_at(model: Model, state: str) -> str:
    open_rows = tuple(row.id for row in model.transitions if row.source == state)
    return svg(model, DrawOptions(overlay=Now(state, open=open_rows)))


def test_arrows_into_one_state_do_not_run_together() -> None:
    ends = [line.points[-1] for line in place(shop(), "turn").lines]
    assert len(set(ends)) == len(ends)
