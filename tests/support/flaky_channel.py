"""A channel whose deliveries fail on demand."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from frontdesk.core.messages import Message, SendFailed, Text


@dataclass
class FlakyChannel:
    """Accepts mails or texts, and fails on demand."""

    local: bool = False
    name: str = "post"
    failures: list[SendFailed | BaseException] = field(default_factory=list)
    delivered: list[Message | Text] = field(default_factory=list)
    lose_answers: bool = False
    """Delivers the message and then fails."""

    def send(self, message: Message | Text) -> str | None:
        failure = self.failures.pop(0) if self.failures else None
        if failure is None or self.lose_answers:
            self.delivered.append(message)
        if failure is not None:
            raise failure
        return None

    def times(self) -> Counter[str]:
        return Counter(message.message_id for message in self.delivered)
