"""Writes calendar files (RFC 5545) for invitations, updates and cancellations (RFC 5546)."""

import re
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from functools import lru_cache
from typing import Final
from urllib.parse import quote
from zoneinfo import ZoneInfo

from frontdesk.core.localtime import next_clock_change, to_instant, to_wall, zone
from frontdesk.values import Frozen, replace

_DAY: Final = timedelta(days=1)
_LONG_AGO: Final = datetime(1970, 1, 1, tzinfo=UTC)
_WEEKDAYS: Final = ("MO", "TU", "WE", "TH", "FR", "SA", "SU")
#: A yearly rule is used if it holds in the year before and in some years after.
_YEARS_AHEAD: Final = 5


class ClockChange(Frozen):
    """A change of the zone's offset from UTC at this instant."""

    at: datetime
    old_offset: timedelta
    offset: timedelta
    name: str
    is_summer: bool

    @property
    def wall(self) -> datetime:
        """Returns the wall time by the old offset."""
        return self.at.replace(tzinfo=None) + self.old_offset


def vtimezone(tz: ZoneInfo, starts_at: datetime, ends_at: datetime) -> tuple[str, ...]:
    """Returns the lines of a VTIMEZONE that is correct for every instant of the span."""
    observances = _yearly(tz, starts_at.year - 1) or _one_by_one(tz, starts_at, ends_at)
    return ("BEGIN:VTIMEZONE", f"TZID:{tz.key}", *observances, "END:VTIMEZONE")


def basic_form(wall: datetime) -> str:
    """'20261120T180000'. It does not use strftime, which does not pad the year on all systems."""
    return (
        f"{wall.year:04}{wall.month:02}{wall.day:02}T{wall.hour:02}{wall.minute:02}{wall.second:02}"
    )


@lru_cache(maxsize=64)  # it is the same for all events that start in a year
def _yearly(tz: ZoneInfo, first_year: int) -> tuple[str, ...]:
    """Returns two observances with yearly rules, or nothing if the zone does not follow such."""
    years = [
        list(_changes(tz, datetime(year, 1, 1, tzinfo=UTC), datetime(year + 1, 1, 1, tzinfo=UTC)))
        for year in range(first_year, first_year + 2 + _YEARS_AHEAD)
    ]
    if any(len(changes) != 2 for changes in years):
        return ()
    lines: list[str] = []
    for changes in zip(*years, strict=True):
        rule = _rule(changes)
        if rule is None:
            return ()
        lines += _observance(changes[0], rule)
    return tuple(lines)


