"""Slack: one channel that we write to, and the proof that a press of a button came from there.

Only Slack's own address is ever called. The addresses that Slack sends along are not used.
"""

from __future__ import annotations

import hmac
import http.client
import json
import re
import urllib.error
import urllib.request
from collections.abc import Mapping, Sequence
from dataclasses import field
from datetime import datetime, timedelta
from typing import Any, Final

from frontdesk.frozen import frozen

API: Final = "https://slack.com/api"
TIMEOUT_SECONDS: Final = 10.0
#: Who has pressed a button waits for us, and Slack gives us three seconds.
QUICK_SECONDS: Final = 1.5
MOST_BYTES: Final = 1_000_000
#: How far its clock may be off from ours, and how long a request may be on its way.
FRESH: Final = timedelta(minutes=5)

Block = Mapping[str, Any]

_GONE: Final = frozenset({"message_not_found", "cant_update_message", "edit_window_closed"})
_SIGNATURE: Final = re.compile(r"v0=[0-9a-f]{64}")
_SECONDS: Final = re.compile(r"\d{1,12}")


class SlackFailed(Exception):
    """Slack did not do it, or nobody can tell; the text says why, without our token."""


@frozen
class Post:
    """What stands in the channel. `text` is for notifications and screen readers."""

    text: str
    blocks: Sequence[Block]


@frozen
class Slack:
    token: str = field(repr=False)
    channel: str
    api: str = API

    def post(self, post: Post) -> str:
        """The name of the new message, by which it can be changed."""
        said = {"text": post.text, "blocks": list(post.blocks), "unfurl_links": False}
        answer = self._call("chat.postMessage", said)
        return str(answer["ts"])

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
        headers = {
            "Authorization": f"Bearer {self.token}",
            "Content-Type": "application/json; charset=utf-8",
        }
        url = f"{self.api}/{method}"
        request = urllib.request.Request(url, body, headers)  # noqa: S310 - from the settings
        answer = _answer(request, seconds)
        error = answer.get("error", "no answer that we understand")
        if answer.get("ok") is not True and error not in passing:
            raise SlackFailed(f"{method}: {error}")
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


def _answer(request: urllib.request.Request, seconds: float) -> Mapping[str, Any]:
    try:
        with _OPENER.open(request, timeout=seconds) as answer:
            data = answer.read(MOST_BYTES)
        found = json.loads(data)
    except urllib.error.HTTPError as error:
        error.close()
        raise SlackFailed(f"Slack answers with {error.code}") from None
    except (OSError, http.client.HTTPException, ValueError) as error:
        raise SlackFailed(f"Slack cannot be reached: {type(error).__name__}") from None
    return found if isinstance(found, dict) else {}


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """Our token goes nowhere else."""

    def redirect_request(self, *_: Any) -> None:
        return None


_OPENER: Final = urllib.request.build_opener(_NoRedirect)
