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
    steps = model.of_kind("step")
    codes = dict[str, str]()
    wanted = {step: _initials(step.name or step.id) for step in steps}
    for step, code in wanted.items():
        tried = _lettered(step.name or step.id, code)
        families = [_family(model, other) for other in steps if wanted[other] == code]
        if len(families) > 1 and len(set(families)) == 1:
            tried = _numbered(families[0] or code)
        taken = {*wanted.values()} - {code}
        taken.update(codes.values())
        codes[step.id] = next(each for each in tried if each not in taken)
    return codes


def _family(model: Model, step: State) -> str:
    phase = model.enclosing(step.id, "phase")
    return "" if phase is None else phase.family or phase.name or phase.id


def _numbered(name: str) -> Iterator[str]:
    letter = name[0].upper()
    return (f"{letter}{number}" for number in count(1))


def _lettered(name: str, code: str) -> Iterator[str]:
    """The code, then its first letter with each other letter of the name, then with numbers."""
    letters = [letter for letter in name.upper()[1:] if letter.isalnum()]
    letters.sort(key=lambda letter: letter in "AEIOU")
    yield code
    for letter in letters:
        yield code[0] + letter
    yield from _numbered(code)


def _initials(name: str) -> str:
    words = re.split(r"[-_ ]+", name.lower())
    words = [word for word in words if word not in _SMALL_WORDS] or [name]
    letters = words[0] if len(words) == 1 else words[0][0] + words[1][0]
    return letters[:2].upper()
