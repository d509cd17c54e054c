"""Describes an event or a month of a desk, and counts how often each occasion occurs in it."""

from __future__ import annotations

from typing import Final

from frontdesk.cost.estimate import HOURS_IN_A_MONTH, Occasion
from frontdesk.values import Frozen

#: The average number of page visits before a sign-up.
_VISITS_BEFORE_SIGNING_UP: Final = 3


class EventWorkload(Frozen):
    """One event. `waiting` people come on top of the guests."""

    guests: int
    waiting: int
    cancellations: int
    offers: int
    """The number of freed seats that were offered. A lapsed offer is followed by another."""
    lapsed: int
    reminders: int
    """The number for each guest."""
    moved: int
    """The number of times the event was moved; everybody is told each time."""
    by_mail: int
    """The number of guests who signed up by e-mail."""
    imported: int
    """The number of guests from a list of the host."""
    headcounts: int
    thank_you: bool
    console_views: int


def described(
    guests: int,
    *,
    waiting: int | None = None,
    cancellations: int | None = None,
    offers: int | None = None,
    lapsed: int | None = None,
    reminders: int = 3,
    moved: int = 0,
    by_mail: int = 0,
    imported: int = 0,
    headcounts: int = 14,
    thank_you: bool = True,
    console_views: int = 100,
) -> EventWorkload:
    """Fills in missing numbers: one in ten guests cancels, and as many wait."""
    tenth = round(guests / 10)
    cancellations = tenth if cancellations is None else cancellations
    offers = cancellations if offers is None else offers
    return EventWorkload(
        guests=guests,
        waiting=tenth if waiting is None else waiting,
        cancellations=cancellations,
        offers=offers,
        lapsed=round(offers / 4) if lapsed is None else lapsed,
        reminders=reminders,
        moved=moved,
        by_mail=by_mail,
        imported=imported,
        headcounts=headcounts,
        thank_you=thank_you,
        console_views=console_views,
    )


def occasions(event: EventWorkload) -> dict[Occasion, float]:
    """Returns how often each occasion occurs because of the event."""
    by_form = max(0, event.guests - event.by_mail - event.imported)
    claimed = max(0, event.offers - event.lapsed)
    return {
        "visit": _VISITS_BEFORE_SIGNING_UP * (by_form + event.waiting),
        "sign-up-confirmed": by_form,
        "sign-up-waiting": event.waiting,
        "link-view": event.cancellations + event.offers,
        "cancelled": event.cancellations,
        "offer-made": event.offers,
        "offer-claimed": claimed,
        "offer-lapsed": event.lapsed,
        "reminder": event.reminders * event.guests,
        "moved": event.moved * event.guests,
        "mail-in": event.by_mail,
        "import-row": event.imported,
        "headcount": event.headcounts,
        "thank-you": event.guests if event.thank_you else 0,
        "thank-you-draft": int(event.thank_you),
        "console-view": event.console_views,
    }


#: The average number of visits of the form before somebody joins.
_VISITS_BEFORE_JOINING: Final = 2
#: The list is divided into this many services; on average, half of a service's entries are ahead.
_SERVICES: Final = 4
#: Hours in which the list may change: ten on each of 26 days. A version is saved at most hourly.
_HOURS_OPEN: Final = 260
_DAYS: Final = 30
_WEEKS: Final = 4
#: The number of checks of a sheet in a month: one every three minutes.
_LOOKS: Final = 14_600
_REQUESTS: Final = 5
_PICTURES: Final = 1
#: Page views of staff in a month, and for each slot.
_VIEWS: Final = 100
_VIEWS_OF_A_SLOT: Final = 3


class WaitlistMonth(Frozen):
    entries: int
    """The number of people who join the list."""
    requests: int
    """The number of them who join by mail, which staff approve."""
    pictures: int
    """The number of pictures in these mails whose text is read."""
    slots: int
    """The number of slots that come free."""
    offers: int
    claimed: int
    by_text: int
    """The percentage of messages that are texts; the others are mails."""
    sheet: bool
    """True if staff edit the list in a Google Sheet."""
    console_views: int


