"""Writes paths as text, as a pytest file, and as scenarios that `fsm run` plays."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from importlib.resources import files
from itertools import chain, groupby
from typing import Any

from fsm.coverage import covered, data_of
from fsm.engine.requests import Answer
from fsm.errors import FsmError
from fsm.model import Model
from fsm.model.elements import values_text
from fsm.scenarios import Outcome, load, play
from fsm.scenarios.writing import expected, scenario_of
from fsm.state.orders import order_words
from fsm.testing.path import Path, PathSet, Start
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
    shown += [order_words(order) for order in path.orders] or [_ordinary(path)]
    return "; ".join(dict.fromkeys(shown))


def _ordinary(path: Path) -> str:
    told = chain.from_iterable(answer.facts.items() for answer in path.answers)
    facts = [blanks(fact) for fact, value in told if value]
    steps = ", ".join(dict.fromkeys(facts[:FEW]))
    return f"an ordinary turn ({steps})" if steps else "an ordinary turn"


def answer_text(answer: Answer) -> str:
    """Describe an answer in a few words."""
    facts = values_text(answer.facts.items())
    told = f"{answer.word} ({facts})" if facts else answer.word
    return "; ".join([told, *map(repr, answer.orders)])


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
    names = {"Answer", "TurnController"}
    for path in found:
        names |= {type(order).__name__ for order in path.orders}
        names |= {"StartAt"} if path.start.at is not None else set()
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


# scenarios ----------------------------------------------------------------------------------------

Item = dict[str, Any]


def scenarios(found: PathSet, ruleset: str) -> Iterator[Item]:
    """Yield each path that can be written as a scenario. `ruleset` is the specification of the
    ruleset.

    Scenarios describe a game and not single answers. So some paths change a little, and a few
    cannot be written. Each scenario is played before it is returned. Its expectations are what
    happened, and its note says which targets of the path it takes.
    """
    for number, path in enumerate(found, 1):
        game, name = path.start.controller(path.model), f"path-{number}"
        data, _ = scenario_of(game, path.answers, path.trace.head, ruleset, name)
        outcome = _played(data, path.model)
        if outcome is not None and not outcome.bounded:
            data |= {"expect": [*expected(outcome)], "note": _note(path, found.criterion, outcome)}
            again = _played(data, path.model) if data["note"] else None
            if again is not None and again.ok:
                yield data


def _note(path: Path, criterion: str, outcome: Outcome) -> str:
    """Return which targets of its path a scenario takes, or "" if none."""
    taken = covered(path.model, criterion, data_of(path.model, [outcome.trace])).taken
    takes = [target.id for _, target in path.takes if target.key in taken]
    return f"{criterion}: takes {'; '.join(takes)}" if takes else ""


def _played(data: Item, model: Model) -> Outcome | None:
    """Play the scenario, or return None if that cannot be."""
    with suppress(FsmError):
        return play(load(data, model, place="path")[0])
    return None
