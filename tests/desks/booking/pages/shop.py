"""A salon that takes bookings, behind a real HTTP server in virtual time."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any, cast
from urllib.parse import urlencode, urljoin

from frontdesk.core.decision import Command
from frontdesk.core.localtime import zone
from frontdesk.desks.booking.commands import SetRules
from frontdesk.desks.booking.links import BookingLinks
from frontdesk.desks.booking.model import Booking
from frontdesk.desks.booking.reads import BookingReads
from frontdesk.desks.booking.rules import (
    BookingRules,
    Need,
    Period,
    Resource,
    ResourceId,
    ServiceRules,
)
from frontdesk.desks.waitlist.commands import SetCatalogue
from frontdesk.engine.ports import Committed
from frontdesk.features.catalogue.model import Catalogue, Service
from frontdesk.values import replace
from tests.support.data_file import run_sql
from tests.support.server import FORM, Page, Served, Visitor, serve

ZONE = "Asia/Singapore"
MIRA, JO = ResourceId("mira"), ResourceId("jo")
#: Monday to Friday, 9 to 12 and 13 to 18.
HOURS = ((Period(9 * 60, 12 * 60), Period(13 * 60, 18 * 60)),) * 5 + ((),) * 2
CUT = ServiceRules(
    "Haircut",
    timedelta(minutes=45),
    (Need((MIRA, JO)),),
    price_cents=6_000,
    aliases=("cut",),
    most_upcoming=20,
)
SPA = ServiceRules("Head spa", timedelta(hours=1), (Need((JO,)),), most=1, most_upcoming=20)
RULES = BookingRules(
    zone=ZONE,
    hours=HOURS,
    services=(CUT, SPA),
    resources=(Resource(MIRA, "Mira"), Resource(JO, "Jo")),
)
CATALOGUE = Catalogue(
    (Service("Haircut", timedelta(minutes=45), 6_000), Service("Head spa")), ("Mira", "Jo"), "S$"
)
#: The day after the start of every test: Monday 16 November 2026, 09:00 in Singapore.
TUESDAY = date(2026, 11, 17)
ANN = {"name": "Ann Lee", "contact": "ann@example.org"}


def at(hour: int, minute: int = 0, *, on: date = TUESDAY) -> datetime:
    local = datetime(on.year, on.month, on.day, hour, minute, tzinfo=zone(ZONE))
    return local.astimezone(UTC)


def text(moment: datetime) -> str:
    return f"{moment:%Y-%m-%dT%H:%M}Z"


@dataclass
class Shop:
    served: Served

    def given(self, rules: BookingRules = RULES, **changes: Any) -> Shop:
        return self.do(SetCatalogue(CATALOGUE)).do(SetRules(replace(rules, **changes)))

    def do(self, command: Command) -> Shop:
        outcome = self.served.desk.run(command)
        assert isinstance(outcome, Committed), outcome
        return self.settle()

    def settle(self) -> Shop:
        self.served.desk.settle()
        return self

    def wait(self, **span: float) -> Shop:
        self.served.desk.wait(**span)
        return self

    # --- visitors ---------------------------------------------------------------------------

    @property
    def visitor(self) -> Visitor:
        return self.served.visitor

    def get(self, url: str) -> Page:
        return self.visitor.get(url)

    def post(self, url: str, **fields: object) -> Page:
        page = self.visitor.post(url, **fields)
        self.settle()
        return page

    def post_only(self, url: str, **fields: object) -> Page:
        """Posts a form without following the redirect."""
        page = self.visitor.send("POST", url, urlencode(fields).encode(), {"content-type": FORM})
        self.settle()
        return page

    def book(self, starts_at: datetime | None = None, **fields: object) -> Page:
        """Sends the form of a chosen time, as the page does."""
        chosen = {"service": "Haircut", "at": text(starts_at or at(10)), **ANN, **fields}
        return self.post("/book", **chosen)

    # --- state ------------------------------------------------------------------------------

    @property
    def now(self) -> datetime:
        return self.served.desk.clock.now()

    @property
    def reads(self) -> BookingReads:
        return cast(BookingReads, self.served.desk.product.engine.reads().desk("bk"))

    def bookings(self) -> list[Booking]:
        return list(self.reads.bookings())

    @property
    def booking(self) -> Booking:
        (found,) = self.bookings()
        return found

    def links(self, booking: Booking | None = None) -> str:
        """Returns the address of a booking's own page."""
        booking = booking or self.booking
        product = self.served.desk.product
        person = self.reads.person(booking.person_id)
        assert person is not None
        links = BookingLinks(product.settings.links_at, lambda: product.keys)
        return links.manage(booking, person.contact_version)

    def told(self, to: str) -> list[str]:
        """Returns the subjects of all mails to an address, oldest first."""
        sql = "SELECT subject FROM fd_message WHERE to_email = ? ORDER BY sent_at, rowid"
        data_dir = self.served.desk.product.settings.data_dir
        return [subject for (subject,) in run_sql(data_dir, sql, to)]


def times_in(page: Page) -> list[str]:
    """Returns the instants of all buttons that choose a time."""
    return re.findall(r'name="at" value="([^"]+)"', page.body)


def hrefs(page: Page) -> list[str]:
    return [each.replace("&amp;", "&") for each in re.findall(r'href="([^"]+)"', page.body)]


def place(page: Page) -> str:
    """Returns the address of a page without its host."""
    return page.url.removeprefix(urljoin(page.url, "/")[:-1])


@contextmanager
def shop_at(folder: Path, **settings: Any) -> Iterator[Shop]:
    with serve(folder, **settings) as served:
        yield Shop(served)
