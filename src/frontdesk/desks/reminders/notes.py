"""Notes to customers and staff, made from facts: recipient, urgency and key."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any, Final

import msgspec

from frontdesk.core.decision import Fact
from frontdesk.core.notes import Note, Quiet, To, alert
from frontdesk.core.sends import TOO_DEAR
from frontdesk.desks.reminders import facts
from frontdesk.desks.reminders.model import CODE, AppointmentId, AppointmentSource, Means, Window
from frontdesk.values import replace

#: Marks the key of a reminder that goes by mail because its text was refused.
BY_MAIL: Final = "mail"
#: The kind of the note for each window with a message to the customer.
KINDS: Final = {
    Window.FIRST: "first_reminder",
    Window.SECOND: "second_reminder",
    Window.THIRD: "third_reminder",
}


def reminder_key(appointment_id: AppointmentId, chain: int, window: Window) -> str:
    return f"{CODE}/{appointment_id}/{chain}/{window.value}"


def reminder(fact: facts.ReminderFact) -> Note:
    """A reminder, which expires when the appointment begins."""
    return Note(
        KINDS[fact.window],
        to=fact.person_id,
        key=reminder_key(fact.appointment_id, fact.chain, fact.window),
        subject=fact.appointment_id,
        about=fact.person_id,
        quiet=Quiet.HOLD,
        tell_by=fact.starts_at,
        params={"chain": fact.chain, "together": " ".join(fact.together)},
    )


def text_undelivered(fact: facts.TextUndelivered) -> tuple[Note, ...]:
    """The same reminder by mail, and an alert to staff. At the monthly limit on texts, staff get
    one alert, not one for each text."""
    key = reminder_key(fact.appointment_id, fact.chain, fact.window)
    by_mail = Note(
        KINDS[fact.window],
        to=fact.person_id,
        key=f"{key}/{BY_MAIL}",
        subject=fact.appointment_id,
        about=fact.person_id,
        quiet=Quiet.HOLD,
        tell_by=fact.starts_at,
        params={"chain": fact.chain, "together": " ".join(fact.together), "by": BY_MAIL},
    )
    if fact.why == TOO_DEAR:
        return (by_mail,)
    told = _to_staff(fact, "text_undelivered", fact.chain, why=fact.why)
    return by_mail, replace(told, key=f"{key}/text_undelivered")


def gap_found(fact: facts.GapFound) -> Note | None:
    """Tells staff, except about cancelled bookings: the booking desk tells them of these."""
    if fact.why is facts.GapReason.UNANSWERED:
        return _to_staff(fact, "gap_alert", fact.chain)
    if fact.source is AppointmentSource.BOOKING:
        return None
    return _to_staff(fact, "cancelled_visit", fact.version)


def move_asked(fact: facts.MoveAsked) -> tuple[Note, ...]:
    """Customers who answer in words get the page with free times as well."""
    to_staff = _to_staff(fact, "move_asked", fact.version)
    if fact.means not in (Means.TEXT, Means.MAIL):
        return (to_staff,)
    return to_staff, _to_customer(fact, "choose_time")


def which_visit(fact: facts.WhichVisitAsked) -> Note:
    note = _to_customer(fact, "which_visit")
    return replace(note, params={"visits": " ".join(fact.visits)})


def words_received(fact: facts.WordsReceived) -> tuple[Note, ...]:
    """Passes the words to staff. Tells customers at once if a change comes too late, so that they
    call."""
    to_staff = _about_words(fact, "words_received")
    if fact.wanted is None:
        return (to_staff,)
    too_late = _to_customer(fact, "too_late")
    key = f"{CODE}/{fact.appointment_id}/too_late/{fact.chain}"
    return to_staff, replace(too_late, key=key)


def texts_refused(fact: facts.OptOutNoted) -> Note:
    return _about_words(fact, "texts_refused")


def _about_words(fact: facts.ReplyFact, kind: str) -> Note:
    note = _to_staff(fact, kind, fact.version, mail=fact.mail_id)
    return replace(note, key=f"{CODE}/{fact.appointment_id}/{kind}/{fact.mail_id}")


def cancelled(fact: facts.AppointmentCancelled) -> Note | None:
    """Tells customers, except those of the booking desk, which tells its own. Staff get an alert in
    their hours."""
    if fact.by is not facts.ChangedBy.CUSTOMER or fact.source is AppointmentSource.BOOKING:
        return None
    return _to_customer(fact, "cancelled")


def released(fact: facts.AppointmentReleased) -> Note | None:
    """Tells customers, except those of the booking desk, which tells its own."""
    if fact.source is AppointmentSource.BOOKING:
        return None
    return _to_customer(fact, "released")


def moved(fact: facts.AppointmentMoved) -> tuple[Note, ...]:
    """Tells the customer, unless the appointment moved at its source: then they know already."""
    if fact.by is facts.ChangedBy.SOURCE:
        return ()
    told = _to_customer(fact, "moved")
    if fact.by is facts.ChangedBy.STAFF:
        return (told,)
    return told, _to_staff(fact, "moved_visit", fact.version)


def undelivered(fact: facts.ReminderUndelivered) -> Note | None:
    """Tells staff. At the monthly limit on texts, they get one alert, not one for each reminder."""
    if fact.why == TOO_DEAR:
        return None
    return _to_staff(fact, "undelivered", fact.version, why=fact.why, window=fact.window.value)


def proposed(fact: facts.ProposalMade) -> Note:
    return Note(
        "proposed",
        to=To.HOSTS,
        key=f"{CODE}/{fact.proposal_id}/proposed",
        subject=fact.proposal_id,
        quiet=Quiet.IGNORE,
    )


def sheet_halted(fact: facts.SheetHalted) -> Note:
    return _about_source("sheet_halted", fact.at, rows=fact.rows)


def calendar_halted(fact: facts.CalendarHalted) -> Note:
    return _about_source("calendar_halted", fact.at, events=fact.events)


def sheet_troubled(fact: facts.SheetTroubled) -> Note:
    return _about_source("sheet_troubled", fact.since)


def _about_source(kind: str, at: datetime, **params: str | int) -> Note:
    return alert(CODE, kind, "sheet", int(at.timestamp()), params)


def summed_up(fact: facts.WeekSummedUp) -> Note:
    return Note(
        "week",
        to=To.HOSTS,
        key=f"{CODE}/summary/{fact.week}",
        subject=fact.subject,
        quiet=Quiet.IGNORE,
        params={
            "week": fact.week.isoformat(),
            "paragraph": fact.paragraph,
            **msgspec.structs.asdict(fact.figures),
        },
    )


def _to_customer(fact: facts.AppointmentFact, kind: str) -> Note:
    return Note(
        kind,
        to=fact.person_id,
        key=f"{CODE}/{fact.appointment_id}/{kind}/{fact.version}",
        subject=fact.appointment_id,
        about=fact.person_id,
        quiet=Quiet.IGNORE,
    )


def _to_staff(fact: facts.AppointmentFact, kind: str, number: int, **params: str | int) -> Note:
    return alert(CODE, kind, fact.appointment_id, number, params, about=fact.person_id)


#: A fact that is not listed here causes no message, on purpose.
NOTES: Final[Mapping[type[Fact], Callable[[Any], Note | tuple[Note, ...] | None]]] = {
    facts.FirstReminder: reminder,
    facts.SecondReminder: reminder,
    facts.ThirdReminder: reminder,
    facts.GapFound: gap_found,
    facts.MoveAsked: move_asked,
    facts.WhichVisitAsked: which_visit,
    facts.WordsReceived: words_received,
    facts.OptOutNoted: texts_refused,
    facts.AppointmentCancelled: cancelled,
    facts.AppointmentMoved: moved,
    facts.AppointmentReleased: released,
    facts.ReminderUndelivered: undelivered,
    facts.ProposalMade: proposed,
    facts.TextUndelivered: text_undelivered,
    facts.SheetHalted: sheet_halted,
    facts.CalendarHalted: calendar_halted,
    facts.SheetTroubled: sheet_troubled,
    facts.WeekSummedUp: summed_up,
}
