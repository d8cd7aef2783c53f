"""A Model that is sent to another process arrives as the same one, or not at all."""

from __future__ import annotations

import pickle
from pathlib import Path

import pytest

from fsm.errors import ModelError
from fsm.model import Model
from fsm.model.sent import SentModel


def test_the_same_model_arrives_by_its_name_and_as_json(magic: Model) -> None:
    for sent in (SentModel.of(magic, "magic"), SentModel.of(magic)):
        assert sent.model is magic, "who sends it goes on with it"
        assert pickle.loads(pickle.dumps(sent)) == sent
    elsewhere = SentModel("magic?stated_attacker_counts=true", magic.fingerprint)
    with pytest.raises(ModelError, match=r"a worker has another magic\?stated_attacker_counts=true"):
        _ = elsewhere.model


def test_a_file_that_has_changed_is_another_model(magic: Model, tmp_path: Path) -> None:
    file = tmp_path / "house.json"
    file.write_text(SentModel.of(magic).spec, encoding="utf-8")
    assert SentModel(str(file), magic.fingerprint).model == magic
    smaller = magic.without(magic.transitions[-1].id)
    with pytest.raises(ModelError, match="a worker has another"):
        _ = SentModel(str(file), smaller.fingerprint).model
