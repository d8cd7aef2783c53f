"""Groups the items of `given` into what players do with priority: objects on the stack, and
declarations.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from fsm.runs.where import Where
from fsm.scenarios.scenario import Item
from fsm.scenarios.verbs import VERBS

PLAYER_ACTIONS = frozenset(verb.name for verb in VERBS.values() if verb.by_player)
"""Verbs for what a player does. All others happen as an object resolves."""
_ABILITIES = ("trigger", "delayed_trigger", "standing_trigger")


@dataclass(frozen=True, slots=True, eq=False)
class PriorityUnit:
    """One `cast` or `attack`, or all other items of one `when`. `stage` is the only window for it,
    or "" for any.
    """

    items: tuple[Item, ...]
    stage: str = ""

    @property
    def player_action(self) -> Item | None:
        """The item, if it is something that a player does."""
        return self.items[0] if self.items[0].do in PLAYER_ACTIONS else None

    @property
    def declares(self) -> bool:
        """Whether a player declares it, without a card that is put on the stack."""
        return bool(self.event) and not self.items[0].fields.get("card")

    @property
    def event(self) -> str:
        """The event by which the model hears of it, or ""."""
        return VERBS[self.items[0].do].heard

    @property
    def resolving(self) -> tuple[Item, ...]:
        """The items that happen as the object resolves."""
        first = self.items[0]
        return first.then if first.do == "cast" else self.items


def object_name(items: Iterable[Item]) -> str:
    """Return the name of the object with these items: the first name among them, or the first verb."""
    items = tuple(items)
    return next(
        (item.name for item in items if item.name and item.do not in _ABILITIES),
        items[0].do if items else "",
    )


def items_at(
    given: Iterable[Item], stages: Iterable[str]
) -> dict[tuple[Where, str], tuple[Item, ...]]:
    """Group the items at these stages by visit and stage, in the scenario's order."""
    stages, found = frozenset(stages), dict[tuple[Where, str], tuple[Item, ...]]()
    for item in given:
        if item.when is not None and item.when.at in stages:
            key = (item.when.where, item.when.at)
            found[key] = (*found.get(key, ()), item)
    return found


def units(given: Sequence[Item], windows: Iterable[str]) -> dict[Where, list[PriorityUnit]]:
    """Group the items of each visit into units, in the scenario's order. Items with the same `when`
    are one unit.
    """
    found: dict[Where, list[PriorityUnit]] = {}
    for (where, at), items in items_at(given, ("priority", *windows)).items():
        found.setdefault(where, []).extend(_units(items, "" if at == "priority" else at))
    place = {id(item): i for i, item in enumerate(given)}
    return {
        where: sorted(made, key=lambda unit: place[id(unit.items[0])])
        for where, made in found.items()
    }


def _units(items: tuple[Item, ...], stage: str) -> Iterator[PriorityUnit]:
    others = tuple(item for item in items if item.do not in PLAYER_ACTIONS)
    for item in items:
        if item.do in PLAYER_ACTIONS:
            yield PriorityUnit((item,), stage)
        elif item is others[0]:
            yield PriorityUnit(others, stage)
