"""Describes an event, and counts how often each occasion occurs at it."""

from __future__ import annotations

from typing import Final

from frontdesk.cost.occasions import Occasion
from frontdesk.values import Frozen

#: The average number of page visits before a sign-up.
_VISITS_BEFORE_SIGNING_UP: Final = 3


class Described(Frozen):
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
) -> Described:
    """Fills in missing numbers: one in ten guests cancels, and as many wait."""
    tenth = round(guests / 10)
    cancellations = tenth if cancellations is None else cancellations
    offers = cancellations if offers is None else offers
    return Described(
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


def occasions(event: Described) -> dict[Occasion, float]:
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
