"""The demo business is real: the engine makes it, around today, at any hour."""

from collections import Counter
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from frontdesk.desks.booking.load import booking_reads
from frontdesk.desks.booking.model import RequestStatus
from frontdesk.desks.reminders.load import reminder_reads
from frontdesk.desks.rsvp.model import OfferState, State
from frontdesk.desks.rsvp.reads import RsvpReads
from frontdesk.desks.waitlist.load import waitlist
from frontdesk.desks.waitlist.model import EntryStatus, Lane, SlotStatus
from frontdesk.doctor import check_up
from frontdesk.embedded.demo import fill
from frontdesk.embedded.demo.rsvp import LAST_SEAT, OPEN_STUDIO, SUPPER, WORKSHOP
from frontdesk.embedded.demo.waitlist import LESSON, TABLE, WHEEL
from frontdesk.features.proposals.model import ProposalStatus
from frontdesk.settings import Settings
from frontdesk.store.sqlite.view import View, open_view
from frontdesk.wiring.one_machine import TABLES, data_file
from tests.cli.conftest import Shell
from tests.support.slack import slack

NOON = datetime(2026, 11, 16, 12, tzinfo=UTC)
HOUR = timedelta(hours=1)


def ev_of(view: View) -> RsvpReads:
    ev: RsvpReads = view.reads.desk("ev")
    return ev


@pytest.mark.spec("FD-17")
@pytest.mark.parametrize("hours", [0, 6, 12, 18], ids=lambda hours: f"noon plus {hours} hours")
def test_at_any_hour_the_demo_has_an_open_offer_and_no_problems(
    tmp_path: Path, hours: int, capsys: pytest.CaptureFixture[str]
) -> None:
    now = NOON + timedelta(hours=hours)
    fill(Settings(data_dir=tmp_path), now)

    assert capsys.readouterr().err == "", "the logs of the past are of no interest"
    with open_view(data_file(tmp_path), TABLES) as view:
        ev = ev_of(view)
        seats = {event.slug: event.seats for event in ev.events()}
        assert set(seats) == {WORKSHOP, SUPPER, OPEN_STUDIO, LAST_SEAT}
        assert 35 <= seats[WORKSHOP].taken < 40
        assert (seats[SUPPER].taken, seats[SUPPER].offered, seats[SUPPER].free) == (11, 1, 0)
        assert seats[LAST_SEAT].free == 1
        [offer] = [
            offer
            for offer in ev.offers(next(e.id for e in ev.events() if e.slug == SUPPER))
            if offer.state is OfferState.LIVE
        ]
        assert offer.claim_by is not None
        assert offer.claim_by - now > timedelta(hours=5)
        wl = waitlist(view.reads)
        board = sorted(
            (slot.opening.service, slot.opening.staff, slot.status, slot.live, slot.offers)
            for slot in wl.freed_between(now - timedelta(minutes=90), now)
        )
        assert board == [
            (LESSON, "Aiko", SlotStatus.HANDED_BACK, False, 0),
            (TABLE, "", SlotStatus.HANDED_BACK, False, 2),
            (WHEEL, "Aiko", SlotStatus.BOOKED, False, 1),
            (WHEEL, "Jonas", SlotStatus.OPEN, True, 1),
            (WHEEL, "Mira", SlotStatus.OPEN, True, 2),
        ]
        assert all(now < slot.opening.starts_at for slot in wl.freed_between(now - HOUR * 2, now))
        assert check_up(view, now, served=False).problems == ()


def test_each_part_of_the_demo_has_something_to_look_at(tmp_path: Path) -> None:
    fill(Settings(data_dir=tmp_path), NOON)

    with open_view(data_file(tmp_path), TABLES) as view:
        ev = ev_of(view)
        events = {event.slug: event for event in ev.events()}
        assert ev.counts(events[WORKSHOP].id)[State.PENDING] == (3, 3)
        assert events[OPEN_STUDIO].thanks.startswith("Thank you for coming to Open studio.")
        assert (
            sum(row.guest.arrived for row in ev.guest_rows(events[OPEN_STUDIO].id, limit=99)) == 15
        )
        mail = Counter(kind for (kind,) in view.db.execute(
            "SELECT kind FROM fd_send JOIN fd_message USING (send_id)"
        ))  # fmt: skip
        assert {"confirmed", "waitlisted", "invitation", "offer", "headcount", "reminder"} <= set(
            mail
        )


