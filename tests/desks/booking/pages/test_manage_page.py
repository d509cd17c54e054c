"""A booking's own page: its state, moving and cancelling, the calendar file, dead links."""

import re
from datetime import date, datetime, timedelta
from typing import Any

import pytest

from frontdesk.core.jobs import JobId
from frontdesk.core.members import Role
from frontdesk.core.people import PersonId
from frontdesk.desks.admin.commands import CorrectContact
from frontdesk.desks.booking.commands import (
    ApproveBooking,
    Book,
    CancelBooking,
    DeclineBooking,
    ReleaseBooking,
    SetRules,
)
from frontdesk.desks.booking.links import service_key
from frontdesk.desks.booking.load import Loader
from frontdesk.desks.booking.model import BookingId, BookingStatus, Lane
from frontdesk.desks.booking.pages.free_times import LOADER
from frontdesk.desks.booking.pages.fresh_calendars import CACHE
from frontdesk.desks.booking.rules import Approval, CalendarRef, Need, Period, Resource
from frontdesk.values import Frozen, replace
from tests.desks.booking.pages.shop import (
    CUT,
    JO,
    MIRA,
    RULES,
    SPA,
    Shop,
    at,
    hrefs,
    place,
    text,
    times_in,
)

THURSDAY = date(2026, 11, 19)


@pytest.fixture
def booked(shop: Shop) -> Shop:
    """Books a head spa for Ann on Thursday at ten."""
    shop.given(services=(CUT, SPA)).book(at(10, on=THURSDAY), service="Head spa")
    return shop


# --- content ----------------------------------------------------------------------------------


@pytest.mark.spec("BK-13")
def test_the_page_shows_the_booking_and_what_can_be_done(booked: Shop) -> None:
    page = booked.get(booked.links())

    assert (page.status, page.heading) == (200, "It's booked.")
    assert "Head spa Thursday 19 November 2026, 10:00 to 11:00 (SGT) with Jo" in page.says
    assert "You can move or cancel it until Wednesday 18 November, 10:00 (SGT)." in page.says
    for label in ("Add to your calendar", "Move it", "Cancel it"):
        assert label in page.says


def test_nothing_personal_is_on_the_page(booked: Shop) -> None:
    page = booked.get(booked.links())

    assert "ann@example.org" not in page.body
    assert "Ann Lee" not in page.body


@pytest.mark.spec("FD-09")
def test_opening_a_link_changes_nothing(booked: Shop) -> None:
    before = booked.served.dump()

    for url in ("", "?do=move", "?do=cancel", "/calendar.ics", "?do=move&day=2026-12-01"):
        assert booked.get(booked.links() + url).status == 200
        booked.visitor.head(booked.links() + url)

    assert booked.served.dump() == before


def test_the_calendar_file_has_a_stable_uid_and_nothing_private(booked: Shop) -> None:
    file = booked.get(f"{booked.links()}/calendar.ics")

    assert file.headers["content-type"].startswith("text/calendar")
    assert f"UID:{booked.booking.id}@frontdesk" in file.body
    assert "SUMMARY:Head spa with Jo" in file.body
    assert "/l/" not in file.body
    assert "ann@example.org" not in file.body


# --- moving -----------------------------------------------------------------------------------


@pytest.mark.spec("BK-15")
def test_a_booking_is_moved_by_one_press(booked: Shop) -> None:
    link = booked.links()
    page = booked.get(f"{link}?do=move&day=2026-11-20")

    moved = booked.post(link, **page.fields, at=text(at(14, on=date(2026, 11, 20))))

    assert (moved.heading, moved.status) == ("It's booked.", 200)
    assert "Moved. Your new time is below." in moved.says
    assert "Friday 20 November 2026, 14:00 to 15:00 (SGT)" in moved.says
    booking = booked.booking
    assert (booking.starts_at, booking.moves, booking.sequence) == (
        at(14, on=date(2026, 11, 20)),
        1,
        1,
    )


@pytest.mark.spec("BK-32")
@pytest.mark.parametrize(
    ("service", "said"),
    [
        ({"change_notice": timedelta()}, "Press a time to move it there."),
        (
            {"change_notice": timedelta(days=2)},
            (
                "Press a time to move it there. Times before Wednesday 18 November, 09:00 (SGT) "
                "can't be changed online afterwards."
            ),
        ),
        (
            {"change_notice": timedelta(), "most_moves": 1},
            "Press a time to move it there. After that, you can't move it online again.",
        ),
    ],
    ids=["any time", "a time soon", "the last move"],
)
def test_the_page_says_before_a_move_what_cannot_be_changed_afterwards(
    shop: Shop, service: dict[str, Any], said: str
) -> None:
    shop.given(services=(replace(CUT, **service),))
    shop.book(at(14, on=date(2026, 11, 20)), service=CUT.name)

    page = shop.get(f"{shop.links()}?do=move")

    assert f"Keep it as it is {said} Suggested times" in page.says


