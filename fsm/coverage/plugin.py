"""The body of the pytest plugin: every process collects, and the process that the user started
reports. `pytest_turn_fsm` has its options.
"""

from __future__ import annotations

import traceback
from collections.abc import Generator, Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Any

import pytest

from fsm.coverage.data import ENDING, combine
from fsm.coverage.recording import everywhere
from fsm.coverage.reporting import asked_for, reported
from fsm.coverage.sessions import Session, pausing, start, stop
from fsm.errors import FsmError
from fsm.files import write_file
from fsm.model import Model
from fsm.rulesets import load
from pytest_turn_fsm import another_fsm

DIRECTORY = "fsm_cov_directory"
MODELS = "fsm_cov_models"
"""The names under which the main process and the workers of pytest-xdist exchange data."""
NAME = "coverage-of-state-machines"
"""The name under which the plugin of a run is registered."""
ALL = ("", "all")
"""The words for everything that was recorded."""


def begin(config: pytest.Config) -> None:
    """Start to collect. Raises UsageError if a setting is wrong."""
    settings = Settings(config)
    given = getattr(config, "workerinput", {}).get(DIRECTORY)
    directory = Path(given) if given else config.rootpath / settings.data
    if given is None:
        _empty(directory)
    kind = Reporting if given is None else Working
    config.pluginmanager.register(kind(config, settings, directory), NAME)


def _empty(directory: Path) -> None:
    try:
        directory.mkdir(parents=True, exist_ok=True)
        (directory / ".gitignore").write_text("*\n", encoding="utf-8")
        for old in directory.glob(f"*{ENDING}"):
            old.unlink()
    except OSError as error:
        raise pytest.UsageError(f"--fsm-cov-data: {directory}: {error.strerror or error}") from None


class Settings:
    """The settings of the plugin, from the command line or, if not given there, the configuration
    file.

    `specs` are the names of the models. Without any, all that are recorded are reported. `data` is
    the directory, relative to the root. Raises UsageError if a setting is wrong.
    """

    def __init__(self, config: pytest.Config) -> None:
        self._config = config
        self.specs = list(dict.fromkeys(s for s in self._words("fsm_cov") if s not in ALL))
        self.data: str = (self._words("fsm_cov_data") or [".fsm-coverage"])[-1]
        baselines, lists = self._words("fsm_cov_baseline"), self._words("fsm_cov_allow")
        try:
            self.asked = asked_for(
                self._words("fsm_cov_criteria"),
                self._words("fsm_cov_report"),
                self._words("fsm_cov_fail_under"),
                [self._found("fsm_cov_allow", path) for path in lists],
                [(self._found("fsm_cov_baseline", path), path) for path in baselines],
            )
        except FsmError as error:
            raise pytest.UsageError(f"--fsm-cov: {error}") from None

    def _words(self, key: str) -> list[str]:
        return list(self._config.getoption(key) or self._config.getini(key))

    def _found(self, key: str, path: str) -> Path:
        """Resolve a path: from the current directory on the command line, from its own folder in
        the configuration file.
        """
        config = self._config
        return (config.invocation_params.dir if config.getoption(key) else config.rootpath) / path


class Collecting:
    """Collects in this process and in those that it starts. Each test is a context.

    An error here must not end the user's run. It is added to `problems`.
    """

    def __init__(self, config: pytest.Config, settings: Settings, directory: Path) -> None:
        self.config, self.settings, self.directory = config, settings, directory
        self.models: dict[str, Model] = {}
        self.wrong: dict[str, str] = {}
        self.problems: list[str] = []
        self.session: Session | None = None
        with self.noting():
            self.session = start(directory, children=True, root=config.rootpath)

    @contextmanager
    def noting(self) -> Iterator[None]:
        """Turn an error inside the block into a problem."""
        try:
            yield
        except Exception as error:  # no error here may cost the user the results of the tests
            self.problems.append(_one_line(error))

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, object, object]:
        """Record set-up, test and tear-down in the context of the test, unless the test is marked
        otherwise.
        """
        if item.get_closest_marker("no_fsm_cov") is None:
            with everywhere(item.nodeid):
                return (yield)
        with pausing(self.session) if self.session else nullcontext():
            return (yield)

    @pytest.hookimpl(tryfirst=True)
    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        """Look for another `fsm` when a test file cannot be imported: it may need that one."""
        trouble = another_fsm() if report.failed else ""
        if trouble:
            self.hidden(trouble)

    def hidden(self, trouble: str) -> None:
        """Note which `fsm` hides this one."""
        self.problems.append(trouble)

    def pytest_collection_finish(self) -> None:
        """Load the models. The tests have been imported, so modules that they import can be
        found.
        """
        self.load_models()

    def load_models(self) -> None:
        """Load the models that are not known yet."""
        for spec in self.settings.specs:
            if spec not in self.models:
                try:
                    self.models[spec] = load(spec, machines=True)
                except Exception as error:  # raised by a machine, or by the function that makes it
                    self.wrong.setdefault(spec, _one_line(error))

    def stop(self) -> None:
        """Stop collecting."""
        session, self.session = self.session, None
        if session:
            with self.noting():
                stop(session)

    def pytest_unconfigure(self) -> None:
        """Stop collecting, however the run ends."""
        self.stop()


