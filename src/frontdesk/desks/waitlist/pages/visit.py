"""Loads the rows for an opened link and checks that the link is still valid."""

from __future__ import annotations

from datetime import date
from typing import Any, Final

from starlette.requests import Request
from starlette.responses import Response

from frontdesk.core.decision import Command
from frontdesk.core.localtime import to_wall, zone
from frontdesk.core.occasions import occasion
from frontdesk.core.people import Person
from frontdesk.desks.waitlist import words
from frontdesk.desks.waitlist.links import EntryLink, OfferLink, waitlist_link
from frontdesk.desks.waitlist.load import waitlist
from frontdesk.desks.waitlist.model import Entry, EntryId, EntryStatus, Offer, Slot
from frontdesk.desks.waitlist.reads import WaitlistReads
from frontdesk.engine.ports import Outcome
from frontdesk.web.links import LinkVisit, OpenedLink, link_expired, link_outdated
from frontdesk.web.site import site_of

#: The link on every page that has no other next step.
JOIN: Final = ("/waitlist", "To the waitlist")
#: Leads those who wait to the form that sends them the link to their place in line.
LOST_LINK: Final = ("/waitlist/link", "Send me my link")


class Visit(LinkVisit, kw_only=True):
    """The current rows for one opened link."""

    wl: WaitlistReads
    entry: Entry
    person: Person

    @property
    def today(self) -> date:
        return to_wall(self.now, zone(self.wl.rules().zone)).date()

    @property
    def is_waiting(self) -> bool:
        return self.entry.status is EntryStatus.WAITING

    async def run(self, command: Command) -> Outcome:
        return await self.run_as(self.entry.id, command)


class OfferVisit(Visit, kw_only=True):
    slot: Slot
    offer: Offer


def slot_values(slot: Slot) -> dict[str, Any]:
    """Template values of a slot: service, time and staff member."""
    opening = slot.opening
    what = occasion(
        opening.service,
        opening.starts_at,
        opening.starts_at + opening.duration,
        slot.rules.zone,
        words.with_staff(opening),
    )
    return {"what": what, "iso_date": slot.on.isoformat()}


def at_entry(request: Request, opened: OpenedLink) -> Visit | Response:
    link = waitlist_link(opened.link)
    assert isinstance(link, EntryLink)
    rows = _rows(request, link.entry_id, link.version)
    if rows is None:
        return link_outdated(request, JOIN)
    if opened.expired:
        it_was = f"It was for your place in line for {rows['entry'].service}."
        return link_expired(request, it_was, JOIN)
    return Visit(request=request, path=opened.path, **rows)


def at_offer(request: Request, opened: OpenedLink) -> OfferVisit | Response:
    link = waitlist_link(opened.link)
    assert isinstance(link, OfferLink)
    wl = waitlist(site_of(request).reads())
    slot, offer = wl.slot(link.slot_id), wl.offer(link.slot_id, link.seq)
    rows = _rows(request, offer.entry_id, link.version) if offer else None
    if slot is None or offer is None or rows is None:
        return link_outdated(request, JOIN)
    if opened.expired:
        it_was = f"It was for {slot.opening.service}, {words.slot_when(slot)}."
        return link_expired(request, it_was, JOIN)
    return OfferVisit(request=request, path=opened.path, slot=slot, offer=offer, **rows)


def _rows(request: Request, entry_id: EntryId, version: int) -> dict[str, Any] | None:
    """The rows; None if the person was erased or the link was sent to an older contact."""
    site = site_of(request)
    wl = waitlist(site.reads())
    entry = wl.entry(entry_id)
    person = None if entry is None else wl.person(entry.person_id)
    if person is None or person.erased or person.contact_version != version:
        return None
    return {"site": site, "wl": wl, "entry": entry, "person": person, "now": site.clock.now()}
