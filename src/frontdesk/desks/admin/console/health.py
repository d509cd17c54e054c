"""Reports health to machines and to people."""

from __future__ import annotations

from ipaddress import ip_address

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import BaseRoute, Route

from frontdesk.core.members import Role
from frontdesk.core.sends import SendState
from frontdesk.desks.admin.console.back_office import SEND_CHIPS, BackOffice, settings_tabs
from frontdesk.desks.admin.console.today import cards_of_all
from frontdesk.engine.health import metrics
from frontdesk.web.console.shell import Handler, console_page, member_of, staff
from frontdesk.web.site import site_of

NO_STORE = {"cache-control": "no-store"}


def routes(office: BackOffice) -> list[BaseRoute]:
    return [
        Route("/health", _for_machines(office), methods=["GET"]),
        Route("/metrics", _metrics(office), methods=["GET"]),
        Route("/console/health", staff(_for_people(office)), methods=["GET"]),
    ]


def _for_machines(office: BackOffice) -> Handler:
    """Returns only 'ok' or 'alarm', because anybody may ask."""

    async def for_machines(_request: Request) -> Response:
        found = await run_in_threadpool(office.health)
        return JSONResponse({"status": "ok" if found.is_well else "alarm"}, headers=NO_STORE)

    return for_machines


def _metrics(office: BackOffice) -> Handler:
    async def answer(request: Request) -> Response:
        if not _is_local(request) and not _is_staff(request):
            raise HTTPException(404)
        text = metrics(await run_in_threadpool(office.health))
        return PlainTextResponse(text, media_type="text/plain; version=0.0.4", headers=NO_STORE)

    return answer


def _is_staff(request: Request) -> bool:
    member = member_of(request)
    return member is not None and member.role.is_at_least(Role.STAFF)


def _is_local(request: Request) -> bool:
    """Whether the request comes from this machine, and not through an undeclared proxy."""
    passed_on = any(name in request.headers for name in ("forwarded", "x-forwarded-for"))
    if request.client is None or (passed_on and not site_of(request).settings.behind_proxy):
        return False
    try:
        return ip_address(request.client.host).is_loopback
    except ValueError:
        return False


def _for_people(office: BackOffice) -> Handler:
    async def for_people(request: Request) -> Response:
        found = await run_in_threadpool(office.health)
        numbers = found.numbers
        cards = await run_in_threadpool(cards_of_all, request)
        return console_page(
            request,
            "admin/health.html",
            page_title="Health",
            active="/console/settings",
            **settings_tabs(request),
            alarms=found.alarms,
            for_a_person=sum(card.needs_you for card in cards),
            sends=[(SEND_CHIPS[state].word, numbers.sends.get(state, 0)) for state in SendState],
            lag=sorted(found.lag.items()),
            numbers=numbers,
            bad_links=found.bad_signatures,
            channel=site_of(request).settings.channel,
        )

    return for_people
