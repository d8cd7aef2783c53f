"""Timing things against each other, and what a bar found."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import repeat
from statistics import median
from time import process_time

from fsm.errors import FsmError


class BenchError(FsmError):
    """A bar cannot be measured: it is unknown, or what is compared does not do the same."""


@dataclass(frozen=True, slots=True)
class Effort:
    """`rounds`, in each about `seconds` of the processor for each contender; `scale` of sizes."""

    rounds: int
    seconds: float
    scale: float


FULL = Effort(11, 0.05, 1.0)
QUICK = Effort(3, 0.005, 0.05)


@dataclass(frozen=True, slots=True)
class Row:
    """What a bar found. `ours` and `reference` are in `unit`.

    With a reference the limit is for the ratio: how many times as long as the reference, or with
    `faster`, how many times as fast. Without one it is for `ours`: at most, or with `faster` at
    least. A limit of None is none; `ours` is None if it cannot be measured here.
    """

    bar: str
    what: str
    unit: str
    limit: float | None
    ours: float | None
    against: str = ""
    reference: float | None = None
    ratio: float | None = None
    faster: bool = False

    @property
    def met(self) -> bool | None:
        """Whether the limit is met; None if nothing can be said."""
        found = self.ratio if self.against else self.ours
        if found is None or self.limit is None:
            return None
        return found >= self.limit if self.faster else found <= self.limit

    def cells(self) -> tuple[str, ...]:
        """The row as people read it."""
        limit = "-" if self.limit is None else f"{'at least' if self.faster else 'at most'} "
        limit += "" if self.limit is None else f"{self.limit:g} {'' if self.against else self.unit}"
        met = {True: "yes", False: "no", None: "-"}[self.met]
        reference = f"{self.against}, {_amount(self.reference, self.unit)}" if self.against else ""
        ours, ratio = _amount(self.ours, self.unit), _amount(self.ratio, "")
        return (self.bar, self.what, ours, reference, ratio, limit.strip(), met)


Samples = Mapping[str, Sequence[float]]
"""Seconds of the processor for one call, round by round, by name."""


def interleave(calls: Mapping[str, Callable[[], object]], effort: Effort) -> Samples:
    """Time each call in each round, beginning with another one every round; none is cold."""
    times = {name: max(1, round(effort.seconds / _once(call))) for name, call in calls.items()}
    samples: dict[str, list[float]] = {name: [] for name in calls}
    names = list(calls)
    with undisturbed():
        for number in range(effort.rounds):
            first = number % len(names)
            for name in names[first:] + names[:first]:
                gc.collect()
                samples[name].append(_timed(calls[name], times[name]) / times[name])
    return samples


@contextmanager
def undisturbed() -> Iterator[None]:
    """No garbage collection in here but when asked for, and then only of what is new."""
    gc.collect()
    gc.freeze()
    gc.disable()
    try:
        yield
    finally:
        gc.unfreeze()
        gc.enable()


def ratio(samples: Samples, slower: str, faster: str) -> float:
    """How many times as long: the median of the ratios of each round."""
    return median(a / b for a, b in zip(samples[slower], samples[faster], strict=True))


def seconds(call: Callable[[], object]) -> float:
    """The seconds of the processor that one call takes."""
    gc.collect()
    return _timed(call, 1)


def _once(call: Callable[[], object]) -> float:
    call()
    return min(max(_timed(call, 1), 1e-9) for _ in range(2))


def _timed(call: Callable[[], object], times: int) -> float:
    began = process_time()
    for _ in repeat(None, times):
        call()
    return process_time() - began


def _amount(value: float | None, unit: str) -> str:
    """A figure with three digits that count."""
    if value is None:
        return ""
    return f"{value:,.0f} {unit}".strip() if abs(value) >= 100 else f"{value:.3g} {unit}".strip()
