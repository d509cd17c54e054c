"""Builds a message for tests to change."""

from datetime import UTC, datetime
from typing import Any

from frontdesk.core.messages import Message


def a_message(**changes: Any) -> Message:
    fields: dict[str, Any] = {
        "message_id": "<send-1@desk.example>",
        "to_email": "ann@example.org",
        "from_email": "party@desk.example",
        "subject": "Your seat",
        "text": "You have a seat.\n",
        "date": datetime(2026, 3, 2, 9, 0, 5, tzinfo=UTC),
    }
    return Message(**(fields | changes))
