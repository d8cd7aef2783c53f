"""Check every shipped ruleset, and prove what is true of every run within the default bounds:
`python .ci/prove.py`.

Two at a time, the large ones first. Exit code 1 when one of them does not hold.
"""

from __future__ import annotations

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

from fsm.rulesets import names


def prove(name: str) -> int:
    """Return the exit code of the proof of a ruleset."""
    command = [sys.executable, "-m", "fsm", "check", name, "--prove"]
    return subprocess.run(command, check=False).returncode


def main() -> int:
    with ThreadPoolExecutor(2) as threads:
        return max(threads.map(prove, names()))


if __name__ == "__main__":
    sys.exit(main())
