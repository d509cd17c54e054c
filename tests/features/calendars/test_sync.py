"""Staff put openings into a calendar: each becomes one slot for as long as its event exists."""

from collections.abc import Callable, Iterator, Mapping
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from frontdesk.connect.calendars import client
from frontdesk.connect.calendars.caldav import _texts
from frontdesk.connect.calendars.feed import Feed
from frontdesk.connect.calendars.port import BadCalendar
from frontdesk.connect.http_client import Response
from frontdesk.desks.admin.load import admin
from frontdesk.desks.admin.model import Part
from frontdesk.desks.waitlist.calendar import OpeningsCalendar
from frontdesk.desks.waitlist.commands import ClaimOffer, SetCatalogue, SettleCalendar, TakeBackSlot
from frontdesk.desks.waitlist.model import Slot
from frontdesk.desks.waitlist.slot_intake import SlotIntake, slot_intake_in
from frontdesk.features.calendars.console import sync_key
from frontdesk.features.calendars.state import CalendarProblem, CalendarState
from frontdesk.features.calendars.sync import CalendarReader, CalendarSync
from frontdesk.features.catalogue.model import Catalogue, Service
from frontdesk.values import replace
from tests.support.calendars import (
    FeedServer,
    Radicale,
    calendar,
    event,
    feed_server,
    radicale_server,
)
from tests.support.salon import HOUR, NINE, SHOP, Salon, salon

THREE = NINE + 6 * HOUR
FREE = event("a", "Free: Cut with Mia")
ORIGIN = "calendar:a/20261116T070000Z"


@pytest.fixture
def feed() -> Iterator[FeedServer]:
    with feed_server() as one:
        yield one


@pytest.fixture
def shop(tmp_path: Path, feed: FeedServer) -> Iterator[Salon]:
    with salon(tmp_path, calendar_url=feed.url) as one:
        yield one


def looking(intake: SlotIntake, source: Feed, every: timedelta) -> CalendarSync:
    return CalendarSync(intake.engine, intake.clock, OpeningsCalendar(intake), source, every)


def keeper(shop: Salon) -> CalendarSync:
    found = shop.product.site.shared[sync_key("wl")]
    assert isinstance(found, CalendarSync)
    return found


def look(shop: Salon) -> bool:
    did = keeper(shop).turn()
    shop.settle()
    return did


def slots(shop: Salon) -> list[tuple[str, str]]:
    found = sorted(shop.wl.slots(100), key=lambda slot: (slot.opening.starts_at, slot.origin))
    return [(slot.origin, slot.status.value) for slot in found]


def slot(shop: Salon, origin: str = ORIGIN) -> Slot:
    found = shop.wl.slot_by_origin(origin)
    assert found is not None
    return found


def state(shop: Salon) -> CalendarState:
    return shop.wl.calendar()


def whys(shop: Salon) -> list[tuple[str, str]]:
    return [(each.title, each.why) for each in state(shop).problems]


# --- changes of events ------------------------------------------------------------------------


@pytest.mark.spec("WL-07")
def test_an_opening_in_the_calendar_is_offered_once_however_often_we_look(
    shop: Salon, feed: FeedServer
) -> None:
    shop.joins("Bob")
    feed.text = calendar(FREE, event("b", "Lunch"))

    assert [look(shop) for _ in range(3)] == [True, False, False]

    assert slots(shop) == [(ORIGIN, "open")]
    assert slot(shop).opening.staff == "Mia"
    assert shop.offers(slot(shop)) == [("Bob", "live")]
    assert feed.answers == [200, 304, 304]


@pytest.mark.spec("WL-07")
def test_an_opening_removed_from_the_calendar_is_taken_back_and_its_offer_withdrawn(
    shop: Salon, feed: FeedServer
) -> None:
    shop.joins("Bob")
    feed.text = calendar(FREE)
    look(shop)
    feed.text = calendar()

    assert look(shop)
    assert slots(shop) == [(ORIGIN, "handed_back")]
    assert shop.offers(slot(shop)) == [("Bob", "withdrawn")]
    assert not look(shop)


