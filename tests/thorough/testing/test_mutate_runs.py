"""`fsm mutate` on whole sets of tests: the user's own tests against every change of a machine."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from support.mutatedshop import SHOP, STRONG, WEAK, fates, mutate, shop
from support.processes import started


def test_survivors_are_told_and_get_tests_that_notice_them(tmp_path: Path) -> None:
    folder = shop(tmp_path, WEAK)
    result = mutate(folder, "-o", "test_more.py", "--jobs", "2", "--json")
    assert result.returncode == 1, result.stderr
    report = json.loads(result.stdout)
    assert fates(result.stdout) == {
        "without `shut -> open on push`": "noticed",
        "`shut -> open on push` leads to `shut`": "noticed",
        "without `open -> shut on pull`": "untaken",
        "`open -> shut on pull` leads to `locked`": "untaken",
        "without `shut -> locked on lock [has_key]`": "noticed",
        "`shut -> locked on lock [has_key]` leads to `open`": "noticed",
        "`shut -> locked on lock [has_key]` asks for the opposite of `has_key`": "noticed",
        "`shut -> locked on lock [has_key]` does not ask for `has_key`": "survived",
        "`shut -> locked on lock [has_key]` does not call `ring`": "survived",
        "it begins in `open`, not in `shut`": "noticed",
    }
    assert (report["score"], report["notes"]) == (0.6, [])
    tests = {m["text"]: m["test"] for m in report["machines"][0]["mutants"] if "test" in m}
    ringing = "`shut -> locked on lock [has_key]` does not call `ring`"
    assert tests[ringing] == "test_lock_when_shut_calls_ring"
    assert len(tests) == 4
    # With these tests the same run finds nothing more.
    again = mutate(folder, "--jobs", "2")
    assert again.returncode == 0, again.stdout
    assert "10 changes, 10 noticed, 0 survived" in again.stdout


def test_good_tests_notice_all(tmp_path: Path) -> None:
    result = mutate(shop(tmp_path, STRONG), "--jobs", "2")
    assert result.returncode == 0, result.stdout
    assert "score: 100% of 10 changes noticed" in result.stdout


def test_no_tests_and_no_machine_are_errors(tmp_path: Path) -> None:
    folder = shop(tmp_path, WEAK)
    assert "runs no tests" in mutate(folder, "--", "-k", "unknown").stderr
    result = mutate(folder, "--", "-k", "nothing")
    assert result.returncode == 2
    assert "the tests do not use 'shop:door'" in result.stderr
    result = mutate(folder, machine="Dor")
    assert result.returncode == 2
    assert "did you mean 'Door'" in result.stderr


def test_a_change_that_never_ends_is_noticed(tmp_path: Path) -> None:
    tests = """
import shop


def test_until_it_is_shut():
    door = shop.door()
    door.push()
    while door.state != "shut":
        door.pull()
"""
    ignoring = SHOP.replace(
        "auto_transitions=False", "auto_transitions=False, ignore_invalid_triggers=True"
    )
    result = mutate(shop(tmp_path, tests, ignoring), "--timeout", "6", "--json", "--jobs", "4")
    assert fates(result.stdout)["without `open -> shut on pull`"] == "timeout"


def test_tests_that_need_one_another_are_run_together(tmp_path: Path) -> None:
    """Run alone, the second test fails without any change. That must not count as noticing."""
    tests = """
import shop

door = shop.door()


def test_first():
    door.push()


def test_second():
    door.pull()
    door.key = True
    assert door.lock()
"""
    result = mutate(shop(tmp_path, tests), "--json", "--jobs", "2")
    found = fates(result.stdout)
    assert found["`shut -> locked on lock [has_key]` does not call `ring`"] == "survived"
    assert found["without `open -> shut on pull`"] == "noticed"


def test_what_a_shared_fixture_does_counts_for_its_tests(tmp_path: Path) -> None:
    tests = """
import pytest
import shop


@pytest.fixture(scope="module")
def door():
    door = shop.door()
    door.push()
    return door


def test_other():
    pass


def test_first(door):
    pass


def test_second(door):
    assert door.state == "open"
"""
    result = mutate(shop(tmp_path, tests), "--json", "--jobs", "2")
    assert fates(result.stdout)["`shut -> open on push` leads to `shut`"] == "noticed"


def test_an_interrupt_reports_what_is_known(tmp_path: Path) -> None:
    note = "open('begun', 'a', encoding='utf-8').write('.')"
    slow = STRONG.replace(
        "def test_all():", f"def test_all():\n    import time\n    {note}\n    time.sleep(0.5)"
    )
    folder, begun = shop(tmp_path, slow), tmp_path / "begun"
    command = [sys.executable, "-m", "fsm", "mutate", "shop:door", "--json"]
    with started(command, cwd=folder) as process:
        # without a change, with the first one, and so on
        while not begun.exists() or begun.stat().st_size < 5:
            assert process.is_running, process.stderr
            process.pause()
        process.popen.terminate()
        assert process.wait() == 130, process.stderr
        report = json.loads(process.stdout)
        assert report["interrupted"] and report["untried"] > 0 and fates(process.stdout)


@pytest.mark.parametrize("base", ["Machine", "HierarchicalAsyncMachine"])
def test_every_kind_of_machine_is_changed(tmp_path: Path, base: str) -> None:
    wait = "await " if "Async" in base else ""
    source = f"""
from transitions.extensions import AsyncMachine, HierarchicalAsyncMachine, HierarchicalMachine
from transitions import Machine


def made():
    machine = {base}(states=["a", "b", "c"], initial="a", auto_transitions=False)
    machine.add_transition("go", "a", "b", unless=lambda: False)
    machine.add_transition("go", "b", "c", after=print)
    return machine
"""
    tests = f"""
import asyncio
import pytest
import shop
from transitions import MachineError


def test_go(capsys):
    async def steps():
        machine = shop.made()
        assert machine.state == "a"
        {wait}machine.go()
        assert machine.state == "b"
        {wait}machine.go()
        assert machine.state == "c"
        assert capsys.readouterr().out == "\\n"

    asyncio.run(steps())
"""
    result = mutate(shop(tmp_path, tests, source), "--json", "--jobs", "2", machine="shop:made")
    found = fates(result.stdout)
    assert (
        found.pop("`a -> b on go [not condition]` does not ask for `not condition`") == "survived"
    )
    assert len(found) == 7
    assert set(found.values()) == {"noticed"}


def test_a_limit_takes_a_sample_by_seed(tmp_path: Path) -> None:
    folder = shop(tmp_path, STRONG)
    runs = [
        list(fates(mutate(folder, "--limit", "2", "--seed", seed, "--json").stdout))
        for seed in ("1", "1", "5")
    ]
    assert len(runs[0]) == 2
    assert runs[0] == runs[1] != runs[2]
