"""The Model of a turn, and the elements that it is made of: plain immutable data."""

from fsm.model.elements import (
    COMPOSITE,
    LAYERS,
    Action,
    Asks,
    Duration,
    Event,
    Fact,
    Kind,
    Layer,
    Opens,
    Owner,
    Role,
    Setting,
    State,
    Term,
    Timing,
    Transition,
)
from fsm.model.model import Model

__all__ = [
    "COMPOSITE",
    "LAYERS",
    "Action",
    "Asks",
    "Duration",
    "Event",
    "Fact",
    "Kind",
    "Layer",
    "Model",
    "Opens",
    "Owner",
    "Role",
    "Setting",
    "State",
    "Term",
    "Timing",
    "Transition",
]