@pytest.mark.spec("WL-07")
def test_a_moved_opening_is_taken_back_and_freed_at_its_new_time(
    shop: Salon, feed: FeedServer
) -> None:
    feed.text = calendar(FREE)
    look(shop)
    feed.text = calendar(event("a", "Free: Cut with Mia", "20261116T080000Z"))
    look(shop)

    later = "calendar:a/20261116T080000Z"
    assert slots(shop) == [(ORIGIN, "handed_back"), (later, "open")]


def test_a_changed_opening_is_another_slot(shop: Salon, feed: FeedServer) -> None:
    feed.text = calendar(FREE)
    look(shop)
    feed.text = calendar(event("a", "Free: Cut with Jo"))
    look(shop)
    look(shop)

    assert slots(shop) == [(ORIGIN, "handed_back"), (f"{ORIGIN}/2", "open")]
    assert slot(shop, f"{ORIGIN}/2").opening.staff == "Jo"


def test_an_opening_added_again_is_freed_again(shop: Salon, feed: FeedServer) -> None:
    for text in (calendar(FREE), calendar(), calendar(FREE), calendar(), calendar(FREE)):
        feed.text = text
        look(shop)

    assert slots(shop) == [
        (ORIGIN, "handed_back"),
        (f"{ORIGIN}/2", "handed_back"),
        (f"{ORIGIN}/3", "open"),
    ]


def test_an_opening_that_staff_took_back_stays_taken_back(shop: Salon, feed: FeedServer) -> None:
    feed.text = calendar(FREE)
    look(shop)
    shop.run(TakeBackSlot(slot(shop).id))

    assert not look(shop)
    assert slots(shop) == [(ORIGIN, "handed_back")]


def test_a_booked_opening_stays_booked_whatever_the_calendar_says(
    shop: Salon, feed: FeedServer
) -> None:
    shop.joins("Bob")
    feed.text = calendar(FREE)
    look(shop)
    shop.run(ClaimOffer(slot(shop).id, 1))

    assert not look(shop)
    assert whys(shop) == []
    feed.text = calendar(event("a", "Free: Cut with Jo"))
    assert not look(shop)
    assert whys(shop) == [
        ("Free: Cut with Jo", "It was changed, but it is booked as it was before.")
    ]
    feed.text = calendar()
    assert not look(shop)
    assert whys(shop) == [("Cut", "It is gone from the calendar, but somebody has booked it.")]
    assert slots(shop) == [(ORIGIN, "booked")]


class Interrupted:
    """Has no files, and runs a function whenever one is read."""

    def __init__(self, happens: Callable[[], object]) -> None:
        self._happens = happens

    def read(self, _name: str) -> str | None:
        self._happens()
        return None

    def write(self, _name: str, _text: str) -> None:
        pass

    def edited_at(self, _name: str) -> str:
        return ""


@pytest.mark.spec("WL-19")
def test_an_opening_booked_during_the_sync_is_not_freed_again(
    shop: Salon, feed: FeedServer
) -> None:
    shop.joins("Bob")
    feed.text = calendar(FREE)
    look(shop)
    claim = ClaimOffer(slot(shop).id, 1)

    def claimed() -> None:
        shop.product.engine.run(claim, by="guest:bob", now=shop.clock.now())

    files = Interrupted(claimed)
    documents = replace(slot_intake_in(shop.product.site).documents, files=files)
    intake = replace(slot_intake_in(shop.product.site), documents=documents)
    late = looking(intake, Feed(feed.url), timedelta(minutes=3))
    earlier = "calendar:0/20261116T060000Z"
    feed.text = calendar(
        event("0", "Free: Table", "20261116T060000Z"), event("a", "Free: Cut with Jo")
    )
    late.turn()

    assert slots(shop) == [(earlier, "open"), (ORIGIN, "booked")]


def test_another_price_is_no_other_opening(shop: Salon, feed: FeedServer) -> None:
    feed.text = calendar(FREE)
    look(shop)
    shop.run(SetCatalogue(Catalogue((Service("Cut", HOUR, 9_900),), SHOP.staff, "S$")))

    assert not look(shop)


