"""The lines on which transitions are written, and the reports that point at them: lcov, GitHub,
Markdown, JSON.
"""

from __future__ import annotations

import importlib.util
import json
import re
from collections.abc import Iterator
from dataclasses import replace
from importlib.resources import files
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from fsm.adapters import model_of
from fsm.coverage import Data, collecting
from fsm.coverage.reports import Result, printed, report_asked, results_of, written
from fsm.coverage.reports.sources import source_of

MACHINES = """\
from enum import Enum
from transitions import Machine
from transitions.extensions import HierarchicalMachine


class Light(Enum):
    RED = 1
    GREEN = 2


def calm():
    return True


RESET = ["reset", "*", "idle"]  # reset
TABLE = [
    ["start", "idle", "busy"],  # start
    {"trigger": "stop", "source": "busy", "dest": "idle", "conditions": calm},  # stop [calm]
    {"trigger": "stop", "source": "busy", "dest": "idle", "unless": calm},  # stop [not calm]
    RESET,
]


class Worker:
    def __init__(self):
        self.machine = Machine(  # made
            self, ["idle", "busy"], initial="idle", transitions=TABLE, auto_transitions=False
        )
        self.machine.add_transition("ping", ["idle", "busy"], "=")  # ping
        self.machine.add_transition(  # kick
            trigger="kick", source="busy", dest=None
        )


class Double(Machine):
    def __init__(self):
        super().__init__(states=["idle", "busy"], initial="idle", auto_transitions=False)  # made
        for event in ("one", "two"):
            self.add_transition(event, "idle", "busy")  # one, two
        self.add_transition("start", "idle", "busy")  # start


def light():
    return Machine(  # made
        states=Light, initial=Light.RED, auto_transitions=False,
        transitions=[
            dict(trigger="go", source=Light.RED, dest=Light.GREEN),  # go
            ["halt", Light.GREEN, Light.RED],  # halt
        ],
    )


brewer = HierarchicalMachine(  # made
    states=["off", {"name": "on", "initial": "grinding", "children": ["grinding", "pouring"], "transitions": [
        ["pour", "grinding", "pouring"],  # pour
    ]}],
    transitions=[["begin", "off", "on"], ["end", "on", "off"]],  # begin, end
    initial="off", auto_transitions=False,
)


def computed():
    return Machine(states=["a", "b"], initial="a", auto_transitions=False,  # made
                   transitions=[[f"to{n}", "a", "b"] for n in range(2)])
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("written")
    (path / "src").mkdir()
    (path / "src" / "shop.py").write_text(MACHINES, encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def shop(folder: Path) -> Any:
    spec = importlib.util.spec_from_file_location("shop_of_lines", folder / "src" / "shop.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def here(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of the project, outside GitHub."""
    monkeypatch.delenv("GITHUB_STEP_SUMMARY", raising=False)
    monkeypatch.delenv("GITHUB_WORKSPACE", raising=False)
    monkeypatch.chdir(folder)
    return folder


def lines_with(comment: str, after: str = "") -> Iterator[int]:
    """The lines of the source whose comment names this."""
    begun = not after
    for number, line in enumerate(MACHINES.splitlines(), 1):
        begun = begun or line.startswith(after)
        if begun and comment in re.split(r", ", line.partition("  # ")[2]):
            yield number


def result(machine: Any, after: str) -> Result:
    """The result of a machine that is made in this part of the source and of which nothing is
    taken.
    """
    (found,) = results_of(Data(), [("shop", model_of(machine))], ["transitions"])
    return replace(found, place=f"src/shop.py:{next(lines_with('made', after))}")


@pytest.fixture
def worker(shop: Any, here: Path) -> Result:
    machine = shop.Worker().machine
    with collecting() as session:
        machine.models[0].start()
    (found,) = results_of(
        session.data, [("Worker", model_of(machine))], ["transitions", "literals"]
    )
    return replace(found, place=f"src/shop.py:{next(lines_with('made', 'class Worker'))}")


@pytest.mark.parametrize(
    ("make", "after"),
    [("light", "def light"), ("brewer", "brewer"), ("Double", "class Double")],
)
def test_each_transition_is_found_where_it_is_written(
    shop: Any, here: Path, make: str, after: str
) -> None:
    made = getattr(shop, make)
    found = result(made if make == "brewer" else made(), after)
    source = source_of(found)
    assert source is not None and source.path_from(here) == "src/shop.py"
    for row in found.model.transitions:
        assert source.rows[row.id] == next(lines_with(row.event, after)), row.id


def test_tables_by_name_wildcards_and_conditions(worker: Result) -> None:
    source = source_of(worker)
    assert source is not None
    for row in worker.model.transitions:
        comment = f"{row.event} [{row.guard[0]}]" if row.guard else row.event
        assert source.rows[row.id] == next(lines_with(comment)), row.id


