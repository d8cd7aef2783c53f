"""Checks the words in `expect` against the Model, the players and the items of `given`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from fsm.errors import suggest
from fsm.scenarios.expectations import CHECKS, CONTEXT, MAKERS
from fsm.scenarios.games import GAMES
from fsm.scenarios.scenario import Item, every_item
from fsm.scenarios.verbparts import ExpectCheck
from fsm.scenarios.wordchecks import WordChecker

_STEPS = {"steps", "contains"}
_PLAYERS = {"turn_order", "priority_order", "winner"}
_OBJECTS = {name: need for game in GAMES for name, need in game.objects.items()}


def check_expectation(
    reader: WordChecker, data: Mapping[str, Any], where: str, given: tuple[Item, ...]
) -> None:
    """Raise ScenarioError for the first wrong word in an entry of `expect`."""
    for name in data:
        _known(reader, name, where)
    for name, value in data.items():
        check = CHECKS.get(name)
        if check is not None and check.lists:
            _made(reader, check, value, given, f"{where}.{name}")
        else:
            _check_value(reader, name, value, f"{where}.{name}")
    _useful(reader, data, where)
    for key, verbs in MAKERS.items():
        if key in data:
            made = _ids(given, verbs)
            if data[key] not in made:
                reader.fail(
                    f"{where}.{key}",
                    f"nothing given makes the {key} {data[key]!r}{suggest(data[key], made)}",
                )


def _known(reader: WordChecker, name: str, where: str) -> None:
    check = CHECKS.get(name)
    if check and not reader.words.knows(check.needs):
        reader.fail(
            f"{where}.{name}", f"{name!r} is not known in {reader.words.model.name}; leave it out"
        )


def _useful(reader: WordChecker, data: Mapping[str, Any], where: str) -> None:
    checks = [CHECKS[name] for name in data if name in CHECKS]
    if not checks:
        reader.fail(where, f"this entry checks nothing; add one of {', '.join(CHECKS)}")
    used = {key for check in checks for key in (*check.beside, *check.may)}
    idle = [name for name in data if name in CONTEXT and name not in used]
    if idle:
        reader.fail(
            f"{where}.{idle[0]}",
            f"{idle[0]!r} says nothing beside {', '.join(c.name for c in checks)}; leave it out",
        )


def _check_value(reader: WordChecker, name: str, value: Any, where: str) -> None:
    if name in _STEPS:
        _each(reader, "step", value, reader.words.steps, where)
    elif name in _PLAYERS:
        _each_player(reader, value, where)
    elif name == "phases":
        _each(reader, "phase", value, reader.words.phases, where)
    elif name == "tba_order":
        _ordered(reader, value, where)
    elif name == "performs":
        reader.among("action", value["action"], reader.words.actions, f"{where}.action")
        _each_player(reader, value["players"], f"{where}.players")
    elif name == "stages":
        _each(reader, "stage", value, reader.words.every_stage, where)
    elif name == "visits":
        for step in value:
            reader.check_step(step, f"{where}.{step}")
    elif name in ("active", "controller"):
        reader.check_player(value, where)
    elif name == "step":
        reader.check_step(value, where)
    else:
        for place, part in _objects(value, where):
            _object(reader, part, place)


def _ordered(reader: WordChecker, words: list[str], where: str) -> None:
    """Check the actions of `tba_order`. The action that ends a phase is seen by `stages`."""
    known = reader.words.ordered_actions
    for i, word in enumerate(words):
        if word in reader.words.actions and word not in known:
            reader.fail(
                f"{where}[{i}]", f"action {word!r} is in no step, or ends its phase; use 'stages'"
            )
        reader.among("action", word, known, f"{where}[{i}]")


def _made(
    reader: WordChecker, check: ExpectCheck, words: list[str], given: tuple[Item, ...], where: str
) -> None:
    """Check names of objects and creatures. An item of `given` must make them."""
    items = [item for item in every_item(given) if item.do in check.made_by or not check.made_by]
    made = [item.name for item in items]
    if not check.made_by:
        made += [item.do for item in items]
        made += [id for item in items for id in item.fields.get("triggers_during", ())]
        made += [name for name, need in _OBJECTS.items() if reader.words.knows(need)]
    known = [word for word in made if word]
    for i, word in enumerate(words):
        if word not in known:
            reader.fail(
                f"{where}[{i}]",
                f"nothing given makes the {check.lists} {word!r}{suggest(word, known)}",
            )


def _objects(value: Any, where: str) -> Iterator[tuple[str, Mapping[str, Any]]]:
    if isinstance(value, dict):
        yield where, value
    elif isinstance(value, list):
        yield from ((f"{where}[{i}]", one) for i, one in enumerate(value) if isinstance(one, dict))


def _object(reader: WordChecker, value: Mapping[str, Any], where: str) -> None:
    if "step" in value:
        reader.check_step(value["step"], f"{where}.step")
    if "player" in value:
        reader.check_player(value["player"], f"{where}.player")
    if "phase" in value:
        reader.among("phase", value["phase"], reader.words.phases, f"{where}.phase")


def _each(
    reader: WordChecker, what: str, words: list[str], known: Iterable[str], where: str
) -> None:
    known = list(known)
    for i, word in enumerate(words):
        reader.among(what, word, known, f"{where}[{i}]")


def _each_player(reader: WordChecker, words: list[str], where: str) -> None:
    for i, word in enumerate(words):
        reader.check_player(word, f"{where}[{i}]")


def _ids(given: tuple[Item, ...], verbs: tuple[str, ...]) -> list[str]:
    found = []
    for item in every_item(given):
        if item.do in verbs:
            found.append(item.name)
        if "trigger" in verbs:
            found += item.fields.get("triggers_during", ())
    return found
