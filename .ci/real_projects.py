"""Tests of other people's projects, with and without coverage of their state machines.

    python .ci/real_projects.py [PROJECT...] [--keep FOLDER]

Each project uses the `transitions` library and has tests of its own. Its source distribution is
downloaded from the package index (or its repository is cloned, where the distribution has no
tests), and its tests run three times: without `--fsm-cov`, with it, and with it beside pytest-cov
and pytest-xdist. These must agree:

- what passes without the plugin passes with it;
- the report has one machine for each definition and place where it is made;
- each transition was taken as often as `.ci/noted_firings.py` saw it;
- the counts of states and transitions are those that were counted by hand in the project's source.

It prints a table. The exit code is 1 when anything disagrees. A project that cannot be fetched is
skipped with the reason.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import signal
import subprocess
import sys
import tarfile
import tempfile
import venv
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
NOTES = "FSM_NOTED_FIRINGS"
"""The environment variable with the folder in which each process of a run leaves what it noted."""

Firing = str
"""A firing as the report writes it: "source -> target on event"."""

LONGEST = 600
"""After so many seconds a run is ended."""


# the projects -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Project:
    """A project at one version, and what is known of it."""

    name: str
    version: str
    what: str
    tests: tuple[str, ...]
    requires: tuple[str, ...]
    by_hand: frozenset[tuple[int, int]] = frozenset()
    """States and transitions of each definition, counted in its source. Empty where tests make
    machines from data.
    """
    left_out: tuple[str, ...] = ()
    """Tests that fail now and then without the plugin, or are slow and add no machine."""
    git: tuple[str, str] | None = None
    """Repository and commit, where the source distribution has no tests."""
    package: str = ""
    """What is installed from the index; by default the same version."""
    spread: bool = True
    """Whether its tests can run side by side under pytest-xdist."""

    @property
    def requirement(self) -> str:
        return self.package or f"{self.name}=={self.version}"


PROJECTS = (
    Project(
        "nextline",
        "0.8.0",
        "runs scripts under control; asyncio, processes, Hypothesis",
        ("tests/fsm", "tests/main"),
        ("nextline-test-utils", "pytest-asyncio", "pytest-timeout", "hypothesis"),
        frozenset({(5, 10)}),
    ),
    Project(
        "nextline-schedule",
        "0.5.3",
        "a scheduler; asyncio, states with states inside, queued",
        ("tests/auto",),
        ("nextline-test-utils", "pytest-asyncio", "pytest-timeout", "pytest-httpx", "deepdiff"),
        frozenset({(5, 10), (6, 8)}),
        left_out=("tests/auto/test_auto_mode.py::test_property", "tests/auto/test_funcs.py"),
    ),
    Project(
        "superdialog",
        "0.2.8",
        "dialogs; asyncio, machines made from data",
        ("tests/dialog_machine", "tests/machine", "tests/session"),
        ("pytest-asyncio",),
    ),
    Project(
        "transitions-gui",
        "0.9.0",
        "shows a machine in the browser; threads, transitions of a class of its own",
        ("tests/test_imports.py", "tests/test_web.py"),
        ("websocket-client",),
        frozenset({(3, 3)}),
        left_out=tuple(
            f"tests/test_web.py::TestWebMachine::test_{name}"
            for name in (
                "client_connection",
                "client_transition",
                "http",
                "receive_message",
            )  # a tenth of a second
        ),
        spread=False,  # all use one port
    ),
    Project(
        "secsgem",
        "0.2.0a4",
        "a SECS/GEM driver; threads, states with states inside",
        ("tests",),
        (),
        frozenset({(4, 5)}),
        git=("https://github.com/bparzella/secsgem", "8568b0bf887177019f9595e79e0d986dba28e93c"),
    ),
    Project(
        "amqtt",
        "175202e",
        "an MQTT broker; asyncio, machines made step by step",
        ("tests/test_client.py",),
        (
            "pytest-asyncio",
            "pytest-timeout",
            "hypothesis",
            "paho-mqtt",
            "pyhamcrest",
            "pyyaml",
            "aiohttp",
        ),
        frozenset({(7, 7), (3, 5)}),
        git=("https://github.com/Yakifo/amqtt", "175202e"),
        package="amqtt==0.12.1",
        spread=False,  # all use one port
    ),
)


# the runs -----------------------------------------------------------------------------------------


@dataclass
class Run:
    """One run of a project's tests."""

    outcomes: dict[str, str]
    fired: Counter[Firing]
    definitions: set[str]
    seconds: float
    report: dict[str, Any]
    text: str

    @property
    def passed(self) -> set[str]:
        return {test for test, outcome in self.outcomes.items() if outcome == "passed"}

    @property
    def machines(self) -> list[dict[str, Any]]:
        return list(self.report.get("machines", []))

    @property
    def items(self) -> list[dict[str, Any]]:
        """The transitions of all machines in the report."""
        return [
            item for machine in self.machines for item in criterion(machine, "transitions")["items"]
        ]

    @property
    def reported(self) -> Counter[Firing]:
        counts: Counter[Firing] = Counter()
        for item in self.items:
            counts[item["id"]] += item["taken"]
        return +counts


