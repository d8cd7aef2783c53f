"""Pictures, tables and texts of plain machines of the `transitions` library, in their own words."""

from __future__ import annotations

import re
import sys
from collections import Counter
from functools import cache, partial
from typing import Any

import pytest
from transitions import Machine
from transitions.extensions import HierarchicalMachine

import fsm
from fsm.adapters import model_of
from fsm.errors import DrawError
from fsm.views import Counts, Now
from support import processes
from support.amounts import amount
from support.drawnsvg import faults, labelled, read
from support.foreignmachines import tangled


class Phone:
    """What the machine of a telephone moves."""

    def is_paid_up(self) -> bool:
        return True


def phone() -> HierarchicalMachine:
    talking = {"name": "talking", "children": ["normal", "muted"], "initial": "normal"}
    call = {"name": "call", "children": ["dialing", "ringing", talking], "initial": "dialing"}
    rows: list[Any] = [
        ["dial", "idle", "call"],
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


def flat(*rows: Any, states: str = "ab", **more: Any) -> Machine:
    return Machine(
        states=list(states), initial="a", transitions=list(rows), auto_transitions=False, **more
    )


@cache
def drawn(format: str = "svg") -> str:
    return str(fsm.draw(phone(), format=format))


def ways(svg: str) -> list[str]:
    """The transitions of each line."""
    return [via.replace("&gt;", ">") for via in re.findall('class="way" data-via="([^"]+)"', svg)]


def bad(svg: str) -> list[str]:
    """What is drawn badly. A label may touch a line, from which it is set off."""
    return [said for said in faults(svg) if "meets a " not in said and "runs through" not in said]


def test_names_are_as_the_user_wrote_them() -> None:
    words = read(drawn()).words
    assert read(drawn()).title == words[0] == "Phone"
    assert words[1] == "8 states, 8 transitions"
    assert {"idle", "call", "dialing", "ringing", "talking", "normal", "muted", "off"} <= set(words)
    assert {"dial", "connect", "pick_up", "if is_paid_up", "mute", "hang_up"} <= set(words)


def test_it_explains_its_signs_and_is_drawn_well() -> None:
    assert {"starts here", "final"} <= set(read(drawn()).words)
    assert "a line that leaves a frame: from any state inside" in read(drawn()).words
    assert bad(drawn()) == []


def test_states_lie_in_their_frames() -> None:
    shown = read(drawn())
    where = {text.words: text for text in shown.texts}
    _, call, talking = [b for b in shown.boxes if b.holds(where["muted"])]
    assert call.holds(where["talking"]) and talking.holds(where["talking"])
    assert not call.holds(where["idle"]) and not talking.holds(where["dialing"])


def test_a_frame_is_entered_at_a_dot_and_left_by_one_line() -> None:
    """A final state has a double border."""
    parts = re.findall(r'<g class="step"(.*?)>(.*?)</g>', drawn())
    dots = [part for name, part in parts if not name and "<text" not in part]
    assert len(dots) == len(["Phone", "call", "talking"])
    assert [name for name, part in parts if part.count("<rect") == 2] == [' data-id="off"']
    assert ways(drawn()).count("call -> idle on hang_up") == 1


def test_what_all_states_do_is_drawn_once() -> None:
    """Wildcards may stand before or after what a state does itself."""
    rows = (["fail", "*", "b"], ["reset", "*", "="], ["go", "a", "b"], ["go", "*", "a"])
    svg = fsm.draw(flat(*rows))
    assert read(svg).words.count("any state") == 1
    assert sorted(len(way.split("; ")) for way in ways(svg)) == [1, 2, 2, 2]
    first = ({"trigger": "go", "source": "*", "dest": "a", "conditions": "x"}, ["go", "a", "b"])
    assert read(fsm.draw(flat(*first))).words.count("any state") == 1


def test_parallel_transitions_are_one_line_with_all_labels() -> None:
    svg = fsm.draw(flat(["x", "a", "b"], ["y", "a", "b"], ["z", "a", None]))
    assert ways(svg) == ["a -> b on x; a -> b on y"]
    assert "x | y" in read(svg).words and "z" in read(svg).words


def test_parallel_states_are_entered_together() -> None:
    both = {"name": "both", "parallel": ["p", "q"]}
    for first in ("both", ["both_p", "both_q"]):
        machine = HierarchicalMachine(states=["idle", both], initial=first, auto_transitions=False)
        assert fsm.draw(machine).count('class="way"') == (3 if first == "both" else 2)


def test_what_has_no_name_says_where_it_is_written() -> None:
    check = {"conditions": [lambda: True], "after": partial(lambda level: None, 5)}
    svg = fsm.draw(flat({"trigger": "go", "source": "a", "dest": "b", **check}))
    said = " ".join(read(svg).words)
    assert re.search(r"if lambda \(test_machine_pictures.py, line \d+\)", said)
    assert re.search(r"then lambda \(test_machine_pictures.py, line \d+\)", said)


def test_a_condition_says_what_it_holds() -> None:
    def pay(*amounts: object, **more: object) -> bool:
        return True

    held: dict[str, Any] = {
        "conditions": partial(pay, 5),
        "unless": partial(pay, "gold", by=Phone()),
    }
    svg = fsm.draw(flat({"trigger": "go", "source": "a", "dest": "b", **held}))
    assert "go if pay (with 5), not pay (with 'gold', Phone)" in " ".join(read(svg).words)


@pytest.mark.parametrize("parallel", [False, True])
@pytest.mark.parametrize("seed", range(amount(4, 150)))
def test_every_state_has_its_box_and_every_line_its_labels(seed: int, parallel: bool) -> None:
    """No text meets another one or a box, and none leaves the picture."""
    model = model_of(tangled(seed, parallel=parallel))
    svg = fsm.draw(model)
    shown = read(svg)
    states = Counter(state.label or state.name for state in model.states if not state.stand_in)
    assert not states - Counter(shown.words)
    rows = [row for row in model.transitions if not model.state(row.source).stand_in]
    assert [row.event for row in rows if not shown.says(row.event)] == []
    lines = Counter("; ".join(ways(svg)).split("; "))
    assert set(lines.values()) <= {1}
    assert {row.id for row in rows if row.target} == {*lines} - {""}
    assert bad(svg) == []
    if "paint-order" in svg:
        for via, _, labels in labelled(svg):
            said = " ".join(label.words for label in labels)
            assert [id for id in via if model.transition(id).event not in said] == []
            assert [said for box in shown.cards for it in labels if box.crosses(it.area)] == []


def test_most_labels_are_nearer_to_their_own_line_than_to_any_other() -> None:
    """Graphviz lays labels out beside their line; where many lines meet, some lie near another."""
    near = list[bool]()
    for seed in range(amount(15, 150)):
        drawing = [*labelled(fsm.draw(tangled(seed, parallel=True)))]
        for _, own, labels in drawing:
            others = [line for _, line, _ in drawing if line != own]
            near += [own.is_nearest(labels, others)] if labels else []
    assert near and near.count(False) < 0.2 * len(near)


def test_a_table_tells_every_way_on() -> None:
    table = drawn("txt")
    for told in ("dial: call", "pick_up if is_paid_up: talking", "any state", "power: off"):
        assert told in table


def test_the_texts_for_other_programs_have_every_arrow() -> None:
    assert drawn("mermaid").count(" --> ") == 6 + len(["idle", "dialing", "normal", "off"])
    assert drawn("dot").count(" -> ") == 6 + len(["idle", "dialing", "normal"])
    assert 'state "call" as' in drawn("mermaid")


def test_without_graphviz_one_sentence_says_how_to_get_it() -> None:
    code = """
import fsm
from fsm.rulesets import Act, Phase, Table
from transitions.extensions import HierarchicalMachine
GAME = Table("g", Phase("main", Act("play")))
states = ["off", {"name": "on", "children": ["low", "high"], "initial": "low"}]
machine = HierarchicalMachine(states=states, transitions=[["press", "off", "on"]], initial="off")
print(fsm.draw(GAME)[:4], fsm.draw(machine, format="dot")[:7], fsm.draw(machine, format="mermaid")[:3])
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


# what is shown on a picture -----------------------------------------------------------------------


def test_counts_stand_at_states_and_lines_and_what_never_was_is_marked() -> None:
    model = model_of(phone())
    counts = {"idle -> call_dialing on dial": 3, "call -> idle on hang_up": 3}
    svg = fsm.draw(model, counts=Counts(counts))
    words = Counter(read(svg).words)
    assert words["3×"] == 4 and words["never"] >= 5
    assert read(svg).says("2 of 6 states were entered, 2 of 8 transitions taken")
    assert bad(svg) == []


def test_a_line_from_any_state_says_how_often_it_was_taken_from_all_of_them() -> None:
    model = model_of(flat(["drop", "*", "b"], ["go", "a", "b"]))
    svg = fsm.draw(model, counts=Counts({"a -> b on drop": 1, "b -> b on drop": 2}))
    assert "3×" in read(svg).words


def test_it_shows_where_a_machine_stands() -> None:
    svg = fsm.draw(model_of(phone()), now=Now("idle", open=("idle -> call_dialing on dial",)))
    assert 'class="f-now' in svg and "can happen now" in read(svg).words


def test_where_a_machine_stands_is_shown_at_the_frame_alone() -> None:
    svg = fsm.draw(model_of(phone()), now=Now("call_talking"))
    assert svg.count('class="f-now') == 1 + len(["its sample in the legend"])
    [lit] = re.findall(r'<g class="step" data-id="([^"]*)"><rect [^>]*class="f-now', svg)
    assert lit == "call_talking"
    assert svg.count(f'data-id="{lit}"') == 1


def test_what_differs_between_two_machines_is_told_in_words_only() -> None:
    old, new = (model_of(flat([event, "a", "b"])) for event in ("stop", "go"))
    with pytest.raises(DrawError, match="fsm diff"):
        fsm.draw(new, against=old)
