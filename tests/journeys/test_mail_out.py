"""Outgoing mail, read as mail programs and calendars do."""

import email
import email.policy
import re
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, timedelta
from email.message import EmailMessage
from email.utils import parsedate_to_datetime
from itertools import pairwise
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from icalendar import Calendar

from bench.served import free_port
from frontdesk.channels.smtp.channel import SmtpChannel
from frontdesk.core.ids import new_id
from frontdesk.core.jobs import JobId
from frontdesk.desks.rsvp.commands import CallOff, Cancel, ClaimOffer, EditEvent
from frontdesk.desks.rsvp.model import OfferState, State
from frontdesk.values import replace
from tests.channels.scripted_server import HANG_UP, ScriptedServer
from tests.smtp_sink import SmtpSink
from tests.support.rsvp import HOUR, NINE, STARTS, RsvpDesk, rsvp_desk

SGT = ZoneInfo("Asia/Singapore")


def desk_and_channel(
    folder: Path, server: SmtpSink | ScriptedServer
) -> tuple[RsvpDesk, SmtpChannel]:
    channel = SmtpChannel(server.host, server.port, tls="none", timeout=5.0)
    return rsvp_desk(folder, channel=channel), channel


@contextmanager
def sending_to(server: SmtpSink, folder: Path) -> Iterator[RsvpDesk]:
    desk, channel = desk_and_channel(folder, server)
    yield desk
    channel.close()
    assert (desk.problems(), desk.dead_letters()) == ([], [])
    desk.product.close()


def mails(sink: SmtpSink, who: str) -> list[EmailMessage]:
    address = f"{who}@example.org"
    return [mail.message for mail in sink.received if mail.rcpt_to == (address,)]


def parts(mail: EmailMessage) -> dict[str, str]:
    """Returns the decoded text of each leaf part by its type."""
    found = {}
    for part in mail.walk():
        if not part.is_multipart():
            raw = part.get_payload(decode=True)
            assert isinstance(raw, bytes)
            found[part.get_content_type()] = raw.decode("utf-8")
    return found


def calendar(mail: EmailMessage) -> tuple[Any, Any]:
    """Returns the calendar file, after checking that both copies are equal, and its only event."""
    (inline,) = [part for part in mail.walk() if part.get_content_type() == "text/calendar"]
    (attached,) = [part for part in mail.walk() if part.get_filename() == "invite.ics"]
    assert inline.get_payload(decode=True) == attached.get_payload(decode=True)
    file: Any = Calendar.from_ical(parts(mail)["text/calendar"])
    assert inline.get_param("method") == file["METHOD"], "also in the MIME type"
    (event,) = file.walk("VEVENT")
    return file, event


@pytest.mark.spec("EV-14", "FD-13", "FD-14")
def test_a_confirmation_is_text_and_html_and_an_invitation_that_calendars_read(
    tmp_path: Path,
) -> None:
    with SmtpSink() as sink, sending_to(sink, tmp_path) as desk:
        desk.given(cap=1, confirmed=["ann"])

    (mail,) = mails(sink, "ann")
    assert [part.get_content_type() for part in mail.walk()] == [
        "multipart/mixed",
        "multipart/alternative",
        "text/plain",
        "text/html",
        "text/calendar",
        "application/ics",
    ]
    assert "Friday 27 November 2026, 19:00 to 21:00 (SGT)" in parts(mail)["text/plain"]
    assert_links_stand_alone(mail)
    file, event = calendar(mail)
    assert (file["METHOD"], event["STATUS"]) == ("REQUEST", "CONFIRMED")
    assert event["DTSTART"].dt == STARTS.astimezone(SGT)
    assert event["DTEND"].dt - event["DTSTART"].dt == 2 * HOUR
    assert event["DTSTART"].params["TZID"] == "Asia/Singapore"
    assert [zone["TZID"] for zone in file.walk("VTIMEZONE")] == ["Asia/Singapore"]
    assert "/l/" not in parts(mail)["text/calendar"], "calendars are shared; links are personal"


def assert_links_stand_alone(mail: EmailMessage) -> None:
    """Checks that each link has its own line, and that the HTML part has the same links."""
    found = parts(mail)
    lines = [line for line in found["text/plain"].splitlines() if "://" in line]
    assert lines
    assert all(re.fullmatch(r"http://\S+", line) for line in lines)
    assert set(lines) <= set(re.findall(r'href="([^"]+)"', found["text/html"]))


@pytest.mark.spec("EV-14", "EV-17", "FD-13", "FD-14")
def test_the_calendar_follows_an_event_through_a_move_to_its_end(tmp_path: Path) -> None:
    with SmtpSink() as sink, sending_to(sink, tmp_path) as desk:
        desk.given(cap=1, confirmed=["ann"])
        event = desk.event
        later = replace(
            event.details,
            starts_at=STARTS + 25 * HOUR,
            ends_at=STARTS + 27 * HOUR,
            venue="3 Wheel Street",
        )
        desk.do(EditEvent(event.id, event.version, event.slug, later, event.settings, job(1)))
        desk.wait(days=6)
        desk.do(CallOff(event.id, job(2), "The kiln is broken."))

    confirmed, moved, reminder, called_off = mails(sink, "ann")
    assert reminder["Subject"] == "Pottery workshop is in a week"
    assert "text/calendar" not in parts(reminder)
    files = [calendar(mail) for mail in (confirmed, moved, called_off)]
    assert [(file["METHOD"], event["STATUS"]) for file, event in files] == [
        ("REQUEST", "CONFIRMED"),
        ("REQUEST", "CONFIRMED"),
        ("CANCEL", "CANCELLED"),
    ]
    events = [event for _, event in files]
    assert len({event["UID"] for event in events}) == 1
    assert len({event["ORGANIZER"] for event in events}) == 1
    assert all(one["SEQUENCE"] < next_one["SEQUENCE"] for one, next_one in pairwise(events))
    assert [event["DTSTART"].dt.astimezone(UTC) - STARTS for event in events] == [
        timedelta(),
        25 * HOUR,
        25 * HOUR,
    ]
    assert str(events[1]["LOCATION"]) == "3 Wheel Street"
    assert "It's now at 3 Wheel Street. It was 12 Kiln Lane." in parts(moved)["text/plain"]
    assert "The kiln is broken." in parts(called_off)["text/plain"]
    for mail in (confirmed, moved, reminder):
        assert_links_stand_alone(mail)


