"""The phone in the mailbox: texts as their recipient sees them, and replies to them."""

from __future__ import annotations

import re
from datetime import date
from pathlib import Path

import pytest

from frontdesk.core.decision import Accepted
from frontdesk.core.ids import new_id
from frontdesk.core.mail import KeepMail, MailId, RawMail
from frontdesk.core.members import Role
from frontdesk.core.messages import SendRefused, SendUnknown, Text
from frontdesk.core.people import PersonId
from frontdesk.core.sends import SendId, SendState
from frontdesk.desks.admin.commands import CorrectContact
from frontdesk.desks.admin.console.phone import size_words
from frontdesk.desks.admin.reads import MailFilter, MessageFilter
from frontdesk.desks.waitlist.commands import JoinList, SetCatalogue
from frontdesk.desks.waitlist.model import EntryId, Lane, Wish
from frontdesk.features.catalogue.model import Catalogue, Service
from tests.support.admin import AdminDesk, open_admin_desk
from tests.support.browser import Answer, Browser

MOBILE = "+6591234567"
WISH = Wish("cut", 1, date(2026, 3, 2), date(2026, 4, 2))


def texted(desk: AdminDesk, name: str = "Ann", mobile: str = MOBILE, email: str = "") -> str:
    """Puts somebody on the waitlist, who is told by text; returns the id of that message."""
    desk.run(SetCatalogue(Catalogue((Service("cut"),), ())))
    ids = (EntryId(new_id(name.ljust(16).encode())), PersonId(new_id(name.rjust(16).encode())))
    desk.do(JoinList(*ids, name, email, WISH, Lane.FORM, mobile=mobile))
    desk.settle()
    wanted = MessageFilter(person_id=ids[1])
    return desk.fd.messages(wanted, limit=1)[0].send.id


def reply(browser: Browser, url: str, words: str) -> Answer:
    csrf = browser.get("/console/messages").csrf
    return browser.post(f"{url}/reply", csrf=csrf, words=words)


@pytest.mark.spec("FD-16")
def test_a_text_is_shown_as_a_phone_shows_it_with_a_working_link(desk: AdminDesk) -> None:
    browser, send_id = desk.owner(), texted(desk)
    kept = desk.product.engine.reads().engine.sent_message(SendId(send_id))
    assert kept is not None

    assert "Joined (text)" in browser.get("/console/messages").says
    page = browser.get(f"/console/messages/{send_id}")

    assert "Text to Ann" in page.says
    assert "+65 9123 4567" in page.says
    assert kept.text.split("http")[0].strip() in page.says
    assert f"One text, {len(kept.text)} characters" in page.says
    (link,) = re.findall(r'<a href="(http[^"]+/l/[^"]+)"', page.text)
    assert link in kept.text


@pytest.mark.spec("FD-15", "WL-06")
def test_stop_can_be_tried_by_answering_as_the_person(desk: AdminDesk) -> None:
    browser, send_id = desk.owner(), texted(desk)
    url = f"/console/messages/{send_id}"

    answer = reply(browser, url, "Stop")

    assert (answer.status, answer.location) == (303, url)
    page = browser.get(url)
    assert "Nothing is sent by text to this number any more." in page.says
    assert "Wants no texts" in page.says
    assert re.search(r'phone-turn-own">.*?phone-bubble">Stop<', page.text, re.DOTALL)
    assert desk.product.engine.reads().engine.number_stopped(MOBILE)
    assert "No more texts" in browser.get("/console/messages/in").says

    reply(browser, url, "start")
    assert "This number gets texts again." in browser.get(url).says
    assert not desk.product.engine.reads().engine.number_stopped(MOBILE)


def test_any_other_answer_waits_for_a_person_who_is_told_whom_to_call(desk: AdminDesk) -> None:
    browser, send_id = desk.owner(), texted(desk)
    url = f"/console/messages/{send_id}"

    reply(browser, url, "Is 3 pm <b>fine</b>?")

    assert "It came in, and waits for somebody to read it." in browser.get(url).says
    (mail,) = desk.fd.mails(MailFilter(for_a_person=True), limit=5)
    page = browser.get(f"/console/messages/in/{mail.id}")
    assert "This text needs a person." in page.says
    assert "Is 3 pm <b>fine</b>?" in page.says
    assert 'href="tel:+6591234567"' in page.text


