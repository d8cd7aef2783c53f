"""Writes ways through a plain machine as text, as JSON, and as a file of tests that is kept: it
needs only pytest and the machine.
"""

from __future__ import annotations

import json
import keyword
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from importlib import import_module
from itertools import chain, count
from typing import Any

from fsm.adapters.parts import is_async
from fsm.model import Transition
from fsm.model.elements import guard_text
from fsm.testing.machinesource import MachineSource
from fsm.testing.machineways import Step, Stub, Ways

WIDTH = 88
"""The shortest line length at which the files are formatted as `ruff format` would."""
TAKEN = {
    "holds",
    "machine",
    "original",
    "make",
    "copy",
    "pytest",
    "says",
    "conditions",
    "monkeypatch",
    "steps",
    "asyncio",
}
"""Names that the files use themselves, so that the object needs another."""


@dataclass(frozen=True, slots=True)
class Case:
    """One test: its name in words, what it says of itself, and its steps.

    What it says of itself is a sentence, or several lines. `start` is the value of the state
    attribute before the first step. `more` are words for the name if another test has the same.
    """

    words: str
    about: tuple[str, ...]
    start: object
    steps: tuple[Step, ...]
    more: str = ""


def cases_of(ways: Ways) -> tuple[Case, ...]:
    """Return a test for each way."""
    return tuple(
        Case(_words(way.row, way.at), (f"`{way.row.id}`",), way.start, way.steps, more=_if(way.row))
        for way in ways.found
    )


def _words(row: Transition, at: str) -> str:
    return f"{row.event} when {at} {ending(at, row.target)}"


def ending(at: str, target: str | None) -> str:
    """Return in words where an event leads from a state."""
    return f"stays {at}" if target in (None, at) else f"leads to {target}"


def _if(row: Transition) -> str:
    return f"if {guard_text(row.guard, ' and ')}" if row.guard else ""


def as_text(ways: Ways, name: str) -> str:
    """Return the ways as text: a line for each event, with what conditions must say and the state
    that comes.
    """
    lines = [_counted(ways, name), ""]
    for way in ways.found:
        lines.append(f"{way.row.id}:")
        for step in way.steps:
            said = "".join(f"; {name} {_word(holds)}" for name, holds in _said(step).items())
            lines.append(f"  {step.event:20} -> {_state(step.value)}{said}")
        lines.append("")
    lines += [f"no way: {row.id}: {why}" for row, why in ways.missing]
    return "\n".join(lines).rstrip() + "\n"


def as_json(ways: Ways, name: str) -> str:
    """Return the ways as JSON."""
    found = [
        {
            "transition": way.row.id,
            "in": way.at,
            "events": [
                {"event": step.event, "conditions": _said(step), "state": _state(step.value)}
                for step in way.steps
            ],
        }
        for way in ways.found
    ]
    missing = [{"transition": row.id, "why": why} for row, why in ways.missing]
    data = {"machine": name, "ways": found, "missing": missing}
    return json.dumps(data, indent=1, ensure_ascii=False) + "\n"


def _counted(ways: Ways, name: str) -> str:
    taken, missing = len(ways.found), len(ways.missing)
    return f"transitions of {name}: {taken} of {taken + missing} taken"


def _said(step: Step) -> dict[str, bool]:
    """Return what conditions are made to say before a step, by their names."""
    return {stub.name or f"condition {stub.number + 1}": holds for stub, holds in step.stubs}


def _word(holds: bool) -> str:
    return "says yes" if holds else "says no"


def _state(value: object) -> str:
    if isinstance(value, list | tuple):
        return ", ".join(map(_state, value))
    return str(value.name if isinstance(value, Enum) else value)


def tests_of(ways: Ways, source: MachineSource, command: str) -> str:
    """Return the file of tests for these ways. `command` is what the user wrote to get it."""
    title = f"One test for each transition of `{source.spec}`."
    missing = [f"`{row.id}`: {why}" for row, why in ways.missing]
    return file_of(
        ways.machine, source, cases_of(ways), title, command, ways.callbacks == "stub", missing
    )


