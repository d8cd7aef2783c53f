"""Sends a Model to other processes: as its specification or as JSON, with its fingerprint."""

from __future__ import annotations

import json
from dataclasses import dataclass

from fsm.errors import ModelError
from fsm.model.likeness import as_model
from fsm.model.model import Model

KEPT = 8
"""A process keeps the Models that were sent last."""


@dataclass(frozen=True, slots=True)
class SentModel:
    """A Model on its way: its specification, or its JSON, and its fingerprint."""

    spec: str
    fingerprint: str

    @classmethod
    def of(cls, model: Model, spec: str = "") -> SentModel:
        """Send a Model, by its specification if it has one. The process that sends it goes on with the same Model."""
        sent = cls(spec or json.dumps(model.to_json()), model.fingerprint)
        _keep(sent, model)
        return sent

    @property
    def model(self) -> Model:
        """The Model. Raises ModelError if this specification is of another one in this process."""
        if self not in _kept:
            model = Model.from_json(json.loads(self.spec)) if self.spec.startswith("{") else as_model(self.spec)
            if model.fingerprint != self.fingerprint:
                raise ModelError(
                    f"a worker has another {self.spec} than the command",
                    kind="other-model",
                    found=model.fingerprint,
                    remedy="give it the same files, and start it anew, because it keeps what it has imported",
                )
            _keep(self, model)
        return _kept[self]


_kept: dict[SentModel, Model] = {}


def _keep(sent: SentModel, model: Model) -> None:
    if len(_kept) >= KEPT:
        del _kept[next(iter(_kept))]
    _kept[sent] = model
