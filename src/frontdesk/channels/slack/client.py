"""Posts to one Slack channel, and checks the signature of requests from Slack.

It calls only the configured API address, never an address from a request.
"""

from __future__ import annotations

import hmac
import json
import re
import urllib.parse
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, Final

from frontdesk.connect.http_client import TooLarge, Unreachable, send
from frontdesk.engine.jobs import SystemUnavailable
from frontdesk.logs import log
from frontdesk.values import Frozen

API: Final = "https://slack.com/api"
TIMEOUT_SECONDS: Final = 10.0
#: For answers to a button press, which Slack expects within three seconds.
QUICK_SECONDS: Final = 1.5
MOST_BYTES: Final = 1_000_000
#: The most difference between the time in a request and our clock.
FRESH: Final = timedelta(minutes=5)

Block = Mapping[str, Any]

_GONE: Final = frozenset({"message_not_found", "cant_update_message", "edit_window_closed"})
_MAY_NOT_READ: Final = frozenset({"missing_scope"})
#: Temporary errors; worth a retry.
_LATER: Final = frozenset(
    ("ratelimited", "internal_error", "fatal_error", "service_unavailable", "request_timeout")
)
#: How many of the latest messages `find` searches.
LOOK_BACK: Final = 100
_SIGNATURE: Final = re.compile(r"v0=[0-9a-f]{64}")
_SECONDS: Final = re.compile(r"\d{1,12}")


class SlackFailed(Exception):
    """The call failed, or its outcome is unknown. The text says why, without our token."""


class SlackUnavailable(SlackFailed, SystemUnavailable):
    """A temporary failure; a retry may help."""


class Post(Frozen):
    """The content of a message in the channel. Notifications and screen readers use `text`."""

    text: str
    blocks: Sequence[Block]


class Slack(Frozen):
    token: str
    channel: str
    event_type: str
    """Marks our messages, so that `find` recognises them."""
    api: str = API

    def __repr__(self) -> str:
        return f"Slack(channel={self.channel!r}, api={self.api!r})"  # without the token

    def post(self, post: Post, key: str) -> str:
        """Posts a message and returns its `ts`, which `update` needs. Posts once for each key: a
        response may have been lost."""
        if there := self.find(key):
            return there
        content = {
            "text": post.text,
            "blocks": list(post.blocks),
            "unfurl_links": False,
            "metadata": {"event_type": self.event_type, "event_payload": {"key": key}},
        }
        return str(self._call("chat.postMessage", content)["ts"])

    def find(self, key: str) -> str:
        """Returns the `ts` of the message with this key, if it is one of the latest. Empty if there
        is none, or if our token may not read the channel."""
        query = {"channel": self.channel, "limit": LOOK_BACK, "include_all_metadata": "true"}
        method = "conversations.history"
        url = f"{self.api}/{method}?{urllib.parse.urlencode(query)}"
        answer = self._ask(method, url, allowed_errors=_MAY_NOT_READ)
        if answer["ok"] is not True:
            log("slack.may_not_read", why=answer["error"])
            return ""
        ours = (each for each in answer.get("messages", ()) if self._key_of(each) == key)
        return str(next((each["ts"] for each in ours), ""))

    def _key_of(self, message: Mapping[str, Any]) -> str:
        metadata = message.get("metadata") or {}
        payload = metadata.get("event_payload") or {}
        return str(payload.get("key", "")) if metadata.get("event_type") == self.event_type else ""

    def update(self, ts: str, post: Post) -> bool:
        """Changes a message. Returns False if Slack cannot change it any more."""
        content = {"ts": ts, "text": post.text, "blocks": list(post.blocks)}
        return bool(self._call("chat.update", content, allowed_errors=_GONE)["ok"])

    def post_privately(self, user: str, text: str) -> None:
        """Posts a message that only one person in the channel sees."""
        self._call("chat.postEphemeral", {"user": user, "text": text}, seconds=QUICK_SECONDS)

    def _call(
        self,
        method: str,
        content: Mapping[str, Any],
        *,
        allowed_errors: frozenset[str] = frozenset(),
        seconds: float = TIMEOUT_SECONDS,
    ) -> Mapping[str, Any]:
        body = json.dumps({"channel": self.channel, **content}).encode()
        return self._ask(
            method, f"{self.api}/{method}", body, allowed_errors=allowed_errors, seconds=seconds
        )

    def _ask(
        self,
        method: str,
        url: str,
        body: bytes | None = None,
        *,
        allowed_errors: frozenset[str],
        seconds: float = TIMEOUT_SECONDS,
    ) -> Mapping[str, Any]:
        headers = {"Authorization": f"Bearer {self.token}"}
        if body is not None:
            headers["Content-Type"] = "application/json; charset=utf-8"
        answer = _answer(url, headers, body, seconds)
        error = answer.get("error", "an answer that we cannot read")
        if answer.get("ok") is not True and error not in allowed_errors:
            raise (SlackUnavailable if error in _LATER else SlackFailed)(f"{method}: {error}")
        return answer


def is_signed(headers: Mapping[str, str], body: bytes, secret: str, now: datetime) -> bool:
    """Whether the request has a valid HMAC-SHA256 of `v0:<seconds>:<body>` and is fresh."""
    claimed = headers.get("x-slack-signature", "")
    seconds = headers.get("x-slack-request-timestamp", "")
    if not (secret and _SIGNATURE.fullmatch(claimed) and _SECONDS.fullmatch(seconds)):
        return False
    fresh = abs(now.timestamp() - int(seconds)) <= FRESH.total_seconds()
    return hmac.compare_digest(signature(seconds, body, secret), claimed) and fresh


def signature(seconds: str, body: bytes, secret: str) -> str:
    signed = b"v0:" + seconds.encode() + b":" + body
    return "v0=" + hmac.digest(secret.encode(), signed, "sha256").hex()


def escaped(text: str) -> str:
    """Escapes text for Slack, so that it cannot contain mentions or links."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def _answer(
    url: str, headers: Mapping[str, str], body: bytes | None, seconds: float
) -> Mapping[str, Any]:
    try:
        answer = send(url, headers, body, seconds=seconds, max_bytes=MOST_BYTES)
        if not 200 <= answer.status < 300:
            kind = SlackUnavailable if answer.status == 429 or answer.status >= 500 else SlackFailed
            raise kind(f"Slack answers with {answer.status}")
        found = json.loads(answer.body)
    except Unreachable as error:
        raise SlackUnavailable(f"Slack cannot be reached: {error}") from None
    except (TooLarge, ValueError):
        raise SlackUnavailable("Slack sent an answer that we cannot read") from None
    return found if isinstance(found, dict) else {}
