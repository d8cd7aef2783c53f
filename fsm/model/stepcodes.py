"""Short codes for the steps of a Model, for where there is room for two letters."""

from __future__ import annotations

import re
from itertools import chain, count

from fsm.model.model import Model

_SMALL_WORDS = frozenset({"", "of", "the", "and", "a", "to"})


def step_codes(model: Model) -> dict[str, str]:
    """Two letters for each step: the initials of its name, or the first two letters of a single
    word.

    Steps of one family that would share a code get its first letter and a number (M1, M2); others
    another letter of their name, a consonant if there is one.
    """
    codes = dict[str, str]()
    names = {step.id: step.name or step.id for step in model.of_kind("step")}
    families = {id: getattr(model.enclosing(id, "phase"), "family", "") for id in names}
    wanted = {id: _initials(name) for id, name in names.items()}
    for id, code in wanted.items():
        letters = filter(str.isalnum, names[id][1:].upper())
        others = sorted(letters, key=lambda letter: letter in "AEIOU")
        tried = [code, *(code[0] + letter for letter in others)]
        alike = [families[other] for other in names if wanted[other] == code]
        stem = code
        if len(alike) > len({*alike}) == 1 and alike[0]:
            tried = []
            stem = alike[0][0].upper()
        numbered = (f"{stem}{number}" for number in count(1))
        taken = {*wanted.values()} - {code} | {*codes.values()}
        codes[id] = next(each for each in chain(tried, numbered) if each not in taken)
    return codes


def _initials(name: str) -> str:
    words = [word for word in re.split(r"[-_ ]", name) if word not in _SMALL_WORDS] or [name]
    letters = words[0] if len(words) == 1 else words[0][0] + words[1][0]
    return letters[:2].upper()
