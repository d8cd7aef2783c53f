"""Pictures, tables and texts of plain machines of the `transitions` library, in their own words."""

from __future__ import annotations

import sys
from functools import cache
from typing import Any

from transitions import Machine
from transitions.extensions import HierarchicalMachine

import fsm
from support import processes
from support.drawnsvg import faults, read


class Phone:
    """What the machine of a telephone moves."""

    def is_paid_up(self) -> bool:
        return True


def phone() -> HierarchicalMachine:
    talking = {"name": "talking", "children": ["normal", "muted"], "initial": "normal"}
    call = {"name": "call", "children": ["dialing", "ringing", talking], "initial": "dialing"}
    rows: list[Any] = [
        ["dial", "idle", "call_dialing"],
        ["connect", "call_dialing", "call_ringing"],
        {"trigger": "pick_up", "source": "call_ringing", "dest": "call_talking"}
        | {"conditions": "is_paid_up"},
        ["mute", "call_talking_normal", "call_talking_muted"],
        ["hang_up", "call", "idle"],
        ["power", "*", "off"],
    ]
    states = ["idle", call, {"name": "off", "final": True}]
    return HierarchicalMachine(
        Phone(), states=states, transitions=rows, initial="idle", auto_transitions=False
    )


@cache
def drawn(format: str = "svg") -> str:
    return str(fsm.draw(phone(), format=format))


def test_names_are_as_the_user_wrote_them() -> None:
    words = set(read(drawn()).words)
    assert read(drawn()).title == "Phone"
    assert {"idle", "call", "dialing", "ringing", "talking", "normal", "muted", "off"} <= words
    assert {"dial", "connect", "pick_up [is_paid_up]", "mute", "hang_up", "power"} <= words


def test_the_legend_has_no_words_of_games() -> None:
    words = read(drawn()).words
    assert {"initial state", "final state", "transition", "from any state inside"} <= set(words)
    assert not {"begin", "end", "core", "jump", "normal course"} & set(words)


def test_states_lie_in_their_frames() -> None:
    shown = read(drawn())
    where = {text.words: text for text in shown.texts}
    [talking] = [b for b in shown.boxes if b.holds(where["talking"]) and b.holds(where["muted"])][
        :1
    ]
    assert not talking.holds(where["idle"])
    assert sum(box.holds(where["muted"]) for box in shown.boxes) == 2


def test_it_is_drawn_well() -> None:
    assert faults(drawn()) == []


def test_a_tangle_has_every_state_arrow_and_label() -> None:
    rows = [[f"go{i}_{s}", f"s{i}", f"s{(i * s + 1) % 12}"] for i in range(12) for s in (1, 7)]
    states = [f"s{i}" for i in range(12)]
    machine = Machine(states=states, transitions=rows, initial="s0", auto_transitions=False)
    shown = read(fsm.draw(machine))
    assert set(states) <= set(shown.words)
    assert [name for name, _, _ in rows if not shown.says(name)] == []
    assert len(shown.lines) >= 24


def test_a_table_tells_every_way_on() -> None:
    table = drawn("txt")
    for told in ("If dial: goes on with dialing", "is paid up: goes on with normal", "Ends here"):
        assert told in table


def test_the_texts_for_other_programs_have_every_arrow() -> None:
    assert drawn("mermaid").count("-->|") + drawn("mermaid").count(".->|") == 6
    assert drawn("dot").count(" -> ") == 7
    assert "n_idle -->|" in drawn("mermaid")


def test_without_graphviz_one_sentence_says_how_to_get_it() -> None:
    code = """
import fsm
from views.test_machine_pictures import phone
machine = phone()
print(fsm.draw("magic")[:4], fsm.draw(machine, format="dot")[:7], fsm.draw(machine, format="mermaid")[:3])
try:
    fsm.draw(machine)
except fsm.FsmError as error:
    print(error)
"""
    env = {"PATH": "", "PYTHONPATH": ":".join(sys.path)}
    done = processes.run([sys.executable, "-c", code], env=env)
    first, second = done.stdout.splitlines()
    assert first == "<svg digraph ---"
    assert "https://graphviz.org/download" in second and "Mermaid" in second
