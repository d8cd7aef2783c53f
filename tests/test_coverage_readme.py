"""Machines that others wrote, without a change: the README of the `transitions` library, as its package carries it.

Its blocks of code are run as they stand, one test for each, under the plugin.
"""

from __future__ import annotations

import importlib.metadata
import json
import subprocess
import sys

import pytest

pytest_plugins = ["pytester"]

RUN = '''
import ast, doctest, importlib.metadata, re
import pytest

told = importlib.metadata.metadata("transitions")
BLOCKS = re.findall(r"```python\\n(.*?)```", told.get_payload() or told["Description"], re.DOTALL)
NAMES = {"__name__": "readme"}


def statements(block):
    """A block that begins with ">>>" is a session; in others such lines show what comes out."""
    if block.lstrip().startswith(">>>"):
        block = "".join(example.source for example in doctest.DocTestParser().get_examples(block))
    else:
        block = "".join(line for line in block.splitlines(True) if not line.lstrip().startswith(">>>"))
    try:
        return ast.parse(block).body
    except SyntaxError:  # some blocks have gaps that the reader is to fill
        return []


@pytest.mark.parametrize("number", range(len(BLOCKS)))
def test_block(number):
    for statement in statements(BLOCKS[number]):
        try:
            exec(compile(ast.Module([statement], []), "README", "exec"), NAMES)
        except Exception as error:  # the README shows some errors on purpose
            print(error)
'''


def test_the_readme_of_the_library_is_covered_and_reported(pytester: pytest.Pytester) -> None:
    if "```python" not in str(importlib.metadata.metadata("transitions")):
        pytest.skip("this package of transitions does not carry its README")
    (pytester.path / "test_readme.py").write_text(RUN, "utf-8")
    asked = ["--fsm-cov=all", "--fsm-cov-criteria=states,transitions,literals,pairs", "--fsm-cov-report=html"]
    options = ["-p", "fsm.pytest_plugin", "-p", "no:cacheprovider", "-q", "--fsm-cov-report=json", "-W", "ignore"]
    command = [sys.executable, "-m", "pytest", *options, *asked]
    done = subprocess.run(command, cwd=pytester.path, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stdout[-3000:]
    machines = json.loads((pytester.path / "fsm-coverage.json").read_text("utf-8"))["machines"]
    assert len(machines) > 20
    assert {"NarcolepticSuperhero", "HierarchicalMachine"} <= {machine["name"] for machine in machines}
    for machine in machines:
        for criterion in machine["criteria"]:
            wrong = [i["id"] for i in criterion["items"] if i["taken"] and i.get("impossible")]
            assert wrong == [], (machine["name"], criterion["criterion"])
    assert "NarcolepticSuperhero" in (pytester.path / "fsm-coverage.html").read_text("utf-8")
    taken = sum(c["taken"] for m in machines for c in m["criteria"] if c["criterion"] == "transitions")
    assert taken > 30
