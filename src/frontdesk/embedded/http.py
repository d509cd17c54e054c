"""The HTTP side of the one process: a socket of our own, bounds on what strangers send."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import socket
from collections.abc import Iterator
from typing import Final

from starlette.types import ASGIApp
from uvicorn import Config, Server
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from frontdesk.errors import BadSettings
from frontdesk.settings import Settings

#: Open pages that watch live counts are connections too.
MOST_CONNECTIONS: Final = 2_000
BACKLOG: Final = 1_024
KEEP_ALIVE_SECONDS: Final = 15
#: How long open requests get when the process is asked to stop.
GRACE_SECONDS: Final = 2
MOST_HEAD_BYTES: Final = 32_768
HEAD_SECONDS: Final = 15.0


def listen(settings: Settings) -> socket.socket:
    """Bound before anything else is started, so that the address in use is known."""
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    where = f"{settings.host}:{settings.port}"
    try:
        listener.bind((settings.host, settings.port))
        listener.listen(BACKLOG)
    except OSError as error:
        listener.close()
        raise BadSettings(f"Nothing can be served at {where}: {_reason(error)}") from error
    listener.setblocking(False)
    return listener


def _reason(error: OSError) -> str:
    if isinstance(error, socket.gaierror):
        return "this machine has no such address. Choose another with --host."
    match error.errno:
        case errno.EADDRINUSE:
            return "another program listens there. Choose another port with --port."
        case errno.EACCES:
            return "this port is for the system alone. Choose another with --port."
        case _:
            return f"{(error.strerror or str(error)).lower()}."


def address(listener: socket.socket) -> str:
    """Where it can be reached from this machine."""
    host, port = listener.getsockname()[:2]
    reachable = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)  # noqa: S104
    return f"http://[{reachable}]:{port}" if ":" in reachable else f"http://{reachable}:{port}"


class Bounded(HttpToolsProtocol):
    """One connection. The head of a request has an end, and comes within a while."""

    _head_bytes = 0
    _in_head = True
    _give_up: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._expect_head()

    def connection_lost(self, exc: Exception | None) -> None:
        self._head_is_here()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        if self._in_head:
            self._head_bytes += len(data)
        super().data_received(data)
        if self._in_head and self._head_bytes > MOST_HEAD_BYTES:
            self.transport.close()

    def on_message_begin(self) -> None:
        self._expect_head()
        super().on_message_begin()  # type: ignore[no-untyped-call, unused-ignore]

    def on_headers_complete(self) -> None:
        self._head_is_here()
        super().on_headers_complete()  # type: ignore[no-untyped-call, unused-ignore]

    def _expect_head(self) -> None:
        self._head_is_here()
        self._in_head, self._head_bytes = True, 0
        self._give_up = self.loop.call_later(HEAD_SECONDS, self._too_slow)

    def _head_is_here(self) -> None:
        self._in_head = False
        if self._give_up is not None:
            self._give_up.cancel()
            self._give_up = None

    def _too_slow(self) -> None:
        if self._in_head:
            self.transport.close()


class QuietServer(Server):
    """Signals are ours: who starts the server also stops the rest of the process."""

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


def http_server(app: ASGIApp, settings: Settings) -> QuietServer:
    return QuietServer(
        Config(
            app,
            loop="none",
            http=Bounded,
            ws="none",
            lifespan="off",
            log_config=None,
            log_level="warning",
            access_log=False,
            server_header=False,
            proxy_headers=settings.behind_proxy,
            forwarded_allow_ips="127.0.0.1,::1",
            limit_concurrency=MOST_CONNECTIONS,
            backlog=BACKLOG,
            timeout_keep_alive=KEEP_ALIVE_SECONDS,
            timeout_graceful_shutdown=GRACE_SECONDS,
        )
    )
