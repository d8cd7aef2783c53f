"""What the plugin says of machines whose states have rows alike, and of machines that start in
several states.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from support.pluginruns import Run, pytest_here, shares, write

SHOP = '''
from transitions import Machine


class Link:
    """Five rows, three of them the same from each state."""

    def __init__(self):
        Machine(self, ["idle", "connecting", "online"], initial="idle", auto_transitions=False, transitions=[
            ["connect", "idle", "connecting"], ["established", "connecting", "online"],
            ["disconnect", "idle", "idle"], ["disconnect", "connecting", "idle"], ["disconnect", "online", "idle"],
        ])


class Order:
    """Restored from a database: its machine starts in the state that is stored."""

    def __init__(self, state):
        Machine(self, ["new", "paid", "sent", "done"], initial=state, auto_transitions=False, transitions=[
            ["pay", "new", "paid"], ["send", "paid", "sent"], ["close", "sent", "done"],
        ])
'''
TESTS = """
import pytest
import shop


def test_link():
    link = shop.Link()
    assert link.connect() and link.established() and link.disconnect()


@pytest.mark.parametrize(("state", "event"), [("sent", "close"), ("new", "pay"), ("paid", "send")])
def test_order(state, event):
    assert getattr(shop.Order(state), event)()
"""
ASKED = (
    "--fsm-cov",
    "--fsm-cov-criteria=states,transitions",
    "--fsm-cov-fail-under=transitions=100",
)


def run(folder: Path, *more: str) -> Run:
    return pytest_here(write(folder, shop=SHOP, test_shop=TESTS), *ASKED, *more)


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Run:
    kinds = ("term-missing", "json", "html:out.html")
    return run(tmp_path_factory.mktemp("shop"), *(f"--fsm-cov-report={kind}" for kind in kinds))


def test_each_row_counts_and_each_definition_once(shop: Run) -> None:
    assert shares(shop.out) == {"Link": ["3/3", "3/5"], "Order": ["4/4", "3/3"]}
    assert shop.out.count("\nOrder (shop.py:19) ") == 1


def test_what_is_missing_fails_the_floor(shop: Run) -> None:
    assert shop.code == 1
    assert "FAIL Link (shop.py:9): transitions 60% (3 of 5) is below 100%" in shop.out
    assert "FAIL Order" not in shop.out
    assert " transitions; missing: 2" in shop.out
    assert "\n  connecting -> idle on disconnect\n" in shop.out


def test_every_report_says_the_same(shop: Run) -> None:
    found = {one["name"]: one["criteria"] for one in shop.report()["machines"]}
    counts = {
        name: [(c["targets"], c["taken"], c["missing"]) for c in each]
        for name, each in found.items()
    }
    assert counts == {
        "Link (shop.py:9)": [(3, 3, 0), (5, 3, 2)],
        "Order (shop.py:19)": [(4, 4, 0), (3, 3, 0)],
    }
    page = (shop.folder / "out.html").read_text(encoding="utf-8")
    said = " ".join(re.sub(r"<[^>]+>", " ", page).split())
    assert "3 firings" in said and "Transitions taken 3 of 5 60%" in said


def test_workers_and_machines_that_are_named_say_the_same(tmp_path: Path) -> None:
    made = f"{SHOP}\n\ndef order():\n    return Order('paid').trigger.func.__self__\n"
    folder = write(tmp_path / "named", shop=made, test_shop=TESTS)
    named = pytest_here(folder, "--fsm-cov=shop:order", *ASKED[1:], "-p", "xdist", "-n2")
    assert shares(named.out) == {"shop:order": ["4/4", "3/3"]}
    assert named.code == 0
