"""Logs of machines of the transitions library: which fit, what is said of those that do not, and
what they cover.
"""

from __future__ import annotations

import gzip
import json
import random
import tracemalloc
from collections import Counter
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from transitions import Machine, MachineError

from fsm import conform
from fsm.adapters import model_of
from fsm.adapters.reading import arrows
from fsm.cli import cli
from fsm.conformance import LogConformance
from fsm.conformance.machinelogs import conform_log
from fsm.coverage import Data, collecting, read
from fsm.coverage.datareader import DataReader
from fsm.errors import LogError
from support.foreignmachines import lamp, lights, order, tangled

ROWS: list[Any] = [
    ["push", "shut", "open"],
    ["pull", "open", "shut"],
    {"trigger": "lock", "source": "shut", "dest": "locked", "conditions": "has_key"},
    {
        "trigger": "unlock",
        "source": "locked",
        "dest": "shut",
        "conditions": ["has_key", "is_oiled"],
    },
    {"trigger": "knock", "source": ["shut", "locked"], "dest": None},
]


def door(**settings: Any) -> Any:
    settings = {"auto_transitions": False, "name": "door", **settings}
    states = ["shut", "open", "locked"]
    return Machine(model=None, states=states, initial="shut", transitions=ROWS, **settings)


def events(text: str, **more: object) -> list[dict[str, object]]:
    return [{"event": event, **more} for event in text.split()]


@pytest.fixture
def followed(tmp_path: Path) -> Any:
    """Write these rows (or lines, as bytes) to a log and follow it through a machine."""

    def follow(machine: Any, rows: list[Any], **options: Any) -> LogConformance:
        return conform(machine, written(tmp_path, rows), **options)

    return follow


def written(folder: Path, rows: list[Any]) -> Path:
    path = folder / "log.jsonl"
    lines = [one if isinstance(one, bytes) else json.dumps(one).encode() + b"\n" for one in rows]
    path.write_bytes(b"".join(lines))
    return path


def covered(path: Path, machine: Any) -> Data:
    reader = DataReader()
    assert conform_log(machine, path, write=reader.take_all).ok
    return reader.data


def fired(data: Data) -> Counter[str]:
    walks = [(walk, count) for seen in data.seen.values() for walk, count in seen.walks.items()]
    return Counter(id for walk, count in walks for id, _ in walk.steps * count)


# what fits ----------------------------------------------------------------------------------------


def test_a_run_fits(followed: Any) -> None:
    result = followed(door(), events("push pull lock knock unlock push"))
    assert result.ok and (result.rows, result.machines) == (6, 1)


def test_the_first_event_that_is_not_possible_is_named(followed: Any) -> None:
    result = followed(door(), events("push pull pull push"))
    assert str(result.refusal) == (
        "line 3: seen 'pull' in shut; could have come: push (to open); lock (to locked); knock (to shut)"
    )
    end = Machine(model=None, states=["a", "b"], initial="a", transitions=[["go", "a", "b"]])
    assert "no event is possible there" in str(followed(end, events("go go")).refusal)


def test_did_you_mean(followed: Any) -> None:
    assert "did you mean 'push'?" in followed(door(), events("psuh")).refusal.hint
    assert "did you mean 'open'?" in followed(door(), events("push", state="opne")).refusal.hint
    assert "did you mean 'shut'?" in followed(door(), [{"state": "shot"}]).refusal.hint


def test_a_recorded_state_is_compared(followed: Any) -> None:
    assert followed(door(), events("push", state="open")).ok
    assert "to locked in shut" in str(followed(door(), events("push", state="locked")).refusal)


def test_both_outcomes_of_a_condition_are_followed(followed: Any) -> None:
    assert followed(door(), events("lock push")).ok
    assert followed(door(), events("lock unlock lock unlock knock")).ok
    stays = [*events("lock"), *events("knock", state="locked"), *events("push")]
    assert "'push' in locked;" in str(followed(door(), stays).refusal)


