"""Check every shipped ruleset, and prove what is true of every run within the default bounds:
`python .ci/prove.py`.

Two at a time, the large ones first. Exit code 1 when one of them does not hold.
"""

from __future__ import annotations

import subprocess
import sys

from fsm.rulesets import names


def main() -> int:
    command = [sys.executable, "-m", "fsm", "check", *names(), "--prove", "--jobs", "2"]
    return subprocess.run(command, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
