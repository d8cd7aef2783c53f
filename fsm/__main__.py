"""`fsm`, and `python -m fsm`."""

from __future__ import annotations

import os
import signal
import sys


def main() -> None:
    """Run the command line; end with 0 (fine), 1 (does not hold) or 2 (wrong input)."""
    # SIGTERM interrupts as Ctrl+C does, which a program in the background of a script ignores.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:  # closed by whoever started us
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115
        getattr(sys, name).reconfigure(errors="backslashreplace")
    if os.getcwd() not in sys.path:  # where the user's module:attribute may be
        sys.path.append(os.getcwd())
    from fsm.cli import cli

    cli.main(prog_name="fsm")


if __name__ == "__main__":
    main()
