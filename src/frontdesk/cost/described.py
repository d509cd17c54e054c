"""An event as somebody would describe it, and how often what happens at it."""

from __future__ import annotations

from typing import Final

from frontdesk.cost.occasions import Occasion
from frontdesk.values import Frozen

#: Somebody looks at the page this often before anybody signs up, on average.
_VISITS_BEFORE_SIGNING_UP: Final = 3


class Described(Frozen):
    """One event. Those who wait come on top of the guests."""

    guests: int
    waiting: int
    cancellations: int
    offers: int
    """How many freed seats were offered; each one that lapses is offered to the next as well."""
    lapsed: int
    reminders: int
    """For each guest."""
    moved: int
    """How often it was moved: everybody is told."""
    by_mail: int
    """How many of the guests signed up by e-mail."""
    imported: int
    """How many of the guests were on a list of the host's."""
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
    """How often each happens because of the event."""
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
