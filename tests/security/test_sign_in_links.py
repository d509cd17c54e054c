"""A link that lets somebody in dies with the address it went to, and only owners get to see it."""

from __future__ import annotations

import asyncio
import base64
import quopri
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from frontdesk.channels.mime import to_mime
from frontdesk.connect.mail_headers import Envelope
from frontdesk.core.decision import Refused
from frontdesk.core.members import Role
from frontdesk.core.sends import SentMessage
from frontdesk.desks.admin.commands import AskForSignIn, CorrectContact, MarkAddress, SetOptOut
from frontdesk.desks.admin.desk import new_nonce
from frontdesk.desks.admin.reads import MailFilter
from frontdesk.desks.admin.reasons import Reason
from frontdesk.desks.waitlist.commands import JoinList, SetCatalogue
from frontdesk.desks.waitlist.model import EntryId, Lane, Wish
from frontdesk.engine.ledger import as_message
from frontdesk.features.catalogue.model import Catalogue, Service
from frontdesk.intake.mail import MailIn
from tests.support.house import House, open_house, path_of

DESK = "desk@frontdesk.example"
IN = "/console/messages/in"


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    with open_house(tmp_path, mail_in_port=25, from_email=DESK) as opened:
        opened.printed_link()
        yield opened


def asked(house: House, email: str) -> str:
    """The link in the mail that somebody asked for."""
    house.do(AskForSignIn(email, new_nonce()))
    house.settle()
    return house.link_to(email)


def status(house: House, link: str) -> tuple[int, int]:
    """Returns the status after opening the link and pressing its button."""
    return house.browser().get(path_of(link)).status, house.browser().post(path_of(link)).status


def returned(house: House, kept: SentMessage, quoted: bytes | None = None, kind: str = "") -> None:
    """The mail comes back to us, with all of it inside as mail servers send it."""
    raw = to_mime(as_message(kept)) if quoted is None else quoted
    lines = (
        b"From: MAILER-DAEMON@example.org",
        b"To: " + DESK.encode(),
        b"Subject: Undelivered",
        b'Content-Type: multipart/report; report-type=delivery-status; boundary="b"',
        b"",
        b"--b",
        b"Content-Type: message/delivery-status",
        b"",
        b"Reporting-MTA: dns; example.org\r\n\r\nAction: failed\r\nStatus: 5.1.1",
        b"--b",
        kind.encode() or b"Content-Type: message/rfc822",
        b"",
        raw,
        b"--b--",
        b"",
    )
    comes_in(house, b"\r\n".join(lines))


def comes_in(house: House, raw: bytes) -> None:
    mail = Envelope("", (DESK,), raw, "192.0.2.9")
    asyncio.run(MailIn(house.product).deliver(mail))
    house.settle()


# --- a new address --------------------------------------------------------------------------


@pytest.mark.spec("FD-21", "FD-29")
def test_a_link_to_a_wrong_address_dies_when_the_address_is_corrected(house: House) -> None:
    house.invite("Sam", Role.OWNER)
    house.settle()
    invitation, mailed = house.link_to("sam@example.org"), asked(house, "sam@example.org")
    printed = house.printed_link()
    house.wait(minutes=1)
    sam = house.person("sam@example.org").id

    house.do(CorrectContact(sam, "Sam", "sam@work.example", Role.OWNER))

    assert (status(house, invitation), status(house, mailed)) == ((410, 410), (410, 410))
    assert status(house, printed) == (200, 303), "it was in no mail"
    house.wait(seconds=1)
    assert status(house, asked(house, "sam@work.example")) == (200, 303)


@pytest.mark.spec("FD-21")
def test_a_corrected_name_leaves_the_links_alone(house: House) -> None:
    house.invite("Sam", Role.STAFF)
    house.settle()
    sam = house.person("sam@example.org").id

    house.do(CorrectContact(sam, "Samuel", "sam@example.org", Role.OWNER))

    assert status(house, house.link_to("sam@example.org")) == (200, 303)


@pytest.mark.spec("FD-21")
def test_correcting_a_wrong_address_sends_the_invitation_again(
    house: House,
) -> None:
    owner = house.owner()
    house.invite("Sam", Role.STAFF)
    house.settle()
    sam = house.person("sam@example.org").id
    house.do(CorrectContact(sam, "Sam", "sam@work.example", Role.OWNER))
    house.wait(minutes=1)

    (send_id,) = (kept.send_id for kept in house.mails("sam@work.example"))
    owner.submit(f"/console/messages/{send_id}", f"/console/messages/{send_id}/again")
    house.settle()

    first, second = house.mails("sam@work.example")
    assert (first.to_email, second.to_email) == ("sam@example.org", "sam@work.example")
    assert status(house, house.link_to("sam@work.example")) == (200, 303)


