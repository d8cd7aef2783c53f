"""Coverage data of logs: the firings that a log determines, and no others."""

from __future__ import annotations

import json
import random
from collections import Counter
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from transitions import Machine
from transitions.extensions import HierarchicalMachine

from fsm.adapters import model_of
from fsm.cli import cli
from fsm.coverage import Data, collecting, covered, read
from fsm.coverage.datareader import DataReader
from fsm.coverage.logs import LogCoverage, cover_logs, data_of_logs
from fsm.coverage.logs.covering import PENDING
from fsm.coverage.logs.recorder import log
from support.foreignmachines import tangled

ROWS: list[Any] = [
    ["push", "shut", "open"],
    ["pull", "open", "shut"],
    {"trigger": "lock", "source": "shut", "dest": "locked", "conditions": "has_key"},
    {"trigger": "lock", "source": "shut", "dest": "stuck", "conditions": "is_rusty"},
    ["unlock", "locked", "shut"],
    {"trigger": "kick", "source": ["locked", "stuck"], "dest": "shut"},
]
STATES = ["shut", "open", "locked", "stuck"]


def door(cls: Any = Machine, **settings: Any) -> Any:
    settings = {"auto_transitions": False, "name": "door", **settings}
    return cls(model=None, states=STATES, initial="shut", transitions=ROWS, **settings)


def covering(
    tmp_path: Path, lines: list[dict[str, Any]], machine: Any = None, **options: Any
) -> tuple[Data, LogCoverage]:
    path = tmp_path / "log.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return data_in(path, machine or door(), **options)


def data_in(path: Path, machine: Any, **options: Any) -> tuple[Data, LogCoverage]:
    reader = DataReader()
    found = cover_logs(machine, [path], reader.take_all, **options)
    return reader.data, found


def fired(data: Data) -> Counter[str]:
    walks = [(walk, count) for seen in data.seen.values() for walk, count in seen.walks.items()]
    return Counter(id for walk, count in walks for id, _ in walk.steps * count)


def events(text: str, **more: Any) -> list[dict[str, Any]]:
    return [{"event": event, **more} for event in text.split()]


def test_firings_of_a_log_are_covered(tmp_path: Path) -> None:
    data, found = covering(tmp_path, events("push pull push pull"))
    assert (found.firings, found.certain, found.ambiguous) == (4, 4, 0)
    model = model_of(door())
    assert set(fired(data)) == {t.id for t in covered(model, "transitions", data).covered}
    assert fired(data) == {"shut -> open on push": 2, "open -> shut on pull": 2}
    assert len(covered(model, "pairs", data).covered) == 2
    assert data.contexts == ("log.jsonl",)


def test_only_what_is_certain_counts(tmp_path: Path) -> None:
    data, found = covering(tmp_path, [*events("lock kick"), *events("lock lock push")])
    assert fired(data) == {
        "shut -> open on push": 1
    }  # locked or stuck: nobody knows; then the conditions failed
    assert found.ambiguous == 2 and found.certain == 3


def test_later_records_settle_earlier_ones(tmp_path: Path) -> None:
    data, found = covering(tmp_path, events("lock unlock push"))
    assert found.ambiguous == 0
    assert list(fired(data)) == [
        "shut -> locked on lock [has_key]",
        "locked -> shut on unlock",
        "shut -> open on push",
    ]
    assert len(covered(model_of(door()), "pairs", data).covered) == 2


def test_the_end_of_a_log_settles_what_is_left(tmp_path: Path) -> None:
    _, found = covering(tmp_path, [*events("lock"), *events("kick", state="shut")])
    assert (found.certain, found.ambiguous) == (0, 2)
    _, found = covering(tmp_path, [*events("push pull"), *events("lock", state="stuck")])
    assert (found.certain, found.ambiguous) == (3, 0)


def test_conditions_that_certainly_decided(tmp_path: Path) -> None:
    data, _ = covering(tmp_path, [{"event": "lock", "state": "stuck"}])
    literals = {
        (term, held) for seen in data.seen.values() for _, _, (_, term, held) in seen.literals
    }
    assert literals == {("is_rusty", True), ("has_key", False)}