def job(n: int) -> JobId:
    return JobId(new_id(bytes([n] * 16)))


@pytest.mark.spec("EV-21", "EV-22", "FD-13")
def test_an_offer_says_until_when_and_its_taker_is_confirmed_with_a_file(tmp_path: Path) -> None:
    with SmtpSink() as sink, sending_to(sink, tmp_path) as desk:
        desk.given(cap=1, confirmed=["ann"], line=["bob"])
        desk.do(Cancel(desk.id("ann")))
        desk.do(ClaimOffer(desk.id("bob"), 1))

    waitlisted, offer, confirmed = mails(sink, "bob")
    text = parts(offer)["text/plain"]
    assert text.startswith("This seat is yours until 15:00 today (SGT).")
    assert [line for line in text.splitlines() if line.endswith(":")] == [
        "Take the seat:",
        "Can't come this time? Pass it on:",
    ]
    assert_links_stand_alone(offer)
    assert "text/calendar" not in parts(waitlisted) | parts(offer), "only what is confirmed"
    assert calendar(confirmed)[0]["METHOD"] == "REQUEST"
    assert calendar(mails(sink, "ann")[-1])[0]["METHOD"] == "CANCEL"


@pytest.mark.spec("FD-04")
def test_a_mail_of_unknown_outcome_is_repeated_with_its_id_and_its_deadline(
    tmp_path: Path,
) -> None:
    """The connection is lost after the mail was sent, so its outcome is unknown."""
    lost = {"BODY": HANG_UP}
    with ScriptedServer({}, lost, lost, {}) as server:
        desk, channel = desk_and_channel(tmp_path, server)
        desk.given(cap=1, confirmed=["ann"], line=["bob", "cat"])
        channel.close()
        desk.do(Cancel(desk.id("ann")))
        (offer,) = desk.offers("bob")
        desk.wait(minutes=5)
        channel.close()

    assert desk.offers("bob") == [offer]
    assert (offer.state, offer.claim_by) == (OfferState.LIVE, NINE + 6 * HOUR)
    assert desk.problems() == []
    desk.product.close()
    first, again = [mail for mail in heard(server) if mail["To"] == "Bob <bob@example.org>"][1:]
    assert first["Message-ID"] == again["Message-ID"]
    assert parts(first) == parts(again)
    assert "until 15:00 today (SGT)" in parts(again)["text/plain"]


def heard(server: ScriptedServer) -> list[EmailMessage]:
    return [email.message_from_bytes(raw, policy=email.policy.default) for raw in server.mails]


@pytest.mark.spec("EV-25", "FD-04")
def test_while_the_mail_server_is_down_no_window_runs(tmp_path: Path) -> None:
    with SmtpSink(port=free_port()) as sink:  # stays ours while it is down
        desk, channel = desk_and_channel(tmp_path, sink)
        desk.given(cap=1, confirmed=["ann"], line=["bob"])
    channel.close()

    desk.do(Cancel(desk.id("ann"))).wait(hours=1)
    (offer,) = desk.offers("bob")
    assert (offer.state, offer.claim_by) == (OfferState.PENDING, None)
    assert [name for name in desk.timers() if name.startswith("ev/offer/")] == []

    with SmtpSink(port=sink.port) as back:
        desk.wait(hours=1)
        (offer,) = desk.offers("bob")
        channel.close()
    assert offer.state is OfferState.LIVE
    assert offer.claim_by is not None
    sent_at = offer.claim_by - 6 * HOUR
    assert NINE + HOUR < sent_at <= NINE + 2 * HOUR
    (mail,) = mails(back, "bob")
    assert parsedate_to_datetime(mail["Date"]) == sent_at
    until = offer.claim_by.astimezone(SGT)
    assert f"until {until:%H:%M} today (SGT)" in parts(mail)["text/plain"]
    assert desk.problems() == []
    desk.product.close()


@pytest.mark.spec("EV-23", "FD-15")
def test_a_guest_who_cannot_be_reached_does_not_delay_an_offer(tmp_path: Path) -> None:
    answers = {"nobody@example.org": "550 5.1.1 unknown"}
    with SmtpSink(answers=answers) as sink:
        desk, channel = desk_and_channel(tmp_path, sink)
        desk.given(cap=1, confirmed=["ann"], line=["bob", "cat"])
        answers["bob@example.org"] = "550 5.1.1 unknown"
        desk.do(Cancel(desk.id("ann")))
        channel.close()

    assert desk.states() == {
        "ann": State.CANCELLED,
        "bob": State.WAITING,
        "cat": State.OFFERED,
    }
    person = desk.reads.person(desk.guest("bob").person_id)
    assert person is not None
    assert person.bounced == "recipient: 550 5.1.1 unknown"
    assert parts(mails(sink, "cat")[-1])["text/plain"].startswith("This seat is yours until 15:00")
    assert desk.dead_letters() == ["recipient: 550 5.1.1 unknown"]
    assert desk.problems() == []
    desk.product.close()
