"""The list of desks; each desk names its parts.

Parts are imported on first use, since a function on AWS uses few of them.
"""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from types import ModuleType
from typing import TYPE_CHECKING, Final

from frontdesk.wiring.desk_parts import DeskParts

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from starlette.routing import BaseRoute

    from frontdesk.engine.inspection import DeskChecks
    from frontdesk.settings import Settings
    from frontdesk.store.dynamodb.tables import DeskItems
    from frontdesk.store.sqlite.tables import DeskTables
    from frontdesk.web.console.sections import ConsoleSection
    from frontdesk.web.home import HomeLink
    from frontdesk.web.links import LinkHandler
    from frontdesk.web.site import Site
    from frontdesk.wiring.application import Application
    from frontdesk.wiring.context import BuiltDesk, DeskContext, PeriodicTask
    from frontdesk.wiring.desk_parts import DeskOnAws


class RsvpParts(DeskParts):
    name = "rsvp"
    public_paths = ("/e",)
    console_paths = ("/console/events", "/console/door", "/console/settings/mails")

    def sqlite(self) -> DeskTables:
        from frontdesk.store.sqlite.rsvp import RSVP

        return RSVP

    def dynamodb(self) -> DeskItems:
        from frontdesk.store.dynamodb.rsvp import RSVP

        return RSVP

    def checks(self) -> DeskChecks:
        from frontdesk.desks.rsvp.doctor import CHECKS

        return CHECKS

    def build(self, context: DeskContext) -> BuiltDesk:
        from frontdesk.wiring import rsvp

        return rsvp.build(context)

    def install(self, back: Application, site: Site) -> Sequence[PeriodicTask]:
        from frontdesk.wiring import rsvp

        rsvp.install(back, site)
        return ()

    def on_aws(self) -> DeskOnAws:
        from frontdesk.wiring.rsvp import RsvpOnAws

        return RsvpOnAws()

    def public_routes(self, settings: Settings) -> Sequence[BaseRoute]:
        from frontdesk.desks.rsvp import pages

        return pages.routes()

    def links(self) -> Mapping[int, LinkHandler]:
        from frontdesk.desks.rsvp.pages import LINKS

        return LINKS

    def console_routes(self, *, with_calendar: bool) -> Sequence[BaseRoute]:
        from frontdesk.desks.rsvp import console

        return console.routes()

    def console_section(self, settings: Settings, *, with_calendar: bool) -> ConsoleSection:
        from frontdesk.desks.rsvp import console

        return console.section(settings)


class WaitlistParts(DeskParts):
    name = "waitlist"
    public_paths = ("/waitlist",)
    console_paths = ("/console/waitlist",)

    def public_at(self, settings: Settings) -> str:
        return settings.waitlist_at

    def sqlite(self) -> DeskTables:
        from frontdesk.store.sqlite.waitlist import WAITLIST

        return WAITLIST

    def dynamodb(self) -> DeskItems:
        from frontdesk.store.dynamodb.waitlist import WAITLIST

        return WAITLIST

    def checks(self) -> DeskChecks:
        from frontdesk.desks.waitlist.doctor import CHECKS

        return CHECKS

    def build(self, context: DeskContext) -> BuiltDesk:
        from frontdesk.wiring.waitlist.desk import build

        return build(context)

    def install(self, back: Application, site: Site) -> Sequence[PeriodicTask]:
        from frontdesk.wiring.waitlist import one_machine

        return one_machine.install(back, site)

    def start(self, site: Site) -> None:
        from frontdesk.desks.waitlist.slot_intake import slot_intake_in

        slot_intake_in(site).documents.open()

    def on_aws(self) -> DeskOnAws:
        from frontdesk.wiring.waitlist.aws import WaitlistOnAws

        return WaitlistOnAws()

    def public_routes(self, settings: Settings) -> Sequence[BaseRoute]:
        from frontdesk.desks.waitlist import pages, webhook
        from frontdesk.wiring.waitlist import slack

        return [*pages.routes(), *webhook.routes(), *slack.routes(settings)]

    def home_link(self, site: Site) -> HomeLink | None:
        from frontdesk.features.catalogue.model import CATALOGUE
        from frontdesk.web.home import HomeLink

        if not site.reads().engine.setting(CATALOGUE).public.services:
            return None
        text = "Nothing free that suits you? We offer you a time when one comes free."
        return HomeLink("Join the waitlist", text, f"{site.settings.waitlist_at}/waitlist", "line")

    def links(self) -> Mapping[int, LinkHandler]:
        from frontdesk.desks.waitlist.pages import LINKS

        return LINKS

    def console_routes(self, *, with_calendar: bool) -> Sequence[BaseRoute]:
        from frontdesk.desks.waitlist import console
        from frontdesk.desks.waitlist.console import calendar

        return [*(calendar.OPENINGS.routes() if with_calendar else ()), *console.routes()]

    def console_section(self, settings: Settings, *, with_calendar: bool) -> ConsoleSection:
        from frontdesk.desks.waitlist import console
        from frontdesk.desks.waitlist.console import calendar
        from frontdesk.web.console.sections import joined

        section = console.section(settings)
        return joined([section, calendar.SECTION]) if with_calendar else section