def test_past_and_distant_events_are_ignored(shop: Salon, feed: FeedServer) -> None:
    feed.text = calendar(
        event("a", "Free: Cut", "20261116T005900Z"),
        event("b", "Free: Massage", "20261115T070000Z"),
        event("c", "Free: Cut", "20280101T070000Z"),
    )

    assert not look(shop)
    assert (slots(shop), whys(shop)) == ([], [])


def openings(*uids: str) -> str:
    """Builds a calendar with one opening an hour."""
    return calendar(
        *(
            event(uid, "Free: Cut with Mia", f"20261116T{7 + n:02}0000Z")
            for n, uid in enumerate(uids)
        )
    )


@pytest.mark.spec("WL-07")
def test_many_openings_missing_at_once_stop_the_sync_until_staff_decide(
    shop: Salon, feed: FeedServer
) -> None:
    shop.with_staff("mia@salon.example")
    feed.text = openings(*"abcd")
    look(shop)
    feed.text = calendar(
        event("d", "Free: Cut with Mia", "20261116T100000Z"), event("e", "Free: Cut")
    )

    assert [look(shop) for _ in range(3)] == [False] * 3

    assert {status for _, status in slots(shop)} == {"open"}
    assert len(slots(shop)) == 4, "what is new waits as well"
    assert len(state(shop).missing) == 3
    told = [each["subject"] for each in shop.messages("mia@salon.example")]
    gone = [each for each in told if "gone" in each]
    assert gone == ["3 openings are gone from the calendar"]

    feed.text = openings(*"abcd")
    look(shop)
    assert state(shop).missing == (), "they are back"


@pytest.mark.spec("WL-07")
@pytest.mark.parametrize(("keep", "status"), [(False, "handed_back"), (True, "open")])
def test_the_decision_of_staff_about_missing_items_is_carried_out(
    shop: Salon, feed: FeedServer, keep: bool, status: str
) -> None:
    feed.text = openings(*"abc")
    look(shop)
    feed.text = calendar()
    intake, every = slot_intake_in(shop.product.site), timedelta(minutes=3)
    looking(intake, Feed(feed.url), every).turn()
    missing = state(shop).missing

    shop.run(SettleCalendar(missing, keep=keep))
    did = [look(shop), look(shop)]

    assert did == [not keep, False]
    assert {each for _, each in slots(shop)} == {status}
    assert state(shop).missing == ()
    assert shop.refused(SettleCalendar(missing, keep=keep)) == "unchanged"


def test_two_missing_openings_or_few_of_many_do_not_stop_the_sync(
    shop: Salon, feed: FeedServer
) -> None:
    feed.text = openings("a", "b")
    look(shop)
    feed.text = calendar()

    assert look(shop)
    assert {status for _, status in slots(shop)} == {"handed_back"}


# --- appointments that are cancelled ------------------------------------------------------------


@pytest.mark.spec("WL-07")
@pytest.mark.parametrize(
    "cancelled",
    [
        event(
            "x", "Ann Lee: Cut with Mia", "20261116T070000Z", "DURATION:PT1H", "STATUS:CANCELLED"
        ),
        event("x", "Cancelled: Cut with Mia, Ann Lee"),
        event("x", "CANCELED - cut (Mia)"),
        event("x", "Canceled: Ann Lee, Cut, Mia", "20261116T070000Z", "DURATION:PT1H"),
    ],
)
def test_an_appointment_that_is_marked_cancelled_frees_its_time(
    shop: Salon, feed: FeedServer, cancelled: str
) -> None:
    shop.joins("Bob")
    feed.text = calendar(event("x", "Ann Lee: Cut with Mia"), event("y", "Lunch"))
    look(shop)
    assert slots(shop) == []

    feed.text = calendar(cancelled, event("y", "Cancelled: Lunch"))
    assert [look(shop), look(shop)] == [True, False]

    (only,) = shop.wl.slots(9)
    assert (only.opening.service, only.opening.staff, only.opening.starts_at) == (
        "Cut",
        "Mia",
        THREE,
    )
    assert shop.offers(only) == [("Bob", "live")]
    assert whys(shop) == []

    feed.text = calendar(event("x", "Ann Lee: Cut with Mia"))
    look(shop)
    assert [status for _, status in slots(shop)] == ["handed_back"], "it takes place after all"


