"""Check every shipped ruleset, and prove what is true of every run within the default bounds: `python .ci/prove.py`.

Two at a time, the large ones first. Exit code 1 when one of them does not hold.
"""

from __future__ import annotations

import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor

from fsm.rulesets import names


def proved(name: str) -> tuple[str, int, str, float]:
    began = time.monotonic()
    command = [sys.executable, "-m", "fsm", "check", name, "--prove"]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", check=False)
    return name, done.returncode, done.stdout + done.stderr, time.monotonic() - began


def main() -> int:
    worst = 0
    with ThreadPoolExecutor(2) as pool:
        for name, code, text, seconds in pool.map(proved, names()):
            print(text)
            print(f"{name}: {'proved' if code == 0 else 'NOT PROVED'} in {seconds:.0f} s\n", flush=True)
            worst = max(worst, code)
    return worst


if __name__ == "__main__":
    sys.exit(main())
