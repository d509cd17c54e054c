"""An event's page, over real HTTP and without JavaScript."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import cast
from urllib.parse import urlencode

import pytest

from frontdesk.core.jobs import JobId
from frontdesk.desks.rsvp.commands import CallOff, Cancel, EditEvent, SetCap
from frontdesk.desks.rsvp.model import Event
from frontdesk.desks.rsvp.pages.event_page import EVENT_CACHE
from frontdesk.values import replace
from frontdesk.web.site import Site
from tests.support.rsvp import DETAILS, STARTS, RsvpDesk
from tests.support.server import Page, Served, sign_up

MOST_BYTES = 60 * 1024


@pytest.mark.spec("FD-22")
def test_the_page_says_what_when_where_and_how_many_seats_are_left(served: Served) -> None:
    served.desk.given(cap=3, confirmed=["ann"])

    page = served.visitor.get("/e/pottery")

    assert (page.status, page.heading) == (200, "Pottery workshop")
    assert "Friday 27 November 2026, 19:00 to 21:00 (SGT)" in page.says
    assert "12 Kiln Lane" in page.says
    assert "Save your seat 2 of 3 seats are left." in page.says
    assert page.buttons == ["Take a seat"]
    assert sorted(page.fields) == ["email", "name", "website"]


def test_a_full_event_says_so_before_one_types_and_what_joining_the_line_means(
    served: Served,
) -> None:
    served.desk.given(cap=1, confirmed=["ann"], line=["bob", "cat"])

    page = served.visitor.get("/e/pottery")

    assert (
        "Join the line The only seat is taken. 2 people are waiting. "
        "If a seat frees up, we offer it to you by mail and hold it for 6 hours." in page.says
    )
    assert page.buttons == ["Join the line"]


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (Cancel, "The only seat is on offer. Nobody is waiting yet."),
        (SetCap, "There are no seats at the moment. 1 person is waiting."),
    ],
)
def test_a_single_seat_on_offer_and_no_seat_at_all_are_called_so(
    served: Served, change: type[Cancel | SetCap], says: str
) -> None:
    desk = served.desk.given(cap=1, confirmed=["ann"], line=["bob"])
    desk.do(SetCap(desk.event_id, 0) if change is SetCap else Cancel(desk.id("ann")))

    assert says in served.visitor.get("/e/pottery").says


@pytest.mark.spec("EV-12")
def test_while_people_in_line_are_owed_a_seat_the_page_says_that_it_is_theirs(
    served: Served,
) -> None:
    served.desk.given(cap=1, confirmed=["ann"], line=["bob"])
    served.desk.run(Cancel(served.desk.id("ann")))

    page = served.visitor.get("/e/pottery")
    answer = sign_up(served, "cat")

    assert "What is free goes to those in line first. 1 person is waiting." in page.says
    assert answer.heading == "You're second in line."


def test_the_cached_page_follows_every_change(served: Served) -> None:
    desk, visitor = served.desk.given(cap=70), served.visitor
    before = visitor.get("/e/pottery").says

    sign_up(served, "ann")
    desk.do(SetCap(desk.event_id, 80))
    event = desk.event
    renamed = replace(event.details, name="Glazing workshop")
    desk.do(
        EditEvent(event.id, event.version, event.slug, renamed, event.settings, JobId("0" * 26))
    )
    after = visitor.get("/e/pottery")

    assert "All 70 seats are free." in before
    assert after.heading == "Glazing workshop"
    assert "79 of 80 seats are left." in after.says


@dataclass
class Interrupted:
    """A site whose host changes the cap while a request reads the event."""

    rsvp: RsvpDesk

    def reads(self) -> Interrupted:
        return self

    def desk(self, _code: str) -> Interrupted:
        return self

    def event_by_slug(self, _slug: str) -> Event:
        event = self.rsvp.event
        self.rsvp.do(SetCap(event.id, 80))
        return event


def test_an_event_that_was_read_before_a_change_is_not_kept_after_it(served: Served) -> None:
    desk = served.desk.given(cap=70)
    site = desk.product.site
    cache = site.shared[EVENT_CACHE]

    before = cache.event(cast(Site, Interrupted(desk)), "pottery")
    after = cache.event(site, "pottery")

    assert [event and event.seats.cap for event in (before, after)] == [70, 80]


def test_each_answer_has_a_nonce_of_its_own_and_the_policy_names_it(served: Served) -> None:
    served.desk.given(cap=1)

    pages = [served.visitor.get("/e/pottery") for _ in range(2)]

    nonces = [re.findall(r'nonce="([^"]+)"', page.body) for page in pages]
    policies = [page.headers["content-security-policy"] for page in pages]
    assert nonces[0] != nonces[1]
    for found, policy in zip(nonces, policies, strict=True):
        assert set(found) == set(re.findall(r"'nonce-([^']+)'", policy))
        assert "'unsafe" not in policy


@pytest.mark.spec("FD-29")
def test_no_other_site_can_frame_the_page_but_the_embedded_form(served: Served) -> None:
    served.desk.given(cap=1)

    page, framed = served.visitor.get("/e/pottery"), served.visitor.get("/e/pottery/embed")

    assert "frame-ancestors 'none'" in page.headers["content-security-policy"]
    assert page.headers["x-frame-options"] == "DENY"
    assert "frame-ancestors *" in framed.headers["content-security-policy"]
    assert "x-frame-options" not in framed.headers


@pytest.mark.spec("EV-05")
def test_the_form_in_a_frame_answers_in_the_frame(served: Served) -> None:
    served.desk.given(cap=1)
    [action] = re.findall(r'action="([^"]+)"', served.visitor.get("/e/pottery/embed").body)

    wrong = served.visitor.post(action, name="", email="ann@example.org")
    right = served.visitor.post(action, name="Ann", email="ann@example.org")

    assert (wrong.status, wrong.error_at("name")) == (422, "Please give a name.")
    assert (right.status, right.heading) == (200, "You're in.")
    assert "x-frame-options" not in {*wrong.headers, *right.headers}


@pytest.mark.parametrize(
    ("path", "status", "says"),
    [
        ("/e/nothing", 404, "There is no event here."),
        ("/e/pottery%00", 404, "There is no event here."),
        ("/e/%F0%9F%8F%BA", 404, "There is no event here."),
        ("/e/..%2F..%2Fetc%2Fpasswd", 404, "There is nothing here."),
    ],
)
def test_an_unknown_event_gets_a_calm_page(
    unchanging: Served, path: str, status: int, says: str
) -> None:
    page = unchanging.visitor.get(path)

    assert (page.status, page.heading) == (status, says)
    assert '<a class="button" href="/">To the home page</a>' in page.body


def test_an_event_that_was_called_off_says_so_and_has_no_form(served: Served) -> None:
    desk = served.desk.given(cap=1)
    desk.do(CallOff(desk.event_id, JobId("0" * 26)))

    page, late = served.visitor.get("/e/pottery"), sign_up(served, "ann")

    assert "This event has been called off." in page.says
    assert page.buttons == []
    assert (late.status, "This event has been called off." in late.says) == (409, True)
    assert desk.seats.taken == 0


def test_nobody_signs_up_once_the_event_has_begun(served: Served) -> None:
    desk = served.desk.given(cap=1).wait_until(STARTS)

    begun, late = served.visitor.get("/e/pottery"), sign_up(served, "ann")
    desk.wait_until(DETAILS.ends_at)
    over = served.visitor.get("/e/pottery")

    assert "This event has begun." in begun.says
    assert (late.status, desk.seats.taken) == (409, 0)
    assert "This event is over." in over.says


def test_text_from_the_host_is_never_markup(served: Served) -> None:
    evil = "<script>alert(1)</script>"
    details = replace(DETAILS, name=evil, venue=f"{evil} & Sons", description=f"{evil}\n\nTwo")
    served.desk.given(cap=1, details=details)

    page, answer = served.visitor.get("/e/pottery"), sign_up(served, "ann")

    assert page.heading == evil
    assert evil not in page.body + answer.body


@pytest.mark.spec("FD-22")
@pytest.mark.parametrize("cap", [60, 5000])
def test_a_page_weighs_little_and_needs_one_more_request_at_most(served: Served, cap: int) -> None:
    served.desk.given(cap=cap, party_limit=10, details=replace(DETAILS, description="Text. " * 800))
    pages = [
        served.visitor.get("/e/pottery"),
        served.visitor.get("/e/pottery/embed"),
        sign_up(served, "ann"),
        sign_up(served, "x", email=""),
    ]
    served.desk.settle()
    pages.append(served.visitor.get(served.link("ann", "See my ticket")))

    for page in pages:
        fetched = external_references(page)
        assert len(fetched) == 1
        weight = len(page.body.encode()) + sum(
            len(served.visitor.get(address).body.encode()) for address in fetched
        )
        assert weight < MOST_BYTES


def external_references(page: Page) -> list[str]:
    """Returns all URLs that a browser would load with the page."""
    loads = re.findall(r'<(?:script|img|iframe)[^>]*\ssrc="([^"]+)"', page.body)
    loads += re.findall(
        r'<link[^>]*rel="(?:stylesheet|icon|preload)"[^>]*href="([^"]+)"', page.body
    )
    return [address for address in loads if not address.startswith("data:")]


@pytest.mark.spec("FD-09")
def test_head_answers_like_get_without_a_body(served: Served) -> None:
    served.desk.given(cap=1)
    before = served.dump()

    for path in ("/e/pottery", "/e/pottery/embed", "/api/events/pottery"):
        page = served.visitor.head(path)
        assert (page.status, page.body) == (200, "")
    assert served.dump() == before


def test_the_address_can_be_sent_with_any_query(served: Served) -> None:
    served.desk.given(cap=1)

    page = served.visitor.get("/e/pottery?" + urlencode({"name": "<b>", "x": "\x00" * 50}))

    assert (page.status, page.heading) == (200, "Pottery workshop")
