"""Mail as SES hands it over: a raw mail with its headers on top, and its reports on ours."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any, Final

from frontdesk.connect.bounces import UNWANTED, Returned
from frontdesk.connect.envelope import Envelope
from frontdesk.connect.mail_headers import addresses
from frontdesk.connect.mime_parts import BadMail, Part, read_part

#: What SES says of a mail, and how we call it.
_VERDICTS: Final = (("x-ses-virus-verdict", "a virus"), ("x-ses-spam-verdict", "spam"))
_FOR: Final = re.compile(r"\bfor\s+<?([^\s<>;]{3,320})>?\s*;", re.IGNORECASE)
_PEER: Final = re.compile(r"client-ip=([0-9A-Fa-f.:]{2,45})")
_MOST_RECIPIENTS: Final = 20
_MAX_WHY: Final = 200
_TAG: Final = "send"


def envelope(raw: bytes, mail_domain: str, our_address: str) -> Envelope | None:
    """From the topmost headers, which are SES's own; nothing if it is not addressed to us.

    SES names one recipient at most. The others are those of ours among To and Cc.
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


def _recipients(mail: Part) -> Iterable[str]:
    found = _FOR.search(mail.first("received"))
    if found:
        yield found[1]
    for header in ("to", "cc"):
        for value in mail.all(header)[:10]:
            for address in addresses(value):
                yield address.email


def _sender(mail: Part) -> str:
    return mail.first("return-path").strip().strip("<>").strip()[:320]


def _unwanted(mail: Part) -> str:
    for header, name in _VERDICTS:
        if mail.first(header).strip().upper() == "FAIL":
            return name
    return ""


def returned(report: Mapping[str, Any]) -> Returned | None:
    """A mail of ours that came back for good, or was not wanted; nothing for all other reports."""
    why = _why(report)
    message_id = _message_id(report.get("mail", {}))
    return Returned(message_id, why[:_MAX_WHY]) if why and message_id else None


def _why(report: Mapping[str, Any]) -> str:
    match report.get("eventType") or report.get("notificationType"):
        case "Bounce" if report["bounce"].get("bounceType") == "Permanent":
            said: Mapping[str, str] = next(iter(report["bounce"].get("bouncedRecipients", ())), {})
            kind = report["bounce"].get("bounceSubType", "")
            return said.get("diagnosticCode") or f"mail came back ({kind})"
        case "Complaint":
            return UNWANTED
        case _:
            return ""


def _message_id(mail: Mapping[str, Any]) -> str:
    """SES gives mails ids of its own: ours is in the tag, or among the headers as we sent them."""
    if tagged := mail.get("tags", {}).get(_TAG):
        return f"<{tagged[0]}@>"
    for header in mail.get("headers", ()):
        if header.get("name", "").lower() == "message-id":
            value: str = header.get("value", "")
            return value
    return ""
