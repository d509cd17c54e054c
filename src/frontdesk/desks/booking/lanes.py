"""The lanes of requests: which mail is forwarded unread, and which reading is certain enough."""

from __future__ import annotations

from typing import Final

import msgspec

from frontdesk.core.contacts import email_key
from frontdesk.core.saved_settings import SavedSetting
from frontdesk.desks.booking.model import Lane, RequestField
from frontdesk.desks.booking.rules import BookingRules
from frontdesk.desks.booking.search.query import TimeWish
from frontdesk.values import Frozen

MOST_SENDERS: Final = 200
#: A field that staff do not see: the wish in the form that the search uses.
WISH: Final = "wish"
#: The confidences of the reader as numbers, to compare them with `certain_from` of the rules.
_SCORES: Final = {"confident": 1.0, "likely": 0.7}


class DirectLane(Frozen):
    """The senders whose mail is forwarded unread, and the address that it goes to."""

    senders: tuple[str, ...] = ()
    """Addresses, and domains like '@example.org', in lower case."""
    forward_to: str = ""
    """If empty, mail goes to the owners."""

    def includes(self, email: str) -> bool:
        email = email.lower()
        return bool(email) and (
            email in self.senders or f"@{email.rpartition('@')[2]}" in self.senders
        )


DIRECT_LANE: Final = SavedSetting("bk.direct_lane", DirectLane, DirectLane())


def lane_of(email: str, direct: DirectLane, *, authenticated: bool) -> Lane:
    """The lane of a mail. A mail that is not authenticated is never direct: it may be forged."""
    return Lane.DIRECT if authenticated and direct.includes(email) else Lane.READING


def value_of(fields: tuple[RequestField, ...], name: str) -> str:
    return next((one.value for one in fields if one.name == name), "")


def wish_in(fields: tuple[RequestField, ...]) -> TimeWish:
    """The wish in the form that the search uses; any time if there is none."""
    wish = value_of(fields, WISH)
    return msgspec.json.decode(wish, type=TimeWish) if wish else TimeWish()


def party_of(fields: tuple[RequestField, ...]) -> int:
    party = value_of(fields, "party")
    return int(party) if party.isdecimal() and len(party) < 4 else 1


def needs_checking(fields: tuple[RequestField, ...], sender: str, rules: BookingRules) -> str:
    """The reason why staff check a request first; empty if times can be proposed at once.

    The answer goes to the sender only, so staff check a mail that gives another address.
    """
    by_name = {one.name: one for one in fields}
    service = rules.service(value_of(fields, "service"))
    if service is None or service.unlisted:
        return "no service"
    if "when" not in by_name:
        return "no time"
    if not sender:
        return "no sender"
    if "email" in by_name and email_key(by_name["email"].value) != email_key(sender):
        return "another address"
    unsure = [
        name
        for name in ("service", "when", "staff", "party")
        if name in by_name and not _is_certain(by_name[name], rules)
    ]
    return f"unsure: {', '.join(unsure)}" if unsure else ""


def _is_certain(field: RequestField, rules: BookingRules) -> bool:
    """A guess is never certain, however low the rules set the limit."""
    return field.confidence in _SCORES and _SCORES[field.confidence] >= rules.certain_from
