"""What tells one machine from another in recorded data."""

from __future__ import annotations

import hashlib

from msgspec import Struct

from fsm.model import Model
from fsm.model.model import per_model


class Subject(Struct, frozen=True, order=True):
    """Identifies the model to which recorded data belongs.

    A plain machine is identified by its definition and the place where it was made. Neither its
    initial state nor what it drives nor its callbacks matter: an object restored from a database is
    driven by the same machine as a new one. The definition is that of its first event, so a machine
    that changes later stays the same subject.

    Attributes
    ----------
    name
        The name of the model with its options: `name?option=value`. For a plain machine, the class
        of the object that it drives, or its own class.
    fingerprint
        The fingerprint of the model.
    place
        Where a plain machine was made, `file:line`, or "" if it was made before the collection
        began.
    """

    name: str
    fingerprint: str
    place: str = ""

    @property
    def label(self) -> str:
        """The name and the place, as reports show them."""
        return f"{self.name} ({self.place})" if self.place else self.name


@per_model
def subject_of(model: Model) -> Subject:
    """Return the subject under which data of a model is recorded.

    Parameters
    ----------
    model
        The Model.

    Returns
    -------
    Subject
        The name with the options, `name?option=value`, and the fingerprint.
    """
    options = "&".join(f"{name}={value}" for name, value in sorted(model.options.items()))
    fingerprint = model.fingerprint if model.played else _fingerprint(model)
    return Subject(f"{model.name}?{options}" if options else model.name, fingerprint)


def _fingerprint(model: Model) -> str:
    """Return a hash of the states and transitions of a plain machine.

    It leaves out names, docs and callbacks, and the states to which only a start leads.
    """
    entered = {row.target for row in model.transitions}
    states = [state for state in model.states if not state.stand_in or state.id in entered]
    known = {state.id for state in states}
    said: list[object] = [*sorted(model.options.items())]
    said += [[s.id, s.kind, s.label, s.parent, s.role, s.rule] for s in states]
    for row in model.transitions:
        if row.source in known:
            said.append([row.id, row.source, str(row.target), row.event, row.layer, row.rule])
    return hashlib.sha256(repr(said).encode()).hexdigest()[:16]
