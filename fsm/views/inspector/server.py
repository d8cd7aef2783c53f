"""The server of the inspector: a page, what it asks for, and a stream of what changes.

It listens on this computer only. It refuses whoever does not know the token of the address, or
comes from another page.
"""

from __future__ import annotations

import json
from hmac import compare_digest
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from secrets import token_urlsafe
from threading import BoundedSemaphore, Event, Thread
from time import monotonic, thread_time
from typing import Any, NamedTuple, Protocol
from urllib.parse import parse_qs, urlsplit

HOST = "127.0.0.1"
PAUSE = 0.1
"""A page is told at most ten times a second."""
SHARE, LONGEST = 0.1, 2.0
"""For each page, the server computes at most this share of the time, so that the program goes on;
but a page waits for so many seconds at most."""
MOST_PAGES = 16
ALIVE = 5.0
"""After so many seconds without a change, the page is told that the program is still there."""
HEADERS = {
    "Cache-Control": "no-store",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Cross-Origin-Resource-Policy": "same-origin",
}


class Reply(NamedTuple):
    """What is sent back: of what kind, the content, and a name if it is to be saved as a file."""

    kind: str
    content: str
    save_as: str = ""
    status: int = 200
    policy: str = "default-src 'none'"


class Refusal(Exception):
    """A request that is refused, with its status and the reason."""

    def __init__(self, status: int, why: str) -> None:
        super().__init__(why)
        self.status = status


Query = dict[str, str]


class Content(Protocol):
    """What the server shows."""

    def get(self, path: str, query: Query) -> Reply:
        """Return what is there. Raises Refusal."""

    def news(self, query: Query) -> dict[str, Any]:
        """Return what a page is told now. Raises Refusal."""


class Server:
    """Serves one content in daemon threads, until it is closed."""

    def __init__(self, content: Content, port: int = 0) -> None:
        self.content, self.token, self.closed = content, token_urlsafe(16), Event()
        self.pages = BoundedSemaphore(MOST_PAGES)
        handler = type("InspectorHandler", (_Handler,), {"served": self})
        self._http = _HttpServer((HOST, port), handler)
        self.port: int = self._http.server_address[1]
        self._thread = Thread(
            target=self._http.serve_forever, args=(PAUSE,), name="fsm inspector", daemon=True
        )
        self._thread.start()

    @property
    def address(self) -> str:
        """The address of the page, with the token."""
        return f"http://{HOST}:{self.port}/{self.token}/"

    def close(self) -> None:
        """End the server. Pages that are open say that the program has ended."""
        if not self.closed.is_set():
            self.closed.set()
            self._http.shutdown()
            self._http.server_close()
            self._thread.join()


class _HttpServer(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Say nothing: a page that was closed is no error of the program."""


class _Handler(BaseHTTPRequestHandler):
    served: Server
    protocol_version = "HTTP/1.1"
    server_version, sys_version = "fsm", ""
    timeout = 30

    def do_GET(self) -> None:
        """Send the page, the stream of news, or what the page asks for."""
        try:
            path, query = self._checked()
            if path == "events":
                self._stream(query)
            else:
                self._send(self.served.content.get(path, query))
        except Refusal as refusal:
            self.close_connection = True
            self._send(Reply("text/plain", f"{refusal}\n", status=refusal.status))
        except (ConnectionError, TimeoutError):
            self.close_connection = True
        except Exception as error:
            self._send(Reply("text/plain", f"{type(error).__name__}: {error}\n", status=500))

    def _checked(self) -> tuple[str, Query]:
        """Return path and query. Raises Refusal if this is no request of our page."""
        served = self.served
        hosts = {f"{name}:{served.port}" for name in (HOST, "localhost")}
        if self.headers.get("Host") not in hosts:
            raise Refusal(403, "this address is not served")
        origin = self.headers.get("Origin")
        if origin is not None and origin not in {f"http://{host}" for host in hosts}:
            raise Refusal(403, "other pages are refused")
        if self.headers.get("Sec-Fetch-Site", "none") not in ("none", "same-origin"):
            raise Refusal(403, "other pages are refused")
        parts = urlsplit(self.path)
        token, _, path = parts.path.removeprefix("/").partition("/")
        if not compare_digest(token.encode(), served.token.encode()):
            raise Refusal(403, "the address has a wrong token: use the one that the program prints")
        return path, {name: values[-1] for name, values in parse_qs(parts.query).items()}

    def _stream(self, query: Query) -> None:
        """Send what changes, until the page or the server is closed."""
        if not self.served.pages.acquire(blocking=False):
            raise Refusal(503, f"{MOST_PAGES} pages are open already: close one")
        try:
            self._news(query)  # what is refused is refused before anything is sent
            self._head("text/event-stream", {"Connection": "close"})
            self.close_connection = True
            before, told = "", monotonic()
            while not self.served.closed.is_set():
                began = thread_time()
                text = json.dumps(self._news(query), separators=(",", ":"))
                if text != before or monotonic() - told > ALIVE:
                    self.wfile.write(f"data: {text}\n\n".encode())
                    before, told = text, monotonic()
                took = thread_time() - began
                self.served.closed.wait(min(LONGEST, max(PAUSE, took / SHARE - took)))
        finally:
            self.served.pages.release()

    def _news(self, query: Query) -> dict[str, Any]:
        """Return what the page is told. What goes wrong here is told there, for the program knows
        nothing of it.
        """
        try:
            return self.served.content.news(query)
        except Refusal:
            raise
        except Exception as error:
            return {"problem": f"{type(error).__name__}: {error}"}

    def _send(self, reply: Reply) -> None:
        content = reply.content.encode()
        more = {"Content-Length": str(len(content)), "Content-Security-Policy": reply.policy}
        if reply.save_as:
            more["Content-Disposition"] = f'attachment; filename="{reply.save_as}"'
        self._head(reply.kind, more, reply.status)
        self.wfile.write(content)

    def _head(self, kind: str, more: dict[str, str], status: int = 200) -> None:
        self.send_response(status)
        charset = "" if kind == "text/event-stream" else "; charset=utf-8"
        for name, value in {"Content-Type": kind + charset, **HEADERS, **more}.items():
            self.send_header(name, value)
        self.end_headers()

    def log_message(self, format: str, *args: Any) -> None:
        """Print nothing: the program has its own output."""
