"""Writes ways through a plain machine as text, and as a file of tests that is kept: it needs
only pytest and the machine.
"""

from __future__ import annotations

import json
import keyword
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import chain
from typing import Any

from fsm.adapters.reading import is_async, names_in
from fsm.testing.formats import names_of, written
from fsm.testing.machineways import MachineSource, Step, Stub, Way, Ways

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


def as_text(ways: Ways, name: str) -> str:
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


# tests --------------------------------------------------------------------------------------------


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
