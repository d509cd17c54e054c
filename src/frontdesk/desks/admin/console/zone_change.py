"""Asks staff before a new time zone changes how upcoming bookings are shown."""

from __future__ import annotations

from datetime import datetime, time

from starlette.requests import Request
from starlette.responses import Response

from frontdesk.core.localtime import same_wall_time, spoken_time, to_local_date, zone
from frontdesk.core.words import count
from frontdesk.web.console.forms import confirm_page, is_confirmed
from frontdesk.web.console.sections import shell_of
from frontdesk.web.site import site_of

#: Bookings, appointments and offered times are instants. The zone only says how they are read.
_MEANS = (
    "They stay at the same moment, so they are shown at another clock time: {before} today becomes"
    " {after}. If the clock times should stay instead, move them afterwards; their customers"
    " are told."
)
_BESIDE = (
    "Rows of a sheet that you connected keep the time that is written there.",
    "Events have a time zone of their own and stay as they are.",
    "Opening hours, quiet hours and days go by the new clock from now on.",
)


def ask_before(request: Request, before: str, after: str, path: str) -> Response | None:
    """The question; None if it is answered, or if nothing is shown at another time."""
    if before == after or is_confirmed(request):
        return None
    ahead = _ahead(request)
    if not ahead:
        return None
    means = _means(site_of(request).clock.now(), before, after)
    return confirm_page(
        request,
        question=f"Change the time zone to {after}?",
        means=f"Still to come: {', '.join(ahead)}. {means}",
        details=_BESIDE,
        label="Change it",
        keep_url=path,
        active=path,
        is_danger=False,
    )


def _ahead(request: Request) -> list[str]:
    """'12 bookings', '3 appointments'."""
    site = site_of(request)
    now, reads = site.clock.now(), site.reads()
    counted = (source(reads, now) for source in shell_of(request).upcoming)
    return [count(number, one, many) for number, one, many in counted if number]


def _means(now: datetime, before: str, after: str) -> str:
    at = same_wall_time(to_local_date(now, zone(before)), time(10), zone(before))
    shown = spoken_time(at, zone(after))
    days = (to_local_date(at, zone(after)) - to_local_date(at, zone(before))).days
    beside = {-1: " of the day before", 1: " of the next day"}.get(days, "")
    return _MEANS.format(before=spoken_time(at, zone(before)), after=f"{shown}{beside}")