def month(
    entries: int,
    *,
    requests: int | None = None,
    pictures: int = _PICTURES,
    slots: int | None = None,
    offers: int | None = None,
    by_text: int = 75,
    sheet: bool = False,
    console_views: int | None = None,
) -> WaitlistMonth:
    """Fills in missing numbers: two slots for five entries, two offers for each slot."""
    requests = _REQUESTS if requests is None else requests
    slots = round(entries * 2 / 5) if slots is None else slots
    offers = 2 * slots if offers is None else offers
    return WaitlistMonth(
        entries=entries,
        requests=min(requests, entries),
        pictures=pictures if requests and entries else 0,
        slots=slots,
        offers=offers,
        claimed=min(offers, round(slots * 9 / 10)),
        by_text=by_text,
        sheet=sheet,
        console_views=_VIEWS + _VIEWS_OF_A_SLOT * slots if console_views is None else console_views,
    )


def month_occasions(month: WaitlistMonth) -> dict[Occasion, float]:
    """Returns how often each occasion occurs; half of the unclaimed offers are declined."""
    by_form = month.entries - month.requests
    passed = month.offers - month.claimed
    kept = min(_HOURS_OPEN, month.entries + month.claimed)
    ahead = month.entries / _SERVICES / 2
    to_people = month.entries + month.offers + month.claimed
    texts = to_people * month.by_text / 100
    to_staff = month.requests + max(0, month.slots - month.claimed)
    return {
        "form-visit": _VISITS_BEFORE_JOINING * by_form,
        "joined": by_form,
        "request": month.requests,
        "place-view": month.entries,
        "slot-freed": month.slots,
        "slot-declined": passed - passed // 2,
        "slot-lapsed": passed // 2,
        "slot-claimed": month.claimed,
        "list-kept": kept,
        "hundred-kept": kept * month.entries / 100,
        "hundred-ahead": (by_form + month.entries) * ahead / 100,
        "sheet-look": _LOOKS if month.sheet else 0,
        "board-view": month.console_views,
        "summary": 1,
        "text": texts,
        "mail": to_people - texts + to_staff,
    }


#: The average number of visits of the booking page before somebody books, and of days looked at.
_VISITS_BEFORE_BOOKING: Final = 2
_DAYS_LOOKED_AT: Final = 2
#: How often calendars, and the sheet of appointments, are read in a month: every five
#: minutes.
_CALENDAR_LOOKS: Final = 8_760
#: One in this many requests by mail names no service.
_REQUESTS_FOR_ONE_UNNAMED: Final = 4
#: The number of times that the index of services is compared with the rules: every 15 minutes.
_CONFIG_LOOKS: Final = 2_920
#: Page views of staff in a month, and for each booking.
_VIEWS_OF_A_BOOKING: Final = 2


class BookingMonth(Frozen):
    bookings: int
    requests: int
    """The number of them that began as a mail, which is answered with times."""
    moved: int
    cancelled: int
    refilled: int
    """The number of cancelled times that somebody on the waitlist takes."""
    reminders: int
    """The number for each booking."""
    by_text: int
    """The percentage of messages that are texts; the others are mails."""
    calendars: bool
    """True if calendars are connected, which are read and written."""
    console_views: int
    embeddings: bool = False
    """True if embeddings propose a service for a request that names none."""


def booking_month(
    bookings: int,
    *,
    requests: int | None = None,
    moved: int | None = None,
    cancelled: int | None = None,
    refilled: int | None = None,
    reminders: int = 2,
    by_text: int = 25,
    calendars: bool = False,
    console_views: int | None = None,
    embeddings: bool = False,
) -> BookingMonth:
    """Fills in missing numbers: one in ten writes a mail, one moves, one cancels."""
    tenth = round(bookings / 10)
    cancelled = tenth if cancelled is None else cancelled
    views = _VIEWS + _VIEWS_OF_A_BOOKING * bookings
    return BookingMonth(
        bookings=bookings,
        requests=min(bookings, tenth if requests is None else requests),
        moved=tenth if moved is None else moved,
        cancelled=cancelled,
        refilled=min(cancelled, round(cancelled / 2) if refilled is None else refilled),
        reminders=reminders,
        by_text=by_text,
        calendars=calendars,
        console_views=views if console_views is None else console_views,
        embeddings=embeddings,
    )


