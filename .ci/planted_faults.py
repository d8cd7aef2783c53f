"""Plants faults at random in `fsm/`, one at a time, and says which of them the quick tests find.

    python .ci/planted_faults.py --count 60 --seed 1 --report faults.jsonl

Which faults are planted depends on the text of each function only, so that the same ones can be
planted in another commit. The tests run in a copy, those of the fault's own folder first.
"""

import argparse
import ast
import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
LEFT_OUT = shutil.ignore_patterns(".*_cache", ".git", ".tox", ".venv", "node_modules")
TURNED = {"Eq": "!=", "NotEq": "==", "Lt": "<=", "LtE": "<", "Gt": ">=", "GtE": ">"}
TURNED |= {"Is": "is not", "IsNot": "is", "In": "not in", "NotIn": "in"}


@dataclass(frozen=True)
class Fault:
    """The bytes of a file that change, and the text that takes their place."""

    key: str
    file: Path
    line: int
    begin: int
    end: int
    text: str


def changed(node: Any) -> str | None:
    """The changed text of a node, or None if nothing is changed there."""
    text = ast.unparse
    match node:
        case ast.Compare(left=left, ops=[op], comparators=[right]):
            return f"({text(left)} {TURNED[type(op).__name__]} {text(right)})"
        case ast.BoolOp(op=op, values=[*values]):
            word = "and" if isinstance(op, ast.Or) else "or"
            return f"({f' {word} '.join(f'({text(value)})' for value in values)})"
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return f"({text(operand)})"
        case ast.IfExp(test=test, body=body, orelse=orelse):
            return f"({text(orelse)} if {text(test)} else {text(body)})"
        case ast.Constant(value=bool() | int() as value):
            return str(not value if isinstance(value, bool) else value + 1)
        case ast.Expr(value=ast.Call() | ast.YieldFrom()) | ast.Continue() | ast.Break():
            return "pass"
        case ast.Return(value=ast.expr() as value) if not isinstance(value, ast.Constant):
            return "return None"
    return None


def inner(node: ast.AST) -> Iterator[Any]:
    """A node and those in it, but for other functions, and texts with values in them."""
    if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.JoinedStr):
        yield node
        for child in ast.iter_child_nodes(node):
            yield from inner(child)


def faults(seed: int) -> Iterator[Fault]:
    """Every fault that can be planted."""
    for file in sorted((ROOT / "fsm").rglob("*.py")):
        source = file.read_bytes()
        starts = [0, *accumulate(map(len, source.splitlines(keepends=True)))]
        names = list[str]()
        for function in ast.walk(ast.parse(source)):
            if not isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef):
                continue
            for node in (node for part in function.body for node in inner(part)):
                if (text := changed(node)) is not None:
                    names.append(f"{seed} {file.name} {function.name} {ast.dump(node)}")
                    place = f"{names[-1]} {names.count(names[-1])}"
                    key = hashlib.sha256(place.encode()).hexdigest()[:8]
                    begin = starts[node.lineno - 1] + node.col_offset
                    end = starts[node.end_lineno - 1] + node.end_col_offset
                    yield Fault(key, file.relative_to(ROOT), node.lineno, begin, end, text)


def failure(copy: Path, tests: list[str]) -> str:
    """The first test that fails in a copy, or "" if all pass."""
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", *tests]
    environment = {**os.environ, "PYTHONPATH": str(copy)}
    done = subprocess.run(command, cwd=copy, env=environment, capture_output=True, text=True)
    lines = [line for line in done.stdout.splitlines() if line.startswith(("FAILED", "ERROR"))]
    return "" if done.returncode == 0 else [*lines, f"it ends with {done.returncode}"][0]


parser = argparse.ArgumentParser(description=str(__doc__).splitlines()[0])
parser.add_argument("--count", type=int, default=60)
parser.add_argument("--seed", type=int, default=1)
parser.add_argument("--only", nargs="*", default=[], help="the keys of the faults to plant")
parser.add_argument("--near", action="store_true", help="run the tests of the folder only")
parser.add_argument("--report", type=Path, required=True, help="gets a line of JSON for each fault")
asked = parser.parse_args()
with tempfile.TemporaryDirectory() as temporary:
    copy = Path(shutil.copytree(ROOT, Path(temporary, "copy"), ignore=LEFT_OUT))
    for fault in sorted(faults(asked.seed), key=lambda fault: fault.key)[: asked.count]:
        if not asked.only or fault.key in asked.only:
            original = (copy / fault.file).read_bytes()
            was, after = original[fault.begin : fault.end], original[fault.end :]
            (copy / fault.file).write_bytes(original[: fault.begin] + fault.text.encode() + after)
            folder = f"tests/{fault.file.parts[1]}"
            found = failure(copy, [folder]) if (ROOT / folder).is_dir() else ""
            found = found or ("" if asked.near else failure(copy, []))
            (copy / fault.file).write_bytes(original)
            row = {"key": fault.key, "place": f"{fault.file}:{fault.line}", "was": was.decode()}
            with asked.report.open("a") as report:
                report.write(json.dumps({**row, "now": fault.text, "found": found}) + "\n")
