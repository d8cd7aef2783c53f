"""The pytest plugin inside the runs of `fsm mutate`: it records what the tests take, or changes a
machine wherever it is used. No source is edited.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Generator
from contextlib import nullcontext, suppress
from pathlib import Path
from typing import Any
from weakref import ref

import msgspec
import pytest

from fsm.adapters.reading import Arrow, arrows, events_of, is_async
from fsm.coverage.machines import ReadMachine
from fsm.coverage.recording import everywhere
from fsm.coverage.sessions import Session, start, stop
from fsm.engine import freezing
from fsm.testing.mutants import Mutant

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


class Job(msgspec.Struct, frozen=True):
    """What a run is told: the change, if any, of the machines of this name, the only tests, and
    whether it records what they take.
    """

    mutant: Mutant | None = None
    name: str = ""
    tests: frozenset[str] | None = None
    records: bool = False


def pytest_configure(config: pytest.Config) -> None:
    """Begin."""
    config.pluginmanager.register(_Running(config, Path(os.environ[VARIABLE])), "fsm-mutate")


@pytest.hookimpl(tryfirst=True)
def pytest_load_initial_conftests(early_config: pytest.Config) -> None:
    """Turn coverage off."""
    _uncovered(early_config.known_args_namespace)


def _uncovered(options: Any) -> None:
    for name in COVERING:
        if hasattr(options, name):
            setattr(options, name, True)


class _Running:
    def __init__(self, config: pytest.Config, directory: Path) -> None:
        self.job = msgspec.json.decode((directory / "job.json").read_bytes(), type=Job)
        self.session: Session | None = None
        self.changed: ChangedMachines | None = None
        _uncovered(config.option)
        if self.job.records:
            self.session = start(directory / DATA, children=True)
        if self.job.mutant is not None:
            applied = (directory / "applied").touch
            self.changed = ChangedMachines(self.job.name, self.job.mutant, applied)

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(
        self, config: pytest.Config, items: list[pytest.Item]
    ) -> None:
        """Leave only the tests that are asked for."""
        wanted = self.job.tests
        if wanted is not None:
            left = [item for item in items if item.nodeid not in wanted and item.name not in wanted]
            items[:] = [item for item in items if item not in left]
            config.hook.pytest_deselected(items=left)

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
        if self.changed is not None:
            self.changed.patches.undo()
        if self.session is not None:
            with suppress(Exception):
                stop(self.session)


class ChangedMachines:
    """Changes each machine of this name before it is used."""

    def __init__(self, name: str, mutant: Mutant, applied: Callable[[], None]) -> None:
        from transitions import core
        from transitions.extensions import asyncio, nesting

        self.name, self.mutant, self.applied = name, mutant, applied
        self.known: dict[int, ref[Any]] = {}
        self.patches = pytest.MonkeyPatch()
        self.patches.setattr(freezing, "by_library", True)
        for kind in (
            core.Machine,
            nesting.HierarchicalMachine,
            asyncio.AsyncMachine,
            asyncio.HierarchicalAsyncMachine,
        ):
            for method in USED:
                if method in vars(kind):
                    self.patches.setattr(kind, method, self._uses(vars(kind)[method]))

    def _uses(self, original: Any) -> Any:
        def used(machine: Any, *args: Any, **kwargs: Any) -> Any:
            held = self.known.get(id(machine))
            if held is None or held() is not machine:
                self.known[id(machine)] = ref(machine)
                with suppress(Exception):  # a machine that cannot be read is left alone
                    if change(machine, self.mutant, self.name):
                        self.applied()
            return original(machine, *args, **kwargs)

        return used


def change(machine: Any, mutant: Mutant, name: str) -> bool:
    """Change a machine if it is of this name and has the transition. Return whether it was changed."""
    read = ReadMachine(machine)
    if read.subject.name != name:
        return False
    found = list[Arrow]()
    for arrow in arrows(machine):
        row = read.row(arrow.transition)
        if row is not None and row.id == mutant.row:
            found.append(arrow)
    for arrow in found:
        transition = arrow.transition
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
    return bool(found)


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
