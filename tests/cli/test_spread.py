"""Work that is spread over processes: the same results, whoever works, and whoever is lost."""

from __future__ import annotations

import multiprocessing
import sys
from functools import partial
from pathlib import Path

import pytest
from click.testing import CliRunner

from fsm.cli import cli
from fsm.errors import FsmError, RulesetError
from fsm.parallel import AHEAD, TRIES, spread
from support.amounts import sample, thorough
from support.spreadwork import killed, square, square_with_process, wrong

posix = pytest.mark.skipif(sys.platform == "win32", reason="a process kills itself by a signal")


def test_results_come_in_the_order_of_the_items() -> None:
    items = range(2 * AHEAD)
    with spread(square_with_process, items, jobs=2) as results:
        found = list(results)
    assert [number for number, _ in found] == [n * n for n in items]
    assert 1 <= len({process for _, process in found}) <= 2
    assert not multiprocessing.active_children()


@pytest.mark.parametrize("items", [[], [7]])
def test_one_item_needs_no_process(items: list[int]) -> None:
    with spread(square, items, jobs=2) as results:
        assert not multiprocessing.active_children()
        assert list(results) == [n * n for n in items]


def test_leaving_the_block_ends_the_processes() -> None:
    with spread(square, iter(range(10**9)), jobs=2) as results:
        assert [next(results), next(results)] == [0, 1]
        assert multiprocessing.active_children()
    assert not multiprocessing.active_children()


@posix
@pytest.mark.parametrize("times", sample([1, TRIES - 1], 1, seed=2))
def test_the_item_of_a_lost_process_is_done_again(times: int, tmp_path: Path) -> None:
    with spread(partial(killed, tmp_path, times), range(6), jobs=2) as results:
        assert list(results) == [n * n for n in range(6)]
    assert len(list(tmp_path.iterdir())) == times


@posix
def test_an_item_that_ends_every_process_is_one_clear_error(tmp_path: Path) -> None:
    with (
        pytest.raises(
            FsmError, match=rf"{TRIES} processes, .* the last was killed by signal 9; run it"
        ) as caught,
        spread(partial(killed, tmp_path, 99), range(6), jobs=2) as results,
    ):
        assert [next(results) for _ in range(3)] == [0, 1, 4]
        next(results)
    assert caught.value.kind == "lost-worker"
    assert len(list(tmp_path.iterdir())) == TRIES
    assert not multiprocessing.active_children()


def test_an_error_of_a_worker_arrives_as_it_is() -> None:
    with pytest.raises(RulesetError) as here:
        wrong(1)
    with pytest.raises(RulesetError) as there, spread(wrong, [0, 1], jobs=2) as results:
        list(results)
    assert there.value.to_json() == here.value.to_json() and there.value.option == "speed"


@thorough
@pytest.mark.parametrize(
    ("item", "kind", "text"), [(2, RuntimeError, "this was wrong"), (3, SystemExit, "enough")]
)
def test_what_else_a_worker_raises_arrives(item: int, kind: type[BaseException], text: str) -> None:
    with pytest.raises(kind, match=text), spread(wrong, [0, item], jobs=2) as results:
        list(results)


def test_a_cluster_needs_an_extra_and_excludes_jobs(monkeypatch: pytest.MonkeyPatch) -> None:
    both = CliRunner().invoke(
        cli, ["fuzz", "magic", "--jobs", "2", "--cluster", "tcp://127.0.0.1:9"]
    )
    assert both.exit_code == 2 and "give one of the two" in both.output
    monkeypatch.setitem(sys.modules, "distributed", None)
    told = CliRunner().invoke(cli, ["fuzz", "magic", "--cluster", "tcp://127.0.0.1:9"])
    assert told.exit_code == 2
    assert (
        told.output
        == "fsm: a cluster needs the extra 'cluster': run pip install 'turn-fsm[cluster]'\n"
    )
