"""Short codes for the steps of a Model, for where there is room for two letters."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count

from fsm.model.model import Model

SMALL_WORDS = frozenset({"of", "the", "and", "a", "to"})


def step_codes(model: Model) -> dict[str, str]:
    """Two letters for each step: the initials of its name, or the first two letters of a single
    word.

    Steps of one family that would share a code get its first letter and a number (M1, M2); others
    another letter of their name, a consonant if there is one.
    """
    steps = model.of_kind("step")
    wanted = {step.id: _initials(step.name or step.id) for step in steps}
    kin = {
        step.id: (p.family or p.name or p.id) if (p := model.enclosing(step.id, "phase")) else ""
        for step in steps
    }
    shared = {step.id: [s.id for s in steps if wanted[s.id] == wanted[step.id]] for step in steps}
    codes: dict[str, str] = {}
    for step in steps:
        family = len(shared[step.id]) > 1 and len({kin[id] for id in shared[step.id]}) == 1
        code, name = wanted[step.id], step.name or step.id
        names = _numbered(kin[step.id] or code) if family else _lettered(name, code)
        others = (
            other for id, other in wanted.items() if id not in shared[step.id] and id not in codes
        )
        taken = {*codes.values(), *others}
        codes[step.id] = next(code for code in names if code not in taken)
    return codes


def _numbered(name: str) -> Iterator[str]:
    return (f"{name[0].upper()}{n}" for n in count(1))


def _lettered(name: str, code: str) -> Iterator[str]:
    """The code, then its first letter with each other letter of the name, then with numbers."""
    letters = [c for c in name.upper()[1:] if c.isalnum()]
    yield code
    yield from (f"{code[0]}{c}" for c in sorted(letters, key=lambda c: c in "AEIOU"))
    yield from _numbered(code)


def _initials(name: str) -> str:
    words = [
        w
        for w in name.lower().replace("-", "_").replace(" ", "_").split("_")
        if w and w not in SMALL_WORDS
    ]
    return (
        "".join(w[0] for w in words[:2]).upper()
        if len(words) > 1
        else (words or [name])[0][:2].upper()
    )
