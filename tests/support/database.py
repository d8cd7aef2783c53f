"""A PostgreSQL server of a test's own, on a socket in a folder of its own. Nothing of it is left
behind.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from support.tools import missing, postgres

PATIENCE = 60
"""Seconds that the server may take until it answers."""


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
        _run(
            programs["initdb"],
            "-D",
            f"{folder}/data",
            "-U",
            "postgres",
            "-A",
            "trust",
            "-E",
            "UTF8",
            "-N",
            **who,
        )
        command = [
            programs["postgres"],
            "-D",
            f"{folder}/data",
            "-k",
            str(folder),
            "-c",
            "listen_addresses=",
            "-c",
            "fsync=off",
        ]
        with (folder / "log").open("wb") as log:
            server = subprocess.Popen(command, stdout=log, stderr=log, cwd="/", **who)
        try:
            _wait(programs["pg_isready"], folder, server)
            yield f"host={folder} user=postgres dbname=postgres"
        finally:
            server.send_signal(signal.SIGINT)  # end connections, and stop at once
            server.wait()
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


def _run(*command: str, **who: Any) -> None:
    done = subprocess.run(command, capture_output=True, text=True, cwd="/", **who)
    assert done.returncode == 0, done.stderr


def _wait(is_ready: str, folder: Path, server: subprocess.Popen[bytes]) -> None:
    end = time.monotonic() + PATIENCE
    while subprocess.run([is_ready, "-q", "-h", str(folder)], check=False).returncode:
        assert server.poll() is None, (folder / "log").read_text(encoding="utf-8", errors="replace")
        assert time.monotonic() < end, "the server does not answer"
        time.sleep(0.1)
