"""`fsm mutate` on whole sets of tests: the user's own tests against every change of a machine."""

from __future__ import annotations

import sys
from pathlib import Path

from support.mutatedshop import SHOP, STRONG, WEAK, mutate, shop, survivors
from support.processes import started

UNCONDITIONAL = "`shut -> locked on lock [has_key]` does not ask for `has_key`"


def test_survivors_are_told_and_get_tests_that_notice_them(tmp_path: Path) -> None:
    folder = shop(tmp_path, WEAK)
    result = mutate(folder, "-o", "test_more.py", "--jobs", "2")
    assert result.returncode == 1, result.stderr
    assert result.stdout.splitlines() == [
        "Door (shop.py:26): 8 changes, 5 noticed, 3 survived",
        "  survived: without `open -> shut on pull`: no test takes it",
        "  survived: `open -> shut on pull` leads to `open`: no test takes it",
        f"  survived: {UNCONDITIONAL}: 1 test ran, and none failed",
        "score: 62% of 8 changes noticed",
        "written: test_more.py",
    ]
    again = mutate(folder, "--jobs", "2", machine="Door (shop.py:26)")
    assert again.returncode == 0, again.stdout
    assert "8 changes, 8 noticed, 0 survived" in again.stdout


def test_no_tests_and_no_machine_are_errors(tmp_path: Path) -> None:
    folder = shop(tmp_path, WEAK)
    for tests in ("unknown", "nothing"):
        result = mutate(folder, "--", "-k", tests)
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
    result = mutate(shop(tmp_path, tests, ignoring), "--timeout", "6", "--jobs", "4")
    pull = "`open -> shut on pull`"
    assert pull not in "\n".join(survivors(result.stdout)), result.stdout


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
    result = mutate(shop(tmp_path, tests), "--jobs", "2")
    found = "\n".join(survivors(result.stdout))
    assert UNCONDITIONAL in found
    assert "open -> shut on pull" not in found


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
    result = mutate(shop(tmp_path, tests), "--jobs", "2")
    assert not any("shut -> open on push" in line for line in survivors(result.stdout))


def test_an_interrupt_reports_what_is_known(tmp_path: Path) -> None:
    note = "open('begun', 'a', encoding='utf-8').write('.')"
    slow = STRONG.replace(
        "def test_all():", f"def test_all():\n    import time\n    {note}\n    time.sleep(0.5)"
    )
    folder, begun = shop(tmp_path, slow), tmp_path / "begun"
    command = [sys.executable, "-m", "fsm", "mutate", "shop:door"]
    with started(command, cwd=folder) as process:
        # without a change, with the first one, and so on
        while not begun.exists() or begun.stat().st_size < 5:
            assert process.is_running, process.stderr
            process.pause()
        process.popen.terminate()
        assert process.wait() == 130, process.stderr
        assert " not tried" in process.stdout.splitlines()[-1]


def test_another_kind_of_machine_is_changed(tmp_path: Path) -> None:
    source = """
from transitions.extensions import HierarchicalAsyncMachine


def made():
    machine = HierarchicalAsyncMachine(states=["a", "b", "c"], initial="a", auto_transitions=False)
    machine.add_transition("go", "a", "b", unless=lambda: False)
    machine.add_transition("go", "b", "c", after=print)
    return machine
"""
    tests = """
import asyncio
import pytest
import shop
from transitions import MachineError


def test_go(capsys):
    async def steps():
        machine = shop.made()
        assert machine.state == "a"
        await machine.go()
        assert machine.state == "b"
        await machine.go()
        assert machine.state == "c"
        assert capsys.readouterr().out == "\\n"

    asyncio.run(steps())
"""
    result = mutate(shop(tmp_path, tests, source), "--jobs", "2", machine="shop:made")
    [survivor] = survivors(result.stdout)
    assert "`a -> b on go [not lambda]` does not ask for `not lambda`" in survivor
    assert "6 changes, 5 noticed, 1 survived" in result.stdout


def test_a_limit_takes_a_sample_by_seed(tmp_path: Path) -> None:
    folder = shop(
        tmp_path,
        "import shop\n\n\ndef test_it():\n    shop.door().push()\n    assert shop.door()\n",
    )
    runs = [
        survivors(mutate(folder, "--limit", "2", "--seed", seed).stdout) for seed in ("1", "1", "5")
    ]
    assert len(runs[0]) == 2
    assert runs[0] == runs[1] != runs[2]
