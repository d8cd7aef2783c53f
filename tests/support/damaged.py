"""Plain JSON values, damaged at random: a value is changed, removed or doubled."""

from __future__ import annotations

import copy
from random import Random
from typing import Any


def values_in(data: Any) -> list[tuple[Any, Any]]:
    """Every place in plain JSON values: what holds a value, and its key there."""
    pairs = data.items() if isinstance(data, dict) else enumerate(data)
    found = list[tuple[Any, Any]]()
    for key, value in pairs:
        found.append((data, key))
        if isinstance(value, dict | list):
            found += values_in(value)
    return found


def damage(data: Any, random: Random) -> None:
    """Change, remove or double one value, wherever it is."""
    places = values_in(data)
    inside, key = random.choice(places)
    other, there = random.choice(places)
    how = random.choice(("odd", "near", "other", "remove", "double"))
    if how == "remove":
        del inside[key]
    elif how == "double" and isinstance(inside, list):
        inside.insert(key, inside[key])
    elif how == "near" and isinstance(inside[key], int):
        inside[key] += random.choice((-1, 1, 2, 1000))
    elif how == "odd":
        inside[key] = random.choice(
            (None, 0, -1, 10**30, "", "Z", [], {}, True, ["A"], "sba", "\ud800")
        )
    else:
        inside[key] = copy.deepcopy(other[there])
