"""The functions of the booking desk: rules, limits, phrases and calendars on the tables of AWS."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from typing import Any, cast
from urllib.parse import urlencode, urlsplit

import pytest

from frontdesk.aws.booking.calendar import bk_calendar
from frontdesk.aws.booking.pages import bk_pages
from frontdesk.aws.console import fd_console
from frontdesk.aws.container import deployment
from frontdesk.aws.jobs import host_import
from frontdesk.connect.mail_headers import Envelope
from frontdesk.core.localtime import to_wall, zone
from frontdesk.desks.admin.commands import SetBusiness
from frontdesk.desks.admin.model import Business
from frontdesk.desks.booking.commands import SetRules
from frontdesk.desks.booking.lanes import value_of
from frontdesk.desks.booking.model import Booking, BookingRequest, BookingStatus, RequestStatus
from frontdesk.desks.booking.reads import BookingReads
from frontdesk.desks.booking.rules_file.parser import parse_rules
from frontdesk.engine.ports import Committed
from frontdesk.intake.mail import MailIn
from frontdesk.store.dynamodb.schema import FD_JOBS
from tests.aws.cloud import Cloud
from tests.aws.cloud import cloud as cloud
from tests.aws.google_calendar import google_calendars
from tests.aws.payloads import Context, request
from tests.aws.test_host import owner
from tests.support.dynamodb import needs_dynamodb
from tests.support.google_calendar import CALENDAR, GoogleCalendarServer
from tests.support.mail import a_mail
from tests.support.server import FORM, Page

pytestmark = needs_dynamodb

CONSOLE = "/console/bookings"
DAY, HOUR = timedelta(days=1), timedelta(hours=1)
#: The clock of the functions shows Monday 16 November 2026, 01:00 UTC.
TUESDAY = date(2026, 11, 17)
RULES = """\
hours: {mon-fri: "9:05-12:00 13:00-15:00"}
at most: {day: 2 bookings}
staff:
  mia: {name: Mia, away: [{on: 2026-11-19, note: Dentist}]}
services:
  Cut: {minutes: 60, start every: 30 min, start offset: 10 min, most upcoming: 9}
