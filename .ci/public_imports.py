"""No test outside of `tests/unit` imports what is not in `tests/support/publicnames.py`."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path
from runpy import run_path

ROOT = Path(__file__).parent.parent
PUBLIC = run_path(str(ROOT / "tests" / "support" / "publicnames.py"))["PUBLIC"]
OFFERED = {f"{module}.{name}" for module, names in PUBLIC.items() for name in names.split()}
OFFERED |= {*PUBLIC, "fsm.cli.cli"}


def imported(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


found = []
for folder in sys.argv[1:] or ["tests"]:
    for file in sorted((ROOT / folder).rglob("*.py")):
        names = [] if "unit" in file.parts else imported(ast.parse(file.read_text()))
        found += [f"{file}: {n}" for n in names if n.startswith("fsm.") and n not in OFFERED]
sys.exit("\n".join([*found, f"{len(found)} private imports. {__doc__}"]) if found else 0)