def test_recorded_conditions_decide(followed: Any) -> None:
    locked, failed = (events("lock", conditions={"has_key": value}) for value in (True, False))
    assert not followed(door(), [*locked, *events("push")]).ok
    assert followed(door(), [*failed, *events("push")]).ok


def test_a_condition_has_one_value_within_an_event(followed: Any) -> None:
    rows = [
        {"trigger": "go", "source": "a", "dest": "b", "conditions": "x"},
        {"trigger": "go", "source": "a", "dest": "c", "unless": "x"},
    ]
    machine = Machine(model=None, states=["a", "b", "c"], initial="a", transitions=rows)
    assert not followed(machine, events("go", state="a")).ok
    assert all(followed(machine, events("go", state=to)).ok for to in "bc")


def test_what_the_library_adds_or_ignores(followed: Any) -> None:
    assert followed(door(auto_transitions=True), events("to_locked unlock")).ok
    assert not followed(door(), events("to_locked")).ok
    assert followed(door(ignore_invalid_triggers=True), events("pull unlock push")).ok
    states = [{"name": "on", "ignore_invalid_triggers": True}, "off"]
    rows = [["stop", "on", "off"], ["go", "off", "on"]]
    machine = Machine(model=None, states=states, initial="on", transitions=rows)
    assert followed(machine, events("go stop")).ok and not followed(machine, events("stop stop")).ok


def test_machines_are_told_apart(followed: Any) -> None:
    mixed: list[object] = [{"event": "push", "machine": n} for n in (1, 2, "1")]
    assert followed(door(), mixed).machines == 3
    refusal = followed(door(), [*mixed, *events("push", machine=2)]).refusal
    assert refusal.line == 4 and "in open of machine 2;" in str(refusal)
    assert followed(door(), [*events("push", order=1), *events("push", order=2)], key="order").ok


def test_a_row_without_an_event_says_where_a_machine_is(followed: Any) -> None:
    assert followed(door(), [{"state": "open"}, *events("pull")]).ok
    assert not followed(door(), [{"state": "open"}, *events("push")]).ok
    machine = Machine(model=None, states=["a", "b"], initial=None, transitions=[["go", "a", "b"]])
    assert followed(machine, events("go")).ok and not followed(machine, events("go go")).ok


def test_nested_states(followed: Any) -> None:
    assert followed(order(), events("pay to_shipping print")).ok
    assert followed(lights(), events("next_state", state="AMBER")).ok
    assert followed(model_of(door()), events("push pull")).ok


def test_parallel_states_are_refused(followed: Any) -> None:
    with pytest.raises(LogError, match="parallel states cannot be followed"):
        followed(parallel(), events("begin"))


def parallel() -> Any:
    from transitions.extensions import HierarchicalMachine

    run = {"name": "run", "parallel": [{"name": "x"}, {"name": "y"}]}
    rows = [["begin", "idle", "run"]]
    return HierarchicalMachine(states=["idle", run], initial="idle", transitions=rows)


def test_nothing_of_the_machine_is_called(followed: Any) -> None:
    machine = lamp()  # its callbacks raise
    before = machine.models[0].state
    assert followed(machine, events("press press turn")).rows == 3
    assert machine.models[0].state == before


def test_many_guards_are_followed(followed: Any) -> None:
    rows = [
        {
            "trigger": "go",
            "source": "a",
            "dest": f"s{n}",
            "conditions": [f"x{n}", f"y{n}", "z"],
            "unless": f"x{n + 1}",
        }
        for n in range(60)
    ]
    states = ["a", *(f"s{n}" for n in range(60))]
    machine = Machine(model=None, states=states, initial="a", transitions=rows)
    assert followed(machine, events("go", state="s59")).ok


