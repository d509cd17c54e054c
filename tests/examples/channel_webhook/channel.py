"""Sends mail as JSON to a web address and classifies failures."""

from __future__ import annotations

import json
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from typing import Final
from urllib.parse import urlsplit

from frontdesk.core.messages import Message, SendFailed, SendLater, SendRefused, SendUnknown

TIMEOUT_SECONDS: Final = 10.0
#: 404 and 410 mean that nobody has the address of the recipient.
_NO_SUCH_RECIPIENT: Final = frozenset({404, 410})


class WebhookChannel:
    name: Final = "webhook"
    local: Final = False

    def __init__(self, url: str) -> None:
        self._address = urlsplit(url)

    def send(self, message: Message) -> None:
        """Returns once the server has accepted the mail; raises a `SendFailed` otherwise."""
        connection = self._connect()
        try:
            status = self._post(connection, message)
        except (OSError, HTTPException) as error:
            raise SendUnknown(f"webhook: no answer ({type(error).__name__})") from None
        finally:
            connection.close()
        if failed := _failed(status):
            raise failed

    def _connect(self) -> HTTPConnection:
        """A failure here is definite, because nothing has been sent yet."""
        kind = HTTPSConnection if self._address.scheme == "https" else HTTPConnection
        connection = kind(self._address.netloc, timeout=TIMEOUT_SECONDS)
        try:
            connection.connect()
        except OSError as error:
            raise SendLater(f"webhook: cannot connect ({type(error).__name__})") from None
        return connection

    def _post(self, connection: HTTPConnection, message: Message) -> int:
        mail = {
            "id": message.message_id,
            "to": message.to_email,
            "subject": message.subject,
            "text": message.text,
        }
        headers = {"Content-Type": "application/json", "Idempotency-Key": message.message_id}
        target = self._address._replace(scheme="", netloc="").geturl() or "/"
        connection.request("POST", target, json.dumps(mail), headers)
        return connection.getresponse().status


def _failed(status: int) -> SendFailed | None:
    reason = f"webhook: answers with {status}"
    if 200 <= status < 300:
        return None
    if status == 429 or status >= 500:
        return SendLater(reason)
    return SendRefused(reason, about_recipient=status in _NO_SUCH_RECIPIENT)
