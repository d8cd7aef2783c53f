"""The behaviour fingerprint: what people read does not matter to it, and whatever a game can notice
does.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from random import Random
from typing import Any

import pytest

import fsm
from fsm.model import Action, Model, Term
from fsm.model.elements import Parts
from fsm.model.jsonform import TEXTS, behaviour_fingerprint
from fsm.rulesets import names
from support.amounts import amount, sample

KINDS = ("states", "transitions", "facts", "events", "durations", "settings")
SPECS = [
    *names(),
    "magic?edition=2026-04",
    "magic?edition=2025-04",
    "magic-classic?edition=2003-07",
]


def reworded(model: Any, words: Iterator[str]) -> Any:
    """The same model with other citations, texts and names of its own."""
    new = {}
    for kind in KINDS:
        changed = [
            replace(p, **{f: next(words) for f in TEXTS if hasattr(p, f)})
            for p in getattr(model, kind)
        ]
        new[kind] = tuple(changed)
    window = reworded(model.window, words) if model.window else None
    return replace(
        model,
        **new,
        name="other",
        title="Other",
        edition="2nd",
        rulebook="Book",
        options=(),
        window=window,
    )


def numbers() -> Iterator[str]:
    random = Random(1)
    while True:
        yield f"{random.randrange(100, 999)}.{random.randrange(30)}"


@pytest.mark.parametrize("spec", SPECS)
def test_other_numbers_and_words_are_the_same_behaviour(spec: str) -> None:
    model = fsm.load(spec)
    other = reworded(model, numbers())
    assert isinstance(other, Model)
    assert other.behaviour_fingerprint == model.behaviour_fingerprint
    assert other.fingerprint != model.fingerprint


def changes(model: Model) -> Iterator[Parts]:
    """The model with one thing changed that a game can notice, for each such thing."""
    for kind in KINDS:
        parts = getattr(model, kind)
        for number, part in enumerate(parts):
            for name, value in changed_fields(part):
                others = (*parts[:number], replace(part, **{name: value}), *parts[number + 1 :])
                yield parts_of(model, **{kind: others})
    for number in range(len(model.transitions) - 1):
        rows = list(model.transitions)
        rows[number : number + 2] = rows[number + 1], rows[number]
        yield parts_of(model, transitions=tuple(rows))
    if model.window:
        yield from (parts_of(model, window=window) for window in changes(model.window))


def parts_of(model: Model, **changed: Any) -> Parts:
    """Its parts, without the checks of a Model: a changed name may be one that is not there."""
    kept = {name: getattr(model, name) for name in Parts.__dataclass_fields__}
    return Parts(**{**kept, **changed})


def changed_fields(part: Any) -> Iterator[tuple[str, Any]]:
    for name in part.__dataclass_fields__:
        value = getattr(part, name)
        if name == "guard":
            yield name, (*value, Term("another"))
            yield from (
                (name, (*value[:i], Term(t.fact, not t.value), *value[i + 1 :]))
                for i, t in enumerate(value)
            )
        elif name == "actions":
            yield name, (*value, Action("mark", ("another",)))
            yield from ((name, value[:i] + value[i + 1 :]) for i in range(len(value)))
        elif name not in TEXTS and isinstance(value, str):
            yield name, f"{value}_other"
        elif name == "target":
            yield name, "nowhere"
        elif isinstance(value, bool):
            yield name, not value


@pytest.mark.parametrize("spec", names())
def test_whatever_a_game_can_notice_changes_it(spec: str) -> None:
    model = fsm.load(spec)
    for changed in sample(changes(model), amount(60, 100_000)):
        assert behaviour_fingerprint(changed) != model.behaviour_fingerprint


def test_it_survives_a_file() -> None:
    model = fsm.load("magic?edition=2026-04")
    assert Model.from_json(model.to_json()).behaviour_fingerprint == model.behaviour_fingerprint
