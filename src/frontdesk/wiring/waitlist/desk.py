"""Builds the waitlist desk, its slot intake and its documents."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from datetime import datetime
from functools import cache
from typing import TYPE_CHECKING

from frontdesk.core.decision import Command
from frontdesk.core.mail import MailReceived, Shelf, is_for
from frontdesk.desks.admin.facts import BusinessChanged, PersonCorrected, PersonErased
from frontdesk.desks.admin.model import Business, Part
from frontdesk.desks.waitlist import load, words
from frontdesk.desks.waitlist.commands import SumUpMonth, TakeDocument
from frontdesk.desks.waitlist.decide.proposals import PROPOSALS
from frontdesk.desks.waitlist.delivery import delivery_rules
from frontdesk.desks.waitlist.desk import waitlist_desk
from frontdesk.desks.waitlist.load import waitlist
from frontdesk.desks.waitlist.messages import messages
from frontdesk.desks.waitlist.model import SAVED_CATALOGUE, DocumentName, figures
from frontdesk.desks.waitlist.react import leave_lists, send_offers_again
from frontdesk.desks.waitlist.slot_intake import SlotIntake, document_desk
from frontdesk.engine.clock import Clock
from frontdesk.engine.engine import Engine
from frontdesk.engine.follow import Binding
from frontdesk.engine.ports import Reads, Recorded
from frontdesk.features.documents.files import DocumentFiles
from frontdesk.features.documents.sync import Documents
from frontdesk.features.proposals.decide import KIND as READ
from frontdesk.values import Frozen, replace
from frontdesk.wiring.context import BuiltDesk, DeskContext
from frontdesk.wiring.senders import render_as_business, sender_profile, sms_rules
from frontdesk.wiring.troubles import Troubles
from frontdesk.wiring.waitlist import slack

if TYPE_CHECKING:
    from frontdesk.features.proposals.reader import RequestReader


def build(context: DeskContext) -> BuiltDesk:
    settings, texts, writer = context.settings, context.texts, context.writer
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
        _paragraphs(context.reads, writer.month) if writer else None,
    )
    takes_mail = replace(
        desk,
        mail_about=lambda _reads, address: (
            "waitlist" if is_for(address, settings.waitlist_address) else ""
        ),
        mail_shelf=Shelf.WAITLIST,
    )
    in_slack = slack.told_in_slack(takes_mail, settings, context.reads, context.clock)
    mail = Binding(
        "wl.mail", {MailReceived: lambda reads, recorded: reader().take(reads, recorded)}
    )
    return BuiltDesk(in_slack, (FROM_ADMIN, mail, *slack.following(settings, context.clock)))


def _request_reader(context: DeskContext) -> Callable[[], RequestReader]:
    """Imports lazily: most functions read no request."""

    @cache
    def made() -> RequestReader:
        from frontdesk.features.proposals.reader import RequestReader
        from frontdesk.reading.rules import RulesReader

        settings = context.settings
        return RequestReader(
            desk=PROPOSALS,
            zone=lambda reads: waitlist(reads).rules().zone,
            catalogue=SAVED_CATALOGUE,
            address=settings.waitlist_address,
            clock=context.clock,
            reads=context.reads,
            country=settings.country,
            reader=context.reader() if context.reader else RulesReader(),
            reader_name="model" if context.reader else "rules",
            pictures=context.pictures(),
            our_addresses=(settings.from_email,),
        )

    return made


def _paragraphs(
    reads: Callable[[], Reads], write: Callable[[str], str]
) -> Callable[[datetime], str]:
    """`write` asks a language model, which gets the month and its figures as text."""

    def paragraph(due_at: datetime) -> str:
        view = load.month(reads(), SumUpMonth(due_at))
        counted = figures(view.slots)
        return write(words.month_told(view.month, counted, view.catalogue)) if counted.freed else ""

    return paragraph


def zone_of(reads: Reads) -> str:
    return _business(reads).zone


def _business(reads: Reads) -> Business:
    business: Business = reads.desk("fd").business()
    return business


def _move_to_its_zone(reads: Reads, _recorded: Recorded) -> Iterable[Command]:
    """Reads the rules again when the business changes: its zone sets quiet hours and days."""
    document = waitlist(reads).document(DocumentName.RULES)
    good = replace(document, text=document.good)
    yield TakeDocument(DocumentName.RULES, document_desk(zone_of).text(good), zone_of(reads))


FROM_ADMIN = Binding(
    "wl.from_house",
    {
        PersonErased: leave_lists,
        PersonCorrected: send_offers_again,
        BusinessChanged: _move_to_its_zone,
    },
)


def slot_intake(documents: Documents) -> SlotIntake:
    return SlotIntake(documents.engine, documents.clock, documents, zone_of)


def documents(
    engine: Engine,
    clock: Clock,
    files: DocumentFiles,
    troubles: Troubles,
    copies: Collection[str] = (),
) -> Documents:
    """`copies` are documents of which only a copy is read here. Reading a copy says nothing about
    the document itself.
    """
    watch = _DocumentWatch(troubles, copies)
    return Documents(document_desk(zone_of), engine, clock, files, watch)


class _DocumentWatch(Frozen):
    troubles: Troubles
    copies: Collection[str]

    def failed(self, name: str, why: str, *, at_once: bool) -> None:
        self.troubles.failed(Part(name), why, at_once=at_once)

    def worked(self, names: Sequence[str]) -> None:
        self.troubles.worked(*(Part(name) for name in names if name not in self.copies))
