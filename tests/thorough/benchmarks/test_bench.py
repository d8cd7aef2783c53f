"""The benchmarks: their engines play the same turns, its report says what it should. Nothing here
looks at a time.
"""

from __future__ import annotations

import gc
import json
import re
import sys

import pytest
from click.testing import CliRunner, Result

from benchmarks import results
from benchmarks.__main__ import bench
from benchmarks.bars import BARS, chosen
from benchmarks.dispatch import unusable, visits
from benchmarks.engines import ENGINES, HAND, Engine
from benchmarks.graph import EDGES, STATES, Live, facts
from benchmarks.handgraph import HandWritten
from benchmarks.memory import measure
from benchmarks.ours import graph_model
from benchmarks.report import HEAD
from benchmarks.results import FULL, QUICK, BenchError, Bound
from benchmarks.timing import interleave, middle, ratio
from support.folders import DOCS

KEYS = {
    "bar",
    "entry",
    "unit",
    "ours",
    "against",
    "reference",
    "ratio",
    "bound",
    "limit",
    "met",
    "note",
}


def run(*arguments: str) -> Result:
    return CliRunner().invoke(bench, arguments, prog_name="python -m benchmarks")


# the graph and its engines ------------------------------------------------------------------------


def expected(turns: int) -> list[int]:
    """How often each state is entered, counted from the facts alone."""
    of = dict.fromkeys(STATES, turns)
    attacked = [turn for turn in facts(turns) if turn.attackers]
    of["declare_blockers"] = of["combat_damage"] = len(attacked)
    of["first_strike_damage"] = sum(turn.first_strike for turn in attacked)
    of["cleanup"] = sum(turn.cleanups for turn in facts(turns))
    return [of[state] for state in STATES]


@pytest.mark.parametrize("engine", ENGINES, ids=lambda engine: engine.id)
def test_every_engine_enters_every_state_as_often_as_the_facts_say(engine: Engine) -> None:
    if engine.absent:
        pytest.skip(engine.absent)
    for effort in (QUICK, FULL):
        assert visits(engine, facts(effort.turns)) == expected(effort.turns)


@pytest.mark.parametrize("effort", [QUICK, FULL])
def test_the_facts_take_every_edge(effort: results.Effort) -> None:
    taken: set[tuple[str, str]] = set()

    def build() -> Live:
        game = HandWritten()

        def advance() -> None:
            before = game.state
            game.advance()
            taken.add((before, game.state))

        return game, advance

    visits(Engine("noting", "", build), facts(effort.turns))
    assert taken == {(edge.source, edge.target) for edge in EDGES}


def test_the_graph_has_thirteen_states_and_is_a_model() -> None:
    model = graph_model()
    assert len(model.leaves) == len(STATES) == 13
    assert [(row.source, row.target) for row in model.transitions] == [edge[:2] for edge in EDGES]


def test_an_engine_that_counts_otherwise_is_not_compared() -> None:
    class Forgetful(HandWritten):
        def enter_upkeep(self, _: object = None) -> None:
            pass

    def build() -> Live:
        game = Forgetful()
        return game, game.advance

    found = unusable([HAND, Engine("odd", "odd engine", build)], facts(5))
    assert found == {"odd": "odd engine entered upkeep 0 times, the hand-written code 5 times"}


def test_an_engine_that_raises_is_not_compared() -> None:
    def build() -> Live:
        raise TypeError("no such argument")

    found = unusable([Engine("odd", "odd engine", build)], facts(5))
    assert found == {"odd": "odd engine does not run the graph: TypeError: no such argument"}


# timing and memory --------------------------------------------------------------------------------


def test_rounds_are_interleaved_and_the_collector_is_as_before() -> None:
    heard: list[str] = []
    collecting: set[bool] = set()

    def call(name: str) -> None:
        heard.append(name)
        collecting.add(gc.isenabled())

    samples = interleave({"a": lambda: call("a"), "b": lambda: call("b")}, rounds=3, seconds=0)
    assert "".join(heard).endswith("abbaab")
    assert [len(taken) for taken in samples.values()] == [3, 3]
    assert gc.isenabled()
    assert False in collecting


def test_medians_and_the_ratio_of_each_round() -> None:
    samples = {"ours": [2.0, 9.0, 4.0], "hand": [1.0, 3.0, 4.0]}
    assert middle(samples, "ours") == 4.0
    assert ratio(samples, "ours", "hand") == 2.0


@pytest.mark.parametrize("answers", [0, 60])
def test_memory_is_measured_for_as_many_games_as_were_asked_for(answers: int) -> None:
    found = measure(20, answers)
    assert found["games"] == 20
    assert set(found) == {"games", "each"}


