"""A mail server for tests: accepts every mail on loopback and stores it in a list."""

import asyncio
import email
import email.policy
import ssl
import threading
from email.message import EmailMessage
from typing import Any, Self

from aiosmtpd.smtp import SMTP, AuthResult

from frontdesk.values import Frozen


class SunkMail(Frozen):
    mail_from: str
    rcpt_to: tuple[str, ...]
    raw: bytes

    @property
    def message(self) -> EmailMessage:
        return email.message_from_bytes(self.raw, policy=email.policy.default)


class SmtpSink:
    """Use `with SmtpSink() as sink:` to listen on `sink.host` and `sink.port`; `sink.received` has
    the mails.

    `answers` are given to recipients instead of accepting a mail: {"bob@example.org": "550 no"}.
    """

    host = "127.0.0.1"

    def __init__(
        self,
        *,
        port: int = 0,
        answers: dict[str, str] | None = None,
        login: tuple[str, str] | None = None,
        starttls: ssl.SSLContext | None = None,
        implicit_tls: ssl.SSLContext | None = None,
    ) -> None:
        self.received: list[SunkMail] = []
        self.connections = 0
        self.port = port
        self._answers = answers or {}
        self._login = login
        self._starttls = starttls
        self._implicit_tls = implicit_tls
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        asyncio.run_coroutine_threadsafe(self._listen(), self._loop).result(timeout=10)
        return self

    def __exit__(self, *_: object) -> None:
        asyncio.run_coroutine_threadsafe(self._close(), self._loop).result(timeout=10)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(timeout=10)
        self._loop.close()

    async def handle_RCPT(  # noqa: N802 - aiosmtpd's name
        self, _server: Any, _session: Any, envelope: Any, address: str, _options: list[str]
    ) -> str:
        if address in self._answers:
            return self._answers[address]
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, _server: Any, _session: Any, envelope: Any) -> str:  # noqa: N802
        self.received.append(
            SunkMail(envelope.mail_from, tuple(envelope.rcpt_tos), envelope.original_content)
        )
        return "250 OK"

    async def _listen(self) -> None:
        self._server = await self._loop.create_server(
            self._protocol, self.host, self.port, ssl=self._implicit_tls
        )
        self.port = self._server.sockets[0].getsockname()[1]

    def _protocol(self) -> SMTP:
        self.connections += 1
        return SMTP(
            self,
            hostname="sink.invalid",
            enable_SMTPUTF8=True,
            loop=self._loop,
            tls_context=self._starttls,
            authenticator=self._authenticate if self._login else None,
            auth_required=self._login is not None,
            auth_require_tls=False,
        )

    def _authenticate(
        self, _server: Any, _session: Any, _envelope: Any, _how: str, given: Any
    ) -> Any:
        right = self._login is not None and (given.login, given.password) == tuple(
            part.encode() for part in self._login
        )
        return AuthResult(success=right, handled=False)

    async def _close(self) -> None:
        self._server.close()
        others = asyncio.all_tasks() - {asyncio.current_task()}
        for task in others:
            task.cancel()
        await asyncio.gather(*others, return_exceptions=True)