def test_nothing_of_the_demo_s_past_leaves_the_machine(tmp_path: Path) -> None:
    with slack() as room:
        fill(Settings(data_dir=tmp_path, channel="smtp", smtp_port=1, **room.settings), NOON)

    assert room.asked == []
    with open_view(data_file(tmp_path), TABLES) as view:
        [channels] = view.db.execute("SELECT group_concat(DISTINCT channel) FROM fd_message")
        assert channels == ("mailbox",)
        assert check_up(view, NOON, served=False).problems == ()


def test_the_demo_has_a_list_with_people_from_every_lane_and_requests_to_look_at(
    tmp_path: Path,
) -> None:
    fill(Settings(data_dir=tmp_path), NOON)

    with open_view(data_file(tmp_path), TABLES) as view:
        wl = waitlist(view.reads)
        entries = wl.entries(limit=999)
        status = Counter(entry.status for entry in entries)
        assert status[EntryStatus.WAITING] > 30
        assert set(status) == set(EntryStatus)
        assert {entry.lane for entry in entries} == {Lane.STAFF, Lane.FORM, Lane.INBOX}
        lesson, birthday = sorted(
            wl.proposals(ProposalStatus.OPEN, 9), key=lambda one: one.received_at
        )
        assert {one.name: one.value for one in lesson.fields} == {
            "name": "Noor Haddad",
            "phone": "+12125550191",
            "email": "noor.haddad@example.org",
            "service": LESSON,
            "earliest_on": "2026-11-19",
            "latest_on": "2026-11-28",
            "staff": "Jonas",
        }
        assert {one.name: one.value for one in birthday.fields} == {
            "name": "Wim de Vries",
            "email": "wim.de.vries@example.org",
            "service": TABLE,
            "party": "5",
        }


def test_the_demo_has_a_request_that_was_answered_and_two_mails_to_check(tmp_path: Path) -> None:
    fill(Settings(data_dir=tmp_path), NOON)

    with open_view(data_file(tmp_path), TABLES) as view:
        requests = {one.sender: one for one in booking_reads(view.reads).all_requests()}
        answered, unclear = (
            requests[f"{name}@example.org"] for name in ("petra.vogel", "luis.prado")
        )
        assert (answered.status, len(answered.proposed)) == (RequestStatus.OPEN, 3)
        assert (unclear.status, unclear.proposed) == (RequestStatus.DRAFT, ())
        [tour] = reminder_reads(view.reads).proposals(ProposalStatus.OPEN, 9)
        read = {one.name: one.value for one in tour.fields}
        assert read == {
            "name": "Ines Falk",
            "email": "ines.falk@example.org",
            "staff": "Mira",
            "date": "2026-11-22",
            "time": "16:30",
            "minutes": "45",
        }


def test_the_people_are_the_same_each_time(tmp_path: Path) -> None:
    found = []
    for folder in (tmp_path / "one", tmp_path / "two"):
        folder.mkdir()
        fill(Settings(data_dir=folder), NOON)
        with open_view(data_file(folder), TABLES) as view:
            found.append(
                view.db.execute(
                    "SELECT name, email, mobile FROM fd_person ORDER BY 2, 3"
                ).fetchall()
            )

    assert found[0] == found[1]
    assert all(
        email.endswith("@example.org") or mobile.startswith("+1212555")
        for _, email, mobile in found[0]
    )


def test_the_demo_is_made_once_and_never_over_what_is_there(empty: Shell) -> None:
    assert empty.says("demo").startswith("The demo business is in ")
    before = empty.data("events")

    assert empty.fails("demo") == (
        f"{empty.data_dir} has data already; the demo needs an empty folder."
    )
    assert empty.data("events") == before
    assert sorted(path.name for path in empty.data_dir.iterdir()) == [
        "frontdesk.db",
        "frontdesk.lock",
        "link-keys.json",
        "number-key",
    ]