def test_three_other_times_are_proposed_for_a_move(shop: Shop) -> None:
    shop.given(services=(replace(CUT, change_notice=timedelta()),))
    best = _best(shop.get("/book").body)
    shop.book(datetime.fromisoformat(best[0]))
    proposed = _best(shop.get(f"{shop.links()}?do=move").body)

    assert len(proposed) == 3
    assert best[0] not in proposed


def _best(page: str) -> list[str]:
    return re.findall(r'class="best" form="choose" name="at" value="([^"]+)"', page)


@pytest.mark.spec("BK-15")
def test_ones_own_time_counts_as_free(booked: Shop) -> None:
    page = booked.get(f"{booked.links()}?do=move&day=2026-11-19")

    quarter_later = at(10, 15, on=THURSDAY)
    assert text(quarter_later) in times_in(page)
    moved = booked.post(booked.links(), do="move", at=text(quarter_later))
    assert "10:15 to 11:15" in moved.says
    assert text(quarter_later) not in times_in(booked.get("/book/head-spa?day=2026-11-19"))


def test_the_old_link_works_after_a_move(booked: Shop) -> None:
    old = booked.links()
    booked.post(old, do="move", at=text(at(14, on=date(2026, 12, 18))))

    assert "Friday 18 December 2026, 14:00" in booked.get(old).says


@pytest.mark.spec("BK-15")
def test_a_move_reads_the_calendars_of_those_who_may_serve_the_visit(shop: Shop) -> None:
    """Those of the others only where Jo is taken, and never if the customer wished for her."""
    mira, jo = (
        replace(one, calendars=(CalendarRef(one.id, write=False),)) for one in RULES.resources
    )
    shop.given()
    shop.book(at(10))
    shop.book(at(15), staff=JO, contact="bob@example.org")
    shop.do(SetRules(replace(RULES, resources=(mira, jo))))
    read: list[str] = []
    site = shop.served.desk.product.site
    site.shared[LOADER], site.shared[CACHE] = Loader(), Calendars(read)
    anns, bobs = sorted(shop.bookings(), key=lambda one: one.starts_at)
    assert anns.resources == (JO,)

    for booking, to in ((anns, at(16)), (anns, at(15)), (bobs, at(10))):
        shop.post(shop.links(booking), do="move", at=text(to))

    assert read == ["jo", "jo", "mira", "jo"]


class Calendars(Frozen):
    read: list[str]

    def refresh(self, calendar: str, *, at_once: bool = False) -> bool:
        assert at_once
        self.read.append(calendar)
        return True


@pytest.mark.spec("BK-15")
def test_a_time_that_was_taken_meanwhile_leaves_the_booking_as_it_was(booked: Shop) -> None:
    booked.book(at(14, on=THURSDAY), service="Head spa", contact="bob@example.org")
    mine = next(one for one in booked.bookings() if one.email == "ann@example.org")

    page = booked.post(booked.links(mine), do="move", at=text(at(14, on=THURSDAY)))

    assert page.heading == "Move your appointment"
    assert "This one was just taken. Your appointment is still as it was." in page.says
    assert booked.reads.booking(mine.id) == mine


def test_moving_to_the_same_time_changes_nothing(booked: Shop) -> None:
    before = booked.booking

    page = booked.post(booked.links(), do="move", at=text(before.starts_at))

    assert "Nothing was changed." in page.says
    assert booked.booking == before


def test_a_move_that_is_sent_twice_moves_once(booked: Shop) -> None:
    form = {"do": "move", "version": "1", "at": text(at(14, on=THURSDAY))}

    pages = [booked.post(booked.links(), **form) for _ in range(2)]

    assert [page.heading for page in pages] == ["It's booked.", "It's booked."]
    assert booked.booking.moves == 1


def test_a_move_in_a_window_that_shows_an_earlier_time_says_that_it_was_changed(
    booked: Shop,
) -> None:
    form = {"do": "move", "version": "1"}
    booked.post(booked.links(), **form, at=text(at(14, on=THURSDAY)))

    page = booked.post(booked.links(), **form, at=text(at(16, on=THURSDAY)))

    assert page.heading == "Move your appointment"
    assert "Your appointment was changed meanwhile. This is how it is now." in page.says
    assert "14:00 to 15:00" in page.says
    assert booked.booking.starts_at == at(14, on=THURSDAY)