def booking_occasions(month: BookingMonth) -> dict[Occasion, float]:
    """Returns how often each occasion occurs. Each customer who books opens the page of the
    booking.
    """
    by_page = month.bookings - month.requests
    reminders = month.reminders * month.bookings
    writes = month.bookings + month.moved + month.cancelled + month.refilled
    to_people = month.bookings + month.moved + month.cancelled + reminders + 2 * month.refilled
    texts = to_people * month.by_text / 100
    unnamed = -(-month.requests // _REQUESTS_FOR_ONE_UNNAMED)
    return {
        "book-visit": _VISITS_BEFORE_BOOKING * by_page,
        "times-view": _DAYS_LOOKED_AT * by_page,
        "time-held": by_page,
        "booked": by_page,
        "booking-view": month.bookings,
        "booking-moved": month.moved,
        "booking-cancelled": month.cancelled,
        "booking-refilled": month.refilled,
        "booking-reminder": reminders,
        "booking-request": month.requests,
        "proposal-booked": month.requests,
        "calendar-look": _CALENDAR_LOOKS if month.calendars else 0,
        "calendar-write": writes if month.calendars else 0,
        "service-embedded": unnamed if month.embeddings else 0,
        "config-look": _CONFIG_LOOKS if month.embeddings else 0,
        "day-view": month.console_views,
        "booking-text": texts,
        "booking-mail": to_people - texts + month.requests,
    }


#: The days that the tick looks ahead: the longest reminder, and room for holidays.
_DAYS_TICKED: Final = 13
#: The percentage of customers who answer the first reminder.
_ANSWER_THE_FIRST: Final = 60
#: The percentage of customers who never answer; staff are told.
_NEVER_ANSWER: Final = 10


class AppointmentMonth(Frozen):
    """A month of the reminders desk. The bookings themselves are those of a month of bookings."""

    appointments: int
    reminders: int
    """The number of messages: whoever answers the first gets no second."""
    confirmed: int
    cancelled: int
    alerts: int
    """The number of alerts to staff: somebody cancelled, or never answered."""
    by_text: int
    """The percentage of reminders that are texts; the others are mails."""
    sheet: bool
    """True if staff keep appointments in a Google Sheet."""
    console_views: int


def appointment_month(
    appointments: int,
    *,
    reminders: int = 2,
    cancelled: int | None = None,
    by_text: int = 75,
    sheet: bool = False,
    console_views: int | None = None,
) -> AppointmentMonth:
    """Fills in missing numbers: one in ten cancels, and one never answers. `reminders` is the
    number for an appointment whose customer does not answer."""
    tenth = round(appointments / 10)
    cancelled = min(appointments, tenth if cancelled is None else cancelled)
    silent = min(round(appointments * _NEVER_ANSWER / 100), appointments - cancelled)
    asked_again = round(appointments * (100 - _ANSWER_THE_FIRST) / 100)
    more = max(0, reminders - 1)
    return AppointmentMonth(
        appointments=appointments,
        reminders=(appointments + more * asked_again) if reminders else 0,
        confirmed=appointments - cancelled - silent,
        cancelled=cancelled,
        alerts=cancelled + silent,
        by_text=by_text,
        sheet=sheet,
        console_views=_VIEWS + appointments if console_views is None else console_views,
    )


def appointment_occasions(month: AppointmentMonth) -> dict[Occasion, float]:
    """Returns how often each occasion occurs. The summary of a week asks as much as the monthly one
    of the waitlist.
    """
    texts = month.reminders * month.by_text / 100
    coming = month.appointments * _DAYS_TICKED / _DAYS
    kept = min(_HOURS_OPEN, month.appointments + month.confirmed + month.cancelled)
    return {
        "visit-followed": month.appointments,
        "visit-reminder": month.reminders,
        "visit-confirmed": month.confirmed,
        "visit-cancelled": month.cancelled,
        "hundred-ticked": HOURS_IN_A_MONTH * coming / 100,
        "visits-kept": kept,
        "hundred-visits-kept": kept * month.appointments / 100,
        "sheet-look": _CALENDAR_LOOKS if month.sheet else 0,
        "visits-view": month.console_views,
        "summary": _WEEKS,
        "visit-text": texts,
        "visit-mail": month.reminders - texts + month.alerts,
    }
