"""No test outside of `tests/unit` imports what is private: a name that is not in
`tests/support/publicnames.py`. Folders to look at may be named; by default it is `tests`.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT / "tests"))

from support.publicnames import PUBLIC

OFFERED = {(module, name) for module, names in PUBLIC.items() for name in names.split()}
OFFERED |= {("fsm", module.removeprefix("fsm.")) for module in PUBLIC} | {("fsm.cli", "main")}


def private(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (a.name for a in node.names if a.name[:4] == "fsm." and a.name not in PUBLIC)
        elif isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "fsm":
            names = [(str(node.module), alias.name) for alias in node.names]
            yield from (".".join(name) for name in names if name not in OFFERED)


files = [f for arg in sys.argv[1:] or ["tests"] for f in sorted((ROOT / arg).rglob("*.py"))]
found = [
    f"{f}: {name}"
    for f in files
    if "unit" not in f.parts
    for name in private(ast.parse(f.read_text()))
]
sys.exit("\n".join(found + [f"{len(found)} private imports; {__doc__}"] if found else []) or 0)
