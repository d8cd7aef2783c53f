"""The small changes of a machine of the `transitions` library that `fsm mutate` tries, and the
pytest plugin that makes one in a run of the user's tests, wherever the machine is used. No source
is edited.

DeMillo, Lipton and Sayward, "Hints on test data selection" (1978). A change that no event can
distinguish from the machine is left out: all answers of the conditions are compared.
"""

from __future__ import annotations

import os
from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import nullcontext, suppress
from itertools import chain
from pathlib import Path
from typing import Any, Literal

import msgspec
import pytest
from msgspec.structs import replace

from fsm.adapters.reading import TOGETHER, arrows, events_of, is_async
from fsm.coverage.machines import ReadMachine
from fsm.coverage.recording import everywhere
from fsm.coverage.sessions import Session, start, stop
from fsm.engine.semantics import every_choice
from fsm.model import Model, Term, Transition

Kind = Literal["removed", "retargeted", "negated", "unconditional"]


class Mutant(msgspec.Struct, frozen=True):
    """One change of a transition.

    Attributes
    ----------
    kind
        What is done to the transition.
    row
        Its id.
    number
        The number of the condition that is negated or dropped.
    term
        That condition.
    target
        The id of the state to which the changed transition leads.
    """

    kind: Kind
    row: str
    number: int = 0
    term: str = ""
    target: str = ""

    def __str__(self) -> str:
        match self.kind:
            case "removed":
                return f"without `{self.row}`"
            case "retargeted":
                return f"`{self.row}` leads to `{self.target}`"
            case "negated":
                return f"`{self.row}` asks for the opposite of `{self.term}`"
        return f"`{self.row}` does not ask for `{self.term}`"

    def changed(self, row: Transition) -> tuple[Transition, ...]:
        """Return what becomes of the transition."""
        guard = list(row.guard)
        match self.kind:
            case "removed":
                return ()
            case "retargeted":
                return (replace(row, target=self.target),)
            case "negated":
                term = guard[self.number]
                guard[self.number] = Term(term.fact, not term.value)
            case "unconditional":
                del guard[self.number]
        return (replace(row, guard=tuple(guard)),)


class Difference(msgspec.Struct, frozen=True):
    """Where a change shows: an event in a state, and what the conditions must say."""

    at: str
    event: str
    answers: Mapping[str, bool]


def mutants_of(model: Model) -> Iterator[Mutant]:
    """Yield the changes of a plain machine."""
    for row in model.transitions:
        if row.event == TOGETHER:
            continue
        yield Mutant("removed", row.id)
        target = _other_target(model, row.target) if row.target is not None else ""
        if target:
            yield Mutant("retargeted", row.id, target=target)
        for number, term in enumerate(row.guard):
            yield Mutant("negated", row.id, number, str(term))
            yield Mutant("unconditional", row.id, number, str(term))


def _other_target(model: Model, target: str) -> str:
    """Return another state beside the target of a transition, or ""."""
    parent = model.state(target).parent
    for leaf in model.leaves:
        if leaf.parent == parent and leaf.id != target and not leaf.stand_in:
            return leaf.id
    return ""


def differences(model: Model, mutant: Mutant) -> Iterator[Difference]:
    """Yield where a change shows, and for which answers of the conditions."""
    row = model.transition(mutant.row)
    for state in model.leaves:
        before = model.rows(state.id, row.event)
        if row not in before:
            continue
        after = list[Transition]()
        for one in before:
            after += mutant.changed(one) if one == row else [one]
        asked = chain.from_iterable(one.guard for one in before)
        facts = dict.fromkeys((term.fact for term in asked), False)
        for choices in every_choice():
            if _effect(before, choices) != _effect(after, choices):
                yield Difference(state.id, row.event, {**facts, **choices})


def _effect(rows: Sequence[Transition], answers: Mapping[str, bool]) -> object:
    """Return what the first transition that holds does, or whether the event is refused."""
    for row in rows:
        if all(answers[term.fact] is term.value for term in row.guard):
            return row.target, row.actions
    return bool(rows)


# machines -----------------------------------------------------------------------------------------


def change(machine: Any, mutant: Mutant, name: str) -> bool:
    """Change a machine if it is of this name and has the transition. Return whether it was
    changed.
    """
    read, is_changed = ReadMachine(machine), False
    for arrow in arrows(machine) if read.subject.name == name else ():
        transition = arrow.transition
        row = read.row(transition)
        if row is None or row.id != mutant.row:
            continue
        is_changed = True
        match mutant.kind:
            case "removed":
                _remove(machine, transition)
            case "retargeted":
                label = read.model.state(mutant.target).label
                transition.dest = label.removeprefix(arrow.scope + read.separator)
            case "negated":
                condition = transition.conditions[mutant.number]
                condition.target = not condition.target
            case "unconditional":
                condition = transition.conditions[mutant.number]
                condition.check = _yes_later if is_async(machine) else _yes
    return is_changed


