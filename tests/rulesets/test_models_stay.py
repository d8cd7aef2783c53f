"""The Models of the four rulebooks are as they were: whoever changes one says so here."""

from __future__ import annotations

import hashlib
import json
from operator import itemgetter
from typing import Any

import pytest

import fsm
from fsm.rulesets import options

DIGESTS = {
    ("magic", "edition"): "e29bd943a6e2de2d",
    ("magic", "stated_attacker_counts"): "335ea8b8444f5484",
    ("magic", "extra_draw_on_first_turn"): "76b2d7a6e7020d27",
    ("magic", "first_main_counts_skipped"): "2e6bc6c6e37695a2",
    ("magic-2010", "as_printed"): "7d2113ed4e9bb0dc",
    ("magic-2010", "end_turn_repeats_cleanup"): "c81af151694dcde4",
    ("magic-classic", "edition"): "aa200ff519b4e8df",
    ("magic-classic", "stopped_double_strike"): "b95127771555d027",
    ("magic-classic", "two_cleanups_after_time_stop"): "7dd08b9089956313",
    ("grand-archive", "edition"): "38d61850fb2cd233",
    ("grand-archive", "silent_combat_teardown"): "2cca6c6380ab5be0",
    ("grand-archive", "round_after_recheck"): "269a2fec0f676e54",
    ("grand-archive", "pantheon_first_draw"): "9517d99b849a80da",
    ("grand-archive", "next_player_acts_for_lost"): "39631986aeceb51d",
    ("grand-archive", "round_after_materialize"): "af29258423b5aaea",
}
"""Of the Models with each value of an option."""


def plain(model: fsm.Model) -> dict[str, Any]:
    """A Model as JSON, without what says only which format it has, and roles, of which it has none.
    The order of its facts means nothing.
    """
    data = model.to_json()
    for part in (data, data["window"]):
        assert (part.pop("format"), part.pop("roles")) == ("fsm-model-1", [])
        part["facts"].sort(key=itemgetter("name"))
    return data


@pytest.mark.parametrize(("name", "option"), DIGESTS)
def test_a_model_is_what_it_was(name: str, option: str) -> None:
    values = options(name)[option].values
    models = [plain(fsm.load(name, {option: value})) for value in values]
    text = json.dumps(models, sort_keys=True)
    assert hashlib.sha256(text.encode()).hexdigest()[:16] == DIGESTS[name, option]
