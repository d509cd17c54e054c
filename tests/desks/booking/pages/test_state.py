"""The state of the page is in its address; invalid parts are left out."""

from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
from starlette.routing import Route

from frontdesk.desks.booking.pages import routes
from frontdesk.desks.booking.pages.addresses import Address, find_service, service_path
from frontdesk.desks.booking.pages.picks import picks
from frontdesk.desks.booking.pages.state import PageState, read_state, waitlist_fields
from frontdesk.desks.booking.rules import (
    Need,
    Resource,
    ResourceId,
    ResourceKind,
    ServiceRules,
    slug_of,
)
from frontdesk.values import replace
from tests.desks.booking.pages.shop import CATALOGUE, CUT, JO, MIRA, RULES, SPA

NOW = datetime(2026, 11, 16, 1, tzinfo=UTC)
PLAIN = PageState(service=CUT)


def read(**typed: str) -> PageState:
    return read_state(RULES, CUT, typed, NOW, embedded=False)


@pytest.mark.spec("BK-36")
def test_an_address_presets_staff_day_name_and_mail() -> None:
    state = read(staff="Mira", day="2026-11-24", name="Ann Lee", email="ann@example.org")

    assert state == replace(
        PLAIN, staff=MIRA, day=date(2026, 11, 24), name="Ann Lee", contact="ann@example.org"
    )
    assert state.address.url() == (
        "/book/haircut?staff=mira&day=2026-11-24&name=Ann+Lee&email=ann%40example.org"
    )


def test_the_state_in_an_address_is_read_back_from_the_pages_address() -> None:
    state = read(staff="jo", day="2026-12-01", view="week", zone="Europe/Berlin", q="Friday")

    assert read(**state.address.params) == state


@pytest.mark.parametrize(
    "typed",
    [
        {"day": "2026-13-45"},
        {"day": "9999-12-31"},
        {"day": "2026-11-15"},
        {"from": "0001-01-01"},
        {"at": "2026-11-24"},
        {"at": "99999999999999999999"},
        {"at": "9999-12-31T23:59:59+00:00"},
        {"party": "-1"},
        {"party": "two"},
        {"zone": "../../etc/passwd"},
        {"zone": "Atlantis/Capital"},
        {"staff": "nobody"},
        {"view": "year"},
        {"name": "Ann\x00Lee"},
        {"q": "\u202eevil"},
    ],
)
def test_hostile_addresses_are_the_plain_page(typed: dict[str, str]) -> None:
    assert read(**typed) == PLAIN


def test_long_texts_are_cut() -> None:
    state = read(q="x" * 10_000, name="y" * 10_000)

    assert (len(state.sentence), len(state.name)) == (200, 300)


def test_a_party_is_at_most_the_largest_of_the_service() -> None:
    table = replace(CUT, most=4)

    found = read_state(RULES, table, {"party": "99999"}, NOW, embedded=False)
    assert (found.party, found.is_too_large) == (4, True)


def test_the_zone_of_the_business_is_no_other_zone() -> None:
    assert read(zone="Asia/Singapore").zone == ""
    assert read(zone="Europe/Berlin").zones(RULES).differ


# --- services by their address ----------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "slug"),
    [
        ("Cut & Colour", "cut-colour"),
        ("  Head  spa ", "head-spa"),
        ("Färben", "färben"),
        ("髪を切る", "髪を切る"),
        ("!!!", "service"),
    ],
)
def test_a_service_has_a_readable_address(name: str, slug: str) -> None:
    assert slug_of(name) == slug


@pytest.mark.parametrize("text", ["haircut", "Haircut", "HAIRCUT", "cut"])
def test_a_service_is_found_by_name_alias_or_slug(text: str) -> None:
    assert find_service(RULES, text) == CUT


def test_an_address_leads_to_the_service_of_this_name_before_one_with_such_an_alias() -> None:
    other = replace(SPA, aliases=("head & spa", "hair-cut"))
    rules = replace(RULES, services=(other, replace(CUT, name="Hair: cut")))

    assert find_service(rules, "hair-cut-") == rules.services[1]


