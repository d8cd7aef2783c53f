"""One worker: `python -m fleet "dbname=fleet"`. Start as many as there are cores; stop or kill them
as you like.
"""

from __future__ import annotations

import signal
import sys
import time

from . import store
from .rules import OutdatedError

PAUSE = 0.02
"""Seconds that a worker waits if there is nothing to do."""


def main() -> None:
    """Answer until the process is ended."""
    if len(sys.argv) != 2:
        sys.exit('usage: python -m fleet CONNECTION, for instance python -m fleet "dbname=fleet"')
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # ends as Ctrl+C does
    with store.connect(sys.argv[1]) as db:
        print("ready", flush=True)
        try:
            while True:
                if not store.answer_next(db):
                    time.sleep(PAUSE)
        except KeyboardInterrupt:
            print("stopped", flush=True)
        except OutdatedError as error:
            sys.exit(f"{error}: deploy the new version, and start this worker again")


main()