@pytest.mark.spec("WL-07")
def test_a_cancelled_time_that_somebody_else_has_by_now_is_not_freed(
    shop: Salon, feed: FeedServer
) -> None:
    feed.text = calendar(
        event("x", "Cancelled: Cut with Mia, Ann"),
        event("y", "Bob: Colour with Mia", "20261116T073000Z"),
    )

    look(shop)
    assert slots(shop) == []


@pytest.mark.spec("WL-07")
def test_an_opening_that_is_cancelled_is_taken_back(shop: Salon, feed: FeedServer) -> None:
    for cancelled in (
        event("a", "Free: Cut with Mia", "20261116T070000Z", "DURATION:PT1H", "STATUS:CANCELLED"),
        event("a", "Canceled: Free: Cut with Mia"),
    ):
        feed.text = calendar(FREE)
        look(shop)
        assert slots(shop)[-1][1] == "open"
        feed.text = calendar(cancelled)
        look(shop)
        assert slots(shop)[-1][1] == "handed_back"


@pytest.mark.spec("WL-07")
def test_two_openings_of_one_staff_member_at_one_time_are_one_slot_and_a_problem(
    shop: Salon, feed: FeedServer
) -> None:
    feed.text = calendar(FREE, event("b", "Free: Cut and colour with Mia", "20261116T073000Z"))

    look(shop)

    assert slots(shop) == [(ORIGIN, "open")]
    assert whys(shop) == [
        (
            "Free: Cut and colour with Mia",
            "There is another slot at this time, with the same staff member or place.",
        )
    ]


@pytest.mark.spec("WL-07")
def test_a_time_that_was_booked_and_cancelled_goes_with_its_event(
    shop: Salon, feed: FeedServer
) -> None:
    shop.joins("Ann")
    shop.joins("Bob")
    feed.text = calendar(FREE)
    look(shop)
    shop.run(ClaimOffer(slot(shop).id, 1))
    slot_intake_in(shop.product.site).cancel(slot(shop), by="test", by_staff=True)
    shop.settle()
    again = slot(shop, f"cancelled:{slot(shop).id}")
    assert not look(shop), "nothing has changed in the calendar"
    feed.text = calendar()

    assert look(shop)
    assert shop.offers(again) == [("Bob", "withdrawn")]


def test_an_opening_that_has_begun_is_not_taken_back(shop: Salon, feed: FeedServer) -> None:
    shop.joins("Bob")
    feed.text = calendar(FREE)
    look(shop)
    shop.run(ClaimOffer(slot(shop).id, 1))
    shop.later(timedelta(days=1))
    feed.text = calendar()

    assert not look(shop)
    assert whys(shop) == []


# --- reports to staff -------------------------------------------------------------------------


def test_an_unclear_event_is_reported_and_affects_no_other(shop: Salon, feed: FeedServer) -> None:
    feed.text = calendar(
        FREE,
        event("b", "Free: Massage"),
        event("c", "Free: Cut", "20261116T070000Z", "RRULE:FREQ=DAILY"),
        event("d", "Free: Cut", "DTSTART;VALUE=DATE:20261117"),
    )
    look(shop)

    assert slots(shop) == [(ORIGIN, "open")]
    assert state(shop).problems == (
        CalendarProblem("Free: Massage", THREE, "No service is called Massage."),
        CalendarProblem(
            "Free: Cut", THREE, "It repeats. Please enter each opening as an event of its own."
        ),
        CalendarProblem("Free: Cut", NINE + 15 * HOUR, "It has no time of day."),
    )


def test_an_opening_that_becomes_unclear_keeps_its_slot(shop: Salon, feed: FeedServer) -> None:
    feed.text = calendar(FREE)
    look(shop)
    feed.text = calendar(event("a", "Free: Cutt with Mia"))

    assert not look(shop)
    assert slots(shop) == [(ORIGIN, "open")]
    assert whys(shop) == [("Free: Cutt with Mia", "No service is called Cutt.")]


