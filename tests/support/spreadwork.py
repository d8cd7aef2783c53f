"""What workers do in the tests of `fsm.parallel`: a worker imports it by name."""

from __future__ import annotations

import os
import signal
import time

from fsm.errors import RulesetError


def square(number: int) -> int:
    return number * number


def wrong(number: int) -> int:
    """Raise an error for 1, end the process for 2, and take long for 3."""
    if number == 1:
        raise RulesetError(
            "there is none", place="options.speed", found=number, known=("slow", "fast")
        )
    if number == 2:
        os.kill(os.getpid(), signal.SIGKILL)
    if number == 3:
        time.sleep(600)
    return number
