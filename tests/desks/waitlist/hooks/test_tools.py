"""Booking tools send notices, which free slots."""

import hmac
import json
from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from frontdesk.desks.booking.commands import SetRules
from frontdesk.desks.booking.rules import ResourceId
from frontdesk.desks.waitlist.model import Opening, SlotStatus
from frontdesk.desks.waitlist.webhook import (
    BadNotice,
    FreedNotice,
    has_plain_signature,
    has_timed_signature,
    read_cal_com,
    read_calendly,
    read_own,
)
from frontdesk.wiring.between_desks.handovers import HandoverTimes
from tests.support.booking import resource, rules, service
from tests.support.salon import HOUR, MINUTE, NINE, SHOP, Salon, salon
from tests.support.waitlist import webhook_signature

SECRET = "a secret that is long enough"
THREE = datetime(2026, 11, 16, 7, 0, tzinfo=UTC)

OWN: dict[str, Any] = {
    "id": "b-1",
    "service": "colour",
    "starts_at": "2026-11-16T15:00:00+08:00",
    "staff": "Mia",
}
CAL_COM: dict[str, Any] = {
    "triggerEvent": "BOOKING_CANCELLED",
    "createdAt": "2026-11-16T01:00:00.000Z",
    "payload": {
        "uid": "2NtaeaVcKfpm",
        "type": "cut-and-colour",
        "eventTitle": "Cut and colour",
        "title": "Cut and colour between Mia and Ann",
        "startTime": "2026-11-16T07:00:00Z",
        "endTime": "2026-11-16T09:00:00Z",
        "organizer": {"name": "Mia", "email": "mia@example.org", "timeZone": "Asia/Singapore"},
        "attendees": [{"name": "Ann", "email": "ann@example.org"}],
    },
}
CALENDLY: dict[str, Any] = {
    "event": "invitee.canceled",
    "created_at": "2026-11-16T01:00:00.000000Z",
    "payload": {
        "uri": "https://api.calendly.com/scheduled_events/AAA/invitees/BBB",
        "name": "Ann",
        "email": "ann@example.org",
        "rescheduled": False,
        "scheduled_event": {
            "name": "Colour",
            "start_time": "2026-11-16T07:00:00.000000Z",
            "end_time": "2026-11-16T09:00:00.000000Z",
            "event_memberships": [{"user_name": "Mia", "user_email": "mia@example.org"}],
        },
    },
}


def test_our_own_notice_takes_missing_values_from_the_service() -> None:
    assert read_own(OWN, SHOP) == FreedNotice(
        "webhook:b-1", Opening("colour", THREE, 2 * HOUR, 1, "Mia", 12_000)
    )
    told = {**OWN, "minutes": 90, "places": 4, "price": "99.50"}
    assert read_own(told, SHOP).opening == Opening("colour", THREE, 90 * MINUTE, 4, "Mia", 9_950)


def test_a_cancelled_booking_at_cal_com_is_a_freed_slot() -> None:
    assert read_cal_com(CAL_COM, SHOP) == FreedNotice(
        "cal.com:2NtaeaVcKfpm", Opening("Cut and colour", THREE, 2 * HOUR, 1, "Mia", 12_000)
    )
    assert read_cal_com({**CAL_COM, "triggerEvent": "BOOKING_CREATED"}, SHOP) is None


def test_a_booking_that_is_moved_at_cal_com_frees_its_old_time() -> None:
    payload = {
        **CAL_COM["payload"],
        "uid": "new",
        "startTime": "2026-11-18T07:00:00Z",
        "endTime": "2026-11-18T09:00:00Z",
        "rescheduleUid": "old",
        "rescheduleStartTime": "2026-11-16T07:00:00Z",
        "rescheduleEndTime": "2026-11-16T09:00:00Z",
    }
    freed = read_cal_com({"triggerEvent": "BOOKING_RESCHEDULED", "payload": payload}, SHOP)

    assert freed is not None
    assert (freed.origin, freed.opening.starts_at) == ("cal.com:old", THREE)