def test_a_new_service_is_understood_without_a_change_in_the_calendar(
    shop: Salon, feed: FeedServer
) -> None:
    feed.text = calendar(event("a", "Free: Massage"))
    look(shop)
    shop.run(SetCatalogue(Catalogue((*SHOP.services, Service("Massage")), SHOP.staff, "S$")))

    assert look(shop)
    assert slots(shop) == [(ORIGIN, "open")]
    assert feed.answers == [200, 304]


@pytest.mark.spec("FD-27")
@pytest.mark.parametrize(
    ("fault", "why"),
    [
        ({"status": 500}, "The calendar cannot be reached just now. We will try again."),
        ({"status": 401}, "The calendar's server rejects the user name or password."),
        ({"status": 404}, "There is no calendar at this address any more."),
        ({"body": b"<html>"}, "There is no calendar at this address, or only a part of one."),
        ({"body": b"\xff\xfe"}, "This calendar is not written in UTF-8."),
        ({"body": b"x" * (client.MOST_BYTES + 1)}, "This calendar is too large."),
        (
            {"status": 302, "location": "http://169.254.169.254/"},
            "The calendar has moved. Please enter its new address in the settings.",
        ),
        (
            {"status": 302, "location": "/openings.ics"},
            "The calendar has moved. Please enter its new address in the settings.",
        ),
        (
            {"status": 302, "location": "file:///etc/passwd"},
            "The calendar has moved. Please enter its new address in the settings.",
        ),
    ],
)
def test_a_calendar_that_cannot_be_read_changes_nothing_and_is_told(
    shop: Salon, feed: FeedServer, fault: dict[str, object], why: str
) -> None:
    feed.text = calendar(FREE)
    look(shop)
    before = feed.text
    feed.text = calendar()
    for name, value in fault.items():
        setattr(feed, name, value)

    assert not look(shop)
    assert state(shop).trouble == why
    assert slots(shop) == [(ORIGIN, "open")]

    feed.status, feed.location, feed.body, feed.text = 200, "", None, before
    assert not look(shop)
    assert state(shop).trouble == ""


def test_a_server_that_is_not_there_is_told(tmp_path: Path) -> None:
    with salon(tmp_path, calendar_url="http://127.0.0.1:9/x.ics") as shop:
        assert not look(shop)
        assert state(shop).trouble == client.LATER


@pytest.mark.spec("BK-30", "FD-30")
def test_staff_hear_once_of_a_calendar_that_cannot_be_read_for_long(
    shop: Salon, feed: FeedServer
) -> None:
    shop.with_staff("sam@example.org")
    feed.text, feed.status = calendar(FREE), 503
    look(shop)
    assert shop.messages("sam@example.org") == [], "it may pass by itself"

    for _ in range(3):
        shop.later(timedelta(minutes=20))
        look(shop)
    shop.settle()
    shown = [each.is_shown for each in admin(shop.product.engine.reads()).troubles()]
    feed.status = 200
    look(shop)

    mails = [one for one in shop.messages("sam@example.org") if "calendar" in one["subject"]]
    assert [each["subject"] for each in mails] == ["The calendar of openings cannot be read."]
    assert client.LATER in mails[0]["text"]
    assert shown == [True]
    assert not any(one.is_shown for one in admin(shop.product.engine.reads()).troubles())


def test_staff_hear_of_a_calendar_with_appointments_too(tmp_path: Path) -> None:
    entry = '[mia]\nkind = "ics"\nurl = "http://127.0.0.1:9/x.ics"\nappointments = "proposed"\n'
    (tmp_path / "calendars.toml").write_text(entry)
    with salon(tmp_path) as shop:
        [task] = [
            one for one in shop.product.periodic_tasks if one.name == "calendars with appointments"
        ]
        task.turn()
        shop.later(timedelta(minutes=20))
        task.turn()

        troubles = admin(shop.product.engine.reads()).troubles()
    assert [(one.part, one.is_shown) for one in troubles] == [(Part.APPOINTMENTS, True)]


