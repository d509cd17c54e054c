"""The HTTP server: our own socket, with limits on connections, sizes and durations."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import socket
from collections import Counter
from collections.abc import Iterator
from typing import Final
from weakref import WeakKeyDictionary

from starlette.types import ASGIApp
from uvicorn import Config, Server
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.server import ServerState

from frontdesk.errors import BadSettings
from frontdesk.settings import Settings
from frontdesk.web.limits import network

#: Open pages with live counts also hold a connection.
MOST_CONNECTIONS: Final = 2_000
#: The limit for one address (a /64 of IPv6), which a whole venue may share.
MOST_OF_ONE_ADDRESS: Final = MOST_CONNECTIONS // 4
#: Each connection is an open file, and the process has other files open.
OPEN_FILES: Final = 2 * MOST_CONNECTIONS
BACKLOG: Final = 1_024
KEEP_ALIVE_SECONDS: Final = 15
#: The time for open requests when the process stops.
GRACE_SECONDS: Final = 2
MOST_HEAD_BYTES: Final = 32_768
#: The limit for headers after a body, which we do not read, and for the framing of its chunks.
MOST_BARE_BYTES: Final = 32_768
#: The most pipelined requests of one connection. Browsers do not pipeline.
MOST_WAITING: Final = 16
HEAD_SECONDS: Final = 15.0
#: The least bytes of a body in each interval. The slowest phones are faster.
BODY_BYTES: Final = 8_192
BODY_SECONDS: Final = 15.0
#: The client must fetch some of the response in each interval.
FETCH_SECONDS: Final = 30.0


def allow_open_files() -> None:
    """Raises the limit of open files for the connections, if allowed; the usual limit is 1,024."""
    with contextlib.suppress(ImportError, ValueError, OSError):
        import resource

        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        most = OPEN_FILES if hard == resource.RLIM_INFINITY else min(OPEN_FILES, hard)
        if soft != resource.RLIM_INFINITY and soft < most:
            resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))


def listen(settings: Settings) -> socket.socket:
    """Binds before anything else starts, so that the address is known."""
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    where = f"{settings.host}:{settings.port}"
    try:
        listener.bind((settings.host, settings.port))
        listener.listen(BACKLOG)
    except OSError as error:
        listener.close()
        raise BadSettings(f"Cannot listen at {where}: {_reason(error)}") from error
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
    """Returns the URL of the server on this machine."""
    host, port = listener.getsockname()[:2]
    reachable = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)  # noqa: S104
    return f"http://[{reachable}]:{port}" if ":" in reachable else f"http://{reachable}:{port}"


#: Open connections by address, for each server of this process.
_open: Final[WeakKeyDictionary[ServerState, Counter[str]]] = WeakKeyDictionary()
_THIS_MACHINE: Final = frozenset({"127.0.0.1", network("::1")})
_TOO_MANY: Final = (
    b"HTTP/1.1 503 Service Unavailable\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"
)


class JoinedWrites(asyncio.Transport):
    """Writes the head of a response together with its body: uvicorn writes each by itself, and each
    would be a system call and a packet.
    """

    def __init__(self, transport: asyncio.Transport, loop: asyncio.AbstractEventLoop) -> None:
        self._transport = transport
        self._loop = loop
        self._held = b""

    def write(self, data: bytes | bytearray | memoryview) -> None:
        """Holds a part until the next one, at most until the next turn of the event loop."""
        if self._held:
            held, self._held = self._held, b""
            self._transport.write(held + data)
        elif data:
            self._held = bytes(data)
            self._loop.call_soon(self._flush)

    def _flush(self) -> None:
        if self._held:
            held, self._held = self._held, b""
            self._transport.write(held)

    def is_closing(self) -> bool:
        return self._transport.is_closing()

    def close(self) -> None:
        self._flush()
        self._transport.close()


class BoundedConnection(HttpToolsProtocol):
    """One connection. Requests have a size and time limit; responses must be fetched.

    While no request is being handled a timer runs, so that nobody holds an idle connection.
    """

    _address = ""
    _head_bytes = 0
    _newest_bytes = 0
    _body_bytes = 0
    _bare_bytes = 0
    _in_head = True
    _in_body = False
    _give_up: asyncio.TimerHandle | None = None
    _unread: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._writes = JoinedWrites(transport, self.loop)
        self._address = network(self.client[0]) if self.client else ""
        if not self._is_counted():
            self._address = ""
        elif self._addresses()[self._address] >= MOST_OF_ONE_ADDRESS:
            self._address = ""
            transport.write(_TOO_MANY)
            transport.close()
            return
        else:
            self._addresses()[self._address] += 1
        self._expect_head()

    def _is_counted(self) -> bool:
        """Behind a proxy all connections come from this machine: the proxy limits them."""
        return not (self.config.proxy_headers and self._address in _THIS_MACHINE)

    def _addresses(self) -> Counter[str]:
        return _open.setdefault(self.server_state, Counter())

    def connection_lost(self, exc: Exception | None) -> None:
        self._leave_address()
        self._stop_waiting()
        self._answer_is_fetched()
        super().connection_lost(exc)

    def _leave_address(self) -> None:
        if self._address:
            self._addresses()[self._address] -= 1
            if not self._addresses()[self._address]:
                del self._addresses()[self._address]
            self._address = ""

    def data_received(self, data: bytes) -> None:
        self._newest_bytes = len(data)
        if self._in_head:
            self._head_bytes += len(data)
        elif self._in_body:
            self._bare_bytes += len(data)
        super().data_received(data)
        if self._is_endless():
            self.transport.close()
        elif self._give_up is None and not self.transport.is_closing():
            self._wait_for_the_rest()

    def _is_endless(self) -> bool:
        """Whether too much came that is neither a complete head nor a part of a body."""
        if self._in_head:
            return self._head_bytes > MOST_HEAD_BYTES
        return self._in_body and self._bare_bytes > MOST_BARE_BYTES

    def _wait_for_the_rest(self) -> None:
        """Sets no timer for a request that has arrived completely, as nearly all do."""
        if self._in_head:
            self._give_up = self.loop.call_later(HEAD_SECONDS, self.transport.close)
        elif self._in_body:
            self._expect_body()
        elif self.cycle.response_complete and self.timeout_keep_alive_task is None:
            self._expect_head()

    def on_message_begin(self) -> None:
        self._stop_waiting()
        self._in_head, self._head_bytes = True, 0
        super().on_message_begin()  # type: ignore[no-untyped-call, unused-ignore]

    def on_headers_complete(self) -> None:
        self._stop_waiting()
        if self._is_head_too_large():
            raise ValueError("the head is too large")  # the parser answers 400
        if len(self.pipeline) >= MOST_WAITING:
            raise ValueError("too many requests wait")
        self._in_head, self._in_body, self._bare_bytes = False, True, 0
        super().on_headers_complete()  # type: ignore[no-untyped-call, unused-ignore]
        if self.cycle is not None:  # a request for another protocol has none
            self.cycle.transport = self._writes

    def _is_head_too_large(self) -> bool:
        """Adds up the headers only if they may be too large: one read may also have a body."""
        if max(self._head_bytes, self._newest_bytes) <= MOST_HEAD_BYTES:
            return False
        headers = sum(len(name) + len(value) + 4 for name, value in self.headers)  # ": ", "\r\n"
        return len(self.url) + headers > MOST_HEAD_BYTES

    def on_body(self, body: bytes) -> None:
        self._body_bytes += len(body)
        self._bare_bytes = 0
        super().on_body(body)

    def on_message_complete(self) -> None:
        self._stop_waiting()
        self._in_body = False
        super().on_message_complete()  # type: ignore[no-untyped-call, unused-ignore]

    def on_response_complete(self) -> None:
        super().on_response_complete()  # type: ignore[no-untyped-call, unused-ignore]
        if self._in_body and self.cycle.response_complete:  # the rest of the body is useless
            self._stop_waiting()
            self._give_up = self.loop.call_later(BODY_SECONDS, self.transport.close)
        if self.transport.get_write_buffer_size():
            self._expect_reading()

    def pause_writing(self) -> None:
        super().pause_writing()
        self._expect_reading()

    def resume_writing(self) -> None:
        self._answer_is_fetched()
        super().resume_writing()

    # --- timers ---

    def _expect_head(self) -> None:
        self._stop_waiting()
        self._in_head, self._head_bytes = True, 0
        self._give_up = self.loop.call_later(HEAD_SECONDS, self.transport.close)

    def _expect_body(self) -> None:
        self._body_bytes = 0
        self._give_up = self.loop.call_later(BODY_SECONDS, self._look_at_body)

    def _look_at_body(self) -> None:
        """Closes the connection if too little came, unless we have paused reading."""
        if self._body_bytes < BODY_BYTES and not self.flow.read_paused:
            self.transport.close()
        else:
            self._expect_body()

    def _stop_waiting(self) -> None:
        if self._give_up is not None:
            self._give_up.cancel()
            self._give_up = None

    def _expect_reading(self) -> None:
        self._answer_is_fetched()
        left = self.transport.get_write_buffer_size()
        self._unread = self.loop.call_later(FETCH_SECONDS, self._look_at_answer, left)

    def _look_at_answer(self, before: int) -> None:
        left = self.transport.get_write_buffer_size()
        if left >= before:
            self.transport.abort()
        elif left:
            self._expect_reading()

    def _answer_is_fetched(self) -> None:
        if self._unread is not None:
            self._unread.cancel()
            self._unread = None


class QuietServer(Server):
    """Leaves signals alone: the caller handles them and also stops the rest of the process."""

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


def http_server(app: ASGIApp, settings: Settings) -> QuietServer:
    return QuietServer(
        Config(
            app,
            loop="none",
            http=BoundedConnection,
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
