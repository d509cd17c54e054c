"""Builds the reminders desk, and its document `reminders.yml`."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from functools import cache, partial
from typing import TYPE_CHECKING, Final

from frontdesk.connect.models.port import LanguageModel, Prompt, ask_for_text
from frontdesk.core.decision import Command
from frontdesk.core.mail import MailFolder, MailReceived, is_for
from frontdesk.core.public_holidays import holidays_around
from frontdesk.desks.admin.branding import business_zone
from frontdesk.desks.admin.facts import BusinessChanged, PersonErased
from frontdesk.desks.admin.model import Part
from frontdesk.desks.reminders import facts as ar
from frontdesk.desks.reminders import weeks
from frontdesk.desks.reminders.commands import PlanTick, ReadRequest, SumUpWeek, TakeRules
from frontdesk.desks.reminders.decide.documents import RULES_NAME, SAVED_DOCUMENT
from frontdesk.desks.reminders.decide.event_changes import EVENTS_JOB
from frontdesk.desks.reminders.decide.moves import TICK
from frontdesk.desks.reminders.delivery import delivery_rules
from frontdesk.desks.reminders.desk import missed_tick, reminders_desk
from frontdesk.desks.reminders.documents import VOICE_NAME, document_desk
from frontdesk.desks.reminders.figures import week_figures
from frontdesk.desks.reminders.incoming_answers import text_intake
from frontdesk.desks.reminders.load import Loader, expected_people, nothing_refilled
from frontdesk.desks.reminders.messages import DOCUMENT, messages
from frontdesk.desks.reminders.notes import NOTES
from frontdesk.desks.reminders.react import end_appointments
from frontdesk.desks.reminders.rules_file import EXAMPLE
from frontdesk.engine.clock import Clock
from frontdesk.engine.follow import Binding
from frontdesk.engine.ports import Reads, Recorded
from frontdesk.features.documents.files import DocumentFiles, LocalFiles
from frontdesk.features.documents.sync import Documents
from frontdesk.features.documents.yaml_markup import as_yaml
from frontdesk.features.messages.kinds import ReplyAddress
from frontdesk.features.proposals.decide import KIND as READ
from frontdesk.settings import Settings
from frontdesk.values import replace
from frontdesk.wiring.between_desks.appointments import (
    between_desks,
    booking_pages,
    filled_from_waitlist,
    move_url,
    visit_at_source,
    waits_for_claim,
)
from frontdesk.wiring.context import BuiltDesk, DeskContext, PeriodicTask
from frontdesk.wiring.google_documents import EVERY as DRIVE_EVERY
from frontdesk.wiring.google_documents import DocumentTroubles, account_in_file, google_docs
from frontdesk.wiring.reminders.existing_bookings import NAME, ExistingBookings
from frontdesk.wiring.reminders.sources import calendar_tasks, confirmation_reader, events_job
from frontdesk.wiring.senders import render_as_business, sender_profile, sms_rules
from frontdesk.wiring.slack import SlackNews

if TYPE_CHECKING:
    from frontdesk.desks.reminders.mail_answers import MailAnswers
    from frontdesk.features.documents.google_docs import Markup
    from frontdesk.features.slack.posts import SlackMessage
    from frontdesk.web.site import Site
    from frontdesk.wiring.application import Application

#: An edit of the file is in force after this time at the latest.
EVERY: Final = timedelta(seconds=30)
HEARTBEAT: Final = timedelta(minutes=5)


def loader(settings: Settings, clock: Clock) -> Loader:
    return Loader(
        settings.has_desk(NAME),
        visit_at_source,
        lambda country, region: holidays_around(country, region, clock.now().year),
        filled_from_waitlist if settings.has_desk("waitlist") else nothing_refilled,
    )


def build(context: DeskContext) -> BuiltDesk:
    """Builds the desk with its messages, by mail and by SMS."""
    settings, texts = context.settings, context.texts
    profile = replace(
        sender_profile(settings, context.keys),
        links_url=settings.replies_at,
        sends_sms=texts is not None,
        takes_sms=settings.takes_texts,
        answers=_reply_address(settings),
        sms_rules=sms_rules(settings, is_local=texts is None or texts.local),
    )
    loads = loader(settings, context.clock)
    render = render_as_business(messages(), profile)
    intake = text_intake(loads.is_on, waits_for_claim if settings.has_desk("waitlist") else None)
    model = context.model
    confirmations = confirmation_reader(context)
    desk = reminders_desk(
        delivery_rules(render, loads),
        loader=loads,
        notes=NOTES,
        text_intake=intake,
        paragraphs=_paragraphs(context.reads, loads, model) if model else None,
        jobs={READ: lambda job: confirmations().read(job), EVENTS_JOB: events_job(context)},
    )
    bindings = tuple(between_desks(settings, context.ids))
    if not loads.is_on:
        return BuiltDesk(desk, bindings)
    about = partial(_mail_about, settings.reminders_address)
    desk = replace(
        desk,
        mail_about=about,
        mail_folder=MailFolder.REMINDERS,
        people_to_tell=expected_people,
    )
    bindings = (FROM_ADMIN, *bindings, _from_mail(context))
    if settings.channel == "ses":
        bindings += (SHEET,)
    if not settings.slack_channel:
        return BuiltDesk(desk, bindings)
    news = _slack_news()
    in_slack = news.add_jobs(desk, settings, context.reads, context.clock)
    return BuiltDesk(in_slack, (*bindings, news.follower(context.clock)))


def _paragraphs(
    reads: Callable[[], Reads], loads: Loader, model: LanguageModel
) -> Callable[[datetime], str]:
    """Returns a function that writes about the week before. The model gets figures only."""

    def paragraph(due_at: datetime) -> str:
        view = loads.week(reads(), SumUpWeek(due_at))
        counted = week_figures(view.rows, view.refilled)
        if not counted.appointments:
            return ""
        told = weeks.week_told(view.week, counted)
        prompt = Prompt(task="week", system=weeks.WEEK_PROMPT, text=told, temperature=0.3)
        return ask_for_text(model, prompt)

    return paragraph


def _slack_news() -> SlackNews:
    from frontdesk.desks.reminders.slack.news import EVENT_TYPE, NEWS

    return SlackNews(NEWS, EVENT_TYPE, _slack_messages)


def _slack_messages() -> Callable[[str], Mapping[str, SlackMessage]]:
    from frontdesk.desks.reminders.slack.posts import messages

    return messages


def _reply_address(settings: Settings) -> ReplyAddress:
    """Customers answer to the desk where its mail comes in; elsewhere, to the sender."""
    if not settings.takes_mail and settings.channel == "smtp":
        return ReplyAddress()
    return ReplyAddress(settings.reminders_address, settings.channel == "ses")


def _mail_about(address: str, _reads: Reads, recipient: str) -> str:
    return NAME if is_for(recipient, address) else ""


def _from_mail(context: DeskContext) -> Binding:
    """Imports lazily: most functions read no mail."""

    @cache
    def made() -> MailAnswers:
        from frontdesk.desks.reminders.mail_answers import MailAnswers

        settings = context.settings
        return MailAnswers(
            address=settings.reminders_address,
            clock=context.clock,
            reads=context.reads,
            pictures=None,
            our_addresses=(settings.from_email,),
            trusted_authserv=settings.trusted_authserv,
            otherwise=ReadRequest,
        )

    return Binding("ar.mail", {MailReceived: lambda reads, recorded: made().take(reads, recorded)})


def _move_to_its_zone(reads: Reads, _recorded: Recorded) -> Iterable[Command]:
    """Reads the rules again when the business changes: its zone sets quiet hours and days."""
    good = reads.engine.setting(SAVED_DOCUMENT).good
    yield TakeRules(good or EXAMPLE, business_zone(reads))


#: Facts that change rows of the sheet. They cause no command, but on AWS only facts with a follower
#: reach the bus, and from there `drive-sync`.
SHEET: Final = Binding(
    "ar.sheet",
    dict.fromkeys(
        (
            ar.AppointmentAdded,
            ar.AppointmentChanged,
            ar.AppointmentMoved,
            ar.AppointmentConfirmed,
            ar.MoveAsked,
            ar.AppointmentCancelled,
            ar.AppointmentReleased,
            ar.AppointmentMissed,
            ar.AppointmentKept,
        ),
        lambda _reads, _recorded: (),
    ),
)

FROM_ADMIN: Final = Binding(
    "ar.from_house", {PersonErased: end_appointments, BusinessChanged: _move_to_its_zone}
)


def install(back: Application, site: Site) -> Sequence[PeriodicTask]:
    """On one machine, `reminders.yml` is a file for any editor, or a document in Google Drive."""
    from frontdesk.desks.reminders.console.rules_page import EDITED_RULES
    from frontdesk.desks.reminders.sheet import COLUMNS, visit_table
    from frontdesk.wiring.sheets import synced

    install_pages(site)
    install_console(site)
    edited = site.shared[EDITED_RULES] = documents(back)
    every = DRIVE_EVERY if drive_documents(back.settings) else EVERY
    table = visit_table(back.settings.country)
    tasks = [
        PeriodicTask("reminder rules", edited.take_edits, lambda: every),
        synced(back, site, table, COLUMNS, "reminders_sheet"),
        *calendar_tasks(back, site),
        PeriodicTask("reminder heartbeat", Heartbeat(back).turn, lambda: HEARTBEAT),
    ]
    if back.settings.has_desk(NAME) and back.settings.has_desk("booking"):
        existing = ExistingBookings(back.engine, back.clock)
        tasks.append(PeriodicTask("existing bookings", existing.turn, lambda: EVERY))
    return tasks


def install_pages(site: Site) -> None:
    """Lets the pages behind the links of reminders lead to free times."""
    from frontdesk.desks.reminders.pages.answer import BOOK_URL, MOVE_URL

    site.shared[MOVE_URL] = move_url(site.settings, lambda: site.keys)
    if site.settings.has_desk("booking"):
        site.shared[BOOK_URL] = f"{site.settings.booking_at}/book"


def install_console(site: Site) -> None:
    from frontdesk.desks.reminders.console.page import LOADER, SOURCE_PAGES

    site.shared[LOADER] = loader(site.settings, site.clock)
    if site.settings.has_desk("booking"):
        site.shared[SOURCE_PAGES] = booking_pages


def watch_tick(back: Application) -> bool:
    """Tells staff that the tick did not run in time, and when it runs again. It does not use a
    timer, so it works even if timers fail. It does not report a late tick that is running now.
    """
    found = list(missed_tick(back.engine.reads(), back.clock.now()))
    if found:
        back.troubles.failed(Part.REMINDERS, found[0], at_once=False)
    else:
        back.troubles.worked(Part.REMINDERS)
    return bool(found)


class Heartbeat:
    """Watches the tick on one machine, and starts it again once an hour while it does not run: a
    timer whose command has failed several times is gone."""

    def __init__(self, back: Application) -> None:
        self._back = back
        self._planned_at: datetime | None = None

    def turn(self) -> bool:
        now = self._back.clock.now()
        is_planned = self._planned_at is not None and now < self._planned_at + TICK
        if not watch_tick(self._back) or is_planned:
            return False
        self._back.engine.run(PlanTick(), by="heartbeat", now=now)
        self._planned_at = now
        return True


def start(site: Site) -> None:
    """Writes the files if there are none, follows bookings that were moved or ended meanwhile, and
    plans the tick. A task adds the missing ones."""
    from frontdesk.desks.reminders.console.rules_page import EDITED_RULES

    site.shared[EDITED_RULES].open()
    changed = ExistingBookings(site.engine, site.clock, only_known=True)
    while changed.turn():
        pass
    site.engine.run(PlanTick(), by="start", now=site.clock.now())


def documents(back: Application) -> Documents:
    """`reminders.yml` is a file in the data directory, or a document in Google Drive."""
    settings = back.settings
    files: DocumentFiles = LocalFiles(settings.data_dir / NAME)
    if addresses := drive_documents(settings):
        account_in_file(settings)
        account = partial(account_in_file, settings)
        files = google_docs(settings, addresses, MARKUP, files, account)
    return documents_with(back, files)


MARKUP: Final[Mapping[str, Markup]] = {RULES_NAME: as_yaml, VOICE_NAME: DOCUMENT.with_headings}


def drive_documents(settings: Settings) -> Mapping[str, str]:
    """The addresses of the documents that are in Google Drive."""
    found = {
        RULES_NAME: settings.reminders_rules_doc,
        VOICE_NAME: settings.reminders_voice_doc,
    }
    return {name: address for name, address in found.items() if address}


def documents_with(
    back: Application, files: DocumentFiles, copies: Collection[str] = ()
) -> Documents:
    """`copies` are documents of which only a copy is read here: see `DocumentTroubles`."""
    desk = document_desk(business_zone, back.engine.reads)
    parts = dict.fromkeys(desk.built_in, Part.REMINDER_RULES)
    watch = DocumentTroubles(back.troubles, parts, copies)
    return Documents(desk, back.engine, back.clock, files, watch)
