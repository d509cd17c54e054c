"""Reads calendar events: an opening ('Free: Cut and colour with Mia'), or an appointment that
was cancelled, by its status or its title ('Cancelled: Cut with Mia')."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Final

from frontdesk.connect.calendars.model import CalendarEvent
from frontdesk.desks.waitlist.model import Opening
from frontdesk.features.calendars.sync import Unclear
from frontdesk.features.catalogue.model import Catalogue, Service
from frontdesk.values import replace

LONGEST: Final = timedelta(days=1)
#: Marks of an opening: before a colon or dash, alone, or as a category.
_WORDS: Final = ("free", "open", "opening", "available", "availability", "slot")
_MARKED: Final = re.compile(rf"(?:{'|'.join(_WORDS)})\s*(?:$|[:–—-]\s*(.*))", re.IGNORECASE)
#: Outlook, Google and people put this before a title.
_CANCELLED: Final = re.compile(r"cancel?led\s*(?:[:–—-]\s*|\s)(.*)", re.IGNORECASE)
_CATEGORIES: Final = frozenset((*_WORDS, "openings", "free slot"))
_WITH: Final = re.compile(
    r"(?:^|\s)(?:with|by)\s+([^,;()]{1,80}?)\s*(?=$|[,;()]|\bfor\s+\d)", re.IGNORECASE
)
_PLACES: Final = re.compile(r"\bfor\s+(\d{1,3})\b", re.IGNORECASE)
_EDGES: Final = " \t,;:.-–—()/@"


def read_opening(event: CalendarEvent, catalogue: Catalogue) -> Opening | Unclear | None:
    """Reads an event; None if it is about something else, or is a cancelled opening."""
    cancelled = _without_cancelled_mark(event)
    if cancelled is not None:
        return (
            None if _opening_text(cancelled) is not None else _read_cancelled(cancelled, catalogue)
        )
    words = _opening_text(event)
    if words is None:
        return None
    if event.why:
        return Unclear(event.why)
    assert event.starts_at is not None, "an event without a start says why"
    places = _PLACES.search(words)
    staff = _staff(words, catalogue)
    if isinstance(staff, Unclear):
        return staff
    service = _service(words, staff, catalogue)
    if isinstance(service, Unclear):
        return service
    return _opening(event, service, staff, max(1, int(places[1])) if places else 1)


def is_cancelled(event: CalendarEvent) -> bool:
    """Whether its status or its title says that it is cancelled."""
    return _without_cancelled_mark(event) is not None


def is_appointment(event: CalendarEvent) -> bool:
    """Whether the event takes up its time: it is neither an opening nor cancelled."""
    return _without_cancelled_mark(event) is None and _opening_text(event) is None


def _opening(event: CalendarEvent, service: Service, staff: str, places: int) -> Opening | Unclear:
    assert event.starts_at is not None, "an event without a start says why"
    length = event.ends_at - event.starts_at if event.ends_at else service.duration
    if not timedelta() < length <= LONGEST:
        return Unclear("It should end after it starts, within a day.")
    return Opening(service.name, event.starts_at, length, places, staff, service.price_cents)


def _without_cancelled_mark(event: CalendarEvent) -> CalendarEvent | None:
    """The event without the 'Cancelled' mark; None if it is not cancelled."""
    found = _CANCELLED.fullmatch(event.title.strip())
    if found is not None:
        return replace(event, title=found[1])
    return event if event.cancelled else None


def _read_cancelled(event: CalendarEvent, catalogue: Catalogue) -> Opening | Unclear | None:
    """Reads a cancelled appointment that names a service. It may also name a customer."""
    words = event.title
    named = {
        one
        for one in catalogue.staff
        if _contains_name(words, one) or _has_unique_first_name(words, one, catalogue)
    }
    service = _service_by_longest_name(words, catalogue) if catalogue.services else None
    if not isinstance(service, Service):
        return Unclear(service.why) if service and named else None
    if event.why:
        return Unclear(event.why)
    if len(named) > 1:
        return Unclear("It names more than one staff member.")
    places = _PLACES.search(words)
    return _opening(
        event, service, named.pop() if named else "", max(1, int(places[1])) if places else 1
    )


def _has_unique_first_name(words: str, member: str, catalogue: Catalogue) -> bool:
    """Whether the words name the member by a first name that is unique in the team."""
    first = member.split()[0] if member.split() else ""
    return (
        bool(first)
        and _contains_name(words, first)
        and _by_unique_first_name(first, catalogue) == member
    )


def _opening_text(event: CalendarEvent) -> str | None:
    """The title without the 'Free' mark; None if neither title nor category marks an opening."""
    found = _MARKED.fullmatch(event.title.strip())
    if found is not None:
        return found[1] or ""
    named = {each.casefold() for each in event.categories}
    return event.title if named & _CATEGORIES else None


def _staff(words: str, catalogue: Catalogue) -> str | Unclear:
    """The staff member whom the words name; empty for none. Without a team list, any name is
    accepted."""
    if found := _WITH.search(words):
        name = found[1].strip(_EDGES)
        if not catalogue.staff:
            return name
        return (
            catalogue.member(name)
            or _by_unique_first_name(name, catalogue)
            or Unclear(f"Nobody in the team is called {name}.")
        )
    named = [one for one in catalogue.staff if _contains_name(words, one)]
    if len(named) > 1:
        return Unclear("It names more than one staff member.")
    return named[0] if named else ""


def _by_unique_first_name(name: str, catalogue: Catalogue) -> str | None:
    """Finds 'Mia Tan' by 'Mia', if there is only one Mia."""
    first = [one for one in catalogue.staff if name.casefold() in one.casefold().split()]
    return first[0] if len(first) == 1 else None


def _service(words: str, staff: str, catalogue: Catalogue) -> Service | Unclear:
    rest = _PLACES.sub(" ", _WITH.sub(" ", words))
    said = (
        re.sub(rf"(?<!\w){re.escape(staff)}(?!\w)", " ", rest, flags=re.IGNORECASE)
        if staff
        else rest
    )
    said = " ".join(said.strip(_EDGES).split())
    if not catalogue.services:
        return Service(said) if said else Unclear("It names no service.")
    if not said:
        return (
            catalogue.services[0]
            if len(catalogue.services) == 1
            else Unclear("It names no service.")
        )
    return catalogue.service(said) or _service_by_longest_name(said, catalogue)


def _service_by_longest_name(said: str, catalogue: Catalogue) -> Service | Unclear:
    """Finds the service with the longest name in a text like 'Ladies cut & colour, 2 h'."""
    found = [
        (len(name), one)
        for one in catalogue.services
        for name in (one.name, *one.aliases)
        if _contains_name(said, name)
    ]
    most = max((length for length, _ in found), default=0)
    best = {one for length, one in found if length == most}
    if not best:
        return Unclear(f"No service is called {said[:80]}.")
    return best.pop() if len(best) == 1 else Unclear("It names more than one service.")


def _contains_name(words: str, name: str) -> bool:
    whole = rf"(?<!\w){re.escape(name.casefold())}(?!\w)"
    return re.search(whole, words.casefold()) is not None
