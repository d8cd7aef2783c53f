"""The console scripts `fsm` and `turn-fsm`."""

from __future__ import annotations

import os
import sys

from turn_fsm.ours import trouble


def main() -> None:
    """Run the command line; ends the process with 0 (fine), 1 (does not hold) or 2 (wrong input)."""
    wrong = trouble()
    if wrong:
        print(f"fsm: {wrong}", file=sys.stderr)
        sys.exit(2)
    from fsm.__main__ import main

    main(os.path.splitext(os.path.basename(sys.argv[0]))[0])
