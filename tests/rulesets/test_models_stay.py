"""The Models of the four rulebooks are as they were: whoever changes one says so here."""

from __future__ import annotations

import hashlib
import json
from typing import Any

import pytest

import fsm
from fsm.rulesets import options

DIGESTS = {
    ("magic", "edition"): "0191969f707066f4",
    ("magic", "stated_attacker_counts"): "42538c4c91543d34",
    ("magic", "extra_draw_on_first_turn"): "4449d0b12ea0cc9d",
    ("magic", "first_main_counts_skipped"): "5d0dd3298e94a276",
    ("magic-2010", "as_printed"): "cbf95ca7ed5c98d9",
    ("magic-2010", "end_turn_repeats_cleanup"): "e67e8ca74d347aeb",
    ("magic-classic", "edition"): "9017570fd5ac32b5",
    ("magic-classic", "stopped_double_strike"): "b038a6d3c1a9da1c",
    ("magic-classic", "two_cleanups_after_time_stop"): "f0ddf5058b1e6217",
    ("grand-archive", "edition"): "8e0e569011d1397f",
    ("grand-archive", "silent_combat_teardown"): "3b738958f151ee83",
    ("grand-archive", "round_after_recheck"): "3e28f7e8a81861a5",
    ("grand-archive", "pantheon_first_draw"): "9027341f4babe2f8",
    ("grand-archive", "next_player_acts_for_lost"): "79b7e949c9710312",
    ("grand-archive", "round_after_materialize"): "846ce959451919e6",
}
"""Of the Models with each value of an option."""


def plain(model: fsm.Model) -> dict[str, Any]:
    """A Model as JSON, without what says only which format it has, and roles, of which it has none."""
    data = model.to_json()
    for part in (data, data["window"]):
        assert (part.pop("format"), part.pop("roles")) == ("fsm-model-1", [])
    return data


@pytest.mark.parametrize(("name", "option"), DIGESTS)
def test_a_model_is_what_it_was(name: str, option: str) -> None:
    values = options(name)[option].values
    models = [plain(fsm.load(name, {option: value})) for value in values]
    text = json.dumps(models, sort_keys=True)
    assert hashlib.sha256(text.encode()).hexdigest()[:16] == DIGESTS[name, option]
