"""Hypothesis strategies for whole games of a Model and for paths that take its transitions.

The `hypothesis` package is needed.
"""

from __future__ import annotations

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from fsm.model import Model
from fsm.testing.fuzzing.randomwalk import RandomAnswers, wanderings_of
from fsm.testing.fuzzing.weights import EVENTFUL
from fsm.testing.generation.generating import paths as generated
from fsm.testing.generation.path import Path, Start, starts


def games(model: Model, *, most: int = 60) -> SearchStrategy[Path]:
    """Return a strategy for games of at most `most` answers, with every word, fact, order and
    signal of the model.
    """
    return _games(model, most)


@st.composite
def _games(draw: DrawFn, model: Model, most: int) -> Path:
    start = draw(st.sampled_from(starts(model)))
    length = draw(st.integers(0, most))
    generator = draw(st.randoms(use_true_random=False))
    random = RandomAnswers(wanderings_of(model, EVENTFUL), generator, start.players)
    return Path(model, start, tuple(random.play(start.controller(model), length)))


def paths(model: Model, criterion: str = "transitions", *, effort: int = 0) -> SearchStrategy[Path]:
    """Return a strategy for the paths that take all of a criterion, and for their beginnings."""
    made = [path for path in generated(model, criterion, effort=effort) if path.answers]

    def beginning(path: Path) -> SearchStrategy[Path]:
        return st.integers(0, len(path.answers)).map(
            lambda n: Path(model, path.start, path.answers[:n])
        )

    return st.sampled_from(made or [Path(model, Start(), ())]).flatmap(beginning)
