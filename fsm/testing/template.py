"""Writes a file of tests from a template beside this module, and names the tests."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from importlib.resources import files


def written(name: str, **values: object) -> str:
    """Return the text of a template with these values."""
    import jinja2

    environment = jinja2.Environment(
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        undefined=jinja2.StrictUndefined,
    )
    environment.filters |= {"repr": repr, "doc": _doc}
    template = files(__package__).joinpath(name).read_text("utf-8")
    return environment.from_string(template).render(values)


def _doc(text: str) -> str:
    """Return a text as a docstring can hold it."""
    return text.replace("\\", "/").replace('"', "'")


def names_of(words: Sequence[str], more: Sequence[str] = ()) -> list[str]:
    """Return a name of a test for each of these words, with `more` of them or a number only where
    two would be the same.
    """
    names = [_slug(text) for text in words]
    often = Counter(names)
    for number, text in enumerate(more):
        if often[names[number]] > 1:
            names[number] = _slug(f"{words[number]} {text}")
    seen = Counter[str]()
    for number, name in enumerate(names):
        seen[name] += 1
        if seen[name] > 1:
            names[number] = f"{name}_{seen[name]}"
    return names


def _slug(words: str) -> str:
    return "test_" + re.sub(r"\W+", "_", words.lower()).strip("_")
