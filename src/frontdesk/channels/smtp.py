"""Sends mail through the business's own mail server."""

from typing import Literal

from frontdesk.channels.ports import Message

Tls = Literal["starttls", "implicit", "none"]


class SmtpChannel:
    name = "smtp"

    def __init__(
        self,
        host: str,
        port: int,
        *,
        username: str = "",
        password: str = "",
        tls: Tls = "starttls",
        timeout: float = 20.0,
    ) -> None: ...

    def send(self, message: Message) -> None: ...

    def close(self) -> None: ...