"""


@dataclass
class Salon:
    """Has a time zone. Visitors and staff use its Function URLs."""

    cloud: Cloud
    zone: str
    cookies: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.run(SetBusiness(Business(name="Salon Mia", zone=self.zone)))

    def given(self, text: str) -> Salon:
        parsed = parse_rules(text, self.zone).rules
        assert parsed is not None
        return self.run(SetRules(parsed))

    def run(self, command: Any) -> Salon:
        engine = deployment().back.engine
        outcome = engine.run(command, by="test", now=self.cloud.clock.now())
        assert isinstance(outcome, Committed), outcome
        return self

    @property
    def reads(self) -> BookingReads:
        return cast(BookingReads, deployment().back.engine.reads().desk("bk"))

    def bookings(self) -> list[Booking]:
        return list(self.reads.bookings())

    # --- a visitor --------------------------------------------------------------------------

    def get(self, url: str) -> Page:
        return _page(bk_pages(_asked("GET", url), Context("bk-pages")))

    def post(self, url: str, **fields: object) -> Page:
        return _page(bk_pages(_asked("POST", url, fields), Context("bk-pages")))

    def times(self, on: date) -> list[str]:
        """Returns the times of a day on the wall clock. The page of a day without times shows those
        of the next day, which are left out."""
        body = self.get(f"/book/cut?day={on}").body.partition('id="times"')[2]
        found = map(datetime.fromisoformat, re.findall(r'name="at" value="([^"]+)"', body))
        walls = [to_wall(each, zone(self.zone)) for each in found]
        return [f"{each:%H:%M}" for each in walls if each.date() == on]

    def books(self, starts_at: datetime, who: str = "ann") -> Page:
        form = {"service": "Cut", "name": f"{who.title()} Lee", "contact": f"{who}@example.org"}
        page = self.post("/book", **form, at=f"{starts_at:%Y-%m-%dT%H:%MZ}")
        self.cloud.settle()
        return page

    # --- staff ------------------------------------------------------------------------------

    def sees(self, path: str, **query: str) -> Page:
        self.cookies = self.cookies or owner()
        asked = request("GET", path, query=urlencode(query), cookies=self.cookies)
        return _page(fd_console(asked, Context("fd-console")))

    def sends(self, path: str, **fields: str) -> Page:
        """Sends the form of a page with these values."""
        typed = {**self.sees(path).fields, **fields}
        asked = _asked("POST", path, typed, self.cookies)
        page = _page(fd_console(asked, Context("fd-console")))
        self.cloud.settle()
        return page


def _asked(
    method: str, url: str, fields: dict[str, Any] | None = None, cookies: list[str] | None = None
) -> dict[str, Any]:
    split = urlsplit(url)
    body = None if fields is None else urlencode(fields)
    headers = {"content-type": FORM, "origin": f"https://{_HOST}"} if fields is not None else {}
    return request(
        method, split.path, query=split.query, headers=headers, cookies=cookies or (), body=body
    )


_HOST = "abc.lambda-url.ap-southeast-1.on.aws"


def _page(answer: dict[str, Any]) -> Page:
    return Page(answer["statusCode"], answer["headers"], answer.get("body", ""), "")


@pytest.fixture
def kolkata(cloud: Cloud, monkeypatch: pytest.MonkeyPatch) -> Salon:
    monkeypatch.setenv("FRONTDESK_RULES_BUCKET", cloud.tables.bucket.name)
    return Salon(cloud, "Asia/Kolkata")


def at(salon: Salon, on: date, hour: int, minute: int = 0) -> datetime:
    local = datetime(on.year, on.month, on.day, hour, minute, tzinfo=zone(salon.zone))
    return local.astimezone(UTC)


@pytest.mark.spec("BK-07", "BK-08", "BK-09", "BK-27", "BK-28")
def test_rules_that_staff_save_decide_the_times_and_the_console_names_their_lines(
    kolkata: Salon,
) -> None:
    """Tries two working periods, a grid with an offset for each, a day off and a limit, in a zone
    with half an hour."""
    kolkata.sends(f"{CONSOLE}/rules", text=RULES, do="save")

    assert kolkata.times(TUESDAY) == ["09:15", "09:45", "10:15", "10:45", "13:10", "13:40"]
    assert kolkata.books(at(kolkata, TUESDAY, 9, 20)).status == 409
    assert kolkata.books(at(kolkata, TUESDAY, 10, 45)).status == 303
    assert kolkata.times(TUESDAY) == ["09:15", "09:45", "13:10", "13:40"]
    assert kolkata.books(at(kolkata, TUESDAY, 13, 10), "bob").status == 303
    assert kolkata.times(TUESDAY) == []

    why = {"service": "Cut", "staff": "mia"}
    full = kolkata.sees(f"{CONSOLE}/why", **why, on="2026-11-17")
    away = kolkata.sees(f"{CONSOLE}/why", **why, on="2026-11-19")
    assert "Mia works 09:05–12:00 and 13:00–15:00 (line 1)." in full.says
    assert "The business takes at most 2 bookings a day, and has 2 (line 2)." in full.says
    assert "Mia is away all day: Dentist (line 4)." in away.says


@pytest.mark.spec("BK-08", "BK-28", "BK-38")
def test_time_off_over_a_booking_lists_it_and_cancels_nothing(kolkata: Salon) -> None:
    kolkata.sends(f"{CONSOLE}/rules", text=RULES, do="save")
    wednesday = TUESDAY + DAY
    kolkata.books(at(kolkata, wednesday, 10, 15))
    off = {"who": "mia", "first_on": f"{wednesday}", "last_on": f"{wednesday}"}

    asked = kolkata.sends(f"{CONSOLE}/time-off", **off)
    before = kolkata.times(wednesday)
    kolkata.sends(f"{CONSOLE}/time-off", **off, confirmed="yes")
    broken = kolkata.sends(f"{CONSOLE}/rules", text=RULES.replace("9:05-12:00", "9.05-12"))

    assert "1 booking is in this time" in asked.says
    assert "Cut, Ann Lee" in asked.says
    assert before
    assert kolkata.times(wednesday) == []
    assert [each.status for each in kolkata.bookings()] == [BookingStatus.CONFIRMED]
    assert (broken.status, "Line 1" in broken.says) == (422, True)
    copy = (kolkata.cloud.tables.bucket.get("rules.yml") or b"").decode()
    assert "2026-11-18" in copy
    assert "9.05" not in copy


@pytest.mark.spec("BK-09")
def test_a_night_in_which_the_clock_changes_has_no_time_that_is_left_out(cloud: Cloud) -> None:
    berlin = Salon(cloud, "Europe/Berlin").given(
        "hours: {daily: 0:30-5:30}\nstaff: {mia: {name: Mia}}\n"
        "services: {Cut: {minutes: 60, start every: 60 min, book ahead: 400 days}}\n"
    )

    spring, autumn = date(2027, 3, 28), date(2027, 10, 31)
    assert berlin.times(spring) == ["00:30", "01:30", "03:30", "04:30"]
    assert berlin.times(autumn) == ["00:30", "01:30", "02:30", "02:30", "03:30", "04:30"]
    assert berlin.books(at(berlin, spring, 3, 30)).status == 303
    [booking] = berlin.bookings()
    assert (booking.ends_at - booking.starts_at, booking.local_on) == (HOUR, spring)


@pytest.mark.spec("BK-32")
def test_customers_change_in_time_not_too_often_and_have_few_bookings(cloud: Cloud) -> None:
    salon = Salon(cloud, "UTC").given(
        "hours: {daily: 8:00-20:00}\nstaff: {mia: {name: Mia}}\n"
        "services: {Cut: {minutes: 60, cancel until: 2 hours, most moves: 1, most upcoming: 1}}\n"
    )
    booked = salon.books(at(salon, TUESDAY, 10))
    link = urlsplit(booked.headers["location"]).path

    refused = salon.books(at(salon, TUESDAY, 14))
    assert (refused.status, refused.heading) == (409, "This could not be booked online.")
    assert "we have sent you the links to move or cancel them" in refused.says
    for hour in (12, 13):
        salon.post(link, do="move", at=f"{at(salon, TUESDAY, hour):%Y-%m-%dT%H:%MZ}")
    assert "You have moved it 1 time" in salon.get(link).says
    cloud.clock.move_to(at(salon, TUESDAY, 11))
    salon.post(link, do="cancel")

    assert "Changes online are possible until 2 hours before the start." in salon.get(link).says
    [booking] = salon.bookings()
    assert (booking.status, booking.starts_at, booking.moves) == (
        BookingStatus.CONFIRMED,
        at(salon, TUESDAY, 12),
        1,
    )


# --- phrases ----------------------------------------------------------------------------------

BOOK = "book@frontdesk.example"
EVENINGS = """\
hours: {daily: 8:00-21:00}
parts of the day: {morning: 8:00-9:30}
staff: {mia: {name: Mia}}
services: {Cut: {minutes: 30, start every: 30 min}}
"""


def asks(salon: Salon, body: str) -> BookingRequest:
    """Sends a mail to the function that reads mail; returns the request."""
    back = deployment().back
    raw = a_mail(body, to=BOOK)
    MailIn(back).take(Envelope("ann@example.org", (BOOK,), raw, "127.0.0.1"))
    salon.cloud.settle()
    [row] = salon.cloud.rows(FD_JOBS)
    host_import({"job": row["job_id"]["S"]}, Context("host-import"))
    [found] = salon.reads.all_requests()
    return found


@pytest.mark.spec("BK-23", "BK-04")
@pytest.mark.parametrize(
    ("body", "hours"),
    [
        ("Could I have a cut on Thursday after 5pm?", (17, 21)),
        ("Could I have a cut on Thursday morning?", (8, 9)),
        ("Könnte ich am Donnerstag nach 17 Uhr einen Cut haben?", (17, 21)),
        ("Quisiera un cut el jueves después de las 17:00.", (17, 21)),
        ("Est-ce possible d'avoir un cut jeudi après 17h ?", (17, 21)),
    ],
)
def test_a_mail_in_four_languages_gets_times_of_the_wished_day_and_hours(
    cloud: Cloud, body: str, hours: tuple[int, int]
) -> None:
    salon = Salon(cloud, "UTC").given(EVENINGS)

    found = asks(salon, f"{body}\n\nAnn Lee\n")

    assert (found.status, value_of(found.fields, "service")) == (RequestStatus.OPEN, "Cut")
    assert len(found.proposed) in (2, 3)
    for one in found.proposed:
        assert one.starts_at.date() == TUESDAY + 2 * DAY
        assert hours[0] <= one.starts_at.hour <= hours[1]


@pytest.mark.spec("BK-23", "BK-05")
def test_a_phrase_on_which_people_differ_is_a_draft(cloud: Cloud) -> None:
    salon = Salon(cloud, "UTC").given(EVENINGS)

    draft = asks(salon, "Could I have a cut next Thursday at 10:00?\n\nAnn Lee\n")

    assert draft.status is RequestStatus.DRAFT
    assert "when" in value_of(draft.fields, "check")


# --- calendars --------------------------------------------------------------------------------

CALENDARS = f'[mia]\nkind = "google"\ncalendar = "{CALENDAR}"\n'
WITH_CALENDAR = """\
hours: {daily: 8:00-20:00}
staff: {mia: {name: Mia, calendar: mia}}
services: {Cut: {minutes: 60, start every: 15 min, cancel until: 0 min}}
"""


@pytest.fixture
def google(cloud: Cloud, monkeypatch: pytest.MonkeyPatch) -> Iterator[GoogleCalendarServer]:
    with google_calendars(cloud, monkeypatch, CALENDARS) as server:
        yield server


def works(cloud: Cloud) -> None:
    """Runs the open jobs of calendars."""
    for row in cloud.rows(FD_JOBS):
        bk_calendar({"job": row["job_id"]["S"]}, Context("bk-calendar"))
    cloud.settle()


@pytest.mark.spec("BK-10", "BK-25", "BK-26")
def test_a_google_calendar_blocks_its_events_takes_bookings_and_does_not_count_them(
    cloud: Cloud, google: GoogleCalendarServer
) -> None:
    """A weekly event of staff blocks each of its days. The booking moves by 15 minutes, into the
    time of its own event."""
    salon = Salon(cloud, "UTC").given(WITH_CALENDAR)
    for week in range(2):
        starts_at = at(salon, TUESDAY + 7 * week * DAY, 14)
        google.add(
            f"yoga{week}",
            summary="Yoga",
            recurringEventId="yoga",
            start={"dateTime": starts_at.isoformat()},
            end={"dateTime": (starts_at + HOUR).isoformat()},
        )
    assert salon.times(TUESDAY) == [], "it has not been read yet"
    bk_calendar({}, Context("bk-calendar"))

    for week in range(2):
        free = salon.times(TUESDAY + 7 * week * DAY)
        assert [each for each in ("13:00", "13:15", "14:45", "15:00") if each in free] == [
            *("13:00", "15:00")
        ]
    link = urlsplit(salon.books(at(salon, TUESDAY, 10)).headers["location"]).path
    works(cloud)
    [booking] = salon.bookings()
    [event] = [each for each in google.events.values() if each["summary"] == "Cut, Ann"]
    assert booking.status is BookingStatus.CONFIRMED
    assert datetime.fromisoformat(event["start"]["dateTime"]) == booking.starts_at

    cloud.clock.move_to(cloud.clock.now() + HOUR)
    bk_calendar({}, Context("bk-calendar"))
    salon.post(link, do="move", at=f"{at(salon, TUESDAY, 10, 15):%Y-%m-%dT%H:%MZ}")
    cloud.settle()
    works(cloud)

    [moved] = salon.bookings()
    [event] = [each for each in google.events.values() if each["summary"] == "Cut, Ann"]
    assert (moved.status, moved.starts_at) == (
        BookingStatus.CONFIRMED,
        at(salon, TUESDAY, 10, 15),
    )
    assert datetime.fromisoformat(event["start"]["dateTime"]) == moved.starts_at
