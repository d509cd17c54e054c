"""Requests by mail: read, shown to staff, and put on the list only after approval."""

from collections.abc import Iterator
from datetime import date
from email.message import EmailMessage
from pathlib import Path

import pytest

from frontdesk.connect.mail_headers import Envelope
from frontdesk.core.mail import MailFolder
from frontdesk.core.people import PersonId
from frontdesk.desks.waitlist.commands import (
    ApproveProposal,
    DiscardProposal,
    JoinList,
    Propose,
    ReadRequest,
)
from frontdesk.desks.waitlist.decide.proposals import PROPOSALS
from frontdesk.desks.waitlist.model import EntryId, Lane, Wish
from frontdesk.features.catalogue.model import CATALOGUE
from frontdesk.features.proposals.model import Proposal, ProposalStatus
from frontdesk.features.proposals.reader import RequestReader
from frontdesk.intake.mail import MailIn
from frontdesk.reading.rules import RulesReader
from frontdesk.reading.sender_budget import SenderBudget
from tests.reading.files import text_pdf
from tests.support.salon import Salon, salon

LIST = "waitlist@frontdesk.example"


@pytest.fixture
def shop(tmp_path: Path) -> Iterator[Salon]:
    with salon(tmp_path) as one:
        yield one


def letter(text: str, *, sender: str = "Ann Lee <ann@example.org>", to: str = LIST) -> EmailMessage:
    mail = EmailMessage()
    mail["From"], mail["To"], mail["Subject"] = sender, to, "An appointment"
    mail["Date"] = "Mon, 16 Nov 2026 09:00:00 +0800"
    mail["Message-ID"] = f"<{abs(hash((text, to)))}@example.org>"
    mail.set_content(text)
    return mail


def deliver(shop: Salon, mail: EmailMessage) -> None:
    to = mail["To"]
    MailIn(shop.product).take(Envelope("ann@example.org", (to,), mail.as_bytes(), "127.0.0.1"))
    shop.settle()


def proposals(shop: Salon, status: ProposalStatus = ProposalStatus.OPEN) -> list[Proposal]:
    return list(shop.wl.proposals(status, 10))


REQUEST = """Hello,

could I have a cut with Mia between 18 and 20 November? You can reach me on +65 9123 4567.

Ann Lee
"""


def join(shop: Salon, proposal: Proposal, wish: Wish) -> JoinList:
    new = shop.product.engine.new_id
    return JoinList(
        EntryId(new()),
        PersonId(new()),
        proposal.value("name"),
        proposal.value("email"),
        wish,
        Lane.INBOX,
        mobile=proposal.value("phone"),
    )


@pytest.mark.spec("WL-03")
def test_a_request_by_mail_is_a_proposal_and_nobody_is_on_the_list_yet(shop: Salon) -> None:
    deliver(shop, letter(REQUEST))

    [proposal] = proposals(shop)
    assert proposal.sender == "ann@example.org"
    assert {one.name: one.value for one in proposal.fields} == {
        "name": "Ann Lee",
        "phone": "+6591234567",
        "email": "ann@example.org",
        "service": "Cut",
        "earliest_on": "2026-11-18",
        "latest_on": "2026-11-20",
        "staff": "Mia",
    }
    assert all(one.words in proposal.text for one in proposal.fields)
    assert shop.wl.entries() == []


@pytest.mark.spec("WL-03")
def test_the_same_mail_twice_is_one_proposal(shop: Salon) -> None:
    deliver(shop, letter(REQUEST))
    deliver(shop, letter(REQUEST))

    [proposal] = proposals(shop)
    assert shop.refused(ReadRequest(proposal.mail_id)) == "unchanged"
    assert shop.refused(Propose(proposal)) == "unchanged"


@pytest.mark.spec("WL-03")
def test_no_date_in_the_text_is_no_date_in_the_proposal(shop: Salon) -> None:
    deliver(shop, letter("Hi, please put me on the list for a cut. Ann"))

    [proposal] = proposals(shop)
    assert proposal.value("service") == "Cut"
    assert proposal.value("earliest_on") == proposal.value("latest_on") == ""


@pytest.mark.spec("WL-03")
def test_approved_it_is_on_the_list_once_and_the_person_is_told(shop: Salon) -> None:
    deliver(shop, letter(REQUEST))
    [proposal] = proposals(shop)
    wish = Wish("Cut", 1, date(2026, 11, 18), date(2026, 11, 20), "Mia")

    shop.run(ApproveProposal(proposal.id, join(shop, proposal, wish)))
    again = shop.refused(ApproveProposal(proposal.id, join(shop, proposal, wish)))
    shop.settle()

    [entry] = shop.wl.entries()
    assert again == "settled"
    assert (entry.wish, entry.lane) == (wish, Lane.INBOX)
    assert proposals(shop) == []
    assert [one.entry_id for one in proposals(shop, ProposalStatus.APPROVED)] == [entry.id]
    [told] = shop.messages("ann@example.org")
    assert told["subject"] == "You are on the list for Cut"
    assert "confirm your number" in told["text"], "a mail does not prove its sender"
    assert shop.messages("+6591234567") == []


@pytest.mark.spec("WL-03")
def test_discarded_it_is_kept_as_discarded(shop: Salon) -> None:
    deliver(shop, letter(REQUEST))
    [proposal] = proposals(shop)

    shop.run(DiscardProposal(proposal.id))

    assert proposals(shop) == []
    assert shop.wl.entries() == []
    mail = shop.product.engine.reads().engine.raw_mail(proposal.mail_id)
    assert mail is not None
    assert (mail.outcome, mail.shelf) == ("discarded", MailFolder.DISCARDED)


def test_an_automatic_mail_is_no_request(shop: Salon) -> None:
    mail = letter("I am out of the office until Monday.")
    mail["Auto-Submitted"] = "auto-replied"
    deliver(shop, mail)

    assert proposals(shop) == []


def test_a_mail_to_nobody_of_ours_is_left_alone(shop: Salon) -> None:
    assert MailIn(shop.product).accepts("Waitlist+fwd@frontdesk.example")
    assert not MailIn(shop.product).accepts("waitlist@elsewhere.example")


@pytest.mark.spec("FD-29", "WL-03")
def test_a_sender_whose_attachments_took_too_long_is_read_without_them(shop: Salon) -> None:
    mail = letter(REQUEST)
    mail.add_attachment(text_pdf("On 4 December"), "application", "pdf", filename="wish.pdf")
    raw = Envelope("ann@example.org", (LIST,), mail.as_bytes(), "127.0.0.1")
    MailIn(shop.product).take(raw)
    shop.product.runtime.follow(shop.clock.now())
    [job] = shop.product.store.open_jobs(9)
    budget = SenderBudget()
    reader = RequestReader(
        desk=PROPOSALS,
        zone=lambda _reads: "UTC",
        catalogue=CATALOGUE,
        address=LIST,
        clock=shop.clock,
        reads=shop.product.store.reads,
        country="SG",
        reader=RulesReader(),
        reader_name="rules",
        pictures=None,
        budget=budget,
    )

    first = reader.read(job)
    budget.spend("ann@example.org", 60, shop.clock.now())
    second = reader.read(job)

    assert isinstance(first, Propose)
    assert isinstance(second, Propose)
    late = "wish.pdf: It was not read, as the attachments before it took too long."
    assert (first.proposal.unread, second.proposal.unread) == ("", late)
    assert second.proposal.value("name") == first.proposal.value("name") == "Ann Lee"
