"""The calendar files in mails about a booking, imported into other calendars, on both stores."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from frontdesk.connect.calendars.caldav import CalDavCalendar
from frontdesk.connect.calendars.client import Account
from frontdesk.core.sends import SentMessage
from frontdesk.desks.booking.commands import CancelBooking, MoveBooking
from frontdesk.desks.booking.rules import Question
from frontdesk.engine.follow import send_id
from tests.connect.calendars.test_calendar_files import Inbox
from tests.desks.booking.test_mail_lanes import Opened
from tests.desks.booking.test_mail_lanes import open_mail as open_mail
from tests.support.booking import DAY, HOUR, TEN, hex_id, rules, service
from tests.support.booking_mail import MailDesk
from tests.support.calendars import Radicale, radicale_server

ANN = hex_id("ann")
LATER = TEN + 2 * HOUR
RULES = rules([service(questions=(Question("allergy", "Any allergies?"),))], zone="Europe/Berlin")


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Radicale]:
    folder = tmp_path / "radicale"
    folder.mkdir()
    with radicale_server(folder) as server:
        yield server


def told(desk: MailDesk, kind: str) -> SentMessage:
    """Returns the mail of this kind about the booking as it is now."""
    booking = desk.settle().booking(ANN)
    key = f"bk/{booking.id}/{kind}/{booking.version}"
    found = desk.engine.reads().engine.sent_message(send_id(key, booking.person_id))
    assert found is not None
    return found


def files(desk: MailDesk) -> list[bytes]:
    """Returns the files of the booking, of its move and of its cancellation."""
    desk.given(RULES)
    desk.book("ann", answers={"allergy": "Nuts, and latex"}, note="pays late", mobile="+6591234567")
    mails = [told(desk, "confirmed")]
    desk.do(MoveBooking(ANN, LATER))
    mails.append(told(desk, "moved"))
    desk.do(CancelBooking(ANN, by_staff=True))
    mails.append(told(desk, "cancelled_by_staff"))
    assert [each.calendar_method for each in mails] == ["REQUEST", "REQUEST", "CANCEL"]
    return [each.calendar for each in mails if each.calendar]


@pytest.mark.spec("BK-13", "BK-15", "BK-16")
def test_a_calendar_program_shows_one_event_moved_and_then_none(open_mail: Opened) -> None:
    """The first file arrives again after the move and changes nothing."""
    inbox, shown = Inbox(), []
    booked, moved, cancelled = files(open_mail())
    for each in (booked, moved, booked, cancelled):
        inbox.receive(each)
        shown.append(inbox.starts)

    assert shown == [[TEN], [LATER], [LATER], []]
    lines = [each.splitlines() for each in (booked, moved, cancelled)]
    assert [b"SEQUENCE:%d" % n in each for n, each in enumerate(lines)] == [True] * 3
    assert all(f"UID:{ANN}@frontdesk".encode() in each for each in lines)


@pytest.mark.spec("BK-13", "BK-15", "BK-16")
def test_a_calendar_server_has_one_event_moved_and_then_none(
    open_mail: Opened, server: Radicale
) -> None:
    calendar = CalDavCalendar(server.url, Account("mia", "secret"), here=ZoneInfo("Asia/Tokyo"))
    shown = []
    for each in files(open_mail()):
        server.put("visit", each.decode())
        shown.append([one.starts_at for one in calendar.busy(TEN - DAY, TEN + 9 * DAY)])

    assert shown == [[TEN], [LATER], []]
    assert "STATUS:CANCELLED" in server.text("visit")


@pytest.mark.spec("BK-37")
def test_answers_notes_and_numbers_are_in_no_calendar_file(open_mail: Opened) -> None:
    for file in files(open_mail()):
        plain = file.replace(b"\r\n ", b"")
        for word in (b"Nuts", b"latex", b"allerg", b"late", b"9123"):
            assert word not in plain
