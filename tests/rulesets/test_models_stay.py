"""The Models of the four rulebooks are as they were: whoever changes one says so here."""

from __future__ import annotations

import hashlib
import json
from typing import Any

import pytest

import fsm
from fsm.rulesets import options

DIGESTS = {
    ("magic", "edition"): "d79553932fd9efce",
    ("magic", "stated_attacker_counts"): "02e2d8bec71c4702",
    ("magic", "extra_draw_on_first_turn"): "82b25079a4682f76",
    ("magic", "first_main_counts_skipped"): "38040a2c4ee604be",
    ("magic-2010", "as_printed"): "a3cd00640ec303da",
    ("magic-2010", "end_turn_repeats_cleanup"): "2072d00f514b841c",
    ("magic-classic", "edition"): "007970975b52f75b",
    ("magic-classic", "stopped_double_strike"): "1377c3b734d31157",
    ("magic-classic", "two_cleanups_after_time_stop"): "21a22b8eb8480272",
    ("grand-archive", "edition"): "b845a238945a18db",
    ("grand-archive", "silent_combat_teardown"): "b2ed1c386566c107",
    ("grand-archive", "round_after_recheck"): "a93a97012793f9c2",
    ("grand-archive", "pantheon_first_draw"): "56d9b7e8c79e6c7e",
    ("grand-archive", "next_player_acts_for_lost"): "f8dd0d93b66f2445",
    ("grand-archive", "round_after_materialize"): "b468ee16fcaac853",
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