def _rule(changes: Sequence[ClockChange]) -> str | None:
    """Returns the yearly rule that all of these changes follow, or None."""
    alike = {
        (c.wall.month, c.wall.weekday(), c.wall.time(), c.old_offset, c.offset, c.name)
        for c in changes
    }
    if len(alike) != 1:
        return None
    wall = changes[0].wall
    weeks = {(c.wall.day - 1) // 7 + 1 for c in changes}
    if all((c.wall + 7 * _DAY).month != wall.month for c in changes):
        week = -1
    elif len(weeks) == 1:
        (week,) = weeks
    else:
        return None
    return f"FREQ=YEARLY;BYMONTH={wall.month};BYDAY={week}{_WEEKDAYS[wall.weekday()]}"


def _one_by_one(tz: ZoneInfo, starts_at: datetime, ends_at: datetime) -> Iterator[str]:
    """Yields each change around the span; before them the state, if no change precedes the span."""
    since = starts_at - 400 * _DAY
    changes = list(_changes(tz, since, ends_at + 400 * _DAY))
    if not changes or changes[0].at > starts_at:
        yield from _observance(_state(tz, since))
    for change in changes:
        yield from _observance(change)


def _changes(tz: ZoneInfo, after: datetime, until: datetime) -> Iterator[ClockChange]:
    while change_at := next_clock_change(after, until, tz, step=7 * _DAY):
        yield _change(tz, change_at)
        after = change_at


def _change(tz: ZoneInfo, at: datetime) -> ClockChange:
    """Calls it summer when clocks go forward, also in zones where the law defines winter time."""
    before, after = (at - timedelta(seconds=1)).astimezone(tz), at.astimezone(tz)
    old_offset, offset = before.utcoffset(), after.utcoffset()
    assert old_offset is not None
    assert offset is not None
    return ClockChange(
        at=at.astimezone(UTC),
        old_offset=old_offset,
        offset=offset,
        name=after.tzname() or "",
        is_summer=offset > old_offset and bool(before.dst()) != bool(after.dst()),
    )


def _state(tz: ZoneInfo, at: datetime) -> ClockChange:
    local = at.astimezone(tz)
    offset, dst = local.utcoffset(), local.dst()
    assert offset is not None
    return ClockChange(
        at=_LONG_AGO - offset,
        old_offset=offset,
        offset=offset,
        name=local.tzname() or "",
        is_summer=dst is not None and dst > timedelta(),
    )


def _observance(change: ClockChange, rule: str | None = None) -> Iterator[str]:
    kind = "DAYLIGHT" if change.is_summer else "STANDARD"
    yield f"BEGIN:{kind}"
    yield f"DTSTART:{basic_form(change.wall)}"
    yield f"TZOFFSETFROM:{_offset(change.old_offset)}"
    yield f"TZOFFSETTO:{_offset(change.offset)}"
    yield f"TZNAME:{change.name}"
    if rule:
        yield f"RRULE:{rule}"
    yield f"END:{kind}"


def _offset(offset: timedelta) -> str:
    seconds = abs(int(offset.total_seconds()))
    sign = "-" if offset < timedelta() else "+"
    digits = f"{sign}{seconds // 3600:02}{seconds // 60 % 60:02}"
    return f"{digits}{seconds % 60:02}" if seconds % 60 else digits


_MOST_OCTETS: Final = 75
#: Times of these zones are written with a Z: some servers add it to a time with a TZID.
_UTC: Final = ("UTC", "Etc/UTC")


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
    described, _ = zoned_span(invitation.tz_name, invitation.starts_at, invitation.ends_at)
    return b"".join(
        (
            _head(invitation.method, described),
            b"BEGIN:VEVENT\r\n",
            fold(f"UID:{escape_text(invitation.uid)}"),
            f"SEQUENCE:{invitation.sequence}\r\n".encode(),
            _stamp(invitation.stamped_at),
            _date(_of_anybody(invitation)),
            b"" if invitation.method is Method.PUBLISH else fold(_attendee(invitation)),
            _CALLED_OFF if invitation.method is Method.CANCEL else _CONFIRMED,
            b"END:VEVENT\r\nEND:VCALENDAR\r\n",
        )
    )


_CONFIRMED: Final = b"STATUS:CONFIRMED\r\nTRANSP:OPAQUE\r\n"
_CALLED_OFF: Final = b"STATUS:CANCELLED\r\nTRANSP:TRANSPARENT\r\n"


@lru_cache(maxsize=64)  # many are written in the same second
def _stamp(at: datetime) -> bytes:
    return fold(f"DTSTAMP:{utc_form(at)}")


def _of_anybody(invitation: Invitation) -> Invitation:
    """Clears what differs between guests: all guests of an event share the cached parts."""
    return replace(
        invitation,
        uid="",
        sequence=0,
        method=Method.PUBLISH,
        attendee_name="",
        attendee_email="",
        stamped_at=invitation.starts_at,
    )


@lru_cache(maxsize=64)  # it is the same for all guests of an event
def _head(method: Method, described: Sequence[str]) -> bytes:
    lines = (
        "BEGIN:VCALENDAR",
        "VERSION:2.0",
        "PRODID:-//Frontdesk//Frontdesk//EN",
        "CALSCALE:GREGORIAN",
        f"METHOD:{method.value}",
        *described,
    )
    return b"".join([fold(line) for line in lines])


@lru_cache(maxsize=64)  # it is the same for all guests of an event
def zoned_span(
    tz_name: str, starts_at: datetime, ends_at: datetime
) -> tuple[Sequence[str], Sequence[str]]:
    """Returns the lines that describe the zone, and what follows DTSTART and DTEND."""
    tz, span = zone(tz_name), (starts_at, ends_at)
    if tz.key in _UTC or any(_is_second_of_two(at, tz) for at in span):
        return (), tuple(f":{utc_form(at)}" for at in span)
    return vtimezone(tz, *span), tuple(f";TZID={tz.key}:{_wall(at, tz)}" for at in span)


@lru_cache(maxsize=64)  # it is the same for all guests of an event
def _date(invitation: Invitation) -> bytes:
    """The lines from the start to the organizer."""
    return b"".join([fold(line) for line in _date_lines(invitation)])


def _date_lines(invitation: Invitation) -> Iterator[str]:
    _, span = zoned_span(invitation.tz_name, invitation.starts_at, invitation.ends_at)
    yield f"DTSTART{span[0]}"
    yield f"DTEND{span[1]}"
    yield f"SUMMARY:{escape_text(invitation.summary)}"
    if invitation.location:
        yield f"LOCATION:{escape_text(invitation.location)}"
    if invitation.description:
        yield f"DESCRIPTION:{escape_text(invitation.description)}"
    if invitation.url:
        yield f"URL:{quote(invitation.url, safe=_SAFE_IN_URL, errors='ignore')}"
    yield f"ORGANIZER;CN={_quoted(invitation.organizer_name)}:{_mailto(invitation.organizer_email)}"


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


def utc_form(at: datetime) -> str:
    return f"{basic_form(at.astimezone(UTC))}Z"


_LINE_BREAK: Final = re.compile(r"\r\n|[\n\r\v\f\x85\u2028\u2029]")
_CONTROL: Final = re.compile(r"[\x00-\x08\x0e-\x1f\x7f-\x9f\ud800-\udfff]")
_SAFE_IN_URL: Final = "%:/?#[]@!$&'()*+,;=~"
_SAFE_IN_EMAIL: Final = "@!$&'*+/=?^_`{|}~"


def escape_text(text: str) -> str:
    """Escapes line breaks and separators, so that the text stays one value."""
    escaped = text.replace("\\", "\\\\").replace(";", "\\;").replace(",", "\\,")
    return _CONTROL.sub("", _LINE_BREAK.sub(r"\\n", escaped))


def _quoted(text: str) -> str:
    """Quotes a parameter. Its value cannot contain a double quote or a line break."""
    return f'"{_CONTROL.sub("", _LINE_BREAK.sub(" ", text)).replace(chr(34), chr(39))}"'


def _mailto(email: str) -> str:
    return f"mailto:{quote(email, safe=_SAFE_IN_EMAIL, errors='ignore')}"


def fold(line: str) -> bytes:
    """Folds a line at 75 octets, between characters."""
    whole = line.encode()
    if len(whole) <= _MOST_OCTETS:
        return whole + b"\r\n"
    parts, room = [], _MOST_OCTETS
    while len(whole) > room:
        end = room
        while whole[end] & 0xC0 == 0x80:  # inside a character
            end -= 1
        parts.append(whole[:end])
        whole, room = whole[end:], _MOST_OCTETS - 1
    return b"\r\n ".join([*parts, whole]) + b"\r\n"
