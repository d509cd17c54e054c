"""Reads calendar events: one with `#appt` is an appointment, with its customer and its tags."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Final

from frontdesk.connect.calendars.model import CalendarEvent
from frontdesk.desks.reminders.model import LONGEST_VISIT
from frontdesk.desks.reminders.tags import Tags, parse_tags
from frontdesk.features.calendars.sync import Unclear
from frontdesk.features.catalogue.model import Catalogue
from frontdesk.features.proposals.model import ReadField
from frontdesk.reading.model import Confidence, Context, Reader
from frontdesk.values import Frozen

USUAL: Final = timedelta(hours=1)
MOST_NAME: Final = 80
#: An event with this in its title or text is an appointment.
MARK: Final = "#appt"
_MARK: Final = re.compile(rf"(?<![\w#]){MARK}\b", re.IGNORECASE)
_TAG: Final = re.compile(r"#\w{1,20}")
_CANCELLED: Final = re.compile(r"cancel?led\s*(?:[:–—-]|\s)", re.IGNORECASE)
#: 'Ann Lee - Cut', 'Cut: Ann Lee', 'Cut for Ann Lee', 'Cut with Mia'.
_BETWEEN: Final = re.compile(r"\s+[-–—|/]\s+|[:,;]\s*|\s+(?:for|with|by)\s+", re.IGNORECASE)


class EventVisit(Frozen):
    """An appointment as read from an event. Fields have the names of a proposal's fields."""

    event: CalendarEvent
    fields: tuple[ReadField, ...]
    duration: timedelta
    tags: Tags

    def value(self, name: str) -> str:
        return next((one.value for one in self.fields if one.name == name), "")

    @property
    def is_complete(self) -> bool:
        has_contact = bool(self.value("email") or self.value("phone"))
        return has_contact and bool(self.value("name") and self.value("service"))

    @property
    def text(self) -> str:
        return f"{self.event.title}\n\n{self.event.description}".strip()


def read_event(
    event: CalendarEvent,
    catalogue: Catalogue,
    reader: Reader,
    context: Context,
    ours: frozenset[str] = frozenset(),
) -> EventVisit | Unclear | None:
    """Reads an event; None if it is not an appointment, or is cancelled. `ours` are addresses of
    the business and its team, in lower case."""
    text = f"{event.title}\n\n{event.description}"
    if not _MARK.search(text) or event.cancelled or _CANCELLED.match(event.title):
        return None
    if event.why:
        return Unclear(event.why)
    assert event.starts_at is not None, "an event without a start says why"
    found = reader.read(text, context)
    service = found.service.value if found.service else ""
    staff = found.staff.value if found.staff else ""
    name, said = _name_and_service(_MARK.sub(" ", event.title), service, staff)
    known = catalogue.service(service)
    usual = known.duration if known else USUAL
    length = event.ends_at - event.starts_at if event.ends_at else usual
    if not timedelta() < length <= LONGEST_VISIT:
        return Unclear("It should end after it starts, within a day.")
    guest = next((each for each in event.guests if each.email.lower() not in ours), None)
    email = guest.email if guest else (found.email.value if found.email else "")
    labelled = found.name if found.name and found.name.confidence is Confidence.CONFIDENT else None
    who = labelled.value if labelled else (guest.name if guest else "")
    values = {
        "name": who or name,
        "phone": found.phone.value if found.phone else "",
        "email": "" if email.lower() in ours else email,
        "service": service or said or (name if who and who.casefold() != name.casefold() else ""),
        "staff": staff,
    }
    fields = tuple(
        ReadField(key, text_, Confidence.LIKELY.value, text_)
        for key, text_ in values.items()
        if text_
    )
    return EventVisit(event, fields, length, parse_tags(text))


def _name_and_service(title: str, service: str, staff: str) -> tuple[str, str]:
    """The customer's name in a title, and the service if the catalogue does not know it."""
    parts = [each.strip(" .") for each in _BETWEEN.split(_TAG.sub(" ", title)[:300])]
    others = [
        each
        for each in parts
        if each and each.casefold() not in (service.casefold(), staff.casefold())
    ]
    rest = [_without(each, service, staff) for each in others]
    names = [each[:MOST_NAME] for each in rest if each]
    if service or len(names) < 2:
        return (names[0] if names else ""), ""
    return names[0], names[1]


def _without(words: str, *known: str) -> str:
    for each in filter(None, known):
        words = re.sub(rf"(?<!\w){re.escape(each)}(?!\w)", " ", words, flags=re.IGNORECASE)
    return " ".join(words.split())
