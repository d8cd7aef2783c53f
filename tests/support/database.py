"""A PostgreSQL server of a test's own, on a socket in a folder of its own."""

from __future__ import annotations

import os
import shutil
import signal
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from support import processes
from support.tools import missing, postgres


@contextmanager
def database() -> Iterator[str]:
    """Start a server, and yield how to connect to it. Skips the test where PostgreSQL is missing."""
    initdb, server, ready = (postgres(name) for name in ("initdb", "postgres", "pg_isready"))
    folder = Path(tempfile.mkdtemp(prefix="fsm-"))  # the path of a socket must be short
    user = _user(folder)
    data = ["-D", f"{folder}/data"]
    served = [*data, "-k", str(folder), "-c", "listen_addresses=", "-c", "fsync=off"]
    try:
        made = [*data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "-N"]
        processes.run([initdb, *made], check=True, cwd="/", **user)
        with processes.started([server, *served], cwd="/", **user) as running:
            while processes.run([ready, "-q", "-h", str(folder)]).returncode:
                assert running.is_running, running.stderr
                running.pause()
            yield f"host={folder} user=postgres dbname=postgres"
            running.end(signal.SIGINT)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _user(folder: Path) -> dict[str, Any]:
    """Who runs the server: PostgreSQL refuses to run as root."""
    if os.name != "posix":
        missing("a system with Unix sockets")
    if os.geteuid():
        return {}
    shutil.chown(folder, "nobody")
    return {"user": "nobody", "extra_groups": []}