def file_of(
    machine: Any,
    source: MachineSource,
    cases: Sequence[Case],
    title: str,
    command: str,
    silent: bool,
    missing: Sequence[str] = (),
) -> str:
    """Return a file of tests. `silent` keeps callbacks from running, and `missing` is listed in its
    docstring.
    """
    return _Writer(machine, source, tuple(cases), title, command, silent, tuple(missing)).text()


def names_of(cases: Sequence[Case]) -> list[str]:
    """Return a name for each test: the words, with more of them or a number only where two would be
    the same.
    """
    names = [_slug(case.words) for case in cases]
    often = Counter(names)
    names = [
        n if often[n] == 1 else _slug(f"{c.words} {c.more}")
        for n, c in zip(names, cases, strict=True)
    ]
    unique: list[str] = []
    for name in names:
        unique.append(
            next(
                one for one in chain([name], (f"{name}_{n}" for n in count(2))) if one not in unique
            )
        )
    return [f"test_{name}" for name in unique]


def _slug(words: str) -> str:
    return re.sub(r"\W+", "_", words).strip("_").lower()


@dataclass
class _Writer:
    machine: Any
    source: MachineSource
    cases: tuple[Case, ...]
    title: str
    command: str
    silent: bool
    missing: tuple[str, ...]

    def __post_init__(self) -> None:
        self.later = is_async(self.machine)
        self.itself = self.machine.models[0] is self.machine
        self.subject = "machine" if self.itself else _fixture_name(self.machine.models[0])
        self.enums: dict[type[Enum], bool] = {}
        stubs = [stub for case in self.cases for step in case.steps for stub, _ in step.stubs]
        self.says = any(stub.kind in ("method", "path") for stub in stubs)
        self.functions = any(stub.kind == "function" for stub in stubs)
        self.stubbed = bool(stubs)

    def text(self) -> str:
        """The whole file."""
        tests = [
            self._test(name, case)
            for name, case in zip(names_of(self.cases), self.cases, strict=True)
        ]
        parts = [*self._helpers(), *self._fixtures(), *tests]
        head = f"{self._docstring()}\n\n{self._imports()}"
        return "\n\n\n".join([head, *parts]) + "\n"

    # the head -------------------------------------------------------------------------------------

    def _docstring(self) -> str:
        lines = [
            self.title,
            "",
            f"Written by `{self.command}`. The file is yours: edit it as you like.",
            "",
        ]
        what = (
            "a machine of its own, as `make` returns it"
            if self.source.made
            else "a copy of the machine of its own"
        )
        lines.append(f"Each test takes {what}.")
        if self.silent:
            lines.append(
                "No callback runs: delete the line that replaces `callback` to run them all, or replace some in a test."
            )
        if self.stubbed:
            lines.append(
                "Some tests make conditions say what they need, by monkeypatch. To ask the real condition instead, "
                f"delete that line and bring about what it asks for, such as `{self.subject}.paid = True`."
            )
        lines += (
            ["", "Without a test:", *(f"- {one}" for one in self.missing)] if self.missing else []
        )
        wrapped = (part for line in lines for part in _wrapped(line))
        return (
            '"""' + "\n".join(wrapped).replace("\\", "/").replace('"""', "'''").rstrip() + '\n"""'
        )

    def _imports(self) -> str:
        first = ["import asyncio"] * (self.later and any(case.steps for case in self.cases)) + [
            "import copy"
        ] * (not self.source.made)
        if self.says or self.functions:
            first.append("from collections.abc import Callable")
        first.append("from typing import Any")
        names = [f"{self.source.name} as {'make' if self.source.made else 'original'}"]
        own = {self.source.module: names}
        for kind, found in self.enums.items():
            if found:
                own.setdefault(kind.__module__, []).append(kind.__qualname__)
        ours = [self._import(module, sorted(some)) for module, some in sorted(own.items())]
        return "\n\n".join(
            [
                "from __future__ import annotations",
                "\n".join(first),
                "import pytest",
                "\n".join(ours),
            ]
        )

    def _import(self, module: str, names: Sequence[str]) -> str:
        """Return imports as `ruff` sorts them: a name with another name is imported by itself."""
        renamed = [name for name in names if " as " in name]
        plain = [name for name in names if " as " not in name]
        lines = [f"from {module} import {', '.join(plain)}"] * bool(plain)
        return "\n".join([*lines, *(f"from {module} import {name}" for name in renamed)])

    # helpers --------------------------------------------------------------------------------------

    def _helpers(self) -> Iterator[str]:
        if self.says:
            yield _SAYS
        if self.functions:
            yield _CONDITIONS
            yield _HOLDS_LATER if self.later else _HOLDS

    def _fixtures(self) -> Iterator[str]:
        made = "make()" if self.source.made else "copy.deepcopy(original)"
        doc = (
            "A fresh machine."
            if self.source.made
            else "A copy, so that no test meets what another has left."
        )
        silent = [*self._silent_lines()]
        patch = "monkeypatch: pytest.MonkeyPatch" if self.silent else ""
        if self.source.driven:
            yield _fixture(self.subject, "", "A fresh object with its machine.", [f"return {made}"])
            if silent or self.functions:
                yield _fixture(
                    "machine",
                    ", ".join(filter(None, [f"{self.subject}: Any", patch])),
                    "The machine that drives the object.",
                    [
                        f"machine: Any = {self.subject}.trigger.func.__self__",
                        *silent,
                        "return machine",
                    ]
                    if silent
                    else [f"return {self.subject}.trigger.func.__self__"],
                    auto=bool(silent),
                )
            return
        lines = (
            [f"machine: Any = {made}", *silent, "return machine"] if silent else [f"return {made}"]
        )
        yield _fixture("machine", patch, doc, lines)
        if not self.itself:
            yield _fixture(
                self.subject,
                "machine: Any",
                "The object that the machine drives.",
                ["return machine.models[0]"],
            )

    def _silent_lines(self) -> list[str]:
        if not self.silent:
            return []
        if not self.later:
            return ['monkeypatch.setattr(machine, "callback", lambda func, event_data: None)']
        return [
            "",
            "async def no_callback(func: object, event_data: object) -> None:",
            "    pass",
            "",
            'monkeypatch.setattr(machine, "callback", no_callback)',
        ]

    # tests ----------------------------------------------------------------------------------------

    def _test(self, name: str, case: Case) -> str:
        body = list(self._body(case))
        uses = "\n".join(body)
        fixtures = [f"{self.subject}: Any"] if re.search(rf"\b{self.subject}\b", uses) else []
        if not self.itself and re.search(r"\bmachine\b", uses):
            fixtures.insert(0, "machine: Any")
        if "monkeypatch" in uses:
            fixtures.append("monkeypatch: pytest.MonkeyPatch")
        if self.later and case.steps:
            body = [
                "async def steps() -> None:",
                *(f"    {line}" for line in body),
                "",
                "asyncio.run(steps())",
            ]
            body = ["", *body]  # as ruff has it between a docstring and a function
        lines = [*_about(case.about), *body]
        return "\n".join(
            [*_signature(name, fixtures), *(f"    {line}" if line else "" for line in lines)]
        )

    def _body(self, case: Case) -> Iterator[str]:
        if not case.steps:
            yield from self._asserted(case.start)
        for step in case.steps:
            for stub, answer in step.stubs:
                yield from self._stubbed(stub, answer)
            wait = "await " * self.later
            call = (
                f"{step.event}()" if step.called == "event" else f"trigger({_quoted(step.event)})"
            )
            yield f"{wait}{self.subject}.{call}"
            yield from self._asserted(step.value)

    def _stubbed(self, stub: Stub, answer: bool) -> Iterator[str]:
        says = f"says({answer})"
        match stub.kind:
            case "method":
                arguments = [self.subject, _quoted(stub.name), says]
            case "attribute":
                arguments = [self.subject, _quoted(stub.name), str(answer), "raising=False"]
            case "property":
                arguments = [f"type({self.subject})", _quoted(stub.name), str(answer)]
            case "path":
                arguments = [_quoted(stub.name), says]
            case "function":
                where = f"conditions(machine, {_quoted(stub.event)}, {_quoted(stub.source)})[{stub.number}]"
                yield f"condition = {where}"
                arguments = ["condition", '"check"', f"holds({answer is stub.wanted})"]
        yield from _call("monkeypatch.setattr", arguments)

    def _asserted(self, value: object) -> Iterator[str]:
        attribute = f"{self.subject}.{self.machine.model_attribute}"
        wanted = self._value(value)
        if wanted is None:
            yield f"assert {attribute}.name == {_quoted(getattr(value, 'name', ''))}"
            return
        line = f"assert {attribute} == {wanted}"
        yield line

    def _value(self, value: object) -> str | None:
        """Return the code of a value of the state attribute, or None for a member of an Enum that
        no module has.
        """
        if isinstance(value, Enum):
            kind = type(value)
            if kind not in self.enums:
                self.enums[kind] = _importable(kind)
            return f"{kind.__qualname__}.{value.name}" if self.enums[kind] else None
        if isinstance(value, list | tuple):
            return f"[{', '.join(self._value(one) or repr(one) for one in value)}]"
        return _quoted(value) if isinstance(value, str) else repr(value)


