"""Every error this package raises on purpose, under one root.

Each message names the place and what would be right; `suggest` writes the "did you mean".
"""

from __future__ import annotations

from collections.abc import Iterable

__all__ = [
    "AnswerError",
    "CoverageError",
    "DrawError",
    "FsmError",
    "HostError",
    "LogError",
    "ModelError",
    "ModelFileError",
    "OrderError",
    "RulesetError",
    "ScenarioError",
    "SnapshotError",
    "StaleAnswerError",
    "Stuck",
    "TraceError",
]


class FsmError(Exception):
    """Root of the hierarchy: catch this to catch everything the package raises on purpose."""


class ModelError(FsmError):
    """A model cannot be built: an unknown or duplicate name, or a malformed part."""


class ModelFileError(ModelError):
    """A model file is not a model: wrong JSON, wrong shape, or a wrong version."""


class RulesetError(FsmError):
    """A ruleset specification names no ruleset, or an option it does not have; or a table cannot be built.

    Attributes
    ----------
    option
        The name of the wrong option, or "" if something else is wrong.
    problems
        All that is wrong with a table, one sentence each. It is empty if the error is about something else.
    """

    def __init__(self, text: str = "", *, option: str = "", problems: tuple[str, ...] = ()) -> None:
        super().__init__(text)
        self.option = option
        self.problems = problems


class Stuck(FsmError):
    """The run met a place where nothing can fire: a hole in the model."""


class AnswerError(FsmError):
    """An answer does not fit the request that the controller is waiting on."""


class StaleAnswerError(AnswerError):
    """An answer is meant for a request that has been answered already."""


class HostError(FsmError):
    """A host cannot answer for a game: it has a handler that the model never asks, or lacks what is needed."""


class OrderError(FsmError):
    """An order to agenda or calendar names something that the model or the game does not have."""


class SnapshotError(FsmError):
    """A snapshot is damaged, edited, of another version, or of another model."""


class TraceError(FsmError):
    """A trace is damaged, belongs to another model, or does not replay as recorded.

    Attributes
    ----------
    line
        The line of the trace, counted from 1, or 0 if it is about the whole trace.
    """

    def __init__(self, text: str = "", *, line: int = 0) -> None:
        super().__init__(text)
        self.line = line


class ScenarioError(FsmError):
    """A scenario file is wrong; the message names file, place and what would be right.

    Attributes
    ----------
    where
        The place in the scenario, for instance "given[2].when.step", or "" if it is about the whole scenario or file.
    """

    def __init__(self, text: str = "", *, where: str = "") -> None:
        super().__init__(text)
        self.where = where


class LogError(FsmError):
    """A game log cannot be read at all: it has no line that can be recognised."""


class DrawError(FsmError):
    """A picture cannot be drawn: unknown view or format, or no renderer is available."""


class CoverageError(FsmError):
    """A criterion, or a recorded coverage, cannot be used: unknown, too many targets, or a damaged file."""


def suggest(wrong: object, known: Iterable[str], *, limit: int = 12) -> str:
    """Say what would be right instead of `wrong`: a near miss, or the whole list if it is short.

    Returns a clause that starts with "; ", ready to be appended to a message, or "".
    """
    from difflib import get_close_matches  # only who makes a mistake waits for it

    names = sorted(set(known))
    near = get_close_matches(wrong, names, n=1, cutoff=0.6) if isinstance(wrong, str) else ()
    if near:
        return f"; did you mean {near[0]!r}?"
    if names and len(names) <= limit:
        return f"; known: {', '.join(names)}"
    return ""


def shown(value: object, *, limit: int = 60) -> str:
    """A value as an error message shows it: its repr, cut if it is long, or its class if it has none."""
    try:
        text = repr(value)
    except Exception:  # the class is the user's; and a number of more than 4,300 digits has no repr
        return f"a value of type {type(value).__name__}"
    return text if len(text) <= limit else f"{text[: limit - 3]}..."
