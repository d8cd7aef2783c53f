"""The examples of the `transitions` library, run as they stand: its README and the notebooks of its
sdist.
"""

from __future__ import annotations

import ast
import asyncio
import doctest
import importlib.metadata
import inspect
import json
import random
import re
import selectors
import sys
import tarfile
import unittest.mock
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

from support import processes

Block = list[str]
"""What to call it, and its code."""


def readme() -> list[Block]:
    """The blocks of Python of the README that the installed package carries; none if it carries
    none.
    """
    text = str(importlib.metadata.metadata("transitions").json.get("description"))
    return [
        [f"block {n}", code]
        for n, code in enumerate(re.findall(r"```python\n(.*?)```", text, re.DOTALL))
    ]


def notebook(path: Path) -> list[Block]:
    """The cells of code of a notebook."""
    cells = json.loads(path.read_text("utf-8"))["cells"]
    return [
        [f"cell {n}", "".join(c["source"])] for n, c in enumerate(cells) if c["cell_type"] == "code"
    ]


def fetch(folder: Path) -> Path:
    """The examples of the sdist of the installed version. Raises OSError when pip cannot get it."""
    version = importlib.metadata.version("transitions")
    pip = [
        sys.executable,
        "-m",
        "pip",
        "download",
        "--quiet",
        "--retries=1",
        "--no-deps",
        "--no-binary=:all:",
    ]
    done = processes.run([*pip, f"--dest={folder}", f"transitions=={version}"])
    if done.returncode:
        raise OSError(done.stderr)
    with tarfile.open(next(folder.glob("*.tar.gz"))) as archive:
        examples = [
            member for member in archive.getmembers() if member.name.split("/")[1:2] == ["examples"]
        ]
        archive.extractall(folder, examples, filter="data")
    return folder / f"transitions-{version}" / "examples"


class Hurried(selectors.DefaultSelector):
    """Nobody waits: when nothing else is to be done, time goes on at once to what is due next."""

    ahead = 0.0

    def select(self, timeout: float | None = None) -> Any:
        """What is ready now; the time that would have been waited has passed."""
        self.ahead += max(timeout or 0.0, 0.0)
        return super().select(timeout and 0.0)


class Loop(asyncio.SelectorEventLoop):
    """An event loop in which nobody waits."""

    def __init__(self) -> None:
        self.hurried = Hurried()
        super().__init__(self.hurried)

    def time(self) -> float:
        """As on the clock, and what has been skipped."""
        return super().time() + self.hurried.ahead


class Namespace:
    """Where the blocks of one source run, one after the other, as in a session. `failed`: what
    raised, and what.
    """

    def __init__(self) -> None:
        sys.modules.setdefault("mock", unittest.mock)  # which `mock` is, for Pythons without it
        self.module = sys.modules["library_examples"] = ModuleType("library_examples")
        self.failed: dict[str, list[str]] = {}

    def run(self, block: Block) -> Iterator[None]:
        """Run a block, statement by statement: what raises does not keep the others from being run."""
        called, code = block
        random.seed(called)  # some conditions toss coins
        loop = Loop()
        for statement in statements(code):
            asyncio.set_event_loop(loop)
            try:
                self._statement(statement, loop)
            except Exception as error:
                why = f"line {statement.lineno}: {type(error).__name__}: {error}"
                self.failed.setdefault(called, []).append(why)
            yield
        loop.close()
        asyncio.set_event_loop(None)

    def _statement(self, statement: ast.stmt, loop: Loop) -> None:
        """Run one statement, which may await outside of functions, as those of notebooks do."""
        code = compile(
            ast.Module([statement], []), "examples", "exec", ast.PyCF_ALLOW_TOP_LEVEL_AWAIT
        )
        found = eval(code, vars(self.module))
        if inspect.isawaitable(found):
            loop.run_until_complete(found)


def statements(code: str) -> list[ast.stmt]:
    """A block that begins with ">>>" is a session; in others such lines show what comes out."""
    if code.lstrip().startswith(">>>"):
        code = "".join(example.source for example in doctest.DocTestParser().get_examples(code))
    else:
        code = "".join(
            line for line in code.splitlines(True) if not line.lstrip().startswith(">>>")
        )
    try:
        return ast.parse(code).body
    except SyntaxError:  # some blocks have gaps that the reader is to fill
        return []
