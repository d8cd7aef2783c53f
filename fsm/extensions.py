"""What folders get from folders above them, which they must not import. `fsm` itself puts the two
together.
"""

from __future__ import annotations

TYPE_CHECKING = False  # as in typing, whose import would cost more than this module
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    BuiltIn = tuple[object, Mapping[str, object]]

Bundle = dict[str, str]


def _text(value: object) -> Bundle:
    return {"text/plain": repr(value)}


def _nothing(what: object) -> object:
    raise TypeError(f"a Model is needed, not {what!r}")


def _none(name: str, options: object) -> None:
    return None


def _unchecked(data: object, place: str) -> None:
    """Without the schema, reading a model finds out itself what is wrong."""


_check_model: Callable[[object, str], None] = _unchecked
_coverage: Callable[[], object] = object
_find_model: Callable[[object], object] = _nothing
_find_built_in: Callable[[str, Mapping[str, object]], BuiltIn | None] = _none
_replay: Callable[[object, object], object]
_show: Callable[[object], Bundle] = _text


def extend_coverage(load: Callable[[], object]) -> None:
    """From now on this makes the extension of `fsm.coverage`, when one is first needed."""
    global _coverage
    _coverage = load


def coverage_extension() -> object:
    """A new extension of `fsm.coverage`."""
    return _coverage()


def check_models_with(check: Callable[[object, str], None]) -> None:
    """From now on this raises an error for a model file that does not follow the schema."""
    global _check_model
    _check_model = check


def check_model(data: object, place: str) -> None:
    """Raise an error if plain JSON values are known not to be a model; `place` is what messages
    call them.
    """
    _check_model(data, place)


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


def find_built_in_models_with(find: Callable[[str, Mapping[str, object]], BuiltIn | None]) -> None:
    """From now on this makes the Model of a built-in ruleset."""
    global _find_built_in
    _find_built_in = find


def built_in_model(name: str, options: Mapping[str, object]) -> BuiltIn | None:
    """The Model of a built-in ruleset, with the options that differ from their defaults; None if
    there is none.
    """
    return _find_built_in(name, options)


def replay_with(replay: Callable[[object, object], object]) -> None:
    """From now on this replays a trace with a model."""
    global _replay
    _replay = replay


def replayed(trace: object, model: object) -> object:
    """The controller that a trace, replayed with a model, leads to."""
    return _replay(trace, model)


class Shown:
    """A value that a notebook shows as text and picture."""

    __slots__ = ()

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> Bundle:
        """Called by a notebook: its text, and its picture where it can be drawn."""
        return _show(self)
