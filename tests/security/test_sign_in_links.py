"""A link that signs somebody in dies with the address it went to, and only owners can see it."""

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
from frontdesk.desks.admin.desk import OWNER_EMAIL, new_nonce
from frontdesk.desks.admin.reads import MailFilter
from frontdesk.desks.admin.reasons import Reason
from frontdesk.desks.waitlist.commands import JoinList, SetCatalogue
from frontdesk.desks.waitlist.model import EntryId, Lane, Wish
from frontdesk.doctor import check_up
from frontdesk.engine.ledger import as_message
from frontdesk.features.catalogue.model import Catalogue, Service
from frontdesk.intake.mail import MailIn
from frontdesk.store.sqlite.view import open_view
from frontdesk.wiring.one_machine import TABLES, data_file
from tests.support.admin import AdminDesk, open_admin_desk, path_of

DESK = "desk@frontdesk.example"
IN = "/console/messages/in"


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[AdminDesk]:
    with open_admin_desk(tmp_path, mail_in_port=25, from_email=DESK) as opened:
        opened.printed_link()
        yield opened


def asked(desk: AdminDesk, email: str) -> str:
    """Asks for a link as this person; returns the link in the mail."""
    desk.do(AskForSignIn(email, new_nonce()))
    desk.settle()
    return desk.link_to(email)


def status(desk: AdminDesk, link: str) -> tuple[int, int]:
    """Returns the statuses of opening the link and of pressing its button."""
    return desk.browser().get(path_of(link)).status, desk.browser().post(path_of(link)).status


def returned(
    desk: AdminDesk, kept: SentMessage, quoted: bytes | None = None, kind: str = ""
) -> None:
    """Sends a bounce that contains the whole mail, as mail servers do."""
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
    comes_in(desk, b"\r\n".join(lines))


def comes_in(desk: AdminDesk, raw: bytes) -> None:
    mail = Envelope("", (DESK,), raw, "192.0.2.9")
    asyncio.run(MailIn(desk.product).deliver(mail))
    desk.settle()


# --- a new address --------------------------------------------------------------------------


@pytest.mark.spec("FD-21", "FD-29")
def test_a_link_to_a_wrong_address_dies_when_the_address_is_corrected(desk: AdminDesk) -> None:
    desk.invite("Sam", Role.OWNER)
    desk.settle()
    invitation, mailed = desk.link_to("sam@example.org"), asked(desk, "sam@example.org")
    printed = desk.printed_link()
    desk.wait(minutes=1)
    sam = desk.person("sam@example.org").id

    desk.do(CorrectContact(sam, "Sam", "sam@work.example", Role.OWNER))

    assert (status(desk, invitation), status(desk, mailed)) == ((410, 410), (410, 410))
    assert status(desk, printed) == (200, 303), "it was in no mail"
    desk.wait(seconds=1)
    assert status(desk, asked(desk, "sam@work.example")) == (200, 303)


@pytest.mark.spec("FD-21")
def test_a_corrected_name_leaves_the_links_alone(desk: AdminDesk) -> None:
    desk.invite("Sam", Role.STAFF)
    desk.settle()
    sam = desk.person("sam@example.org").id

    desk.do(CorrectContact(sam, "Samuel", "sam@example.org", Role.OWNER))

    assert status(desk, desk.link_to("sam@example.org")) == (200, 303)


@pytest.mark.spec("FD-21")
def test_correcting_a_wrong_address_sends_the_invitation_again(
    desk: AdminDesk,
) -> None:
    owner = desk.owner()
    desk.invite("Sam", Role.STAFF)
    desk.settle()
    sam = desk.person("sam@example.org").id
    desk.do(CorrectContact(sam, "Sam", "sam@work.example", Role.OWNER))
    desk.wait(minutes=1)

    (send_id,) = (kept.send_id for kept in desk.mails("sam@work.example"))
    owner.submit(f"/console/messages/{send_id}", f"/console/messages/{send_id}/again")
    desk.settle()

    first, second = desk.mails("sam@work.example")
    assert (first.to_email, second.to_email) == ("sam@example.org", "sam@work.example")
    assert status(desk, desk.link_to("sam@work.example")) == (200, 303)