def _remove(machine: Any, transition: Any) -> None:
    for event in events_of(machine):
        for source, rows in list(event.transitions.items()):
            rows[:] = [one for one in rows if one is not transition]
            if not rows:
                del event.transitions[source]


def _yes(event_data: object) -> bool:
    return True


async def _yes_later(event_data: object) -> bool:
    return True


# the plugin ---------------------------------------------------------------------------------------

VARIABLE = "FSM_MUTATE"
"""The environment names the directory of a run under this."""
DATA = "data"
"""In it, the run without a change keeps what the tests take."""
EVERY = "*"
"""The context of what tests share: what a fixture of a module or session does."""
COVERING = ("no_fsm_cov", "no_cov")
"""Options of pytest that turn coverage off. Its floors would fail a run of a few tests."""
USED = ("_process", "process_context", "_can_trigger")
"""The methods of machines that try transitions."""
CHANGED = "_fsm_mutate"
"""The attribute of a machine that was changed, if it had to be. A copy has it, too."""


class Job(msgspec.Struct, frozen=True):
    """What a run is told: the change, if any, of the machines of this name, the only tests, and
    whether it records what they take.
    """

    mutant: Mutant | None = None
    name: str = ""
    tests: frozenset[str] | None = None
    records: bool = False


@pytest.hookimpl(tryfirst=True)
def pytest_load_initial_conftests(early_config: pytest.Config, args: list[str]) -> None:
    """Turn coverage off."""
    options = early_config.known_args_namespace
    for name in COVERING:
        if hasattr(options, name):
            setattr(options, name, True)
            args.insert(0, "--" + name.replace("_", "-"))


def pytest_configure(config: pytest.Config) -> None:
    """Begin."""
    config.pluginmanager.register(_Running(Path(os.environ[VARIABLE])), "fsm-mutate")


class _Running:
    def __init__(self, directory: Path) -> None:
        self.directory = directory
        self.job = msgspec.json.decode((directory / "job.json").read_bytes(), type=Job)
        self.patches = pytest.MonkeyPatch()
        self.session: Session | None = None
        if self.job.records:
            self.session = start(directory / DATA, children=True)
        if self.job.mutant is not None:
            self._change(self.job.mutant)

    def _change(self, mutant: Mutant) -> None:
        """Change each machine of the name before it is used."""
        from transitions import core
        from transitions.extensions import asyncio, nesting

        from fsm.engine import machine

        kinds = asyncio.AsyncMachine, asyncio.HierarchicalAsyncMachine
        self.patches.setattr(machine, "by_library", True)
        for kind in (core.Machine, nesting.HierarchicalMachine, *kinds):
            for method in USED:
                if method in vars(kind):
                    self.patches.setattr(kind, method, self._uses(vars(kind)[method], mutant))

    def _uses(self, original: Any, mutant: Mutant) -> Any:
        def used(machine: Any, *args: Any, **kwargs: Any) -> Any:
            if CHANGED not in vars(machine):
                vars(machine)[CHANGED] = True
                with suppress(Exception):  # a machine that cannot be read is left alone
                    if change(machine, mutant, self.job.name):
                        (self.directory / "applied").touch()
            return original(machine, *args, **kwargs)

        return used

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(
        self, config: pytest.Config, items: list[pytest.Item]
    ) -> None:
        """Leave only the tests that are asked for."""
        wanted = self.job.tests
        if wanted is not None:
            config.hook.pytest_deselected(items=[i for i in items if i.nodeid not in wanted])
            items[:] = [item for item in items if item.nodeid in wanted]

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, object, object]:
        """Record in the context of the test."""
        with everywhere(item.nodeid) if self.session else nullcontext():
            return (yield)

    @pytest.hookimpl(wrapper=True)
    def pytest_fixture_setup(self, fixturedef: Any) -> Generator[None, object, object]:
        """Record what tests share in a context of its own."""
        shared = self.session and fixturedef.scope != "function"
        with everywhere(EVERY) if shared else nullcontext():
            return (yield)

    def pytest_unconfigure(self) -> None:
        """End."""
        self.patches.undo()
        if self.session:
            with suppress(Exception):
                stop(self.session)
