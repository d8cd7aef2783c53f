"""Logs of machines of the transitions library: which are runs, and what is said of those that are
none.
"""

from __future__ import annotations

import asyncio
import gzip
import io
import json
import random
import signal
import sys
import textwrap
import tracemalloc
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
from transitions import Machine, MachineError
from transitions.extensions import HierarchicalMachine
from transitions.extensions.asyncio import AsyncMachine
from transitions.extensions.nesting import NestedState

import fsm
from fsm.adapters import model_of
from fsm.conformance import LogConformance, LogKeys, conform, log
from fsm.errors import LogError
from support.foreignmachines import FLAT, NESTED, lamp, lights, order, tangled
from support.processes import started

Lines = Iterable[object]


@pytest.fixture
def said(tmp_path: Path) -> Any:
    """Write these records (or lines, as bytes) to a log and follow it through a machine."""

    def followed(machine: Any, lines: Lines, **options: Any) -> LogConformance:
        path = tmp_path / "log.jsonl"
        path.write_bytes(
            b"".join(
                one if isinstance(one, bytes) else json.dumps(one).encode() + b"\n" for one in lines
            )
        )
        return conform(machine, path, **options)

    return followed


def events(text: str) -> list[dict[str, object]]:
    return [{"event": event} for event in text.split()]


