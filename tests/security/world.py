"""A world with everything: two events, a team, guests in every state, an import, mails and a
problem."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from starlette.routing import Route

from frontdesk.connect.mail_headers import Envelope
from frontdesk.core.jobs import JobId
from frontdesk.core.members import Role
from frontdesk.core.people import PersonId
from frontdesk.desks.admin.desk import first_link
from frontdesk.desks.admin.reads import MessageFilter
from frontdesk.desks.booking.commands import Book
from frontdesk.desks.booking.commands import SetRules as SetBookingRules
from frontdesk.desks.booking.links import BookingLinks
from frontdesk.desks.booking.load import booking_reads
from frontdesk.desks.booking.model import BookingId
from frontdesk.desks.booking.rules import (
    BookingRules,
    Need,
    Period,
    Resource,
    ResourceId,
    ServiceRules,
)
from frontdesk.desks.reminders.links import AnswerLinks
from frontdesk.desks.reminders.links import Purpose as AnswerPurpose
from frontdesk.desks.reminders.load import reminder_reads
from frontdesk.desks.reminders.model import (
    AppointmentId,
    AppointmentSource,
    Window,
    appointment_id,
)
from frontdesk.desks.rsvp.changes import ImportRow
from frontdesk.desks.rsvp.commands import BeginImport, Cancel, CreateEvent, SignUp
from frontdesk.desks.rsvp.model import Details, EventId, EventSettings, GuestId, Lane
from frontdesk.desks.waitlist.commands import FreeSlot, JoinList, SetCatalogue
from frontdesk.desks.waitlist.model import EntryId, Opening, SlotId, Wish
from frontdesk.desks.waitlist.model import Lane as WaitLane
from frontdesk.desks.waitlist.reads import WaitlistReads
from frontdesk.engine.ports import Committed
from frontdesk.features.catalogue.model import Catalogue, Service
from frontdesk.features.proposals.model import ProposalStatus
from frontdesk.intake.mail import MailIn
from frontdesk.web.limits import Limits
from frontdesk.wiring.one_machine import Frontdesk
from tests.desks.rsvp.console_desk import EVENTS, ConsoleDesk, Host, console_desk
from tests.support.browser import Answer, Browser
from tests.support.guest_links import links_of
from tests.support.mail import PARTY, a_mail
from tests.support.rsvp import DETAILS

BASE_URL = "http://desk.example"
#: Routes to which anybody may post. All other forms are in the console.
PUBLIC_FORMS = {
    "/e/{slug}",
    "/e/{slug}/embed",
    "/e/{slug}/link",
    "/api/events/{slug}/guests",
    "/waitlist",
    "/waitlist/embed",
    "/waitlist/link",
    "/api/waitlist",
    "/book",
    "/book/ask",
    "/book/choose",
    "/book/embed/choose",
    "/book/link",
    "/api/booking",
    "/hooks/waitlist/{tool}",
    "/l/{token}",
    "/sign-in",
    "/sign-in/{token}",
}
HOSTILE = (
    "x",
    "%2e%2e%2f%2e%2e%2fetc%2fpasswd",
    "%00%ff%fe",
    "'%20OR%201=1--",
    "9" * 400,
)
ODD_QUERIES = (
    "",
    "?do=cancel&page=-1&q=%00&state=x&sort=x&before=1e9&outcome=x&next=//evil.example",
    "?page=999999&q=%27%22%3E%3Cscript%3E&about=%25&kind=_&desk=%ff&guest=x&accent=red&show=past",
    "?&&=&%%%=%&a[]=1&page=%C2%B2&round=%D9%A1&arrived=1&back=door&job=x&door",
)


@dataclass
class World:
    con: ConsoleDesk
    owner: Host
    staff: Host
    host: Host
    """The host of the main event."""
    stranger: Host
    """The host of another event."""
    other_event: EventId
    other_guest: GuestId
    values: dict[str, str] = field(default_factory=dict)
    """A valid value for each parameter of a path."""

    @property
    def visitor(self) -> Browser:
        return Browser(self.con.app, BASE_URL)

    @property
    def team(self) -> dict[str, Browser]:
        return {
            "visitor": self.visitor,
            "owner": self.owner,
            "staff": self.staff,
            "host": self.host,
            "stranger": self.stranger,
        }

    def routes(self, method: str) -> list[str]:
        """Returns the pattern of every path that takes this method."""
        found = [route for route in self.con.app.routes if isinstance(route, Route)]
        assert len(found) == len(self.con.app.routes), "every route is looked at"
        return [route.path for route in found if method in (route.methods or ())]

    def guarded_forms(self) -> list[str]:
        return [path for path in self.routes("POST") if path not in PUBLIC_FORMS]

    def path(self, pattern: str, **other: str) -> str:
        return re.sub(r":\w+}", "}", pattern).format(**{**self.values, **other})

    def links(self) -> dict[str, str]:
        """Returns a valid token for each purpose of a guest's link."""
        links = links_of(self.con.desk, "ann")
        return {
            name: getattr(links, name)().rpartition("/")[2]
            for name in ("confirm", "manage", "ticket", "unsubscribe")
        } | {
            name: getattr(links_of(self.con.desk, "bob"), name)(1).rpartition("/")[2]
            for name in ("offer", "decline")
        }

    def visit_links(self) -> dict[str, str]:
        """Returns a valid token for each purpose of links about the appointment."""
        product = self.con.desk.product
        reads, booking_id = product.engine.reads(), BookingId(self.values["booking"])
        booking = booking_reads(reads).booking(booking_id)
        visit = reminder_reads(reads).appointment(AppointmentId(self.values["appointment"]))
        assert booking is not None
        assert visit is not None
        answers = AnswerLinks(BASE_URL, lambda: product.keys, Window.SECOND, 0)
        urls = {one.name: answers.url(one, visit) for one in AnswerPurpose}
        urls["booking"] = BookingLinks(BASE_URL, lambda: product.keys).manage(booking, 0)
        return {name: url.rpartition("/")[2] for name, url in urls.items()}

    def sign_in_token(self) -> str:
        product = self.con.desk.product
        now = self.con.desk.clock.now()
        return first_link(product.engine, product.keys, BASE_URL, now).rpartition("/")[2]

    def dump(self) -> list[str]:
        return self.con.dump()