# the report ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("bound", "ratio_found", "met"),
    [("at most", 1.9, True), ("at most", 2.1, False), ("at least", 2.1, True), ("at least", 1.9, False),
     ("at most", None, None)],
)  # fmt: skip
def test_met_follows_the_ratio_and_its_bound(
    bound: Bound, ratio_found: float | None, met: bool | None
) -> None:
    one = results.Result(
        "b", "e", "ns", 2.0, 100.0, "peer", 50.0, ratio_found, bound, relative=True
    )
    assert one.met is met


@pytest.mark.parametrize(("ours", "met"), [(1.0, True), (2.5, False), (None, None)])
def test_met_follows_our_own_figure_where_there_is_nothing_to_compare(
    ours: float | None, met: bool | None
) -> None:
    assert results.Result("b", "e", "us", 2.0, ours).met is met
    assert results.Result("b", "e", "us", None, ours).met is None


def test_everything_runs_and_is_reported_as_json() -> None:
    done = run("--quick", "--rounds", "1", "--json")
    assert done.exit_code == 0, done.output
    found = json.loads(done.stdout)
    assert list(dict.fromkeys(one["bar"] for one in found)) == list(BARS)
    for one in found:
        assert set(one) == KEYS
        assert one["met"] in (True, False, None)
        assert one["met"] is not None or one["note"], "what is not measured says why"
        assert one["note"] is None or one["note"] in done.stderr
    by_hand = next(one for one in found if one["bar"] == "turn")
    assert by_hand["against"] == "hand-written, frozen dataclasses"
    assert min(by_hand["ours"], by_hand["reference"], by_hand["ratio"]) > 0


def test_an_absent_peer_is_left_out_with_a_message(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sismic", None)
    done = run(
        "--quick", "--rounds", "1", "--json", "--only", "dispatch-sismic", "--only", "dispatch-flat"
    )
    assert done.exit_code == 0
    by_bar = {one["bar"]: one for one in json.loads(done.stdout)}
    absent = by_bar["dispatch-sismic"]
    assert (absent["met"], absent["ratio"], absent["reference"]) == (None, None, None)
    assert absent["ours"] > 0
    assert by_bar["dispatch-flat"]["met"] in (True, False)
    assert "sismic cannot be imported" in done.stderr
    assert "pip install 'turn-fsm[bench]'" in done.stderr


def test_only_takes_several_names_and_a_family_of_them() -> None:
    assert chosen(["fork", "start"]) == ("start", "fork")
    assert chosen(["snapshot"]) == ("snapshot-time", "snapshot-size")
    assert chosen(["dispatch-flat"]) == ("dispatch-flat",)
    assert chosen([]) == BARS
    done = run("--quick", "--rounds", "1", "--only", "snapshot-size", "start", "--json")
    assert [one["bar"] for one in json.loads(done.stdout)] == ["start", "start", "snapshot-size"]


def test_plain_text_off_a_terminal_and_markdown() -> None:
    plain = run("--quick", "--rounds", "1", "--only", "snapshot-size").stdout
    head, row, where = plain.splitlines()
    assert head.split() == list(HEAD)
    cells = re.split(" {2,}", row)
    assert cells[:2] + cells[3:5] == [
        "snapshot-size",
        "snapshot() as compact JSON",
        "-",
        "at most 2,048 bytes",
    ]
    assert re.fullmatch(r"[\d,]+ bytes", cells[2])
    assert cells[5] in ("yes", "no")
    assert where.endswith("medians of 1 round")
    page = run("--quick", "--rounds", "1", "--only", "snapshot-size", "--format", "markdown").stdout
    assert f"| {' | '.join(HEAD)} |\n| --- " in page


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--only", "snapshto"), "there is no bar 'snapshto'; did you mean 'snapshot'?"),
        (("turns",), "did you mean 'turn'?"),
        (("--rounds", "0"), "--rounds"),
        (("--format", "html"), "--format"),
    ],
)
def test_wrong_input_is_one_sentence_and_ends_with_2(arguments: tuple[str, ...], said: str) -> None:
    done = run(*arguments)
    assert done.exit_code == 2
    assert said in done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert done.stdout == ""


def test_a_name_that_is_no_bar_is_an_error() -> None:
    with pytest.raises(BenchError, match="no bar 'dispatch-'"):
        chosen(["dispatch-"])


def test_the_page_of_benchmarks_has_every_bar() -> None:
    page = (DOCS / "benchmarks.md").read_text("utf-8")
    assert f"| {' | '.join(HEAD)} |" in page
    assert set(re.findall(r"^\| ([a-z-]+) \|", page, re.M)) - {"bar", "---"} == set(BARS)
