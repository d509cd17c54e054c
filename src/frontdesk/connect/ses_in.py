"""Parses mail from SES, and its reports about our mails."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any, Final

from frontdesk.connect.bounces import UNWANTED, BouncedMail
from frontdesk.connect.mail_headers import Envelope, addresses
from frontdesk.connect.mime_parts import BadMail, MimePart, read_part

#: Headers with a verdict of SES, and our name for it.
_VERDICTS: Final = (("x-ses-virus-verdict", "a virus"), ("x-ses-spam-verdict", "spam"))
_FOR: Final = re.compile(r"\bfor\s+<?([^\s<>;]{3,320})>?\s*;", re.IGNORECASE)
_PEER: Final = re.compile(r"client-ip=([0-9A-Fa-f.:]{2,45})")
_MOST_RECIPIENTS: Final = 20
_MAX_WHY: Final = 200
_TAG: Final = "send"


def envelope(raw: bytes, mail_domain: str, our_address: str) -> Envelope | None:
    """Reads the topmost headers, which SES wrote; None if the mail is not addressed to us.

    SES names at most one recipient. The others are our addresses in To and Cc.
    """
    try:
        mail = read_part(raw)
    except BadMail:
        return None
    ours = [
        address
        for address in dict.fromkeys(each.lower() for each in _recipients(mail))
        if address == our_address.lower() or address.endswith(f"@{mail_domain}")
    ]
    if not ours:
        return None
    peer = _PEER.search(mail.first("received-spf"))
    return Envelope(
        _sender(mail),
        tuple(ours[:_MOST_RECIPIENTS]),
        raw,
        peer[1] if peer else "",
        unwanted=_unwanted(mail),
    )


def _recipients(mail: MimePart) -> Iterable[str]:
    found = _FOR.search(mail.first("received"))
    if found:
        yield found[1]
    for header in ("to", "cc"):
        for value in mail.all(header)[:10]:
            for address in addresses(value):
                yield address.email


def _sender(mail: MimePart) -> str:
    return mail.first("return-path").strip().strip("<>").strip()[:320]


def _unwanted(mail: MimePart) -> str:
    for header, name in _VERDICTS:
        if mail.first(header).strip().upper() == "FAIL":
            return name
    return ""


def read_report(report: Mapping[str, Any]) -> BouncedMail | None:
    """Parses a final bounce or a complaint about our mail; None for all other reports."""
    why = _why(report)
    message_id = _message_id(report.get("mail", {}))
    return BouncedMail(message_id, why[:_MAX_WHY]) if why and message_id else None


def _why(report: Mapping[str, Any]) -> str:
    match report.get("eventType") or report.get("notificationType"):
        case "Bounce" if report["bounce"].get("bounceType") == "Permanent":
            recipient: Mapping[str, str] = next(
                iter(report["bounce"].get("bouncedRecipients", ())), {}
            )
            kind = report["bounce"].get("bounceSubType", "")
            return recipient.get("diagnosticCode") or f"mail came back ({kind})"
        case "Complaint":
            return UNWANTED
        case _:
            return ""


def _message_id(mail: Mapping[str, Any]) -> str:
    """Returns our Message-ID, from the tag or the original headers: SES assigns its own ids."""
    if tagged := mail.get("tags", {}).get(_TAG):
        return f"<{tagged[0]}@>"
    for header in mail.get("headers", ()):
        if header.get("name", "").lower() == "message-id":
            value: str = header.get("value", "")
            return value
    return ""
