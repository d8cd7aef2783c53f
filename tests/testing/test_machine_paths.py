"""Ways through plain machines: a generated test takes each transition, and fails when it should."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import Result

from support.commandline import command
from support.testedmachines import write

pytest_plugins = ["pytester"]

LAMP = """
from {module} import {kind} as Machine


class Lamp:
    paid = False

    def is_paid(self):
        return self.paid

    def pay(self):
        self.paid = True

    def never(self):
        return False

    def fails(self):
        raise ValueError


lamp = Machine(Lamp(), ["off", "on"], initial="off", auto_transitions=False, transitions=[
    {{"trigger": "switch", "source": "off", "dest": "on", "conditions": "is_paid"}},
    {{"trigger": "switch", "source": "on", "dest": "off"}},
    {{"trigger": "bill", "source": "off", "dest": "off", "after": "pay"}},
    {{"trigger": "wish", "source": "off", "dest": "on", "conditions": "never"}},
    {{"trigger": "break", "source": "on", "dest": "off", "before": "fails"}},
])
"""
FLAT = LAMP.format(module="transitions", kind="Machine")
LAMP_TEXT = """\
transitions of shop:lamp: 4 of 5 taken

off -> on on switch [is_paid]:
  bill                 -> off
  switch               -> on

on -> off on switch:
  bill                 -> off
  switch               -> on
  switch               -> off

off -> off on bill:
  bill                 -> off

off -> on on wish [never]:
  wish                 -> on; never says yes
"""


@pytest.fixture
def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder whose module `shop` can be imported."""
    monkeypatch.syspath_prepend(str(tmp_path))
    yield tmp_path
    sys.modules.pop("shop", None)


def run(pytester: pytest.Pytester, folder: Path) -> pytest.RunResult:
    """Run the generated tests."""
    sys.modules.pop("shop", None)
    return pytester.runpytest(folder / "test_it.py", "-p", "no:cacheprovider")


def paths(folder: Path, *words: str) -> tuple[int, str]:
    """The exit code of `fsm paths` on the machine, and the file that it writes."""
    file = folder / "written"
    result = command("paths shop:lamp -o", file, *words)
    return result.exit_code, file.read_text("utf-8")


def sell(folder: Path, text: str, spec: str = "shop:lamp", *options: str) -> Result:
    """Write the module, and the tests of its machine."""
    (folder / "shop.py").write_text(text, "utf-8")
    sys.modules.pop("shop", None)
    return write(folder, spec, *options)


def bodies(folder: Path) -> dict[str, list[str]]:
    """The lines of each generated test, by its name."""
    text = (folder / "test_it.py").read_text("utf-8")
    found = re.findall(r"^def (test_\w+)\([^)]*\) -> None:\n(.*?)(?=\n\n\n|\Z)", text, re.M | re.S)
    return {name: [line.strip() for line in body.splitlines()] for name, body in found}


@pytest.mark.parametrize(
    ("module", "kind"),
    [
        ("transitions", "Machine"),
        ("transitions.extensions", "HierarchicalMachine"),
        ("transitions.extensions.asyncio", "AsyncMachine"),
    ],
)
def test_a_way_asks_real_conditions_where_it_can(shop: Path, module: str, kind: str) -> None:
    text = LAMP.format(module=module, kind=kind).replace("lamp = M", "lamp = lambda: M")
    (shop / "shop.py").write_text(text, "utf-8")
    assert paths(shop) == (1, LAMP_TEXT)
    code, text = paths(shop, "--callbacks", "stub")
    assert code == 0
    assert "  switch               -> on; is_paid says yes\n" in text


def test_a_test_is_named_for_what_it_takes_and_reads_as_steps(shop: Path) -> None:
    result = sell(shop, FLAT)
    assert result.exit_code == 1
    tests = bodies(shop)
    assert list(tests) == [
        "test_switch_when_off_leads_to_on",
        "test_switch_when_on_leads_to_off",
        "test_bill_when_off_stays_off",
        "test_wish_when_off_leads_to_on",
    ]
    assert tests["test_switch_when_off_leads_to_on"][1:] == [
        "lamp.bill()",
        'assert lamp.state == "off"',
        "lamp.switch()",
        'assert lamp.state == "on"',
    ]
    assert tests["test_wish_when_off_leads_to_on"][1:] == [
        'monkeypatch.setattr(lamp, "never", says(True))',
        "lamp.wish()",
        'assert lamp.state == "on"',
    ]
    lamp = sys.modules["shop"].lamp
    assert (lamp.models[0].state, lamp.models[0].paid) == ("off", False)


def test_one_test_fails_on_another_machine(shop: Path, pytester: pytest.Pytester) -> None:
    sell(shop, FLAT)
    other = FLAT.replace('"source": "on", "dest": "off"},', '"source": "on", "dest": "on"},')
    assert other != FLAT
    (shop / "shop.py").write_text(other, "utf-8")
    run(pytester, shop).assert_outcomes(passed=3, failed=1)


def test_the_tests_stay_the_same_when_the_machine_grows_elsewhere(shop: Path) -> None:
    sell(shop, FLAT)
    before = bodies(shop)
    grown = FLAT.replace('["off", "on"]', '["broken", "off", "on"]').replace(
        "transitions=[", 'transitions=[["drop", ["off", "on"], "broken"],'
    )
    sell(shop, grown)
    after = bodies(shop)
    assert {name: after.get(name) for name in before} == before
    assert set(after) - set(before) == {
        "test_drop_when_off_leads_to_broken",
        "test_drop_when_on_leads_to_broken",
    }


def test_two_transitions_of_one_name_are_told_apart_by_their_conditions(
    shop: Path, pytester: pytest.Pytester
) -> None:
    rows = '[["go", "a", "b", "fast"], ["go", "a", "b", "slow"]]'
    text = f'from transitions import Machine\nm = Machine(states=["a", "b"], initial="a", transitions={rows})'
    sell(shop, text, "shop:m", "--callbacks", "stub")
    assert list(bodies(shop)) == [
        "test_go_when_a_leads_to_b_if_fast",
        "test_go_when_a_leads_to_b_if_slow",
    ]
    run(pytester, shop).assert_outcomes(passed=2)


def test_what_cannot_be_tested_is_said_with_the_reason(shop: Path) -> None:
    more = FLAT.replace("transitions=[", 'transitions=[["mend", "lost", "off"],')
    text = more.replace('["off", "on"]', '["off", "on", "lost"]')
    result = sell(shop, text)
    assert result.exit_code == 1
    assert "open: lost -> off on mend: no way leads to it" in result.output
    assert "open: on -> off on break: no way leads to it with its callbacks" in result.output
    assert "on break" not in sell(shop, text, "shop:lamp", "--callbacks", "stub").output


def test_a_function_makes_what_cannot_be_copied(shop: Path) -> None:
    lock = f"{FLAT}\nimport threading\nlamp.models[0].lock = threading.Lock()\n"
    text = f"{lock}\n\ndef fresh():\n    return Machine(Lamp(), ['off', 'on'], initial='off')\n"
    refused = sell(shop, text)
    assert refused.exit_code == 2
    assert "name a function that makes one: module:function" in refused.output
    assert sell(shop, text, "shop:fresh").exit_code == 0
    assert "from shop import fresh as make" in (shop / "test_it.py").read_text("utf-8")


def test_a_machine_without_an_object_asks_for_a_function(shop: Path) -> None:
    refused = sell(shop, FLAT.replace("Lamp(),", "None,"))
    assert refused.exit_code == 2
    assert "drives no object" in refused.output
    assert "module:function" in refused.output
