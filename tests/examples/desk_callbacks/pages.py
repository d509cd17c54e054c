"""The page on which people ask for a call, and the list of calls in the console."""

from datetime import timedelta
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from frontdesk.core.contacts import BadContact, clean_email, clean_name
from frontdesk.core.decision import Refused
from frontdesk.core.people import PersonId
from frontdesk.web.console.formatting import Chip, exact_time
from frontdesk.web.console.lists import Column, ListSpec
from frontdesk.web.console.sections import ConsoleSection, NavItem
from frontdesk.web.console.shell import console_page, staff
from frontdesk.web.forms import Form, read_form
from frontdesk.web.site import site_of
from tests.examples.desk_callbacks.desk import ZONE, calls
from tests.examples.desk_callbacks.model import AskForCall, Call

PATH = "/console/calls"
EMPTY = Form({})


async def show(request: Request) -> Response:
    return _page(request, asked=request.query_params.get("asked", ""))


async def take(request: Request) -> Response:
    """Redirects to the GET, so that a reload does not ask twice."""
    site, form = site_of(request), await read_form(request)
    try:
        name, email = clean_name(form["name"]), clean_email(form["email"])
    except BadContact as bad:
        return _page(request, form, str(bad))
    call_at = site.clock.now() + timedelta(hours=min(form.number("hours", 0) or 0, 9_000))
    command = AskForCall(
        site.new_id(), PersonId(site.new_id()), name, email, form["question"][:500], call_at
    )
    if isinstance(await site.run(command, by="guest"), Refused):
        return _page(request, form, "Please give more than one hour.")
    return RedirectResponse("/call-me?asked=yes", 303)


def _page(request: Request, typed: Form = EMPTY, error: str = "", asked: str = "") -> Response:
    site, status = site_of(request), 422 if error else 200
    values: Any = {"page_title": "Call me", "typed": typed, "error": error, "asked": asked}
    return site.renderer.page("callbacks/call_me.html", site.clock.now(), status=status, **values)


CALLS = ListSpec[Call](
    id="calls",
    path=PATH,
    caption="Calls",
    columns=(
        Column("when", "When", lambda call: exact_time(call.call_at, ZONE)),
        Column("question", "Question", lambda call: call.question, long=True),
        Column("state", "State", lambda call: Chip(call.state)),
    ),
    row_url=lambda call: f"/console/people/{call.person_id}",
)


async def call_list(request: Request) -> Response:
    """Reads all calls, since there are few. A longer list would read the rows of one page."""
    query = CALLS.query(request)
    found = await run_in_threadpool(calls(site_of(request).reads()).calls)
    view = CALLS.view(query, found[query.offset :][: query.per_page], total=len(found))
    return console_page(request, "console/list.html", page_title="Calls", active=PATH, list=view)


PUBLIC = (Route("/call-me", show, methods=["GET"]), Route("/call-me", take, methods=["POST"]))
CONSOLE = (Route(PATH, staff(call_list), methods=["GET"]),)
SECTION = ConsoleSection(nav=(NavItem("Calls", PATH, "clock", 45),))