def test_events_that_were_tried_in_vain(tmp_path: Path) -> None:
    data, _ = covering(tmp_path, [{"event": "pull", "fired": False}])
    assert [key[2] for seen in data.seen.values() for key in seen.refused] == [("shut", "pull")]
    assert [t.id for t in covered(model_of(door()), "refusals", data).covered] == ["pull in shut"]


def test_a_walk_is_broken_where_something_may_be_missing(tmp_path: Path) -> None:
    data, _ = covering(tmp_path, events("push push"), only=["push"])
    assert fired(data) == {"shut -> open on push": 2}
    assert not covered(model_of(door()), "pairs", data).covered
    jumped, found = covering(
        tmp_path, [*events("push pull"), *events("unlock", **{"from": "locked"}), *events("push")]
    )
    assert not found.results[0].ok and found.results[0].refusal.line == 3  # type: ignore[union-attr]
    assert fired(jumped) == {"shut -> open on push": 1, "open -> shut on pull": 1}


def test_automatic_transitions_break_a_walk(tmp_path: Path) -> None:
    data, found = covering(tmp_path, events("push to_shut push"), door(auto_transitions=True))
    assert found.firings == 2 and fired(data) == {"shut -> open on push": 2}
    assert not covered(model_of(door()), "pairs", data).covered


def test_logs_that_continue_one_another(tmp_path: Path) -> None:
    paths = [tmp_path / "1.jsonl", tmp_path / "2.jsonl"]
    paths[0].write_text('{"event": "push"}\n')
    paths[1].write_text('{"event": "pull"}\n')
    assert fired(data_of_logs(door(), *paths)) == {"shut -> open on push": 1}
    assert sum(fired(data_of_logs(door(), *paths, continued=True)).values()) == 2


def test_a_model_is_covered_under_its_own_name(tmp_path: Path) -> None:
    model = model_of(door())
    data, _ = covering(tmp_path, events("push"), model)
    assert len(covered(model, "transitions", data).covered) == 1


@pytest.mark.parametrize("seed", range(25))
@pytest.mark.parametrize("told", [True, False])
def test_no_more_than_what_was_collected(seed: int, told: bool, tmp_path: Path) -> None:
    """A random machine is run and recorded. The log determines no firing that did not happen."""
    machine: Any = tangled(seed)
    choose = random.Random(seed)
    values = dict.fromkeys(("is_ready", "a_very_long_condition_name_here", "tired"), True)
    for name in values:
        setattr(machine, name, partial(values.__getitem__, name))
    names = [name for name in machine.events if not name.startswith("to_")]
    path = tmp_path / "log.jsonl"
    with collecting() as session, log(machine, path):
        for _ in range(40 if names else 0):
            values |= {name: choose.random() < 0.5 for name in values}
            try:
                machine.trigger(choose.choice(names))
            except Exception as error:
                assert "Can't trigger" in str(error) or "Do not know" in str(error)
    if not path.stat().st_size:
        return
    if not told:
        kept = [
            {**json.loads(line), "state": None, "from": None}
            for line in path.read_text().splitlines()
        ]
        path.write_text("".join(json.dumps(line) + "\n" for line in kept if "event" in line))
        if not any("event" in line for line in kept):
            return
    data, found = data_in(path, machine)
    assert found.results[0].ok, found.results[0].refusal
    happened, certain = fired(session.data), fired(data)
    assert certain <= happened
    if told and not found.ambiguous:
        assert certain == happened


def test_nested_and_parallel_firings_are_those_that_are_collected(tmp_path: Path) -> None:
    region = {"initial": "off", "children": ["off", "on"]}
    rows = [["go", "off", "on"], ["stop", "on", "off"]]
    parts = [{"name": name, **region, "transitions": rows} for name in "xy"]
    machine: Any = HierarchicalMachine(
        states=["idle", {"name": "run", "parallel": parts}],
        initial="idle",
        transitions=[["begin", "idle", "run"], ["end", "run", "idle"]],
    )
    with collecting() as session, log(machine, tmp_path / "log.jsonl"):
        for event in ("begin", "go", "stop", "go", "end", "begin"):
            machine.trigger(event)
    assert fired(data_of_logs(machine, tmp_path / "log.jsonl")) == fired(session.data)


