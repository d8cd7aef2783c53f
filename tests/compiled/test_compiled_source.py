"""The code a compiled machine runs can be read, printed and found in tracebacks, and is what the
definition says.
"""

from __future__ import annotations

import copy
import linecache
import logging
import pickle
import traceback
from enum import Enum
from typing import Any

import pytest
import transitions

from fsm.compiled import CompiledMachine, CompiledState, CompiledTransition

pytestmark = pytest.mark.no_fsm_cov


class Door:
    """A model."""

    def __init__(self) -> None:
        self.seen: list[str] = []

    def has_key(self) -> bool:
        return True

    def jammed(self) -> bool:
        return False

    def creak(self) -> None:
        self.seen.append("creak")

    def crash(self) -> None:
        raise ZeroDivisionError


ROWS: list[dict[str, Any]] = [
    {
        "trigger": "push",
        "source": "closed",
        "dest": "open",
        "conditions": "has_key",
        "unless": "jammed",
        "before": "creak",
        "rule": "D.1",
    },
    {"trigger": "push", "source": "closed", "dest": None, "after": "creak"},
    {"trigger": "kick", "source": "*", "dest": "broken", "before": "crash"},
]


def door(**options: Any) -> tuple[Any, Any]:
    model = Door()
    states = ["closed", "open", "broken"]
    made: dict[str, Any] = {
        "states": states,
        "initial": "closed",
        "transitions": ROWS,
        "auto_transitions": False,
    }
    return model, CompiledMachine(model, **made | options)


def test_the_source_names_states_callbacks_and_rules() -> None:
    _, machine = door()
    assert machine.source("push", "closed") == (
        "# push, in closed\n"
        "def push_from_closed(model):\n"
        "    # closed -> open (D.1)\n"
        "    if model.has_key() == True and model.jammed() == False:\n"
        "        model.creak()\n"
        "        model.state = 'open'\n"
        "        return True\n"
        "    # closed, internal\n"
        "    model.creak()\n"
        "    return True\n"
    )


def test_the_source_of_an_event_has_every_state_in_order() -> None:
    _, machine = door()
    states = [line for line in machine.source("kick").splitlines() if line.startswith("# ")]
    assert states == ["# kick, in closed", "# kick, in open", "# kick, in broken"]
    assert "model.crash(*args, **kwargs)" in machine.source("kick", "open", arguments=True)


def test_the_source_says_what_is_left_to_the_library_and_why() -> None:
    _, machine = door()
    assert machine.source("push", "open").endswith(
        "left to the library, since the event has no transition from 'open'\n"
    )
    machine.compiled = False
    assert machine.source("push", "closed").endswith("since the machine is not to be compiled\n")
    with pytest.raises(KeyError):
        machine.source("pull")
    with pytest.raises(ValueError, match="ajar"):
        machine.source("push", "ajar")


def test_a_traceback_shows_the_generated_line() -> None:
    model, _ = door()
    with pytest.raises(ZeroDivisionError) as caught:
        model.kick()
    frames = traceback.extract_tb(caught.value.__traceback__)
    assert [(frame.name, frame.line) for frame in frames][-2:] == [
        ("kick_from_closed", "model.crash()"),
        ("crash", "raise ZeroDivisionError"),
    ]
    linecache.checkcache()
    assert linecache.getline(frames[-2].filename, 2) == "def kick_from_closed(model):\n"


def test_the_code_is_the_same_for_the_same_definition_and_shared() -> None:
    """Two machines of equal source run one code object, seen in the frames of a traceback."""
    codes = []
    for _ in range(2):
        model, _ = door()
        with pytest.raises(ZeroDivisionError) as caught:
            model.kick()
        codes.append(
            [frame.f_code for frame, _ in traceback.walk_tb(caught.value.__traceback__)][-2]
        )
    assert codes[0] is codes[1]
    assert door()[1].source("kick") == door()[1].source("kick")


def test_odd_names_stay_words_and_comments_stay_comments() -> None:
    model: Any = Door()
    machine: Any = CompiledMachine(model, states=["a\nimport os", "ende*"], initial="a\nimport os")
    machine.add_transition(
        "go-on", "a\nimport os", "ende*", rule="one\nraise SystemExit", after="creak"
    )
    assert "    # a import os -> ende* (one raise SystemExit)\n" in machine.source("go-on")
    assert "def go_on_from_a_import_os(model):" in machine.source("go-on")
    assert model.trigger("go-on") and model.state == "ende*" and model.seen == ["creak"]


