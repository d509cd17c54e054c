"""A guest asks for a lost link; a stranger gets the same answer."""

from __future__ import annotations

import asyncio

import pytest

from frontdesk.desks.rsvp.commands import Cancel
from frontdesk.desks.rsvp.model import Lane
from frontdesk.web.limits import Limits
from tests.desks.rsvp.console_desk import ConsoleDesk
from tests.support.browser import Answer, Browser, HeldWork

PAGE = "/e/pottery/link"


def visitor(con: ConsoleDesk) -> Browser:
    return Browser(con.app, con.desk.product.settings.base_url)


def ask(con: ConsoleDesk, contact: str, **more: str) -> Answer:
    answer = visitor(con).post(PAGE, contact=contact, **more)
    con.desk.settle()
    return answer


@pytest.mark.spec("EV-31", "FD-28")
def test_a_lost_mail_is_sent_again_and_a_stranger_hears_the_same(con: ConsoleDesk) -> None:
    desk = con.desk.given(cap=1, confirmed=["ann"], line=["bob"])
    desk.sign_up("cat", lane=Lane.IMPORT, invite=True)
    desk.settle()
    before = {who: len(desk.mail_to(who)) for who in ("ann", "bob", "cat", "zoe")}

    answers = {who: ask(con, f" {who.upper()}@example.org") for who in before}

    [same] = {(answer.status, answer.says) for answer in answers.values()}
    assert same[0] == 200
    assert "If we know this contact, a message with your link is on its way." in same[1]
    sent = {who: len(desk.mail_to(who)) - count for who, count in before.items()}
    assert sent == {"ann": 1, "bob": 1, "cat": 1, "zoe": 0}
    subjects = [desk.mail_to(who)[-1].subject for who in ("ann", "bob", "cat")]
    assert subjects == [
        "You're in: Pottery workshop",
        "You're first in line: Pottery workshop",
        "You're invited: Pottery workshop",
    ]


def test_an_open_offer_comes_again_with_its_deadline(con: ConsoleDesk) -> None:
    desk = con.desk.given(cap=1, confirmed=["ann"], line=["bob"])
    desk.do(Cancel(desk.id("ann")))

    ask(con, "bob@example.org")

    first, again = desk.mail_to("bob")[-2:]
    assert again.subject == first.subject
    assert "until 15:00" in again.text


@pytest.mark.spec("FD-28")
def test_links_are_sent_three_times_at_once_and_the_answer_stays_the_same(
    con: ConsoleDesk,
) -> None:
    desk = con.desk.given(cap=1, confirmed=["ann"])
    desk.product.site.limits = Limits(lambda: 0.0)

    answers = [ask(con, "ann@example.org").status for _ in range(11)]

    assert answers == [200] * 10 + [429]
    assert len(desk.facts("ev.link_resent")) == 3


@pytest.mark.spec("FD-28", "FD-29")
def test_a_known_contact_is_looked_up_after_the_response(con: ConsoleDesk) -> None:
    desk = con.desk.given(cap=1, confirmed=["ann"])
    kept = desk.product.site.unseen_work = HeldWork()

    assert ask(con, "ann@example.org").status == 200
    assert desk.facts("ev.link_resent") == []
    asyncio.run(kept.begin())

    assert len(desk.settle().facts("ev.link_resent")) == 1


@pytest.mark.spec("FD-27", "FD-28")
def test_nonsense_and_robots_send_nothing(con: ConsoleDesk) -> None:
    desk = con.desk.given(cap=1, confirmed=["ann"])

    wrong, robot = ask(con, "ann"), ask(con, "ann@example.org", website="x")

    assert (wrong.status, robot.status) == (422, 200)
    assert "Please give one e-mail address" in wrong.says
    assert desk.facts("ev.link_resent") == []
    assert visitor(con).get("/e/nothing/link").status == 404


def test_the_event_page_links_to_the_lost_link_form(con: ConsoleDesk) -> None:
    con.desk.given(cap=1)

    assert f'href="{PAGE}"' in visitor(con).get("/e/pottery").text
    assert "Send me my link" in visitor(con).get(PAGE).says
