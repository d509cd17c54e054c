"""Takes mail in by SMTP for known recipients, and says yes only once it is kept."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Envelope:
    """One mail as it came in. An empty `mail_from` is a bounce."""

    mail_from: str
    rcpt_to: tuple[str, ...]
    raw: bytes
    peer: str


class SmtpListener:
    """Runs in the event loop that starts it; `deliver` may be a coroutine function or not."""

    def __init__(
        self,
        host: str,
        port: int,
        *,
        accepts: Callable[[str], bool],
        deliver: Callable[[Envelope], Awaitable[None] | None],
        max_bytes: int = 2_000_000,
        max_connections: int = 50,
        max_mails_per_peer_per_minute: int = 60,
        idle_seconds: float = 60.0,
    ) -> None:
        self.host = host
        self.port = port

    async def start(self) -> None: ...

    async def stop(self) -> None: ...
