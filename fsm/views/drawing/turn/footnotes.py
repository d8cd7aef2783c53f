"""Footnotes of the turn's picture: what no label has room for is said under the title."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from fsm.model import Layer
from fsm.views.drawing.measures import CITATION
from fsm.views.drawing.placed import Words


@dataclass(frozen=True, slots=True)
class Footnotes:
    """The footnotes so far."""

    said: list[str] = field(default_factory=list)

    def mark(self, words: Sequence[Words], layer: Layer) -> Words:
        """Say these words in a footnote; returns its number, to be written where the words had no
        room.
        """
        number = f"({len(self.said) + 1})"
        self.said.append(f"{number} {' '.join(w.text for w in words)}.")
        return Words(number, CITATION, True, layer)
