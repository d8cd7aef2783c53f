"""What goes over the network: the page and the WebSocket of each seat, who may use them, and how
much.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from math import inf
from pathlib import Path
from secrets import compare_digest

from aiohttp import WSCloseCode, WSMsgType, web

from .table import Tab, Table

PAGE = Path(__file__).with_name("page.html")
HEADERS = {
    "Referrer-Policy": "no-referrer",  # the address of the page is a secret
    "Content-Security-Policy": "default-src 'self' 'unsafe-inline' data:; frame-ancestors 'none'",
}
TABS, LONGEST, RATE, PATIENCE = 5, 4096, 20, 5
"""At most so many tabs for a seat, bytes in a message, messages from a tab in a second, seconds to
deliver one.
"""

TABLE = web.AppKey("table", Table)
LINKS = web.AppKey("links", dict[str, str])
Ending = tuple[WSCloseCode, bytes]
"""Why a connection is closed, as a code and in words."""


@asynccontextmanager
async def serving(table: Table, port: int) -> AsyncIterator[dict[str, str]]:
    """Serve the table at this port, and say each seat's link. Whoever has the link may play for the
    seat.
    """
    app = web.Application(middlewares=[guard])
    app[TABLE], app[LINKS] = table, table.cards.links
    app.add_routes([web.get("/{seat}/{secret}", page), web.get("/{seat}/{secret}/socket", socket)])
    runner = web.AppRunner(
        app, access_log=None, shutdown_timeout=1
    )  # the access log would hold the secrets
    await runner.setup()
    try:
        await web.TCPSite(runner, "127.0.0.1", port).start()
        port = runner.addresses[0][1]
        yield {
            seat: f"http://127.0.0.1:{port}/{seat}/{secret}" for seat, secret in app[LINKS].items()
        }
    finally:
        await runner.cleanup()


@web.middleware
async def guard(
    request: web.Request, handler: Callable[[web.Request], Awaitable[web.StreamResponse]]
) -> web.StreamResponse:
    """Refuse what a page of another site sends. The browser says whose page it is; a script need
    not say anything.
    """
    port = request.get_extra_info("sockname", ("", 0))[1]
    hosts = [f"{name}:{port}".removesuffix(":80") for name in ("127.0.0.1", "localhost")]
    origins = request.headers.getall("Origin", [])
    if request.host not in hosts or any(origin != f"http://{request.host}" for origin in origins):
        raise web.HTTPForbidden(
            text="This request comes from another site. Open the link that the server printed."
        )
    return await handler(request)


def seat_of(request: web.Request) -> str:
    """The seat whose secret link was used."""
    seat, secret = request.match_info["seat"], request.match_info["secret"]
    expected = request.app[LINKS].get(seat, "")
    if not compare_digest(secret.encode(), expected.encode()):
        raise web.HTTPNotFound(
            text="This link belongs to no seat. Open the link that the server printed."
        )
    return seat


async def page(request: web.Request) -> web.StreamResponse:
    """The page of a seat."""
    seat_of(request)
    return web.FileResponse(PAGE, headers=HEADERS)


async def socket(request: web.Request) -> web.WebSocketResponse:
    """Connect one tab to the table, until either end closes the connection."""
    seat = seat_of(request)
    line = web.WebSocketResponse(
        timeout=1, heartbeat=20, autoping=False, compress=False, max_msg_size=LONGEST
    )
    await line.prepare(request)
    try:
        code, reason = await talk(request, line, seat)
        async with asyncio.timeout(PATIENCE):
            await line.close(code=code, message=reason)
    except (ConnectionError, TimeoutError):
        pass  # the tab is gone
    finally:
        cut(request)
    return line


async def talk(request: web.Request, line: web.WebSocketResponse, seat: str) -> Ending:
    """Read and write at the same time, so that a tab that does not read keeps nobody waiting."""
    table = request.app[TABLE]
    if sum(tab.seat == seat for tab in table.tabs) >= TABS:
        return WSCloseCode.TRY_AGAIN_LATER, b"too many tabs of this seat are open"
    tab = table.join(seat)
    writer = asyncio.create_task(write(request, line, tab))
    try:
        return await read(line, tab, table)
    finally:
        table.tabs.remove(tab)
        writer.cancel()


async def read(line: web.WebSocketResponse, tab: Tab, table: Table) -> Ending:
    """Give the table what the tab says, until it is gone, or sends too much, or sends anything but
    text.
    """
    clock, times = asyncio.get_running_loop().time, deque([-inf] * RATE, RATE)
    async for message in line:
        if clock() - times[0] < 1:
            return WSCloseCode.POLICY_VIOLATION, b"too many messages"
        times.append(clock())
        if message.type is WSMsgType.TEXT:
            table.hear(tab, message.data)
        elif message.type is WSMsgType.PING:
            await line.pong(message.data)
        elif message.type is not WSMsgType.PONG:
            return WSCloseCode.UNSUPPORTED_DATA, b"only text is understood"
    return WSCloseCode.OK, b""


async def write(request: web.Request, line: web.WebSocketResponse, tab: Tab) -> None:
    """Send the tab what is new. A tab that does not read it is cut off."""
    try:
        while True:
            news = await tab.next()
            async with asyncio.timeout(PATIENCE):
                await line.send_json(news)
    except TimeoutError:
        cut(request)
    except ConnectionError:
        pass  # `read` ends as well


def cut(request: web.Request) -> None:
    """Drop the connection, with whatever was not delivered."""
    if request.transport is not None:
        request.transport.abort()
