"""How values show themselves in a notebook.

The views say how, and this module must not know them: `fsm` itself puts the two together.
"""

from __future__ import annotations

from collections.abc import Callable

Bundle = dict[str, str]


class Shown:
    """A value that a notebook shows as text and picture."""

    __slots__ = ()
    show: Callable[[object], Bundle]

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> Bundle:
        """Called by a notebook: its text, and its picture where it can be drawn."""
        return Shown.show(self)