def test_somebody_who_cancels_at_calendly_frees_their_slot() -> None:
    assert read_calendly(CALENDLY, SHOP) == FreedNotice(
        "calendly:https://api.calendly.com/scheduled_events/AAA/invitees/BBB",
        Opening("Colour", THREE, 2 * HOUR, 1, "Mia", 12_000),
    )
    assert read_calendly({**CALENDLY, "event": "invitee.created"}, SHOP) is None


@pytest.mark.parametrize(
    ("wrong", "named"),
    [
        ({"id": ""}, "id"),
        ({"service": 5}, "service"),
        ({"starts_at": "tomorrow"}, "starts_at"),
        ({"starts_at": "2026-11-16T15:00:00"}, "starts_at should be a time with its zone"),
        ({"minutes": 0}, "minutes"),
        ({"minutes": True}, "minutes"),
        ({"places": 0}, "places"),
        ({"price": "dear"}, "price"),
        ({"price": "NaN"}, "price"),
        ({"price": -1}, "price"),
        ({"staff": "x" * 201}, "staff"),
    ],
)
def test_errors_in_a_notice_are_named(wrong: dict[str, Any], named: str) -> None:
    with pytest.raises(BadNotice, match=named):
        read_own({**OWN, **wrong}, SHOP)


_keys: st.SearchStrategy[str] = st.sampled_from(
    [*OWN, *CAL_COM, *CALENDLY, *CALENDLY["payload"], *CAL_COM["payload"], "minutes", "price"]
)
_json: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_keys, inner, max_size=6),
    max_leaves=12,
)


@given(st.dictionaries(_keys, _json, max_size=8))
def test_any_json_is_a_slot_or_is_refused_with_a_sentence(body: dict[str, Any]) -> None:
    for read in (read_own, read_cal_com, read_calendly):
        with suppress(BadNotice):
            assert isinstance(read(body, SHOP), FreedNotice | None)


# --- signatures -------------------------------------------------------------------------------


@pytest.mark.spec("FD-28")
def test_a_stamped_signature_is_good_for_five_minutes_and_for_this_body_only() -> None:
    header = webhook_signature(b"body", SECRET, NINE)

    assert has_timed_signature(header, b"body", SECRET, NINE + 5 * MINUTE)
    assert not has_timed_signature(
        header, b"body", SECRET, NINE + 5 * MINUTE + timedelta(seconds=1)
    )
    assert not has_timed_signature(header, b"body", SECRET, NINE - 6 * MINUTE)
    assert not has_timed_signature(header, b"bodY", SECRET, NINE)
    assert not has_timed_signature(header, b"body", "another", NINE)
    assert not has_timed_signature(header, b"body", "", NINE)
    assert not has_timed_signature("", b"body", SECRET, NINE)
    assert not has_timed_signature(header.replace("t=", "t=1"), b"body", SECRET, NINE)
    assert not has_plain_signature("0" * 64, b"body", SECRET, NINE)


# --- the endpoint -----------------------------------------------------------------------------


@pytest.fixture
def shop(tmp_path: Path) -> Iterator[Salon]:
    with salon(tmp_path, webhook_secret=SECRET, cal_com_secret=SECRET) as one:
        yield one


def post(
    shop: Salon, body: Any, *, tool: str = "frontdesk", secret: str = SECRET, **headers: str
) -> tuple[int, dict[str, Any]]:
    raw = body if isinstance(body, bytes) else json.dumps(body).encode()
    signed = {"frontdesk-signature": webhook_signature(raw, secret, shop.clock.now()), **headers}
    page = shop.visitor.send("POST", f"/hooks/waitlist/{tool}", raw, signed)
    return page.status, json.loads(page.body)


