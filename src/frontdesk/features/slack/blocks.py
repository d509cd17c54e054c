"""Builds blocks of Slack messages. Text of strangers is shown as plain text."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from frontdesk.channels.slack.client import Block, Post

#: The most characters that we put in a field.
MAX_CHARACTERS: Final = 300


def news(sentence: str, label: str, url: str) -> Post:
    """A sentence in Slack's markup, with a link."""
    linked = f"{sentence}\n<{url}|{label}>"
    return Post(sentence, [{"type": "section", "text": {"type": "mrkdwn", "text": linked}}])


def forgotten() -> Post:
    """The text that replaces a message about an erased person."""
    text = "This was about somebody who has asked to be forgotten."
    return Post(text, [small(text)])


def button(label: str, action: str, **more: Any) -> Block:
    return {"type": "button", "text": plain(label), "action_id": action, **more}


def small(text: str) -> Block:
    return {"type": "context", "elements": [plain(text)]}


def plain(text: str) -> Mapping[str, Any]:
    return {"type": "plain_text", "text": text, "emoji": False}


def short(text: str) -> str:
    return text if len(text) <= MAX_CHARACTERS else text[: MAX_CHARACTERS - 1] + "…"