def test_much_is_written_in_parts(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    path.write_text('{"event": "push"}\n{"event": "pull"}\n' * (PENDING * 3 // 4))
    writes: list[int] = []
    found = cover_logs(door(), [path], lambda entries: writes.append(len(entries)))
    assert found.firings == PENDING * 3 // 2 and len(writes) == 2


# the command --------------------------------------------------------------------------------------


@pytest.fixture
def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "logshop.py").write_text(
        "from transitions import Machine\n"
        f"door = Machine(model=None, states={STATES}, initial='shut', name='door', transitions={ROWS})\n"
    )
    (tmp_path / "log.jsonl").write_text('{"do": "push"}\n{"do": "pull"}\ntext\n')
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    return tmp_path


def run(*args: str) -> Any:
    return CliRunner().invoke(cli, args)


def test_the_command_writes_what_reports_read(shop: Path) -> None:
    done = run(
        "cover",
        "from-log",
        "--machine",
        "logshop:door",
        "log.jsonl",
        "--event-key",
        "do",
        "-o",
        "x.fsmcov",
    )
    assert done.exit_code == 0, done.output
    assert "2 records are certain, 0 are not" in done.output and "line 3" in done.output
    assert read("x.fsmcov").firings == 2
    assert "2/7" in run("cover", "report", "x.fsmcov").output.replace(" ", "")
    assert run("cover", "combine", "x.fsmcov", "-o", "all.fsmcov").exit_code == 0
    assert run("cover", "diff", "x.fsmcov", "all.fsmcov").exit_code == 0
    done = run("cover", "from-log", "--machine", "logshop:door", "log.jsonl", "--key", "event=do")
    assert done.exit_code == 0 and len(list((shop / ".fsm-coverage").glob("*.fsmcov"))) == 1


def test_conform_ends_with_the_verdict(shop: Path) -> None:
    wanted = ["conform", "--machine", "logshop:door", "log.jsonl", "--event-key", "do"]
    done = run(*wanted)
    assert done.exit_code == 0 and "every record is part of a run of door" in done.output
    (shop / "log.jsonl").write_text('{"do": "push"}\n{"do": "push"}\n')
    done = run(*wanted)
    assert done.exit_code == 1 and "line 2: seen 'push' in open" in done.output
    data = json.loads(run(*wanted, "--json").output)
    assert (
        data["ok"] is False
        and data["refusals"][0]["line"] == 2
        and "line 2" in data["refusals"][0]["says"]
    )
    done = run(*wanted, "--only", "push")
    assert done.exit_code == 0 and "after pull" in done.output


@pytest.mark.parametrize(
    ("args", "why"),
    [
        (["--machine", "logshop:dor"], "dor"),
        (["--machine", "logshop:door"], "shows no event"),
        (
            ["--machine", "logshop:door", "--only", "psuh", "--event-key", "do"],
            "did you mean 'push'",
        ),
        (["--machine", "logshop:door", "--key", "evnt=do"], "did you mean 'event'"),
        (["--machine", "logshop:door", "--where", "do"], "NAME=VALUE"),
        (["--machine", "logshop:door", "--allow", "skip"], "--allow"),
        (["--machine", "logshop:door", "--ruleset", "magic"], "--ruleset"),
        (["--only", "push"], "go with --machine"),
    ],
)
def test_wrong_input_is_one_sentence(args: list[str], why: str, shop: Path) -> None:
    done = CliRunner().invoke(cli, ["conform", "log.jsonl", *args])
    assert done.exit_code == 2 and why in done.output and done.output.count("\n") == 1


def test_a_log_that_fails_leaves_no_file(shop: Path) -> None:
    done = run("cover", "from-log", "--machine", "logshop:door", "log.jsonl", "-o", "x.fsmcov")
    assert done.exit_code == 2 and {one.suffix for one in shop.glob("x*")} == set()