def criterion(machine: dict[str, Any], name: str) -> dict[str, Any]:
    """One criterion of a machine of the report."""
    return next(one for one in machine["criteria"] if one["criterion"] == name)


def run(python: Path, source: Path, project: Project, options: Sequence[str]) -> Run:
    """Run a project's tests in a process of their own, and read what was noted."""
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder, "report")
        notes = Path(folder, "notes")
        notes.mkdir()
        path = os.pathsep.join(filter(None, [str(ROOT / ".ci"), os.environ.get("PYTHONPATH", "")]))
        env = {**os.environ, "PYTHONPATH": path, NOTES: str(notes), "PYTHONHASHSEED": "0"}
        command = [
            str(python),
            "-m",
            "pytest",
            "-q",
            "--tb=line",
            "-p",
            "noted_firings",
            "-p",
            "no:cacheprovider",
        ]
        deselected = [f"--deselect={test}" for test in project.left_out]
        steady = (
            ["--hypothesis-profile=ci"]
            if any("hypothesis" in one for one in project.requires)
            else []
        )
        measuring = [*options, f"--fsm-cov-report=json:{report}", "--fsm-cov-report=term"]
        before = cpu_of_children()
        text = said([*command, *project.tests, *deselected, *steady, *measuring], source, env)
        seconds = cpu_of_children() - before
        noted = [json.loads(file.read_text(encoding="utf-8")) for file in notes.glob("*.json")]
        found = json.loads(report.read_text(encoding="utf-8")) if report.exists() else {}
    outcomes = {test: outcome for one in noted for test, outcome in one["outcomes"].items()}
    fired = sum((Counter(one["fired"]) for one in noted), Counter[Firing]())
    definitions = {one for part in noted for one in part["definitions"]}
    return Run(outcomes, fired, definitions, seconds, found, text)


