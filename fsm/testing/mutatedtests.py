"""The pytest plugin inside the runs of `fsm mutate`: it records what the tests take, or changes a
machine wherever it is used. No source is edited.
"""

from __future__ import annotations

import os
from collections.abc import Generator
from contextlib import nullcontext, suppress
from pathlib import Path
from typing import Any

import msgspec
import pytest

from fsm.coverage.recording import everywhere
from fsm.coverage.sessions import Session, start, stop
from fsm.testing.mutants import Mutant, change

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
        if self.session is not None:
            with suppress(Exception):
                stop(self.session)
