"""Gets a guest's links from their mails, or signs links as the mails do."""

from typing import Any

from frontdesk.desks.rsvp.commands import Cancel
from frontdesk.desks.rsvp.links import GuestLinks
from tests.support.rsvp import DETAILS, RsvpDesk
from tests.support.server import Served

#: Links as mails contain them.
TICKET, CANCEL = "See my ticket", "Give your seat back"
LEAVE = "Leave the line"
TAKE, PASS = "Take the", "Pass"


def sign_up(served: Served, who: str, **more: object) -> str:
    fields = {"name": who.title(), "email": f"{who}@example.org"} | more
    heading = served.visitor.post("/e/pottery", **fields).heading
    person = served.desk.reads.person_by_email(f"{who}@example.org")
    assert person is not None
    guest = served.desk.reads.guest_of(served.desk.event_id, person.id)
    assert guest is not None
    served.desk.ids[who] = guest.id
    served.desk.settle()
    return heading


def links_of(desk: RsvpDesk, who: str) -> GuestLinks:
    product = desk.product
    person = desk.reads.person(desk.guest(who).person_id)
    assert person is not None
    return GuestLinks(
        product.settings.base_url, product.keys, desk.id(who), person.contact_version, DETAILS
    )


def offered(served: Served, line: tuple[str, ...] = ("bob", "cat"), **settings: Any) -> None:
    """Gives an event one seat, which Ann has given up; the first in line has the offer until three
    in the afternoon."""
    desk = served.desk.given(cap=1, confirmed=["ann"], line=line, **settings)
    desk.do(Cancel(desk.id("ann")))
