"""Takes the public form and puts the person on the list at once."""

from __future__ import annotations

import hashlib
from typing import Final

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from frontdesk.core.decision import Refused
from frontdesk.core.people import PersonId
from frontdesk.desks.waitlist.commands import JoinList
from frontdesk.desks.waitlist.model import EntryId, Lane
from frontdesk.desks.waitlist.pages import join_form as reading
from frontdesk.desks.waitlist.pages import texts
from frontdesk.desks.waitlist.pages.form import form_page, not_open
from frontdesk.desks.waitlist.pages.join_form import (
    Errors,
    JoinForm,
    Terms,
    read_join_form,
    terms_of,
)
from frontdesk.desks.waitlist.reasons import Reason
from frontdesk.engine.ports import Committed
from frontdesk.web.forms import MOST_FORM_BYTES, Form, read_form, read_upload
from frontdesk.web.limits import Rate
from frontdesk.web.site import Site, site_of

#: Allows a family behind one IP address to join one after the other.
JOIN_RATE: Final = Rate(burst=20, per_minute=10)
#: A hidden field that only robots fill in.
TRAP: Final = "website"


async def from_page(request: Request) -> Response:
    return await _join(request, embedded=False)


async def from_frame(request: Request) -> Response:
    return await _join(request, embedded=True)


async def _join(request: Request, *, embedded: bool) -> Response:
    site = site_of(request)
    limit(request, site)
    terms, form = terms_of(site), await read(request)
    if not terms.is_open:
        return not_open(site, embedded=embedded)
    join_form = read_join_form(terms, form.fields)
    if not isinstance(join_form, JoinForm):
        return form_page(site, terms, form.fields, join_form, embedded=embedded)
    key = digest(join_form, form["once"]) if form["once"] else None
    wrong = {} if form[TRAP] else await put_on_the_list(site, join_form, key=key)
    if wrong:
        return form_page(site, terms, form.fields, wrong, embedded=embedded)
    return _answer(site, terms, join_form, embedded=embedded)


def limit(request: Request, site: Site) -> None:
    address = request.client.host if request.client else ""
    if not site.limits.take("waitlist", address, JOIN_RATE):
        raise HTTPException(429)


async def read(request: Request) -> Form:
    """Reads the form. Scripts on other sites may send it as multipart."""
    if request.headers.get("content-type", "").startswith("multipart/"):
        return await read_upload(request, MOST_FORM_BYTES)
    return await read_form(request)


def digest(*parts: object) -> str:
    """An idempotency key that reveals no address."""
    return f"wl/join/{hashlib.sha256(repr(parts).encode()).hexdigest()}"


async def put_on_the_list(site: Site, join_form: JoinForm, *, key: str | None = None) -> Errors:
    """Joins the list. It returns no errors if the person is known or wants no offers, and takes
    one commit in each case, so that a stranger cannot tell who is known."""
    entry_id = EntryId(site.new_id())
    command = JoinList(
        entry_id,
        PersonId(site.new_id()),
        join_form.name,
        join_form.email,
        join_form.wish,
        Lane.FORM,
        mobile=join_form.mobile,
    )
    outcome = await site.run(command, by=f"guest:{entry_id}", key=key)
    match outcome:
        case Committed():
            return {}
        case Refused(reason):
            assert isinstance(reason, Reason)
            field, sentence = _BY_NOW[reason]
            return {field: sentence}


#: Errors that can appear between reading the form and the commit.
_BY_NOW: Final = {
    Reason.NO_SUCH_SERVICE: ("service", reading.NOT_LISTED),
    Reason.DATES_PASSED: ("latest", reading.PASSED),
}


def _answer(site: Site, terms: Terms, join_form: JoinForm, *, embedded: bool) -> Response:
    return site.renderer.page(
        "waitlist/answer.html",
        site.clock.now(),
        embeddable=embedded,
        page_title=texts.ON_THE_LIST,
        title=texts.ON_THE_LIST,
        lead=texts.joining(terms),
        facts=(
            *texts.wish_facts(join_form.wish),
            ("Contact", texts.masked(join_form.email, join_form.mobile)),
        ),
        next=f"{texts.LINK_FOLLOWS} {texts.KNOWN_ALREADY}",
        note=texts.STOP_HOLDS,
        by_mail=texts.BY_MAIL
        if join_form.mobile and not terms.takes_texts(join_form.mobile)
        else "",
        embedded=embedded,
        back="/waitlist/embed" if embedded else "/waitlist",
    )