def test_what_is_computed_is_on_the_line_where_the_machine_is_made(shop: Any, here: Path) -> None:
    found = result(shop.computed(), "def computed")
    source = source_of(found)
    coverage = found.by("transitions")
    assert source is not None and coverage is not None
    assert {source.line_of(t) for t in coverage.targets} == {
        next(lines_with("made", "def computed"))
    }


@pytest.mark.parametrize("place", ["", "nowhere.py:3", "src/shop.py", "<string>:1"])
def test_without_a_file_there_are_no_lines(worker: Result, place: str) -> None:
    assert source_of(replace(worker, place=place)) is None


def test_lcov_counts_lines_of_the_source_and_has_a_branch_for_each_transition(
    worker: Result,
) -> None:
    texts = written([worker], [report_asked("lcov:out.info")])
    assert list(texts) == ["out.info"]
    lines = texts["out.info"].splitlines()
    assert lines[:2] == ["TN:", "SF:src/shop.py"]
    start, ping = next(lines_with("start")), next(lines_with("ping"))
    assert f"DA:{start},1" in lines and f"DA:{ping},0" in lines
    assert [line for line in lines if line.startswith(f"BRDA:{ping},")] == [
        f"BRDA:{ping},0,{n},-" for n in (0, 1)
    ]
    assert lines[-3:] == ["LF:6", "LH:1", "end_of_record"]


def test_machines_of_one_file_share_its_record(worker: Result, shop: Any, here: Path) -> None:
    light = result(shop.light(), "def light")
    (text,) = written([worker, light], [report_asked("lcov:out.info")]).values()
    assert text.count("SF:") == 1 and "LF:8\n" in text


def test_github_warns_at_the_line_and_escapes(worker: Result) -> None:
    odd = replace(worker, name="a:b,c%\n::error::d")
    commands = list(printed([odd], [report_asked("github")]))
    (kick,) = lines_with("kick")
    expected = f"::warning file=src/shop.py,line={kick},title=a%3Ab%2Cc%25 %3A%3Aerror%3A%3Ad%3A not taken by any test::"
    assert f"{expected}transitions: busy -> (stays) on kick" in commands
    (ping,) = lines_with("ping")
    (both,) = (command for command in commands if f"line={ping}," in command)
    assert both.endswith("::transitions: idle -> idle on ping%0Atransitions: busy -> busy on ping")
    assert all(command.startswith("::warning ") and "\n" not in command for command in commands)


def test_github_paths_begin_at_the_repository(
    worker: Result, here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GITHUB_WORKSPACE", str(here.parent))
    assert f"file={here.name}/src/shop.py," in next(printed([worker], [report_asked("github")]))


def test_github_gets_no_more_warnings_than_it_shows(worker: Result) -> None:
    each = len(list(printed([worker], [report_asked("github")])))
    commands = list(printed([worker] * 4, [report_asked("github")]))
    assert len(commands) == 10
    assert f"{4 * each - 9} more places" in commands[-1]


def test_markdown_has_a_table_and_what_is_missing(worker: Result) -> None:
    (text,) = written(
        [worker, replace(worker, name="a|b <i>")], [report_asked("markdown:out.md")]
    ).values()
    assert "| Worker | 1/8 12.5% | 0/3 0% |" in text
    assert "| total | 2/16 12.5% | 0/6 0% |" in text
    assert "<details><summary>Worker: transitions not taken: 7</summary>" in text
    (kick,) = lines_with("kick")
    assert rf"- busy -&gt; \(stays\) on kick at src/shop.py:{kick}" in text
    assert r"| a\|b &lt;i&gt; |" in text and "<i>" not in text


def test_markdown_is_added_to_the_summary_of_a_job(
    worker: Result, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert list(written([worker], [report_asked("markdown")])) == ["fsm-coverage.md"]
    summary = tmp_path / "summary.md"
    summary.write_text("# Before\n")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(summary))
    (path, text), *_ = written([worker], [report_asked("markdown")]).items()
    assert path == str(summary)
    assert text.startswith("# Before\n\n## Coverage of state machines\n")


def test_the_json_has_the_lines_and_keeps_to_its_schema(worker: Result) -> None:
    (text,) = written([worker], [report_asked("json")]).values()
    report = json.loads(text)
    jsonschema.validate(
        report, json.loads(files("fsm").joinpath("schemas/coverage.schema.json").read_text())
    )
    (machine,) = report["machines"]
    lines = {item["id"]: item["line"] for item in machine["criteria"][0]["items"]}
    assert lines["busy -> (stays) on kick"] == next(lines_with("kick"))
