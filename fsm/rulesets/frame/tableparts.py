"""The parts of a table one by one, each with the place where it stands."""

from __future__ import annotations

from collections.abc import Iterator

from fsm.model import Term
from fsm.rulesets.frame.parts import (
    Absent,
    Act,
    Again,
    Back,
    During,
    Either,
    Phase,
    Step,
    TableParts,
    Then,
    Window,
)
from fsm.rulesets.frame.rows import guard


def acts(table: TableParts) -> Iterator[tuple[Phase, Step, Act]]:
    """Yield every action of a step, with its phase and step."""
    for phase in table.all_phases:
        for step in phase.steps:
            yield from ((phase, step, stage) for stage in step.stages if isinstance(stage, Act))
            yield from ((phase, step, during.act) for during in step.during)


def guards(table: TableParts) -> Iterator[tuple[str, tuple[Term, ...]]]:
    """Yield every guard of a table with its place."""
    for phase in table.all_phases:
        where = f"phase {phase.name!r}"
        for word, text in _of_phase(phase):
            yield f"{where}, {word}", guard(text)
        for step in phase.steps:
            for word, text in _of_step(step):
                yield f"{where}, step {step.name!r}, {word}", guard(text)
    for row in table.transitions:
        yield f"transition {row.id!r}", row.guard


def _of_phase(phase: Phase) -> Iterator[tuple[str, str]]:
    if phase.swap is not None:
        yield "swap", phase.swap.when
    yield from _around(phase.unless, phase.absent, phase.then)


def _of_step(step: Step) -> Iterator[tuple[str, str]]:
    for number, part in enumerate(step.does, 1):
        if isinstance(part, Act | Window | Either | Again | Back):
            yield f"part {number}", part.when
    yield from _around(step.unless, step.absent, step.then)
    for during in step.during:
        yield from _of_during(during)


def _around(
    unless: str, absent: tuple[Absent, ...], then: tuple[Then, ...]
) -> Iterator[tuple[str, str]]:
    if unless:
        yield "unless", unless
    yield from (("absent", one.when) for one in absent)
    yield from (("then", one.when) for one in then)


def _of_during(during: During) -> Iterator[tuple[str, str]]:
    where = f"during {during.event!r}"
    yield where, during.when
    yield from ((where, refused.when) for refused in during.refused)
