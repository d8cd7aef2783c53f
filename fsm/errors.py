"""Every error this package raises on purpose, under one root.

Each message names the place and what would be right; `suggest` writes the "did you mean".
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

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
    "PreviewError",
    "RulesetError",
    "ScenarioError",
    "SnapshotError",
    "StaleAnswerError",
    "StuckError",
    "TraceError",
]


_LONG = re.compile(r"""(?<!\w)(['"])(?=\S)(?:(?!\1).){200,}\1|\S{200,}""", re.DOTALL)
"""What was given stands in quotation marks, or is one word. So much of it is not told."""

_WORD = re.compile("[A-Z][a-z]*")


class FsmError(Exception):
    """Root of the hierarchy: catch this to catch everything the package raises on purpose.

    The text says what is wrong and, after a semicolon, what would be right. Programs read the
    attributes instead.

    Parameters
    ----------
    text
        What is wrong.
    kind, place, found, remedy, known, rule, problems
        The attributes. What is known is told by the remedy, if no other is given.

    Attributes
    ----------
    kind
        A stable word for what is wrong, such as "unknown-step". If nothing more special fits, it is
        that of the class, such as "answer".
    place
        Where it is, such as "answer.orders[1].step" or "given[2].when.step", or "".
    found
        What is there instead of what would be right, or None.
    remedy
        What would be right, or "".
    known
        The names of which one would be right, if the error is about a name.
    rule
        The number of the rule that says so, or "".
    problems
        All that is wrong, one sentence each, if there can be several things. Otherwise it is empty.
    """

    def __init__(  # noqa: PLR0913 - each is a part of one error
        self,
        text: str = "",
        *,
        kind: str = "",
        place: str = "",
        found: object = None,
        remedy: str = "",
        known: Iterable[str] = (),
        rule: str = "",
        problems: Iterable[str] = (),
    ) -> None:
        self.known: tuple[str, ...] = tuple(sorted(set(known)))
        said = remedy or suggest(found, self.known).removeprefix("; ")
        whole = f"{text}; {said}" if said else text
        super().__init__(_LONG.sub(lambda given: f"{given[0][:196]}...{given[1] or ''}", whole))
        words = _WORD.findall(type(self).__name__.removesuffix("Error"))
        self.kind: str = kind or "-".join(words).lower()
        self.place = place
        self.found = found
        self.remedy: str = said or text.rpartition("; ")[2] * ("; " in text)
        self.rule = rule
        self.problems: tuple[str, ...] = tuple(problems)

    @classmethod
    def known_name(
        cls, kind: str, name: str, known: Iterable[str], where: str = "", place: str = ""
    ) -> str:
        """Return a name. Raise this error if it is not one of those known: "step 'upkep' is not in
        magic; did you mean 'upkeep'?".
        """
        if name not in known:
            text = f"{kind} {name!r} is {f'not in {where}' if where else 'unknown'}"
            raise cls(text, kind=f"unknown-{kind}", place=place, found=name, known=known)
        return name

    def to_json(self) -> dict[str, Any]:
        """Return plain JSON values: the name of the class under "is", the text, and every
        attribute.
        """
        values = {"is": type(self).__name__, "text": str(self), **vars(self)}
        if len(shown(self.found, limit=200)) == 200:  # it was cut
            values["found"] = shown(self.found)
        return values


class ModelError(FsmError):
    """A model cannot be built: an unknown or duplicate name, or a malformed part."""


class ModelFileError(ModelError):
    """A model file is not a model: wrong JSON, wrong shape, or a wrong version."""


class RulesetError(FsmError):
    """A ruleset specification names no ruleset, or an option it does not have; or a table cannot be
    built.

    If an option is wrong, the place is "options." and its name.
    """


class StuckError(FsmError):
    """The run met a place where nothing can fire: a hole in the model."""


class AnswerError(FsmError):
    """An answer does not fit the request that the controller is waiting on."""


class StaleAnswerError(AnswerError):
    """An answer is meant for a request that has been answered already."""


class HostError(FsmError):
    """A host cannot answer for a game: it has a handler that the model never asks, or lacks what is
    needed.
    """


class OrderError(FsmError):
    """An order names something that the model or the game does not have."""


class PreviewError(FsmError):
    """The rest of a turn can go in too many ways to be told in advance."""


class SnapshotError(FsmError):
    """A snapshot is damaged, edited, of another version, or of another model."""


class TraceError(FsmError):
    """A trace is damaged, belongs to another model, or does not replay as recorded.

    Parameters
    ----------
    text, **more
        As for `FsmError`.
    line
        The line of the trace, counted from 1, or 0 if it is about the whole trace.

    Attributes
    ----------
    line
        The line of the trace, counted from 1, or 0 if it is about the whole trace.
    """

    def __init__(self, text: str = "", *, line: int = 0, **more: Any) -> None:
        super().__init__(text, **{"place": f"line {line}" if line else "", **more})
        self.line = line


class ScenarioError(FsmError):
    """A scenario file is wrong; the message names file, place and what would be right."""


class LogError(FsmError):
    """A game log cannot be read at all: it has no line that can be recognised."""


class DrawError(FsmError):
    """A picture cannot be drawn: unknown view or format, or no renderer is available."""


class CoverageError(FsmError):
    """A criterion, or a recorded coverage, cannot be used: unknown, too many targets, or a damaged
    file.
    """


def suggest(wrong: object, known: Iterable[str], *, limit: int = 20) -> str:
    """Say what would be right instead of `wrong`: a near miss, or the whole list if it is short.

    Returns a clause that starts with "; ", ready to be appended to a message, or "".
    """
    from difflib import get_close_matches  # only who makes a mistake waits for it

    names = sorted({*known} - {""})
    for near in get_close_matches(wrong, names, n=1) if isinstance(wrong, str) else ():
        return f"; did you mean {near!r}?"
    return f"; known: {', '.join(names)}" if 0 < len(names) <= limit else ""


def shown(value: object, *, limit: int = 60) -> str:
    """A value as an error message shows it: its repr, cut if it is long, or its class if it has
    none.
    """
    try:
        text = repr(value)
    except Exception:  # the class is the user's; and a number of more than 4,300 digits has no repr
        return f"a value of type {type(value).__name__}"
    return text if len(text) <= limit else f"{text[: limit - 3]}..."
