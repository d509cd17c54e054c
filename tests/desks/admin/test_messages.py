"""The mailbox: every message as its recipient sees it, and sending it again."""

import re
from datetime import timedelta
from pathlib import Path

import pytest

from frontdesk.core.members import Role
from frontdesk.core.messages import Message, SendLater, SendRefused
from frontdesk.core.sends import SendState
from frontdesk.desks.admin.commands import AskForSignIn
from frontdesk.desks.admin.console.messages import calendar_summary
from frontdesk.desks.admin.console.page import reason_sentence
from frontdesk.desks.admin.desk import OWNER_EMAIL, new_nonce
from frontdesk.desks.admin.reads import MessageFilter
from frontdesk.engine.delivery import MAYBE_SENT
from frontdesk.web.console.mail_frame import in_new_tabs
from tests.support.admin import AdminDesk, open_admin_desk
from tests.support.raw_texts import RAW


class Refusing:
    """A channel that refuses mail until a test allows it."""

    name = "smtp"
    local = False

    def __init__(self) -> None:
        self.refusal: Exception | None = SendRefused("550 no such user", about_recipient=True)

    def send(self, message: Message) -> None:
        if self.refusal is not None:
            raise self.refusal


def invited(desk: AdminDesk) -> str:
    """Invites Sam; returns the id of the message."""
    desk.printed_link()
    desk.invite("Sam", Role.STAFF)
    desk.settle()
    return desk.fd.messages(MessageFilter(), limit=1)[0].send.id


@pytest.mark.spec("FD-16")
def test_a_message_is_shown_as_its_recipient_sees_it_with_working_links(desk: AdminDesk) -> None:
    browser, send_id = desk.owner(), invited(desk)
    listed = browser.get("/console/messages")
    assert re.findall(r'href="(/console/messages/\w{26})"', listed.text) == [
        f"/console/messages/{send_id}"
    ]

    page = browser.get(f"/console/messages/{send_id}")
    assert page.heading == "You are invited to the team of Frontdesk"
    assert "events@frontdesk.example" in page.says
    assert "Sam <sam@example.org>" in page.says
    frame = re.search(r'<iframe[^>]+src="([^"]+)"[^>]+sandbox="([^"]+)"', page.text)
    assert frame
    assert "allow-scripts" not in frame[2]
    assert "allow-same-origin" not in frame[2]

    mail = browser.get(frame[1])
    assert "Welcome to Frontdesk" in mail.says
    link = re.search(r'href="http://desk.example(/sign-in/[^"]+)"', mail.text)
    assert link
    assert desk.browser().post(link[1]).status == 303
    assert '<base target="_blank">' in mail.text


@pytest.mark.spec("FD-29")
def test_a_mail_is_shown_in_a_sandbox_of_its_own(desk: AdminDesk) -> None:
    browser, send_id = desk.owner(), invited(desk)
    headers = browser.get(f"/console/messages/{send_id}/html").headers

    policy = headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "sandbox allow-popups allow-popups-to-escape-sandbox" in policy
    assert "frame-ancestors 'self'" in policy
    assert "script" not in policy


@pytest.mark.spec("FD-16")
def test_the_source_is_the_mail_that_goes_over_the_wire(desk: AdminDesk) -> None:
    browser, send_id = desk.owner(), invited(desk)
    page = browser.get(f"/console/messages/{send_id}").says

    assert f"Message-ID: <{send_id}@frontdesk.example>" in page
    assert 'From: "Frontdesk" <events@frontdesk.example>' in page
    assert "Content-Type: multipart/alternative" in page


