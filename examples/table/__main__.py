"""python -m table [--port N] [--file FILE]: serves one table, and prints the link of each seat."""

from __future__ import annotations

import argparse
import asyncio
import signal
from pathlib import Path

from fsm.errors import FsmError

from .server import serving
from .table import Table


async def serve(table: Table, port: int) -> None:
    """Serve the table until somebody ends the process."""
    async with serving(table, port) as links:
        for seat, link in links.items():
            print(f"{seat} sits at {link}", flush=True)
        await table.run()
        await asyncio.Event().wait()  # the game is over, but may still be looked at


def main() -> None:
    """Read the command line."""
    parser = argparse.ArgumentParser(prog="table", description="A table for two in the browser.")
    parser.add_argument("--port", type=int, default=8420, help="0 for any that is free")
    parser.add_argument(
        "--file", type=Path, default=Path("table.jsonl"), help="where the table is kept"
    )
    asked = parser.parse_args()
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # ends as Ctrl+C does
    try:
        asyncio.run(serve(Table(asked.file), asked.port))
    except KeyboardInterrupt:
        print("The table stays as it is. Start the server again to go on.")
    except (OSError, OverflowError, FsmError) as error:
        parser.exit(1, f"table: the table in {asked.file} cannot be served: {error}\n")


if __name__ == "__main__":
    main()
