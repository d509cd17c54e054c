"""The signed webhook for booking tools, `POST /hooks/waitlist/<tool>`. Repeats are ignored."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route

from frontdesk.core.decision import Refused
from frontdesk.desks.waitlist.commands import ReportOverlap
from frontdesk.desks.waitlist.hooks.tools import TOOLS, BadNotice, Freed, Tool
from frontdesk.desks.waitlist.load import waitlist
from frontdesk.desks.waitlist.reasons import Reason
from frontdesk.desks.waitlist.slot_intake import NAME as SLOT_INTAKE
from frontdesk.desks.waitlist.slot_intake import SlotIntake
from frontdesk.engine.ports import Outcome
from frontdesk.settings import Settings
from frontdesk.web.forms import BadForm, json_object, read_body
from frontdesk.web.limits import Rate
from frontdesk.web.site import Site, site_of

MOST_BYTES: Final = 64 * 1024
#: Limits per sender: a tool may send many at once, a sender with a wrong signature only few.
RATE: Final = Rate(burst=120, per_minute=60)
FORGED_RATE: Final = Rate(burst=20, per_minute=6)


def routes() -> list[BaseRoute]:
    return [Route("/hooks/waitlist/{tool}", take, methods=["POST"])]


async def take(request: Request) -> Response:
    site = site_of(request)
    tool = TOOLS.get(request.path_params["tool"])
    secret = secret_of(site.settings, tool) if tool else ""
    if tool is None or not secret:
        return _no(404, "Nothing is listening here. The secret of this tool is not set.")
    _limit(request, site, "webhook", RATE)
    try:
        body = await read_body(request, MOST_BYTES)
    except BadForm as error:
        return _no(413, str(error))
    now = site.clock.now()
    if not tool.is_signed(request.headers.get(tool.header, ""), body, secret, now):
        _limit(request, site, "forged webhook", FORGED_RATE)
        return _no(401, f"The {tool.header} header does not fit this body, or is too old.")
    try:
        freed = tool.read(_decoded(body), waitlist(site.reads()).catalogue())
    except BadNotice as error:
        return _no(422, str(error))
    if freed is None:
        return JSONResponse({"slot": None, "means": "This is not about a time that came free."})
    outcome = await run_in_threadpool(_free, site, tool, freed)
    if isinstance(outcome, Refused) and outcome.reason is Reason.OVERLAPS:
        report = ReportOverlap(freed.origin, freed.opening)
        await site.run(report, by=f"webhook:{tool.name}")
    return _answered(site, freed, outcome)


def secret_of(settings: Settings, tool: Tool) -> str:
    return {
        "frontdesk": settings.webhook_secret,
        "cal.com": settings.cal_com_secret,
        "calendly": settings.calendly_secret,
    }[tool.name]


def _free(site: Site, tool: Tool, freed: Freed) -> Outcome:
    intake = site.memory[SLOT_INTAKE]
    assert isinstance(intake, SlotIntake)
    by = f"webhook:{tool.name}"
    return intake.free(freed.origin, freed.opening, by=by, rest=freed.rest)


def _answered(site: Site, freed: Freed, outcome: Outcome) -> Response:
    """Answers with success where a retry cannot help, because tools retry after an error."""
    slot = waitlist(site.reads()).slot_by_origin(freed.origin)
    if isinstance(outcome, Refused) and outcome.reason is not Reason.ALREADY_FREED:
        means = _MEANS.get(outcome.reason, "It was not taken.")
        return JSONResponse({"slot": None, "means": means})
    known = isinstance(outcome, Refused) or outcome.repeated
    means = "We were told of it before." if known else "It is offered to the next who suits it."
    return JSONResponse({"slot": slot.id if slot else None, "means": means}, 200 if known else 201)


_MEANS: Final[Mapping[Any, str]] = {
    Reason.BEGUN: "Its time has begun, or too little of it is left: nobody can be asked any more.",
    Reason.BAD_SLOT: "It makes no sense: a slot lasts from a minute to a day and has a service.",
    Reason.OVERLAPS: "The staff member, or the only place, has another slot at this time. "
    "Staff are asked.",
}


def _decoded(body: bytes) -> Mapping[str, Any]:
    try:
        return json_object(body)
    except BadForm as error:
        raise BadNotice("The body should be a JSON object.") from error


def _limit(request: Request, site: Site, purpose: str, rate: Rate) -> None:
    if not site.limits.take(purpose, request.client.host if request.client else "", rate):
        raise HTTPException(429)


def _no(status: int, problem: str) -> Response:
    return JSONResponse({"problem": problem, "means": "Nothing was changed."}, status)