def test_a_service_with_the_name_of_a_page_has_another_address() -> None:
    assert service_path("Embed") == "/book?service=Embed"
    assert service_path("Head spa", embedded=True) == "/book/embed/head-spa"


def test_every_other_page_under_book_has_its_name_for_itself() -> None:
    paths = (route.path for route in routes() if isinstance(route, Route))
    words = {path.split("/")[2] for path in paths if path.startswith("/book/") and "{" not in path}

    assert words
    assert [one for one in words if service_path(one) != f"/book?service={one}"] == []


def test_an_address_changes_some_parameters() -> None:
    page = Address("/book", {"staff": "jo", "day": "2026-11-24"})

    assert page.url(part="times", day="", party="2") == "/book?staff=jo&party=2#times"


# --- choices ----------------------------------------------------------------------------------


def seen(state: PageState, **rules: Any) -> dict[str, list[tuple[str, str, bool]]]:
    return {
        pick.label: [(one.label, one.url, one.is_current) for one in pick.options]
        for pick in picks(replace(RULES, **rules), state, CATALOGUE)
    }


@pytest.mark.spec("BK-19")
def test_service_and_staff_are_chosen_by_links() -> None:
    assert seen(replace(PLAIN, staff=MIRA, day=date(2026, 11, 24))) == {
        "Service": [
            ("Haircut", "/book/haircut?staff=mira", True),
            ("Head spa", "/book/head-spa", False),
        ],
        "With": [
            ("Anyone", "/book/haircut?staff=anyone&day=2026-11-24", False),
            ("Mira", "/book/haircut?staff=mira&day=2026-11-24", True),
            ("Jo", "/book/haircut?staff=jo&day=2026-11-24", False),
        ],
    }


def test_a_choice_with_one_option_is_not_shown() -> None:
    assert list(seen(replace(PLAIN, service=SPA))) == ["Service"]


def test_rooms_are_not_chosen_by_customers() -> None:
    room = Resource(ResourceId("room"), "Room 1", ResourceKind.ROOM)
    other = replace(room, id=ResourceId("room2"), name="Room 2")
    massage = ServiceRules("Massage", timedelta(hours=1), (Need((room.id, other.id)),))
    rules = {"services": (massage,), "resources": (room, other)}

    assert list(seen(PageState(service=massage), **rules)) == ["Service"]


def test_a_party_is_asked_where_the_service_has_one() -> None:
    table = replace(CUT, most=3)

    found = seen(PageState(service=table, party=2), services=(table,))

    assert found["How many"] == [
        ("Just me", "/book/haircut", False),
        ("2 of us", "/book/haircut?party=2", True),
        ("3 of us", "/book/haircut?party=3", False),
        ("More than 3", "/book/ask", False),
    ]


def test_unlisted_services_are_not_offered() -> None:
    secret = replace(SPA, unlisted=True)

    assert [each[0] for each in seen(PLAIN, services=(CUT, secret))["Service"]] == ["Haircut"]


# --- the waitlist -----------------------------------------------------------------------------


@pytest.mark.spec("BK-35")
def test_the_waitlist_gets_the_same_wishes() -> None:
    state = replace(PLAIN, staff=JO, name="Ann Lee", contact="ann@example.org")

    wishes = waitlist_fields(RULES, state, NOW, date(2026, 11, 20), date(2026, 11, 22))

    assert wishes == {
        "service": "Haircut",
        "earliest": "2026-11-20",
        "latest": "2026-11-22",
        "staff": "Jo",
        "name": "Ann Lee",
        "email": "ann@example.org",
    }
    assert waitlist_fields(RULES, PLAIN, NOW, None, None) == {
        "service": "Haircut",
        "earliest": "2026-11-16",
        "latest": "2026-12-14",
    }
