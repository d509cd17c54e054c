"""A contact that staff correct on the waitlist also changes at the other desks."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from frontdesk.core.people import PersonId
from frontdesk.core.sends import SendState
from frontdesk.desks.booking.commands import Book
from frontdesk.desks.booking.model import BookingId
from frontdesk.desks.rsvp.commands import Cancel, SignUp
from frontdesk.desks.rsvp.model import GuestId
from frontdesk.desks.rsvp.model import Lane as GuestLane
from frontdesk.desks.waitlist.commands import EditEntry, JoinList
from frontdesk.desks.waitlist.model import EntryId, Lane, Wish
from frontdesk.values import replace
from tests.support.booking import hex_id
from tests.support.four_desks import EVENT, FourDesks
from tests.support.rsvp_dynamodb import ALL


@pytest.fixture
def shop(tmp_path: Path) -> Iterator[FourDesks]:
    shop = FourDesks(tmp_path).opens()
    yield shop
    shop.close()


def told(shop: FourDesks, address: str) -> list[str]:
    """Returns the kinds of messages that went to this address, in order."""
    engine = shop.back.engine.reads().engine
    kept = [
        (send.kind, engine.sent_message(send.id))
        for send in shop.back.store.sends_in(SendState.SENT, ALL)
    ]
    return [kind for kind, message in kept if message and message.to_email == address]


def signs_up(shop: FourDesks, name: str) -> GuestId:
    guest = GuestId(shop.new_id())
    who = PersonId(shop.new_id())
    shop.do(SignUp(EVENT, guest, who, name, f"{name}@example.org", 1, GuestLane.FORM))
    return guest


def on_the_list(shop: FourDesks, name: str) -> EntryId:
    entry, today = EntryId(shop.new_id()), shop.clock.now().date()
    wish = Wish("cut", 1, today, today + timedelta(days=30))
    shop.do(JoinList(entry, PersonId(shop.new_id()), name, f"{name}@example.org", wish, Lane.STAFF))
    return entry


def corrected(shop: FourDesks, entry_id: EntryId, name: str, email: str) -> None:
    entry = shop.wl.entry(entry_id)
    assert entry is not None
    new = EntryId(shop.new_id())
    shop.do(EditEntry(entry_id, new, name, email, "", entry.wish, entry.joined_at))


@pytest.mark.spec("FD-10", "EV-21")
def test_an_open_offer_of_a_seat_goes_to_an_address_that_is_corrected_on_the_waitlist(
    shop: FourDesks,
) -> None:
    ann, bob = signs_up(shop, "ann"), signs_up(shop, "bob")
    entry = on_the_list(shop, "bob")
    shop.do(Cancel(ann))
    assert told(shop, "bob@example.org").count("offer") == 1

    corrected(shop, entry, "bob", "robert@example.org")

    assert "offer" in told(shop, "robert@example.org")
    guest = shop.ev.guest(bob)
    assert guest is not None
    assert (guest.email, guest.live) == ("robert@example.org", True)
    assert shop.problems() == []


@pytest.mark.spec("FD-10")
def test_a_booking_takes_over_a_contact_that_is_corrected_on_the_waitlist(shop: FourDesks) -> None:
    booking = BookingId(hex_id("b"))
    starts_at = shop.clock.now() + timedelta(days=3)
    who = PersonId(shop.new_id())
    shop.do(Book(booking, who, "cut", starts_at, "bob", "bob@example.org"))
    entry = on_the_list(shop, "bob")

    corrected(shop, entry, "bob", "robert@example.org")

    found = shop.bk.booking(booking)
    assert found is not None
    assert found.email == "robert@example.org"
    assert told(shop, "robert@example.org") != []
    assert shop.problems() == []


@pytest.mark.spec("FD-10")
def test_another_wish_of_a_guest_leaves_their_sign_up_and_their_links_alone(
    shop: FourDesks,
) -> None:
    bob = signs_up(shop, "bob")
    entry = on_the_list(shop, "bob")
    before, mails = shop.ev.guest(bob), told(shop, "bob@example.org")
    known = shop.wl.entry(entry)
    assert known is not None
    longer = replace(known.wish, latest_on=known.wish.latest_on + timedelta(days=5))

    shop.do(EditEntry(entry, EntryId("x"), "bob", "bob@example.org", "", longer, known.joined_at))

    assert shop.ev.guest(bob) == before
    assert told(shop, "bob@example.org") == mails
