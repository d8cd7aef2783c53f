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
    ("magic", "edition"): "b0aaf79023a475d8",
    ("magic", "stated_attacker_counts"): "68faed61c87b1083",
    ("magic", "extra_draw_on_first_turn"): "1b69b66303fbc695",
    ("magic", "first_main_counts_skipped"): "87597dae603626ca",
    ("magic-2010", "as_printed"): "b493337edc598c16",
    ("magic-2010", "end_turn_repeats_cleanup"): "76f51021deb104b1",
    ("magic-classic", "edition"): "ffe6c201464344e1",
    ("magic-classic", "stopped_double_strike"): "181c97fbd9372be6",
    ("magic-classic", "two_cleanups_after_time_stop"): "f0bfbfc9d89757e7",
    ("grand-archive", "edition"): "5da575281250236d",
    ("grand-archive", "silent_combat_teardown"): "d0f777fd9c22fba7",
    ("grand-archive", "round_after_recheck"): "06d9455b754b0fea",
    ("grand-archive", "pantheon_first_draw"): "c14c95613fa03426",
    ("grand-archive", "next_player_acts_for_lost"): "361765b8d16d04ae",
    ("grand-archive", "round_after_materialize"): "ac6467116c31841b",
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
