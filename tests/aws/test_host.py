"""The host on AWS: the daily headcount, the thank-you note, questions about the list."""

from __future__ import annotations

import re
from datetime import datetime, timedelta
from typing import Any
from urllib.parse import quote_plus, urlencode

import pytest

from frontdesk.aws.console import fd_console
from frontdesk.aws.container import deployment
from frontdesk.aws.sweep import fd_sweep
from frontdesk.aws.timers import host_summary
from frontdesk.core.decision import Accepted
from frontdesk.core.localtime import to_wall, zone
from frontdesk.core.members import MemberId, Role
from frontdesk.core.people import MarkBounced, PersonId
from frontdesk.desks.admin.commands import InviteMember
from frontdesk.desks.rsvp.commands import Cancel
from frontdesk.desks.waitlist.commands import JoinList, SetCatalogue
from frontdesk.desks.waitlist.load import waitlist
from frontdesk.desks.waitlist.model import EntryId, EntryStatus, Lane, Wish
from frontdesk.features.catalogue.model import Catalogue, Service
from frontdesk.store.dynamodb.schema import FD_AUDIT
from tests.aws.cloud import Cloud
from tests.aws.cloud import cloud as cloud
from tests.aws.payloads import Context, request
from tests.aws.test_public_pages import FORM
from tests.support.dynamodb import needs_dynamodb
from tests.support.rsvp import STARTS

pytestmark = needs_dynamodb


def shown(path: str, cookies: list[str], query: str = "") -> Any:
    answer = fd_console(request("GET", path, query=query, cookies=cookies), Context())
    assert answer["statusCode"] == 200, answer
    return answer["body"]


def owner() -> list[str]:
    """Returns the cookies of the first owner."""
    path = fd_sweep({"ask": "first-link"}, Context())["url"].removeprefix("https://desk.example")
    entered = fd_console(request("POST", path), Context())
    return [each.partition(";")[0] for each in entered["cookies"]]


def fire(cloud: Cloud, kind: str, until: datetime) -> None:
    """Calls `host-summary` twice for each timer of this kind up to this time, as its schedule
    may."""
    due = list(deployment().back.store.due_timers(until, 100))
    for name, at in sorted((n, at) for n, at in due if n.startswith(f"ev/{kind}/")):
        cloud.clock.move_to(max(at, cloud.clock.now()))
        for _ in range(2):
            host_summary({"timer": name, "due_at": at.isoformat()}, Context("host-summary"))
        cloud.settle()


@pytest.mark.spec("EV-28")
def test_the_host_gets_the_headcount_in_the_morning_once(cloud: Cloud) -> None:
    cloud.desk.run(
        InviteMember(
            *(MemberId("m1"), PersonId("p1"), "Dora", "dora@example.org", Role.OWNER),
            event_id="",
            nonce=1,
        )
    )
    cloud.desk.given(cap=4, confirmed=["ann", "bob"])
    cloud.settle()

    fire(cloud, "headcount", STARTS - timedelta(days=6))

    mails = [subject for to, subject in cloud.mails() if to == "dora@example.org"]
    assert mails.count("2 of 4 seats taken: Pottery workshop") == 1, mails
    assert to_wall(cloud.clock.now(), zone(cloud.desk.event.details.zone)).hour == 9


@pytest.mark.spec("EV-28")
def test_after_the_event_a_thank_you_note_lies_ready_for_the_host(cloud: Cloud) -> None:
    cloud.desk.given(cap=2, confirmed=["ann", "bob"])
    cookies = owner()

    fire(cloud, "thanks", STARTS + timedelta(days=3))

    page = shown(f"/console/events/{cloud.desk.event_id}/thanks", cookies)
    assert "Thank you for coming to Pottery workshop." in page


@pytest.mark.spec("EV-29")
@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("how many seats are open?", "2 seats of 3 are free."),
        ("who cancelled today?", "1 guest cancelled today: Ann."),
        ("why?", "I don&#39;t know how to answer that."),
    ],
)
def test_a_question_is_answered_from_the_tables_and_changes_nothing(
    cloud: Cloud, question: str, answer: str
) -> None:
    cloud.desk.given(cap=3, confirmed=["ann", "bob"])
    cloud.desk.run(Cancel(cloud.guest("ann")))
    cloud.settle()
    cookies = owner()
    before = cloud.rows(FD_AUDIT)

    page = shown(
        f"/console/events/{cloud.desk.event_id}", cookies, query=f"ask={quote_plus(question)}"
    )

    assert answer in page
    assert cloud.rows(FD_AUDIT) == before


@pytest.mark.spec("BK-08", "WL-08")
def test_who_waits_for_a_service_keeps_their_place_when_the_booking_desk_renames_it(
    cloud: Cloud,
) -> None:
    cloud.desk.run(SetCatalogue(Catalogue((Service("cut"),))))
    waits_for_cut(cloud)
    cookies, path = owner(), "/console/bookings/services/one"
    [csrf] = set(re.findall(r'name="csrf" value="([^"]+)"', shown(path, cookies, "name=cut")))
    form = {"csrf": csrf, "before": "cut", "name": "trim", "minutes": "60", "most": "1"}

    answer = fd_console(
        request("POST", path, headers=FORM, body=urlencode(form), cookies=cookies), Context()
    )

    assert answer["statusCode"] == 303
    reads = waitlist(deployment().back.engine.reads())
    waiting = [one.entry for one in reads.list_rows() if one.entry.status is EntryStatus.WAITING]
    assert [one.service for one in waiting] == ["trim"]


@pytest.mark.spec("FD-21")
def test_today_shows_who_waits_for_a_service_that_was_renamed_in_the_rules(cloud: Cloud) -> None:
    cloud.desk.run(SetCatalogue(Catalogue((Service("cut"),))))
    waits_for_cut(cloud)
    cookies = owner()
    assert "not a service now" not in shown("/console", cookies)

    cloud.desk.run(SetCatalogue(Catalogue((Service("trim"),))))

    assert "1 person waits for cut, which is not a service now" in shown("/console", cookies)


def waits_for_cut(cloud: Cloud) -> None:
    today = cloud.clock.now().date()
    wish = Wish("cut", 1, today, today + timedelta(days=30))
    ann = (EntryId("e1"), PersonId("p1"), "Ann", "ann@example.org")
    cloud.desk.run(JoinList(*ann, wish, Lane.STAFF))


@pytest.mark.spec("FD-15", "FD-21")
def test_today_says_that_an_owner_gets_no_mail(cloud: Cloud) -> None:
    mira, cookies = PersonId("mira"), owner()
    cloud.desk.run(
        InviteMember(MemberId("m1"), mira, "Mira", "mira@example.org", Role.OWNER, "", nonce=1)
    )
    back = deployment().back
    person = back.engine.reads().engine.person(mira)
    assert person is not None
    marked = MarkBounced(mira, person.contact_version, "no such mailbox")
    back.store.commit(Accepted((marked,)), by="test", at=cloud.clock.now())

    page = shown("/console", cookies)

    assert "Mira of your team gets no mail" in page
    assert "It came back: no such mailbox." in page
