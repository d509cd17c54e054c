"""Writes a message as mail."""

from frontdesk.channels.ports import Message

LOOP_HEADER = "X-Frontdesk"


def to_mime(message: Message) -> bytes:
    """The mail as it goes over the wire. ValueError if an address would break a header."""
    raise ValueError(message.message_id)
