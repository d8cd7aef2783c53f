"""Short codes for the steps of a Model, for where there is room for two letters."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import count

from fsm.model.elements import State
from fsm.model.model import Model

_SMALL_WORDS = frozenset({"", "of", "the", "and", "a", "to"})


def step_codes(model: Model) -> dict[str, str]:
    """Two letters for each step: the initials of its name, or the first two letters of a single
    word.

    Steps of one family that would share a code get its first letter and a number (M1, M2); others
    another letter of their name, a consonant if there is one.
    """
    steps, codes = model.of_kind("step"), dict[str, str]()
    wanted = {step: _initials(step.name or step.id) for step in steps}
    for step, code in wanted.items():
        families = [_family(model, other) for other in steps if wanted[other] == code]
        if len(families) > 1 and len(set(families)) == 1:
            tried = _numbered(families[0] or code)
        else:
            tried = _lettered(step.name or step.id, code)
        others = {*wanted.values()} - {code}
        free = (each for each in tried if each not in others and each not in codes.values())
        codes[step.id] = next(free)
    return codes


def _family(model: Model, step: State) -> str:
    phase = model.enclosing(step.id, "phase")
    return "" if phase is None else phase.family or phase.name or phase.id


def _numbered(name: str) -> Iterator[str]:
    return (f"{name[0].upper()}{n}" for n in count(1))


def _lettered(name: str, code: str) -> Iterator[str]:
    """The code, then its first letter with each other letter of the name, then with numbers."""
    letters = [c for c in name.upper()[1:] if c.isalnum()]
    yield code
    yield from (f"{code[0]}{c}" for c in sorted(letters, key=lambda c: c in "AEIOU"))
    yield from _numbered(code)


def _initials(name: str) -> str:
    words = [word for word in re.split(r"[-_ ]+", name.lower()) if word not in _SMALL_WORDS]
    if len(words) > 1:
        return f"{words[0][0]}{words[1][0]}".upper()
    return "".join(words or [name])[:2].upper()