_SAYS = '''def says(answer: bool) -> Callable[..., bool]:
    """A condition that gives this answer, whatever it is asked with."""
    return lambda *_, **__: answer'''
_CONDITIONS = '''def conditions(machine: Any, event: str, source: str) -> list[Any]:
    """The conditions of an event in a state, in the order in which they are asked."""
    transitions = machine.get_transitions(event, source)
    return [condition for one in transitions for condition in one.conditions]'''
_HOLDS = '''def holds(answer: bool) -> Callable[..., bool]:
    """What a condition finds, instead of asking its function."""
    return lambda event_data: answer'''
_HOLDS_LATER = '''def holds(answer: bool) -> Callable[..., Any]:
    """What a condition finds, instead of asking its function."""

    async def check(event_data: object) -> bool:
        return answer

    return check'''


def _fixture(
    name: str, parameters: str, doc: str, lines: Sequence[str], *, auto: bool = False
) -> str:
    body = "\n".join(f"    {line}" if line else "" for line in lines)
    mark = "@pytest.fixture(autouse=True)" if auto else "@pytest.fixture"
    return f'{mark}\ndef {name}({parameters}) -> Any:\n    """{doc}"""\n{body}'


def _signature(name: str, parameters: Sequence[str]) -> list[str]:
    """Return the first lines of a test, formatted the same at every line length from `WIDTH` on."""
    line = f"def {name}({', '.join(parameters)}) -> None:"
    if len(line) <= WIDTH or not parameters:
        return [line]
    return [f"def {name}(", *(f"    {one}," for one in parameters), ") -> None:"]


