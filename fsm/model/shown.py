"""What notebooks show."""

from __future__ import annotations

Bundle = dict[str, str]


class Shown:
    """A value that a notebook shows as text and picture."""

    __slots__ = ()

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> Bundle:
        """Called by a notebook: its text, and its picture where it can be drawn."""
        from fsm.views.draw import bundle

        return bundle(self)
