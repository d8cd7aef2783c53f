"""Timing things against each other: interleaved rounds in one process, the garbage collector off
for all alike.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import repeat
from statistics import median
from time import perf_counter

Samples = Mapping[str, Sequence[float]]
"""Seconds for one call, round by round, by name."""


Clock = Callable[[], float]


def interleave(
    calls: Mapping[str, Callable[[], object]],
    rounds: int,
    seconds: float,
    clock: Clock = perf_counter,
) -> Samples:
    """Time each call in each round, for about so many seconds, beginning with another one every
    round.

    Each is called once before, so that nothing is measured cold.
    """
    times = {name: max(1, round(seconds / _once(call, clock))) for name, call in calls.items()}
    samples: dict[str, list[float]] = {name: [] for name in calls}
    names = list(calls)
    with undisturbed():
        for number in range(rounds):
            first = number % len(names)
            for name in names[first:] + names[:first]:
                gc.collect()
                samples[name].append(_timed(calls[name], times[name], clock) / times[name])
    return samples


@contextmanager
def undisturbed() -> Iterator[None]:
    """No garbage collection in here but when asked for, and then only of what is new."""
    collecting = gc.isenabled()
    gc.collect()
    gc.freeze()
    gc.disable()
    try:
        yield
    finally:
        gc.unfreeze()
        if collecting:
            gc.enable()


def middle(samples: Samples, name: str) -> float:
    """The median time of one call, in seconds."""
    return median(samples[name])


def ratio(samples: Samples, slower: str, faster: str) -> float:
    """How many times as long: the median of the ratios of each round."""
    return median(a / b for a, b in zip(samples[slower], samples[faster], strict=True))


def _once(call: Callable[[], object], clock: Clock) -> float:
    call()
    return min(max(_timed(call, 1, clock), 1e-9) for _ in range(2))


def _timed(call: Callable[[], object], times: int, clock: Clock) -> float:
    began = clock()
    for _ in repeat(None, times):
        call()
    return clock() - began
