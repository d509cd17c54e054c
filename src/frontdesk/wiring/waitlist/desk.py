"""Builds the waitlist desk, its slot intake and its documents."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from datetime import datetime
from functools import cache, partial
from typing import TYPE_CHECKING, Final

from frontdesk.connect.models.port import LanguageModel, Prompt, ask_for_text
from frontdesk.core.decision import Command
from frontdesk.core.mail import MailFolder, MailReceived, is_for
from frontdesk.core.people import Person
from frontdesk.core.text_rules import TextRules, month_of, paused_until
from frontdesk.desks.admin.branding import business_zone
from frontdesk.desks.admin.facts import BusinessChanged, PersonCorrected, PersonErased
from frontdesk.desks.waitlist import load, words
from frontdesk.desks.waitlist.commands import SumUpMonth, TakeDocument
from frontdesk.desks.waitlist.decide.proposals import PROPOSALS
from frontdesk.desks.waitlist.delivery import delivery_rules
from frontdesk.desks.waitlist.desk import waitlist_desk
from frontdesk.desks.waitlist.load import waitlist
from frontdesk.desks.waitlist.messages import messages
from frontdesk.desks.waitlist.model import DocumentName, figures
from frontdesk.desks.waitlist.react import leave_lists, send_offers_again
from frontdesk.desks.waitlist.slot_intake import SlotIntake, document_desk
from frontdesk.engine.clock import Clock
from frontdesk.engine.engine import Engine
from frontdesk.engine.follow import Binding
from frontdesk.engine.ports import Reads, Recorded
from frontdesk.features.documents.files import DocumentFiles
from frontdesk.features.documents.sync import Documents
from frontdesk.features.proposals.decide import KIND as READ
from frontdesk.values import replace
from frontdesk.wiring.between_desks.handovers import HandoverTimes
from frontdesk.wiring.context import BuiltDesk, DeskContext
from frontdesk.wiring.google_documents import DocumentTroubles
from frontdesk.wiring.request_readers import request_reader
from frontdesk.wiring.senders import render_as_business, sender_profile, sms_rules
from frontdesk.wiring.troubles import Troubles
from frontdesk.wiring.waitlist import slack
from frontdesk.wiring.waitlist.documents import PARTS

if TYPE_CHECKING:
    from frontdesk.features.proposals.reader import RequestReader


def build(context: DeskContext) -> BuiltDesk:
    settings, texts, model = context.settings, context.texts, context.model
    reader = _request_reader(context)
    profile = replace(
        sender_profile(settings, context.claim_keys),
        pages_url=settings.waitlist_at,
        links_url=settings.claims_at,
        sends_sms=texts is not None,
        sms_rules=sms_rules(settings, is_local=texts is None or texts.local),
    )
    desk = waitlist_desk(
        delivery_rules(render_as_business(messages(), profile)),
        {READ: lambda job: reader().read(job)},
        _paragraphs(context.reads, model) if model else None,
        load.SlotLoader(partial(_texts_paused, profile.sms_rules, context.clock)),
    )
    takes_mail = replace(
        desk,
        mail_about=lambda _reads, address: (
            "waitlist" if is_for(address, settings.waitlist_address) else ""
        ),
        mail_folder=MailFolder.WAITLIST,
    )
    if settings.has_desk("waitlist"):
        takes_mail = replace(takes_mail, people_to_tell=load.waiting_people)
    in_slack = slack.with_slack(takes_mail, settings, context.reads, context.clock)
    mail = Binding(
        "wl.mail", {MailReceived: lambda reads, recorded: reader().take(reads, recorded)}
    )
    return BuiltDesk(in_slack, (FROM_ADMIN, mail, *slack.following(settings, context.clock)))


#: An offer usually has at most this many segments. With less money left, it would not be sent.
OFFER_SEGMENTS: Final = 3


def _texts_paused(rules: TextRules, clock: Clock, reads: Reads) -> load.WhyNot | None:
    """Whether the month's limit on texts is reached: then a person who only gets texts cannot be
    reached.
    """
    if not rules.a_month_micros:
        return None
    now = clock.now()
    spent = reads.engine.text_spend(month_of(now))
    if rules.is_within_budget_anywhere(spent, segments=OFFER_SEGMENTS):
        return None

    def why_not(person: Person) -> str:
        is_reached = person.email or not person.mobile
        if is_reached or rules.is_within_budget(person.mobile, spent, segments=OFFER_SEGMENTS):
            return ""
        return paused_until(now)

    return why_not


def _request_reader(context: DeskContext) -> Callable[[], RequestReader]:
    """Imports lazily: most functions read no request."""

    @cache
    def made() -> RequestReader:
        from frontdesk.features.proposals.reader import RequestReader

        return request_reader(
            RequestReader,
            context,
            PROPOSALS,
            zone=lambda reads: waitlist(reads).rules().zone,
            address=context.settings.waitlist_address,
            takes_requests=context.settings.has_desk("waitlist"),
        )

    return made


def _paragraphs(reads: Callable[[], Reads], model: LanguageModel) -> Callable[[datetime], str]:
    """Returns a function that writes about the month before. The model gets figures only."""

    def paragraph(due_at: datetime) -> str:
        view = load.month(reads(), SumUpMonth(due_at))
        counted = figures(view.slots)
        if not counted.freed:
            return ""
        told = words.month_told(view.month, counted, view.catalogue)
        prompt = Prompt(task="summary", system=words.MONTH_PROMPT, text=told, temperature=0.3)
        return ask_for_text(model, prompt)

    return paragraph


def _move_to_its_zone(reads: Reads, _recorded: Recorded) -> Iterable[Command]:
    """Reads the rules again when the business changes: its zone sets quiet hours and days."""
    document = waitlist(reads).document(DocumentName.RULES)
    good = replace(document, text=document.good)
    yield TakeDocument(
        DocumentName.RULES, document_desk(business_zone).text(good), business_zone(reads)
    )


FROM_ADMIN = Binding(
    "wl.from_house",
    {
        PersonErased: leave_lists,
        PersonCorrected: send_offers_again,
        BusinessChanged: _move_to_its_zone,
    },
)


def slot_intake(documents: Documents) -> SlotIntake:
    times = HandoverTimes(documents.engine, documents.clock)
    return SlotIntake(documents.engine, documents.clock, documents, business_zone, times)


def documents(
    engine: Engine,
    clock: Clock,
    files: DocumentFiles,
    troubles: Troubles,
    copies: Collection[str] = (),
) -> Documents:
    """`copies` are documents of which only a copy is read here: see `DocumentTroubles`."""
    watch = DocumentTroubles(troubles, PARTS, copies)
    return Documents(document_desk(business_zone), engine, clock, files, watch)
