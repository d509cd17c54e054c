"""Receives mail by SMTP for known recipients, and confirms it only once it is stored.

It runs in the event loop that starts it, without a thread. It adds the limits that aiosmtpd lacks:
connections, mails of one peer, bytes on the wire, and line ends that could hide a second mail.
"""

import asyncio
import inspect
import logging
import re
import time
from collections import deque
from collections.abc import Awaitable, Callable
from typing import Any

from aiosmtpd.smtp import SMTP, Session
from aiosmtpd.smtp import Envelope as Received

from frontdesk.connect.mail_headers import Envelope

log = logging.getLogger(__name__)

MAX_RECIPIENTS = 20
MAX_COMMANDS = 200
#: A mail of the maximum size has half as many lines, unless it is hostile.
MAX_LINES = 60_000
MAX_PEERS = 10_000
STOP_SECONDS = 5.0


Deliver = Callable[[Envelope], Awaitable[None] | None]


class SmtpListener:
    """A mail server for our own addresses; it relays nothing.

    `deliver` may be called again for a stored mail: a sender that did not get our confirmation
    sends it again. A plain function must be quick, because the event loop waits for it.
    """

    def __init__(
        self,
        host: str,
        port: int,
        *,
        accepts: Callable[[str], bool],
        deliver: Deliver,
        hostname: str = "frontdesk.invalid",
        max_bytes: int = 2_000_000,
        max_connections: int = 50,
        max_mails_per_peer_per_minute: int = 60,
        idle_seconds: float = 60.0,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.host = host
        self.port = port
        """The port. If it is 0, `start` sets it to the port that the system chose."""
        self._hostname = hostname
        self._max_bytes = max_bytes
        self._max_connections = max_connections
        self._idle_seconds = idle_seconds
        self._handler = _Handler(accepts, deliver, _PeerLimit(max_mails_per_peer_per_minute, clock))
        self._connections: set[_Connection] = set()
        self._server: asyncio.Server | None = None

    async def start(self) -> None:
        # aiosmtpd logs addresses; our logs must not have them.
        logging.getLogger("mail.log").setLevel(logging.ERROR)
        loop = asyncio.get_running_loop()
        self._server = await loop.create_server(self._connection, self.host, self.port)
        self.port = self._server.sockets[0].getsockname()[1]

    async def stop(self) -> None:
        """Takes no more mail, and lets deliveries in progress finish."""
        if self._server is None:
            return
        self._server.close()
        if self._handler.deliveries:
            await asyncio.wait(self._handler.deliveries, timeout=STOP_SECONDS)
        await asyncio.sleep(0)  # lets the responses out
        for connection in tuple(self._connections):
            connection.hang_up()
        await self._server.wait_closed()
        self._server = None

    def _connection(self) -> asyncio.BaseProtocol:
        if len(self._connections) >= self._max_connections:
            return _Busy()
        return _Connection(
            self._handler,
            self._connections,
            max_bytes=self._max_bytes,
            hostname=self._hostname,
            timeout=self._idle_seconds,
        )


class _Busy(asyncio.Protocol):
    def connection_made(self, transport: Any) -> None:
        transport.write(b"421 4.3.2 Too many connections, please come back later\r\n")
        transport.close()


class _Connection(SMTP):
    """One connection. The time-out applies to a command, and to a mail as a whole."""

    def __init__(
        self,
        handler: "_Handler",
        connections: "set[_Connection]",
        *,
        max_bytes: int,
        hostname: str,
        timeout: float,
    ) -> None:
        self._connections = connections
        self._max_wire_bytes = 2 * max_bytes + 100_000
        self._wire_bytes = self._wire_lines = 0
        super().__init__(
            handler,
            data_size_limit=max_bytes,
            enable_SMTPUTF8=True,
            hostname=hostname,
            ident="ready",
            timeout=timeout,
            auth_exclude_mechanism=("LOGIN", "PLAIN"),
            command_call_limit={"*": MAX_COMMANDS, "NOOP": 20, "RSET": 60, "VRFY": 5},
            loop=asyncio.get_running_loop(),
        )

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._connections.add(self)
        super().connection_made(transport)

    def connection_lost(self, error: Exception | None) -> None:
        self._connections.discard(self)
        super().connection_lost(error)

    def data_received(self, data: bytes) -> None:
        """Closes the connection at the limit, since aiosmtpd would read on."""
        self._wire_bytes += len(data)
        self._wire_lines += data.count(b"\n")
        if self._wire_bytes > self._max_wire_bytes:
            self.hang_up()
        elif self._wire_lines > MAX_LINES:
            self._writer.write(b"552 5.3.4 Too many lines\r\n")
            self.hang_up()
        else:
            super().data_received(data)

    def _create_envelope(self) -> Received:
        self._wire_bytes = self._wire_lines = 0
        return super()._create_envelope()

    def hang_up(self) -> None:
        if self.transport is not None:
            self.transport.close()


class _Handler:
    """Callbacks of aiosmtpd: accept or reject a sender, a recipient and a mail."""

    def __init__(
        self, accepts: Callable[[str], bool], deliver: Deliver, limit: "_PeerLimit"
    ) -> None:
        self._accepts = accepts
        self._deliver = deliver
        self._limit = limit
        self.deliveries: set[asyncio.Task[None]] = set()

    async def handle_MAIL(  # noqa: N802 - aiosmtpd's name
        self, _server: Any, session: Session, envelope: Received, address: str, options: list[str]
    ) -> str:
        if not _is_text(address):
            return "553 5.1.7 This address cannot be read"
        if not self._limit.allows(_peer(session)):
            return "450 4.7.1 Too many mails, please come back later"
        envelope.mail_from = address
        envelope.mail_options.extend(options)
        return "250 OK"

    async def handle_RCPT(  # noqa: N802
        self, _server: Any, _session: Session, envelope: Received, address: str, options: list[str]
    ) -> str:
        if len(envelope.rcpt_tos) >= MAX_RECIPIENTS:
            return "452 4.5.3 Too many recipients"
        if not _is_text(address) or not self._accepts(address):
            return "550 5.1.1 No such recipient here"
        envelope.rcpt_tos.append(address)
        envelope.rcpt_options.extend(options)
        return "250 OK"

    async def handle_DATA(  # noqa: N802
        self, _server: Any, session: Session, envelope: Received
    ) -> str:
        raw = envelope.original_content or b""
        if _BARE_LINE_END.search(raw):
            return "550 5.6.0 Lines must end in CR LF"
        mail_from = (envelope.mail_from or "").strip("<>")
        mail = Envelope(mail_from, tuple(envelope.rcpt_tos), raw, _peer(session))
        try:
            await self._keep(mail)
        except Exception:
            log.exception("a mail could not be stored; its sender will try again")
            return "451 4.3.0 Not stored, please try again"
        return "250 2.0.0 Stored"

    async def _keep(self, mail: Envelope) -> None:
        """Stores in a task of its own, which goes on if the sender disconnects."""
        task = asyncio.ensure_future(self._delivered(mail))
        self.deliveries.add(task)
        task.add_done_callback(self.deliveries.discard)
        await asyncio.shield(task)

    async def _delivered(self, mail: Envelope) -> None:
        result = self._deliver(mail)
        if inspect.isawaitable(result):
            await result

    async def handle_exception(self, error: Exception) -> str:
        log.error("mail conversation failed: %s", type(error).__name__)
        return "451 4.3.0 That did not work, please try again"


#: A CR or LF alone: another server may see the end of the mail there, and a second one after it.
_BARE_LINE_END = re.compile(rb"\r(?!\n)|(?<!\r)\n")


def _is_text(address: str) -> bool:
    return address.isprintable()


def _peer(session: Session) -> str:
    peer: Any = session.peer
    return str(peer[0]) if peer else ""


class _PeerLimit:
    """Limits the mails of one peer in a minute."""

    def __init__(self, most: int, clock: Callable[[], float]) -> None:
        self._most = most
        self._clock = clock
        self._begun: dict[str, deque[float]] = {}

    def allows(self, peer: str) -> bool:
        now = self._clock()
        if len(self._begun) >= MAX_PEERS:
            self._begun = {key: at for key, at in self._begun.items() if now - at[-1] < 60}
        begun = self._begun.setdefault(peer, deque(maxlen=self._most))
        if len(begun) == self._most and now - begun[0] < 60:
            return False
        begun.append(now)
        return True
