"""The bar of drawing: the whole diagram of a Magic turn, to SVG, in process, with everything
loaded.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from benchmarks.results import Effort, Result
from benchmarks.timing import interleave, middle
from fsm import rulesets


def draw(bars: Sequence[str], effort: Effort) -> Iterator[Result]:
    """Draw the turn from the Model to the finished SVG."""
    from fsm.views.drawing import draw as picture

    model = rulesets.load("magic")
    samples = interleave({"": lambda: picture(model)}, effort.rounds, effort.seconds)
    yield Result(bars[0], "draw(model), warm", "ms", 50.0, middle(samples, "") * 1e3)
