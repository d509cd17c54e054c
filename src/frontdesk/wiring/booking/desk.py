"""Builds the booking desk."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from functools import cache
from typing import TYPE_CHECKING, Final

from frontdesk.core.mail import MailReceived, is_for
from frontdesk.desks.admin.facts import PersonCorrected, PersonErased
from frontdesk.desks.booking.availability import Availability
from frontdesk.desks.booking.calendar_job import CalendarWriter
from frontdesk.desks.booking.commands import ForgetHold
from frontdesk.desks.booking.decide.requests import READ_JOB
from frontdesk.desks.booking.decide.states import CALENDAR_JOB
from frontdesk.desks.booking.delivery import delivery_rules
from frontdesk.desks.booking.desk import booking_desk
from frontdesk.desks.booking.load import Loader, booking_reads, expected_people
from frontdesk.desks.booking.messages import messages
from frontdesk.desks.booking.messages.context import BookingMail
from frontdesk.desks.booking.model import SAVED_RULES
from frontdesk.desks.booking.notes import NOTES
from frontdesk.desks.booking.react import cancel_bookings, follow_contact
from frontdesk.desks.booking.views import DeskOptions
from frontdesk.engine.clock import Clock
from frontdesk.engine.engine import Engine
from frontdesk.engine.follow import Binding
from frontdesk.logs import failure, log
from frontdesk.settings import Settings
from frontdesk.values import Frozen, replace
from frontdesk.wiring.between_desks.handovers import FROM_WAITLIST, to_waitlist, waitlist_slot
from frontdesk.wiring.between_desks.waitlist_facts import FOR_BOOKINGS
from frontdesk.wiring.booking.calendars import connected_calendars, saved_busy
from frontdesk.wiring.booking.rules import FROM_BUSINESS
from frontdesk.wiring.context import BuiltDesk, DeskContext, PeriodicTask
from frontdesk.wiring.senders import render_as_business, sender_profile, sms_rules

if TYPE_CHECKING:
    from frontdesk.desks.booking.mail_lanes import MailLanes
    from frontdesk.reading.model import Reader
    from frontdesk.web.site import Site
    from frontdesk.wiring.application import Application

CLEANUP_EVERY: Final = timedelta(minutes=10)
#: A visitor may still send the form of a hold that has just ended.
SPARE: Final = timedelta(hours=1)

FROM_ADMIN: Final = Binding(
    "bk.from_house",
    {
        PersonErased: cancel_bookings,
        PersonCorrected: follow_contact,
        **FOR_BOOKINGS,
    },
)


def loader(settings: Settings, clock: Clock) -> Loader:
    """Loads views with the slots of the waitlist desk, and with busy times as last read. Where the
    reminders desk is on, it reminds of bookings."""
    reminds = not settings.has_desk("reminders")
    options = DeskOptions(hands_over=settings.has_desk("waitlist"), reminds=reminds)
    return Loader(options, saved_busy(clock), waitlist_slot)


def build(context: DeskContext) -> BuiltDesk:
    """Builds the desk with its messages, by mail and by SMS."""
    settings, texts = context.settings, context.texts
    profile = replace(
        sender_profile(settings, context.keys),
        pages_url=settings.booking_at,
        links_url=settings.booking_links_at,
        sends_sms=texts is not None,
        sms_rules=sms_rules(settings, is_local=texts is None or texts.local),
    )
    writer = CalendarWriter(context.reads, connected_calendars(settings, context.reads))
    lanes = _mail_lanes(context)
    mail = BookingMail(
        settings.booking_address,
        settings.channel == "ses",
        lambda reads, mail_id: lanes().answering(reads, mail_id),
    )
    desk = booking_desk(
        delivery_rules(render_as_business(messages(mail), profile)),
        loader=loader(settings, context.clock),
        notes=NOTES,
        jobs={CALENDAR_JOB: writer.run, READ_JOB: lambda job: lanes().read(job)},
    )
    takes_mail = replace(
        desk,
        mail_about=lambda _reads, address: (
            "bookings" if is_for(address, settings.booking_address) else ""
        ),
    )
    if settings.has_desk("booking"):
        takes_mail = replace(takes_mail, people_to_tell=expected_people)
    from_mail = Binding(
        "bk.mail", {MailReceived: lambda reads, recorded: lanes().take(reads, recorded)}
    )
    bindings = (FROM_ADMIN, FROM_BUSINESS, FROM_WAITLIST, to_waitlist(context.ids), from_mail)
    return BuiltDesk(takes_mail, bindings)


def _mail_lanes(context: DeskContext) -> Callable[[], MailLanes]:
    """Imports lazily: most functions read no request."""

    @cache
    def made() -> MailLanes:
        from frontdesk.desks.booking.mail_lanes import MailLanes

        settings = context.settings
        name, reader = _reader(context)
        return MailLanes(
            address=settings.booking_address,
            clock=context.clock,
            reads=context.reads,
            pictures=context.pictures(),
            our_addresses=(settings.from_email,),
            trusted_authserv=settings.trusted_authserv,
            availability=Availability(loader(settings, context.clock).busy),
            country=settings.country,
            reader=reader,
            reader_name=name,
            new_id=context.ids,
            takes_requests=settings.has_desk("booking"),
        )

    return made


class HoldCleanup(Frozen):
    """Deletes the rows of holds that ended a while ago. No decision relies on it."""

    engine: Engine
    clock: Clock
    at_once: int = 100
    """The most holds of one turn; each is a commit of its own."""

    def turn(self) -> bool:
        """Returns whether there were ended holds."""
        now = self.clock.now()
        ended = booking_reads(self.engine.reads()).ended_holds(now - SPARE, self.at_once)
        for hold in ended:
            try:
                self.engine.run(ForgetHold(hold.id), by="cleanup", now=now)
            except Exception as error:  # the next turn deletes it
                log("holds.not_deleted", why=failure(error))
        return bool(ended)


def hold_cleanup(back: Application) -> PeriodicTask:
    cleanup = HoldCleanup(back.engine, back.clock)
    return PeriodicTask("ended holds", cleanup.turn, lambda: CLEANUP_EVERY)


def _reader(context: DeskContext) -> tuple[str, Reader | None]:
    """Returns the reader for requests that rules do not read for certain, and its name."""
    from frontdesk.desks.booking.request_reader import service_names

    services = context.nearest(lambda: service_names(context.reads().engine.setting(SAVED_RULES)))
    model = context.reader() if context.reader else None
    if services is None:
        return "model", model
    from frontdesk.reading.nearest_service import NearestServiceReader
    from frontdesk.reading.rules import RulesReader

    name = "model and embeddings" if model else "embeddings"
    return name, NearestServiceReader(model or RulesReader(), services)


def install(site: Site) -> None:
    """Lets pages search with the busy times that decisions use, and share their answers."""
    from frontdesk.desks.booking.pages.free_times import LOADER
    from frontdesk.desks.booking.pages.shared_answers import JSON_ANSWERS, PAGES
    from frontdesk.web.page_cache import MomentCache

    site.shared[LOADER] = loader(site.settings, site.clock)
    site.shared[PAGES] = MomentCache()
    site.shared[JSON_ANSWERS] = MomentCache()