@pytest.mark.spec("FD-15")
def test_cancel_makes_a_person_ask_what_was_meant(desk: AdminDesk) -> None:
    browser, send_id = desk.owner(), texted(desk)
    url = f"/console/messages/{send_id}"

    reply(browser, url, "CANCEL")

    (mail,) = desk.fd.mails(MailFilter(for_a_person=True), limit=5)
    assert "Did they mean their visit?" in browser.get(f"/console/messages/in/{mail.id}").says


@pytest.mark.spec("FD-27")
def test_an_empty_answer_or_an_answer_to_a_mail_changes_nothing(desk: AdminDesk) -> None:
    browser, send_id = desk.owner(), texted(desk)
    desk.member("Sam", Role.STAFF)
    mail_id = desk.fd.messages(MessageFilter(kind="invitation"), limit=1)[0].send.id
    before = desk.dump()

    empty = reply(browser, f"/console/messages/{send_id}", " ")
    no_text = reply(browser, f"/console/messages/{mail_id}", "STOP")
    nothing = reply(browser, "/console/messages/nothing", "STOP")

    assert (empty.status, no_text.status, nothing.status) == (303, 404, 404)
    assert desk.dump() == before


def test_the_phone_shows_what_was_said_in_order_and_only_to_this_number(desk: AdminDesk) -> None:
    browser, send_id = desk.owner(), texted(desk)
    texted(desk, "Bob", "+6598765432")
    url = f"/console/messages/{send_id}"
    other = RawMail(MailId("m"), desk.clock.now(), f"{MOBILE}@x.example", "desk", b"\n\nNo text")
    desk.product.store.commit(Accepted((KeepMail(other),)), by="cli", at=desk.clock.now())
    for words in ("First", "Second"):
        desk.wait(minutes=1)
        reply(browser, url, words)

    bubbles = re.findall(r'phone-bubble">([^<]*)', browser.get(url).text)

    assert [words.split()[0] for words in bubbles][1:] == ["First", "Second"]
    assert len(bubbles) == 3


def test_another_number_is_another_phone(desk: AdminDesk) -> None:
    browser, send_id = desk.owner(), texted(desk)
    person = desk.person(MOBILE)
    desk.do(CorrectContact(person.id, "Ann", "", Role.OWNER, "+6598765432"))
    browser.submit("/console/messages", f"/console/messages/{send_id}/again")
    desk.settle()

    wanted = MessageFilter(person_id=person.id)
    for row in desk.fd.messages(wanted, limit=5):
        page = browser.get(f"/console/messages/{row.send.id}")
        assert len(re.findall('class="phone-bubble"', page.text)) == 1
    assert len(desk.fd.messages(wanted, limit=5)) == 2


class Lost:
    """A network whose delivery fails, with or without an answer."""

    name, local = "sns", False

    def __init__(self, failure: Exception) -> None:
        self._failure = failure

    def send(self, message: Text) -> None:
        raise self._failure


@pytest.mark.spec("FD-04", "FD-07")
@pytest.mark.parametrize(
    ("failure", "state", "says"),
    [
        (SendUnknown("time-out"), SendState.UNKNOWN, "Nobody can tell whether this text arrived."),
        (SendRefused("sns: no"), SendState.FAILED, "This text did not go out."),
    ],
)
def test_a_text_that_did_not_surely_arrive_says_so_and_can_be_sent_again(
    tmp_path: Path, failure: Exception, state: SendState, says: str
) -> None:
    with open_admin_desk(tmp_path, texts=Lost(failure)) as desk:
        browser, send_id = desk.owner(), texted(desk)
        desk.wait(hours=1)

        page = browser.get(f"/console/messages/{send_id}")
        send = desk.product.engine.reads().engine.send(SendId(send_id))
        assert send is not None
        assert (send.state, send.attempts) == (state, 1)
        assert says in page.says
        assert "Try again now" in page.says


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("x" * 160, "One text, 160 characters"),
        ("x" * 161, "2 texts, 161 characters"),
        ("ł" * 71, "2 texts, 71 characters, with signs that take more room"),
    ],
)
def test_the_size_of_a_text_is_said_in_words(text: str, says: str) -> None:
    assert size_words(text) == says
