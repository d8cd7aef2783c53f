"""Every process that a test starts. It has a time limit, and it ends with all that it has started."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from subprocess import CompletedProcess
from tempfile import TemporaryFile
from typing import Any, BinaryIO

import pytest

from support.amounts import seconds

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    # A shell starts what runs in the background so, and every process of a test would inherit it.
    with suppress(ValueError):
        signal.signal(signal.SIGINT, signal.default_int_handler)

GRACE = 5
"""Seconds between SIGTERM and SIGKILL."""
Command = Sequence[str | os.PathLike[str]]


class Process:
    """A running process and its output. Use `started`.

    What it prints goes to files, so that it never waits for the test to read.
    """

    def __init__(self, command: Command, out: BinaryIO, err: BinaryIO, **options: Any) -> None:
        self.command, self.out, self.err = command, out, err
        self.limit = seconds(os.environ["PYTEST_CURRENT_TEST"]) - GRACE
        self.deadline = time.monotonic() + self.limit
        self.encoding = options.pop("encoding", "utf-8")
        self.read = 0
        options = {"stdin": subprocess.DEVNULL, "stdout": out, "stderr": err, **options}
        self.popen = subprocess.Popen[bytes](command, start_new_session=True, **options)

    @property
    def pid(self) -> int:
        """The number of the process, and of its group."""
        return self.popen.pid

    @property
    def stdout(self) -> str:
        """What it has printed so far."""
        return _content(self.out).decode(self.encoding)

    @property
    def stderr(self) -> str:
        """What it has printed so far to standard error."""
        return _content(self.err).decode(self.encoding)

    @property
    def is_running(self) -> bool:
        return self.popen.poll() is None

    def line(self) -> str:
        """Wait for the next line on standard output. The line is "" if the process has ended."""
        while True:
            is_running = self.is_running
            line, newline, _ = _content(self.out)[self.read :].partition(b"\n")
            if newline or not is_running:
                self.read += len(line + newline)
                return line.decode(self.encoding)
            self.pause()

    def pause(self) -> None:
        """Wait a moment. Fails the test if the time of the process is over."""
        if time.monotonic() > self.deadline:
            self._fail()
        time.sleep(0.01)

    def wait(self, given: bytes | None = None) -> int:
        """Send the input, wait for the end, and return the exit code. Fails the test if the time of
        the process is over.
        """
        try:
            self.popen.communicate(given, max(0, self.deadline - time.monotonic()))
        except subprocess.TimeoutExpired:
            self._fail()
        return self.popen.returncode

    def end(self, sign: signal.Signals = signal.SIGTERM) -> int:
        """End the process by this signal, or by SIGKILL after `GRACE` seconds. Then kill what it has
        left behind. Return its exit code.
        """
        if self.is_running:
            self.popen.send_signal(sign)
            with suppress(subprocess.TimeoutExpired):
                self.popen.wait(GRACE)
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self.pid, signal.SIGKILL)
        return self.popen.wait()

    def _fail(self) -> None:
        self.end()
        printed = f"{self.stdout}{self.stderr}"
        pytest.fail(f"{self.command} has not ended within {self.limit} s; it printed:\n{printed}")


@contextmanager
def started(command: Command, **options: Any) -> Iterator[Process]:
    """Start a process in a group of its own, and end the group after the block.

    The options are those of `subprocess.Popen`. Without one, there is no standard input.
    """
    with TemporaryFile() as out, TemporaryFile() as err:
        process = Process(command, out, err, **options)
        try:
            yield process
        finally:
            process.end()


def run(
    command: Command, *, given: str | bytes = b"", check: bool = False, **options: Any
) -> CompletedProcess[str]:
    """Run a process to its end. `given` is its standard input. With `check`, the test fails if the
    exit code is not 0.
    """
    data = given.encode() if isinstance(given, str) else given
    if data:
        options["stdin"] = subprocess.PIPE
    with started(command, **options) as process:
        code = process.wait(data or None)
        done = CompletedProcess(command, code, process.stdout, process.stderr)
    if check and code:
        pytest.fail(f"{command} has ended with {code}:\n{done.stdout}{done.stderr}")
    return done


def _content(file: BinaryIO) -> bytes:
    """Return what is in a file, without moving the place where the process writes."""
    return os.pread(file.fileno(), os.fstat(file.fileno()).st_size, 0)
