"""Reads bounces (RFC 3464) and spam complaints (RFC 5965) about our mails."""

from __future__ import annotations

import re
from typing import Final

from frontdesk.connect.mail_headers import message_ids
from frontdesk.connect.mime_parts import BadMail, MimePart, read_part, text_of, walk
from frontdesk.values import Frozen

_MAX_WHY: Final = 200
UNWANTED: Final = "was reported as unwanted"


class BouncedMail(Frozen):
    """One of our mails that bounced or was reported as spam, by its Message-ID, and the reason."""

    message_id: str
    why: str


def read_bounce(raw: bytes) -> BouncedMail | None:
    """Parses a final bounce or a complaint; None for a delay or for any other mail."""
    try:
        report = read_part(raw)
    except BadMail:
        return None
    if report.kind != "multipart/report":
        return None
    parts = walk(report)[1:]
    why = _failure(_first(parts, "message/delivery-status")) or _complaint(
        _first(parts, "message/feedback-report")
    )
    if not why:
        return None
    for part in parts:
        if part.kind in ("message/rfc822", "text/rfc822-headers", "message/rfc822-headers"):
            found = message_ids(_field(text_of(part), "message-id"), at_most=1)
            if found:
                return BouncedMail(found[0], why)
    return None


def _field(text: str, name: str) -> str:
    found = re.search(rf"(?im)^{name}:[ \t]*([^\r\n]{{0,1000}})", text)
    return found[1].strip() if found else ""


def _first(parts: list[MimePart], kind: str) -> str:
    return next((text_of(part) for part in parts if part.kind == kind), "")


def _complaint(feedback: str) -> str:
    return UNWANTED if _field(feedback, "feedback-type").lower() == "abuse" else ""


def _failure(status: str) -> str:
    """Returns the reason of a permanent failure; empty for a delay."""
    if _field(status, "action").lower() != "failed" or not _field(status, "status").startswith("5"):
        return ""
    diagnostic = _field(status, "diagnostic-code").partition(";")[2].strip()
    return (diagnostic or f"mail came back ({_field(status, 'status')})")[:_MAX_WHY]
