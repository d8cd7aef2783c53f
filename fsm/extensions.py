"""What a folder gets from folders above it. It must not know them: `fsm` itself puts the two together."""

from __future__ import annotations

TYPE_CHECKING = False  # as in typing, whose import would cost more than this module
if TYPE_CHECKING:
    from collections.abc import Callable

_coverage: Callable[[], object] = object


def extend_coverage(load: Callable[[], object]) -> None:
    """From now on this makes the extension of `fsm.coverage`, when one is first needed."""
    global _coverage
    _coverage = load


def coverage_extension() -> object:
    """A new extension of `fsm.coverage`."""
    return _coverage()