@pytest.mark.spec("BK-09", "BK-15")
def test_the_day_of_a_time_that_was_taken_is_that_of_the_business(shop: Shop) -> None:
    shop.given(hours=((Period(0, 24 * 60),),) * 7)
    for hour, name in ((2, "ann"), (4, "bob")):
        early = at(hour, on=THURSDAY)
        shop.book(early, service="Head spa", contact=f"{name}@example.org")
    mine = next(one for one in shop.bookings() if one.email == "ann@example.org")

    page = shop.post(shop.links(mine), do="move", at=text(at(4, on=THURSDAY)))

    assert "This one was just taken." in page.says
    assert "Thursday 19 November" in page.says
    assert page.url.endswith("day=2026-11-19")


@pytest.mark.spec("BK-15")
def test_a_visit_with_somebody_who_has_left_the_team_can_move_to_anybody(shop: Shop) -> None:
    shop.given().book(at(10, on=THURSDAY), staff="jo")
    left = replace(CUT, needs=(Need((MIRA,)),))
    shop.do(SetRules(replace(RULES, services=(left,), resources=RULES.resources[:1])))

    choice = shop.get(f"{shop.links()}?do=move&day=2026-11-19")
    page = shop.post(shop.links(), do="move", at=text(at(14, on=THURSDAY)))

    assert text(at(14, on=THURSDAY)) in times_in(choice)
    assert "14:00 to 14:45 (SGT) with Mira" in page.says
    assert (shop.booking.resources, shop.booking.anyone) == ((MIRA,), True)


@pytest.mark.spec("BK-32")
def test_past_the_notice_the_page_says_how_to_reach_the_business(booked: Shop) -> None:
    link, before = booked.links(), booked.booking
    booked.wait(days=2, hours=2)

    for page in (
        booked.get(link),
        booked.get(f"{link}?do=move"),
        booked.get(f"{link}?do=cancel"),
        booked.post(link, do="cancel"),
        booked.post(link, do="move", at=text(at(14, on=date(2026, 11, 20)))),
    ):
        assert page.heading == "It's booked."
        assert "Changes online are possible until 1 day before the start." in page.says
    after = booked.booking
    assert (after.status, after.starts_at) == (before.status, before.starts_at)


@pytest.mark.spec("BK-32")
def test_after_the_last_allowed_move_nothing_moves_the_booking(booked: Shop) -> None:
    for hour in (13, 14, 15, 16):
        page = booked.post(booked.links(), do="move", at=text(at(hour, on=THURSDAY)))

    assert "You have moved it 3 times" in page.says
    assert "Move it" not in page.says
    assert (booked.booking.moves, booked.booking.starts_at) == (3, at(15, on=THURSDAY))


# --- cancelling -------------------------------------------------------------------------------


@pytest.mark.spec("BK-16")
def test_cancelling_asks_once_and_shows_the_new_state(booked: Shop) -> None:
    link = booked.links()
    asked = booked.get(f"{link}?do=cancel")

    done = booked.post(link, do="cancel")

    assert asked.heading == "Cancel this appointment?"
    assert done.heading == "This appointment is cancelled."
    assert "Book another time" in done.says
    assert booked.booking.status is BookingStatus.CANCELLED
    assert booked.get(f"{link}/calendar.ics").status == 404


@pytest.mark.spec("BK-16")
def test_a_time_that_has_moved_since_the_question_is_not_cancelled(booked: Shop) -> None:
    asked = booked.get(f"{booked.links()}?do=cancel")
    booked.post(booked.links(), do="move", at=text(at(14, on=THURSDAY)))

    again = booked.post(booked.links(), do="cancel", at=asked.fields["at"])

    assert again.heading == "Cancel this appointment?"
    assert "Your appointment was changed meanwhile. This is how it is now." in again.says
    assert "14:00 to 15:00" in again.says
    assert booked.booking.status is BookingStatus.CONFIRMED

    done = booked.post(booked.links(), do="cancel", at=again.fields["at"])
    assert done.heading == "This appointment is cancelled."


@pytest.mark.spec("BK-16")
def test_pressing_cancel_twice_shows_the_present_state(booked: Shop) -> None:
    pages = [booked.post(booked.links(), do="cancel") for _ in range(2)]

    assert [page.heading for page in pages] == ["This appointment is cancelled."] * 2
    assert booked.booking.sequence == 1


