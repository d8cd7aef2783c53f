"""Writes paths as text, as JSON, as traces, and as a pytest file."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from pprint import pformat

import msgspec

from fsm.engine.requests import Answer
from fsm.model.elements import values_text
from fsm.state.orders import (
    AddPhase,
    AddStep,
    AddTurn,
    ControlNextTurn,
    EndPhase,
    EndTurn,
    Leave,
    Order,
    Signal,
    SkipPhase,
    SkipStep,
    SkipTurn,
)
from fsm.testing.path import Path, PathSet, Start
from fsm.wording import blanks, position_words

FEW = 2
"""An ordinary turn is told apart by so many facts."""


def as_text(found: PathSet) -> str:
    """Return the paths as text: one line for each answer, and below it the targets that it is the
    first to take.
    """
    lines = [headline(found), ""]
    for number, path in enumerate(found, 1):
        lines += [
            f"path {number}: {name_of(path)}",
            f"     {_how(path.start)}",
            *_steps(path),
            "",
        ]
    lines += [f"open: {t.machine}: {t.id}: {found.why_open(t)}" for t in found.open]
    return "\n".join(lines).rstrip() + "\n"


def headline(found: PathSet) -> str:
    """Describe the paths in one line."""
    if not found.only:
        return str(found)
    what = ", ".join(t.id for t in found.only)
    if not found.paths:
        return f"no path to {what} was found"
    return (
        f"the shortest path found to {what}: {found.answers} answers, {found.firings} transitions"
    )


def _how(start: Start) -> str:
    how = [", ".join(start.players)]
    if start.teams:
        how.append("teams " + ", ".join("+".join(team) for team in start.teams))
    how += [f"{name} = {'yes' if value else 'no'}" for name, value in start.settings]
    if start.at is not None:
        how.append(f"from {position_words(start.at.turn, start.at.step)}")
    return "; ".join(how)


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
    ordered = [_words(order) for answer in path.answers for order in answer.orders]
    told = [blanks(f) for answer in path.answers for f, value in answer.facts.items() if value]
    ordinary = f"an ordinary turn ({', '.join(dict.fromkeys(told[:FEW]))})"
    return "; ".join(dict.fromkeys([*shown, *(ordered or [ordinary])]))


def _words(order: Order) -> str:
    """Describe an order in a few words: "extra combat phase"."""
    match order:
        case AddTurn():
            return f"extra turn for {order.player}"
        case AddPhase():
            return f"extra {' and '.join(map(blanks, order.phases))} phase"
        case AddStep():
            where = f" before {blanks(order.before)}" if order.before else ""
            where = where or " after the phase" * (order.after == "current_phase")
            return f"extra {blanks(order.step)}{where}"
        case SkipTurn():
            return f"{order.player} skips a turn"
        case SkipPhase():
            return f"no {blanks(order.phase)}"
        case SkipStep():
            return f"no {blanks(order.step)}"
        case ControlNextTurn():
            return f"{order.by} controls {order.player}"
        case Leave():
            return f"{' and '.join(order.players)} leave"
        case Signal() | EndTurn() | EndPhase():
            return blanks(order.event)
    return _order_text(order)


def _steps(path: Path) -> Iterator[str]:
    controller = path.start.controller(path.model)
    takes: dict[int, list[str]] = {}
    for after, target in path.takes:
        takes.setdefault(after, []).append(target.id)
    tried = {after: [a for n, a in path.refused if n == after] for after, _ in path.refused}
    yield from (f"         {id}" for id in takes.get(0, ()))
    yield from _tried(tried.get(0, ()), controller.request.state)
    for number, answer in enumerate(path.answers, 1):
        at = controller.request.at
        where = position_words(at.turn, at.step or "-")
        yield f"  {number:>3}  {where}: {controller.request.state}: {answer_text(answer)}"
        yield from (f"         {id}" for id in takes.get(number, ()))
        controller.answer(answer)
        yield from _tried(tried.get(number, ()), controller.request.state)


def _tried(answers: Iterable[Answer], state: str) -> Iterator[str]:
    return (f"         refused in {state}: {answer_text(answer)}" for answer in answers)


def answer_text(answer: Answer) -> str:
    """Describe an answer in a few words."""
    facts = values_text(answer.facts.items())
    orders = "".join(f"; {_order_text(order)}" for order in answer.orders)
    return f"{answer.word}{f' ({facts})' if facts else ''}{orders}"


def _order_text(order: Order) -> str:
    """Describe an order by its name and the fields that were given: "AddTurn player=A", "AddPhase
    phases=combat".
    """
    words = [type(order).__name__]
    for field in msgspec.structs.fields(order):
        value = getattr(order, field.name)
        if value != field.default:
            words.append(f"{field.name}={'+'.join(value) if isinstance(value, tuple) else value}")
    return " ".join(words)


def as_json(found: PathSet) -> str:
    """Return the paths as JSON, each with its trace, line by line as `Trace.read` accepts it."""
    paths = [
        {
            "name": name_of(path),
            "players": path.start.players,
            "teams": path.start.teams,
            "settings": dict(path.start.settings),
            "start": msgspec.to_builtins(path.start.at, enc_hook=dict),
            "answers": [answer.to_json() for answer in path.answers],
            "refused": [
                {"after": number, "answer": answer.to_json()} for number, answer in path.refused
            ],
            "takes": [
                {"after": number, "machine": t.machine, "id": t.id} for number, t in path.takes
            ],
            "trace": [json.loads(line) for line in path.trace.lines()],
        }
        for path in found
    ]
    coverage = found.coverage
    head = {
        "ruleset": found.model.name,
        "options": dict(found.model.options),
        "fingerprint": found.model.fingerprint,
        "criterion": found.criterion,
        "targets": len(coverage.targets),
        "taken": len(coverage.covered),
        "infeasible": [
            {"machine": t.machine, "id": t.id, "why": t.infeasible} for t in coverage.infeasible
        ],
        "open": [{"machine": t.machine, "id": t.id, "why": found.why_open(t)} for t in found.open],
        "answers": found.answers,
        "firings": found.firings,
    }
    return json.dumps({**head, "paths": paths}, indent=1, ensure_ascii=False) + "\n"


def as_pytest(found: PathSet, ruleset: str) -> str:
    """Return a pytest file with one test for each path. The same transitions must fire in the same
    order.
    """
    names = [name_of(path) for path in found]
    tests = "\n\n".join(map(_test, _identifiers(names), names, found))
    head = _HEAD.format(
        what=str(found).replace('"""', ""), ruleset=repr(ruleset), imports=_imports(found)
    )
    return head + tests + "\n"