def door(**settings: Any) -> Any:
    rows = [
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
    settings = {"auto_transitions": False, "name": "door", **settings}
    return Machine(
        model=None, states=["shut", "open", "locked"], initial="shut", transitions=rows, **settings
    )


# what is a run ------------------------------------------------------------------------------------


def test_a_run_is_a_run(said: Any) -> None:
    result = said(door(), events("push pull lock knock unlock push"))
    assert result.ok and result.refusal is None
    assert (result.records, result.machines, result.read) == (6, 1, 6)


def test_the_first_event_that_is_none_is_named(said: Any) -> None:
    result = said(door(), events("push pull pull push"))
    assert not result.ok and result.refusal.line == 3
    assert "'pull' in shut" in str(result.refusal)
    assert result.refusal.expected == ["push (to open)", "lock (to locked)", "knock (to shut)"]
    assert "push unseen before it" in result.refusal.hint


def test_did_you_mean(said: Any) -> None:
    assert "did you mean 'push'?" in said(door(), events("psuh")).refusal.hint
    assert "did you mean 'open'?" in said(door(), [{"event": "push", "state": "opne"}]).refusal.hint
    assert "did you mean 'shut'?" in said(door(), [{"event": "push", "from": "shot"}]).refusal.hint


def test_a_recorded_state_is_compared(said: Any) -> None:
    assert said(door(), [{"event": "push", "from": "shut", "state": "open"}]).ok
    assert not said(door(), [{"event": "push", "state": "locked"}]).ok
    assert not said(door(), [*events("push"), {"event": "lock", "from": "shut"}]).ok
    assert said(door(), [*events("push"), {"state": "open"}]).ok
    assert "though it was in open" in str(
        said(door(), [*events("push"), {"state": "shut"}]).refusal
    )


def test_both_outcomes_of_a_condition_are_followed(said: Any) -> None:
    assert said(door(), events("lock push")).ok
    assert said(door(), events("lock unlock lock unlock knock")).ok
    assert not said(
        door(), [*events("lock"), {"event": "knock", "state": "locked"}, *events("push")]
    ).ok


def test_recorded_conditions_decide(said: Any) -> None:
    locked = {"event": "lock", "conditions": {"has_key": True}}
    assert not said(door(), [locked, *events("push")]).ok
    assert said(door(), [{"event": "lock", "conditions": {"has_key": False}}, *events("push")]).ok
    assert not said(
        door(), [locked, {"event": "unlock", "conditions": {"is_oiled": False}}, *events("push")]
    ).ok


def test_a_condition_has_one_value_within_an_event(said: Any) -> None:
    rows = [
        {"trigger": "go", "source": "a", "dest": "b", "conditions": "x"},
        {"trigger": "go", "source": "a", "dest": "c", "unless": "x"},
    ]
    machine = Machine(model=None, states=["a", "b", "c"], initial="a", transitions=rows)
    assert not said(machine, [{"event": "go", "state": "a"}]).ok
    assert all(said(machine, [{"event": "go", "state": to}]).ok for to in "bc")


def test_whether_it_fired(said: Any) -> None:
    assert not said(door(), [{"event": "lock", "fired": True}, *events("push")]).ok
    assert said(door(), [{"event": "lock", "fired": False}, *events("push")]).ok
    assert said(door(), [{"event": "pull", "fired": False}, *events("push")]).ok
    assert not said(door(), [{"event": "push", "fired": False}]).ok


def test_ignored_events(said: Any) -> None:
    assert not said(door(), events("pull")).ok
    assert said(door(ignore_invalid_triggers=True), events("pull unlock push")).ok
    states = [{"name": "on", "ignore_invalid_triggers": True}, "off"]
    machine = Machine(
        model=None,
        states=states,
        initial="on",
        transitions=[["stop", "on", "off"], ["go", "off", "on"]],
    )
    assert said(machine, events("go stop")).ok and not said(machine, events("stop stop")).ok


def test_automatic_transitions_and_queues(said: Any) -> None:
    assert said(door(auto_transitions=True, queued=True), events("to_locked unlock")).ok
    assert not said(door(), events("to_locked")).ok
    assert said(order(), events("pay to_shipping print")).ok


def test_objects_are_told_apart(said: Any) -> None:
    mixed = [{"event": "push", "machine": n} for n in (1, 2, "1")]
    assert said(door(), mixed).machines == 3
    refused = said(door(), [*mixed, {"event": "push", "machine": 2}]).refusal
    assert refused.line == 4 and "of machine 2" in str(refused)


def test_where_runs_start(said: Any) -> None:
    assert said(door(), [{"event": "pull", "from": "open"}]).ok
    assert said(
        door(),
        [{"start": True, "state": "open"}, *events("pull"), {"start": True}, *events("push")],
    ).ok
    assert "'any'" in said(door(), events("pull")).refusal.hint
    assert (
        said(door(), events("pull"), starts=["any"]).ok
        and said(door(), events("pull"), starts=["open"]).ok
    )
    assert not said(door(), [{"event": "pull", "from": "open"}], starts=["shut", "locked"]).ok
    with pytest.raises(LogError, match="did you mean 'open'"):
        said(door(), events("pull"), starts=["opne"])


def test_a_machine_without_an_initial_state(said: Any) -> None:
    machine = Machine(model=None, states=["a", "b"], initial=None, transitions=[["go", "a", "b"]])
    assert said(machine, events("go")).ok and not said(machine, events("go go")).ok


def test_several_refusals(said: Any) -> None:
    lines = [{"event": "pull", "machine": n, "state": "shut"} for n in range(5)] + [
        {"event": "push", "machine": 1}
    ]
    assert [r.line for r in said(door(), lines, refusals=3).refusals] == [1, 2, 3]
    assert said(door(), lines, refusals=0).refused == 5


# what happened unseen -----------------------------------------------------------------------------


def test_unseen_events_explain_jumps(said: Any) -> None:
    result = said(
        door(), [*events("push"), {"event": "unlock", "state": "shut"}], only=["push", "unlock"]
    )
    assert result.ok and result.unseen == 1
    assert result.jumps[0].ways == (("pull", "lock"),)
    assert "after pull then lock" in str(result.jumps[0])
    assert not said(door(), [*events("push unlock")], unseen=["pull"]).ok
    assert said(door(), [*events("push unlock")], unseen=["*"]).ok


def test_all_shortest_ways_are_named(said: Any) -> None:
    rows = [["x", "a", "b"], ["y", "a", "b"], ["z", "a", "c"], ["x", "c", "b"], ["end", "b", "a"]]
    machine = Machine(model=None, states=["a", "b", "c"], initial="a", transitions=rows)
    result = said(machine, events("end end"), only=["end"])
    assert result.jumps[0].ways == (("x",), ("y",)) and result.jumps[0].times == 2 == result.unseen


def test_unknown_events_cannot_be_unseen(said: Any) -> None:
    with pytest.raises(LogError, match="did you mean 'push'"):
        said(door(), events("push"), only=["psuh"])


# classes of machines ------------------------------------------------------------------------------


@pytest.mark.parametrize("cls", FLAT)
def test_every_flat_class(cls: Any, said: Any) -> None:
    machine = lamp(cls)
    assert said(machine, [*events("press turn press drop")]).ok
    assert said(machine, events("drop press")).ok  # the condition may have failed
    assert not said(machine, [{"event": "drop", "state": "broken"}, *events("press")]).ok


@pytest.mark.parametrize("cls", NESTED)
def test_every_nested_class(cls: Any, said: Any) -> None:
    machine = order(cls)
    assert said(machine, events("pay ship print hand arrive")).ok
    assert said(
        machine,
        [
            *events("pay ship"),
            {"event": "print", "state": "shipping_label"},
            *events("recall ship"),
        ],
    ).ok
    assert said(
        machine, [*events("pay ship print"), {"state": "shipping"}]
    ).ok  # a log may name the outer state
    assert said(machine, [*events("pay ship hand")]).refusal.line == 3


def parallel(**more: Any) -> Any:
    region = {"initial": "off", "children": ["off", "on"]}
    rows = [["go", "off", "on"], ["stop", "on", "off"]]
    lazy = [
        {"trigger": "go", "source": "off", "dest": "on", "conditions": "ready"},
        ["halt", "on", "off"],
    ]
    states = ["idle", {"name": "run", "parallel": [
        {"name": "x", **region, "transitions": rows}, {"name": "y", **region, "transitions": lazy}]}]  # fmt: skip
    return HierarchicalMachine(
        states=states,
        initial="idle",
        transitions=[["begin", "idle", "run"], ["end", "run", "idle"]],
        **more,
    )


def test_parallel_states(said: Any) -> None:
    both = [*events("begin"), {"event": "go", "state": ["run_x_on", "run_y_on"]}]
    assert said(parallel(), [*both, *events("stop halt end begin")]).ok
    assert not said(parallel(), [*both, *events("halt halt")]).ok
    assert said(parallel(), [*events("begin go stop go stop")]).ok
    one = said(parallel(), [*events("begin"), {"event": "go", "state": ["run_x_off", "run_y_on"]}])
    assert "run_x_off and run_y_off" in str(one.refusal)


def test_states_of_an_enum(said: Any) -> None:
    machine = lights()
    named = [{"event": "next_state", "state": name} for name in ("AMBER", "Light.GREEN", "1")]
    assert said(machine, named).ok


def test_a_separator_of_ones_own(said: Any) -> None:
    class Dotted(NestedState):
        separator = "."

    class Own(HierarchicalMachine):
        state_cls = Dotted

    states = [
        "a",
        {"name": "b", "initial": "c", "children": ["c", "d"], "transitions": [["in", "c", "d"]]},
    ]
    machine = Own(
        model=None, states=states, initial="a", transitions=[["go", "a", "b"], ["out", "b.d", "a"]]
    )
    assert said(machine, [*events("go"), {"event": "in", "state": "b.d"}, *events("out")]).ok


def test_models(said: Any) -> None:
    assert said(model_of(door()), events("push pull")).ok
    assert not said(model_of(door()), events("pull")).ok
    assert not said("magic", events("nonsense")).ok
    with pytest.raises(LogError, match="parallel"):
        said(model_of(parallel()), events("begin"))


def test_nothing_of_the_machine_is_called(said: Any) -> None:
    machine = lamp()  # its callbacks raise
    before = machine.models[0].state
    assert said(machine, events("press press turn")).records == 3
    assert machine.models[0].state == before


def test_many_guards_are_followed(said: Any) -> None:
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
    machine = Machine(
        model=None, states=["a", *(f"s{n}" for n in range(60))], initial="a", transitions=rows
    )
    assert said(machine, [{"event": "go", "state": "s59"}]).ok


@pytest.mark.parametrize("seed", range(40))
def test_without_conditions_it_agrees_with_the_library(seed: int, said: Any) -> None:
    """Random events: a log is refused exactly where the library raises."""
    machine: Any = tangled(seed)
    for _, transition in _transitions(machine):
        transition.conditions.clear()
    choose = random.Random(seed)
    names = [name for name in machine.events if not name.startswith("to_")]
    tried, raised = [], 0
    for number in range(30 if names else 0):
        tried.append({"event": choose.choice(names)})
        try:
            machine.trigger(tried[-1]["event"])
        except (MachineError, AttributeError):
            raised = number + 1
            break
        tried[-1]["state"] = machine.state
    if tried:
        refusal = said(machine, [{"start": True}, *tried]).refusal
        assert (refusal.line - 1 if refusal else 0) == raised


def _transitions(machine: Any) -> Iterable[tuple[str, Any]]:
    from fsm.adapters.reading import arrows

    return [(arrow.event, arrow.transition) for arrow in arrows(machine)]


# logs as they are ---------------------------------------------------------------------------------


def test_other_keys(said: Any) -> None:
    lines = [
        {"event": "request finished", "level": "info"},
        {
            "event": "moved",
            "trigger": "push",
            "order": {"id": 7, "state": "open"},
            "logger": "doors",
        },
        {"event": "moved", "trigger": "nothing of ours", "order": {"id": 7}, "logger": "windows"},
        {"event": "moved", "trigger": "pull", "order.id": 7, "logger": "doors"},
    ]
    keys = LogKeys(
        event="trigger", machine="order.id", state="order.state", where=(("logger", "doors"),)
    )
    result = said(door(), lines, keys=keys)
    assert result.ok and (result.records, result.machines, result.other_lines) == (2, 1, 2)


def test_lines_of_every_kind(said: Any) -> None:
    lines = [
        b"\xef\xbb\xbf",
        b'{"event": "push"}\r\n',
        b"\r\n",
        b"some text\n",
        b"[1]\n",
        b'{"other": 1}\n',
    ]
    result = said(door(), [*lines, b'{"event": "pull"}'])
    assert result.ok and (
        result.records,
        result.read,
        result.skipped_lines,
        result.other_lines,
    ) == (2, 6, 0, 3)
    assert result.problem == "line 3: it is no JSON object"


def test_a_torn_last_line(said: Any) -> None:
    result = said(door(), [*events("push pull"), b'{"event": "pu'])
    assert (
        result.ok and result.skipped_lines == 1 and result.problem.startswith("line 3: it is torn")
    )


def test_a_damaged_line_may_hide_a_record(said: Any) -> None:
    assert said(door(), [*events("push"), b'{"event": "pu\n', *events("push")]).ok
    assert not said(door(), [*events("push"), b"no record\n", *events("push")]).ok
    refusal = said(
        door(), [*events("push"), b"{\n", {"event": "pull", "from": "open", "state": "locked"}]
    ).refusal
    assert "damaged lines before it: 1" in refusal.hint


@pytest.mark.parametrize(
    ("record", "why"),
    [
        ({"event": 3}, "event must be a word"),
        ({"event": "push", "state": {"a": 1}}, "state must be a word"),
        ({"event": "push", "machine": [1]}, "machine must be"),
        ({"event": "push", "conditions": {"has_key": "yes"}}, "conditions must be"),
        ({"event": "push", "conditions": ["has_key"]}, "conditions must be"),
        ({"event": "push", "fired": "yes"}, "true or false"),
    ],
)
def test_records_that_cannot_be_meant(record: dict[str, Any], why: str, said: Any) -> None:
    assert why in said(door(), [*events("push"), record]).problem
    with pytest.raises(LogError, match=f"line 1.*{why}"):
        said(door(), [record])


def test_logs_that_are_none(said: Any, tmp_path: Path) -> None:
    for lines in (
        [],
        [b"hello\n"],
        [b'{"a": 1}\n'],
        [b"\x00\xff" * 100],
        [b"[" * 100_000],
        [b'{"a":' * 100_000],
    ):
        with pytest.raises(LogError, match="shows no event"):
            said(door(), lines)
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
    path = tmp_path / "log.jsonl"

    def peak(times: int) -> int:
        path.write_text(
            '{"event": "push", "machine": 1}\n{"event": "pull", "machine": 1}\n' * times
        )
        machine = door()
        tracemalloc.start()
        assert conform(machine, path).ok
        _, most = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        return most

    peak(10)
    assert peak(5000) < peak(100) + 100_000


# the recorder -------------------------------------------------------------------------------------


class Chain:
    """Entering b goes on to c, entering c stops there."""

    def on_enter_b(self, *args: Any) -> None:
        self.trigger("next")  # type: ignore[attr-defined]

    def broken(self, *args: Any) -> None:
        raise ValueError("no")


@pytest.mark.parametrize("send_event", [False, True])
@pytest.mark.parametrize("queued", [False, True])
@pytest.mark.parametrize("cls", [Machine, fsm.engine.Machine, HierarchicalMachine])
def test_what_is_recorded_is_a_run(
    cls: Any, queued: bool, send_event: bool, tmp_path: Path
) -> None:
    subject: Any = Chain()
    rows = [["go", "a", "b"], ["next", "b", "c"], ["back", "c", "a"], ["look", "*", None]]
    machine = cls(
        subject,
        states=["a", "b", "c"],
        initial="a",
        transitions=rows,
        queued=queued,
        send_event=send_event,
    )
    machine.add_transition("fail", "a", "b", before="broken")
    path = tmp_path / "log.jsonl"
    with log(machine, path):
        for event in ("go", "back", "look"):
            subject.trigger(event)
        with pytest.raises(ValueError):
            subject.trigger("fail")
        with pytest.raises(MachineError):
            subject.trigger("back")
        machine.set_state("c")
        subject.trigger("back")
    subject.trigger("go")  # not recorded any more
    records = [json.loads(line) for line in path.read_text().splitlines()]
    taken = [(r["from"], r["event"], r["state"]) for r in records if r.get("fired")]
    assert taken[:3] == [("a", "go", "b"), ("b", "next", "c"), ("c", "back", "a")]
    assert {"failed": "fail", "error": "ValueError"}.items() <= records[5].items()
    result = conform(machine, path)
    assert result.ok, result.refusal
    assert result.machines == 1


def test_an_asynchronous_machine_is_recorded(tmp_path: Path) -> None:
    async def run() -> Any:
        machine = AsyncMachine(
            states=["a", "b"], initial="a", transitions=[["go", "a", "b"], ["back", "b", "a"]]
        )
        with log(machine, tmp_path / "log.jsonl"):
            await machine.go()
            await machine.back()
        return machine

    result = conform(asyncio.run(run()), tmp_path / "log.jsonl", starts=["a"])
    assert result.ok and result.records == 3


def test_tasks_side_by_side_are_told_apart(tmp_path: Path) -> None:
    """An event changes the state while a later one waits for its condition."""
    path = tmp_path / "log.jsonl"

    async def run() -> Any:
        release, waiting = asyncio.Event(), asyncio.Event()

        class Slow:
            async def until_released(self) -> None:
                await release.wait()

            async def for_ever(self) -> None:
                waiting.set()
                await asyncio.Event().wait()

        one: Any = Slow()
        go = {"trigger": "go", "source": "a", "dest": "b", "before": "until_released"}
        look = {"trigger": "look", "source": "a", "dest": None, "conditions": "for_ever"}
        machine = AsyncMachine(one, states=["a", "b"], initial="a", transitions=[go, look])
        with log(machine, path):
            going = asyncio.create_task(one.go())
            await asyncio.sleep(0)
            looking = asyncio.create_task(one.look())
            await waiting.wait()
            release.set()
            await going
            looking.cancel()
            await asyncio.gather(looking, return_exceptions=True)
        return machine

    machine = asyncio.run(run())
    records = [json.loads(line) for line in path.read_text().splitlines()]
    assert [(r["from"], r["event"], r["state"]) for r in records if "event" in r] == [
        ("a", "go", "b")
    ]
    assert conform(machine, path).ok


def test_parallel_states_are_recorded(tmp_path: Path) -> None:
    machine: Any = parallel()
    machine.ready = lambda: True
    text = io.StringIO()
    with log(machine, text, name=lambda one: "it"):
        for event in ("begin", "go", "stop", "go", "end"):
            machine.trigger(event)
    (tmp_path / "log").write_text(text.getvalue())
    assert '"machine": "it"' in text.getvalue()
    result = conform(machine, tmp_path / "log")
    assert result.ok, result.refusal


def test_a_recorder_never_stops_the_program(tmp_path: Path) -> None:
    machine: Any = door()
    subject = Chain()
    machine.add_model(subject)
    file = io.StringIO()
    with log(machine, file) as recorder:
        file.close()
        assert subject.push()  # type: ignore[attr-defined]
    assert "cannot be written" in recorder.failed
    with pytest.raises(LogError, match="cannot be written"):
        log(machine, tmp_path)


def test_a_killed_process_leaves_its_log(tmp_path: Path) -> None:
    program = """
        import sys
        from transitions import Machine
        from fsm.conformance import log
        rows = [["push", "shut", "open"], ["pull", "open", "shut"]]
        machine = Machine(states=["shut", "open"], initial="shut", transitions=rows)
        log(machine, sys.argv[1])
        print("ready", flush=True)
        while True:
            machine.push(), machine.pull()
    """
    path = tmp_path / "log.jsonl"
    with started([sys.executable, "-c", textwrap.dedent(program), path]) as child:
        assert child.line() == "ready"
        while path.stat().st_size < 2000:
            child.pause()
        assert child.end(signal.SIGKILL) == -signal.SIGKILL
    with open(path, "ab") as file:
        file.write(b'{"event": "pus')  # as a full disk or a slow one may leave it
    result = conform(door(), path)
    assert (
        result.ok
        and result.records > 10
        and result.problem.endswith(")")
        and "torn" in result.problem
    )
