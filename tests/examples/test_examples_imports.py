"""The examples use what is public, and nothing else, and are short."""

from __future__ import annotations

import ast
from collections.abc import Iterator

import pytest

from support.folders import EXAMPLES
from support.publicnames import PUBLIC


def imported() -> Iterator[tuple[str, str, str]]:
    """Yield each file of the examples, with what it imports of this package."""
    for file in EXAMPLES.rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(node, ast.ImportFrom) and str(node.module).partition(".")[0] == "fsm":
                for alias in node.names:
                    yield file.name, str(node.module), alias.name
            elif isinstance(node, ast.Import):
                assert not any(alias.name.startswith("fsm.") for alias in node.names)


def test_no_example_imports_what_is_private() -> None:
    found = list(imported())
    assert len(found) > 20
    for file, module, name in found:
        public = name in PUBLIC.get(module, "").split() or f"{module}.{name}" in PUBLIC
        assert public, f"{file} imports {name} from {module}"


@pytest.mark.parametrize(("example", "most"), [("duel", 400), ("server", 200)])
def test_it_is_short_enough_to_be_read(example: str, most: int) -> None:
    lines = [file.read_text("utf-8").splitlines() for file in (EXAMPLES / example).glob("*.py")]
    assert sum(map(len, lines)) <= most
