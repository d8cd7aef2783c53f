"""A name, a path, a Table and a Model are accepted wherever one of them is."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

import fsm
from fsm import conform
from fsm.checks import Bounds, prove
from fsm.errors import RulesetError
from fsm.model.likeness import ModelLike
from fsm.rulesets import Act, Phase, Step, Table, Window, window_alone
from fsm.testing import paths
from fsm.testing.randomgames import play
from fsm.views import explore, tabulate

TABLE = Table("tiny", Phase("day", Step("noon", Act("ring"), Window())))


def replayed(what: ModelLike) -> object:
    game = fsm.TurnController(what, ["Ann", "Ben"])
    return game.trace.replay(what).position


USES: dict[str, Callable[[ModelLike], object]] = {
    "TurnController": lambda what: fsm.TurnController(what, ["Ann", "Ben"]).position,
    "check": fsm.check,
    "draw": fsm.draw,
    "compare": lambda what: str(fsm.diff(what, what)),
    "replay": replayed,
    "explore": explore,
    "tabulate": tabulate,
    "paths": lambda what: [path.answers for path in paths(what, "states", effort=500)],
    "play": lambda what: play(what, 2),
    "conform": lambda what: conform(what, []).visits,
    "prove": lambda what: prove(what, Bounds(turns=1)).positions,
    "window_alone": window_alone,
    "parse_scenarios": lambda what: [
        s.model for s in fsm.scenarios.load([{"through_turn": 1}], what, place="here")
    ],
}


@pytest.mark.parametrize("use", USES.values(), ids=USES)
def test_a_table_a_model_and_a_file_are_one(
    use: Callable[[ModelLike], object], tmp_path: Path
) -> None:
    file = tmp_path / "tiny.json"
    file.write_text(json.dumps(TABLE.build().to_json()), encoding="utf-8")
    assert use(TABLE) == use(TABLE.build()) == use(str(file))


@pytest.mark.parametrize(
    ("use", "message"),
    [
        (lambda: fsm.TurnController("magic", "Ann, Ben"), r"write \['Ann', 'Ben'\]"),
        (lambda: fsm.load("smugglers.py"), "such as smugglers.py:TABLE"),
        (
            lambda: fsm.TurnController.restore("magic", '{"format": 1}'),
            "read JSON with json.loads first",
        ),
        (lambda: fsm.drive(fsm.TurnController("magic", ["A"]), fsm.BaseHost), "give BaseHost"),  # type: ignore[arg-type]
        (lambda: fsm.drive(fsm.BaseHost(), fsm.BaseHost()), "a BaseHost is no game"),  # type: ignore[arg-type]
    ],
    ids=["players", "file", "token", "class", "swapped"],
)
def test_a_mistake_is_named_with_its_remedy(use: Callable[[], object], message: str) -> None:
    with pytest.raises(fsm.FsmError, match=message):
        use()


def test_one_order_needs_no_list() -> None:
    turn = fsm.AddTurn("Ann")
    one, listed = (
        fsm.TurnController("magic", ["Ann", "Ben"], orders=orders) for orders in (turn, [turn])
    )
    assert one.snapshot() == listed.snapshot()


def test_options_are_keywords() -> None:
    assert fsm.load("magic", edition="2025-04") == fsm.load("magic?edition=2025-04")
    with pytest.raises(RulesetError, match="did you mean 'edition'"):
        fsm.load("magic", editon="2025-04")