@pytest.mark.spec("FD-15", "FD-21")
def test_a_link_dies_when_its_address_is_marked_as_wrong(desk: AdminDesk) -> None:
    desk.invite("Sam", Role.STAFF)
    desk.settle()

    desk.do(MarkAddress(desk.person("sam@example.org").id, True, Role.OWNER))

    assert status(desk, desk.link_to("sam@example.org")) == (410, 410)


# --- a mail that bounces --------------------------------------------------------------------


@pytest.mark.spec("FD-15", "FD-29")
def test_the_link_in_a_mail_that_comes_back_is_dead_and_a_newer_one_is_not(desk: AdminDesk) -> None:
    desk.invite("Mira", Role.OWNER)
    desk.settle()
    (invitation,) = desk.mails("mira@example.org")
    link = desk.link_to("mira@example.org")
    desk.wait(minutes=1)

    returned(desk, invitation)
    assert status(desk, link) == (410, 410)
    assert desk.person("mira@example.org").bounced != ""

    newer = asked(desk, "mira@example.org")
    assert newer != link, "a bounce locks nobody out: anybody can write one"
    returned(desk, invitation)
    assert status(desk, newer) == (200, 303)


@pytest.mark.spec("FD-15", "FD-29")
def test_an_address_that_bounced_is_in_use_again_once_a_newer_link_to_it_signs_somebody_in(
    desk: AdminDesk,
) -> None:
    """Otherwise a forged bounce would keep all other mail from an owner for good."""
    desk.invite("Mira", Role.OWNER)
    desk.settle()
    (invitation,) = desk.mails("mira@example.org")
    desk.wait(minutes=1)
    returned(desk, invitation)
    newer = asked(desk, "mira@example.org")
    desk.browser().get(path_of(newer))
    assert desk.person("mira@example.org").bounced != "", "opening the link proves nothing"

    assert desk.browser().post(path_of(newer)).status == 303

    assert desk.person("mira@example.org").bounced == ""
    assert desk.kinds()[-2:] == ["fd.signed_in", "fd.address_marked"]


@pytest.mark.spec("FD-15", "FD-21")
def test_today_and_the_doctor_say_that_an_owner_gets_no_mail(desk: AdminDesk) -> None:
    staff = desk.member("Sam", Role.STAFF)
    desk.invite("Mira", Role.OWNER)
    desk.settle()
    (invitation,) = desk.mails("mira@example.org")
    desk.wait(minutes=1)
    assert "gets no mail" not in staff.get("/console").says
    assert checked(desk) == []

    returned(desk, invitation)

    page, mira = staff.get("/console"), desk.person("mira@example.org")
    way_out = "they ask for a new link on the sign-in page and sign in with it."
    assert "Mira of your team gets no mail It came back:" in page.says
    assert way_out in page.says
    assert f'href="/console/people/{mira.id}"' in page.text
    (problem,) = checked(desk)
    assert problem.startswith("Mira of the team gets no mail. It came back:")
    assert way_out in problem

    desk.browser().post(path_of(asked(desk, "mira@example.org")))
    assert "gets no mail" not in staff.get("/console").says
    assert checked(desk) == []


@pytest.mark.spec("FD-15")
def test_the_doctor_says_that_an_owner_marked_an_address_of_the_team_as_wrong(
    desk: AdminDesk,
) -> None:
    desk.invite("Sam", Role.STAFF)
    desk.do(MarkAddress(desk.person("sam@example.org").id, True, Role.OWNER))

    (problem,) = checked(desk)
    assert problem.startswith(
        "Sam of the team gets no mail. An owner marked their address as wrong."
    )