def test_an_unlisted_service_can_be_booked_again_from_its_page(shop: Shop) -> None:
    shop.given(services=(CUT, replace(SPA, unlisted=True)))
    key = service_key("Head spa", shop.served.desk.product.keys)
    shop.book(at(10, on=THURSDAY), service="Head spa", key=key)

    page = shop.post(shop.links(), do="cancel")

    (again,) = (each for each in hrefs(page) if each.startswith("/book"))
    assert "Service Head spa" in shop.get(again).says


def test_a_cancelled_booking_cannot_be_moved(booked: Shop) -> None:
    booked.do(CancelBooking(booked.booking.id, by_staff=True))

    page = booked.post(booked.links(), do="move", at=text(at(14, on=THURSDAY)))

    assert page.heading == "This appointment is cancelled."


def test_an_unknown_action_shows_the_booking(booked: Shop) -> None:
    assert booked.post(booked.links(), do="delete").heading == "It's booked."
    assert booked.post(booked.links(), do="move", at="junk").heading == "Move your appointment"


# --- approval ---------------------------------------------------------------------------------


@pytest.mark.spec("BK-33")
def test_the_page_follows_the_approval(shop: Shop) -> None:
    shop.given(services=(replace(CUT, approval=Approval.ALWAYS),))
    shop.book(at(10, on=THURSDAY))
    shop.book(at(14, on=THURSDAY), contact="bob@example.org")
    approved, declined = sorted(shop.bookings(), key=lambda one: one.starts_at)

    shop.do(ApproveBooking(approved.id)).do(DeclineBooking(declined.id))

    assert shop.get(shop.links(approved)).heading == "It's booked."
    assert shop.get(shop.links(declined)).heading == "We could not accept this request."


@pytest.mark.spec("BK-33")
def test_a_request_that_nobody_approves_expires_and_its_page_says_so(shop: Shop) -> None:
    shop.given(services=(replace(CUT, approval=Approval.ALWAYS),))
    shop.book(at(10, on=THURSDAY))
    link = shop.links()

    shop.wait(days=1, minutes=1)

    page = shop.get(link)
    assert page.heading == "This request has expired."
    again = shop.post("/book/choose", **page.fields, at=times_in(page)[0])
    assert again.heading == "Your details"
    assert text(at(10, on=THURSDAY)) in times_in(shop.get("/book/haircut?day=2026-11-19"))


@pytest.mark.spec("BK-12")
def test_a_customer_who_lost_the_time_to_the_calendar_sees_other_times(shop: Shop) -> None:
    """Staff put an event there before the booking was confirmed."""
    mira = Resource(MIRA, "Mira", calendars=(CalendarRef("mira", write=True),))
    shop.given(services=(replace(CUT, needs=(Need((MIRA,)),)),), resources=(mira,))
    shop.served.desk.product.site.shared[LOADER] = Loader()
    command = Book(
        BookingId("a" * 32),
        PersonId("ann"),
        "Haircut",
        at(10),
        "Ann Lee",
        "ann@example.org",
        lane=Lane.STAFF,
        override=True,
    )
    shop.served.desk.run(command)
    assert shop.booking.status is BookingStatus.CLAIMED
    shop.do(ReleaseBooking(shop.booking.id, JobId(""), "another event"))

    page = shop.get(shop.links())

    assert page.heading == "We had to give this time back."
    assert "These times are free" in page.says
    assert len(times_in(page)) == 3
    assert 'action="/book/choose"' in page.body
    assert page.fields["service"] == "Haircut"


# --- dead links -------------------------------------------------------------------------------


def test_a_link_to_an_older_address_is_dead(booked: Shop) -> None:
    link = booked.links()
    person = booked.reads.person(booked.booking.person_id)
    assert person is not None
    booked.do(CorrectContact(person.id, person.name, "ann.lee@example.org", Role.OWNER))

    page = booked.get(link)

    assert (page.status, page.heading) == (410, "This link is no longer in use.")
    assert booked.post(link, do="cancel").status == 410
    assert booked.booking.status is BookingStatus.CONFIRMED


def test_an_expired_link_says_what_it_was_for(booked: Shop) -> None:
    link = booked.links()
    clock = booked.served.desk.clock
    clock.move_to(clock.now() + timedelta(days=400))

    page = booked.get(link)

    assert (page.status, page.heading) == (410, "This link has expired.")
    assert "Head spa" in page.says


def test_a_forged_link_is_not_ours(booked: Shop) -> None:
    forged = place(booked.get(booked.links()))[:-3] + "AAA"

    assert booked.get(forged).status == 404
    assert JO in booked.booking.resources
