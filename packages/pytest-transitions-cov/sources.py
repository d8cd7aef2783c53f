"""Makes the package `transitions_cov` of the sources of turn-fsm: its coverage, and what that
needs.

The modules in the folder `transitions_cov` beside this file import `fsm.coverage` and so on. The
package gets a copy of every module that they need, directly or through others, in which `fsm` is
called `transitions_cov`. The list of modules is computed from the imports.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
PACKAGE = "transitions_cov"
ALSO = ("fsm.coverage.instrumentation.child.sitecustomize",)
"""Modules that nothing imports: Python itself runs this one."""
RENAMED = {"fsm": PACKAGE, "turn_fsm": PACKAGE}
"""The folders of turn-fsm, each with the package that gets their modules."""
WORDS = {"FSM_COVERAGE": "TRANSITIONS_COV"}
"""The variables of the environment are others, so that the two do not start one another in child
processes.
"""


def closure() -> dict[str, Path]:
    """Return the files of the modules of turn-fsm that the package needs, by the names of the
    modules.
    """
    found: dict[str, Path] = {}
    waiting = [name for path in own() for name in imported(path)] + list(ALSO)
    while waiting:
        name = waiting.pop()
        path = module(name)
        if name not in found and path is not None:
            found[name] = path
            waiting += [*imported(path), *parents(name)]
    return dict(sorted(found.items()))


def own() -> list[Path]:
    """Return the modules that are in the package only."""
    return sorted((HERE / PACKAGE).glob("*.py"))


def module(name: str) -> Path | None:
    """Return the file of a module of turn-fsm, or None if the name is that of something else.

    The first folders have modules of their own that do much more than is needed here, and are left
    out.
    """
    path = ROOT / name.replace(".", "/")
    files = (path / "__init__.py", path.with_suffix(".py"))
    return None if name in RENAMED else next((file for file in files if file.is_file()), None)


def imported(path: Path) -> Iterator[str]:
    """Yield the names that a module imports, wherever it does: those of modules, and others."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and (node.module or "").partition(".")[0] in RENAMED:
            yield str(node.module)
            yield from (f"{node.module}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.Import):
            yield from (
                alias.name for alias in node.names if alias.name.partition(".")[0] in RENAMED
            )


def parents(name: str) -> list[str]:
    """Return the folders of a module."""
    parts = name.split(".")
    return [".".join(parts[:length]) for length in range(1, len(parts))]


def files() -> dict[str, str]:
    """Return the texts of the whole package, by path."""
    modules = closure()
    known = {name.split(".", 1)[1].partition(".")[0] for name in modules}
    names = re.compile(rf"\b(?:{'|'.join(RENAMED)})\.(?=(?:{'|'.join(sorted(known))})\b)")
    found = {f"{PACKAGE}/{path.name}": path for path in own()}
    for path in modules.values():
        inside = path.relative_to(ROOT).parts[1:]
        found["/".join((PACKAGE, *inside))] = path
    texts = {}
    for name, path in found.items():
        text = names.sub(f"{PACKAGE}.", path.read_text(encoding="utf-8"))
        for word, other in WORDS.items():
            text = text.replace(word, other)
        texts[name] = text
    return {**texts, f"{PACKAGE}/py.typed": ""}


def write(folder: Path) -> None:
    """Write the package into a folder."""
    for name, text in files().items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
