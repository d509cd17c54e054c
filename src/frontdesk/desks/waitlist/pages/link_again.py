"""The page on which a person on the list asks for a lost link."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from starlette.requests import Request
from starlette.responses import Response

from frontdesk.core.contacts import clean_email
from frontdesk.core.people import Person
from frontdesk.core.phones import clean_phone
from frontdesk.desks.waitlist.commands import SendPlaceLink
from frontdesk.desks.waitlist.load import waitlist
from frontdesk.web.link_again import LinkForm, link_form, take_request
from frontdesk.web.site import Site, site_of

_FORM: Final = LinkForm(
    action="/waitlist/link",
    lead="With it you see your place, change your dates or leave the list. Give the e-mail address"
    " or the mobile number with which you joined.",
    label="E-mail or mobile number",
    kind="text",
    back=("/waitlist", "Back to the waitlist"),
)
#: The most links per request; a family may share a number.
_MOST_LINKS: Final = 5


async def show(request: Request) -> Response:
    return link_form(site_of(request), _FORM)


async def ask(request: Request) -> Response:
    country = site_of(request).settings.country

    def clean(text: str) -> str:
        return clean_email(text) if "@" in text or not text else clean_phone(text, country)

    return await take_request(request, _FORM, clean, _send)


async def _send(site: Site, contact: str) -> None:
    wl = waitlist(site.reads())
    entries = [entry for person in _people(site, contact) for entry in wl.entries_of(person.id)]
    for entry in entries[:_MOST_LINKS]:
        await site.run(SendPlaceLink(entry.id), by=f"guest:{entry.id}")


def _people(site: Site, contact: str) -> Sequence[Person]:
    engine = site.reads().engine
    if "@" not in contact:
        return engine.people_by_mobile(contact)
    person = engine.person_by_email(contact)
    return () if person is None else (person,)