def test_our_password_goes_nowhere_else(monkeypatch: pytest.MonkeyPatch) -> None:
    account = client.Account("mia", "secret")
    asked: list[tuple[str, str]] = []

    def ask(_method: str, url: str, headers: Mapping[str, str], **_: int) -> Response:
        asked.append((url, headers.get("Authorization", "")))
        moved = {"location": f"https://{len(asked)}.example.org/"}
        return Response(302 if len(asked) < 3 else 200, moved, b"")

    monkeypatch.setattr(client, "ask", ask)
    client.get("https://cal.example.org/a.ics", account, {})

    assert asked == [
        ("https://cal.example.org/a.ics", "Basic bWlhOnNlY3JldA=="),
        ("https://1.example.org/", ""),
        ("https://2.example.org/", ""),
    ]
    assert "secret" not in repr(account)


def test_without_a_calendar_there_is_no_sync(tmp_path: Path) -> None:
    with salon(tmp_path) as shop:
        assert sync_key("wl") not in shop.product.site.shared
        assert "calendar" not in [each.name for each in shop.product.periodic_tasks]


def test_the_calendar_is_read_every_three_minutes(shop: Salon) -> None:
    [task] = [each for each in shop.product.periodic_tasks if each.name == "calendar"]
    assert task.every() == timedelta(minutes=3)


# --- CalDAV -----------------------------------------------------------------------------------


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Radicale]:
    with radicale_server(tmp_path) as one:
        yield one


def by_caldav(server: Radicale, password: str = "secret") -> dict[str, Any]:
    return {
        "calendar_url": server.url,
        "calendar_by": "caldav",
        "calendar_user": "mia",
        "calendar_password": password,
    }


@pytest.mark.spec("WL-07")
def test_a_real_caldav_server_is_kept_in_step_with(tmp_path: Path, server: Radicale) -> None:
    with salon(tmp_path / "data", **by_caldav(server)) as shop:
        assert not look(shop)
        server.put("a", calendar(FREE))
        server.put("b", calendar(event("b", "Free: Colour", "20261117T070000Z")))
        server.put("old", calendar(event("old", "Free: Massage", "20251117T070000Z")))

        assert [look(shop), look(shop)] == [True, False]
        colour = "calendar:b/20261117T070000Z"
        assert slots(shop) == [(ORIGIN, "open"), (colour, "open")]
        assert whys(shop) == []

        server.put("a", calendar(event("a", "Free: Cut with Mia", "20261116T080000Z")))
        server.delete("b")
        assert look(shop)
        moved = "calendar:a/20261116T080000Z"
        assert slots(shop) == [(ORIGIN, "handed_back"), (moved, "open"), (colour, "handed_back")]


def test_a_caldav_server_is_asked_for_everything_only_when_something_has_changed(
    tmp_path: Path, server: Radicale
) -> None:
    with salon(tmp_path / "data", **by_caldav(server)) as shop:
        reader = keeper(shop)._reader
        assert isinstance(reader, CalendarReader)
        source = reader._source
        server.put("a", calendar(FREE))
        first = source.read("", NINE)
        assert first is not None
        assert source.read(first.known, NINE) is None
        server.put("b", calendar(event("b", "Free: Colour")))
        again = source.read(first.known, NINE)
        assert again is not None
        assert (len(first.files), len(again.files)) == (1, 2)


def test_an_address_that_does_not_understand_caldav_is_told(
    tmp_path: Path, feed: FeedServer
) -> None:
    with salon(tmp_path, calendar_url=feed.url, calendar_by="caldav") as shop:
        assert not look(shop)
        assert state(shop).trouble == "This address does not understand CalDAV."


def test_a_wrong_password_is_told(tmp_path: Path, server: Radicale) -> None:
    with salon(tmp_path / "data", **by_caldav(server, "wrong")) as shop:
        assert not look(shop)
        why = "The calendar's server rejects the user name or password."
        assert state(shop).trouble == why


@pytest.mark.spec("FD-29")
def test_an_answer_that_defines_entities_is_refused() -> None:
    bomb = b'<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><x>&b;</x>'
    for body in (bomb, b"<x", b""):
        with pytest.raises(BadCalendar):
            list(_texts(body))