class Working(Collecting):
    """A worker of pytest-xdist. It hands over the models, because only workers import their
    modules.
    """

    def pytest_sessionfinish(self) -> None:
        """Hand over the models and the problems to the main process."""
        self.stop()
        models = {spec: model.to_json() for spec, model in self.models.items()}
        output: dict[str, Any] = self.config.workeroutput  # type: ignore[attr-defined]
        output[MODELS] = models, self.wrong, self.problems


class Reporting(Collecting):
    """The process that the user started. It reports."""

    silent = True
    """Whether there is nothing to report because no tests have run."""

    def __init__(self, config: pytest.Config, settings: Settings, directory: Path) -> None:
        super().__init__(config, settings, directory)
        self.lines = list[str]()
        self.notes = list[str]()

    def hidden(self, trouble: str) -> None:
        """Raise UsageError at once if another `fsm` is on the path."""
        raise pytest.UsageError(f"--fsm-cov: {trouble}")

    def pytest_collection_finish(self) -> None:
        """Raise UsageError at once if a name is wrong."""
        super().pytest_collection_finish()
        for spec, why in self.wrong.items():
            raise pytest.UsageError(f"--fsm-cov={spec}: {why}")

    @pytest.hookimpl(optionalhook=True)
    def pytest_configure_node(self, node: Any) -> None:
        """Pass the directory to a worker that is about to start."""
        node.workerinput[DIRECTORY] = str(self.directory)

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        """Take over the models and problems of a worker. A crashed one leaves only its data
        file.
        """
        with self.noting():
            told = getattr(node, "workeroutput", {})
            models, wrong, problems = told.get(MODELS, ({}, {}, []))
            self.wrong.update(wrong)
            self.problems += problems
            self.models.update({spec: Model.from_json(data) for spec, data in models.items()})

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Measure, write the files, and fail if there are problems."""
        self.stop()
        usage = session.exitstatus == pytest.ExitCode.USAGE_ERROR
        self.silent = self.config.option.collectonly or usage
        if self.silent:
            return
        with self.noting():
            self._report()
        passed = (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED)
        if self.problems and session.exitstatus in passed:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def _report(self) -> None:
        specs, asked = self.settings.specs, self.settings.asked
        self.load_models()
        self.problems += [f"{s}: {self.wrong[s]}" for s in specs if s not in self.models]
        models = [(spec, self.models[spec]) for spec in specs if spec in self.models]
        if specs and not models:
            return
        found = reported(combine([self.directory]), models, asked)
        self.problems += found.problems
        self.lines += found.lines
        self.notes += found.notes
        folder = self.config.invocation_params.dir
        for path, text in found.files.items():
            write_file(str(folder / path), text)
            self.notes.append(f"written: {path}")

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        """Print the report, the notes, the files and the problems."""
        if self.silent:
            return
        terminalreporter.write_sep("-", "coverage of state machines")
        for line in (*self.lines, *dict.fromkeys(self.notes)):
            terminalreporter.write_line(line)
        for problem in dict.fromkeys(self.problems):
            terminalreporter.write_line(f"FAIL {problem}", red=True, bold=True)


def _one_line(error: Exception) -> str:
    """Describe an error in one line, an unexpected one with the place that raised it."""
    if isinstance(error, FsmError):
        return str(error)
    if isinstance(error, OSError) and error.filename:
        return f"{error.filename}: {error.strerror}"
    last = traceback.extract_tb(error.__traceback__)[-1]
    text = " ".join(str(error).split())
    return f"{type(error).__name__}: {text} ({last.filename}:{last.lineno})"
