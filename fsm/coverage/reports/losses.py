"""Says in sentences what was lost against a baseline file, and what was gained."""

from __future__ import annotations

from collections.abc import Iterator

from fsm.coverage.comparing import Difference

MOST = 5
"""At most this many lost targets are named."""


def lost_from(path: str, found: Difference) -> Iterator[str]:
    """Yield a problem of several lines if anything was lost."""
    if found.lost:
        head = f"{path}: {len(found.lost)} of what it lists is no longer taken"
        lost = [f"{one.subject}: {one.kind} {one.id}" for one in found.lost[:MOST]]
        rest = [f"and {len(found.lost) - MOST} more"] if len(found.lost) > MOST else []
        yield "\n    ".join([head, *lost, *rest])


def notes_on(path: str, found: Difference) -> Iterator[str]:
    """Yield what has changed and what was gained, and how to update the file."""
    yield from (f"{path}: {note}" for note in found.notes)
    if found.gained:
        yield f"{path}: {len(found.gained)} more is taken than it lists"
    if found.gained or found.notes:
        yield f"{path}: 'fsm cover baseline -o {path}' brings it up to date"
