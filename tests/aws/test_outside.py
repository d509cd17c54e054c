"""Journeys with Slack, a Google Sheet, a calendar and scans on the deployed application."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from frontdesk.desks.booking.lanes import value_of
from frontdesk.desks.booking.model import BookingStatus, RequestStatus
from frontdesk.desks.booking.rules import CalendarRef
from frontdesk.desks.booking.rules_file.catalogue import default_rules
from frontdesk.desks.waitlist.messages.staff import DOCUMENT
from frontdesk.desks.waitlist.model import (
    DocumentName,
    EntryStatus,
    SlotStatus,
)
from frontdesk.features.catalogue.model import Service
from frontdesk.features.documents.console import NOTHING_NEW
from frontdesk.features.proposals.model import ProposalStatus
from frontdesk.values import replace
from tests.aws.outside import Outside
from tests.aws.stack import DOMAIN, Visitor, host
from tests.support.calendars import calendar, event
from tests.support.google import BOOKING_FILE, VOICE_FILE, exported
from tests.support.mail import a_mail
from tests.support.server import Page
from tests.support.textract import a_scan

SLACK_WAITS_SECONDS = 3

pytestmark = pytest.mark.needs("ministack")


@pytest.fixture(autouse=True)
def nobody_was_denied_anything(outside: Outside) -> Iterator[None]:
    """Offers the studio's service, whatever catalogue the last test had. Checks that no call was
    denied."""
    outside.studio.given()
    yield
    outside.stack.settle()
    assert outside.stack.denied() == []


def a_day(days: int) -> str:
    return f"{datetime.now(UTC) + timedelta(days=days):%-d %B %Y}"


@pytest.mark.spec("WL-02", "WL-03", "FD-16", "FD-28")
def test_a_scanned_request_is_read_shown_in_slack_approved_there_and_on_the_sheet(
    outside: Outside,
) -> None:
    studio = outside.studio
    outside.recognition.lines = [
        f"Could I have a {studio.service} with Mia",
        f"between {a_day(3)} and {a_day(5)}?",
        "You can reach me on +65 9123 4567.",
        "Ann Lee",
    ]

    studio.writes("ann", "See the scan.\n", a_scan())
    shown = outside.message("asks for a place")
    forged = outside.presses("Approve", shown, secret="another")
    at = time.time()
    pressed = outside.presses("Approve", shown, at=at)
    took = time.time() - at
    replayed = outside.presses("Approve", shown, at=at)

    assert (forged.status, pressed.status, replayed.status) == (401, 200, 409)
    assert took < SLACK_WAITS_SECONDS
    assert outside.recognition.seen == [a_scan()]
    outside.message("*Ann Lee* is on the waitlist. <@U01MIA> approved the request.")
    assert studio.entry("ann").status is EntryStatus.WAITING
    assert outside.presses("Discard", shown).status == 200
    assert outside.slack.whispers[-1][1].startswith("<@U01MIA> has approved it already")
    row = outside.stack.until("a row in the sheet", lambda: outside.row("Ann Lee"))
    assert row[:4] == ["Ann Lee", "+65 9123 4567", studio.email("ann"), studio.service]


@pytest.mark.spec("WL-07", "WL-14", "FD-18")
def test_an_opening_in_the_calendar_is_offered_and_what_is_unclear_is_shown_to_staff(
    outside: Outside,
) -> None:
    studio, visitor = outside.studio, host(outside.stack)
    studio.joins("bob")
    start = (datetime.now(UTC) + timedelta(days=2)).strftime("%Y%m%dT%H%M00Z")
    outside.calendar.put("a", calendar(event("a", f"Free: {studio.service} with Mia", start)))
    outside.calendar.put("b", calendar(event("b", "Free: Massage", start)))

    assert outside.stack.invoke("calendar-sync", {}) == {"did": True}

    page = f"{outside.stack.addresses['fd-console']}console/waitlist/calendar"
    assert "No service is called Massage." in visitor.get(page).says
    studio.wait_for_messages("bob", 2)
    studio.takes("bob")
    [slot] = [each for each in studio.wl.slots(10) if each.origin.startswith("calendar:a/")]
    assert (slot.status, slot.booked_by) == (SlotStatus.BOOKED, studio.entry("bob").id)

    assert "Nothing is new." in visitor.post(page, **visitor.get(page).fields).says


@pytest.mark.spec("WL-07", "FD-16")
def test_an_opening_that_nobody_takes_is_told_in_slack_and_one_that_goes_is_taken_back(
    outside: Outside,
) -> None:
    studio, visitor = outside.studio, host(outside.stack)
    studio.waits("kit", with_="Kim")
    title = f"Free: {studio.service} with Kim"
    later = [f"{datetime.now(UTC) + timedelta(days=each):%Y%m%dT%H%M00Z}" for each in (3, 4)]
    outside.calendar.put("c", calendar(event("c", title, later[0])))
    outside.stack.invoke("calendar-sync", {})
    studio.wait_for_messages("kit", 1)

    studio.passes("kit")

    outside.message("is handed back to you. It was offered to 1 person")
    outside.calendar.put("d", calendar(event("d", title, later[1])))
    outside.stack.invoke("calendar-sync", {})
    studio.wait_for_messages("kit", 2)
    outside.calendar.delete("d")
    page = f"{outside.stack.addresses['fd-console']}console/waitlist/calendar"
    assert "What has changed is taken over." in visitor.post(page, **visitor.get(page).fields).says
    found = {each.origin.partition("/")[0]: each.status for each in studio.wl.slots(10)}
    assert found["calendar:d"] is SlotStatus.HANDED_BACK


@pytest.mark.spec("WL-01", "WL-02")
def test_staff_read_the_sheet_at_once_see_its_problems_and_go_back(outside: Outside) -> None:
    studio, visitor = outside.studio, host(outside.stack)
    versions = f"{outside.stack.addresses['fd-console']}console/waitlist/versions"
    last = studio.wl.sheet.last()
    before = last.head.number if last else 0
    days = [f"{datetime.now(UTC) + timedelta(days=each):%Y-%m-%d}" for each in (1, 9)]
    cat = ["Cat", "", studio.email("cat"), studio.service, 1, *days]
    outside.google.rows += [cat, ["Dan", "", "nowhere", studio.service, 1, *days]]
    outside.google.edited()

    read = sync(visitor, versions)
    assert "1 row needs a look" in read.says
    assert "The list is kept in a Google Sheet" in read.says
    assert studio.entry("cat").status is EntryStatus.WAITING

    outside.stack.settle()
    outside.row("Dan")[2] = studio.email("dan")
    outside.row("Cat")[4] = 2
    outside.row("Cat")[0] = "Cathy"
    outside.google.edited()
    assert "1 added, 1 edited" in sync(visitor, versions).says
    assert (studio.entry("cat").party, studio.person("cat").name) == (2, "Cathy")
    outside.stack.settle()

    back = f"{versions}/{before + 1}"
    asked = visitor.get(back)
    told = visitor.post(back, **{**asked.fields, "confirmed": "yes"})
    assert f"The list is as it was in version {before + 1}." in told.says
    assert (studio.entry("cat").party, outside.row("Cat")[4]) == (1, 1)


@pytest.mark.spec("WL-02")
def test_a_sheet_that_is_suddenly_empty_takes_nobody_off_before_staff_say_so(
    outside: Outside,
) -> None:
    studio, visitor = outside.studio, host(outside.stack)
    versions = f"{outside.stack.addresses['fd-console']}console/waitlist/versions"
    for who in ("eve", "fay", "gus", "hal"):
        studio.waits(who)
    outside.stack.until("in the sheet", lambda: "Hal" in outside.names)
    outside.stack.settle()
    whole, outside.google.rows = outside.google.rows, outside.google.rows[:1]
    outside.google.edited()

    halted = sync(visitor, versions)

    assert "gone from the sheet, all at once" in halted.says
    assert studio.entry("hal").status is EntryStatus.WAITING
    outside.google.rows = whole
    outside.google.edited()
    assert "gone from the sheet" not in sync(visitor, versions).says


@pytest.mark.spec("FD-02", "WL-03")
def test_a_post_that_slack_cannot_take_is_posted_later_and_can_be_discarded_there(
    outside: Outside,
) -> None:
    studio, room = outside.studio, outside.slack
    room.status = 503
    studio.writes("ina", f"Please put me on the list for {studio.service}.\n\nIna Lee\n")
    proposal = studio.proposal("ina")
    outside.stack.until("it was tried", lambda: room.refused)

    room.status = 200

    assert outside.presses("Discard", outside.message("Ina Lee asks")).status == 200
    outside.message("*Ina Lee*: <@U01MIA> discarded the request.")
    assert studio.decided(proposal.id) == (ProposalStatus.DISCARDED, "")


def sync(visitor: Visitor, versions: str) -> Page:
    """Presses 'Read it now'; returns the page that follows."""
    fields = {name: text for name, text in visitor.get(versions).fields.items() if name == "csrf"}
    return visitor.post(f"{versions}/sync", **fields)


@pytest.mark.spec("WL-23")
def test_words_in_a_google_doc_are_copied_by_drive_sync_and_used_by_all(outside: Outside) -> None:
    visitor = host(outside.stack)
    page = f"{outside.stack.addresses['fd-console']}console/waitlist/voice"
    ours, theirs = "it's yours.", "it's all yours, really."
    outside.google.writes(VOICE_FILE, exported(DOCUMENT.default_text.replace(ours, theirs, 1)))

    shown = visitor.get(page)
    assert "This document is written in Google Docs." in shown.says
    looked = visitor.post(f"{page}/look", **shown.fields)
    assert "What is new counts from now on." in looked.says
    bucket = "wl-rules-source-000000000000"
    copy = outside.stack.s3.get_object(Bucket=bucket, Key="voice.md")["Body"].read().decode()
    assert theirs in copy
    assert outside.studio.wl.document(DocumentName.VOICE).good == copy
    looked = visitor.post(f"{page}/look", **visitor.get(page).fields)
    assert NOTHING_NEW in looked.says


@pytest.mark.spec("BK-12", "BK-30", "FD-18")
def test_a_calendar_that_is_down_offers_nothing_and_blocks_and_takes_bookings_once_it_is_up(
    outside: Outside,
) -> None:
    salon, diary, stack = outside.salon, outside.diary, outside.stack
    salon.given(CalendarRef("sam", write=True))
    staff = salon.add_staff()
    at, busy = salon.time(11), salon.time(12)
    salon.calendar_was_never_read("sam")
    diary.put("dentist", calendar(event("dentist", "Dentist", f"{busy:%Y%m%dT%H%M%SZ}")))

    diary.instead |= {"REPORT": 503, "PROPFIND": 503}
    assert stack.invoke("bk-calendar", {}) == {"did": False}
    assert salon.books("una", at).status == 409
    stack.until("staff know", lambda: any("sam" in each for each in salon.subjects(staff)))

    diary.instead.clear()
    visitor = host(stack)
    page = f"{stack.addresses['fd-console']}console/bookings/calendars"
    shown = visitor.get(page)
    read = visitor.post(f"{page}/read", csrf=shown.fields["csrf"], calendar="sam")
    assert "It works" in read.says

    assert salon.books("vic", busy).status == 409
    salon.books("una", at)
    booking = salon.booked("una", BookingStatus.CONFIRMED)
    [link] = booking.calendars
    assert f"{at:%Y%m%dT%H%M%S}" in diary.text(link.event_id.removesuffix(".ics"))
    salon.wait_for_messages("una", 1)


@pytest.mark.spec("BK-04", "BK-08", "FD-18", "FD-28")
def test_rules_in_google_drive_are_taken_embedded_and_used_to_read_a_mail(
    outside: Outside,
) -> None:
    """Uses the deployed roles, as far as the emulator knows the service."""
    salon, stack, drive = outside.salon, outside.stack, outside.google
    known = salon.wl.catalogue()
    cut = Service("Haircut", timedelta(hours=1), 4_500)
    text = default_rules(replace(known, services=(*known.services, cut)))
    drive.writes(BOOKING_FILE, exported(text))

    assert stack.invoke("fn-config-sync", {}) == {"did": True}
    assert "Haircut" in outside.vectors.names
    copy = stack.s3.get_object(Bucket="wl-rules-source-000000000000", Key="rules.yml")
    assert copy["Body"].read().decode() == text

    [channel] = drive.channels.values()
    drive.writes(BOOKING_FILE, exported(text.replace("Haircut", "Hair cut")))
    url, real = stack.addresses["fn-config-sync"], drive.notice(channel)
    forged = {**real, "x-goog-channel-token": "guessed"}
    assert Visitor(stack).send("POST", url, b"", forged).status == 403
    assert "Hair cut" not in outside.vectors.names
    assert Visitor(stack).send("POST", url, b"", real).status == 204
    assert "Hair cut" in outside.vectors.names

    drive.writes(BOOKING_FILE, exported("hours: nine\n"))
    assert stack.invoke("fn-config-sync", {}) == {"did": True}
    drive.status = 403
    assert stack.invoke("fn-config-sync", {}) == {"did": False}
    drive.status = 0
    assert "Hair cut" in [each.name for each in salon.bk.rules().services]

    drive.writes(BOOKING_FILE, exported(text))
    visitor = host(stack)
    page = f"{stack.addresses['fd-console']}console/bookings/rules"
    looked = visitor.post(f"{page}/look", **visitor.get(page).fields)
    assert "What is new counts from now on." in looked.says

    asks = a_mail(
        "My fringe is in my eyes. Tomorrow at 10:00?\n\nAnn",
        to=f"book@{DOMAIN}",
        Return_Path="<ann@example.org>",
        X_SES_Spam_Verdict="PASS",
        X_SES_Virus_Verdict="PASS",
        Authentication_Results="amazonses.com; dmarc=pass header.from=example.org",
    )
    stack.mail_comes_in("fringe", asks)
    [draft] = stack.until(
        "a draft",
        lambda: [
            each
            for each in salon.bk.requests(RequestStatus.DRAFT, 9)
            if each.sender == "ann@example.org"
        ],
    )
    assert value_of(draft.fields, "service") == "Haircut"
    asked = {each["by"].rpartition("/")[2] for each in stack.recorded() if _is_titan(each)}
    assert asked == {"fn-config-sync", "host-import"}, "the emulator was asked whether they may"


def _is_titan(row: Mapping[str, Any]) -> bool:
    return row.get("asked") == "bedrock:InvokeModel" and "titan-embed-text" in row.get("of", "")