@pytest.mark.parametrize("seed", range(40))
def test_without_conditions_it_agrees_with_the_library(seed: int, followed: Any) -> None:
    """Random events: a log is refused exactly where the library raises."""
    machine: Any = tangled(seed)
    for arrow in arrows(machine):
        arrow.transition.conditions.clear()
    choose = random.Random(seed)
    names = [name for name in machine.events if not name.startswith("to_")]
    rows: list[dict[str, object]] = [{"state": machine.state}]
    raised = 0
    for number in range(30 if names else 0):
        rows += [{"event": choose.choice(names)}]
        try:
            machine.trigger(rows[-1]["event"])
        except (MachineError, AttributeError):
            raised = number + 2
            break
        rows[-1]["state"] = machine.state
    if all(isinstance(row.get("state", ""), str) for row in rows):
        refusal = followed(machine, rows).refusal
        assert (refusal.line if refusal else 0) == raised


# logs as they are ---------------------------------------------------------------------------------


def test_lines_of_other_kinds(followed: Any) -> None:
    lines = [b"\r\n", b'{"event": "push"}\r\n', b'{"other": 1}\n', b'{"event": null}\n']
    assert followed(door(), [*lines, *events("pull")]).rows == 2
    assert followed(door(), [*events("push pull"), b'{"event": "pu']).rows == 2


@pytest.mark.parametrize(
    ("line", "why"),
    [
        (b"some text\n", "this is not JSON"),
        (b"[" * 100_000, "this is not a JSON object"),
        (b"[1]\n", "this is not a JSON object"),
        (b'{"event": 3}\n', "event must be a word, not 3"),
        (b'{"event": "push", "state": ["a"]}\n', "state must be a word"),
        (b'{"event": "push", "machine": [1]}\n', "machine must be a word or a number"),
        (b'{"event": "push", "conditions": {"has_key": "yes"}}\n', "conditions must be names"),
        (b'{"event": "push", "conditions": ["has_key"]}\n', "conditions must be names"),
    ],
)
def test_lines_that_cannot_be_meant(line: bytes, why: str, followed: Any) -> None:
    if line.endswith(b"\n"):
        with pytest.raises(LogError, match=f"line 2: {why}"):
            followed(door(), [*events("push"), line])


def test_logs_that_are_none(followed: Any, tmp_path: Path) -> None:
    for lines in ([], [b'{"a": 1}\n']):
        with pytest.raises(LogError, match="shows no event"):
            followed(door(), lines)
    for path in (tmp_path, tmp_path / "nowhere"):
        with pytest.raises(LogError, match="cannot be read"):
            conform(door(), path)


