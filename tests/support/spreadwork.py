"""What workers do in the tests of `fsm.parallel`: a worker imports it by name."""

from __future__ import annotations

import os
import signal
from pathlib import Path

from fsm.errors import RulesetError


class Picky(Exception):
    """An exception that cannot be made again from its text."""

    def __init__(self, *, what: str, why: str) -> None:
        super().__init__(f"{what} {why}")


def square(number: int) -> int:
    return number * number


def square_with_process(number: int) -> tuple[int, int]:
    return number * number, os.getpid()


def killed(marks: Path, times: int, number: int) -> int:
    """Like `square`, but 3 kills the process that works on it, so many times."""
    if number == 3:
        tries = len(list(marks.iterdir()))
        if tries < times:
            (marks / str(tries)).touch()
            os.kill(os.getpid(), signal.SIGKILL)
    return number * number


def wrong(number: int) -> int:
    if number == 1:
        raise RulesetError("there is none", option="speed", found=number, known=("slow", "fast"))
    if number == 2:
        raise Picky(what="this", why="was wrong")
    if number == 3:
        raise SystemExit("enough")
    return number