class BookingParts(DeskParts):
    name = "booking"
    public_paths = ("/book", "/feed")
    console_paths = (
        "/console/bookings",
        "/console/settings/booking-mails",
        "/console/settings/direct-senders",
    )

    def public_at(self, settings: Settings) -> str:
        return settings.booking_at

    def sqlite(self) -> DeskTables:
        from frontdesk.store.sqlite.booking import BOOKING

        return BOOKING

    def dynamodb(self) -> DeskItems:
        from frontdesk.store.dynamodb.booking import BOOKING

        return BOOKING

    def checks(self) -> DeskChecks:
        from frontdesk.desks.booking.doctor import CHECKS

        return CHECKS

    def build(self, context: DeskContext) -> BuiltDesk:
        from frontdesk.wiring.booking.desk import build

        return build(context)

    def install(self, back: Application, site: Site) -> Sequence[PeriodicTask]:
        from frontdesk.wiring.booking import calendars, desk, rules

        desk.install(site)
        tasks = (*rules.install(back, site), *calendars.install(back, site))
        return [*tasks, desk.hold_cleanup(back)]

    def on_aws(self) -> DeskOnAws:
        from frontdesk.wiring.booking.aws import BookingOnAws

        return BookingOnAws()

    def public_routes(self, settings: Settings) -> Sequence[BaseRoute]:
        from frontdesk.desks.booking import pages

        return pages.routes()

    def home_link(self, site: Site) -> HomeLink | None:
        from frontdesk.desks.booking.model import SAVED_RULES
        from frontdesk.web.home import HomeLink

        services = site.reads().engine.setting(SAVED_RULES).services
        if all(one.unlisted for one in services):
            return None
        text = "Choose a free time. You need no account."
        return HomeLink("Book an appointment", text, f"{site.settings.booking_at}/book", "bookings")

    def links(self) -> Mapping[int, LinkHandler]:
        from frontdesk.desks.booking.pages import LINKS

        return LINKS

    def console_routes(self, *, with_calendar: bool) -> Sequence[BaseRoute]:
        from frontdesk.desks.booking import console

        return console.routes()

    def console_section(self, settings: Settings, *, with_calendar: bool) -> ConsoleSection:
        from frontdesk.desks.booking import console

        return console.section(settings)


