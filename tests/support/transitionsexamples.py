"""The examples of the `transitions` library, run as they stand: its README and the notebooks of its
sdist.

python -m support.transitionsexamples BLOCKS.json TOURED.json    runs blocks, and tours every machine that they make
"""

from __future__ import annotations

import ast
import asyncio
import copy
import doctest
import gc
import importlib.metadata
import inspect
import json
import random
import re
import selectors
import sys
import tarfile
import unittest.mock
from collections import deque
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import transitions

from fsm.adapters import model_of
from fsm.coverage import collecting, covered
from fsm.coverage.data import Subject, subject_of
from fsm.errors import ModelError
from fsm.model.graph import graphs_of
from fsm.testing.generation.machines import Sequences, machine_sequences
from support import processes

Block = list[str]
"""What to call it, and its code."""
ENDLESS = {("cell 25", "Machine2")}
"""What a machine alone never ends: this one waits until another has started."""


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


# machines and their tours -------------------------------------------------------------------------


def machines(blocks: list[Block]) -> Iterator[tuple[str, Any]]:
    """Every machine that the blocks make, with what its block is called, after the statement that
    made it.
    """
    gc.collect()
    gc.freeze()
    space, seen = Namespace(), list[Any]()
    for block in blocks:
        for _ in space.run(block):
            for found in gc.get_objects():
                if issubclass(type(found), transitions.Machine) and not any(
                    found is each for each in seen
                ):
                    seen.append(found)
                    yield block[0], found


def toured(blocks: list[Block]) -> Iterator[dict[str, Any]]:
    """What comes of touring each machine that has transitions and another Model than those before
    it.

    Of its ways, so many are taken, held back by conditions, out of reach, and of a machine that
    cannot be toured.
    """
    known = set[Subject]()
    for called, machine in machines(blocks):
        try:
            model = model_of(machine)
        except ModelError:
            continue
        if model.transitions and subject_of(model) not in known:
            known.add(subject_of(model))
            row = {"block": called, "machine": model.name}
            try:
                if (called, model.name) in ENDLESS:
                    raise TimeoutError("waits for another machine, for ever")
                told = _told(machine, machine_sequences(machine))
            except Exception as error:
                ways = [0, 0, 0, len(graphs_of(model)[0].arcs)]
                told = {"ways": ways, "refused": f"{type(error).__name__}: {error}"}
            yield row | told


def _told(machine: Any, found: Sequences) -> dict[str, Any]:
    """What the tour takes and does not, the transitions taken as it was played once more, and what
    a search finds.
    """
    taken = [arc for sequence in found for arc in sequence.arcs]
    with collecting() as session:
        for sequence in found:
            one = copy.deepcopy(machine)
            for event in sequence.events:
                fires(one, event)
    played = covered(found.model, "transitions", session.data).covered
    others = {_way(arc.at, arc.row.event, arc.to) for arc in (*found.held, *found.apart)}
    return {
        "ways": [found.taken, len(found.held), len(found.apart), 0],
        "taken": sorted({arc.row.id for arc in taken}),
        "played": sorted(target.id for target in played),
        "overlooked": sorted(others.intersection(searched(machine))),
    }


def searched(machine: Any) -> Iterator[str]:
    """The ways (state, event, state that comes) found by trying every event in every state that is
    come to.

    In each as the first to come found it: so some may be missed, and none is made up.
    """
    events = [event.name for event in model_of(machine).events]
    seen, waiting = {state(machine)}, deque([machine])
    while waiting:
        here = waiting.popleft()
        for event in events:
            try:
                there = copy.deepcopy(here)
            except TypeError:  # a timer runs: a lock cannot be copied
                continue
            if fires(there, event):
                yield _way(state(here), event, state(there))
                if state(there) not in seen:
                    seen.add(state(there))
                    waiting.append(there)


def fires(machine: Any, event: str) -> bool:
    """Trigger an event: does a transition fire, and nothing raise?"""
    try:
        done = getattr(machine.models[0], event)()
        return bool(asyncio.run(_waited(done)) if inspect.isawaitable(done) else done)
    except Exception:
        return False


async def _waited(done: Any) -> Any:
    return await done


def state(machine: Any) -> str:
    """Where the machine's first object stands."""
    value = getattr(machine.models[0], machine.model_attribute)
    return str(getattr(value, "name", value))


def _way(at: str, event: str, to: str) -> str:
    return f"{at.removesuffix(' itself')} -> {to.removesuffix(' itself')} on {event}"


if __name__ == "__main__":
    given, wanted = map(Path, sys.argv[1:])
    wanted.write_text(json.dumps(list(toured(json.loads(given.read_text("utf-8"))))), "utf-8")
