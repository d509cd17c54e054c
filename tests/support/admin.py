"""Runs the whole product with its console in virtual time, and a team that signs in to it."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from starlette.applications import Starlette

from frontdesk.core.decision import Command
from frontdesk.core.members import MemberId, Role
from frontdesk.core.messages import Channel
from frontdesk.core.people import Person, PersonId
from frontdesk.core.sends import SentMessage
from frontdesk.desks.admin import console, pages
from frontdesk.desks.admin.commands import InviteMember
from frontdesk.desks.admin.desk import first_link, new_nonce
from frontdesk.desks.admin.load import admin
from frontdesk.desks.admin.reads import AdminReads, MessageFilter
from frontdesk.engine.clock import VirtualClock
from frontdesk.engine.ports import Committed, Outcome
from frontdesk.engine.runtime import advance
from frontdesk.intake.sms import TextIn
from frontdesk.settings import Settings
from frontdesk.web.app import create_app
from frontdesk.web.console.sections import (
    ConsoleSection,
    NavItem,
    PersonPlace,
    SettingsLink,
    TodayCard,
    install_shell,
)
from frontdesk.wiring.one_machine import Frontdesk, build, data_file
from tests.support.browser import Browser

NINE = datetime(2026, 3, 2, 9, tzinfo=UTC)
BASE_URL = "http://desk.example"


class AdminDesk:
    def __init__(self, product: Frontdesk, clock: VirtualClock, app: Starlette) -> None:
        self.product = product
        self.clock = clock
        self.app = app

    # --- doing ------------------------------------------------------------------------------

    def run(self, command: Command, by: str = "cli") -> Outcome:
        return self.product.engine.run(command, by=by, now=self.clock.now())

    def do(self, command: Command, by: str = "cli") -> Committed:
        outcome = self.run(command, by)
        assert isinstance(outcome, Committed), outcome
        return outcome

    def settle(self) -> None:
        self.product.runtime.settle(self.clock.now())

    def wait(self, **time: int) -> None:
        advance(self.product.runtime, self.clock, self.clock.now() + timedelta(**time))

    # --- the team ---------------------------------------------------------------------------

    def browser(self, address: str = "192.0.2.7") -> Browser:
        return Browser(self.app, self.product.settings.base_url, address)

    def owner(self) -> Browser:
        """An owner, signed in with the link that the server prints."""
        return self.let_in(self.printed_link())

    def printed_link(self) -> str:
        settings = self.product.settings
        return first_link(
            self.product.engine, self.product.keys, settings.base_url, self.clock.now()
        )

    def let_in(self, link: str) -> Browser:
        browser = self.browser()
        answer = browser.post(path_of(link))
        assert answer.status == 303, answer.says
        return browser

    def invite(self, name: str, role: Role, event_id: str = "") -> MemberId:
        member_id = MemberId(self.product.engine.new_id())
        person_id = PersonId(self.product.engine.new_id())
        email = f"{name.lower()}@example.org"
        self.do(InviteMember(member_id, person_id, name, email, role, event_id, new_nonce()))
        return member_id

    def member(self, name: str, role: Role, event_id: str = "") -> Browser:
        """A new member, signed in with the link of their invitation."""
        self.invite(name, role, event_id)
        self.settle()
        return self.let_in(self.link_to(f"{name.lower()}@example.org"))

    # --- looking ----------------------------------------------------------------------------

    @property
    def fd(self) -> AdminReads:
        return admin(self.product.engine.reads())

    def person(self, email: str) -> Person:
        found = self.product.engine.reads().engine.person_by_email(email)
        assert found is not None, email
        return found

    def mails(self, email: str) -> list[SentMessage]:
        """Returns the mails to an address, the oldest first."""
        engine = self.product.engine.reads().engine
        rows = self.fd.messages(MessageFilter(person_id=self.person(email).id), limit=100)
        kept = [engine.sent_message(row.send.id) for row in reversed(rows)]
        return [mail for mail in kept if mail is not None]

    def link_to(self, email: str) -> str:
        """Returns the address that is on its own line in the latest mail to somebody."""
        text = self.mails(email)[-1].text
        return next(line for line in text.splitlines() if line.startswith("http"))

    def kinds(self) -> list[str]:
        """Returns the kinds of all facts in order."""
        with self._db() as db:
            rows = db.execute("SELECT kind FROM fd_fact WHERE desk = 'fd' ORDER BY seq")
            return [kind for (kind,) in rows]

    def dump(self) -> list[str]:
        """Returns all stored rows, to check that nothing has changed."""
        with self._db() as db:
            return list(db.iterdump())

    @contextmanager
    def _db(self) -> Iterator[sqlite3.Connection]:
        db = sqlite3.connect(data_file(self.product.settings.data_dir))
        try:
            yield db
        finally:
            db.close()


def path_of(link: str) -> str:
    return urlsplit(link).path


#: A minimal desk: only the parts that a desk gives to the console.
SHELL = ConsoleSection(
    nav=(
        *console.SECTION.nav,
        NavItem("Events", "/console/events", "events", 10, for_host=lambda e: f"/console/e/{e}"),
    ),
    settings=(
        SettingsLink("Event defaults", "Quiet hours.", "/console/events/defaults", "Events"),
    ),
    today=(
        *console.SECTION.today,
        lambda _reads, now: [
            TodayCard(title="Supper", text="12 of 40 seats", url="/console/e/1", needs_you=False)
        ],
    ),
    places=(
        lambda _reads, person: (
            [
                PersonPlace(
                    desk="RSVP",
                    title="Supper",
                    url="/console/e/1",
                    word="Confirmed",
                    state="good",
                    data={"party": 2},
                )
            ]
            if person.email.startswith("gus@")
            else []
        ),
    ),
    hostable=(lambda _reads: [("1", "Supper"), ("2", "Brunch")],),
)


@contextmanager
def open_admin_desk(
    folder: Path,
    *,
    channel: Channel | None = None,
    texts: Channel | None = None,
    base_url: str = BASE_URL,
    **settings: Any,
) -> Iterator[AdminDesk]:
    clock = VirtualClock(NINE)
    chosen = Settings(data_dir=folder, base_url=base_url, **settings)
    product = build(chosen, clock=clock, channel=channel, texts=texts)
    callbacks = console.AdminCallbacks(
        product.health, product.replay, TextIn(product).take, product.try_part
    )
    app = create_app(product.site, [*pages.routes(), *console.routes(callbacks)])
    install_shell(app, SHELL)
    try:
        yield AdminDesk(product, clock, app)
    finally:
        product.close()
