"""Keeps the targets of large models in files, because it takes seconds to prove which of them no
run can take.

    with keeping(".fsm-coverage/proved"):
        ...  # `targets` and `covered` read what was kept, and keep what they had to prove

A file belongs to one criterion of one model, and to the `version` of the proofs. It is JSON. A file that cannot be read is ignored, and so is a folder that
cannot be written.
"""

from __future__ import annotations

import json
import os
import secrets
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from functools import cache
from hashlib import sha256
from pathlib import Path

from fsm.coverage.growing import is_ordered
from fsm.coverage.target import Target
from fsm.model import Model

FOLDER = "proved"
"""The name of the folder, inside the folder of recorded data."""
FORMAT = "fsm-coverage-targets-1"
LEAST = 100
"""Fewer targets than this are proved again, which costs less than a file."""
MOST = 64
"""At most this many files are kept. The oldest are removed."""
Made = Callable[[], tuple[Target, ...]]

_folder: ContextVar[Path | None] = ContextVar("fsm_coverage_kept", default=None)


@contextmanager
def keeping(folder: str | Path) -> Iterator[None]:
    """Keep targets in this folder while the block runs. The folder is made when there is something
    to keep.
    """
    token = _folder.set(Path(folder))
    try:
        yield
    finally:
        _folder.reset(token)


def kept(model: Model, criterion: str, starts: frozenset[str], make: Made) -> tuple[Target, ...]:
    """Return the targets that were kept, or else those that `make` returns, and keep them if there
    are many.
    """
    folder = _folder.get()
    if folder is None or not is_ordered(model):
        return make()
    key = [FORMAT, version(), model.fingerprint, criterion, *sorted(starts)]
    path = folder / f"{sha256(json.dumps(key).encode()).hexdigest()[:32]}.json"
    found = _read(path, key)
    if found is None:
        found = make()
        if len(found) >= LEAST:
            with suppress(OSError):
                _write(path, key, found)
    return found


@cache
def version() -> str:
    """The version of the source files that the proofs depend on."""
    found, root = sha256(), Path(__file__).parents[1]
    for folder in ("checks", "coverage", "model", "state"):
        for path in sorted((root / folder).rglob("*.py")):
            found.update(path.read_bytes())
    return found.hexdigest()


def _read(path: Path, key: list[str]) -> tuple[Target, ...] | None:
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        same = data["key"] == key
        rows = data["targets"]
        whole = all(len(row) == 5 and all(isinstance(text, str) for text in row) for row in rows)
        return tuple(Target(*row) for row in rows) if same and whole else None
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return None


def _write(path: Path, key: list[str], targets: tuple[Target, ...]) -> None:
    rows = [[t.id, t.machine, t.text, t.rule, t.infeasible] for t in targets]
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.with_name(f"{path.stem}.{secrets.token_hex(4)}.part")
    try:
        fresh.write_text(json.dumps({"key": key, "targets": rows}), encoding="utf-8")
        os.replace(fresh, path)
    finally:
        fresh.unlink(missing_ok=True)
    files = sorted(path.parent.glob("*.json"), key=lambda file: file.stat().st_mtime)
    for old in files[:-MOST]:
        old.unlink(missing_ok=True)
