"""Lists the messages of the next days as they would go out now: channel, warnings, text, cost."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from itertools import takewhile
from typing import Final
from zoneinfo import ZoneInfo

from frontdesk.core.localtime import to_wall
from frontdesk.core.messages import Message, Text
from frontdesk.core.people import Person, PersonId
from frontdesk.core.sends import Send, SendId, SendState
from frontdesk.core.sms import size
from frontdesk.core.words import count
from frontdesk.desks.reminders.console.listing import people_of
from frontdesk.desks.reminders.decide.forecast import PlannedMessage, planned_messages
from frontdesk.desks.reminders.decide.windows import Planner
from frontdesk.desks.reminders.load import RECENTLY
from frontdesk.desks.reminders.model import CODE, Appointment, Window
from frontdesk.desks.reminders.notes import KINDS
from frontdesk.desks.reminders.reads import ReminderReads
from frontdesk.engine.desk import Render, SendNow
from frontdesk.engine.ports import Reads
from frontdesk.values import Frozen, replace

AHEAD: Final = timedelta(days=7)
#: The most texts to render for their number of segments; each other text counts as one segment.
MOST_MEASURED: Final = 300
TakesSms = Callable[[Person], bool]
"""Whether texts are set up and reach this person."""
_NOT_SENT: Final = SendId("preview")
TEXT: Final = "Text"
MAIL: Final = "Mail"


class TextLimit(StrEnum):
    """The limit on texts that turns a message into a mail, delays it or drops it."""

    BY_MONTH = "monthly limit"
    BY_DAY = "daily limit"


class ComingMessage(Frozen):
    """A message that goes out unless the customer answers first."""

    appointment: Appointment
    window: Window
    at: datetime
    person: Person | None
    via: str
    """'Text' or 'Mail'; empty if nothing reaches the customer."""
    tz: ZoneInfo
    together: tuple[Appointment, ...] = ()
    """Other visits of the day in the same message."""
    put_off: str = ""
    """Why it does not go out at the time in the schedule."""
    segments: int = 1
    kept_back: TextLimit | None = None

    @property
    def is_text(self) -> bool:
        return self.window is not Window.GAP and self.via == TEXT

    @property
    def warnings(self) -> tuple[str, ...]:
        if self.window is Window.GAP:
            return ()
        found = (
            "" if self.via or self.kept_back else "no way to reach them",
            _limit_says(self.via, self.kept_back) if self.kept_back else "",
            self.put_off,
            count(self.segments, "segment") if self.segments > 1 else "",
        )
        return tuple(filter(None, found))


def _limit_says(via: str, by: TextLimit) -> str:
    if via == MAIL:
        return f"instead of a text: {by.value}"
    return f"waits a day: {by.value} on texts" if via else f"not delivered: {by.value} on texts"


def coming_messages(
    ar: ReminderReads, planner: Planner, takes_sms: TakesSms, now: datetime
) -> Sequence[ComingMessage]:
    """The messages of the next days, ordered by time, as if reminders were not paused."""
    planner, until = replace(planner, is_paused=False), now + AHEAD
    last = until + planner.rules.longest_before + timedelta(days=1)
    live = [one for one in ar.appointments_between(now - RECENTLY, last) if one.is_live]
    people, no_shows = people_of(ar, live), ar.no_shows()
    found: list[ComingMessage] = []
    for person_id, mine in _by_person(live).items():
        person, missed = people.get(person_id), no_shows.get(person_id, 0)
        planned = planned_messages(planner, mine, missed, now)
        for each in takewhile(lambda each: each.at <= until, planned):
            one, to_staff = each.appointment, each.window is Window.GAP
            via = "" if to_staff else channel(one, person, takes_sms)
            why = "" if to_staff else _put_off(planner, each, missed, now)
            row = ComingMessage(
                one, each.window, each.at, person, via, planner.tz, each.together, why
            )
            found.append(row)
    return sorted(found, key=lambda each: (each.at, each.appointment.id))


def _by_person(rows: Iterable[Appointment]) -> Mapping[PersonId, list[Appointment]]:
    found: dict[PersonId, list[Appointment]] = {}
    for one in rows:
        found.setdefault(one.person_id, []).append(one)
    return found


def _put_off(planner: Planner, planned: PlannedMessage, no_shows: int, now: datetime) -> str:
    """The reason why quiet hours or a holiday move the message; empty if they do not."""
    windows = planner.windows(planned.appointment, no_shows)
    due = next(each for each in windows if each.window is planned.window)
    wished_at = due.wished_at
    if wished_at is None and due.due_at <= now and not planner.allowed.is_allowed(now):
        wished_at = now
    if wished_at is None:
        return ""
    on = to_wall(wished_at, planner.tz).date()
    why = "holiday" if on in planner.closed else "quiet hours"
    return f"earlier: {why}" if planned.at < wished_at else f"put off: {why}"


def channel(one: Appointment, person: Person | None, takes_sms: TakesSms) -> str:
    if person is None or person.erased:
        return ""
    if one.tags.allows_texts and takes_sms(person):
        return TEXT
    return MAIL if takes_mail(one, person) else ""


def takes_mail(one: Appointment, person: Person | None) -> bool:
    if person is None or person.erased or one.tags.no_email:
        return False
    return bool(person.email) and not person.bounced


# --- words ----------------------------------------------------------------------------------


def render_message(render: Render, reads: Reads, row: ComingMessage) -> Message | Text | None:
    """Renders the message as of its time; None if it would not go out."""
    one = row.appointment
    together = " ".join(each.id for each in row.together)
    send = Send(
        _NOT_SENT,
        _NOT_SENT,
        CODE,
        KINDS[row.window],
        one.person_id,
        one.id,
        one.person_id,
        SendState.QUEUED,
        row.at,
        row.at,
        params={"chain": one.chain, "together": together},
    )
    said = render(reads, send, row.at)
    return said.message if isinstance(said, SendNow) else None


def with_segments(
    render: Render, reads: Reads, rows: Sequence[ComingMessage]
) -> Sequence[ComingMessage]:
    """The same messages, with the number of segments of each text."""
    left, found = MOST_MEASURED, []
    for row in rows:
        if not row.is_text or left == 0:
            found.append(row)
            continue
        left -= 1
        said = render_message(render, reads, row)
        segments = size(said.text).segments if isinstance(said, Text) else 1
        found.append(replace(row, segments=segments))
    return found


def texts_this_month(reads: Reads, now: datetime) -> int:
    """The number of texts since the first of the month (UTC)."""
    today = now.astimezone(UTC).date()
    return sum(reads.engine.texts_on(today.replace(day=n)) for n in range(1, today.day + 1))
