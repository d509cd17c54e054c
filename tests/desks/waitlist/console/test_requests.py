"""Incoming requests: shown with the words that were read, then approved, edited or discarded."""

from __future__ import annotations

import re
from datetime import date, timedelta

import pytest

from frontdesk.core.decision import Accepted
from frontdesk.core.mail import KeepMail, MailId, RawMail
from frontdesk.desks.waitlist.commands import DiscardProposal, Propose
from frontdesk.desks.waitlist.console.requests import FIELDS, LABELS
from frontdesk.desks.waitlist.model import Lane, Wish
from frontdesk.features.proposals.console import marked
from frontdesk.features.proposals.model import Proposal, ProposalId, ProposalStatus, ReadField
from frontdesk.values import replace
from tests.desks.rsvp.console_desk import error_at, form_fields
from tests.desks.waitlist.console.counter import owner
from tests.desks.waitlist.console.office import everybody
from tests.support.salon import NINE, Salon

REQUESTS = "/console/waitlist/requests"
PRIYA = f"{REQUESTS}/p1"
TEXT = "This is Priya Nair (+65 9123 4567). A colour with Mia next week, please?"
READ = Proposal(
    ProposalId("p1"),
    MailId("m1"),
    "jo@salon.example",
    NINE + timedelta(seconds=17),
    (
        ReadField("name", "Priya Nair", "confident", "Priya Nair"),
        ReadField("phone", "+6591234567", "confident", "+65 9123 4567"),
        ReadField("service", "Cut and colour", "likely", "A colour"),
        ReadField("staff", "Mia", "confident", "with Mia"),
        ReadField("earliest_on", "2026-11-23", "likely", "next week"),
        ReadField("latest_on", "2026-11-29", "unsure", "next week"),
    ),
    ("please?",),
    TEXT,
)
UNDATED = replace(READ, fields=READ.fields[:4])


@pytest.fixture
def inbox(salon: Salon) -> Salon:
    return came_in(salon, READ)


def came_in(salon: Salon, proposal: Proposal) -> Salon:
    mail = RawMail(proposal.mail_id, NINE, proposal.sender, "waitlist@salon.example", b"\r\nhello")
    salon.product.store.commit(Accepted((KeepMail(mail),)), by="test", at=NINE)
    salon.run(Propose(proposal))
    return salon.settle().later(timedelta(minutes=5))


def state(salon: Salon) -> ProposalStatus:
    found = salon.wl.proposal(READ.id)
    assert found is not None
    return found.status


@pytest.mark.spec("WL-03")
def test_a_request_is_shown_with_the_words_that_were_read_and_how_sure_each_field_is(
    inbox: Salon,
) -> None:
    page = owner(inbox).get(PRIYA)

    marks = re.findall(r"<mark>(.*?)<small>(.*?)</small></mark>", page.text)
    assert marks == [
        ("Priya Nair", "Name"),
        ("+65 9123 4567", "Mobile"),
        ("A colour", "Service"),
        ("with Mia", "Staff"),
        ("next week", "Earliest, Latest"),
    ]
    for hint in (
        *("Name Certain “Priya Nair”", "E-mail Not in the text", "Service Likely “A colour”"),
        *("First day that suits Likely “next week”", "Last day that suits Please check"),
    ):
        assert hint in page.says
    assert "Also worth knowing please?" in page.says


@pytest.mark.spec("WL-03")
def test_approving_puts_them_on_the_list_as_read_from_the_time_they_asked(inbox: Salon) -> None:
    answer = owner(inbox).send(PRIYA)

    [priya] = everybody(inbox)
    assert (answer.flash, answer.heading) == ("On the list. They are told so.", "Priya Nair")
    assert (priya.name, priya.mobile, priya.entry.lane) == (
        *("Priya Nair", "+6591234567"),
        Lane.INBOX,
    )
    week = date(2026, 11, 23), date(2026, 11, 29)
    assert priya.entry.wish == Wish("Cut and colour", 1, *week, "Mia")
    assert priya.entry.joined_at == READ.received_at
    assert state(inbox) is ProposalStatus.APPROVED
    assert len(inbox.settle().messages("+6591234567")) == 1


@pytest.mark.spec("WL-03")
def test_editing_and_approving_are_one_press(inbox: Salon) -> None:
    owner(inbox).send(PRIYA, email="priya@example.org", party="2", latest="2026-11-25")

    [priya] = everybody(inbox)
    assert (priya.email, priya.entry.party) == ("priya@example.org", 2)
    assert priya.entry.latest_on == date(2026, 11, 25)


