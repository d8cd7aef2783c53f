"""Writes paths as text, as JSON, as traces, and as a pytest file."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import fields
from pprint import pformat

from fsm.engine.codec import encode
from fsm.engine.requests import Answer
from fsm.model.elements import values_text
from fsm.state.orders import Order
from fsm.testing.generation.path import Path, PathSet, Start
from fsm.wording import position_words


def as_text(found: PathSet) -> str:
    """Return the paths as text: one line for each answer, and below it the targets that it is the
    first to take.
    """
    lines = [headline(found), ""]
    for number, path in enumerate(found, 1):
        lines += [
            f"path {number}: {', '.join(path.start.players)}{_how(path.start)}",
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
    teams = "; teams " + ", ".join("+".join(team) for team in start.teams) if start.teams else ""
    return teams + "".join(
        f"; {name} = {'yes' if value else 'no'}" for name, value in start.settings
    )


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
    signal = (
        f"; signal {answer.signal.event} {answer.signal.player}".rstrip() if answer.signal else ""
    )
    return f"{answer.word}{f' ({facts})' if facts else ''}{orders}{signal}"


def _order_text(order: Order) -> str:
    """Describe an order by its name and the fields that were given: "AddTurn player=A", "AddPhase
    phases=combat".
    """
    words = [type(order).__name__]
    for field in fields(order):
        value = getattr(order, field.name)
        if value != field.default:
            words.append(f"{field.name}={'+'.join(value) if isinstance(value, tuple) else value}")
    return " ".join(words)


def as_json(found: PathSet) -> str:
    """Return the paths as JSON, each with its trace, line by line as `Trace.read` accepts it."""
    paths = [
        {
            "players": path.start.players,
            "teams": path.start.teams,
            "settings": dict(path.start.settings),
            "answers": [encode(answer) for answer in path.answers],
            "refused": [
                {"after": number, "answer": encode(answer)} for number, answer in path.refused
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
    tests = "\n\n".join(_test(number, path) for number, path in enumerate(found, 1))
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
    given = {
        type(order).__name__
        for a in answers
        for order in (*a.orders, a.signal)
        if order is not None
    }
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
    controller = TurnController(MODEL, players, **how)
    for number, answer in enumerate([None, *answers]):
        if answer is not None:
            controller.answer(answer)
        for wrong in (wrong for after, wrong in refused if after == number):
            with pytest.raises(AnswerError):
                controller.answer(wrong)
    return [record.transition for record in controller.trace.records]


'''


def _test(number: int, path: Path) -> str:
    how = f", teams={path.start.teams!r}" if path.start.teams else ""
    how += f", settings={dict(path.start.settings)!r}" if path.start.settings else ""
    how += "".join(
        f", refused=[{', '.join(f'({n}, {_code(a)})' for n, a in path.refused)}]"
        for _ in path.refused[:1]
    )
    answers = "".join(f"        {_code(answer)},\n" for answer in path.answers)
    ids = [record.transition for record in path.trace.records]
    wanted = pformat(ids, width=110, indent=8).replace("[       ", "[\n        ", 1)
    return (
        f"def test_path_{number}():\n"
        f'    """{_docline(path)}"""\n'
        f"    answers = [\n{answers}    ]\n"
        f"    assert fired(answers, {path.start.players!r}{how}) == {wanted}\n"
    )


def _docline(path: Path) -> str:
    first = path.takes[0][1].id if path.takes else "a game"
    more = f", and {len(path.takes) - 1} more" if len(path.takes) > 1 else ""
    return f"{first}{more}".replace('"', "'")


def _code(answer: Answer) -> str:
    parts = [repr(answer.word)]
    if answer.facts:
        parts.append(repr(dict(answer.facts)))
    if answer.orders:
        parts.append(f"orders={answer.orders!r}")
    if answer.signal is not None:
        parts.append(f"signal={answer.signal!r}")
    return f"Answer({', '.join(parts)})"