def test_two_callables_of_one_name_are_told_apart() -> None:
    seen: list[int] = []

    def named(number: int) -> Any:
        def note() -> None:
            seen.append(number)

        return note

    machine: Any = CompiledMachine(
        states=["a"], initial="a", after_state_change=[named(1), named(2)]
    )
    machine.to_a()
    assert seen == [1, 2]
    assert "    note()\n    note_2()\n" in machine.source("to_a", "a")


@pytest.mark.parametrize(
    "name", ["to_a_from_a", "model", "event", "print", "machine", "lambda", "EventData"]
)
def test_a_callable_may_have_any_name(name: str) -> None:
    seen: list[Any] = []

    def note(*args: Any) -> None:
        seen.append(args)

    note.__name__ = name
    machine: Any = CompiledMachine(
        states=["a"], initial="a", after_state_change=note, prepare_event="builtins.print"
    )
    machine.to_a()
    machine.send_event = True
    machine.to_a("given")
    assert [len(args) for args in seen] == [0, 1] and seen[1][0].args == ("given",)


class Color(Enum):
    RED = 1
    GREEN = 2


def test_enum_states_and_other_attributes() -> None:
    model = Door()
    machine: Any = CompiledMachine(model, states=Color, initial=Color.RED, model_attribute="light")
    model.to_light_GREEN()  # type: ignore[attr-defined]
    assert model.light is Color.GREEN  # type: ignore[attr-defined]
    assert "    model.light = value_GREEN\n" in machine.source("to_light_GREEN", Color.RED)


class Loud(CompiledState):
    """A state that works in its own way."""

    def enter(self, event_data: Any) -> None:
        event_data.model.seen.append(f"{event_data.event.name} -> {self.name}")
        super().enter(event_data)


class Forced(CompiledTransition):
    """A transition that works in its own way."""

    def execute(self, event_data: Any) -> bool:
        event_data.model.seen.append("forced")
        return super().execute(event_data)


def test_what_is_overridden_is_called() -> None:
    class Own(CompiledMachine):
        state_cls = Loud
        transition_cls = Forced

    model: Any = Door()
    machine = Own(model, states=["a", "b"], initial="a")
    assert model.to_b()
    assert model.seen == ["forced", "to_b -> b"]
    assert ".execute(event)" in machine.source("to_b", "a")


def test_an_overridden_way_of_calling_is_left_to_the_library() -> None:
    class Own(CompiledMachine):
        def callback(self, func: Any, event_data: Any) -> None:
            event_data.model.seen.append(func)

    model: Any = Door()
    machine = Own(model, states=["a"], initial="a", after_state_change="creak")
    model.to_a()
    assert model.seen == ["creak"]
    assert "Own.callback is overridden" in machine.source("to_a")


def test_a_list_handed_in_is_the_machines_list() -> None:
    """Through whichever machine, state or name it is changed, as with the library; behind its back,
    from then on.
    """
    funcs: list[str] = []
    model, machine = door(after_state_change=funcs, before_state_change=funcs)
    assert model.push() and model.seen == ["creak"]
    machine.after_state_change.append("creak")
    assert funcs == ["creak"]
    machine.set_state("closed")
    assert model.push() and model.seen == ["creak"] * 4
    funcs.append("creak")
    machine.send_event = False
    machine.set_state("closed")
    assert model.push() and model.seen == ["creak"] * 9


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda both: pickle.loads(pickle.dumps(both))])
def test_a_copy_goes_its_own_way(copied: Any) -> None:
    model, machine = door()
    model.push()
    twin, twins_machine = copied((model, machine))
    twins_machine.set_state("closed")
    twins_machine.add_transition("shut", "open", "closed")
    assert (
        twin.push() and twin.shut() and twin.state == "closed" and twin.seen == ["creak", "creak"]
    )
    assert model.state == "open" and not hasattr(model, "shut") and model.seen == ["creak"]


def test_the_library_logs_while_somebody_listens(caplog: pytest.LogCaptureFixture) -> None:
    model, machine = door()
    model.push()
    assert not caplog.messages
    with caplog.at_level(logging.INFO, logger="transitions.core"):
        machine.set_state("closed")
        model.push()
    heard = list(caplog.messages)
    machine.set_state("closed")
    model.push()
    assert heard[0] == "Executed callback 'creak'" and caplog.messages == heard


def test_it_is_a_machine_of_the_library_and_made_by_its_arguments() -> None:
    machine = CompiledMachine(None, states=["a"], initial="a", compiled=False)
    assert isinstance(machine, transitions.Machine)
    assert not machine.compiled
    assert CompiledMachine(None, states=["a"], initial="a").compiled
