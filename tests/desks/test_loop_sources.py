"""The same loop for each way and place to end a visit: the next person gets its time."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest

from frontdesk.desks.booking.model import BookingStatus, handover_id
from frontdesk.desks.reminders import commands as ar
from frontdesk.desks.waitlist.model import OfferState, SlotStatus
from frontdesk.wiring.booking.calendars import ConnectedCalendars
from tests.desks.test_loop import Loop
from tests.support.reminders import FRIDAY, HOUR

#: Hours from Monday at nine to a moment after the first reminder, and to one in the visit.
REMINDED, BEGUN = 74, 97
CANCELLED = BookingStatus.CANCELLED
Source = Callable[[Loop], None]


def tap_in_a_reminder(loop: Loop) -> None:
    loop.answer_reminder(0, True, ar.Cancel)


def booking_page(loop: Loop) -> None:
    loop.cancel_on_the_booking_page(0, True)


def calendar_deletion(loop: Loop) -> None:
    assert loop.calendar.events, "the visit is in the calendar of its staff member"
    loop.delete_in_the_calendar(0, True)


def webhook(loop: Loop) -> None:
    loop.webhook(FRIDAY + HOUR, 7, True, "Mira")


def no_show_tap(loop: Loop) -> None:
    loop.tap_no_show(0, True, at_reminders=not loop.is_off("reminders"))


SOURCES: dict[str, tuple[Source, int]] = {
    "a tap in a reminder": (tap_in_a_reminder, REMINDED),
    "the booking page": (booking_page, REMINDED),
    "a deletion in a calendar": (calendar_deletion, REMINDED),
    "a webhook": (webhook, REMINDED),
    "a no-show tap": (no_show_tap, BEGUN),
}


@contextmanager
def week(monkeypatch: pytest.MonkeyPatch, desk_off: str, hours: int) -> Iterator[Loop]:
    """Books Friday at ten for Ann; Eva waits."""
    monkeypatch.setattr(ConnectedCalendars, "_client", lambda *_: Loop.calendar)
    monkeypatch.setattr(Loop, "desks_off", desk_off)
    loop = Loop()
    loop.begin(["ann"], ["eva"], hours)
    yield loop
    loop.teardown()


#: A reminders desk that is switched off sends no reminders.
PAIRS = [
    (source, desk)
    for source in SOURCES
    for desk in ("", "rsvp", "booking", "waitlist", "reminders")
    if (source, desk) != ("a tap in a reminder", "reminders")
]


@pytest.mark.spec("AR-11", "AR-15", "BK-16", "BK-31")
@pytest.mark.parametrize(("source", "desk_off"), PAIRS)
def test_the_next_person_gets_a_freed_time_and_without_a_waitlist_it_is_free(
    source: str, desk_off: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    free, hours = SOURCES[source]
    with week(monkeypatch, desk_off, hours) as loop:
        free(loop)
        loop.settle()
        ended = [one.status for one in loop.desks.bookings() if one.name == "Ann"]
        assert source == "a webhook" or ended in ([CANCELLED], [BookingStatus.NO_SHOW])
        if desk_off == "waitlist":
            assert loop.desks.slots() == []
            assert loop._held() == set()
            return
        [slot] = loop.desks.slots()
        assert (slot.status, slot.live) == (SlotStatus.OPEN, True)
        assert loop._held() == {f"handover:{handover_id(slot.origin)}"}

        loop.claim_an_offer(0, True)
        loop.settle()

        [evas] = [one for one in loop.desks.bookings() if one.name == "Eva"]
        assert (evas.status, evas.ends_at) == (BookingStatus.CONFIRMED, slot.ends_at)
        assert loop._held() == set()
        assert [one.state for one in loop.desks.wl.offers(slot.id)] == [OfferState.CLAIMED]
        visit = loop.desks.appointment_of(evas)
        is_expected = desk_off != "reminders" and loop.now < evas.starts_at
        assert (visit is not None and visit.is_live) == is_expected


@pytest.mark.spec("AR-11", "BK-16")
@pytest.mark.parametrize("source", SOURCES)
def test_a_freed_time_that_nobody_wants_can_be_booked_again(
    source: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    free, hours = SOURCES[source]
    with week(monkeypatch, "", hours) as loop:
        free(loop)
        loop.decline_an_offer(0, True, False)
        loop.settle()

        [slot] = loop.desks.slots()
        assert (slot.status, slot.offer_seq) == (SlotStatus.HANDED_BACK, 0)
        assert loop._held() == set()
        assert [one.state for one in loop.desks.wl.offers(slot.id)] == [OfferState.DECLINED]
