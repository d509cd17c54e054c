"""What staff go through with Slack, a Google Sheet, a calendar and scans, as it is deployed."""

from __future__ import annotations

import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest

from frontdesk.desks.waitlist.messages.staff import DOCUMENT
from frontdesk.desks.waitlist.model import (
    DocumentName,
    EntryStatus,
    SlotStatus,
)
from frontdesk.features.documents.console import NOTHING_NEW
from frontdesk.features.proposals.model import ProposalStatus
from tests.aws.outside import Outside
from tests.aws.stack import Visitor, host
from tests.support.calendars import calendar, event
from tests.support.google import VOICE_FILE, exported
from tests.support.server import Page
from tests.support.textract import a_scan

SLACK_WAITS_SECONDS = 3

pytestmark = [pytest.mark.needs("ministack"), pytest.mark.xdist_group("aws")]


@pytest.fixture(autouse=True)
def nobody_was_denied_anything(outside: Outside) -> Iterator[None]:
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
    outside.eyes.lines = [
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
    assert outside.eyes.seen == [a_scan()]
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
    studio.told("bob", 2)
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
    studio.told("kit", 1)

    studio.passes("kit")

    outside.message("is handed back to you. It was offered to 1 person")
    outside.calendar.put("d", calendar(event("d", title, later[1])))
    outside.stack.invoke("calendar-sync", {})
    studio.told("kit", 2)
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
    assert "1 joined, 1 edited" in sync(visitor, versions).says
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
def test_what_slack_cannot_take_now_is_said_once_it_can_and_discarded_there(
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
    """'Read it now', and the page that answers it."""
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