def _call(function: str, arguments: Sequence[str]) -> Iterator[str]:
    line = f"{function}({', '.join(arguments)})"
    if len(line) <= WIDTH - 8:
        yield line
        return
    yield f"{function}("
    yield from (f"    {one}," for one in arguments)
    yield ")"


def _fixture_name(subject: object) -> str:
    """Return a name for the object: that of its class, as variables are written."""
    words = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", type(subject).__name__)
    name = re.sub(r"\W+", "_", words).strip("_").lower()
    ok = name.isidentifier() and not keyword.iskeyword(name) and name not in TAKEN | {"request"}
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


def _about(sentences: Sequence[str]) -> list[str]:
    """Return the docstring of a test: in one line, if it is one sentence that fits."""
    safe = [text.replace("\\", "/").replace('"', "'") + "." for text in sentences]
    if len(safe) == 1 and len(safe[0]) <= WIDTH - 10:
        return [f'"""{safe[0]}"""']
    lines = [line for text in safe for line in _wrapped(f"- {text}" if len(safe) > 1 else text)]
    first = [lines.pop(0)] if len(safe) == 1 else ["Nothing else has noticed this:", ""]
    return [f'"""{first[0]}', *first[1:], *lines, '"""']


def _wrapped(line: str) -> Iterable[str]:
    from textwrap import wrap

    indent = "  " if line.startswith("- ") else ""
    return wrap(
        line, WIDTH - 8, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False
    ) or [""]
