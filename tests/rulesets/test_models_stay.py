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
    ("magic", "edition"): "c07a3d50840917fa",
    ("magic", "stated_attacker_counts"): "b618c95b2193cd97",
    ("magic", "extra_draw_on_first_turn"): "96519255f5854bb4",
    ("magic", "first_main_counts_skipped"): "a9ac54d684bb27ac",
    ("magic-2010", "as_printed"): "f579de510d36d73f",
    ("magic-2010", "end_turn_repeats_cleanup"): "f8cbbeebe2faf8e2",
    ("magic-classic", "edition"): "3ab9973b68ef2f67",
    ("magic-classic", "stopped_double_strike"): "a078e423723a038f",
    ("magic-classic", "two_cleanups_after_time_stop"): "c7363f1c74829cef",
    ("grand-archive", "edition"): "173d54c2d331f290",
    ("grand-archive", "silent_combat_teardown"): "ebcd042d57348c78",
    ("grand-archive", "round_after_recheck"): "bd9bda03b854296a",
    ("grand-archive", "pantheon_first_draw"): "71d52e4589dc6cf6",
    ("grand-archive", "next_player_acts_for_lost"): "08da4f0003f1afb9",
    ("grand-archive", "round_after_materialize"): "3490947275697b23",
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
