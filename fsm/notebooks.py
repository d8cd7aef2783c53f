"""How values show themselves in a notebook.

The views say how, and this module must not know them: `fsm` itself puts the two together.
"""

from __future__ import annotations

TYPE_CHECKING = False  # as in typing, whose import would cost more than this module
if TYPE_CHECKING:
    from collections.abc import Callable

Bundle = dict[str, str]


def _text(value: object) -> Bundle:
    return {"text/plain": repr(value)}


_show: Callable[[object], Bundle] = _text


def show_with(show: Callable[[object], Bundle]) -> None:
    """From now on this says what a notebook shows of a value."""
    global _show
    _show = show


class Shown:
    """A value that a notebook shows as text and picture."""

    __slots__ = ()

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> Bundle:
        """Called by a notebook: its text, and its picture where it can be drawn."""
        return _show(self)
