"""The log of any `transitions` machine conforms if each event was possible where it came. Nothing of
the machine is called.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result
from transitions import Machine, MachineError
from transitions.extensions import HierarchicalMachine

from fsm import conform
from fsm.adapters import model_of
from fsm.coverage import covered, read
from fsm.errors import LogError
from support.amounts import amount
from support.commandline import command
from support.foreignmachines import lights, order, tangled

Follow = Callable[..., Any]
ROWS: list[Any] = [
    ["push", "shut", "open"],
    {"trigger": "pull", "source": "open", "dest": "shut", "after": "note"},
    {"trigger": "lock", "source": "shut", "dest": "locked", "conditions": "has_key"},
    {"trigger": "unlock", "source": "locked", "dest": "shut", "conditions": ["has_key", "is_oiled"]},
    {"trigger": "knock", "source": ["shut", "locked"], "dest": None},
]  # fmt: skip


def door(**settings: Any) -> Any:
    settings = {"auto_transitions": False, "name": "door", "initial": "shut", **settings}
    return Machine(model=None, states=["shut", "open", "locked"], transitions=ROWS, **settings)


def events(text: str, **more: object) -> list[object]:
    """The rows of events, each with the state after it."""
    pairs = [word.split(":") for word in text.split()]
    return [{"event": event, "state": state, **more} for event, state in pairs]


def written(folder: Path, rows: list[Any]) -> Path:
    path = folder / "log.jsonl"
    lines = [row if isinstance(row, bytes) else json.dumps(row).encode() for row in rows]
    path.write_bytes(b"".join(line + b"\n" for line in lines))
    return path


@pytest.fixture
def follow(tmp_path: Path) -> Follow:
    """Follow these rows (or lines, as bytes) through a machine."""
    return lambda machine, rows, **options: conform(machine, written(tmp_path, rows), **options)


LOGS = json.loads(Path(__file__).with_name("door_logs.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("case", LOGS, ids=lambda case: case["id"])
def test_the_log_of_a_door_is_judged(case: dict[str, Any], follow: Follow) -> None:
    rows = [row.encode() if isinstance(row, str) else row for row in case["log"]]
    if "error" in case:
        with pytest.raises(LogError, match=re.escape(case["error"])):
            follow(door(), rows)
        return
    found = follow(door(), rows)
    assert found.ok is ("refused" not in case)
    assert case.get("refused", "") in str(found.refusal)


@pytest.mark.parametrize(("to", "ok"), [("a", False), ("b", True), ("c", True)])
def test_a_condition_has_one_value_within_an_event(follow: Follow, to: str, ok: bool) -> None:
    rows = [
        {"trigger": "go", "source": "a", "dest": "b", "conditions": "x"},
        {"trigger": "go", "source": "a", "dest": "c", "unless": "x"},
    ]
    machine = Machine(model=None, states=["a", "b", "c"], initial="a", transitions=rows)
    assert follow(machine, events(f"go:{to}")).ok is ok


def test_what_the_library_adds_or_ignores(follow: Follow) -> None:
    assert follow(door(auto_transitions=True), events("to_locked:locked unlock:shut")).ok
    assert not follow(door(), events("to_locked:locked")).ok
    assert not follow(door(auto_transitions=True), events("to_locked:open")).ok
    ignored = events("pull:shut unlock:shut push:open")
    assert follow(door(ignore_invalid_triggers=True), ignored).ok
    assert follow(door(initial=None), events("pull:shut push:open")).ok


def test_another_key_may_tell_machines_apart(follow: Follow) -> None:
    found = follow(
        door(), [*events("push:open", order=1), *events("push:open", order=2)], key="order"
    )
    assert (found.ok, found.machines) == (True, 2)


def test_nested_states_enums_and_models_are_followed(follow: Follow) -> None:
    assert follow(order(), events("pay:paid to_shipping:shipping_packing print:shipping_label")).ok
    assert not follow(order(), events("pay:paid ship:shipping_packing hand:shipping_sent")).ok
    assert follow(lights(), events("next_state:AMBER")).ok
    assert follow(model_of(door()), events("push:open pull:shut")).ok


def test_parallel_states_are_refused(follow: Follow) -> None:
    run = {"name": "run", "parallel": ["x", "y"]}
    machine = HierarchicalMachine(
        states=["idle", run], initial="idle", transitions=[["begin", "idle", "run"]]
    )
    with pytest.raises(LogError, match="parallel states cannot be followed"):
        follow(machine, events("begin:run"))


@pytest.mark.parametrize("seed", range(amount(8, 60)))
def test_without_conditions_a_log_is_refused_where_the_library_raises(
    seed: int, follow: Follow
) -> None:
    machine = tangled(seed)
    for event in machine.events.values():
        for row in (row for rows in event.transitions.values() for row in rows):
            row.conditions.clear()
    choose = random.Random(seed)
    rows: list[Any] = [{"state": machine.state}]
    raised = 0
    while len(rows) < 20 and not raised:
        rows.append({"event": choose.choice(["go", "stop", "x"])})
        try:
            machine.trigger(rows[-1]["event"])
        except (MachineError, AttributeError):
            raised = len(rows)
        rows[-1]["state"] = machine.state
    refusal = follow(machine, rows).refusal
    assert (refusal.line if refusal else 0) == raised


# logs that are none -------------------------------------------------------------------------------


def test_a_hostile_line_or_no_file_is_an_error(follow: Follow, tmp_path: Path) -> None:
    with pytest.raises(LogError, match="line 1: this is not JSON"):
        follow(door(), [b"[" * 100_000])
    with pytest.raises(LogError, match="cannot be read"):
        conform(door(), tmp_path / "nowhere")


def test_a_torn_last_line_is_left_out(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    path.write_bytes(b'{"event": "push", "state": "open"}\n{"event": "pu')
    assert conform(door(), path).rows == 1


# the command --------------------------------------------------------------------------------------

DOOR = door()


def run(folder: Path, rows: list[Any], *options: str) -> Result:
    return command(f"conform --ruleset {__name__}:DOOR", written(folder, rows), *options)


def test_the_command_says_whether_a_log_conforms(tmp_path: Path) -> None:
    done = run(tmp_path, events("push:open pull:shut"))
    assert (done.exit_code, done.output.splitlines()[-1]) == (
        0,
        "every change is a run of the model",
    )
    done = run(tmp_path, events("pull:shut"), "--json")
    found = json.loads(done.output)
    assert (done.exit_code, found["ok"], found["refusal"]["line"]) == (1, False, 1)


def test_only_what_certainly_happened_is_covered(tmp_path: Path) -> None:
    """Where the door was found locked it was put, and what is ignored takes nothing."""
    rows = [{"state": "locked"}, *events("unlock:locked knock:locked"), {"state": "shut"}]
    run(tmp_path, [*rows, *events("push:open pull:shut")], "--coverage", str(tmp_path))
    [path] = tmp_path.glob("*.fsmcov")
    taken = covered(model_of(DOOR), "transitions", read(path)).taken
    assert {id: count for (_, id), count in taken.items()} == {
        "shut -> open on push": 1,
        "open -> shut on pull": 1,
        "locked -> (stays) on knock": 1,
    }