def poll(path: str) -> str:
    """Returns an address that ends: streams never end, so it asks for their numbers once."""
    joined = "&" if "?" in path else "?"
    return f"{path}{joined}poll=1" if path.partition("?")[0].endswith("/live") else path


def is_html(answer: Answer) -> bool:
    return answer.headers.get("content-type", "").startswith("text/html")


def parameters(pattern: str) -> list[str]:
    return re.findall(r"{(\w+)(?::\w+)?}", pattern)


@contextmanager
def open_world(folder: Path, *, details: Details = DETAILS, **settings: Any) -> Iterator[World]:
    with console_desk(folder, **settings) as con:
        yield make_world(con, details)


def make_world(con: ConsoleDesk, details: Details = DETAILS, **settings: Any) -> World:
    desk, new_id = con.desk, con.desk.product.engine.new_id
    desk.product.site.limits = Limits(enabled=False)
    settings = {"party_limit": 4, **settings}
    desk.given(cap=2, confirmed=["ann", "dan"], line=["bob", "cat"], details=details, **settings)
    desk.do(Cancel(desk.id("dan")))  # gives Bob an offer
    supper, guest = EventId(new_id()), GuestId(new_id())
    desk.do(CreateEvent(supper, "supper", details, EventSettings(), 9))
    desk.do(SignUp(supper, guest, PersonId(new_id()), "Zelda", "zelda@example.org", 1, Lane.FORM))
    rows = (
        ImportRow(1, "Fay", "fay@example.org", 2),
        ImportRow(2, "", "", 1, outcome="Row 2: no."),
    )
    job = JobId(new_id())
    desk.do(BeginImport(desk.event_id, job, rows, invite=True))
    asyncio.run(
        MailIn(desk.product).deliver(
            Envelope(
                "ulf@example.org", (PARTY,), a_mail(sender="Ulf <ulf@example.org>"), "127.0.0.1"
            )
        )
    )
    desk.settle()
    world = World(
        con,
        con.owner(),
        con.host("sam", Role.STAFF),
        con.host("mia"),
        con.host("hal", event_id=supper),
        supper,
        guest,
    )
    _name_everything(world, job)
    return world


