"""A loopback HTTP server for stand-ins of vendors' APIs, which fails on demand."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, HTTPServer, ThreadingHTTPServer
from traceback import format_exc
from typing import Any

WRITES = ("POST", "PUT", "PATCH", "DELETE")
HTML = "<html><head><title>502</title></head><body><h1>Server Error</h1></body></html>"


@dataclass
class Request:
    method: str
    path: str
    headers: Mapping[str, str]
    body: bytes


@dataclass
class Reply:
    status: int
    body: Any = None
    headers: dict[str, str] = field(default_factory=dict)

    @property
    def data(self) -> bytes:
        if self.body is None or isinstance(self.body, bytes):
            return self.body or b""
        return self.body.encode() if isinstance(self.body, str) else json.dumps(self.body).encode()


class VendorServer:
    """Answers with `reply`. `lose` does what the request asks and closes the connection without an
    answer; `fail` answers without doing it. Both apply to the next request with one of these
    methods. `stalls` keeps such connections open until the server ends, as if the network had lost
    the answers."""

    def __init__(self) -> None:
        self.address = ""
        self.stalls = False
        self.ended = threading.Event()
        self.requests: list[Request] = []
        self._orders: list[tuple[tuple[str, ...], Reply | None]] = []

    def reply(self, request: Request) -> Reply:
        raise NotImplementedError

    def lose(self, *methods: str) -> None:
        self._orders.append((methods or WRITES, None))

    def fail(self, reply: Reply, *methods: str) -> None:
        self._orders.append((methods or WRITES, reply))

    def answer(self, request: Request) -> Reply | None:
        """Returns the answer; None closes the connection."""
        self.requests.append(request)
        for number, (methods, ordered) in enumerate(self._orders):
            if request.method in methods and not self.is_token(request):
                del self._orders[number]
                if ordered is None:
                    self.reply(request)
                    if self.stalls:
                        self.ended.wait(30)
                return ordered
        return self.reply(request)

    def is_token(self, request: Request) -> bool:
        return request.path.endswith("/token")


@contextmanager
def serve(stand_in: VendorServer) -> Iterator[None]:
    with answering(stand_in.answer) as stand_in.address:
        try:
            yield
        finally:
            stand_in.ended.set()


@contextmanager
def answering(answer: Callable[[Request], Reply | None]) -> Iterator[str]:
    """Serves these answers and yields the address; None closes a connection."""
    wrongs: list[str] = []
    server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(answer, wrongs))
    with running(server) as port:
        yield f"http://127.0.0.1:{port}"
    assert not wrongs, "\n".join(wrongs)


@contextmanager
def running(server: HTTPServer) -> Iterator[int]:
    """Serves in a thread; yields the port."""
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    try:
        yield server.server_port
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def _handler(
    answer: Callable[[Request], Reply | None], wrongs: list[str]
) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def _do(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            headers = {name.lower(): value for name, value in self.headers.items()}
            try:
                reply = answer(Request(self.command, self.path, headers, body))
            except Exception as wrong:
                wrongs.append(f"{self.command} {self.path} {body!r}\n{format_exc()}")
                reply = Reply(500, {"wrong": repr(wrong)})
            if reply is None:
                self.close_connection = True
                return
            self.send_response(reply.status)
            for name, value in reply.headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(reply.data)))
            self.end_headers()
            self.wfile.write(reply.data)

        do_GET = do_POST = do_PATCH = do_DELETE = do_PUT = _do  # noqa: N815

        def log_message(self, *_: Any) -> None:
            pass

    return Handler