@pytest.mark.spec("WL-07")
def test_a_notice_that_comes_twice_makes_one_slot_and_one_chain(shop: Salon) -> None:
    ann = shop.joins("Ann")
    body = {**OWN, "service": "Cut"}

    first, again = post(shop, body), post(shop, body)
    shop.settle()

    slot = shop.wl.slot_by_origin("webhook:b-1")
    assert slot is not None
    assert (first[0], again[0]) == (201, 200)
    assert first[1]["slot"] == again[1]["slot"] == slot.id
    assert shop.offers(slot) == [("Ann", "live")]
    assert [one.entry_id for one in shop.wl.offers(slot.id)] == [ann]


@pytest.mark.spec("WL-07")
@pytest.mark.parametrize(
    ("starts_at", "means", "status"),
    [
        (
            "2026-11-17T15:00:00+08:00",
            "It is free. The first on the list who suits it is asked, if anybody does.",
            SlotStatus.OPEN,
        ),
        (
            "2026-11-17T08:05:00+08:00",
            "It is handed back to staff: nobody can be asked in time.",
            SlotStatus.HANDED_BACK,
        ),
    ],
)
def test_the_answer_promises_no_offer_that_may_not_be_made(
    shop: Salon, starts_at: str, means: str, status: SlotStatus
) -> None:
    shop.later(14 * HOUR)  # in the quiet hours
    body = {**OWN, "service": "Cut", "starts_at": starts_at}

    assert post(shop, body)[1]["means"] == means

    slot = shop.settle().wl.slot_by_origin("webhook:b-1")
    assert slot is not None
    assert (slot.status, slot.offers) == (status, 0)


@pytest.mark.spec("WL-07")
def test_a_time_that_is_taken_is_not_offered_and_staff_hear_of_it_once(shop: Salon) -> None:
    shop.with_staff("mia@salon.example").joins("Ann")
    post(shop, {**OWN, "service": "Cut"})
    (first,) = shop.settle().wl.slots(9)

    answers = [post(shop, {**OWN, "service": "Cut", "id": "b-2"}) for _ in range(2)]

    shop.settle()
    means = "The staff member, or the only place, has another slot at this time. Staff are asked."
    assert answers == [(200, {"slot": None, "means": means})] * 2
    assert [slot.id for slot in shop.wl.slots(9)] == [first.id]
    told = [each["subject"] for each in shop.messages("mia@salon.example")]
    assert [each for each in told if each.startswith("Not offered")] == [
        "Not offered: Cut on Monday 16 November, 15:00 (SGT)"
    ]
    text = shop.messages("mia@salon.example")[-1]["text"]
    assert "/console/waitlist/free?service=Cut&staff=Mia&on=2026-11-16&at=15%3A00" in text


@pytest.mark.spec("WL-07", "BK-16")
def test_a_time_that_the_booking_desk_has_given_is_not_offered(shop: Salon) -> None:
    mia = resource(ResourceId("mia"))
    shop.run(SetRules(rules([service("Cut", [mia.id])], [mia], zone="Asia/Singapore")))
    opening = read_own(OWN, SHOP).opening
    assert HandoverTimes(shop.product.engine, shop.clock).hold("test:1", opening, by="test")

    means = "The staff member is booked at this time, or it is held. Nothing is offered."
    assert post(shop, OWN) == (200, {"slot": None, "means": means})


@pytest.mark.spec("WL-07")
def test_a_no_show_that_the_tool_reports_frees_the_rest_of_the_time_once(shop: Salon) -> None:
    shop.joins("Ann")
    shop.later(THREE + 7 * MINUTE - shop.clock.now())
    body = {**OWN, "service": "Cut", "action": "no_show"}

    first, again = post(shop, body), post(shop, body)

    shop.settle()
    (slot,) = shop.wl.slots(9)
    assert (first[0], again[0], slot.origin) == (201, 200, "no-show-webhook:b-1")
    rest = Opening("Cut", THREE + 20 * MINUTE, 40 * MINUTE, 1, "Mia", 4_500)
    assert (slot.opening, shop.offers(slot)) == (rest, [("Ann", "live")])
    cancelled = post(shop, {**OWN, "service": "Cut", "id": "b-2", "action": "cancelled"})
    assert cancelled[1]["slot"] is None, "only a no-show is about a time that has begun"
    assert post(shop, {**OWN, "action": "moved"})[1]["problem"] == (
        "action should be cancelled or no_show"
    )


