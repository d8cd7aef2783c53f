"""A Model as the text of a model file, which `fsm.load` reads back."""

from __future__ import annotations

import json

from fsm.model import Model
from fsm.views.drawing.options import DrawOptions


def modeljson(model: Model, options: DrawOptions) -> str:
    """Return the whole model as JSON, as `fsm/schemas/model.schema.json` describes it. The view is
    ignored.
    """
    return json.dumps(model.to_json(), indent=2, ensure_ascii=False) + "\n"
