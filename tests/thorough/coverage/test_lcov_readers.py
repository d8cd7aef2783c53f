"""The lcov tracefile is opened by programs that read it: genhtml, and the converter to Cobertura."""

from __future__ import annotations

import subprocess
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from support import tools
from support.pluginruns import EACH, MACHINES, TESTS, pytest_here, write


@pytest.fixture(scope="module")
def measured(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project with its tracefile, out.info."""
    folder = write(tmp_path_factory.mktemp("measured"), machines=MACHINES, test_things=TESTS)
    assert pytest_here(folder, "--fsm-cov", EACH, "--fsm-cov-report=lcov:out.info").code == 0
    return folder


def test_genhtml_shows_the_source_with_counts(measured: Path) -> None:
    command = [tools.tool("genhtml"), "out.info", "--branch-coverage", "-o", "html"]
    done = subprocess.run(command, cwd=measured, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "ERROR" not in done.stderr and "mismatch" not in done.stderr
    lines = (measured / "out.info").read_text("utf-8").splitlines()
    hit, found = (sum(int(x[3:]) for x in lines if x.startswith(f"{key}:")) for key in ("LH", "LF"))
    assert f"({hit} of {found} lines)" in done.stdout
    page = next((measured / "html").rglob("machines.py.gcov.html")).read_text("utf-8")
    assert "return_" in page and "lineCov" in page


def test_a_converter_reads_the_same_figures(measured: Path) -> None:
    convert = (
        tools.package("lcov_cobertura")
        .LcovCobertura((measured / "out.info").read_text("utf-8"))
        .convert
    )
    root = ET.fromstring(convert())
    names = {one.get("filename") for one in root.iter("class")}
    assert "machines.py" in names
    lines = (measured / "out.info").read_text("utf-8").splitlines()
    assert int(root.get("lines-covered", 0)) == sum(
        int(x[3:]) for x in lines if x.startswith("LH:")
    )
    assert int(root.get("branches-covered", 0)) == sum(
        int(x[4:]) for x in lines if x.startswith("BRH:")
    )