@pytest.mark.spec("FD-28")
def test_a_request_without_the_secret_frees_nothing(shop: Salon) -> None:
    assert post(shop, OWN, secret="guessed")[0] == 401
    assert post(shop, OWN, **{"frontdesk-signature": ""})[0] == 401
    assert shop.wl.slots(10) == []


def test_a_tool_without_a_secret_has_no_route(shop: Salon) -> None:
    assert post(shop, CALENDLY, tool="calendly")[0] == 404
    assert post(shop, OWN, tool="nobody")[0] == 404


def test_a_notice_that_can_never_be_accepted_is_not_requested_again(shop: Salon) -> None:
    """A tool repeats a notice until it is accepted."""
    assert post(shop, {**OWN, "starts_at": "2026-11-15T15:00:00+08:00"}) == (
        200,
        {
            "slot": None,
            "means": "Its time has begun, or too little of it is left: nobody can be asked "
            "any more.",
        },
    )
    assert post(shop, [1])[0] == 422
    assert post(shop, b"{")[0] == 422
    assert post(shop, {})[1]["problem"] == "service should be a text of up to 200 characters"


def test_cal_com_signs_the_body_alone(shop: Salon) -> None:
    raw = json.dumps(CAL_COM).encode()
    signature = hmac.digest(SECRET.encode(), raw, "sha256").hex()
    status, _ = post(shop, raw, tool="cal.com", **{"x-cal-signature-256": signature})

    assert status == 201
    assert shop.wl.slot_by_origin("cal.com:2NtaeaVcKfpm") is not None
    shop.settle()


def test_a_body_that_is_too_large_is_not_read(shop: Salon) -> None:
    assert post(shop, b"x" * 70_000)[0] == 413


#: Values of the right type that cause problems later.
EXTREMES = {
    "the first instant, east of it": {"starts_at": "0001-01-01T00:00:00+14:00"},
    "the last instant, west of it": {"starts_at": "9999-12-31T23:59:59-14:00"},
    "an exponent": {"price": "1E999999"},
    "a small exponent": {"price": "1E-999999"},
    "an infinite price": {"price": "Infinity"},
    "a long price": {"price": "9" * 190},
    "a long fraction": {"price": "1." + "9" * 190},
    "arabic digits": {"price": "\u0661\u0662"},
    "half a character": {"service": "\ud800"},
    "half a character as the id": {"id": "\udfff"},
    "half a character as a name": {"staff": "Mia\udc00"},
    "a huge party": {"places": 10**30},
    "a huge time": {"minutes": 10**30},
}


@pytest.mark.spec("FD-27", "FD-28")
@pytest.mark.parametrize("wrong", EXTREMES.values(), ids=EXTREMES.keys())
def test_an_extreme_value_is_refused_in_words(shop: Salon, wrong: dict[str, Any]) -> None:
    status, said = post(shop, {**OWN, **wrong})

    assert (status, said["means"]) == (422, "Nothing was changed.")
    assert shop.wl.slots(10) == []


@pytest.mark.spec("FD-27", "FD-28")
@pytest.mark.parametrize(
    "raw",
    [
        b'{"price": 1E999999}',
        b'{"price": NaN}',
        b'{"places": %s}' % (b"9" * 5_000),
        b'{"a":' * 33 + b"1" + b"}" * 33,
        b'{"a":' * 3_000 + b"1" + b"}" * 3_000,
        b"\xed\xa0\x80",
        b'{"id": "\xed\xa0\x80"}',
    ],
    ids=[
        "exponent",
        "NaN",
        "digits",
        "depth",
        "more depth",
        "half a character",
        "half a character in a text",
    ],
)
def test_a_body_that_is_no_strict_json_is_refused_in_words(shop: Salon, raw: bytes) -> None:
    status, said = post(shop, raw)

    assert (status, said["problem"]) == (422, "The body should be a JSON object.")
