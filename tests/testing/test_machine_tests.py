"""Generated tests of plain machines: their names and steps, and that they fail when they should."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from support.testedmachines import run, write


@pytest.fixture
def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An empty folder whose modules can be imported."""
    monkeypatch.syspath_prepend(str(tmp_path))
    yield tmp_path
    sys.modules.pop("shop", None)


LAMP = """
from transitions import Machine


class Lamp:
    paid = False

    def is_paid(self):
        return self.paid

    def pay(self):
        self.paid = True

    def never(self):
        return False


lamp = Machine(Lamp(), ["off", "on"], initial="off", transitions=[
    {"trigger": "switch", "source": "off", "dest": "on", "conditions": "is_paid"},
    {"trigger": "switch", "source": "on", "dest": "off"},
    {"trigger": "bill", "source": "off", "dest": "off", "after": "pay"},
    {"trigger": "wish", "source": "off", "dest": "on", "conditions": "never"},
])
"""


def bodies(text: str) -> dict[str, str]:
    """The body of each test, by its name."""
    found = re.findall(r"^def (test_\w+)\([^)]*\) -> None:\n(.*?)(?=\n\n\n|\Z)", text, re.M | re.S)
    return dict(found)


def test_a_test_is_named_for_what_it_takes_and_reads_as_steps(shop: Path) -> None:
    (shop / "shop.py").write_text(LAMP, encoding="utf-8")
    assert write(shop, "shop:lamp").exit_code == 0
    tests = bodies((shop / "test_it.py").read_text(encoding="utf-8"))
    assert list(tests) == [
        "test_switch_when_off_leads_to_on",
        "test_switch_when_on_leads_to_off",
        "test_bill_when_off_stays_off",
        "test_wish_when_off_leads_to_on",
    ]
    real = [
        "lamp.bill()",
        'assert lamp.state == "off"',
        "lamp.switch()",
        'assert lamp.state == "on"',
    ]
    assert [
        line.strip() for line in tests["test_switch_when_off_leads_to_on"].splitlines()[1:]
    ] == real
    made = [
        'monkeypatch.setattr(lamp, "never", says(True))',
        "lamp.wish()",
        'assert lamp.state == "on"',
    ]
    assert [
        line.strip() for line in tests["test_wish_when_off_leads_to_on"].splitlines()[1:]
    ] == made


def test_tests_stay_the_same_when_the_machine_grows_elsewhere(shop: Path) -> None:
    (shop / "shop.py").write_text(LAMP, encoding="utf-8")
    write(shop, "shop:lamp")
    before = bodies((shop / "test_it.py").read_text(encoding="utf-8"))
    grown = LAMP.replace('["off", "on"]', '["broken", "off", "on"]').replace(
        "transitions=[", 'transitions=[["drop", ["off", "on"], "broken"],'
    )
    (shop / "shop.py").write_text(grown, encoding="utf-8")
    sys.modules.pop("shop", None)
    write(shop, "shop:lamp")
    after = bodies((shop / "test_it.py").read_text(encoding="utf-8"))
    assert {name: after.get(name) for name in before} == before
    assert set(after) - set(before) == {
        "test_drop_when_off_leads_to_broken",
        "test_drop_when_on_leads_to_broken",
    }


def test_they_fail_on_another_machine(shop: Path) -> None:
    (shop / "shop.py").write_text(LAMP, encoding="utf-8")
    write(shop, "shop:lamp")
    changed = LAMP.replace('"source": "on", "dest": "off"', '"source": "on", "dest": "on"')
    assert changed != LAMP
    (shop / "shop.py").write_text(changed, encoding="utf-8")
    result = run(shop, "test_it.py")
    assert re.search(r"1 failed, 3 passed", result.stdout), result.stdout


def test_two_transitions_of_one_name_are_told_apart_by_their_conditions(shop: Path) -> None:
    rows = '[["go", "a", "b", "fast"], ["go", "a", "b", "slow"]]'
    text = f'from transitions import Machine\nm = Machine(states=["a", "b"], initial="a", transitions={rows})\n'
    (shop / "shop.py").write_text(text, encoding="utf-8")
    write(shop, "shop:m", "--callbacks", "stub")
    names = ["test_go_when_a_leads_to_b_if_fast", "test_go_when_a_leads_to_b_if_slow"]
    assert list(bodies((shop / "test_it.py").read_text(encoding="utf-8"))) == names
    assert run(shop, "test_it.py").returncode == 0


def test_what_cannot_be_tested_is_said(shop: Path) -> None:
    text = """
from transitions import Machine

def stop(): raise ValueError("needs a server")

m = Machine(states=["a", "b", "c"], initial="a", transitions=[
    {"trigger": "go", "source": "a", "dest": "b", "before": stop}, ["back", "c", "a"]])
"""
    (shop / "shop.py").write_text(text, encoding="utf-8")
    result = write(shop, "shop:m")
    assert result.exit_code == 1
    assert (
        "no test: a -> b on go: its callbacks do not let it pass: --callbacks stub" in result.output
    )
    assert "no test: c -> a on back: no way leads to it" in result.output
    result = write(shop, "shop:m", "--callbacks", "stub")
    assert "a -> b on go" not in result.output
    assert run(shop, "test_it.py").returncode == 0


def test_a_function_makes_what_cannot_be_copied(shop: Path) -> None:
    text = """
import threading
from transitions import Machine

class Door:
    def __init__(self):
        self.lock = threading.Lock()

ROWS = [["push", "shut", "open"]]
door = Machine(Door(), ["shut", "open"], initial="shut", transitions=ROWS)

def fresh():
    return Machine(Door(), ["shut", "open"], initial="shut", transitions=ROWS)
"""
    (shop / "shop.py").write_text(text, encoding="utf-8")
    refused = write(shop, "shop:door")
    assert refused.exit_code == 2
    assert "--make module:function" in refused.output
    assert write(shop, "shop:door", "--make", "shop:fresh").exit_code == 0
    assert "from shop import fresh as make" in (shop / "test_it.py").read_text(encoding="utf-8")
    assert run(shop, "test_it.py").returncode == 0


def test_a_machine_without_an_object_asks_for_a_function(shop: Path) -> None:
    text = 'from transitions import Machine\nm = Machine(None, ["a"], initial="a", transitions=[["go", "a", "a"]])\n'
    (shop / "shop.py").write_text(text, encoding="utf-8")
    refused = write(shop, "shop:m")
    assert refused.exit_code == 2
    assert "drives no object" in refused.output and "--make" in refused.output


def test_a_module_keeps_its_machine_as_it_is(shop: Path) -> None:
    (shop / "shop.py").write_text(LAMP, encoding="utf-8")
    write(shop, "shop:lamp")
    lamp = sys.modules["shop"].lamp
    assert lamp.models[0].state == "off" and not lamp.models[0].paid
