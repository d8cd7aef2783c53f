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
from importlib import import_module
from itertools import chain
from typing import Any

from fsm.adapters.reading import is_async
from fsm.model import Transition
from fsm.model.elements import guard_text
from fsm.testing.machinesource import MachineSource
from fsm.testing.machineways import Step, Stub, Ways
from fsm.testing.template import names_of, written

TAKEN = ("machine", "original", "make", "copy", "pytest", "says", "decide", "steps", "asyncio")
"""Names that the files use themselves, so that the object needs another."""


@dataclass(frozen=True, slots=True)
class Case:
    """One test: its name in words, what it shows, and its steps.

    `start` is the value of the state attribute before the first step. `more` are words for the name
    if another test has the same.
    """

    words: str
    about: tuple[str, ...]
    start: object
    steps: tuple[Step, ...]
    more: str = ""


def cases_of(ways: Ways) -> tuple[Case, ...]:
    """Return a test for each way."""
    return tuple(
        Case(
            f"{way.row.event} when {way.at} {ending(way.at, way.row.target)}",
            (f"`{way.row.id}`",),
            way.start,
            way.steps,
            more=_if(way.row),
        )
        for way in ways.found
    )


def ending(at: str, target: str | None) -> str:
    """Return in words where an event leads from a state."""
    return f"stays {at}" if target in (None, at) else f"leads to {target}"


def _if(row: Transition) -> str:
    return f"if {guard_text(row.guard, ' and ')}" if row.guard else ""


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
            lines.append(f"  {step.event:20} -> {_state(step.value)}{''.join(said)}")
        lines.append("")
    lines += [f"no way: {row.id}: {why}" for row, why in ways.missing]
    return "\n".join(lines).rstrip() + "\n"


def _state(value: object) -> str:
    if isinstance(value, list | tuple):
        return ", ".join(map(_state, value))
    return str(value.name if isinstance(value, Enum) else value)


# tests --------------------------------------------------------------------------------------------


def tests_of(ways: Ways, source: MachineSource, command: str) -> str:
    """Return the file of tests for these ways. `command` is what the user wrote to get it."""
    title = f"One test for each transition of `{source.spec}`."
    missing = [f"`{row.id}`: {why}" for row, why in ways.missing]
    told = {"title": title, "command": command, "missing": missing}
    return file_of(ways.machine, source, cases_of(ways), silent=ways.callbacks == "stub", **told)


def file_of(
    machine: Any, source: MachineSource, cases: Sequence[Case], *, silent: bool, **told: object
) -> str:
    """Return a file of tests. `silent` keeps callbacks from running. `told` are a title, the
    command, and what is missing.
    """
    code = _Code(machine)
    names = names_of([case.words for case in cases], [case.more for case in cases])
    stubs = [stub for case in cases for step in case.steps for stub in step.stubs]
    return written(
        "machine.jinja",
        tests=[{"name": name, **code.test(case)} for name, case in zip(names, cases, strict=True)],
        imports=_imports(source, code.enums),
        made=source.made,
        driven=source.driven,
        silent=silent,
        subject=code.subject,
        later=code.later,
        waits=code.later and any(case.steps for case in cases),
        named=any(stub.called for stub in stubs),
        decided=any(not stub.name for stub in stubs),
        **told,
    )


def _imports(source: MachineSource, enums: dict[type[Enum], bool]) -> Iterator[str]:
    """Yield the imports as `ruff` sorts them: a name with another name is imported by itself."""
    own: dict[str, list[str]] = {source.module: []}
    for kind in (kind for kind, importable in enums.items() if importable):
        own.setdefault(kind.__module__, []).append(kind.__qualname__)
    for module, names in sorted(own.items()):
        if names:
            yield f"from {module} import {', '.join(sorted(names))}"
        if module == source.module:
            yield f"from {module} import {source.name} as {'make' if source.made else 'original'}"


class _Code:
    """The code of tests of one machine."""

    def __init__(self, machine: Any) -> None:
        self.machine, self.later = machine, is_async(machine)
        itself = machine.models[0] is machine
        self.subject = "machine" if itself else _fixture_name(machine.models[0])
        self.enums: dict[type[Enum], bool] = {}

    def test(self, case: Case) -> dict[str, object]:
        """Return the parts of a test."""
        stubs = [stub for step in case.steps for stub in step.stubs]
        fixtures = [f"{self.subject}: Any"]
        if self.subject != "machine" and not all(stub.name for stub in stubs):
            fixtures.insert(0, "machine: Any")
        if any(stub.name for stub in stubs):
            fixtures.append("monkeypatch: pytest.MonkeyPatch")
        lines = [*chain.from_iterable(map(self._step, case.steps))]
        told = {"about": case.about, "fixtures": fixtures, "waits": bool(case.steps)}
        return {**told, "lines": lines or [self._asserted(case.start)]}

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
        attribute = f"{self.subject}.{self.machine.model_attribute}"
        wanted = self._value(value)
        if not wanted:
            return f"assert {attribute}.name == {_quoted(getattr(value, 'name', ''))}"
        return f"assert {attribute} == {wanted}"

    def _value(self, value: object) -> str:
        """Return the code of a value of the state attribute, or "" for a member of an Enum that no
        module has.
        """
        if isinstance(value, Enum):
            kind = type(value)
            self.enums[kind] = _importable(kind)
            return f"{kind.__qualname__}.{value.name}" if self.enums[kind] else ""
        if isinstance(value, list | tuple):
            return f"[{', '.join(self._value(one) or repr(one) for one in value)}]"
        return _quoted(value) if isinstance(value, str) else repr(value)


def _fixture_name(subject: object) -> str:
    """Return a name for the object: that of its class, as variables are written."""
    words = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", type(subject).__name__)
    name = re.sub(r"\W+", "_", words).strip("_").lower()
    ok = name.isidentifier() and not keyword.iskeyword(name) and name not in (*TAKEN, "request")
    return name if ok else "subject"


def _importable(kind: type) -> bool:
    """Whether a class can be imported by its name."""
    try:
        return getattr(import_module(kind.__module__), kind.__qualname__, None) is kind
    except ImportError:
        return False


def _quoted(text: str) -> str:
    """Return a string literal as `ruff format` writes it."""
    literal = json.dumps(text, ensure_ascii=False)
    return repr(text) if '"' in text and "'" not in text else literal
