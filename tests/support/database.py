"""A PostgreSQL server of a test's own, on a socket in a folder of its own. Nothing of it is left
behind.
"""

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
    programs = {name: postgres(name) for name in ("initdb", "postgres", "pg_isready")}
    who = _somebody()
    folder = Path(
        tempfile.mkdtemp(prefix="fsm-")
    )  # a socket's path must be short, and root's own folders are closed
    try:
        if who:
            shutil.chown(folder, who["user"], who["group"])
        data = ["-D", f"{folder}/data"]
        made = [*data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "-N"]
        processes.run([programs["initdb"], *made], check=True, cwd="/", **who)
        served = [*data, "-k", str(folder), "-c", "listen_addresses=", "-c", "fsync=off"]
        command = [programs["postgres"], *served]
        with processes.started(command, cwd="/", **who) as server:
            while processes.run([programs["pg_isready"], "-q", "-h", str(folder)]).returncode:
                assert server.is_running, server.stderr
                server.pause()
            yield f"host={folder} user=postgres dbname=postgres"
            server.end(signal.SIGINT)  # end connections, and stop at once
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _somebody() -> dict[str, Any]:
    """Who runs the server: PostgreSQL refuses to run as root."""
    if os.name != "posix":
        missing("a system with Unix sockets")
    if os.geteuid() != 0:
        return {}
    import pwd

    known = {entry.pw_name: entry for entry in pwd.getpwall()}
    user = next((known[name] for name in ("postgres", "nobody") if name in known), None)
    if user is None:
        missing("a user other than root")
    return {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []}
