"""A Model as the text of a model file, which `fsm.load` reads back."""

from __future__ import annotations

import json

from fsm.model import Model
from fsm.views.drawing.options import Asked


def modeljson(model: Model, asked: Asked) -> str:
    """The model's JSON, described by `fsm/schemas/model.schema.json`: the whole of it, whatever view is asked for."""
    return json.dumps(model.to_json(), indent=2, ensure_ascii=False) + "\n"
