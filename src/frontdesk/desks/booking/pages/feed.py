"""A staff member's bookings as a private calendar file, for programs that subscribe to it."""

from __future__ import annotations

from datetime import timedelta
from typing import Final

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from frontdesk.connect.calendars.ics_own import feed_file
from frontdesk.connect.calendars.port import CalendarEntry
from frontdesk.desks.booking.calendar_job import calendar_entry
from frontdesk.desks.booking.links import feed_token, opens_feed
from frontdesk.desks.booking.load import booking_reads
from frontdesk.desks.booking.model import Booking, BookingStatus, feed_setting
from frontdesk.desks.booking.rules import BookingRules, Resource
from frontdesk.engine.ports import Reads
from frontdesk.values import replace
from frontdesk.web.limits import Rate
from frontdesk.web.site import Site, limit_visitor, site_of

PATH: Final = "/feed/{resource}/{token}.ics"
_BACK: Final = timedelta(days=30)
_AHEAD: Final = timedelta(days=180)
_RATE: Final = Rate(burst=60, per_minute=30)


def feed_url(site: Site, reads: Reads, resource: Resource) -> str:
    version = reads.engine.setting(feed_setting(resource.id))
    token = feed_token(resource.id, version, site.keys)
    return f"{site.settings.base_url}/feed/{resource.id}/{token}.ics"


async def feed(request: Request) -> Response:
    """Returns the file. A wrong address gets a 404, whether or not the person exists."""
    site = site_of(request)
    limit_visitor(request, "feed", _RATE)
    name, token = request.path_params["resource"], request.path_params["token"]
    now, reads = site.clock.now(), site.reads()
    bk = booking_reads(reads)
    rules = bk.rules()
    resource = rules.resource(name)
    version = reads.engine.setting(feed_setting(name)) if resource else 0
    if resource is None or not opens_feed(token, name, version, site.keys, now):
        raise HTTPException(404)
    found = bk.bookings_between(now - _BACK, now + _AHEAD, resources=[resource.id])
    entries = [_entry(one, rules) for one in found if one.takes_time]
    headers = {"cache-control": "private, max-age=300", "x-content-type-options": "nosniff"}
    body = feed_file(entries, resource.name, now)
    return Response(body, media_type="text/calendar; charset=utf-8", headers=headers)


def _entry(booking: Booking, rules: BookingRules) -> CalendarEntry:
    """The event of a booking. One that waits for approval is marked as such."""
    entry = calendar_entry(booking, rules)
    if booking.status is not BookingStatus.PENDING:
        return entry
    return replace(entry, title=f"Needs approval: {entry.title}", is_tentative=True)
