"""Tells the story of an appointment from its facts, to the second."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final
from zoneinfo import ZoneInfo

from frontdesk.core.decision import Fact
from frontdesk.core.localtime import spoken_start
from frontdesk.core.occasions import Tone
from frontdesk.desks.reminders import facts as f
from frontdesk.desks.reminders.load import reminder_reads
from frontdesk.desks.reminders.model import (
    Appointment,
    AppointmentId,
    AppointmentSource,
    Means,
    ReplyAction,
    Window,
)
from frontdesk.desks.reminders.reads import ReminderReads
from frontdesk.engine.ports import Reads, Recorded
from frontdesk.engine.stories import StoryLine, story_line

_Told = tuple[str, Tone | None]

SOURCES: Final[Mapping[AppointmentSource, str]] = {
    AppointmentSource.SHEET: "the sheet",
    AppointmentSource.CALENDAR: "a calendar",
    AppointmentSource.MAIL: "a mail",
    AppointmentSource.BOOKING: "a booking",
}
WINDOWS: Final[Mapping[Window, str]] = {
    Window.FIRST: "first reminder",
    Window.SECOND: "second reminder",
    Window.THIRD: "third reminder",
    Window.GAP: "alert to staff",
}
#: The follower that adds appointments for claimed slots of the waitlist.
FROM_WAITLIST: Final = "ar.from_waitlist"
_BY_WAITLIST: Final = f"follower:{FROM_WAITLIST}"
#: The prefix of the actor when staff act in the console.
_STAFF: Final = "member:"
_MEANS: Final[Mapping[Means, str]] = {
    Means.LINK: "by a link",
    Means.TEXT: "by text",
    Means.MAIL: "by mail",
    Means.STAFF: "by telling staff",
}
_BY: Final[Mapping[f.ChangedBy, str]] = {
    f.ChangedBy.CUSTOMER: "The customer",
    f.ChangedBy.STAFF: "Staff",
}
#: Where an appointment was changed at its source.
_PLACES: Final[Mapping[AppointmentSource, str]] = {
    AppointmentSource.SHEET: "in the sheet",
    AppointmentSource.CALENDAR: "in the calendar",
    AppointmentSource.MAIL: "in the sheet",
    AppointmentSource.BOOKING: "with its booking",
}


def appointment_story(
    reads: Reads, appointment_id: AppointmentId, tz: ZoneInfo
) -> tuple[StoryLine, ...]:
    facts = reminder_reads(reads).facts(appointment_id)
    return tuple(line(reads, each, tz) for each in facts)


def line(reads: Reads, recorded: Recorded, tz: ZoneInfo) -> StoryLine:
    of_actor = _words_of(recorded.by)
    return story_line(
        reads, recorded, lambda fact: of_actor.get(type(fact), WORDS[type(fact)])(fact, tz)
    )


def _words_of(by: str) -> Mapping[type[Fact], Callable[[Any, ZoneInfo], _Told]]:
    if by == _BY_WAITLIST:
        return {f.AppointmentAdded: _added_by_claim}
    return STAFF_WORDS if by.startswith(_STAFF) else {}


def origin(reads: ReminderReads, one: Appointment) -> str:
    """The place that an appointment comes from, in words."""
    facts = reads.facts(one.id)
    by = facts[0].by if facts else ""
    if by == _BY_WAITLIST:
        return "the waitlist"
    is_typed = one.source is AppointmentSource.SHEET and by.startswith(_STAFF)
    return "the console" if is_typed else SOURCES[one.source]


def _added(fact: f.AppointmentAdded, tz: ZoneInfo) -> _Told:
    source = SOURCES[fact.appointment.source]
    return f"It came from {source}: {_service_and_time(fact, tz)}.", Tone.WAITING


def _added_by_claim(fact: f.AppointmentAdded, tz: ZoneInfo) -> _Told:
    return f"The customer took it from the waitlist: {_service_and_time(fact, tz)}.", Tone.WAITING


def _added_by_staff(fact: f.AppointmentAdded, tz: ZoneInfo) -> _Told:
    if fact.appointment.source is not AppointmentSource.SHEET:
        return _added(fact, tz)
    return f"Staff added it: {_service_and_time(fact, tz)}.", Tone.WAITING


def _service_and_time(fact: f.AppointmentAdded, tz: ZoneInfo) -> str:
    return f"{fact.appointment.service}, {spoken_start(fact.appointment.starts_at, tz)}"


def _moved_by_staff(fact: f.AppointmentMoved, tz: ZoneInfo) -> _Told:
    return f"Staff moved it {_times(fact, tz)}.", Tone.WAITING


def _times(fact: f.AppointmentMoved, tz: ZoneInfo) -> str:
    before, after = fact.starts_at_before, fact.appointment.starts_at
    return f"from {spoken_start(before, tz)} to {spoken_start(after, tz)}"


def _moved(fact: f.AppointmentMoved, tz: ZoneInfo) -> _Told:
    times = _times(fact, tz)
    if fact.by is f.ChangedBy.SOURCE:
        return f"It was moved {_PLACES[fact.appointment.source]} {times}.", Tone.WAITING
    return f"{_BY[fact.by]} moved it {times}.", Tone.WAITING


def _confirmed(fact: f.AppointmentConfirmed, _tz: ZoneInfo) -> _Told:
    return f"The customer confirmed {_MEANS[fact.means]}.", Tone.GOOD


def _move_asked(fact: f.MoveAsked, _tz: ZoneInfo) -> _Told:
    return f"The customer asked for another time {_MEANS[fact.means]}.", Tone.WAITING


def _event_noted(fact: f.EventNoted, _tz: ZoneInfo) -> _Told:
    if fact.event is None:
        return "Its event in the calendar is in step.", None
    return "Its event in the calendar has yet to follow.", None


def _event_asked(fact: f.EventAsked, tz: ZoneInfo) -> _Told:
    assert fact.event is not None, "it asks about a change"
    found_at = fact.event.found_at
    where = f" It is at {spoken_start(found_at, tz)} there." if found_at else ""
    return f"Its event in the calendar did not follow.{where}", Tone.WAITING


def _cancelled(fact: f.AppointmentCancelled, _tz: ZoneInfo) -> _Told:
    if fact.by is f.ChangedBy.SOURCE:
        return f"It was cancelled {_PLACES[fact.source]}.", Tone.GONE
    return f"{_BY[fact.by]} cancelled it.", Tone.GONE


def _cancelled_by_staff(_fact: f.AppointmentCancelled, _tz: ZoneInfo) -> _Told:
    return "Staff cancelled it.", Tone.GONE


def _reminder(fact: f.ReminderFact, _tz: ZoneInfo) -> _Told:
    return f"The {WINDOWS[fact.window]} was due.{_others(fact)}", None


def _reminder_by_staff(fact: f.ReminderFact, _tz: ZoneInfo) -> _Told:
    return f"Staff asked for the {WINDOWS[fact.window]} now.{_others(fact)}", None


def _others(fact: f.ReminderFact) -> str:
    return " It tells of other visits on the day, too." if fact.together else ""


def _together(fact: f.RemindedTogether, _tz: ZoneInfo) -> _Told:
    return f"The {WINDOWS[fact.window]} was part of the message about another visit.", None


def _skipped(fact: f.WindowsSkipped, _tz: ZoneInfo) -> _Told:
    names = ", ".join(WINDOWS[each] for each in fact.windows)
    return f"Left out: {names}. {fact.why[:1].upper()}{fact.why[1:]}.", None


def _gap(fact: f.GapFound, _tz: ZoneInfo) -> _Told:
    if fact.why is f.GapReason.CANCELLED:
        return "Staff were told that it is cancelled.", None
    return "Staff were told that there is no answer.", Tone.ENDING


def _undelivered(fact: f.ReminderUndelivered, _tz: ZoneInfo) -> _Told:
    return f"The {WINDOWS[fact.window]} could not be delivered: {fact.why}", Tone.ENDING


def _text_undelivered(fact: f.TextUndelivered, _tz: ZoneInfo) -> _Told:
    text = f"The text of the {WINDOWS[fact.window]} was not delivered ({fact.why})."
    return f"{text} It goes by mail; staff were told.", Tone.ENDING


def _says(text: str, tone: Tone | None = None) -> Callable[[Any, ZoneInfo], _Told]:
    return lambda _fact, _tz: (text, tone)


def _words(fact: f.WordsReceived, _tz: ZoneInfo) -> _Told:
    if fact.wanted is None:
        return f"The customer wrote {_MEANS[fact.means]}, and staff were told.", Tone.WAITING
    wanted = "to cancel" if fact.wanted is ReplyAction.CANCEL else "another time"
    return f"The customer wanted {wanted}, too late. Staff were told.", Tone.ENDING


def _which(fact: f.WhichVisitAsked, _tz: ZoneInfo) -> _Told:
    text = f"The customer answered {_MEANS[fact.means]} and may mean several visits."
    return f"{text} We asked which.", Tone.WAITING


WORDS: Final[Mapping[type[Fact], Callable[[Any, ZoneInfo], _Told]]] = {
    f.AppointmentAdded: _added,
    f.AppointmentChanged: _says("Its details were changed."),
    f.AppointmentMoved: _moved,
    f.EventNoted: _event_noted,
    f.EventAsked: _event_asked,
    f.AppointmentConfirmed: _confirmed,
    f.MoveAsked: _move_asked,
    f.WhichVisitAsked: _which,
    f.WordsReceived: _words,
    f.AnsweredAgain: _says("The customer said again that they are coming.", Tone.GOOD),
    f.OptOutNoted: _says(
        "The customer wants no more texts. Staff were told; the visit stays as it is.", Tone.ENDING
    ),
    f.AppointmentCancelled: _cancelled,
    f.AppointmentReleased: _says("Staff gave the time away.", Tone.GONE),
    f.AppointmentMissed: _says("The customer did not come.", Tone.GONE),
    f.AppointmentKept: _says("The customer came.", Tone.GOOD),
    f.FirstReminder: _reminder,
    f.SecondReminder: _reminder,
    f.ThirdReminder: _reminder,
    f.RemindedTogether: _together,
    f.WindowsSkipped: _skipped,
    f.GapFound: _gap,
    f.ReminderUndelivered: _undelivered,
    f.TextUndelivered: _text_undelivered,
}

#: Sentences for facts that usually come from a source or a timer, if staff caused them in the
#: console.
STAFF_WORDS: Final[Mapping[type[Fact], Callable[[Any, ZoneInfo], _Told]]] = {
    f.AppointmentAdded: _added_by_staff,
    f.AppointmentMoved: _moved_by_staff,
    f.AppointmentCancelled: _cancelled_by_staff,
    f.FirstReminder: _reminder_by_staff,
    f.SecondReminder: _reminder_by_staff,
    f.ThirdReminder: _reminder_by_staff,
}
