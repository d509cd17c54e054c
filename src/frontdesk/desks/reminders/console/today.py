"""The reminders desk's cards on Today, and a person's appointments on their page."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from datetime import datetime, timedelta
from typing import Final
from zoneinfo import ZoneInfo

from frontdesk.core.localtime import to_wall, zone
from frontdesk.core.people import Person
from frontdesk.core.phones import shown
from frontdesk.core.words import count
from frontdesk.desks.reminders.console.event_cards import event_cards
from frontdesk.desks.reminders.console.page import (
    PROPOSED,
    REMINDERS,
    appointment_url,
    chip_of,
    day_and_time,
    name_on,
    open_proposals,
    record_lines,
    wants_to_move,
)
from frontdesk.desks.reminders.decide.appointments import is_overdue
from frontdesk.desks.reminders.decide.documents import SAVED_DOCUMENT
from frontdesk.desks.reminders.figures import is_refilled
from frontdesk.desks.reminders.load import reminder_reads
from frontdesk.desks.reminders.model import (
    PAUSE_STATE,
    Appointment,
    AppointmentSource,
    AppointmentState,
    Window,
)
from frontdesk.desks.reminders.reads import ReminderReads
from frontdesk.engine.ports import Reads
from frontdesk.features.documents.console import mistakes_card
from frontdesk.values import Frozen, replace
from frontdesk.web.console.formatting import short_date
from frontdesk.web.console.lists import with_query
from frontdesk.web.console.sections import PersonPlace, TodayCard

_AHEAD: Final = timedelta(days=60)
#: The most appointments of one kind with a card of their own.
MOST: Final = 20
_DAY: Final = timedelta(days=1)
_YEAR: Final = timedelta(days=400)


def cards(reads: Reads, now: datetime) -> Sequence[TodayCard]:
    ar = reminder_reads(reads)
    tz = zone(ar.rules().zone)
    rules = ar.rules()
    ahead = ar.appointments_between(now, now + _AHEAD)
    coming = [one for one in ahead if one.is_live]
    overdue = [one for one in coming if is_overdue(rules, one, now)]
    told = [one for one in coming if one.is_unanswered and Window.GAP in one.settled]
    cards_of = _CardsOf(ar, tz)
    return [
        *mistakes_card(reads.engine.setting(SAVED_DOCUMENT), "reminders", f"{REMINDERS}/rules"),
        *_proposed(ar),
        *_paused(reads, tz),
        *_limited_cards(list(filter(wants_to_move, coming)), cards_of.move, "move"),
        *event_cards(ar, ahead, tz),
        *_limited_cards(overdue, cards_of.overdue, "unanswered"),
        *_limited_cards(
            [one for one in told if not is_overdue(rules, one, now)], cards_of.gap, "unanswered"
        ),
        *_limited_cards(_came_free(ahead, now), cards_of.cancelled, "ended"),
        *_tomorrow(coming, now),
    ]


def _limited_cards(
    found: Sequence[Appointment], card: Callable[[Appointment], TodayCard], state: str
) -> Iterator[TodayCard]:
    """A card for each of the first appointments, and one card for the rest."""
    cards = [card(one) for one in found[:MOST]]
    yield from cards
    if left := len(found) - len(cards):
        last = cards[-1]
        yield replace(
            last,
            title=f"{left} more like these",
            text="They are in the list of appointments.",
            url=with_query(REMINDERS, {"state": state}),
            button="See the list",
            action="",
            action_url="",
        )


def _proposed(ar: ReminderReads) -> Iterator[TodayCard]:
    if n := open_proposals(ar):
        yield TodayCard(
            title="1 appointment to approve" if n == "1" else f"{n} appointments to approve",
            text="Read from mails or calendars. Reminders go out once you approve.",
            url=PROPOSED,
            button="Review the appointment" if n == "1" else "Review the appointments",
            icon="messages",
            state="ending",
        )


def _paused(reads: Reads, tz: ZoneInfo) -> Iterator[TodayCard]:
    since = reads.engine.setting(PAUSE_STATE).since
    if since is not None:
        wall = to_wall(since, tz)
        yield TodayCard(
            title="Reminders are paused",
            text=f"Nobody has been reminded since {short_date(wall.date())}, {wall:%H:%M}.",
            url=f"{REMINDERS}/next",
            button="See what is paused",
            icon="alert",
            chip="Paused",
            state="ending",
        )


class _CardsOf(Frozen):
    """Builds cards of appointments."""

    ar: ReminderReads
    tz: ZoneInfo

    def _name(self, one: Appointment) -> str:
        return name_on(one, self.ar.person(one.person_id))

    def move(self, one: Appointment) -> TodayCard:
        return TodayCard(
            title=f"{self._name(one)} wants another time",
            text=f"{self._what(one)}.",
            url=appointment_url(one.id),
            button="See the appointment",
            icon="bookings",
            chip="Move",
            state="waiting",
            at=one.starts_at,
        )

    def overdue(self, one: Appointment) -> TodayCard:
        """The card of an appointment that nobody confirmed in time."""
        call = f"Call {_reach(self.ar, one)}, or give the time away."
        return TodayCard(
            title=f"{self._name(one)} did not confirm in time",
            text=f"{self._what(one)}. {call}",
            url=appointment_url(one.id),
            button="See the appointment",
            action="Give the time away",
            action_url=f"{appointment_url(one.id)}/release",
            icon="alert",
            chip="Not confirmed",
            state="ending",
            at=one.starts_at,
        )

    def gap(self, one: Appointment) -> TodayCard:
        """The card of an unanswered appointment after the alert to staff."""
        return TodayCard(
            title=f"No answer from {self._name(one)}",
            text=f"{self._what(one)}. Call {_reach(self.ar, one)}.",
            url=appointment_url(one.id),
            button="See the appointment",
            icon="alert",
            chip="No answer",
            state="ending",
            at=one.starts_at,
        )

    def cancelled(self, one: Appointment) -> TodayCard:
        by_answer = one.answered_at == one.closed_at
        about = " cannot come" if by_answer else f": {one.service}"
        return TodayCard(
            title=f"{self._name(one)}{about}",
            text=f"{self._what(one)}. Nobody has taken the time yet.",
            url=appointment_url(one.id),
            button="See the appointment",
            icon="bookings",
            chip="Cancelled",
            state="gone",
            needs_you=False,
            at=one.starts_at,
        )

    def _what(self, one: Appointment) -> str:
        return f"{one.service}, {day_and_time(one, self.tz)}"


def _reach(ar: ReminderReads, one: Appointment) -> str:
    """The number to call; 'them' if there is none."""
    person = ar.person(one.person_id)
    return shown(person.mobile) if person and person.mobile else one.phone or "them"


def _came_free(ahead: Sequence[Appointment], now: datetime) -> list[Appointment]:
    """Appointments that were cancelled within a day and whose time is still free."""
    return [
        one
        for one in ahead
        if one.state is AppointmentState.CANCELLED
        and one.closed_at is not None
        and one.closed_at > now - _DAY
        and not is_refilled(one, ahead)
    ]


def _tomorrow(coming: Sequence[Appointment], now: datetime) -> Iterator[TodayCard]:
    soon = [one for one in coming if one.starts_at <= now + _DAY]
    open_ = [one for one in soon if one.is_unanswered]
    confirmed = [one for one in soon if one.state is AppointmentState.CONFIRMED]
    to_move = len(soon) - len(open_) - len(confirmed)
    if soon:
        move = f", {to_move} to move" if to_move else ""
        yield TodayCard(
            title=f"{count(len(soon), 'appointment')} in the next 24 hours",
            text=f"{len(confirmed)} confirmed, {len(open_)} without an answer{move}.",
            url=with_query(REMINDERS, {"state": "unanswered"} if open_ else {}),
            button="See the appointments",
            icon="bookings",
            needs_you=False,
        )


def record(reads: Reads, person: Person, now: datetime) -> Sequence[tuple[str, str]]:
    """The person's record of visits; empty if they never had an appointment."""
    ar = reminder_reads(reads)
    visits = ar.appointments_of(person.id)
    return record_lines(visits, zone(ar.rules().zone), now) if visits else ()


def places(reads: Reads, person: Person) -> Sequence[PersonPlace]:
    ar = reminder_reads(reads)
    tz = zone(ar.rules().zone)
    return [
        PersonPlace(
            desk="Reminders",
            title=f"{one.service}, {day_and_time(one, tz)}",
            url=appointment_url(one.id),
            word=chip_of(one).word,
            state=chip_of(one).state,
            about=one.id,
            repeats=one.ref if one.source is AppointmentSource.BOOKING else "",
            data={"service": one.service, "starts_at": one.starts_at.isoformat()},
        )
        for one in ar.appointments_of(person.id)
    ]


def count_upcoming(reads: Reads, now: datetime) -> tuple[int, str, str]:
    """Counts appointments that no booking of the booking desk is behind."""
    ahead = reminder_reads(reads).appointments_between(now, now + _YEAR)
    live = [one for one in ahead if one.is_live and one.source is not AppointmentSource.BOOKING]
    return len(live), "appointment", "appointments"
