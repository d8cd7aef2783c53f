"""The pytest plugin inside the runs of the user's tests: it records what they take, or changes the
machines.
"""

from __future__ import annotations

import os
from collections.abc import Generator
from contextlib import nullcontext, suppress
from pathlib import Path
from typing import Any

import pytest

from fsm.coverage.data import subject_of
from fsm.coverage.instrumentation import Session, start, stop
from fsm.coverage.instrumentation.contexts import everywhere
from fsm.coverage.instrumentation.identifying import ReadMachine
from fsm.model.graph import graphs_of
from fsm.testing.mutation.applying import Enforce, Seen, UsedMachines, changing
from fsm.testing.mutation.jobs import (
    DATA,
    VARIABLE,
    Answer,
    Job,
    note_applied,
    write_definition,
    write_fixtures,
)
from fsm.testing.mutation.mutants import Mutant, mutants_of

SHARED = "fixture "
"""The context of what a fixture does that several tests share: this, and its name."""
COVERING = ("no_fsm_cov", "no_cov")
"""Options of pytest by which coverage measures nothing. Its floors would fail a run of a few tests."""


def pytest_configure(config: pytest.Config) -> None:
    """Begin. The directory of the job is in the environment."""
    config.pluginmanager.register(_Running(config, Path(os.environ[VARIABLE])), "fsm-mutation")


@pytest.hookimpl(tryfirst=True)
def pytest_load_initial_conftests(early_config: pytest.Config) -> None:
    """Turn coverage off."""
    for name in COVERING:
        if hasattr(early_config.known_args_namespace, name):
            setattr(early_config.known_args_namespace, name, True)


class _Running:
    def __init__(self, config: pytest.Config, directory: Path) -> None:
        self.config, self.directory, self.job, self.answer = (
            config,
            directory,
            Job.read(directory),
            Answer(),
        )
        self.session: Session | None = None
        self.test = ""
        self.written: set[tuple[str, bool]] = set()
        for name in COVERING:
            if hasattr(config.option, name):
                setattr(config.option, name, True)
        seen: Seen = self._record
        if self.job.subject is not None:
            seen = changing(self.job.subject, self._mutant, lambda: note_applied(directory))
        self.machines = UsedMachines(seen)
        if self.job.covering or self.job.subject is not None:
            self.machines.watch()
        if self.job.covering:
            self.session = start(directory / DATA, children=True)

    def _mutant(self) -> Mutant | None:
        return self.job.each.get(self.test, self.job.mutant)

    def _record(self, machine: Any, known: ReadMachine) -> list[Enforce]:
        if machine.models and known.model.transitions and not graphs_of(known.model)[0].played:
            made, subject = self.machines.made(machine), subject_of(known.model)
            key = subject.fingerprint, bool(made)
            if key in self.written or (key[0], True) in self.written:
                return []
            self.written.add(key)
            mutants, same = mutants_of(machine)
            definition = {
                "name": subject.name,
                "fingerprint": subject.fingerprint,
                "model": known.model.to_json(),
                "made": made,
                "mutants": [mutant.to_json() for mutant in mutants],
                "same": [mutant.to_json() for mutant in same],
            }
            write_definition(self.directory, definition)
        return []

    @property
    def main(self) -> bool:
        """Whether this is the process that reports, and no worker of pytest-xdist."""
        return not hasattr(self.config, "workerinput")

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Leave only the tests that are asked for."""
        if self.job.tests is not None:
            wanted = set(self.job.tests)
            left = [item for item in items if item.nodeid not in wanted and item.name not in wanted]
            items[:] = [item for item in items if item not in left]
            if left:
                self.config.hook.pytest_deselected(items=left)
        fixtures: dict[str, list[str]] = {}
        for item in items:
            found = getattr(getattr(item, "_fixtureinfo", None), "name2fixturedefs", {})
            for name, definitions in found.items():
                if any(one.scope != "function" for one in definitions):
                    fixtures.setdefault(name, []).append(item.nodeid)
        if self.job.covering:
            write_fixtures(self.directory, fixtures)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, object, object]:
        """Record in the context of the test."""
        self.test = item.name
        with everywhere(item.nodeid) if self.job.covering else nullcontext():
            return (yield)

    @pytest.hookimpl(wrapper=True)
    def pytest_fixture_setup(self, fixturedef: Any) -> Generator[None, object, object]:
        """Record in a context of its own what several tests share."""
        shared = self.job.covering and fixturedef.scope != "function"
        with everywhere(SHARED + str(fixturedef.argname)) if shared else nullcontext():
            return (yield)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Note a failure."""
        self.answer.ran += report.when == "call"
        if report.failed:
            self.answer.failed.append(report.nodeid)

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        """Note a file that cannot be collected."""
        if report.failed:
            self.answer.failed.append(report.nodeid)

    def pytest_sessionfinish(self) -> None:
        """Write what came of it. A worker of pytest-xdist leaves that to the process that the user
        started.
        """
        if self.main:
            self.answer.write(self.directory)

    def pytest_unconfigure(self) -> None:
        """End."""
        self.machines.stop()
        if self.session is not None:
            with suppress(Exception):
                stop(self.session)
