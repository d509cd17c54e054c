"""The occasions at the desks that cost something; requests are counted for each."""

from __future__ import annotations

from typing import Final, Literal, get_args

OfAnEvent = Literal[
    "visit",
    "sign-up-confirmed",
    "sign-up-waiting",
    "link-view",
    "cancelled",
    "offer-made",
    "offer-claimed",
    "offer-lapsed",
    "reminder",
    "moved",
    "mail-in",
    "import-row",
    "headcount",
    "thank-you",
    "thank-you-draft",
    "console-view",
]
OfAWaitlist = Literal[
    "form-visit",
    "joined",
    "request",
    "place-view",
    "slot-freed",
    "slot-declined",
    "slot-lapsed",
    "slot-claimed",
    "list-kept",
    "hundred-kept",
    "hundred-ahead",
    "sheet-look",
    "board-view",
    "housekeeping",
    "summary",
    "text",
    "mail",
]
"""Messages are occasions of their own, since each person chooses texts or mail. The cost of work on
a list grows with it: it is counted for each hundred entries on it, or ahead of somebody.
"""
Occasion = OfAnEvent | OfAWaitlist | Literal["sweep"]

OF_AN_EVENT: Final[tuple[OfAnEvent, ...]] = get_args(OfAnEvent)
OF_A_WAITLIST: Final[tuple[OfAWaitlist, ...]] = get_args(OfAWaitlist)
OCCASIONS: Final[tuple[Occasion, ...]] = (*OF_AN_EVENT, *OF_A_WAITLIST, "sweep")

_HOURS_IN_A_MONTH: Final = 730


def every_month() -> dict[Occasion, float]:
    """Returns the occasions that do not depend on the number of people."""
    return {"sweep": _HOURS_IN_A_MONTH}