def checked(desk: AdminDesk) -> list[str]:
    """Returns the problems that the doctor finds."""
    with open_view(data_file(desk.product.settings.data_dir), TABLES) as view:
        return list(check_up(view, desk.clock.now(), served=False).problems)


@pytest.mark.spec("FD-15")
def test_a_printed_link_says_nothing_about_an_address_that_bounced(desk: AdminDesk) -> None:
    asked(desk, OWNER_EMAIL)
    (mailed,) = desk.mails(OWNER_EMAIL)
    desk.wait(minutes=1)
    returned(desk, mailed)

    assert status(desk, desk.printed_link()) == (200, 303)

    assert desk.person(OWNER_EMAIL).bounced != ""


@pytest.mark.spec("FD-15")
def test_a_mail_that_comes_back_from_the_old_address_does_not_mark_the_new_one(
    desk: AdminDesk,
) -> None:
    desk.invite("Mira", Role.STAFF)
    desk.settle()
    (invitation,) = desk.mails("mira@example.org")
    mira = desk.person("mira@example.org").id
    desk.do(CorrectContact(mira, "Mira", "mira@work.example", Role.OWNER))

    returned(desk, invitation)

    assert desk.person("mira@work.example").bounced == ""


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
def test_a_returned_mail_that_quotes_a_sign_in_link_is_for_owners(
    desk: AdminDesk, form: str
) -> None:
    owner, staff = desk.owner(), desk.member("Sam", Role.STAFF)
    desk.invite("Mira", Role.OWNER)
    desk.settle()
    (invitation,) = desk.mails("mira@example.org")
    kind, quote = QUOTED[form]
    raw = to_mime(as_message(invitation))
    returned(desk, invitation, quote(raw, desk.link_to("mira@example.org")), kind)
    (row,) = desk.fd.mails(MailFilter(), limit=5)

    for page in (f"{IN}/{row.id}", f"{IN}/{row.id}/source"):
        seen = staff.get(page)
        assert (seen.status, "/sign-in/" in seen.text) == (403, False)
        assert owner.get(page).status == 200
    assert staff.get(IN).status == 200


@pytest.mark.spec("FD-21")
def test_staff_read_other_mails_that_come_back(desk: AdminDesk) -> None:
    staff = desk.member("Sam", Role.STAFF)
    (invitation,) = desk.mails("sam@example.org")
    returned(desk, invitation, b"From: a@example.org\r\nMessage-ID: <1@example.org>\r\n\r\nHello")
    (row,) = desk.fd.mails(MailFilter(), limit=5)

    assert staff.get(f"{IN}/{row.id}").status == 200


# --- what staff may not do to an owner --------------------------------------------------------


@pytest.mark.spec("FD-21", "FD-29")
def test_staff_change_neither_the_number_nor_the_opt_out_of_one_who_signs_in(
    desk: AdminDesk,
) -> None:
    desk.invite("Mira", Role.OWNER)
    mira = desk.person("mira@example.org")
    refused = Refused(Reason.OF_THE_TEAM)

    change = CorrectContact(mira.id, "Mira", mira.email, Role.STAFF, "+6591234567")
    assert desk.run(change) == refused
    assert desk.run(SetOptOut(mira.id, True, Role.STAFF)) == refused
    desk.do(SetCatalogue(Catalogue(services=(Service("Cut"),))))
    today = desk.clock.now().date()
    for lane in (Lane.STAFF, Lane.SHEET, Lane.FORM, Lane.INBOX):
        new_id = desk.product.engine.new_id
        wish = Wish("Cut", 1, today, today)
        desk.run(
            JoinList(
                EntryId(new_id()), mira.id, "Mira", mira.email, wish, lane, mobile="+6591234567"
            )
        )

    assert desk.person("mira@example.org") == mira
    desk.do(SetOptOut(mira.id, True, Role.OWNER))
