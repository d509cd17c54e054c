"""The function `bk-pages`: the booking page, its JSON, and the links about bookings."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from starlette.applications import Starlette
from starlette.routing import BaseRoute

from frontdesk.aws.container import Deployment
from frontdesk.aws.pages import Pages, while_on
from frontdesk.aws.remote_calls import RemoteCalendarCache, call_and_wait
from frontdesk.aws.routing import Endpoint
from frontdesk.desks.booking.pages import LINKS, routes
from frontdesk.desks.booking.pages.fresh_calendars import CACHE
from frontdesk.web import links
from frontdesk.web.site import Site
from frontdesk.wiring.booking.aws import BK_CALENDAR
from frontdesk.wiring.booking.desk import install

_booking_pages = while_on("booking", lambda _deployment: routes())


def _routes(deployment: Deployment) -> Sequence[BaseRoute]:
    return [*_booking_pages(deployment), *links.routes(LINKS)]


def _install(site: Site, _app: Starlette, deployment: Deployment) -> None:
    install(site)
    call = partial(call_and_wait, deployment.account.client)
    site.shared[CACHE] = RemoteCalendarCache(call, BK_CALENDAR)


bk_pages = Pages(Endpoint.BOOKING, _routes, _install)
