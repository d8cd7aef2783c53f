"""Work that is spread over processes: results in order, errors as they are, no process left."""

from __future__ import annotations

import time
from multiprocessing import active_children

import pytest

from fsm.errors import FsmError, RulesetError
from fsm.parallel import spread
from support.spreadwork import square, wrong


def all_have_ended() -> bool:
    """Whether all processes end within some seconds. Two threads wait for each of them."""
    deadline = time.monotonic() + 10
    while active_children() and time.monotonic() < deadline:
        time.sleep(0.01)
    return not active_children()


def test_results_come_in_the_order_of_the_items() -> None:
    with spread(square, range(20), jobs=2) as results:
        assert len(active_children()) == 2
        assert [*results] == [n * n for n in range(20)]
    assert all_have_ended()


def test_an_error_of_a_worker_arrives_whole_and_ends_the_others() -> None:
    with pytest.raises(RulesetError) as there, spread(wrong, [0, 1, 3, 3], jobs=2) as results:
        list(results)
    assert (there.value.place, there.value.found) == ("options.speed", 1)
    assert all_have_ended()


def test_a_lost_worker_is_one_clear_error() -> None:
    lost = pytest.raises(FsmError, match=r"a worker process has ended .*; see why with one job")
    with lost, spread(wrong, [0, 2, 3], jobs=2) as results:
        list(results)
    assert all_have_ended()
