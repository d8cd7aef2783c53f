"""Writes paths of games as text, as a pytest file, and as scenarios that `fsm run` plays; and ways
through a plain machine as text, and as a pytest file that needs nothing but pytest and the machine.
"""

from __future__ import annotations

import json
import keyword
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from enum import Enum
from importlib.resources import files
from itertools import chain, groupby
from typing import Any

from fsm.adapters.reading import is_async, names_in
from fsm.coverage import covered, data_of
from fsm.engine.requests import Answer
from fsm.errors import FsmError
from fsm.model import Model
from fsm.model.elements import values_text
from fsm.scenarios import Outcome, load, play
from fsm.scenarios.writing import expected, scenario_of
from fsm.state.orders import order_words
from fsm.testing.generating import Path, PathSet
from fsm.testing.machineways import MachineSource, Step, Stub, Way, Ways
from fsm.testing.searching import Start
from fsm.wording import blanks, position_words

FEW = 2
"""An ordinary turn is told apart by so many facts."""


def as_text(found: PathSet) -> str:
    """Return the paths as text: one line for each answer, and then the targets that the path is the
    first to take.
    """
    lines = [str(found), ""]
    for number, path in enumerate(found, 1):
        lines += [f"path {number}: {name_of(path)}", *_steps(path)]
        lines += [*(f"         {target.id}" for target in path.takes), ""]
    return "\n".join(lines).rstrip() + "\n"


def _steps(path: Path) -> Iterator[str]:
    controller = path.start.controller(path.model)
    for number, answer in enumerate(path.answers, 1):
        at = controller.request.at
        where = position_words(at.turn, at.step or "-")
        yield f"  {number:>3}  {where}: {controller.request.state}: {answer_text(answer)}"
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
    takes = [target.id for target in path.takes if target.key in taken]
    return f"{criterion}: takes {'; '.join(takes)}" if takes else ""


def _played(data: Item, model: Model) -> Outcome | None:
    """Play the scenario, or return None if that cannot be."""
    with suppress(FsmError):
        return play(load(data, model, place="path")[0])
    return None


# ways of plain machines ---------------------------------------------------------------------------

TAKEN = ("machine", "original", "make", "copy", "pytest", "says", "decide", "steps", "asyncio")
"""Names that the files use themselves, so that the object needs another."""


@dataclass(frozen=True, slots=True)
class Case:
    """One test: its name in words, what it shows, and its steps.

    `more` are words for the name if another test has the same.
    """

    words: str
    about: str
    steps: tuple[Step, ...]
    more: str = ""


def words_of(event: str, at: str, target: str | None, when: str = "") -> str:
    """Return in words where an event leads from a state."""
    ending = f"stays {at}" if target in (None, at) else f"leads to {target}"
    return f"{event} when {at} {when} {ending}"


def _case(way: Way) -> Case:
    row = way.row
    more = f"if {' and '.join(row.guard)}" if row.guard else ""
    return Case(words_of(row.event, way.at, row.target), f"`{row.id}`", way.steps, more)


def ways_text(ways: Ways, name: str) -> str:
    """Return the ways as text: a line for each event, with what conditions must say and the state
    that comes.
    """
    taken, missing = len(ways.found), len(ways.missing)
    lines = [f"transitions of {name}: {taken} of {taken + missing} taken", ""]
    for way in ways.found:
        lines.append(f"{way.row.id}:")
        for step in way.steps:
            said = [f"; {stub.fact} says {'yes' if stub.says else 'no'}" for stub in step.stubs]
            lines.append(f"  {step.event:20} -> {', '.join(names_in(step.value))}{''.join(said)}")
        lines.append("")
    return "\n".join(lines).rstrip() + "\n"


# tests of plain machines --------------------------------------------------------------------------


def tests_of(ways: Ways, source: MachineSource) -> str:
    """Return the file of tests for these ways."""
    title = f"One test for each transition of `{source.spec}`."
    missing = [f"`{row.id}`: {why}" for row, why in ways.missing]
    told = {"title": title, "command": "paths", "missing": missing}
    cases = [_case(way) for way in ways.found]
    return file_of(ways.machine, source, cases, silent=ways.callbacks == "stub", **told)


def file_of(
    machine: Any, source: MachineSource, cases: Sequence[Case], *, silent: bool, **told: object
) -> str:
    """Return a file of tests. `silent` keeps callbacks from running. `told` are a title, the
    command, and what is missing.
    """
    names = names_of([case.words for case in cases], [case.more for case in cases])
    code, tests, stubs = _Code(machine), list[dict[str, object]](), list[Stub]()
    for name, case in zip(names, cases, strict=True):
        own = _stubs_of(case)
        tests.append({"name": name, **code.test(case, own)})
        stubs += own
    return written(
        "machine.jinja",
        tests=tests,
        source=source,
        silent=silent,
        subject=code.subject,
        later=code.later,
        named=any(stub.called for stub in stubs),
        decided=any(not stub.name for stub in stubs),
        **told,
    )


def _stubs_of(case: Case) -> list[Stub]:
    return [*chain.from_iterable(step.stubs for step in case.steps)]


class _Code:
    """The code of tests of one machine."""

    def __init__(self, machine: Any) -> None:
        self.machine, self.later = machine, is_async(machine)
        itself = machine.models[0] is machine
        self.subject = "machine" if itself else _fixture_name(machine.models[0])

    def test(self, case: Case, stubs: Sequence[Stub]) -> dict[str, object]:
        """Return the parts of a test."""
        fixtures = [f"{self.subject}: Any"]
        if self.subject != "machine" and not all(stub.name for stub in stubs):
            fixtures.insert(0, "machine: Any")
        if any(stub.name for stub in stubs):
            fixtures.append("monkeypatch: pytest.MonkeyPatch")
        lines = [*chain.from_iterable(map(self._step, case.steps))]
        return {"about": case.about, "fixtures": fixtures, "lines": lines}

    def _step(self, step: Step) -> Iterator[str]:
        yield from map(self._stubbed, step.stubs)
        call = f"{step.event}()" if step.called else f"trigger({_quoted(step.event)})"
        yield f"{'await ' * self.later}{self.subject}.{call}"
        yield self._asserted(step.value)

    def _stubbed(self, stub: Stub) -> str:
        if not stub.name:
            where = f"{_quoted(stub.event)}, {_quoted(stub.source)}, {stub.number}"
            return f"decide(machine, {where}, holds={stub.holds})"
        value = f"says({stub.says})" if stub.called else f"{stub.says}, raising=False"
        return f"monkeypatch.setattr({self.subject}, {_quoted(stub.name)}, {value})"

    def _asserted(self, value: object) -> str:
        """Return what is expected of the state attribute: of members of an Enum, their names."""
        found = f"{self.subject}.{self.machine.model_attribute}"
        if isinstance(value, Enum):
            return f"assert {found}.name == {_quoted(value.name)}"
        try:
            return f"assert {found} == {_quoted(value)}"
        except TypeError:  # members of an Enum in parallel states
            return f"assert repr({found}) == {_quoted(repr(value))}"


def _fixture_name(subject: object) -> str:
    """Return a name for the object: that of its class, as variables are written."""
    words = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", type(subject).__name__)
    name = re.sub(r"\W+", "_", words).strip("_").lower()
    ok = name.isidentifier() and not keyword.iskeyword(name) and name not in (*TAKEN, "request")
    return name if ok else "subject"


def _quoted(value: object) -> str:
    """Return a string literal, or a list of them, as `ruff format` writes it."""
    literal = json.dumps(value, ensure_ascii=False)
    return repr(value) if '"' in str(value) and "'" not in str(value) else literal
