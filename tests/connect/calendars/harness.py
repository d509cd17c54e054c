"""Calendars of every kind with their servers, as the contract test uses them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Protocol
from zoneinfo import ZoneInfo

from frontdesk.connect.calendars.caldav import CalDavCalendar
from frontdesk.connect.calendars.client import Account
from frontdesk.connect.calendars.feed import IcsAddress
from frontdesk.connect.calendars.google import GoogleCalendar, GoogleFreeBusy
from frontdesk.connect.calendars.microsoft import MicrosoftCalendar, MicrosoftFreeBusy
from frontdesk.connect.calendars.port import AllDayEvents, BusySource, CalendarPort
from tests.support.calendars import (
    FeedServer,
    Radicale,
    calendar,
    event,
    feed_server,
    radicale_server,
)
from tests.support.google_calendar import CALENDAR, GoogleCalendarServer
from tests.support.graph_calendar import ACCOUNT, USER, GraphServer
from tests.support.vendor_server import HTML, Reply, VendorServer, serve

HERE = ZoneInfo("Europe/Berlin")
MIA = Account("mia", "secret")


class Server(Protocol):
    """The server of a calendar, with the actions of staff."""

    def reader(self, all_day: AllDayEvents = AllDayEvents.AS_MARKED) -> BusySource: ...

    def add(
        self,
        name: str,
        starts_at: datetime,
        ends_at: datetime,
        *,
        free: bool = False,
        weeks: int = 1,
    ) -> None: ...

    def add_days(self, name: str, first: str, last: str, *, free: bool = False) -> None: ...

    def break_reading(self, how: str) -> None: ...


class WritableServer(Server, Protocol):
    def calendar(self) -> CalendarPort: ...

    def move(self, event_id: str, starts_at: datetime, ends_at: datetime) -> None: ...

    def delete(self, event_id: str) -> None: ...

    def copy(self, event_id: str) -> None: ...

    def texts(self, event_id: str) -> tuple[str, str, str]:
        """Returns the title, the description and the place, as people see them."""

    def fail_next_write(self, how: str) -> None:
        """Makes the next write fail: 'lost' after it was done, 'unknown', 'refused' or 'down'."""

    def count(self) -> int:
        """Returns the number of events that people see."""


# --- CalDAV and .ics --------------------------------------------------------------------------


def _stamp(at: datetime) -> str:
    return f"{at.astimezone(UTC):%Y%m%dT%H%M%SZ}"


def _lines(
    name: str, starts_at: datetime, ends_at: datetime, *, free: bool = False, weeks: int = 1
) -> str:
    more = [f"DTEND:{_stamp(ends_at)}", f"TRANSP:{'TRANSPARENT' if free else 'OPAQUE'}"]
    more += [f"RRULE:FREQ=WEEKLY;COUNT={weeks}"] if weeks > 1 else []
    return event(name, "Dentist", _stamp(starts_at), "DTSTAMP:20260101T000000Z", *more)


def _days(name: str, first: str, last: str, *, free: bool = False) -> str:
    end = f"DTEND;VALUE=DATE:{last.replace('-', '')}"
    marked = f"TRANSP:{'TRANSPARENT' if free else 'OPAQUE'}"
    start = f"DTSTART;VALUE=DATE:{first.replace('-', '')}"
    return event(name, "Off", start, "DTSTAMP:20260101T000000Z", end, marked)


class RadicaleServer:
    def __init__(self, server: Radicale) -> None:
        self.server = server
        self.names: set[str] = set()

    def reader(self, all_day: AllDayEvents = AllDayEvents.AS_MARKED) -> CalDavCalendar:
        return CalDavCalendar(self.server.url, MIA, here=HERE, all_day=all_day)

    def calendar(self) -> CalDavCalendar:
        return self.reader()

    def add(self, name: str, starts_at: datetime, ends_at: datetime, **how: Any) -> None:
        self.server.put(name, calendar(_lines(name, starts_at, ends_at, **how)))
        self.names.add(f"{name}.ics")

    def add_days(self, name: str, first: str, last: str, *, free: bool = False) -> None:
        self.server.put(name, calendar(_days(name, first, last, free=free)))

    def break_reading(self, how: str) -> None:
        self.server.instead["REPORT"] = 503 if how == "busy" else 404

    def move(self, event_id: str, starts_at: datetime, ends_at: datetime) -> None:
        text = self.server.text(event_id.removesuffix(".ics"))
        head, begin, rest = text.partition("BEGIN:VEVENT\r\n")
        lines = [line for line in rest.splitlines() if not line.startswith(("DTSTART", "DTEND"))]
        span = [f"DTSTART:{_stamp(starts_at)}", f"DTEND:{_stamp(ends_at)}"]
        moved = head + begin + "\r\n".join([*span, *lines, ""])
        self.server.put(event_id.removesuffix(".ics"), moved)

    def delete(self, event_id: str) -> None:
        self.server.delete(event_id.removesuffix(".ics"))

    def copy(self, event_id: str) -> None:
        text = self.server.text(event_id.removesuffix(".ics"))
        lines = ["UID:copy" if line[:4] == "UID:" else line for line in text.splitlines()]
        self.server.put("copy", "\r\n".join([*lines, ""]))

    def texts(self, event_id: str) -> tuple[str, str, str]:
        text = self.server.text(event_id.removesuffix(".ics")).replace("\r\n ", "")
        found = dict(line.split(":", 1) for line in text.splitlines() if ":" in line)
        names = ("SUMMARY", "DESCRIPTION", "LOCATION")
        title, description, location = (found.get(name, "") for name in names)
        return title, description, location.replace("\\,", ",")

    def fail_next_write(self, how: str) -> None:
        for method in ("PUT", "DELETE"):
            match how:
                case "lost":
                    self.server.after[method] = 500
                case "unknown":
                    self.server.instead[method] = 502
                case "refused":
                    self.server.instead[method] = 403
                case _:
                    self.server.instead[method] = 503

    def count(self) -> int:
        body = self.server.http.request(
            "PROPFIND", self.server.url + "/", headers={"Depth": "1", **_AUTH}
        ).data.decode()
        return body.count(".ics</href>")


_AUTH = MIA.headers


class IcsServer:
    def __init__(self, server: FeedServer) -> None:
        self.server = server
        self.events: dict[str, str] = {}

    def reader(self, all_day: AllDayEvents = AllDayEvents.AS_MARKED) -> IcsAddress:
        return IcsAddress(self.server.url, here=HERE, all_day=all_day)

    def add(self, name: str, starts_at: datetime, ends_at: datetime, **how: Any) -> None:
        self.events[name] = _lines(name, starts_at, ends_at, **how)
        self.server.text = calendar(*self.events.values())

    def add_days(self, name: str, first: str, last: str, *, free: bool = False) -> None:
        self.events[name] = _days(name, first, last, free=free)
        self.server.text = calendar(*self.events.values())

    def break_reading(self, how: str) -> None:
        if how == "page":
            self.server.body = HTML.encode()
        else:
            self.server.status = 503 if how == "busy" else 404


# --- Google -----------------------------------------------------------------------------------


class _Vendor:
    server: VendorServer

    def break_reading(self, how: str) -> None:
        match how:
            case "busy":
                reply = Reply(429, {"error": {"code": "tooManyRequests"}}, {"Retry-After": "9"})
            case "page":
                reply = Reply(200, HTML)
            case _:
                reply = Reply(404, {"error": {"code": 404}})
        self.server.fail(reply, "GET", "POST")

    def fail_next_write(self, how: str) -> None:
        writes = ("POST", "PATCH", "DELETE")
        match how:
            case "lost":
                self.server.lose(*writes)
            case "unknown":
                self.server.fail(Reply(502, HTML), *writes)
            case "refused":
                self.server.fail(Reply(403, {"error": {"code": "ErrorAccessDenied"}}), *writes)
            case _:
                self.server.fail(Reply(429, HTML, {"Retry-After": "120"}), *writes)


class GoogleServer(_Vendor):
    def __init__(self, server: GoogleCalendarServer) -> None:
        self.server: GoogleCalendarServer = server

    def reader(self, all_day: AllDayEvents = AllDayEvents.AS_MARKED) -> GoogleCalendar:
        account, url = self.server.account, self.server.address
        return GoogleCalendar(account, CALENDAR, here=HERE, all_day=all_day, url=url)

    def calendar(self) -> GoogleCalendar:
        return self.reader()

    def free_busy(self) -> GoogleFreeBusy:
        return GoogleFreeBusy(self.server.account, CALENDAR, url=self.server.address)

    def add(
        self,
        name: str,
        starts_at: datetime,
        ends_at: datetime,
        *,
        free: bool = False,
        weeks: int = 1,
    ) -> None:
        shown = "transparent" if free else "opaque"
        if weeks == 1:
            self.server.add(name, **_google_span(starts_at, ends_at), transparency=shown)
            return
        for week in range(weeks):  # expands repeats as Google does
            later = timedelta(weeks=week)
            span = _google_span(starts_at + later, ends_at + later)
            one = f"{name}_{_stamp(starts_at + later)}"
            self.server.add(one, **span, transparency=shown, recurringEventId=name)

    def add_days(self, name: str, first: str, last: str, *, free: bool = False) -> None:
        shown = "transparent" if free else "opaque"
        span = {"start": {"date": first}, "end": {"date": last}}
        self.server.add(name, **span, transparency=shown)

    def move(self, event_id: str, starts_at: datetime, ends_at: datetime) -> None:
        self.server.change(event_id, **_google_span(starts_at, ends_at))

    def delete(self, event_id: str) -> None:
        self.server.change(event_id, status="cancelled")

    def copy(self, event_id: str) -> None:
        self.server.add("copy", **{**self.server.events[event_id], "id": "copy"})

    def texts(self, event_id: str) -> tuple[str, str, str]:
        found = self.server.events[event_id]
        return found["summary"], found["description"], found["location"]

    def count(self) -> int:
        return sum(each["status"] != "cancelled" for each in self.server.events.values())


def _google_span(starts_at: datetime, ends_at: datetime) -> dict[str, Any]:
    pair = zip(("start", "end"), (starts_at, ends_at), strict=True)
    return {name: {"dateTime": at.astimezone(HERE).isoformat()} for name, at in pair}


# --- Microsoft --------------------------------------------------------------------------------


class MicrosoftServer(_Vendor):
    def __init__(self, server: GraphServer) -> None:
        self.server: GraphServer = server

    def reader(self, all_day: AllDayEvents = AllDayEvents.AS_MARKED) -> MicrosoftCalendar:
        url, login = self.server.url, self.server.address
        return MicrosoftCalendar(ACCOUNT, USER, here=HERE, all_day=all_day, url=url, login=login)

    def calendar(self) -> MicrosoftCalendar:
        return self.reader()

    def free_busy(self) -> MicrosoftFreeBusy:
        return MicrosoftFreeBusy(ACCOUNT, USER, url=self.server.url, login=self.server.address)

    def add(
        self,
        name: str,
        starts_at: datetime,
        ends_at: datetime,
        *,
        free: bool = False,
        weeks: int = 1,
    ) -> None:
        for week in range(weeks):  # expands repeats as the calendar view does
            span = _graph_span(*(at + timedelta(weeks=week) for at in (starts_at, ends_at)))
            kind = "singleInstance" if weeks == 1 else "occurrence"
            self.server.add(**span, subject=name, showAs="free" if free else "busy", type=kind)

    def add_days(self, name: str, first: str, last: str, *, free: bool = False) -> None:
        pair = zip(("start", "end"), (first, last), strict=True)
        span = {
            each: {"dateTime": f"{day}T00:00:00.0000000", "timeZone": "UTC"} for each, day in pair
        }
        self.server.add(**span, subject=name, isAllDay=True, showAs="free" if free else "oof")

    def move(self, event_id: str, starts_at: datetime, ends_at: datetime) -> None:
        self.server.change(event_id, **_graph_span(starts_at, ends_at))

    def delete(self, event_id: str) -> None:
        del self.server.events[event_id]

    def copy(self, event_id: str) -> None:
        found = self.server.events[event_id]
        names = ("start", "end", "subject", "singleValueExtendedProperties")
        self.server.add(**{name: found[name] for name in names})

    def texts(self, event_id: str) -> tuple[str, str, str]:
        found = self.server.events[event_id]
        return found["subject"], found["body"]["content"], found["location"]["displayName"]

    def count(self) -> int:
        return len(self.server.events)


def _graph_span(starts_at: datetime, ends_at: datetime) -> dict[str, Any]:
    pair = zip(("start", "end"), (starts_at, ends_at), strict=True)
    return {
        name: {"dateTime": f"{at.astimezone(UTC):%Y-%m-%dT%H:%M:%S}.0000000", "timeZone": "UTC"}
        for name, at in pair
    }


@contextmanager
def running(kind: str, folder: Path) -> Iterator[Any]:
    match kind:
        case "caldav":
            with radicale_server(folder) as radicale:
                yield RadicaleServer(radicale)
        case "ics":
            with feed_server() as feed:
                yield IcsServer(feed)
        case "google":
            google = GoogleCalendarServer()
            with serve(google):
                yield GoogleServer(google)
        case _:
            graph = GraphServer()
            with serve(graph):
                yield MicrosoftServer(graph)
