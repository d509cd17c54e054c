"""Slack: one channel that we write to, and the proof that a press of a button came from there.

Only Slack's own address is ever called. The addresses that Slack sends along are not used.
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
from frontdesk.engine.jobs import OutOfReach
from frontdesk.logs import log
from frontdesk.values import Frozen

API: Final = "https://slack.com/api"
TIMEOUT_SECONDS: Final = 10.0
#: Who has pressed a button waits for us, and Slack gives us three seconds.
QUICK_SECONDS: Final = 1.5
MOST_BYTES: Final = 1_000_000
#: How far its clock may be off from ours, and how long a request may be on its way.
FRESH: Final = timedelta(minutes=5)

Block = Mapping[str, Any]

_GONE: Final = frozenset({"message_not_found", "cant_update_message", "edit_window_closed"})
_MAY_NOT_READ: Final = frozenset({"missing_scope"})
#: What passes by itself.
_LATER: Final = frozenset(
    ("ratelimited", "internal_error", "fatal_error", "service_unavailable", "request_timeout")
)
#: Among so many of the latest messages we look for one of ours.
LOOK_BACK: Final = 100
_SIGNATURE: Final = re.compile(r"v0=[0-9a-f]{64}")
_SECONDS: Final = re.compile(r"\d{1,12}")


class SlackFailed(Exception):
    """Slack did not do it, or nobody can tell; the text says why, without our token."""


class SlackAway(SlackFailed, OutOfReach):
    """It may well do it later."""


class Post(Frozen):
    """The content of a message in the channel. Notifications and screen readers use `text`."""

    text: str
    blocks: Sequence[Block]


class Slack(Frozen):
    token: str
    channel: str
    event_type: str
    """Marks our messages, so that they are found again."""
    api: str = API

    def __repr__(self) -> str:
        return f"Slack(channel={self.channel!r}, api={self.api!r})"  # without the token

    def post(self, post: Post, key: str) -> str:
        """The name of the message, by which it can be changed. With the same key it is there
        once: an answer may have been lost."""
        if there := self.find(key):
            return there
        said = {
            "text": post.text,
            "blocks": list(post.blocks),
            "unfurl_links": False,
            "metadata": {"event_type": self.event_type, "event_payload": {"key": key}},
        }
        return str(self._call("chat.postMessage", said)["ts"])

    def find(self, key: str) -> str:
        """The name of the message with this key, if it is one of the latest. Nothing if there is
        none, or if we may not look."""
        asked = {"channel": self.channel, "limit": LOOK_BACK, "include_all_metadata": "true"}
        method = "conversations.history"
        url = f"{self.api}/{method}?{urllib.parse.urlencode(asked)}"
        answer = self._ask(method, url, passing=_MAY_NOT_READ)
        if answer["ok"] is not True:
            log("slack.may_not_look", why=answer["error"])
            return ""
        ours = (each for each in answer.get("messages", ()) if self._key_of(each) == key)
        return str(next((each["ts"] for each in ours), ""))

    def _key_of(self, message: Mapping[str, Any]) -> str:
        metadata = message.get("metadata") or {}
        payload = metadata.get("event_payload") or {}
        return str(payload.get("key", "")) if metadata.get("event_type") == self.event_type else ""

    def update(self, ts: str, post: Post) -> bool:
        """Whether the message is still there to be changed."""
        said = {"ts": ts, "text": post.text, "blocks": list(post.blocks)}
        return bool(self._call("chat.update", said, passing=_GONE)["ok"])

    def whisper(self, user: str, text: str) -> None:
        """To one person in the channel; nobody else sees it."""
        self._call("chat.postEphemeral", {"user": user, "text": text}, seconds=QUICK_SECONDS)

    def _call(
        self,
        method: str,
        said: Mapping[str, Any],
        *,
        passing: frozenset[str] = frozenset(),
        seconds: float = TIMEOUT_SECONDS,
    ) -> Mapping[str, Any]:
        body = json.dumps({"channel": self.channel, **said}).encode()
        return self._ask(method, f"{self.api}/{method}", body, passing=passing, seconds=seconds)

    def _ask(
        self,
        method: str,
        url: str,
        body: bytes | None = None,
        *,
        passing: frozenset[str],
        seconds: float = TIMEOUT_SECONDS,
    ) -> Mapping[str, Any]:
        headers = {"Authorization": f"Bearer {self.token}"}
        if body is not None:
            headers["Content-Type"] = "application/json; charset=utf-8"
        answer = _answer(url, headers, body, seconds)
        error = answer.get("error", "no answer that we understand")
        if answer.get("ok") is not True and error not in passing:
            raise (SlackAway if error in _LATER else SlackFailed)(f"{method}: {error}")
        return answer


def is_signed(headers: Mapping[str, str], body: bytes, secret: str, now: datetime) -> bool:
    """HMAC-SHA256 of `v0:<seconds>:<body>`, of no use later."""
    said = headers.get("x-slack-signature", "")
    seconds = headers.get("x-slack-request-timestamp", "")
    if not (secret and _SIGNATURE.fullmatch(said) and _SECONDS.fullmatch(seconds)):
        return False
    fresh = abs(now.timestamp() - int(seconds)) <= FRESH.total_seconds()
    return hmac.compare_digest(signature(seconds, body, secret), said) and fresh


def signature(seconds: str, body: bytes, secret: str) -> str:
    signed = b"v0:" + seconds.encode() + b":" + body
    return "v0=" + hmac.digest(secret.encode(), signed, "sha256").hex()


def escaped(text: str) -> str:
    """So that Slack reads it as text: nobody is called, and nothing is a link."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def _answer(
    url: str, headers: Mapping[str, str], body: bytes | None, seconds: float
) -> Mapping[str, Any]:
    try:
        answer = send(url, headers, body, seconds=seconds, max_bytes=MOST_BYTES)
        if not 200 <= answer.status < 300:
            kind = SlackAway if answer.status == 429 or answer.status >= 500 else SlackFailed
            raise kind(f"Slack answers with {answer.status}")
        found = json.loads(answer.body)
    except Unreachable as error:
        raise SlackAway(f"Slack cannot be reached: {error}") from None
    except (TooLarge, ValueError) as error:
        raise SlackAway(f"Slack cannot be understood: {type(error).__name__}") from None
    return found if isinstance(found, dict) else {}