@pytest.mark.spec("FD-16")
def test_messages_are_searched_and_filtered(desk: AdminDesk) -> None:
    browser = desk.owner()
    invited(desk)
    desk.wait(seconds=1)
    desk.invite("Tom", Role.STAFF)
    desk.product.runtime.follow(desk.clock.now())

    def found(query: str) -> list[str]:
        text = browser.get(f"/console/messages?{query}").text
        return re.findall(r'class="cell-long">(\w+)</td>', text)

    assert found("") == ["Tom", "Sam"]
    assert found("q=sam@") == ["Sam"]
    assert found("q=INVITED") == ["Sam"]
    assert found("q=%25") == []
    assert found("state=sent") == ["Sam"]
    assert found("state=queued") == ["Tom"]
    assert found("state=held") == []
    assert found("kind=invitation") == ["Tom", "Sam"]
    assert found("kind=reminder") == []


@pytest.mark.spec("FD-16")
def test_a_message_that_went_out_goes_out_once_more_under_a_key_of_its_own(desk: AdminDesk) -> None:
    browser, send_id = desk.owner(), invited(desk)
    page = f"/console/messages/{send_id}"
    after = browser.submit(page, f"{page}/again")
    desk.settle()

    assert after.flash == "It goes out once more, as things are now."
    first, second = desk.mails("sam@example.org")
    assert first.message_id != second.message_id
    assert first.text == second.text


@pytest.mark.spec("FD-16")
def test_an_outdated_message_is_not_sent_again(desk: AdminDesk) -> None:
    browser, send_id = desk.owner(), invited(desk)
    desk.let_in(desk.link_to("sam@example.org"))
    page = f"/console/messages/{send_id}"
    browser.submit(page, f"{page}/again")
    desk.settle()

    assert len(desk.mails("sam@example.org")) == 1
    (dropped,) = desk.fd.messages(MessageFilter(states=frozenset({SendState.DROPPED})), limit=5)
    shown = browser.get(f"/console/messages/{dropped.send.id}").says
    assert "This message was not sent, on purpose." in shown
    assert "The link is used already or too old." in shown


@pytest.mark.spec("FD-07", "FD-10", "FD-15")
def test_a_mail_that_came_back_is_corrected_and_sent_again(tmp_path: Path) -> None:

    channel = Refusing()
    with open_admin_desk(tmp_path, channel=channel) as desk:
        browser, send_id = desk.owner(), invited(desk)
        sam = desk.person("sam@example.org")
        assert "could not be sent" in browser.get("/console/problems").says
        assert (
            "Mail to this address does not arrive." in browser.get(f"/console/people/{sam.id}").says
        )
        channel.refusal = None

        person = f"/console/people/{sam.id}"
        after = browser.submit(person, f"{person}/correct", name="Sam", email="sam@work.example")
        assert after.flash == "The address is corrected. Links to the old one are dead."
        corrected = desk.person("sam@work.example")
        assert (corrected.bounced, corrected.contact_version) == ("", sam.contact_version + 1)
        message = f"/console/messages/{send_id}"
        desk.wait(seconds=1)
        assert browser.submit(message, f"{message}/again").flash == "It is tried again now."
        desk.settle()

        assert [mail.to_email for mail in desk.mails("sam@work.example")] == ["sam@work.example"]
        assert "No problems" in browser.get("/console/problems").says
        assert desk.kinds()[-2:] == ["fd.person_corrected", "fd.message_repeated"]


@pytest.mark.spec("FD-15")
def test_an_address_is_marked_as_wrong_and_gets_nothing_until_it_is_right(desk: AdminDesk) -> None:
    browser, send_id = desk.owner(), invited(desk)
    page = f"/console/messages/{send_id}"
    marked = browser.submit(page, f"{page}/wrong-address", wrong="yes")
    assert marked.flash == "The address is marked as wrong: no more mail goes there."
    desk.do(AskForSignIn("sam@example.org", new_nonce()))
    desk.settle()
    assert len(desk.mails("sam@example.org")) == 1

    browser.submit(page, f"{page}/wrong-address", wrong="no")
    desk.wait(seconds=1)
    desk.do(AskForSignIn("sam@example.org", new_nonce()))
    desk.settle()
    assert len(desk.mails("sam@example.org")) == 2


