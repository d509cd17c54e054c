"""Writes calendar files (RFC 5545) for invitations, updates and cancellations (RFC 5546)."""

import re
from collections.abc import Iterator
from datetime import UTC, datetime
from enum import StrEnum
from typing import Final
from urllib.parse import quote
from zoneinfo import ZoneInfo

from frontdesk.core.localtime import to_instant, to_wall, zone
from frontdesk.core.vtimezone import basic_form, vtimezone
from frontdesk.values import Frozen

_MOST_OCTETS: Final = 75


class Method(StrEnum):
    REQUEST = "REQUEST"
    CANCEL = "CANCEL"
    PUBLISH = "PUBLISH"


class Invitation(Frozen, kw_only=True):
    """One person's copy of one date. People share calendars: `url` is the public page or None,
    and no text contains a personal link."""

    uid: str
    sequence: int
    method: Method
    summary: str
    starts_at: datetime
    ends_at: datetime
    tz_name: str
    location: str
    description: str
    organizer_name: str
    organizer_email: str
    attendee_name: str
    attendee_email: str
    stamped_at: datetime
    url: str | None = None


def mime_type(method: Method) -> str:
    """Returns the content type. It names the method, as mail programs look there first."""
    return f"text/calendar; charset=utf-8; method={method.value}"


def write(invitation: Invitation) -> bytes:
    """Returns the file in UTF-8, with folded lines and CRLF."""
    return b"".join(_fold(line) for line in _calendar(invitation))


def _calendar(invitation: Invitation) -> Iterator[str]:
    yield "BEGIN:VCALENDAR"
    yield "VERSION:2.0"
    yield "PRODID:-//Frontdesk//Frontdesk//EN"
    yield "CALSCALE:GREGORIAN"
    yield f"METHOD:{invitation.method.value}"
    tz = zone(invitation.tz_name)
    span = (invitation.starts_at, invitation.ends_at)
    if any(_is_second_of_two(at, tz) for at in span):
        yield from _event(invitation, [f":{_utc(at)}" for at in span])
    else:
        yield from vtimezone(tz, *span)
        yield from _event(invitation, [f";TZID={tz.key}:{_wall(at, tz)}" for at in span])
    yield "END:VCALENDAR"


def _event(invitation: Invitation, span: list[str]) -> Iterator[str]:
    called_off = invitation.method is Method.CANCEL
    yield "BEGIN:VEVENT"
    yield f"UID:{_text(invitation.uid)}"
    yield f"SEQUENCE:{invitation.sequence}"
    yield f"DTSTAMP:{_utc(invitation.stamped_at)}"
    yield f"DTSTART{span[0]}"
    yield f"DTEND{span[1]}"
    yield f"SUMMARY:{_text(invitation.summary)}"
    if invitation.location:
        yield f"LOCATION:{_text(invitation.location)}"
    if invitation.description:
        yield f"DESCRIPTION:{_text(invitation.description)}"
    if invitation.url:
        yield f"URL:{quote(invitation.url, safe=_SAFE_IN_URL, errors='ignore')}"
    yield f"ORGANIZER;CN={_quoted(invitation.organizer_name)}:{_mailto(invitation.organizer_email)}"
    if invitation.method is not Method.PUBLISH:
        yield _attendee(invitation)
    yield f"STATUS:{'CANCELLED' if called_off else 'CONFIRMED'}"
    yield f"TRANSP:{'TRANSPARENT' if called_off else 'OPAQUE'}"
    yield "END:VEVENT"


def _attendee(invitation: Invitation) -> str:
    """Marks the attendee as accepted, so that the calendar does not ask again."""
    return (
        f"ATTENDEE;CN={_quoted(invitation.attendee_name)};CUTYPE=INDIVIDUAL;ROLE=REQ-PARTICIPANT"
        f";PARTSTAT=ACCEPTED;RSVP=FALSE:{_mailto(invitation.attendee_email)}"
    )


def _is_second_of_two(at: datetime, tz: ZoneInfo) -> bool:
    """Whether this is the second of two equal local times. Calendars would read it as the first."""
    return to_instant(to_wall(at, tz), tz) != at


def _wall(at: datetime, tz: ZoneInfo) -> str:
    return basic_form(to_wall(at, tz))


def _utc(at: datetime) -> str:
    return f"{basic_form(at.astimezone(UTC))}Z"


_LINE_BREAK: Final = re.compile(r"\r\n|[\n\r\v\f\x85\u2028\u2029]")
_CONTROL: Final = re.compile(r"[\x00-\x08\x0e-\x1f\x7f-\x9f\ud800-\udfff]")
_SAFE_IN_URL: Final = "%:/?#[]@!$&'()*+,;=~"
_SAFE_IN_EMAIL: Final = "@!$&'*+/=?^_`{|}~"


def _text(text: str) -> str:
    """Escapes line breaks and separators, so that the text stays one value."""
    escaped = text.replace("\\", "\\\\").replace(";", "\\;").replace(",", "\\,")
    return _CONTROL.sub("", _LINE_BREAK.sub(r"\\n", escaped))


def _quoted(text: str) -> str:
    """Quotes a parameter. Its value cannot contain a double quote or a line break."""
    return f'"{_CONTROL.sub("", _LINE_BREAK.sub(" ", text)).replace(chr(34), chr(39))}"'


def _mailto(email: str) -> str:
    return f"mailto:{quote(email, safe=_SAFE_IN_EMAIL, errors='ignore')}"


def _fold(line: str) -> bytes:
    """Folds a line at 75 octets, between characters."""
    whole = line.encode()
    if len(whole) <= _MOST_OCTETS:
        return whole + b"\r\n"
    folded, room = bytearray(), _MOST_OCTETS
    for character in line:
        octets = character.encode()
        if len(octets) > room:
            folded += b"\r\n "
            room = _MOST_OCTETS - 1
        folded += octets
        room -= len(octets)
    return bytes(folded) + b"\r\n"
