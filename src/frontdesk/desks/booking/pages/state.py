"""The state of the booking page, read from its address. Invalid parts are left out."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import date, datetime, timedelta
from typing import Final, TypeVar

from frontdesk.core.localtime import BadZone, parse_day, parse_instant, to_wall, zone
from frontdesk.desks.booking.pages.addresses import Address, service_path
from frontdesk.desks.booking.pages.picker import Zones, instant_text
from frontdesk.desks.booking.rules import (
    BookingRules,
    ResourceId,
    ServiceRules,
)
from frontdesk.desks.booking.wish_wording import choosable
from frontdesk.values import Frozen

MOST_SENTENCE: Final = 200
_MOST_TEXT: Final = 300
#: The value of `staff` for a visitor who changed a named staff member back to anyone.
ANYONE: Final = "anyone"
WEEK: Final = "week"
#: A number of people with more digits is too large anyway.
_MOST_DIGITS: Final = 4
_FOUR_WEEKS: Final = timedelta(weeks=4)

T = TypeVar("T")


class PageState(Frozen, kw_only=True):
    service: ServiceRules
    staff: str = ""
    """A resource of the service, 'anyone', or empty if nobody chose."""
    party: int = 1
    asked_party: int = 1
    """Larger than `party` if so many cannot book the service online."""
    says_party: bool = False
    """Whether the sentence says how many they are."""
    day: date | None = None
    first_on: date | None = None
    """The month or week to show, if no day is chosen."""
    view: str = ""
    zone: str = ""
    """The visitor's zone: it changes labels only."""
    sentence: str = ""
    name: str = ""
    contact: str = ""
    key: str = ""
    """Opens an unlisted service."""
    at: datetime | None = None
    """The chosen time."""
    hold: str = ""
    misread: str = ""
    """Says which part of a form could not be used."""
    embedded: bool = False

    @property
    def is_too_large(self) -> bool:
        return self.asked_party > self.party

    @property
    def resource(self) -> ResourceId:
        return ResourceId("" if self.staff == ANYONE else self.staff)

    def zones(self, rules: BookingRules) -> Zones:
        business = zone(rules.zone)
        return Zones(business, zone(self.zone) if self.zone else business)

    @property
    def address(self) -> Address:
        """The page without the chosen time."""
        path, _, query = service_path(self.service.name, embedded=self.embedded).partition("?")
        params = {
            "service": self.service.name if query else "",
            "staff": self.staff,
            "party": str(self.party) if self.party > 1 else "",
            "day": self.day.isoformat() if self.day else "",
            "from": self.first_on.isoformat() if self.first_on and not self.day else "",
            "view": self.view,
            "zone": self.zone,
            "q": self.sentence,
            "name": self.name,
            "email": self.contact,
            "key": self.key,
        }
        return Address(path, {name: text for name, text in params.items() if text})

    @property
    def chosen_url(self) -> str:
        """The page of the form for the chosen time."""
        assert self.at is not None
        return self.address.url(at=instant_text(self.at), hold=self.hold)


def read_state(
    rules: BookingRules,
    service: ServiceRules,
    typed: Mapping[str, str],
    now: datetime,
    *,
    embedded: bool,
) -> PageState:
    """Reads the state. `typed` are the parameters of the address, or the fields of a form."""

    def text(name: str, most: int = _MOST_TEXT) -> str:
        found = typed.get(name)
        if not found:
            return ""
        found = found[:most].strip()
        return found if found.isprintable() else ""

    today = to_wall(now, zone(rules.zone)).date()
    party = _party(text("party"))
    return PageState(
        service=service,
        staff=staff_in(rules, service, text("staff")),
        party=min(party, service.most),
        asked_party=party,
        day=_since(today, _read(parse_day, text("day"))),
        first_on=_since(today - _A_MONTH, _read(parse_day, text("from"))),
        view=WEEK if text("view") == WEEK else "",
        zone=_zone(text("zone"), rules),
        sentence=text("q", MOST_SENTENCE),
        name=text("name"),
        contact=text("email") or text("mail") or text("contact"),
        key=text("key"),
        at=_whole_minute(_read(parse_instant, text("at"))),
        hold=text("hold"),
        embedded=embedded,
    )


def waitlist_fields(
    rules: BookingRules,
    state: PageState,
    now: datetime,
    first_on: date | None,
    last_on: date | None,
) -> dict[str, str]:
    """The wishes as fields of the waitlist's form: for four weeks, unless days were named."""
    today = to_wall(now, zone(rules.zone)).date()
    first_on = max(first_on or today, today)
    last_on = max(last_on or first_on + _FOUR_WEEKS, first_on)
    staff = rules.resource(state.resource)
    is_address = "@" in state.contact
    fields = {
        "service": state.service.name,
        "earliest": first_on.isoformat(),
        "latest": last_on.isoformat(),
        "staff": staff.name if staff else "",
        "party": str(state.party) if state.party > 1 else "",
        "name": state.name,
        "email": state.contact if is_address else "",
        "mobile": "" if is_address else state.contact,
    }
    return {name: text for name, text in fields.items() if text}


def staff_in(rules: BookingRules, service: ServiceRules, text: str) -> str:
    """The resource with this id or name, if customers can choose it for the service."""
    if not text:
        return ""
    if text.casefold() == ANYONE:
        return ANYONE
    found = (
        one.id
        for one in choosable(rules, service)
        if text.casefold() in (one.id.casefold(), one.name.casefold())
    )
    return next(found, "")


def _read(by: Callable[[str], T], text: str) -> T | None:
    try:
        return by(text) if text else None
    except (ValueError, OverflowError):
        return None


#: The month or week that is shown may have begun so long ago.
_A_MONTH: Final = timedelta(days=31)


def _since(first: date, on: date | None) -> date | None:
    return on if on is not None and on >= first else None


def _whole_minute(at: datetime | None) -> datetime | None:
    return at.replace(second=0) if at else None


def _party(text: str) -> int:
    number = int(text[:_MOST_DIGITS]) if text.isascii() and text.isdigit() else 1
    return max(number, 1)


def _zone(name: str, rules: BookingRules) -> str:
    try:
        found = zone(name) if name else None
    except BadZone:
        return ""
    return name if found and found.key != rules.zone else ""
