"""Count what Python does, so that the growth of a cost can be tested without a clock."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from math import log
from types import FrameType
from typing import Any


def operations(call: Callable[[], object]) -> int:
    """Return how many lines and calls it takes: each pass of a loop counts, also in a
    comprehension.
    """
    count, before = 0, sys.gettrace()

    def trace(frame: FrameType, event: str, _: Any) -> Any:
        nonlocal count
        count += event in ("line", "call")
        return trace

    sys.settrace(trace)
    try:
        call()
    finally:
        sys.settrace(before)
    return count


def exponent(counts: Mapping[int, int]) -> float:
    """Return the slope from the smallest to the largest size, as logarithms: 1 if the count grows
    as the size does.
    """
    small, large = min(counts), max(counts)
    return log(counts[large] / counts[small]) / log(large / small)