class ReminderParts(DeskParts):
    name = "reminders"
    console_paths = ("/console/reminders", "/console/settings/reminder-mails")

    def sqlite(self) -> DeskTables:
        from frontdesk.store.sqlite.reminders import REMINDERS

        return REMINDERS

    def dynamodb(self) -> DeskItems:
        from frontdesk.store.dynamodb.reminders import REMINDERS

        return REMINDERS

    def checks(self) -> DeskChecks:
        from frontdesk.desks.reminders.doctor import CHECKS

        return CHECKS

    def build(self, context: DeskContext) -> BuiltDesk:
        from frontdesk.wiring.reminders import desk

        return desk.build(context)

    def install(self, back: Application, site: Site) -> Sequence[PeriodicTask]:
        from frontdesk.wiring.reminders import desk

        return desk.install(back, site)

    def start(self, site: Site) -> None:
        from frontdesk.wiring.reminders import desk

        desk.start(site)

    def on_aws(self) -> DeskOnAws:
        from frontdesk.wiring.reminders.aws import RemindersOnAws

        return RemindersOnAws()

    def public_routes(self, settings: Settings) -> Sequence[BaseRoute]:
        if not settings.calendar_hook_url:
            return ()
        from frontdesk.features.calendars import push

        return push.routes("ar")

    def links(self) -> Mapping[int, LinkHandler]:
        from frontdesk.desks.reminders.pages import LINKS

        return LINKS

    def console_routes(self, *, with_calendar: bool) -> Sequence[BaseRoute]:
        from frontdesk.desks.reminders import console

        return console.routes()

    def console_section(self, settings: Settings, *, with_calendar: bool) -> ConsoleSection:
        from frontdesk.desks.reminders import console

        return console.section(settings)


class AdminParts(DeskParts):
    """`wiring.console` has its pages: they need more of the application than others."""

    name = "admin"

    def sqlite(self) -> DeskTables:
        from frontdesk.store.sqlite.admin import ADMIN

        return ADMIN

    def dynamodb(self) -> DeskItems:
        from frontdesk.store.dynamodb.admin import ADMIN

        return ADMIN

    def checks(self) -> DeskChecks:
        from frontdesk.desks.admin.doctor import CHECKS

        return CHECKS

    def build(self, context: DeskContext) -> BuiltDesk:
        from frontdesk.core.text_rules import text_rules
        from frontdesk.desks.admin.delivery import delivery_rules
        from frontdesk.desks.admin.desk import admin_desk
        from frontdesk.desks.admin.messages import messages
        from frontdesk.desks.admin.model import Retention
        from frontdesk.wiring.context import BuiltDesk
        from frontdesk.wiring.senders import render_as_business, sender_profile
        from frontdesk.wiring.unreached_people import UnreachedPeople

        settings = context.settings
        unreached = UnreachedPeople(context.engine, text_rules(settings))
        profile = sender_profile(settings, context.keys)
        render = render_as_business(messages(unreached.count), profile)
        retention = Retention(
            mail_days=settings.keep_mail_days, messages_days=settings.keep_messages_days
        )
        return BuiltDesk(admin_desk(delivery_rules(render), retention))


DESKS: Final[tuple[DeskParts, ...]] = (
    RsvpParts(),
    WaitlistParts(),
    BookingParts(),
    ReminderParts(),
    AdminParts(),
)


def switched_on(desk: DeskParts, settings: Settings) -> bool:
    """Whether a desk has pages and takes work. The tables and rules of every desk are there."""
    return isinstance(desk, AdminParts) or settings.has_desk(desk.name)


def closed_pages(settings: Settings) -> tuple[str, ...]:
    """The pages of desks that are switched off, each as an address and as a path. No page links to
    them.
    """
    off = [desk for desk in DESKS if not switched_on(desk, settings)]
    found = [(settings.console_at, path) for desk in off for path in desk.console_paths]
    found += [(desk.public_at(settings), path) for desk in off for path in desk.public_paths]
    return tuple(url for at, path in found for url in (path, f"{at}{path}"))


def desk_modules(package: str) -> list[ModuleType]:
    """Imports the desks' modules in a package above the wiring, such as `frontdesk.cli`. A module
    or folder there has the desk's name; a desk may have none.
    """
    names = (f"{package}.{desk.name}" for desk in DESKS)
    return [import_module(name) for name in names if find_spec(name) is not None]
