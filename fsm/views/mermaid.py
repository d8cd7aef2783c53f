"""Machines and turns as state diagrams of Mermaid, which lays them out itself."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

from fsm.model import Model
from fsm.views.charts import chart_of
from fsm.views.machines import ANY, Label, Machine
from fsm.wording import label_of, plain


def mermaid(model: Model) -> str:
    """Return a machine, or the steps of a turn, as a state diagram with nested states."""
    machine = chart_of(model)
    numbers = {state.id: f"s{i}" for i, state in enumerate(machine.states)}
    title = json.dumps(plain(machine.title), ensure_ascii=False)
    lines = ["---", f"title: {title}", "---", "stateDiagram-v2"]
    lines += _frame(machine, numbers, ANY, "    ")
    for line in machine.lines:
        source = f"any{numbers.get(line.source, '')}" if line.inside else numbers[line.source]
        again = line.inside and line.target in (ANY, line.source)
        target = source if again else numbers[line.target]
        said = " | ".join(map(_said, line.labels))
        lines.append(f"    {source} --> {target}{f' : {said}' if said else ''}")
    for state in machine.states:
        if state.kind == "final":
            lines.append(f"    {numbers[state.id]} --> [*]")
    return "\n".join(lines) + "\n"


def _frame(machine: Machine, numbers: dict[str, str], frame: str, indent: str) -> Iterator[str]:
    """Yield what is inside of a frame."""
    for state in machine.inside(frame):
        nested = bool(machine.inside(state.id))
        name = numbers[state.id]
        yield f'{indent}state "{_safe(label_of(state))}" as {name}{" {" if nested else ""}'
        if nested:
            yield from _frame(machine, numbers, state.id, indent + "    ")
            yield indent + "}"
        for label in () if nested else machine.stays.get(state.id, ()):
            yield f"{indent}{name} : {_said(label)}"
    if frame in machine.crowds:
        name = f"any{numbers.get(frame, '')}"
        yield f'{indent}state "{machine.any}" as {name}'
        for label in machine.stays.get(frame, ()):
            yield f"{indent}{name} : {_said(label)}"
    for place, target in machine.starts:
        if place == frame:
            yield f"{indent}[*] --> {numbers[target]}"


def _said(label: Label) -> str:
    return _safe(str(label))


def _safe(text: str) -> str:
    """Return a text in which no letter means anything to Mermaid."""
    return _MEANING.sub(lambda found: f"#{ord(found[0])};", plain(text))


_MEANING = re.compile(r"[^\w\s.,()'|/-]|(?<![^\W_])_|_(?![^\W_])")
"""Also "_" at the begin or end of a word, which makes it bold or slanted."""