@pytest.mark.spec("FD-15", "FD-21")
def test_a_link_dies_when_its_address_is_marked_as_wrong(house: House) -> None:
    house.invite("Sam", Role.STAFF)
    house.settle()

    house.do(MarkAddress(house.person("sam@example.org").id, True, Role.OWNER))

    assert status(house, house.link_to("sam@example.org")) == (410, 410)


# --- a mail that comes back -----------------------------------------------------------------


@pytest.mark.spec("FD-15", "FD-29")
def test_the_link_in_a_mail_that_comes_back_is_dead_and_a_newer_one_is_not(house: House) -> None:
    house.invite("Mira", Role.OWNER)
    house.settle()
    (invitation,) = house.mails("mira@example.org")
    link = house.link_to("mira@example.org")
    house.wait(minutes=1)

    returned(house, invitation)
    assert status(house, link) == (410, 410)
    assert house.person("mira@example.org").bounced != ""

    newer = asked(house, "mira@example.org")
    assert newer != link, "a bounce locks nobody out: anybody can write one"
    returned(house, invitation)
    assert status(house, newer) == (200, 303)


@pytest.mark.spec("FD-15")
def test_a_mail_that_comes_back_from_the_old_address_does_not_mark_the_new_one(
    house: House,
) -> None:
    house.invite("Mira", Role.STAFF)
    house.settle()
    (invitation,) = house.mails("mira@example.org")
    mira = house.person("mira@example.org").id
    house.do(CorrectContact(mira, "Mira", "mira@work.example", Role.OWNER))

    returned(house, invitation)

    assert house.person("mira@work.example").bounced == ""


QUOTED: dict[str, tuple[str, Callable[[bytes, str], bytes]]] = {
    "as it was sent": ("", lambda raw, _link: raw),
    "in base64": (
        "Content-Type: message/rfc822\r\nContent-Transfer-Encoding: base64",
        lambda raw, _link: base64.encodebytes(raw),
    ),
    "as quoted text": (
        "Content-Type: text/plain; charset=utf-8",
        lambda _raw, link: b"> Hello\r\n> " + link[:40].encode() + b"\r\n> " + link[40:].encode(),
    ),
    "in soft lines": (
        "Content-Type: text/html\r\nContent-Transfer-Encoding: quoted-printable",
        lambda _raw, link: quopri.encodestring(f'<a href="{link}">Sign in</a>'.encode() * 3),
    ),
}


@pytest.mark.spec("FD-21", "FD-29")
@pytest.mark.parametrize("form", QUOTED)
def test_a_returned_mail_that_quotes_a_sign_in_link_is_for_owners(house: House, form: str) -> None:
    owner, staff = house.owner(), house.member("Sam", Role.STAFF)
    house.invite("Mira", Role.OWNER)
    house.settle()
    (invitation,) = house.mails("mira@example.org")
    kind, quote = QUOTED[form]
    raw = to_mime(as_message(invitation))
    returned(house, invitation, quote(raw, house.link_to("mira@example.org")), kind)
    (row,) = house.fd.mails(MailFilter(), limit=5)

    for page in (f"{IN}/{row.id}", f"{IN}/{row.id}/source"):
        seen = staff.get(page)
        assert (seen.status, "/sign-in/" in seen.text) == (403, False)
        assert owner.get(page).status == 200
    assert staff.get(IN).status == 200


@pytest.mark.spec("FD-21")
def test_staff_read_other_mails_that_come_back(house: House) -> None:
    staff = house.member("Sam", Role.STAFF)
    (invitation,) = house.mails("sam@example.org")
    returned(house, invitation, b"From: a@example.org\r\nMessage-ID: <1@example.org>\r\n\r\nHello")
    (row,) = house.fd.mails(MailFilter(), limit=5)

    assert staff.get(f"{IN}/{row.id}").status == 200


# --- what staff may not do to an owner --------------------------------------------------------


@pytest.mark.spec("FD-21", "FD-29")
def test_staff_change_neither_the_number_nor_the_opt_out_of_one_who_signs_in(house: House) -> None:
    house.invite("Mira", Role.OWNER)
    mira = house.person("mira@example.org")
    refused = Refused(Reason.OF_THE_TEAM)

    change = CorrectContact(mira.id, "Mira", mira.email, Role.STAFF, "+6591234567")
    assert house.run(change) == refused
    assert house.run(SetOptOut(mira.id, True, Role.STAFF)) == refused
    house.do(SetCatalogue(Catalogue(services=(Service("Cut"),))))
    today = house.clock.now().date()
    for lane in (Lane.STAFF, Lane.SHEET, Lane.FORM, Lane.INBOX):
        new_id = house.product.engine.new_id
        wish = Wish("Cut", 1, today, today)
        house.run(
            JoinList(
                EntryId(new_id()), mira.id, "Mira", mira.email, wish, lane, mobile="+6591234567"
            )
        )

    assert house.person("mira@example.org") == mira
    house.do(SetOptOut(mira.id, True, Role.OWNER))
