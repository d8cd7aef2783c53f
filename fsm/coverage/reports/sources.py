"""Finds the lines of a source file on which the transitions of a machine are written.

The data says where a machine was made. Its file is read, and never run. A transition is looked for
in calls of `add_transition`, and in lists, tuples and dictionaries with a trigger, a source and a
destination: first in what makes the machine and the tables that it names, then in the class or
function around it, then in the rest of the file. What is not found is on the line where the machine
is made.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

from fsm.coverage.reports.missing import transitions_of
from fsm.coverage.target import Result, Target
from fsm.files import read_text
from fsm.model import Transition
from fsm.model.graph import graphs_of

ANY = object()
"""A value that is only known when the program runs. It may be anything."""
ROW = ("trigger", "source", "dest", "conditions", "unless")
"""The parameters of `add_transition`, in their order."""
ENDS = ROW[:3]


@dataclass(frozen=True, slots=True)
class SourceLines:
    """Where a machine is written: its file, the line where it is made, and the lines of its
    transitions by id.
    """

    file: Path
    line: int
    rows: Mapping[str, int] = field(default_factory=dict)

    def line_of(self, target: Target) -> int:
        """Return the line of a target: that of its last transition, or the line where the machine
        is made.
        """
        return self.rows.get(transitions_of(target)[-1], self.line)

    def path_from(self, folder: str | Path) -> str:
        """Return the path as coverage.py writes it: relative to a folder if it is inside, with
        slashes.
        """
        try:
            return self.file.relative_to(Path(folder).absolute()).as_posix()
        except ValueError:
            return self.file.as_posix()


def source_of(result: Result) -> SourceLines | None:
    """Return where the machine of a result is written, or None if that is unknown or cannot be
    read.

    A path begins in the current folder, or in one around it, such as the root directory of pytest.
    """
    file, _, line = result.place.rpartition(":")
    if not file or not line.isdigit():
        return None
    here = Path.cwd()
    path = next(
        (folder / file for folder in (here, *here.parents) if (folder / file).is_file()), None
    )
    tree = _parsed(str(path)) if path is not None else None
    if path is None or tree is None:
        return None
    written = _Written.of(tree, int(line))
    rows = {
        row.id: found for row in graphs_of(result.model)[0].rows if (found := written.line_of(row))
    }
    return SourceLines(path, int(line), rows)


@lru_cache(maxsize=64)
def _parsed(path: str) -> ast.Module | None:
    try:
        return ast.parse(read_text(path))
    except (OSError, ValueError, SyntaxError, RecursionError):
        return None


@dataclass(frozen=True, slots=True)
class _Row:
    """A transition as it is written. `near` is higher the closer it is to where the machine is
    made.
    """

    line: int
    near: int
    values: Mapping[str, object]
    guard: frozenset[tuple[str, bool]]

    def fits(self, row: Transition) -> tuple[int, ...]:
        """Return how well it fits a transition of the Model, the most important first, or () if it
        does not.
        """
        parts = (
            _fits(self.values["trigger"], row.event),
            _fits(self.values["source"], row.source),
            self._dest(row),
        )
        if not all(parts):
            return ()
        apart = {(term.fact, term.value) for term in row.guard} ^ self.guard
        return (self.near, min(parts), -len(apart), -self.line)

    def _dest(self, row: Transition) -> int:
        dest = self.values["dest"]
        if dest is None or row.target is None:
            return 3 if dest is row.target else 1 if dest is ANY else 0
        return 3 if dest == "=" and row.target == row.source else _fits(dest, row.target)


def _fits(value: object, name: str) -> int:
    """Say how well a written value fits a name: exactly, as a wildcard or as a state in or around
    it, perhaps, or 0.
    """
    if isinstance(value, list):
        return max((_fits(one, name) for one in value), default=0)
    if value is ANY or value == name:
        return 1 if value is ANY else 3
    words = re.split(r"[^\w]|_", name)
    inside = isinstance(value, str) and re.split(r"[^\w]|_", value)
    near = inside and inside in (words[-len(inside) :], words[: len(inside)])
    return 2 if value == "*" or near else 0


@dataclass(frozen=True, slots=True)
class _Written:
    """All transitions that are written in a file."""

    rows: Sequence[_Row]

    @classmethod
    def of(cls, tree: ast.Module, line: int) -> _Written:
        names = dict(_assigned(tree))
        nearest = list(_around(tree, line))
        parts = [*([nearest[-1]] if nearest else []), *_named(nearest[-1:], names)]
        own = [n for n in nearest if isinstance(n, ast.ClassDef)][:1] or nearest[:1]
        found: dict[int, _Row] = {}
        for near, nodes in ((3, parts), (2, own), (1, [tree])):
            inside = (
                node for outer in nodes for node in ast.walk(outer) if isinstance(node, ast.expr)
            )
            for node in inside:
                given = _given(node, names)
                if given.keys() >= {"trigger", "source"} and id(node) not in found:
                    values = {name: _value(given[name], names) for name in ENDS if name in given}
                    guard = frozenset(_guard(given, names))
                    found[id(node)] = _Row(node.lineno, near, {"dest": None} | values, guard)
        return cls(tuple(found.values()))

    def line_of(self, row: Transition) -> int:
        """Return the line of a transition, or 0 if it is not found."""
        best = max(
            ((score, one) for one in self.rows if (score := one.fits(row))),
            key=lambda x: x[0],
            default=None,
        )
        return best[1].line if best else 0


def _around(tree: ast.Module, line: int) -> Iterator[ast.stmt]:
    """Yield the statements around a line, from the outermost to the innermost."""
    inside: Sequence[ast.AST] = tree.body
    while inside:
        here = (
            n
            for n in inside
            if isinstance(n, ast.stmt) and n.lineno <= line <= (n.end_lineno or n.lineno)
        )
        node = next(here, None)
        if node is not None:
            yield node
        inside = list(ast.iter_child_nodes(node)) if node is not None else ()


def _assigned(tree: ast.Module) -> Iterator[tuple[str, ast.expr]]:
    """Yield what is assigned to each name or attribute."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign):
            yield from ((name, node.value) for target in node.targets if (name := _name_of(target)))
        elif (
            isinstance(node, ast.AnnAssign)
            and node.value is not None
            and (name := _name_of(node.target))
        ):
            yield name, node.value


