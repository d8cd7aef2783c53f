"""python -m table [--port N] [--file FILE]: serves one table; open http://127.0.0.1:8420/Ann and .../Ben."""

from __future__ import annotations

import argparse
import asyncio
from contextlib import suppress
from pathlib import Path
from typing import Any

from aiohttp import WSMsgType, web

from .game import SEATS
from .store import Store
from .table import Table

PAGE = Path(__file__).with_name("page.html")
SEAT = f"{{seat:{'|'.join(SEATS)}}}"
TABLE = web.AppKey("table", Table)


async def page(request: web.Request) -> web.StreamResponse:
    """The page of a seat."""
    return web.FileResponse(PAGE)


async def socket(request: web.Request) -> web.WebSocketResponse:
    """The line of one tab to the table; a tab that reads slowly makes nobody wait."""
    table, seat = request.app[TABLE], request.match_info["seat"]
    line = web.WebSocketResponse(heartbeat=20)
    await line.prepare(request)
    messages = asyncio.Queue[dict[str, Any]]()
    writer = asyncio.create_task(write(line, messages))
    table.join(seat, messages.put_nowait)
    try:
        async for message in line:
            if message.type is WSMsgType.TEXT:
                table.hear(seat, messages.put_nowait, message.data)
    finally:
        table.sockets.pop(messages.put_nowait, None)
        writer.cancel()
    return line


async def write(line: web.WebSocketResponse, messages: asyncio.Queue[dict[str, Any]]) -> None:
    """Send to a tab whatever there is for it, until it is gone."""
    with suppress(ConnectionError):
        while True:
            await line.send_json(await messages.get())


async def serve(port: int, file: Path) -> None:
    """Serve the table until somebody ends the process."""
    app = web.Application()
    app[TABLE] = table = Table(Store(file))
    app.add_routes([web.get(f"/{SEAT}", page), web.get(f"/{SEAT}/socket", socket)])
    runner = web.AppRunner(app)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", port).start()
    for seat in SEATS:
        print(f"{seat} sits at http://127.0.0.1:{runner.addresses[0][1]}/{seat}", flush=True)
    await table.run()
    await asyncio.Event().wait()  # the game is over, but may still be looked at


def main() -> None:
    """Read the command line."""
    parser = argparse.ArgumentParser(prog="table", description="A table for two in the browser.")
    parser.add_argument("--port", type=int, default=8420, help="0 for any that is free")
    parser.add_argument("--file", type=Path, default=Path("table.db"), help="where the table is kept")
    asked = parser.parse_args()
    try:
        asyncio.run(serve(asked.port, asked.file))
    except KeyboardInterrupt:
        print("The table stays as it is. Start the server again to go on.")


if __name__ == "__main__":
    main()
