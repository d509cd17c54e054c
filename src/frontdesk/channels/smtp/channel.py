"""Sends mail through the business's own mail server and classifies failures."""

import re
import smtplib
import socket
import ssl
import threading
import time
from collections.abc import Callable
from typing import Final, Literal

from frontdesk.channels.mime import to_mime, wire_address
from frontdesk.connect.network_reasons import network_reason
from frontdesk.core.messages import Message, SendFailed, SendLater, SendRefused, SendUnknown

Tls = Literal["starttls", "implicit", "none"]

MAX_IDLE_SECONDS = 20.0
MAX_MAILS_PER_CONNECTION = 100


class SmtpChannel:
    """Reuses its connection. Sends one mail at a time, from any thread."""

    name: Final = "smtp"
    local: Final = False

    def __init__(
        self,
        host: str,
        port: int,
        *,
        username: str = "",
        password: str = "",
        tls: Tls = "starttls",
        timeout: float = 20.0,
        context: ssl.SSLContext | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._host = host
        self._port = port
        self._username = username
        self._password = password
        self._tls = tls
        self._timeout = timeout
        self._context = context or ssl.create_default_context()
        self._clock = clock
        self._turn = threading.Lock()
        self._open: smtplib.SMTP | None = None
        self._used_at = 0.0
        self._mails = 0

    def send(self, message: Message) -> None:
        """Returns once the server has accepted the mail; raises a `SendFailed` otherwise."""
        sender, recipient, mail = _on_the_wire(message)
        with self._turn:
            try:
                self._begin(sender, recipient)
                self._hand_over(mail)
            except SendFailed:
                self._drop()
                raise
            self._used_at = self._clock()
            self._mails += 1

    def close(self) -> None:
        with self._turn:
            self._drop()

    def _begin(self, sender: str, recipient: str) -> None:
        """Sends the commands up to DATA: nothing is sent yet.

        The server may have closed a reused connection, so a failure is retried on a new one.
        """
        if self._is_fresh():
            try:
                return self._envelope(sender, recipient)
            except SendLater:
                pass
        self._drop()
        self._connect()
        return self._envelope(sender, recipient)

    def _is_fresh(self) -> bool:
        return (
            self._open is not None
            and self._mails < MAX_MAILS_PER_CONNECTION
            and self._clock() - self._used_at < MAX_IDLE_SECONDS
        )

    def _connect(self) -> None:
        try:
            self._open = self._greet()
            if self._username:
                self._open.login(self._username, self._password)
        except smtplib.SMTPResponseException as error:
            reason = _reason("connecting", error.smtp_code, error.smtp_error)
            if error.smtp_code >= 500 and not isinstance(error, smtplib.SMTPConnectError):
                raise SendRefused(reason, permanent=False) from None
            raise SendLater(reason) from None
        except (smtplib.SMTPNotSupportedError, ssl.SSLCertVerificationError) as error:
            raise SendRefused(f"connecting: {network_reason(error)}", permanent=False) from None
        except UnicodeError:
            raise SendRefused("connecting: the password is not ASCII", permanent=False) from None
        except OSError as error:
            raise SendLater(f"connecting: {network_reason(error)}") from None
        self._mails = 0

    def _greet(self) -> smtplib.SMTP:
        """Opens a connection with the configured TLS, never without it."""
        if self._tls == "implicit":
            return smtplib.SMTP_SSL(
                self._host,
                self._port,
                local_hostname=_own_name(),
                timeout=self._timeout,
                context=self._context,
            )
        server = smtplib.SMTP(
            self._host, self._port, local_hostname=_own_name(), timeout=self._timeout
        )
        self._open = server  # so that it is closed if STARTTLS fails
        if self._tls == "starttls":
            server.starttls(context=self._context)
        return server

    def _envelope(self, sender: str, recipient: str) -> None:
        server = self._open
        assert server is not None
        try:
            server.ehlo_or_helo_if_needed()
            _check("sender", server.mail(sender))
            _check("recipient", server.rcpt(recipient))
            _check("data", server.docmd("DATA"), wanted=354)
        except smtplib.SMTPHeloError as error:
            raise SendLater(_reason("hello", error.smtp_code, error.smtp_error)) from None
        except OSError as error:
            raise SendLater(f"before the mail: {network_reason(error)}") from None

    def _hand_over(self, mail: bytes) -> None:
        """Sends the mail. Before the final dot nothing is sent; after it, only the reply says
        whether it was."""
        server = self._open
        assert server is not None
        assert mail.endswith(b"\r\n")
        try:
            server.send(_LEADING_DOT.sub(b"..", mail))
        except OSError as error:
            raise SendLater(f"within the mail: {network_reason(error)}") from None
        try:
            server.send(b".\r\n")
            answer = server.getreply()
        except OSError as error:
            raise SendUnknown(f"after the mail: {network_reason(error)}") from None
        if not 400 <= answer[0] < 600 and answer[0] != 250:
            raise SendUnknown(_reason("after the mail", *answer))
        _check("mail", answer)

    def _drop(self) -> None:
        if self._open is not None:
            self._open.close()
            self._open = None


_LEADING_DOT = re.compile(rb"^\.", re.MULTILINE)


def _on_the_wire(message: Message) -> tuple[str, str, bytes]:
    try:
        recipient = wire_address(message.to_email)
    except ValueError as error:
        raise SendRefused(str(error), about_recipient=True) from None
    try:
        return wire_address(message.from_email), recipient, to_mime(message)
    except ValueError as error:
        raise SendRefused(str(error)) from None


def _check(stage: str, answer: tuple[int, bytes], *, wanted: int = 250) -> None:
    code, text = answer
    if code == wanted or (wanted == 250 and code == 251):
        return
    reason = _reason(stage, code, text)
    if not 500 <= code < 600:
        raise SendLater(reason)
    if code == 530:  # the server requires authentication
        raise SendRefused(reason, permanent=False)
    raise SendRefused(reason, about_recipient=_is_about_recipient(stage, text))


def _is_about_recipient(stage: str, text: bytes) -> bool:
    """Uses the enhanced status if there is one: 5.1 and 5.2 are about a mailbox, 5.7 about us."""
    status = re.match(rb"5\.(\d{1,3})\.", text)
    if status is None:
        return stage == "recipient"
    return status[1] in (b"1", b"2") and stage != "sender"


def _reason(stage: str, code: int, text: bytes | str) -> str:
    """Returns one line for staff and logs, without addresses."""
    words = text.decode("ascii", "replace") if isinstance(text, bytes) else text
    line = " ".join("".join(c if c.isprintable() else " " for c in words).split())
    return f"{stage}: {code} {_ADDRESS.sub('…', line)}"[:200]


_ADDRESS = re.compile(r"\S{1,64}@\S{1,254}")


def _own_name() -> str:
    """Returns our host name without a DNS lookup, which can take seconds."""
    name = socket.gethostname()
    return name if "." in name and name.isascii() else "[127.0.0.1]"
