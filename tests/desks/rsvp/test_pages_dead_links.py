"""Links that are no longer valid; and opening a link never changes anything."""

from datetime import timedelta

import pytest

from frontdesk.core.decision import Accepted
from frontdesk.core.jobs import JobId
from frontdesk.core.links import Link, sign
from frontdesk.core.people import CorrectPerson
from frontdesk.desks.rsvp.commands import CallOff
from frontdesk.desks.rsvp.model import State
from frontdesk.web.limits import Limits
from tests.support.guest_links import PASS, TAKE, TICKET, links_of, offered, sign_up
from tests.support.rsvp import DETAILS
from tests.support.server import FORM, Served


@pytest.mark.spec("FD-10")
def test_a_new_address_kills_the_old_links(served: Served) -> None:
    desk = served.desk.given(cap=1)
    sign_up(served, "ann")
    link = served.link("ann", TICKET)
    person = desk.guest("ann").person_id
    correct = CorrectPerson(
        person, 0, "Ann", "new@example.org", "new@example.org", new_address=True
    )
    desk.product.store.commit(Accepted((correct,)), by="cli", at=desk.clock.now())

    page = served.visitor.get(link)
    pressed = served.visitor.post(link, do="cancel")

    for told in (page, pressed):
        assert (told.status, told.heading) == (410, "This link is no longer in use.")
    assert desk.state("ann") is State.CONFIRMED


@pytest.mark.spec("FD-08")
def test_a_link_that_has_expired_says_what_it_was_for(served: Served) -> None:
    desk = served.desk.given(cap=1)
    sign_up(served, "ann")
    link = served.link("ann", TICKET)
    desk.wait_until(DETAILS.ends_at + timedelta(days=1))
    before = served.dump()

    page = served.visitor.get(link)
    pressed = served.visitor.post(link, do="cancel")

    for told in (page, pressed):
        assert (told.status, told.heading) == (410, "This link has expired.")
        assert "It was for Pottery workshop" in told.says
    assert served.dump() == before


@pytest.mark.spec("FD-08", "FD-28")
def test_a_link_that_we_did_not_sign_is_counted_and_does_nothing(served: Served) -> None:
    desk = served.desk.given(cap=1)
    sign_up(served, "ann")
    good = served.link("ann", TICKET).rpartition("/")[2]
    counted: list[int] = []
    desk.product.site.bad_link = lambda: counted.append(1)
    swapped = "B" if good[1] == "A" else "A"
    forged = [
        good[:-1],
        good + "A",
        good[0] + swapped + good[2:],
        good[:-1] + ("A" if good[-1] != "A" else "B"),
        "x",
        "%00",
        "A" * 56,
        "é" * 56,
    ]
    before = served.dump()

    for token in forged:
        for page in (
            served.visitor.get(f"/l/{token}"),
            served.visitor.post(f"/l/{token}", do="cancel"),
        ):
            assert (page.status, page.heading) == (404, "This link is not complete.")
            assert "To the home page" in page.says
    assert len(counted) == 2 * len(forged)
    assert served.dump() == before


@pytest.mark.spec("FD-08")
def test_a_purpose_that_nobody_handles_is_no_link(served: Served) -> None:
    desk = served.desk.given(cap=1)
    expires_at = desk.clock.now() + timedelta(days=1)
    token = sign(Link(199, b"x" * 16, 0, expires_at), desk.product.keys)
    unknown_guest = sign(Link(2, b"x" * 16, 0, expires_at), desk.product.keys)

    assert served.visitor.get(f"/l/{token}").status == 404
    assert served.visitor.get(f"/l/{unknown_guest}").status == 410


@pytest.mark.spec("FD-28")
def test_guessing_links_is_slowed_down(served: Served) -> None:
    served.desk.given(cap=1).product.site.limits = Limits(lambda: 0.0)

    answers = [served.visitor.get(f"/l/{n}").status for n in range(35)]

    assert answers == [404] * 30 + [429] * 5


def test_links_of_an_event_that_was_called_off_say_so(served: Served) -> None:
    offered(served)
    desk = served.desk
    links = [links_of(desk, who).manage() for who in ("ann", "bob", "cat")]
    links += [served.link("bob", TAKE), served.link("bob", PASS)]
    desk.do(CallOff(desk.event_id, JobId("0" * 26)))

    for link in links:
        assert served.visitor.get(link).heading == "This event has been called off."
        pressed = served.visitor.post(link, do="take")
        assert pressed.heading == "This event has been called off."


@pytest.mark.spec("FD-09")
def test_get_and_head_of_every_link_change_nothing_and_spend_nothing(served: Served) -> None:
    offered(served, party_limit=2)
    desk = served.desk
    desk.sign_up("dan")
    desk.settle()
    every = [
        link
        for who in ("ann", "bob", "cat", "dan")
        for links in [links_of(desk, who)]
        for link in (
            *(links.confirm(), links.manage(), links.ticket(), links.unsubscribe()),
            *(links.offer(1), links.decline(1), links.offer(2)),
            *(f"{links.manage()}?do=cancel", f"{links.manage()}/calendar.ics"),
        )
    ]
    before = served.dump()

    for link in every:
        shown = served.visitor.get(link)
        head = served.visitor.head(link)
        assert shown.status in (200, 404)
        assert (head.status, head.body) == (shown.status, "")

    assert served.dump() == before
    assert served.visitor.post(served.link("bob", TAKE), do="take").heading == "You're in."


@pytest.mark.spec("FD-09")
@pytest.mark.parametrize(
    "body", [b"", b"do=", b"do=everything", b"\xff", b"do=take" + b"x" * 70_000]
)
def test_a_press_that_is_no_button_of_the_page_changes_nothing(served: Served, body: bytes) -> None:
    offered(served)
    before = served.dump()

    for link in (served.link("bob", TAKE), links_of(served.desk, "bob").manage()):
        page = served.visitor.send("POST", link, body, {"content-type": FORM})
        assert page.status in (303, 400)

    assert served.dump() == before


@pytest.mark.spec("FD-11")
def test_a_link_page_shows_only_the_guests_own_data(served: Served) -> None:
    offered(served)
    desk = served.desk

    for page in (
        served.visitor.get(served.link("bob", TAKE)),
        served.visitor.get(links_of(desk, "bob").manage()),
    ):
        for other in ("Ann", "Cat", "ann@", "cat@"):
            assert other not in page.body


@pytest.mark.spec("FD-22")
def test_an_offer_says_its_deadline_as_a_time_without_any_script(served: Served) -> None:
    offered(served)

    page = served.visitor.get(served.link("bob", TAKE))

    assert "This seat is yours until 15:00 today (SGT)" in page.says
    assert 'datetime="2026-11-16T07:00:00+00:00"' in page.body
