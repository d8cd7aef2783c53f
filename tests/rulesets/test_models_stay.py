"""The Models of the four rulebooks are as they were: whoever changes one says so here."""

from __future__ import annotations

import hashlib
import json
from typing import Any

import pytest

import fsm
from fsm.rulesets import options

DIGESTS = {
    "magic": "43c1f0e9fa8aa2d8",
    "magic-2010": "95b1fc0d4e8cbcb5",
    "magic-classic": "2049af6c95f67425",
    "grand-archive": "8ac802ac7bce6fb2",
}
"""Of the Model with each value of each option."""


def plain(model: fsm.Model) -> dict[str, Any]:
    """A Model as JSON, without what says only which format it has, and roles, of which it has none."""
    data = model.to_json()
    for part in (data, data["window"]):
        assert (part.pop("format"), part.pop("roles")) == ("fsm-model-1", [])
    return data


@pytest.mark.parametrize("name", DIGESTS)
def test_a_model_is_what_it_was(name: str) -> None:
    models = [plain(fsm.load(name, {o: v})) for o, of in options(name).items() for v in of.values]
    text = json.dumps(models, sort_keys=True)
    assert hashlib.sha256(text.encode()).hexdigest()[:16] == DIGESTS[name]
