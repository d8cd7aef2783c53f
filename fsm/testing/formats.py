"""Writes paths as text, and as a pytest file."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from typing import Any

from fsm.engine.requests import Answer
from fsm.model.elements import values_text
from fsm.state.orderwords import order_words
from fsm.testing.path import Path, PathSet, Start
from fsm.testing.template import names_of, written
from fsm.wording import blanks, position_words

FEW = 2
"""An ordinary turn is told apart by so many facts."""


def as_text(found: PathSet) -> str:
    """Return the paths as text: one line for each answer, and below it the targets that it is the
    first to take.
    """
    lines = [str(found), ""]
    for number, path in enumerate(found, 1):
        lines += [f"path {number}: {name_of(path)}", *_steps(path), ""]
    lines += [f"open: {t.machine}: {t.id}: {found.why_open(t)}" for t in found.open]
    return "\n".join(lines).rstrip() + "\n"


def _steps(path: Path) -> Iterator[str]:
    controller = path.start.controller(path.model)
    takes: dict[int, list[str]] = {}
    for after, target in path.takes:
        takes.setdefault(after, []).append(f"         {target.id}")
    yield from takes.get(0, ())
    for number, answer in enumerate(path.answers, 1):
        at = controller.request.at
        where = position_words(at.turn, at.step or "-")
        yield f"  {number:>3}  {where}: {controller.request.state}: {answer_text(answer)}"
        yield from takes.get(number, ())
        controller.answer(answer)


def name_of(path: Path) -> str:
    """Return what a path shows: what departs from an ordinary turn."""
    start, shown = path.start, list[str]()
    if start.at is not None:
        shown.append(f"from {blanks(start.at.step)}")
    if start.teams:
        shown.append("teams")
    elif len(start.players) > len(Start().players):
        shown.append(f"{len(start.players)} players")
    shown += [f"{blanks(name)} {'on' if value else 'off'}" for name, value in start.settings]
    ordered = [order_words(order) for answer in path.answers for order in answer.orders]
    told = [blanks(f) for answer in path.answers for f, value in answer.facts.items() if value]
    steps = ", ".join(dict.fromkeys(told[:FEW]))
    ordinary = f"an ordinary turn ({steps})" if steps else "an ordinary turn"
    return "; ".join(dict.fromkeys([*shown, *(ordered or [ordinary])]))


def answer_text(answer: Answer) -> str:
    """Describe an answer in a few words."""
    facts = values_text(answer.facts.items())
    orders = "".join(f"; {order!r}" for order in answer.orders)
    return f"{answer.word}{f' ({facts})' if facts else ''}{orders}"


# tests --------------------------------------------------------------------------------------------


def as_pytest(found: PathSet, ruleset: str) -> str:
    """Return a pytest file with one test for each path."""
    tests = [_test(path) for path in found]
    taken = set[str]()
    names = names_of([test["about"] for test in tests])
    for test, name, path in zip(tests, names, found, strict=True):
        fired = dict.fromkeys(record.transition for record in path.trace.records)
        test |= {"name": name, "fired": [row for row in fired if row not in taken]}
        taken.update(fired)
    imports, title = _imports(found), str(found)
    return written("games.jinja", title=title, imports=imports, ruleset=ruleset, tests=tests)


def _imports(found: PathSet) -> list[str]:
    """Return the names that the tests of all paths import."""
    orders = [order for path in found for answer in path.answers for order in answer.orders]
    names = {type(order).__name__ for order in orders} | {"Answer", "TurnController"}
    if any(path.start.at is not None for path in found):
        names.add("StartAt")
    return sorted(names)


def _test(path: Path) -> dict[str, Any]:
    """Return what a test says, calls and expects at its end."""
    start, steps, calls = path.start, list[str](), list[str]()
    more: dict[str, object] = {"teams": start.teams, "settings": dict(start.settings)}
    told = "".join(f", {name}={value!r}" for name, value in more.items() if value)
    if start.at is not None:
        told += f", start=StartAt({start.at.step!r}, {start.at.turn})"
    game = start.controller(path.model)
    for answer in path.answers:
        calls.append(_call(answer, game.request.quietly))
        game.answer(answer)
    for call, alike in groupby(calls):
        times = len(list(alike))
        quiet = f"quiet(game{f', {times}' if times > 1 else ''})"
        steps += [call] * times if call else [quiet]
    begins = f"TurnController(MODEL, {start.players!r}{told}, trace=True)"
    return {"about": name_of(path), "game": begins, "steps": steps, "end": str(game.position)}


def _call(answer: Answer, quietly: Answer) -> str:
    """Return the code that gives an answer to a game, or "" if nothing happens with it."""
    if answer.orders or answer.word != quietly.word:
        return f"game.answer({answer!r})"
    told = [item for item in answer.facts.items() if item not in quietly.facts.items()]
    facts = ", ".join(f"{name}={value}" for name, value in told)
    return f"game.answer(game.request.quiet({facts}))" if facts else ""
