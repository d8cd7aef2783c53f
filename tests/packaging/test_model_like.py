"""A name, a path, a Table and a Model are accepted wherever one of them is."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import fsm
from fsm.checks import Bounds, prove
from fsm.rulesets import Act, Phase, Step, Table, Window
from fsm.testing import paths
from fsm.views import explore, tabulate

TABLE = Table("tiny", Phase("day", Step("noon", Act("ring"), Window())))
NOON = Path(__file__).with_name("noon.jsonl")
USES: dict[str, Callable[[Any], object]] = {
    "TurnController": lambda game: fsm.TurnController(game, ["Ann", "Ben"]).position,
    "check and prove": lambda game: (fsm.check(game), prove(game, Bounds(turns=1)).positions),
    "draw and tabulate": lambda game: (fsm.draw(game), tabulate(game), explore(game)),
    "diff": lambda game: str(fsm.diff(game, "magic")),
    "paths": lambda game: [path.answers for path in paths(game, "states", effort=200)],
    "conform": lambda game: fsm.conform(game, NOON).visits,
}


@pytest.mark.parametrize("use", USES.values(), ids=USES)
def test_a_table_a_model_and_a_file_are_the_same(
    use: Callable[[Any], object], tmp_path: Path
) -> None:
    file = tmp_path / "tiny.json"
    file.write_text(json.dumps(TABLE.build().to_json()), encoding="utf-8")
    assert use(TABLE) == use(TABLE.build()) == use(str(file))
