"""The examples of the README of the `transitions` library, run as they stand."""

from __future__ import annotations

import ast
import asyncio
import doctest
import importlib.metadata
import inspect
import random
import re
import selectors
import sys
import unittest.mock
from contextlib import suppress
from types import ModuleType
from typing import Any

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
    """Where the blocks run, one after the other, as in a session."""

    def __init__(self) -> None:
        sys.modules.setdefault("mock", unittest.mock)  # which `mock` is, for Pythons without it
        self.module = sys.modules["library_examples"] = ModuleType("library_examples")

    def run(self, block: Block) -> None:
        """Run a block, statement by statement: what raises does not keep the others from being run."""
        called, code = block
        random.seed(called)  # some conditions toss coins
        loop = Loop()
        for statement in statements(code):
            asyncio.set_event_loop(loop)
            with suppress(Exception):  # the README shows some errors on purpose
                self._statement(statement, loop)
        loop.close()
        asyncio.set_event_loop(None)

    def _statement(self, statement: ast.stmt, loop: Loop) -> None:
        """Run one statement, which may await outside of functions, as those of sessions do."""
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
