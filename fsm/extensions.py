"""What folders get from folders above them, which they must not import. `fsm` itself puts the two together."""

from __future__ import annotations

TYPE_CHECKING = False  # as in typing, whose import would cost more than this module
if TYPE_CHECKING:
    from collections.abc import Callable

Bundle = dict[str, str]


def _text(value: object) -> Bundle:
    return {"text/plain": repr(value)}


def _nothing(what: object) -> object:
    raise TypeError(f"a Model is needed, not {what!r}")


_coverage: Callable[[], object] = object
_find_model: Callable[[object], object] = _nothing
_show: Callable[[object], Bundle] = _text


def extend_coverage(load: Callable[[], object]) -> None:
    """From now on this makes the extension of `fsm.coverage`, when one is first needed."""
    global _coverage
    _coverage = load


def coverage_extension() -> object:
    """A new extension of `fsm.coverage`."""
    return _coverage()


def show_with(show: Callable[[object], Bundle]) -> None:
    """From now on this says what a notebook shows of a value."""
    global _show
    _show = show


def find_models_with(find: Callable[[object], object]) -> None:
    """From now on this makes a Model of what names or builds one."""
    global _find_model
    _find_model = find


def found_model(what: object) -> object:
    """The Model that something names or builds."""
    return _find_model(what)


class Shown:
    """A value that a notebook shows as text and picture."""

    __slots__ = ()

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> Bundle:
        """Called by a notebook: its text, and its picture where it can be drawn."""
        return _show(self)
