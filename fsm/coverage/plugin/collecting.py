"""The body of the pytest plugin: every process collects, and the process that the user started
reports.
"""

from __future__ import annotations

import json
import traceback
from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

from fsm.coverage import Data, Session, combine, start, stop
from fsm.coverage.comparing import lost_from, notes_on
from fsm.coverage.files import ENDING
from fsm.coverage.instrumentation.contexts import everywhere
from fsm.coverage.plugin.settings import Settings, settings_of
from fsm.coverage.reports import DEFAULT, Result, below, printed, results_of, written, wrong
from fsm.coverage.reports.results import unknown_in
from fsm.errors import FsmError
from fsm.model import Model
from fsm.rulesets import load
from pytest_turn_fsm import another_fsm

DIRECTORY = "fsm_cov_directory"
MODELS = "fsm_cov_models"
"""The names under which the main process and the workers of pytest-xdist exchange data."""
NAME = "coverage-of-state-machines"
"""The name under which the plugin of a run is registered."""
NO_RESULT = "running the test EXITED with status 3"
NO_RESULT_NOTE = (
    "--forked: tests ended with status 3, for pytest-forked cannot hand on the results of this pytest "
    f"({pytest.__version__}; 8 is the last with which it works). What the tests took was measured all the same"
)


def begin(config: pytest.Config) -> None:
    """Start to collect. Raises UsageError if a setting is wrong."""
    settings = settings_of(config)
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
        self.start()

    @contextmanager
    def noting(self) -> Iterator[None]:
        """Turn an error inside the block into a problem."""
        try:
            yield
        except FsmError as error:
            self.problems.append(str(error))
        except OSError as error:
            self.problems.append(
                f"{error.filename}: {error.strerror}" if error.filename else _one_line(error)
            )
        except Exception as error:  # no error here may cost the user the results of the tests
            self.problems.append(f"no report can be made: {_one_line(error)}")

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, object, object]:
        """Record set-up, test and tear-down in the context of the test, unless the test is marked
        otherwise.
        """
        if item.get_closest_marker("no_fsm_cov") is None:
            with everywhere(item.nodeid):
                return (yield)
        self.stop()
        try:
            return (yield)
        finally:
            self.start()

    @pytest.hookimpl(tryfirst=True)
    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        """Check the path when a test file cannot be imported: it may need another `fsm`."""
        if report.failed:
            self.check_path()

    def pytest_collection_finish(self) -> None:
        """Load the models. The tests have been imported, so modules that they import can be found."""
        self.check_path()
        for spec in self.settings.specs:
            try:
                self.models[spec] = load(spec, machines=True)
            except FsmError as error:
                self.wrong[spec] = str(error)
            except Exception as error:  # raised by a machine, or by the function that makes it
                self.wrong[spec] = _one_line(error)

    def check_path(self) -> None:
        """Note a problem if the collection of tests has put another `fsm` on the path."""
        trouble = another_fsm()
        if trouble and trouble not in self.problems:
            self.problems.append(trouble)

    def start(self) -> None:
        """Start to collect."""
        with self.noting():
            self.session = start(self.directory, children=True, root=self.config.rootpath)

    def stop(self) -> None:
        """Stop collecting."""
        session, self.session = self.session, None
        if session is not None:
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
        output[MODELS] = json.dumps([models, self.wrong, self.problems])


class Reporting(Collecting):
    """The process that the user started. It reports."""

    silent = True
    """Whether there is nothing to report because no tests have run."""
    results: tuple[Result, ...] = ()
    text: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    files: tuple[str, ...] = ()

    def check_path(self) -> None:
        """Raise UsageError at once if another `fsm` is on the path."""
        trouble = another_fsm()
        if trouble:
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
        """Take over the models and problems of a worker. A crashed one leaves only its data file."""
        with self.noting():
            models, wrong, problems = json.loads(
                getattr(node, "workeroutput", {}).get(MODELS, "[{}, {}, []]")
            )
            self.wrong.update(wrong)
            self.problems += problems
            self.models.update({spec: Model.from_json(data) for spec, data in models.items()})

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Measure, write the files, and fail if there are problems."""
        self.stop()
        self.silent = (
            self.config.option.collectonly or session.exitstatus == pytest.ExitCode.USAGE_ERROR
        )
        if self.silent:
            return
        with self.noting():
            self._report()
        if self.problems and session.exitstatus in (
            pytest.ExitCode.OK,
            pytest.ExitCode.NO_TESTS_COLLECTED,
        ):
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def _report(self) -> None:
        asked, data = self.settings, combine([self.directory])
        for spec in asked.specs:
            if spec not in self.models:
                with suppress(FsmError):
                    self.models[spec] = load(spec, machines=True)
        self.problems += [
            f"{s}: {self.wrong.get(s, 'not found')}" for s in asked.specs if s not in self.models
        ]
        if asked.specs and not self.models:
            return
        models = [(s, self.models[s]) for s in asked.specs if s in self.models]
        self._measure(data, models)

    def _measure(self, data: Data, models: Sequence[tuple[str, Model]]) -> None:
        from fsm.files import write_files

        asked = self.settings
        self.results = results_of(data, models, asked.criteria, asked.allowed)
        self.problems += [*below(self.results, asked.floors), *wrong(asked.allowed, self.results)]
        if not asked.specs:
            left_out = (
                f"{name} is left out: its model cannot be read" for name in unknown_in(data)
            )
            self.notes = (*self.notes, *left_out)
        for path, baseline in asked.baselines:
            found = baseline.compare(data)
            self.problems += lost_from(path, found)
            self.notes = (*self.notes, *notes_on(path, found))
        self.text = tuple(printed(self.results, asked.reports))
        if (
            asked.criteria == DEFAULT
            and self.results
            and any(r.kind.startswith("term") for r in asked.reports)
        ):
            self.notes = (*self.notes, "--fsm-cov-criteria=literals,pairs asks for more")
        files = written(self.results, asked.reports)
        write_files(
            {str(self.config.invocation_params.dir / path): text for path, text in files.items()}
        )
        self.files = tuple(files)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Add a note if a child of pytest-forked could not pass on its result. It was measured
        nevertheless.
        """
        if (
            report.failed
            and str(report.longrepr).endswith(NO_RESULT)
            and NO_RESULT_NOTE not in self.notes
        ):
            self.notes = (*self.notes, NO_RESULT_NOTE)

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        """Print the report, the notes, the files and the problems."""
        if self.silent:
            return
        terminalreporter.write_sep("-", "coverage of state machines")
        for line in (
            *self.text,
            *dict.fromkeys(self.notes),
            *(f"written: {path}" for path in self.files),
        ):
            terminalreporter.write_line(line)
        for problem in dict.fromkeys(self.problems):
            terminalreporter.write_line(f"FAIL {problem}", red=True, bold=True)


def _one_line(error: Exception) -> str:
    """Describe an unexpected error in one line, with the place that raised it."""
    last = traceback.extract_tb(error.__traceback__)[-1]
    text = " ".join(str(error).split())
    return f"{type(error).__name__}: {text} ({last.filename}:{last.lineno})"