def _named(nodes: Sequence[ast.AST], names: Mapping[str, ast.expr]) -> list[ast.expr]:
    """Return the values of all names in these nodes, and of the names in those."""
    found: dict[str, ast.expr] = {}
    waiting = [*nodes]
    while waiting:
        for node in ast.walk(waiting.pop()):
            name = _name_of(node)
            if name in names and name not in found:
                found[name] = names[name]
                waiting.append(names[name])
    return list(found.values())


def _given(node: ast.expr, names: Mapping[str, ast.expr]) -> dict[str, ast.expr]:
    """Return the arguments of a transition that is written as this expression, by the names of
    `ROW`.
    """
    if isinstance(node, ast.Dict):
        return {
            str(_value(k, {})): v
            for k, v in zip(node.keys, node.values, strict=True)
            if k is not None
        }
    if isinstance(node, ast.Call):
        own = node.args if _name_of(node.func) == "add_transition" else []
        return dict(zip(ROW, own, strict=False)) | {
            word.arg: word.value for word in node.keywords if word.arg
        }
    if (
        isinstance(node, ast.List | ast.Tuple)
        and len(node.elts) > 2
        and isinstance(_value(node.elts[0], names), str)
    ):
        return dict(zip(ROW, node.elts, strict=False))
    return {}


def _guard(
    given: Mapping[str, ast.expr], names: Mapping[str, ast.expr]
) -> Iterator[tuple[str, bool]]:
    """Yield the names of the conditions that must hold, and of those that must not."""
    for name, held in (("conditions", True), ("unless", False)):
        node = given.get(name, ast.Constant(None))
        for one in node.elts if isinstance(node, ast.List | ast.Tuple) else [node]:
            known = _value(one, names)
            if known is not None:
                yield (known if isinstance(known, str) else _name_of(one)), held


def _value(node: ast.expr, names: Mapping[str, ast.expr], depth: int = 4) -> object:
    """Return the text, the list of texts or None that an expression stands for, or ANY."""
    if isinstance(node, ast.Constant):
        return node.value if isinstance(node.value, str | None) else ANY
    if isinstance(node, ast.List | ast.Tuple | ast.Set):
        return [_value(one, names, depth) for one in node.elts]
    if isinstance(node, ast.Name) and node.id in names and depth:
        return _value(names[node.id], names, depth - 1)
    if isinstance(node, ast.Attribute):  # a member of an Enum has the name of its state
        member = node.attr in ("name", "value") and isinstance(node.value, ast.Attribute)
        return _name_of(node.value) if member else node.attr
    return ANY


def _name_of(node: ast.AST) -> str:
    return (
        node.id
        if isinstance(node, ast.Name)
        else node.attr
        if isinstance(node, ast.Attribute)
        else ""
    )
