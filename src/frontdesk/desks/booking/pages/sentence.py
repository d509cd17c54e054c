"""Reads 'Haircut with Mia, Thursday after 5' into a service, a staff member and a wish."""

from __future__ import annotations

from datetime import datetime

from frontdesk.core.localtime import is_month_first, to_wall, zone
from frontdesk.desks.booking.rules import BookingRules, ServiceRules
from frontdesk.desks.booking.wish_wording import choosable, parts_of_day
from frontdesk.reading.model import Context, ServiceNames
from frontdesk.reading.when_model import When
from frontdesk.values import Frozen


class Sentence(Frozen):
    """The content of a sentence. Fields that it does not mention are empty or None."""

    service: str = ""
    staff: str = ""
    when: When | None = None
    party: int = 0
    names_other: bool = False
    """Whether it names a service that is none of the listed ones."""


def read_sentence(
    text: str, service: ServiceRules, rules: BookingRules, now: datetime, country: str
) -> Sentence:
    """Reads a sentence about the listed services. `service` is the one that the page shows.

    Imports lazily: most visitors type no sentence, and the reader takes long to load.
    """
    from frontdesk.reading.model import Confidence
    from frontdesk.reading.other_services import names_other_service
    from frontdesk.reading.parties import find_party
    from frontdesk.reading.service_and_staff import find_service, find_staff, staff_in
    from frontdesk.reading.when import read_when
    from frontdesk.reading.words import folded

    wall = to_wall(now, zone(rules.zone))
    listed = tuple(one for one in rules.services if not one.unlisted or one == service)
    context = Context(
        today=wall.date(),
        zone=zone(rules.zone),
        country=country,
        services=tuple(ServiceNames(one.name, one.aliases) for one in listed),
        staff=tuple({each.name: "" for one in listed for each in choosable(rules, one)}),
    )
    found = find_service(text, folded(text), {}, context)
    staff = find_staff(text, folded(text), {}, context)
    party = find_party(text, folded(text), {})
    when = read_when(text, wall, parts_of_day(rules), month_first=is_month_first(country))
    known = [
        *(when.words if when else ()),
        *staff_in(text, folded(text), context),
        *([party.words] if party else ()),
    ]
    return Sentence(
        service=found.value if found else "",
        staff=staff.value if staff else "",
        when=when,
        party=party.value if party and party.confidence is not Confidence.UNSURE else 0,
        names_other=found is None and names_other_service(text, known),
    )
