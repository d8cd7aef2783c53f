"""The benchmarks: they compare what does the same, and say which bars are met. Nothing looks at a time."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

from benchmarks.__main__ import bench
from benchmarks.graph import STATES, by_hand, facts, play
from benchmarks.peers import PEERS, ours
from benchmarks.timing import Row

BUILD = {"if/elif": by_hand, "ours": ours} | {name: build for name, (build, *_) in PEERS.items()}


@pytest.mark.parametrize("engine", BUILD)
def test_every_engine_enters_every_state_as_often_as_the_facts_say(engine: str) -> None:
    if engine in PEERS:
        pytest.importorskip(PEERS[engine][1])
    game, advance = BUILD[engine]()
    play(game, advance, facts(40))
    attacked = [turn for turn in facts(40) if turn.attackers]
    expected = dict.fromkeys(STATES, 40)
    expected["declare_blockers"] = expected["combat_damage"] = len(attacked)
    expected["first_strike_damage"] = sum(turn.first_strike for turn in attacked)
    expected["cleanup"] = sum(turn.cleanups for turn in facts(40))
    assert dict(zip(STATES, game.visits, strict=True)) == expected


@pytest.mark.parametrize(
    ("ratio", "faster", "met"), [(1.9, False, True), (2.1, False, False), (2.1, True, True)]
)
def test_a_limit_is_for_the_ratio(ratio: float, faster: bool, met: bool) -> None:
    row = Row("turn", "a turn", "us", 2.0, 9.0, "by hand", 1.0, ratio, faster)
    assert row.met is met and row.cells()[-1] == ("yes" if met else "no")


def test_the_command_prints_a_row_for_each_bar() -> None:
    done = CliRunner().invoke(bench, ["--quick", "--json", "turn", "conform", "saved"])
    assert done.exit_code == 0, done.output
    rows = json.loads(done.stdout)
    assert {row["bar"] for row in rows} == {"turn", "conform", "saved"}
    assert all(row["ours"] > 0 for row in rows)


def test_a_bar_that_there_is_not_is_refused() -> None:
    done = CliRunner().invoke(bench, ["trun"])
    assert (done.exit_code, done.stdout) == (2, "")
    assert "there is no bar 'trun'; did you mean 'turn'?" in done.stderr
