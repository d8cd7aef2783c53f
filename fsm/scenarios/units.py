"""What somebody does with priority in a visit: the items of `given`, put together to objects on the stack."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from fsm.runs.where import Where
from fsm.scenarios.scenario import Item

ALONE = ("cast", "attack")
"""Verbs that are something a player does; all others happen as an object resolves."""
_ABILITIES = ("trigger", "delayed_trigger", "standing_trigger")


@dataclass(frozen=True, slots=True, eq=False)
class Unit:
    """One `cast` or `attack`, or all other items of one `when`. `stage`: the only window for it, "" for any."""

    items: tuple[Item, ...]
    stage: str = ""

    @property
    def alone(self) -> Item | None:
        """The item, if this is something a player does."""
        return self.items[0] if self.items[0].do in ALONE else None

    @property
    def declares(self) -> bool:
        """Is it an attack without a card, which does not use the stack?"""
        return self.items[0].do == "attack" and not self.items[0]["card"]

    @property
    def resolving(self) -> tuple[Item, ...]:
        """What happens as its object resolves."""
        first = self.items[0]
        return first.then if first.do == "cast" else self.items


def object_name(items: Iterable[Item]) -> str:
    """How the object is called that does these items: by the first name among them, else by its first verb."""
    items = tuple(items)
    return next((item.name for item in items if item.name and item.do not in _ABILITIES), items[0].do if items else "")


def at_stage(given: Iterable[Item], stages: Iterable[str]) -> dict[tuple[Where, str], tuple[Item, ...]]:
    """The items of each visit that happen at one of these stages (or words), in the scenario's order."""
    stages, found = frozenset(stages), dict[tuple[Where, str], tuple[Item, ...]]()
    for item in given:
        if item.when is not None and item.when.at in stages:
            key = (item.when.where, item.when.at)
            found[key] = (*found.get(key, ()), item)
    return found


def units(given: Sequence[Item], windows: Iterable[str]) -> dict[Where, list[Unit]]:
    """The units of each visit, in the scenario's order; what has one `when` is together."""
    found: dict[Where, list[Unit]] = {}
    for (where, at), items in at_stage(given, ("priority", *windows)).items():
        found.setdefault(where, []).extend(_units(items, "" if at == "priority" else at))
    place = {id(item): i for i, item in enumerate(given)}
    return {where: sorted(made, key=lambda unit: place[id(unit.items[0])]) for where, made in found.items()}


def _units(items: tuple[Item, ...], stage: str) -> Iterator[Unit]:
    others = tuple(item for item in items if item.do not in ALONE)
    for item in items:
        if item.do in ALONE:
            yield Unit((item,), stage)
        elif item is others[0]:
            yield Unit(others, stage)
