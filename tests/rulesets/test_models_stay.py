"""The Models of the four rulebooks are as they were: whoever changes one says so here."""

from __future__ import annotations

import hashlib
import json
from typing import Any

import pytest

import fsm
from fsm.rulesets import options

DIGESTS = {
    "magic": "ef8174b91284c453",
    "magic-2010": "9e6f477c7f3e6ebd",
    "magic-classic": "4e55b37a5cba0f02",
    "grand-archive": "8cc0fd4dfe7a25b9",
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
