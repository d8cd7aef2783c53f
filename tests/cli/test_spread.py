"""Work that is spread over processes."""

from __future__ import annotations

import sys
import time
from multiprocessing import active_children

import pytest
from click.testing import CliRunner

from fsm.cli import cli
from fsm.errors import FsmError, RulesetError
from fsm.parallel import spread
from support.spreadwork import square, wrong


def none_is_left() -> bool:
    """Whether all processes end within some seconds. Two threads wait for each of them."""
    deadline = time.monotonic() + 10
    while active_children() and time.monotonic() < deadline:
        time.sleep(0.01)
    return not active_children()


def test_results_come_in_the_order_of_the_items() -> None:
    with spread(square, range(100), jobs=2) as results:
        assert len(active_children()) == 2
        assert list(results) == [n * n for n in range(100)]
    assert none_is_left()


def test_an_error_of_a_worker_arrives_as_it_is_and_ends_the_others() -> None:
    with pytest.raises(RulesetError) as here:
        wrong(1)
    with pytest.raises(RulesetError) as there, spread(wrong, [0, 1, 3, 3], jobs=2) as results:
        list(results)
    assert there.value.to_json() == here.value.to_json() and there.value.option == "speed"
    assert none_is_left()


def test_a_lost_worker_is_one_clear_error() -> None:
    with (
        pytest.raises(FsmError, match=r"a worker process has ended .*; see why with one job"),
        spread(wrong, [0, 2, 3], jobs=2) as results,
    ):
        list(results)
    assert none_is_left()


def test_a_cluster_needs_an_extra_and_excludes_jobs(monkeypatch: pytest.MonkeyPatch) -> None:
    command = ["check", "magic", "--prove", "--cluster", "tcp://127.0.0.1:9"]
    both = CliRunner().invoke(cli, [*command, "--jobs", "2"])
    assert both.exit_code == 2 and "give one of the two" in both.output
    monkeypatch.setitem(sys.modules, "distributed", None)
    told = CliRunner().invoke(cli, command)
    assert told.exit_code == 2
    assert told.output == (
        "fsm: a cluster needs the extra 'cluster'; run pip install 'turn-fsm[cluster]'\n"
    )
