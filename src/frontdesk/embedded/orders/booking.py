"""Orders about bookings: book a time from one line."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Any, Final

from frontdesk.core.decision import Refused
from frontdesk.core.localtime import spoken_start, to_instant, to_wall, zone
from frontdesk.core.people import PersonId
from frontdesk.desks.booking.commands import Book
from frontdesk.desks.booking.console.formatting import served_by
from frontdesk.desks.booking.console.new_booking import ERRORS
from frontdesk.desks.booking.console.phone_line import PhoneLine, read_line
from frontdesk.desks.booking.console.staff_warnings import warning
from frontdesk.desks.booking.load import booking_reads
from frontdesk.desks.booking.model import GivenBy, Lane, booking_id
from frontdesk.desks.booking.rules import ResourceId
from frontdesk.embedded.orders import BY, NotDone, Order, not_done
from frontdesk.wiring.booking.desk import loader
from frontdesk.wiring.one_machine import Frontdesk


def book(product: Frontdesk, arguments: Mapping[str, Any]) -> Mapping[str, Any]:
    """Reads the line as the console does. Refuses a time that breaks a rule, unless `anyway`."""
    bk, now = booking_reads(product.engine.reads()), product.clock.now()
    rules = bk.rules()
    tz = zone(rules.zone)
    read = read_line(arguments["line"], rules, to_wall(now, tz), product.settings.country)
    if missing := _missing(read):
        example = "Mia Tue 15:00 cut Anna 01712345678"
        raise NotDone(f"The line lacks {missing}. Write it like this: {example}.")
    assert read.starts_at is not None
    command = Book(
        booking_id=booking_id(product.engine.new_id()),
        person_id=PersonId(product.engine.new_id()),
        service=read.service,
        starts_at=to_instant(read.starts_at, tz),
        name=read.name,
        email=read.email,
        mobile=read.mobile,
        resource=ResourceId(read.staff),
        lane=Lane.STAFF,
        given_by=GivenBy.COMMAND_LINE,
        override=bool(arguments.get("anyway")),
    )
    outcome = product.engine.run(command, by=BY, now=now)
    if isinstance(outcome, Refused):
        reads, search = product.engine.reads(), loader(product.settings, product.clock)
        if text := warning(search, reads, command, outcome.reason, now):
            raise NotDone(f"{text} To book it nevertheless, add --anyway.")
        if outcome.reason in _NEVER:
            raise NotDone(_NEVER[outcome.reason])
        raise not_done(outcome)
    made = booking_reads(product.engine.reads()).booking(command.booking_id)
    assert made is not None
    return {
        "booking": made.id,
        "customer": made.name,
        "service": made.service,
        "with": served_by(rules, made),
        "when": spoken_start(made.starts_at, tz),
        "state": made.status.value,
    }


def _missing(read: PhoneLine) -> str:
    wanted = {
        "a service": read.service,
        "a day and a time": read.starts_at,
        "a name": read.name,
        "a number or an e-mail address": read.mobile or read.email,
    }
    return ", ".join(name for name, value in wanted.items() if not value)


#: Refusals that nobody can overrule.
_NEVER: Final[Mapping[StrEnum, str]] = {reason: text for reason, (_, text) in ERRORS.items()}
ORDERS: Final[Mapping[str, Order]] = {"book": book}
