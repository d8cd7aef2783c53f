"""Paths as text for people, as JSON, as traces that replay, and as a pytest file."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pprint import pformat

from fsm.codec import encode
from fsm.paths.path import Path, PathSet, Start
from fsm.requests import Answer


def as_text(found: PathSet) -> str:
    """What they take and how: one line for each answer, below it what it is the first to take."""
    lines = [str(found), ""]
    for number, path in enumerate(found, 1):
        lines += [f"path {number}: {', '.join(path.start.players)}{_how(path.start)}", *_steps(path), ""]
    lines += [f"open: {t.machine}: {t.id}" for t in found.open]
    return "\n".join(lines).rstrip() + "\n"


def _how(start: Start) -> str:
    teams = "; teams " + ", ".join("+".join(team) for team in start.teams) if start.teams else ""
    return teams + "".join(f"; {name} = {'yes' if value else 'no'}" for name, value in start.settings)


def _steps(path: Path) -> Iterator[str]:
    controller = path.start.controller(path.model)
    takes: dict[int, list[str]] = {}
    for after, target in path.takes:
        takes.setdefault(after, []).append(target.id)
    for number, answer in enumerate(path.answers, 1):
        at = controller.request.at
        yield f"  {number:>3}  turn {at.turn} {at.step or '-'}: {controller.request.state}: {said(answer)}"
        yield from (f"         {id}" for id in takes.get(number, ()))
        controller.answer(answer)


def said(answer: Answer) -> str:
    """An answer in a few words."""
    facts = ", ".join(name if value else f"not {name}" for name, value in answer.facts.items())
    orders = "".join(f"; {order}" for order in answer.orders)
    signal = f"; signal {answer.signal.event} {answer.signal.player}".rstrip() if answer.signal else ""
    return f"{answer.word}{f' ({facts})' if facts else ''}{orders}{signal}"


def as_json(found: PathSet) -> str:
    """All of it for programs; each path with its trace, line by line as `Trace.read` takes it."""
    paths = [
        {
            "players": path.start.players,
            "teams": path.start.teams,
            "settings": dict(path.start.settings),
            "answers": [encode(answer) for answer in path.answers],
            "takes": [{"after": number, "machine": t.machine, "id": t.id} for number, t in path.takes],
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
        "infeasible": [{"machine": t.machine, "id": t.id, "why": t.infeasible} for t in coverage.infeasible],
        "open": [{"machine": t.machine, "id": t.id} for t in found.open],
        "answers": found.answers,
        "bound": found.bound,
    }
    return json.dumps({**head, "paths": paths}, indent=1, ensure_ascii=False) + "\n"


def as_pytest(found: PathSet, ruleset: str) -> str:
    """A file of tests, one for each path: the transitions that fire, in order, are what they were."""
    tests = "\n\n".join(_test(number, path) for number, path in enumerate(found, 1))
    return _HEAD.format(what=str(found).replace('"""', ""), ruleset=repr(ruleset)) + tests + "\n"


_HEAD = '''"""{what}

Made by `fsm paths`; each test plays one path, and holds what fires against what fired when it was made.
"""

import fsm
from fsm import Answer, TurnController
from fsm.orders import AddPhase, AddStep, AddTurn, ControlNextTurn, Skip, SkipTurn  # noqa: F401
from fsm.requests import Signal  # noqa: F401

MODEL = fsm.load({ruleset})


def fired(answers, players, **how):
    """The transitions that these answers make fire, in order."""
    controller = TurnController(MODEL, players, **how)
    for answer in answers:
        controller.answer(answer)
    return [record.transition for record in controller.trace.records]


'''


def _test(number: int, path: Path) -> str:
    how = f", teams={path.start.teams!r}" if path.start.teams else ""
    how += f", settings={dict(path.start.settings)!r}" if path.start.settings else ""
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