def _imports(found: PathSet) -> str:
    """Return the names that the tests of all paths import."""
    answers = [
        answer
        for path in found
        for answer in (*path.answers, *(wrong for _, wrong in path.refused))
    ]
    given = {type(order).__name__ for a in answers for order in a.orders}
    given |= {"StartAt"} if any(path.start.at is not None for path in found) else set()
    return ", ".join(sorted(given | {"Answer", "TurnController"}))


_HEAD = '''"""{what}

Made by `fsm paths`; each test plays one path, and holds what fires against what fired when it was made.
"""

import fsm
import pytest
from fsm import {imports}
from fsm.errors import AnswerError

MODEL = fsm.load({ruleset})


def fired(answers, players, refused=(), **how):
    """The transitions that these answers make fire, in order; `refused` are tried after so many answers, in vain."""
    controller = TurnController(MODEL, players, trace=True, **how)
    for number, answer in enumerate([None, *answers]):
        if answer is not None:
            controller.answer(answer)
        for wrong in (wrong for after, wrong in refused if after == number):
            with pytest.raises(AnswerError):
                controller.answer(wrong)
    return [record.transition for record in controller.trace.records]


'''


def _identifiers(names: Iterable[str]) -> Iterator[str]:
    """Yield a different name of a test for each path."""
    seen = Counter[str]()
    for name in names:
        words = re.sub(r"\W+", "_", name.lower()).strip("_")
        seen[words] += 1
        yield f"{words}_{seen[words]}" if seen[words] > 1 else words


def _test(identifier: str, name: str, path: Path) -> str:
    start = path.start
    how = {"teams": start.teams, "settings": dict(start.settings), "start": start.at}
    told = "".join(f", {name}={value!r}" for name, value in how.items() if value)
    if path.refused:
        told += f", refused=[{', '.join(f'({n}, {_code(a)})' for n, a in path.refused)}]"
    answers = "".join(f"        {_code(answer)},\n" for answer in path.answers)
    ids = [record.transition for record in path.trace.records]
    wanted = pformat(ids, width=110, indent=8).replace("[       ", "[\n        ", 1)
    takes = "".join(f"    # {target.id}\n" for _, target in path.takes)
    return (
        f"def test_{identifier}():\n"
        f'    """{name}"""\n'
        f"{takes}"
        f"    answers = [\n{answers}    ]\n"
        f"    assert fired(answers, {start.players!r}{told}) == {wanted}\n"
    )


def _code(answer: Answer) -> str:
    parts = [repr(answer.word)]
    if answer.facts:
        parts.append(repr(dict(answer.facts)))
    if answer.orders:
        parts.append(f"orders={answer.orders!r}")
    return f"Answer({', '.join(parts)})"