def test_a_message_that_waits_for_another_try_says_why_and_until_when(tmp_path: Path) -> None:

    channel = Refusing()
    channel.refusal = SendLater("the mail server is asleep")
    with open_admin_desk(tmp_path, channel=channel) as desk:
        browser, send_id = desk.owner(), invited(desk)
        page = f"/console/messages/{send_id}"
        assert (
            "This message waits. The mail server is asleep. It goes out" in browser.get(page).says
        )
        channel.refusal = None
        browser.submit(page, f"{page}/again")
        desk.settle()

        assert desk.mails("sam@example.org")[0].subject.startswith("You are invited")


@pytest.mark.parametrize(
    ("why", "says"),
    [
        ("", ""),
        ("too late", "Too late."),
        ("this person has unsubscribed", "This person has unsubscribed."),
        ("offer_gone", "The offer had ended before this could go out."),
        ("some_new_reason", "Some new reason."),
        ("connecting: nothing answers there", "Connecting: nothing answers there."),
        ("recipient: 550 no such user", "Recipient: 550 no such user."),
        ("KeyError: 'name'", "Frontdesk itself failed here. Try again; its log says more."),
        ("Busy: The list", "Frontdesk itself failed here. Try again; its log says more."),
        (
            f"{MAYBE_SENT}TemplateNotFound: x.html",
            "It may have been sent. Frontdesk itself failed here. Try again; its log says more.",
        ),
        (f"{MAYBE_SENT}after the mail: x", "May have been sent; after the mail: x."),
    ],
)
def test_the_reason_of_a_send_is_a_sentence(why: str, says: str) -> None:
    assert reason_sentence(why) == says


def test_a_message_that_broke_shows_no_name_of_a_class(tmp_path: Path) -> None:
    channel = Refusing()
    channel.refusal = KeyError("name")
    with open_admin_desk(tmp_path, channel=channel) as desk:
        browser, send_id = desk.owner(), invited(desk)

        says = browser.get(f"/console/messages/{send_id}").says

        assert "It may have been sent. Frontdesk itself failed here." in says
        assert RAW.search(says) is None


def test_a_sign_in_mail_dies_with_its_link(desk: AdminDesk) -> None:
    desk.printed_link()
    desk.do(AskForSignIn(OWNER_EMAIL, new_nonce()))
    desk.clock.move_to(desk.clock.now() + timedelta(minutes=31))
    desk.settle()

    assert desk.mails(OWNER_EMAIL) == []


def test_a_calendar_file_is_told_in_words() -> None:
    file = (
        b"BEGIN:VCALENDAR\r\nMETHOD:REQUEST\r\nBEGIN:VTIMEZONE\r\nBEGIN:STANDARD\r\n"
        b"DTSTART:19700101T000000\r\nEND:STANDARD\r\nEND:VTIMEZONE\r\nBEGIN:VEVENT\r\n"
        b"UID:1@desk\r\nSEQUENCE:2\r\nSUMMARY:Supper\\, under the\r\n  trees\r\n"
        b"DTSTART;TZID=Asia/Singapore:20260312T190000\r\nDTEND:20260312T130000Z\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n"
    )

    assert calendar_summary(file) == [
        ("Method", "REQUEST"),
        ("What", "Supper, under the trees"),
        ("Starts", "Thursday 12 March 2026 at 19:00 (SGT)"),
        ("Ends", "Thursday 12 March 2026 at 13:00 (UTC)"),
        ("Version", "2"),
        ("Id", "1@desk"),
    ]


def test_links_of_a_mail_without_a_head_open_in_a_new_tab_too() -> None:
    assert in_new_tabs("<p>x</p>") == '<base target="_blank"><p>x</p>'
    assert in_new_tabs('<head lang="en"><title>') == '<head lang="en"><base target="_blank"><title>'