@pytest.mark.spec("WL-03")
def test_a_date_that_is_not_in_the_text_is_left_for_staff_to_fill_in(salon: Salon) -> None:
    host = owner(came_in(salon, UNDATED))
    fields = form_fields(host.get(PRIYA).text, PRIYA)
    assert (fields["earliest"], fields["latest"]) == ("", "")
    assert "Dates missing" in host.get(REQUESTS).says

    page = host.press(PRIYA)
    assert page.status == 422
    assert error_at(page, "earliest") == "Please give the first day that suits them."
    assert error_at(page, "latest") == "Please give the last day that suits them."
    assert (everybody(salon), state(salon)) == ([], ProposalStatus.OPEN)

    host.send(PRIYA, earliest="2026-11-20", latest="2026-11-21")
    assert state(salon) is ProposalStatus.APPROVED


@pytest.mark.spec("WL-03")
def test_discarding_asks_first_and_then_puts_nobody_on_the_list(inbox: Salon) -> None:
    host = owner(inbox)
    asked = host.act(PRIYA, f"{PRIYA}/discard")
    assert (asked.heading, state(inbox)) == ("Discard this request?", ProposalStatus.OPEN)

    answer = host.act(PRIYA, f"{PRIYA}/discard", confirmed="yes")
    assert answer.flash == "Discarded. The mail itself is kept, and nobody is told."
    assert (everybody(inbox), state(inbox)) == ([], ProposalStatus.DISCARDED)
    assert inbox.settle().messages("+6591234567") == []
    assert "Priya Nair" in host.get(f"{REQUESTS}?show=discarded").says


@pytest.mark.spec("WL-05")
def test_a_mail_in_somebodys_name_changes_their_row_only_if_staff_say_so(inbox: Salon) -> None:
    wish = Wish("Cut and colour", 1, date(2026, 11, 16), date(2026, 12, 1), priority=True)
    inbox.joins("Priya", email="", mobile="+6591234567", wish=wish)
    host = owner(inbox)

    asked = host.get(PRIYA)
    refused = host.press(PRIYA)
    [before] = everybody(inbox)
    host.send(PRIYA, change="yes")
    [after] = everybody(inbox)

    assert "They wait for this already, for 16 Nov 2026 to 1 Dec 2026" in asked.says
    assert (refused.status, error_at(refused, "service")) == (
        422,
        "They have a row for this service already.",
    )
    assert before.entry.wish == wish
    week = date(2026, 11, 23), date(2026, 11, 29)
    assert after.entry.wish == Wish("Cut and colour", 1, *week, "Mia", priority=True)


@pytest.mark.spec("WL-05")
def test_a_mail_adds_no_number_to_somebody_who_is_known_by_their_address(inbox: Salon) -> None:
    wish = Wish("Cut and colour", 1, date(2026, 11, 16), date(2026, 12, 1))
    inbox.joins("Priya", wish=wish)

    owner(inbox).send(PRIYA, email="priya@example.org", change="yes")

    [priya] = everybody(inbox)
    assert (priya.mobile, priya.entry.earliest_on) == ("", date(2026, 11, 23))


def test_the_second_decision_is_told_that_it_is_decided(inbox: Salon) -> None:
    host = owner(inbox)
    fields = {key: value or "" for key, value in form_fields(host.get(PRIYA).text, PRIYA).items()}
    inbox.run(DiscardProposal(READ.id))

    answer = host.open(host.post(PRIYA, **fields).location)

    assert answer.flash == "Somebody has decided about it already. Nothing was changed."
    assert "This was discarded." in answer.says
    assert everybody(inbox) == []


def test_an_empty_inbox_says_what_to_do(salon: Salon) -> None:
    host = owner(salon)

    assert "Forward a request to the waitlist by mail" in host.get(REQUESTS).says
    assert "None so far." in host.get(f"{REQUESTS}?show=approved").says
    assert host.get(f"{REQUESTS}/nothing").status == 404


def test_marks_are_in_the_header_only_for_words_that_are_not_in_the_text() -> None:
    fields = (
        ReadField("name", "Mia Tan", "likely", "Mia Tan"),
        ReadField("staff", "Mia", "likely", "Mia"),
    )
    mail = "From: Mia Tan <tan@example.org>\n\nA colour with Mia, please."

    pieces = marked(replace(READ, text=mail, fields=fields), FIELDS, LABELS)

    assert [piece for piece in pieces if piece[1]] == [("Mia Tan", "Name"), ("Mia", "Staff")]


def test_marks_keep_every_letter_of_the_text_however_they_overlap() -> None:
    fields = (
        ReadField("service", "Cut", "likely", "A colour with Mia"),
        ReadField("staff", "Mia", "likely", "with Mia next"),
        ReadField("party", "1", "likely", "words that are not there"),
        ReadField("email", "", "likely", ""),
    )
    pieces = marked(replace(READ, fields=fields), FIELDS, LABELS)

    assert "".join(text for text, _ in pieces) == TEXT
    assert [piece for piece in pieces if piece[1]] == [
        ("A colour ", "Service"),
        ("with Mia", "Service, Staff"),
        (" next", "Staff"),
    ]