def _name_everything(world: World, job: JobId) -> None:
    desk = world.con.desk
    product, fd = desk.product, desk.product.engine.reads().desk("fd")
    sends = fd.messages(MessageFilter(but_desk="fd"), limit=50)
    send = next(row.send for row in sends if row.send.about == desk.id("ann"))
    product.store.add_dead_letter("send", send.id, "no", at=desk.clock.now(), cause=None)
    ((mail_id,),) = desk._db().execute("SELECT mail_id FROM fd_mail WHERE recipient = ?", (PARTY,))
    static = next(iter(product.site.renderer.static)).split("~")
    world.values = {
        **_waitlist(product, desk.clock.now()),
        **_booking(product, desk.clock.now()),
        "slug": "pottery",
        "event": desk.event_id,
        "guest": desk.id("ann"),
        "action": "resend",
        "job": job,
        "round": "1",
        "token": world.links()["ticket"],
        "part": "calendar.ics",
        "trouble": "model",
        "send_id": send.id,
        "kind": "confirmed",
        "letter_id": str(fd.problems(1)[0].id),
        "mail_id": mail_id,
        "person_id": desk.guest("ann").person_id,
        "member_id": fd.owners()[0].id,
        "seq": "1",
        "digest": static[0],
        "name": static[1],
        "order": "rotate-keys",
        "answer": "accept",
    }


def _waitlist(product: Frontdesk, now: datetime) -> dict[str, str]:
    """Adds somebody with an offer, an incoming request, and a version of the list."""
    engine = product.engine
    entry, slot = EntryId(engine.new_id()), SlotId(engine.new_id())
    wish = Wish("Cut", 1, now.date(), now.date() + timedelta(days=30))
    commands = (
        SetCatalogue(Catalogue((Service("Cut"),), ("Mia",))),
        JoinList(entry, PersonId(engine.new_id()), "Wim", "wim@example.org", wish, WaitLane.STAFF),
        FreeSlot(slot, "test:1", Opening("Cut", now + timedelta(hours=5), timedelta(hours=1), 1)),
    )
    for command in commands:
        assert isinstance(engine.run(command, by="test", now=now), Committed)
    envelope = Envelope(
        "ulf@example.org",
        (product.settings.waitlist_address,),
        a_mail(sender="Ulf <ulf@example.org>"),
        "127.0.0.1",
    )
    MailIn(product).take(envelope)
    product.runtime.settle(now)
    for task in product.periodic_tasks:
        task.turn()
    wl: WaitlistReads = engine.reads().desk("wl")
    [proposal] = wl.proposals(ProposalStatus.OPEN, 2)
    return {
        "entry": entry,
        "slot": slot,
        "who": "_business",
        "request": proposal.id,
        "number": str(wl.sheet.heads(1)[0].number),
        "tool": "frontdesk",
    }


def _booking(product: Frontdesk, now: datetime) -> dict[str, str]:
    """Adds a service that can be booked, and an appointment tomorrow at noon."""
    engine, booking = product.engine, BookingId("b0" * 16)
    mia = Resource(ResourceId("mia"), "Mia", hours=((Period(0, 24 * 60),),) * 7)
    cut = ServiceRules("Cut", timedelta(hours=1), (Need((mia.id,)),))
    noon = now.replace(hour=12, minute=0, second=0, microsecond=0) + timedelta(days=1)
    commands = (
        SetBookingRules(BookingRules(services=(cut,), resources=(mia,))),
        Book(booking, PersonId(engine.new_id()), "Cut", noon, "Bea", "bea@example.org"),
    )
    for command in commands:
        assert isinstance(engine.run(command, by="test", now=now), Committed)
    product.runtime.settle(now)
    return {
        "service": "cut",
        "booking": booking,
        "resource": mia.id,
        "who": mia.id,
        "appointment": appointment_id(AppointmentSource.BOOKING, booking),
        "window": Window.SECOND.value,
    }


def event_path(pattern: str) -> bool:
    return pattern.startswith(f"{EVENTS}/{{event}}")
