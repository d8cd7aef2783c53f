"""A small server for one page and what it is told. It listens on this computer only.

It refuses whoever does not know the token of the address, or comes from another page. Nobody can
use up the descriptors of the program: few connections are open at once, and who says nothing is cut
off.
"""

from __future__ import annotations

import json
import socket
from collections.abc import Callable, Iterator
from contextlib import suppress
from hmac import compare_digest
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from secrets import token_urlsafe
from threading import BoundedSemaphore, Event, Thread, Timer
from time import monotonic, thread_time
from typing import Any, TypeAlias
from urllib.parse import urlsplit

HOST = "127.0.0.1"
PAUSE = 0.1
"""A page is told at most ten times a second."""
SHARE = 0.1
LONGEST = 2.0
"""For each page, the server computes at most this share of the time, so that the program goes on;
but a page waits for so many seconds at most."""
CONNECTIONS = 24
"""So many connections are open at once. Each page that is told something has one."""
PATIENCE = 5.0
"""Seconds until a request must have come, and until the program is known to be gone."""
HEADERS = {
    "Cache-Control": "no-store",
    "Connection": "close",
    "Content-Security-Policy": "frame-ancestors 'none'",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Cross-Origin-Resource-Policy": "same-origin",
}
News: TypeAlias = Iterator[object]
"""What is new, as plain JSON values, each time that it is asked for, or None."""


class Server(ThreadingHTTPServer):
    """Serves a page in daemon threads, until it is closed.

    Parameters
    ----------
    page
        Returns the page.
    listen
        Returns the news for a page that has just been opened.
    port
        The port on this computer. With 0, any free port is taken.

    Raises
    ------
    OSError
        If the port is taken.
    """

    daemon_threads = True
    block_on_close = False
    request_queue_size = 128

    def __init__(self, page: Callable[[], str], listen: Callable[[], News], port: int = 0) -> None:
        super().__init__((HOST, port), _Handler)
        self.page = page
        self.listen = listen
        self.token = token_urlsafe(16)
        self.closed = Event()
        self.room = BoundedSemaphore(CONNECTIONS)
        self._thread = Thread(
            target=self.serve_forever, args=(PAUSE,), name="fsm page", daemon=True
        )
        self._thread.start()

    @property
    def address(self) -> str:
        """The address of the page, with the token."""
        return f"http://{HOST}:{self.server_port}/{self.token}/"

    def close(self) -> None:
        """End the server. Pages that are open say that the program has ended."""
        if not self.closed.is_set():
            self.closed.set()
            self.shutdown()
            self.server_close()
            self._thread.join()

    def process_request(self, request: Any, client_address: Any) -> None:
        """Take a connection, if there is room for it."""
        if self.room.acquire(blocking=False):
            super().process_request(request, client_address)
        else:
            self.shutdown_request(request)

    def process_request_thread(self, request: Any, client_address: Any) -> None:
        """Answer in a thread of its own."""
        try:
            super().process_request_thread(request, client_address)
        finally:
            self.room.release()

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Say nothing: a page that was closed is no error of the program."""


class _Handler(BaseHTTPRequestHandler):
    server: Server
    server_version = "fsm"
    sys_version = ""
    timeout = PATIENCE

    def setup(self) -> None:
        """Cut a connection off that has not said what it wants in time."""
        super().setup()
        self.limit = Timer(PATIENCE, self._cut_off)
        self.limit.daemon = True
        self.limit.start()

    def finish(self) -> None:
        """Forget the limit."""
        self.limit.cancel()
        super().finish()

    def _cut_off(self) -> None:
        with suppress(OSError):  # it is closed already
            self.connection.shutdown(socket.SHUT_RDWR)

    def do_GET(self) -> None:
        """Send the page, or the stream of news."""
        self.limit.cancel()
        token, _, path = urlsplit(self.path).path.removeprefix("/").partition("/")
        refusal = self._refusal(token)
        with suppress(ConnectionError, TimeoutError):
            if refusal:
                self._send(403, "text/plain", f"{refusal}\n")
            elif path == "events":
                self._stream()
            elif path:
                self._send(404, "text/plain", "there is nothing here\n")
            else:
                self._send(200, "text/html", self.server.page())

    def _refusal(self, token: str) -> str:
        """Return why the request is refused, or ""."""
        hosts = [f"{name}:{self.server.server_port}" for name in (HOST, "localhost")]
        if self.headers.get("Host") not in hosts:
            return "this address is not served"
        origins = [None, *(f"http://{host}" for host in hosts)]
        site = self.headers.get("Sec-Fetch-Site", "none")
        if self.headers.get("Origin") not in origins or site not in ("none", "same-origin"):
            return "other pages are refused"
        if not compare_digest(token.encode(), self.server.token.encode()):
            return "the address has a wrong token: use the one that the program prints"
        return ""

    def _stream(self) -> None:
        """Send what changes, until the page or the server is closed."""
        self._head(200, {"Content-Type": "text/event-stream"})
        news = self.server.listen()
        told = monotonic()
        took = 0.0
        while not self.server.closed.wait(min(LONGEST, max(PAUSE, took / SHARE - took))):
            began = thread_time()
            change = next(news)
            line = ": the program is still there"
            if change is not None:
                line = f"data: {json.dumps(change, separators=(',', ':'))}"
            if change is not None or monotonic() - told > PATIENCE:
                self.wfile.write(f"{line}\n\n".encode())
                told = monotonic()
            took = thread_time() - began

    def _send(self, status: int, kind: str, text: str) -> None:
        content = text.encode()
        length = str(len(content))
        self._head(status, {"Content-Type": f"{kind}; charset=utf-8", "Content-Length": length})
        self.wfile.write(content)

    def _head(self, status: int, headers: dict[str, str]) -> None:
        self.send_response(status)
        for header in (headers | HEADERS).items():
            self.send_header(*header)
        self.end_headers()

    def log_message(self, format: str, *args: Any) -> None:
        """Print nothing: the program has its own output."""
