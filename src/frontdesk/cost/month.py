"""Describes a month of a waitlist, and counts how often each occasion occurs in it."""

from __future__ import annotations

from typing import Final

from frontdesk.cost.occasions import Occasion
from frontdesk.values import Frozen

#: The average number of visits of the form before somebody joins.
_VISITS_BEFORE_JOINING: Final = 2
#: The list is divided into this many services; on average, half of a service's entries are ahead.
_SERVICES: Final = 4
#: Hours in which the list may change: ten on each of 26 days. A version is saved at most hourly.
_HOURS_OPEN: Final = 260
_DAYS: Final = 30
#: The number of checks of a sheet in a month: one every three minutes.
_LOOKS: Final = 14_600
_REQUESTS: Final = 5
_PICTURES: Final = 1
#: Page views of staff in a month, and for each slot.
_VIEWS: Final = 100
_VIEWS_OF_A_SLOT: Final = 3


class Month(Frozen):
    entries: int
    """The number of people who join the list."""
    requests: int
    """The number of them who join by mail, which staff approve."""
    pictures: int
    """The number of pictures in these mails whose text is read."""
    slots: int
    """The number of slots that come free."""
    offers: int
    claimed: int
    by_text: int
    """The percentage of messages that are texts; the others are mails."""
    sheet: bool
    """True if staff edit the list in a Google Sheet."""
    console_views: int


def month(
    entries: int,
    *,
    requests: int | None = None,
    pictures: int = _PICTURES,
    slots: int | None = None,
    offers: int | None = None,
    by_text: int = 75,
    sheet: bool = False,
    console_views: int | None = None,
) -> Month:
    """Fills in missing numbers: two slots for five entries, two offers for each slot."""
    requests = _REQUESTS if requests is None else requests
    slots = round(entries * 2 / 5) if slots is None else slots
    offers = 2 * slots if offers is None else offers
    return Month(
        entries=entries,
        requests=min(requests, entries),
        pictures=pictures if requests and entries else 0,
        slots=slots,
        offers=offers,
        claimed=min(offers, round(slots * 9 / 10)),
        by_text=by_text,
        sheet=sheet,
        console_views=_VIEWS + _VIEWS_OF_A_SLOT * slots if console_views is None else console_views,
    )


def occasions(month: Month) -> dict[Occasion, float]:
    """Returns how often each occasion occurs; half of the unclaimed offers are declined."""
    by_form = month.entries - month.requests
    passed = month.offers - month.claimed
    kept = min(_HOURS_OPEN, month.entries + month.claimed)
    ahead = month.entries / _SERVICES / 2
    to_people = month.entries + month.offers + month.claimed
    texts = to_people * month.by_text / 100
    to_staff = month.requests + max(0, month.slots - month.claimed)
    return {
        "form-visit": _VISITS_BEFORE_JOINING * by_form,
        "joined": by_form,
        "request": month.requests,
        "place-view": month.entries,
        "slot-freed": month.slots,
        "slot-declined": passed - passed // 2,
        "slot-lapsed": passed // 2,
        "slot-claimed": month.claimed,
        "list-kept": kept,
        "hundred-kept": kept * month.entries / 100,
        "hundred-ahead": (by_form + month.entries) * ahead / 100,
        "sheet-look": _LOOKS if month.sheet else 0,
        "board-view": month.console_views,
        "housekeeping": _DAYS,
        "summary": 1,
        "text": texts,
        "mail": to_people - texts + to_staff,
    }
