"""What can be reached by going on from some things: states, transitions or whatever follows
something else.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Set
from typing import TypeVar

_T = TypeVar("_T")


def reachable_from(start: Iterable[_T], onward: Callable[[_T], Iterable[_T]]) -> Set[_T]:
    """Return everything that can be reached, breadth first.

    Parameters
    ----------
    start
        Where to begin. It is reached too.
    onward
        Returns what follows directly.

    Returns
    -------
    Set
        What is reached. It is iterated in the order in which it was found.
    """
    found = dict.fromkeys(start)
    queue = list(found)
    for here in queue:
        for there in onward(here):
            if there not in found:
                found[there] = None
                queue.append(there)
    return found.keys()
