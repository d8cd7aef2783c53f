"""The pages of the Python reference: one for each public module, and three for `fsm` itself.

Each public name is described once, under its shortest name: `fsm.AddPhase`, not
`fsm.engine.Answer`. Sphinx puts the docstring there when it builds the site.
"""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Iterator
from importlib import import_module
from itertools import pairwise
from pathlib import Path
from typing import Any, get_args

PARTS = {
    "running": ("Run a turn", "Load a ruleset, run its turns, save and replay them.", ""),
    "requests": (
        "Requests and answers",
        "What the controller needs next, and what your program answers.",
        r"fsm\.engine\.(requests|order_results)",
    ),
    "orders": (
        "Orders",
        "What an effect does to the turn. An order goes with an answer.",
        r"fsm\.state\.(orders|setup)",
    ),
}
"""The pages of `fsm`: title, first sentence, and the modules whose names they have. The first has
all others.
"""

MODULES = (
    "fsm.errors",
    "fsm.model",
    "fsm.engine",
    "fsm.hosts",
    "fsm.aio",
    "fsm.stateless",
    "fsm.rulesets",
    "fsm.scenarios",
    "fsm.checks",
    "fsm.coverage",
    "fsm.testing",
    "fsm.views",
    "fsm.adapters",
)


def api_pages(folder: Path) -> dict[Path, str]:
    """Return each page of the Python reference, and its path in `folder`."""
    described: dict[str, str] = {}
    parts = {part: [name for name, home in homes("fsm").items() if part == _part(home)] for part in PARTS}
    pages = {part: _page(*PARTS[part][:2], "fsm", parts[part], described) for part in PARTS}
    for module in MODULES:
        first = inspect.getdoc(import_module(module)) or ""
        pages[module] = _page(f"`{module}`", _sentence(first), module, list(homes(module)), described)
    return {folder / f"{name}.md": text for name, text in pages.items()}


def homes(module: str) -> dict[str, str]:
    """Return the public names of a module, and the module that defines each."""
    loaded = import_module(module)
    imports = (node for node in ast.walk(ast.parse(inspect.getsource(loaded))) if isinstance(node, ast.ImportFrom))
    known = {alias.asname or alias.name: node.module or "" for node in imports for alias in node.names}
    return {name: known.get(name, module) for name in sorted(loaded.__all__)}


def _part(home: str) -> str:
    return next((part for part, (*_, modules) in PARTS.items() if modules and re.match(modules, home)), "running")


def _page(title: str, lead: str, module: str, names: list[str], described: dict[str, str]) -> str:
    found = homes(module)
    rows, entries = [], []
    for name in names:
        value = getattr(import_module(found[name]), name)
        known = f"{value.__module__ if _has_docstring(value) else found[name]}.{name}"
        first = known not in described
        # A function in a module of its own name: Python gives the module when somebody asks the
        # package for the name.
        hidden = found[name] == f"{module}.{name}"
        where = described.setdefault(known, known if hidden else f"{module}.{name}")
        rows.append(f"| {{py:obj}}`{name} <{where}>` | {_sentence(_said(value, found[name], name))} |")
        if first:
            entries += ["", *_entry(where, found[name], name, value)]
    table = [f"# {title}", "", lead, "", "| name | is |", "| --- | --- |", *rows, ""]
    return "\n".join([*table, *(("```{eval-rst}", *entries[1:], "```", "") if entries else ())])


def _entry(where: str, home: str, name: str, value: Any) -> Iterator[str]:
    if inspect.isclass(value):
        yield from (f".. auto{'exception' if issubclass(value, BaseException) else 'class'}:: {where}", "   :members:")
        if _has_hidden_base(value):
            yield "   :inherited-members:"
    elif _has_docstring(value):
        yield f".. autofunction:: {where}"
    else:
        yield from (f".. py:data:: {where}", "", *(f"   {line}" for line in _said(value, home, name).splitlines()))


def _has_hidden_base(value: type) -> bool:
    """Say whether a class has members of a class that the reference does not describe."""
    bases = [base for base in value.__mro__[1:] if base.__module__.startswith("fsm.")]
    return any(base.__name__.startswith("_") or hasattr(base, "__parameters__") for base in bases)


def _has_docstring(value: object) -> bool:
    return inspect.isclass(value) or inspect.isroutine(value)


def _said(value: Any, home: str, name: str) -> str:
    """Return what is said of a public name: its docstring, the string below its assignment, or the
    value.
    """
    if _has_docstring(value):
        return inspect.getdoc(value) or ""
    for node, below in pairwise(ast.parse(inspect.getsource(import_module(home))).body):
        targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
        named = any(isinstance(target, ast.Name) and target.id == name for target in targets)
        if named and isinstance(below, ast.Expr) and isinstance(below.value, ast.Constant):
            return inspect.cleandoc(str(below.value.value))
    parts = [part.__name__ if inspect.isclass(part) else f'"{part}"' for part in get_args(value) or sorted(value)]
    return f"One of {', '.join(f'`{part}`' for part in parts)}."


def _sentence(text: str) -> str:
    paragraph = " ".join(text.partition("\n\n")[0].split())
    return re.sub(r":$", ".", re.split(r"(?<=\.)\s", paragraph, maxsplit=1)[0])
