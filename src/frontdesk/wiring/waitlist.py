"""The waitlist desk, with the name, the place and the words that the business has now."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from datetime import datetime
from functools import cache, partial
from typing import TYPE_CHECKING

from frontdesk.core.decision import Command
from frontdesk.core.links import Keys
from frontdesk.core.mail import MailReceived
from frontdesk.core.messages import TextChannel
from frontdesk.core.sends import Send
from frontdesk.core.text_rules import text_rules
from frontdesk.desks.house.facts import BusinessChanged, PersonCorrected, PersonErased
from frontdesk.desks.house.look import contact_in
from frontdesk.desks.house.model import Business, Part
from frontdesk.desks.waitlist import delivery, load, say, words
from frontdesk.desks.waitlist.commands import SumUpMonth, TakeDocument
from frontdesk.desks.waitlist.counter import Counter, document_desk
from frontdesk.desks.waitlist.decide.reading import KIND as READ
from frontdesk.desks.waitlist.desk import waitlist_desk
from frontdesk.desks.waitlist.load import waitlist
from frontdesk.desks.waitlist.model import DocumentName, figures
from frontdesk.desks.waitlist.react import leave_lists, send_offers_again
from frontdesk.desks.waitlist.scene import Office
from frontdesk.engine.clock import Clock
from frontdesk.engine.desk import Desk, Drop, Say
from frontdesk.engine.engine import Engine
from frontdesk.engine.follow import Binding
from frontdesk.engine.ports import Reads, Recorded
from frontdesk.features.documents.files import DocumentFiles
from frontdesk.features.documents.sync import Documents
from frontdesk.settings import Settings
from frontdesk.values import Frozen, replace
from frontdesk.wiring.troubles import Troubles

if TYPE_CHECKING:
    from frontdesk.connect.reading.model import PictureReader, Reader
    from frontdesk.desks.waitlist.mailroom import Mailroom


class Reading(Frozen):
    """How requests for the waitlist are read, where rules alone are not all there is."""

    reader: Callable[[], Reader] | None = None
    pictures: Callable[[], PictureReader | None] = lambda: None


def mailroom(
    settings: Settings, reads: Callable[[], Reads], clock: Clock, reading: Reading
) -> Callable[[], Mailroom]:
    """Loaded with the first request."""

    @cache
    def made() -> Mailroom:
        from frontdesk.connect.reading.rules import RulesReader
        from frontdesk.desks.waitlist.mailroom import Mailroom

        return Mailroom(
            address=settings.waitlist_address,
            clock=clock,
            reads=reads,
            country=settings.country,
            reader=reading.reader() if reading.reader else RulesReader(),
            reader_name="model" if reading.reader else "rules",
            pictures=reading.pictures(),
            our_addresses=(settings.from_email,),
        )

    return made


def desk(
    settings: Settings,
    keys: Callable[[], Keys],
    *,
    texts: TextChannel | None,
    mailroom: Callable[[], Mailroom] | None = None,
    paragraphs: Callable[[datetime], str] | None = None,
) -> Desk:
    office = Office(
        base_url=settings.waitlist_at,
        links_url=settings.claims_at,
        console_at=settings.console_at,
        business=settings.business_name,
        from_email=settings.from_email,
        contact=contact_in(settings),
        keys=keys,
        texts=texts is not None,
        text_rules=text_rules(settings),
        texts_cost=texts is not None and not texts.local,
    )
    jobs = {READ: lambda job: mailroom().read(job)} if mailroom else {}
    return waitlist_desk(delivery.delivery_rules(partial(_render, office)), jobs, paragraphs)


def paragraphs(
    reads: Callable[[], Reads], write: Callable[[str], str]
) -> Callable[[datetime], str]:
    """`write` is a language model's: it is told of the month and its figures, in words."""

    def paragraph(due_at: datetime) -> str:
        view = load.month(reads(), SumUpMonth(due_at))
        counted = figures(view.slots)
        return write(words.month_told(view.month, counted, view.shop)) if counted.freed else ""

    return paragraph


def _render(office: Office, reads: Reads, send: Send, now: datetime) -> Say | Drop:
    business = _business(reads)
    present = replace(
        office,
        business=business.name or office.business,
        from_name=business.sender_name,
        accent=business.accent,
        contact=business.contact.or_else(office.contact),
    )
    return say.render(present, reads, send, now)


def zone_of(reads: Reads) -> str:
    return _business(reads).zone


def _business(reads: Reads) -> Business:
    business: Business = reads.desk("fd").business()
    return business


def _move_to_its_zone(reads: Reads, _recorded: Recorded) -> Iterable[Command]:
    """Where the business is says what its quiet hours and its days are."""
    document = waitlist(reads).document(DocumentName.RULES)
    good = replace(document, text=document.good)
    yield TakeDocument(DocumentName.RULES, document_desk(zone_of).text(good), zone_of(reads))


FROM_HOUSE = Binding(
    "wl.from_house",
    {
        PersonErased: leave_lists,
        PersonCorrected: send_offers_again,
        BusinessChanged: _move_to_its_zone,
    },
)


def reading(mailroom: Callable[[], Mailroom]) -> Binding:
    """Mail that came in for the list."""
    return Binding(
        "wl.mail", {MailReceived: lambda reads, recorded: mailroom().take(reads, recorded)}
    )


def counter(
    engine: Engine,
    clock: Clock,
    files: DocumentFiles,
    troubles: Troubles,
    copies: Collection[str] = (),
) -> Counter:
    """`copies`: documents of which only a copy is read here. That it can be read says nothing about
    the document itself."""
    watch = _DocumentWatch(troubles, copies)
    documents = Documents(document_desk(zone_of), engine, clock, files, watch)
    return Counter(engine, clock, documents, zone_of)


class _DocumentWatch(Frozen):
    troubles: Troubles
    copies: Collection[str]

    def failed(self, name: str, why: str, *, at_once: bool) -> None:
        self.troubles.failed(Part(name), why, at_once=at_once)

    def worked(self, names: Sequence[str]) -> None:
        self.troubles.worked(*(Part(name) for name in names if name not in self.copies))
