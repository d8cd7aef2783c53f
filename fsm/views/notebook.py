"""What a notebook shows of a value: its text, and a picture of the turn where it can be drawn."""

from __future__ import annotations

from fsm.engine.controller import TurnController
from fsm.engine.trace import Trace
from fsm.errors import FsmError
from fsm.model import Model
from fsm.model.shown import Bundle
from fsm.views.draw import draw


def bundle(value: object) -> Bundle:
    """The text of a Model, game or Trace, and its picture, or why it is not drawn."""
    try:
        picture = _picture(value)
    except FsmError as error:
        return {"text/plain": f"{value} (not drawn: {error})"}
    return {"text/plain": str(value), **({"image/svg+xml": picture} if picture else {})}


def _picture(value: object) -> str:
    """The turn at a glance, with what the value says of it. "" if its model is not known."""
    if isinstance(value, Model):
        return draw(value)
    if isinstance(value, TurnController):
        return draw(value)
    if isinstance(value, Trace) and value.model is not None:
        return draw(value.model, trace=value.records)
    return ""