def test_compressed_logs(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl.gz"
    packed = gzip.compress(b'{"event": "push"}\n{"event": "push"}\n')
    path.write_bytes(packed)
    refusal = conform(door(), path).refusal
    assert refusal is not None and refusal.line == 2
    path.write_bytes(packed[:-12])
    with pytest.raises(LogError, match="ends too early"):
        conform(door(), path)


def test_memory_does_not_grow_with_the_log(tmp_path: Path) -> None:
    def peak(times: int) -> int:
        path = written(tmp_path, events("push pull", machine=1) * times)
        machine = door()
        tracemalloc.start()
        assert conform(machine, path).ok
        _, most = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        return most

    peak(10)
    assert peak(5000) < peak(100) + 100_000


# coverage -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(25))
@pytest.mark.parametrize("told", [True, False])
def test_a_log_covers_what_the_run_took(seed: int, told: bool, tmp_path: Path) -> None:
    """A random machine is run and recorded. The log counts no firing that did not happen."""
    machine: Any = tangled(seed)
    choose = random.Random(seed)
    values = dict.fromkeys(("is_ready", "a_very_long_condition_name_here", "tired"), True)
    for name in values:
        setattr(machine, name, partial(values.__getitem__, name))
    names = [name for name in machine.events if not name.startswith("to_")]
    rows: list[dict[str, object]] = [{"state": machine.state}]
    with collecting() as session:
        for _ in range(40 if names else 0):
            values |= {name: choose.random() < 0.5 for name in values}
            event = choose.choice(names)
            try:
                machine.trigger(event)
            except (MachineError, AttributeError):
                continue
            known = {"state": machine.state, "conditions": dict(values)} if told else {}
            rows.append({"event": event, **known})
    if len(rows) == 1 or not all(isinstance(row.get("state", ""), str) for row in rows):
        return
    certain, happened = fired(covered(written(tmp_path, rows), machine)), fired(session.data)
    assert certain == happened if told else certain <= happened


def test_only_what_is_certain_counts(tmp_path: Path) -> None:
    data = covered(written(tmp_path, events("lock knock unlock push pull")), door())
    assert fired(data) == {"shut -> open on push": 1, "open -> shut on pull": 1}
    assert data.contexts == ("log.jsonl",)


def test_terms_that_decided_are_covered(tmp_path: Path) -> None:
    rows = [
        *events("lock", state="shut"),
        *events("lock", state="locked"),
        *events("unlock", state="locked"),
        *events("unlock", state="locked", conditions={"has_key": False}),
        *events("unlock", state="shut"),
    ]
    [seen] = covered(written(tmp_path, rows), door()).seen.values()
    locking, unlocking = "shut -> locked on lock [has_key]", "locked -> shut on unlock"
    decided = {(id.partition(" [has_key, ")[0], *rest) for _, _, (id, *rest) in seen.literals}
    assert decided == {
        (locking, "has_key", False),
        (locking, "has_key", True),
        (unlocking, "has_key", False),
        (unlocking, "has_key", True),
        (unlocking, "is_oiled", True),
    }


# the command --------------------------------------------------------------------------------------


@pytest.fixture
def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "logshop.py").write_text(
        "from transitions import Machine\n"
        "door = Machine(model=None, states=['shut', 'open'], initial='shut', name='door',\n"
        "    transitions=[['push', 'shut', 'open'], ['pull', 'open', 'shut']])\n"
    )
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    written(tmp_path, events("push pull push"))
    return tmp_path


def run(*args: str) -> Any:
    return CliRunner().invoke(cli, args, prog_name="fsm")


def test_the_command_says_whether_all_logs_fit(shop: Path) -> None:
    done = run("conform", "--machine", "logshop:door", "log.jsonl")
    assert done.exit_code == 0
    assert done.output == "log.jsonl: 3 rows of 1 machine\nevery row fits the machine\n"
    (shop / "other.jsonl").write_text('{"event": "pull"}\n')
    done = run("conform", "--machine", "logshop:door", "log.jsonl", "other.jsonl")
    assert done.exit_code == 1 and "refused: line 1: seen 'pull' in shut;" in done.output
    done = run("conform", "--machine", "logshop:door", "other.jsonl", "--json")
    found = json.loads(done.output)
    assert (found["log"], found["ok"], found["rows"]) == ("other.jsonl", False, 1)
    assert found["refusal"]["line"] == 1 and found["refusal"]["expected"] == ["push (to open)"]


def test_the_command_writes_coverage_that_reports_read(shop: Path) -> None:
    asked = ("--machine", "logshop:door", "log.jsonl", "--coverage", "data")
    assert "written: " in run("conform", *asked).output
    [path] = (shop / "data").glob("*.fsmcov")
    assert read(path).firings == 3
    assert "2/2" in run("cover", "report", "data").output


@pytest.mark.parametrize(
    ("args", "why"),
    [
        (["--machine", "logshop:dor"], "dor"),
        (["--machine", "logshop:door", "--allow", "skip"], "--allow"),
        (["--machine", "logshop:door", "--ruleset", "magic"], "--ruleset"),
        (["--machine", "logshop:door", "--coverage", "logshop.py"], "logshop.py: "),
        (["--key", "order"], "go with --machine"),
        (["--coverage", "data"], "go with --machine"),
    ],
)
def test_wrong_input_is_one_sentence(args: list[str], why: str, shop: Path) -> None:
    done = run("conform", "log.jsonl", *args)
    assert done.exit_code == 2 and why in done.output and done.output.count("\n") == 1
