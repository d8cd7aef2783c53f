"""What is missing, without what follows from something else that is missing."""

from __future__ import annotations

import re
from collections.abc import Collection

from fsm.coverage.target import Coverage, Key, Result, Target


def own_missing(result: Result, coverage: Coverage) -> list[Target]:
    """Return the missing targets of a criterion that do not need a transition that is missing
    itself.
    """
    gone = {
        target.key for c in result.coverages if c.criterion == "transitions" for target in c.missing
    }
    return [
        t
        for t in coverage.missing
        if coverage.criterion == "transitions" or not _goes_with(t, gone)
    ]


def transitions_of(target: Target) -> list[str]:
    """Return the ids of the transitions that are part of a target. For a state, it is the id of the
    state.
    """
    return re.split(" where | needs: ", target.id)[0].split(" ; ")


def _goes_with(target: Target, gone: Collection[Key]) -> bool:
    """Whether this target can be taken only by transitions that are missing themselves."""
    if target.id.endswith((" fails", " does not fire")):
        return False
    return any((target.machine, id) in gone for id in transitions_of(target))