def said(command: Sequence[str], folder: Path, env: dict[str, str]) -> str:
    """What a command writes. One that hangs is ended, with the processes that it has started."""
    with tempfile.TemporaryFile("w+", encoding="utf-8") as text:
        process = subprocess.Popen(
            command,
            cwd=folder,
            env=env,
            stdout=text,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        try:
            process.wait(LONGEST)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        text.seek(0)
        return text.read()


def cpu_of_children() -> float:
    """The processor time of all processes that have ended so far."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def disagreements(project: Project, off: Run, on: Run, spread: Run) -> Iterator[str]:
    """What must agree and does not."""
    if not off.passed:
        yield "no test passes without the plugin:\n" + off.text[-2000:]
    for how, other in (("with --fsm-cov", on), ("beside pytest-cov and pytest-xdist", spread)):
        for test in sorted(off.passed - other.passed):
            yield f"passes without, not {how}: {test}"
        if not other.report:
            yield f"no report {how}:\n" + other.text[-2000:]
        if len(other.machines) != len(other.definitions):
            used, reported = len(other.definitions), len(other.machines)
            yield f"{used} definitions were used {how}, {reported} are reported:"
            yield from sorted(other.definitions)
        for firing in sorted({*other.fired, *other.reported}):
            if other.fired[firing] != other.reported[firing]:
                taken, reported = other.fired[firing], other.reported[firing]
                yield f"{firing}: taken {taken} times {how}, reported {reported} times"
    sizes = {
        tuple(criterion(m, name)["targets"] for name in ("states", "transitions"))
        for m in on.machines
    }
    if project.by_hand and sizes != project.by_hand:
        counted = f"counted by hand {sorted(project.by_hand)}, reported {sorted(sizes)}"
        yield f"states and transitions: {counted}"


# the projects' sources ----------------------------------------------------------------------------


class Unreachable(Exception):
    """A project cannot be fetched or installed here."""


def called(*command: str | Path) -> None:
    """Run a command. Raises Unreachable with its last line if it fails."""
    done = subprocess.run([*map(str, command)], check=False, capture_output=True, text=True)
    if done.returncode:
        raise Unreachable((done.stderr.strip() or done.stdout.strip() or "?").splitlines()[-1])


def fetch(python: Path, project: Project, folder: Path) -> Path:
    """The project's source with its tests. Raises Unreachable."""
    if project.git is not None:
        return clone(*project.git, folder / project.name)
    pip = (python, "-m", "pip", "download", "--quiet", "--no-deps", "--no-binary", project.name)
    called(*pip, "--dest", folder, project.requirement)
    archive = next(folder.glob(f"{project.name.replace('-', '_')}-*.tar.gz"))
    with tarfile.open(archive) as opened:
        opened.extractall(folder, filter="data")
    return folder / archive.name.removesuffix(".tar.gz")


def clone(url: str, commit: str, into: Path) -> Path:
    """Check out what the tests need of a repository at a commit. Raises Unreachable."""
    called("git", "clone", "--quiet", "--filter=blob:none", "--no-checkout", url, into)
    called(
        "git",
        "-C",
        into,
        "checkout",
        "--quiet",
        commit,
        "--",
        "*.py",
        "*.toml",
        "*.y*ml",
        "tests",
        "samples",
    )
    return into


def install(folder: Path, project: Project) -> Path:
    """Make an environment with the project, its tests' needs and us. Raises Unreachable."""
    venv.create(folder, with_pip=True)
    python = folder / ("Scripts" if os.name == "nt" else "bin") / "python"
    tools = ("pytest", "pytest-xdist", "pytest-cov")
    called(
        python,
        "-m",
        "pip",
        "install",
        "--quiet",
        ROOT,
        project.requirement,
        *project.requires,
        *tools,
    )
    return python


@contextmanager
def workplace(keep: str | None) -> Iterator[Path]:
    """A folder that is deleted afterwards, or the one to keep."""
    if keep is not None:
        Path(keep).mkdir(parents=True, exist_ok=True)
        yield Path(keep).absolute()
        return
    with tempfile.TemporaryDirectory() as folder:
        yield Path(folder)


# the table ----------------------------------------------------------------------------------------

HEAD = """\
| project | machines | states | transitions | tests without | with | CPU seconds without | with |
| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |"""


def row(project: Project, off: Run, on: Run) -> str:
    """The row of the table."""
    sums = [
        f"{total(on, name, 'taken')} of {total(on, name, 'targets')}"
        for name in ("states", "transitions")
    ]
    tests = [f"{len(one.passed)} of {len(one.outcomes)}" for one in (off, on)]
    times = [f"{one.seconds:.1f}" for one in (off, on)]
    name = f"`{project.name}` {project.version}: {project.what}"
    return "| " + " | ".join([name, str(len(on.machines)), *sums, *tests, *times]) + " |"


def total(run: Run, name: str, what: str) -> int:
    return sum(criterion(machine, name)[what] for machine in run.machines)


def main(arguments: Sequence[str]) -> int:
    """Run the projects, print the table, and say what disagrees."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument(
        "projects", nargs="*", help="only these: " + ", ".join(p.name for p in PROJECTS)
    )
    parser.add_argument(
        "--keep", metavar="FOLDER", help="keep environments and sources here, for the next time"
    )
    asked = parser.parse_args(arguments)
    if wrong := sorted({*asked.projects} - {p.name for p in PROJECTS}):
        parser.error(f"no such project: {', '.join(wrong)}")
    signal.signal(
        signal.SIGINT, signal.default_int_handler
    )  # a job in the background ignores it, and tests send it
    rows: list[str] = []
    bad = 0
    with workplace(asked.keep) as folder:
        for project in PROJECTS:
            if asked.projects and project.name not in asked.projects:
                continue
            try:
                off, on, spread = runs(project, folder / project.name)
            except Unreachable as why:
                print(f"skipped {project.name} {project.version}: {why}")
                continue
            rows.append(row(project, off, on))
            print(rows[-1], flush=True)
            for problem in disagreements(project, off, on, spread):
                bad += 1
                print(f"  DISAGREES {problem}", flush=True)
    print("\n".join(["", HEAD, *rows]))
    return 1 if bad else 0


def runs(project: Project, folder: Path) -> tuple[Run, Run, Run]:
    """The three runs of a project: without the plugin, with it, with it in several processes.
    Raises Unreachable.
    """
    marker = folder / "ready"
    if not marker.exists():
        folder.mkdir(parents=True, exist_ok=True)
        source = fetch(install(folder / "venv", project), project, folder)
        marker.write_text(str(source), encoding="utf-8")
    source = Path(marker.read_text(encoding="utf-8"))
    python = folder / "venv" / ("Scripts" if os.name == "nt" else "bin") / "python"
    run(python, source, project, ["--collect-only"])  # so that no measured run compiles the tests
    off, on = (run(python, source, project, [way]) for way in ("--no-fsm-cov", "--fsm-cov"))
    beside = ["-n2", f"--cov={project.name.replace('-', '_')}", "--cov-report="]
    spread = run(python, source, project, ["--fsm-cov", *beside]) if project.spread else on
    return off, on, spread


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
