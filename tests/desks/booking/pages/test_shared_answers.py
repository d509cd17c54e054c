"""One search answers all requests of a second, and no answer is outdated. The clock of these tests
moves only on demand."""

import json
import re
from collections.abc import Sequence
from datetime import date, datetime, timedelta

import pytest

from frontdesk.connect.calendars.port import BusySpan
from frontdesk.desks.booking.availability import Availability
from frontdesk.desks.booking.commands import CancelBooking, DropHold, HoldTime, SetRules
from frontdesk.desks.booking.facts import CalendarUnusable
from frontdesk.desks.booking.load import BusyResources, booking_reads
from frontdesk.desks.booking.model import HoldId
from frontdesk.desks.booking.pages.free_times import LOADER
from frontdesk.desks.booking.pages.shared_answers import CHANGES_OF_TIMES
from frontdesk.desks.booking.rules import CalendarRef, Cap, CapOf, Period, Resource
from frontdesk.desks.booking.search.query import Query
from frontdesk.desks.waitlist.commands import SetCatalogue
from frontdesk.engine.ports import Reads
from frontdesk.features.calendars.busy_cache import BusyCache
from frontdesk.features.catalogue.model import CATALOGUE as SAVED_CATALOGUE
from frontdesk.store.sqlite.booking import BOOKING
from frontdesk.store.sqlite.saved_settings import SETTING_WRITES
from frontdesk.store.sqlite.view import open_view
from frontdesk.values import replace
from frontdesk.web.limits import Limits
from frontdesk.web.renderer import Branding
from frontdesk.wiring.one_machine import TABLES, data_file
from tests.desks.booking.pages.shop import (
    CATALOGUE,
    JO,
    MIRA,
    RULES,
    TUESDAY,
    Shop,
    at,
    text,
    times_in,
)

WITH_MIRA = "/book/haircut?staff=mira&day=2026-11-17"
AS_JSON = "/api/booking/times?service=Haircut&staff=mira"
HOLD = HoldId("01m7ns7wpky9wacq2w0w23xjcy")


@pytest.fixture
def open_shop(shop: Shop) -> Shop:
    shop.given()
    shop.served.desk.product.site.limits = Limits(enabled=False)
    return shop


def free(shop: Shop, starts_at: datetime) -> tuple[bool, bool]:
    """Returns whether the page and the JSON API offer a time."""
    on_page = times_in(shop.get(WITH_MIRA))
    as_json = [one["at"] for one in json.loads(shop.get(AS_JSON).body)["times"]]
    return text(starts_at) in on_page, text(starts_at) in as_json


def hold(shop: Shop, starts_at: datetime) -> None:
    shop.do(HoldTime(HOLD, "Haircut", starts_at, 1, MIRA))


# --- one search for all -----------------------------------------------------------------------


@pytest.fixture
def searches(open_shop: Shop) -> list[datetime]:
    """Records the start of the span for which each search looks up busy times."""
    shared, made = open_shop.served.desk.product.site.shared, list[datetime]()
    loader = shared[LOADER]

    def counted(
        reads: Reads, resources: Sequence[Resource], since: datetime, until: datetime
    ) -> BusyResources:
        made.append(since)
        return loader.busy(reads, resources, since, until)

    shared[LOADER] = replace(loader, busy=counted)
    return made


def test_a_second_visitor_in_the_same_second_gets_the_same_page_without_a_search(
    open_shop: Shop, searches: list[datetime]
) -> None:
    pages = [open_shop.get(WITH_MIRA) for _ in range(3)]
    lists = [open_shop.get(AS_JSON) for _ in range(3)]

    bodies = {re.sub(r'nonce="[^"]+"', "", page.body) for page in pages}
    assert (len(searches), len(bodies), len({one.body for one in lists})) == (2, 1, 1)


@pytest.mark.parametrize(
    "more", ["&name=Ann+Lee", "&email=ann@example.org", "&q=Thursday", "&hold=x", "&key=x", "&x=1"]
)
def test_an_address_that_knows_its_visitor_is_answered_anew(
    open_shop: Shop, searches: list[datetime], more: str
) -> None:
    for _ in range(2):
        assert open_shop.get(WITH_MIRA + more).status == 200

    assert len(searches) == 2


def test_very_long_addresses_are_not_kept(open_shop: Shop, searches: list[datetime]) -> None:
    for _ in range(2):
        assert open_shop.get(f"{WITH_MIRA}&service={'x' * 300}").status == 200

    assert len(searches) == 2


def test_a_service_that_does_not_exist_is_not_found_by_anybody(open_shop: Shop) -> None:
    statuses = [open_shop.get("/book/nothing").status for _ in range(2)]
    as_json = [open_shop.get("/api/booking/times?service=Nothing").status for _ in range(2)]

    assert (statuses, as_json) == ([404, 404], [404, 404])


def test_where_other_processes_write_everybody_is_answered_anew(
    open_shop: Shop, searches: list[datetime], monkeypatch: pytest.MonkeyPatch
) -> None:
    store = open_shop.served.desk.product.store
    monkeypatch.setattr(store, "revision", lambda _kinds: None)

    for _ in range(2):
        assert free(open_shop, at(10)) == (True, True)

    assert len(searches) == 4


# --- never older than the data ----------------------------------------------------------------


def test_a_booked_time_is_gone_at_once(open_shop: Shop) -> None:
    assert free(open_shop, at(10)) == (True, True)

    open_shop.book(at(10), staff="mira")

    assert free(open_shop, at(10)) == (False, False)


def test_a_held_time_is_gone_at_once_and_back_when_the_hold_is_dropped(open_shop: Shop) -> None:
    assert free(open_shop, at(10)) == (True, True)

    hold(open_shop, at(10))
    while_held = free(open_shop, at(10))
    open_shop.do(DropHold(HOLD))

    assert (while_held, free(open_shop, at(10))) == ((False, False), (True, True))


def test_a_hold_that_ends_by_itself_gives_its_time_back_in_that_second(open_shop: Shop) -> None:
    hold(open_shop, at(10))
    open_shop.wait(seconds=299)
    before = free(open_shop, at(10))

    open_shop.wait(seconds=1)

    assert (before, free(open_shop, at(10))) == ((False, False), (True, True))


def test_a_cancelled_booking_gives_its_time_back_at_once(open_shop: Shop) -> None:
    open_shop.book(at(10), staff="mira")
    before = free(open_shop, at(10))

    open_shop.do(CancelBooking(open_shop.booking.id, by_staff=True, offer=False))

    assert (before, free(open_shop, at(10))) == ((False, False), (True, True))


def test_new_rules_count_at_once(open_shop: Shop) -> None:
    before = free(open_shop, at(10))

    open_shop.do(SetRules(replace(RULES, hours=((Period(13 * 60, 18 * 60),),) * 7)))

    assert (before, free(open_shop, at(10))) == ((True, True), (False, False))


def test_a_new_price_is_shown_at_once(open_shop: Shop) -> None:
    before = open_shop.get("/book").says

    open_shop.do(SetCatalogue(replace(CATALOGUE, currency="€")))

    assert ("S$60.00" in before, "€60.00" in open_shop.get("/book").says) == (True, True)


def test_a_new_name_of_the_business_is_shown_at_once(open_shop: Shop) -> None:
    renderer = open_shop.served.desk.product.site.renderer
    assert "Frontdesk</title>" in open_shop.get("/book").body

    renderer.set_branding(Branding("Salon Mira", renderer.branding.accent))

    assert "Salon Mira</title>" in open_shop.get("/book").body


def test_a_time_disappears_when_its_notice_begins(open_shop: Shop) -> None:
    """The service needs two hours' notice, and the test begins at nine."""
    today = date(2026, 11, 16)
    before = times_in(open_shop.get("/book?staff=mira"))

    open_shop.wait(seconds=1)

    after = times_in(open_shop.get("/book?staff=mira"))
    eleven = text(at(11, on=today))
    assert (eleven in before, eleven in after) == (True, False)


class Diary:
    """A calendar in memory."""

    def __init__(self) -> None:
        self.spans: list[BusySpan] = []

    def busy(self, start: datetime, end: datetime) -> Sequence[BusySpan]:
        return [one for one in self.spans if one.starts_at < end and one.ends_at > start]


def test_a_busy_time_that_was_read_from_a_calendar_is_gone_at_once(open_shop: Shop) -> None:
    product, diary = open_shop.served.desk.product, Diary()
    cache = BusyCache(
        product.engine, product.clock, "bk", lambda: {"mira": diary}, CalendarUnusable
    )
    mira = Resource(MIRA, "Mira", calendars=(CalendarRef("mira"),))
    open_shop.do(SetRules(replace(RULES, resources=(mira, Resource(JO, "Jo")))))
    found = [free(open_shop, at(10))]

    assert cache.refresh("mira", at_once=True)
    found.append(free(open_shop, at(10)))
    diary.spans = [BusySpan(at(10), at(11))]
    assert cache.refresh("mira", at_once=True)
    found.append(free(open_shop, at(10)))

    assert found == [(False, False), (True, True), (False, False)]


def test_a_calendar_that_becomes_too_old_offers_nothing_from_that_second_on(
    open_shop: Shop,
) -> None:
    product = open_shop.served.desk.product
    cache = BusyCache(
        product.engine, product.clock, "bk", lambda: {"mira": Diary()}, CalendarUnusable
    )
    mira = Resource(MIRA, "Mira", calendars=(CalendarRef("mira"),))
    open_shop.do(SetRules(replace(RULES, resources=(mira, Resource(JO, "Jo")))))
    assert cache.refresh("mira", at_once=True)
    open_shop.served.desk.clock.move_to(open_shop.now + RULES.calendar_max_age)
    before = free(open_shop, at(14))

    open_shop.served.desk.clock.move_to(open_shop.now + timedelta(seconds=1))

    assert (before, free(open_shop, at(14))) == ((True, True), (False, False))


def test_every_change_of_rows_that_a_search_reads_counts(open_shop: Shop) -> None:
    """One of the changes is of tallies, which searches read if there are caps."""
    capped = replace(RULES, caps=(Cap(CapOf.DAY, bookings=9),))
    product = open_shop.do(SetRules(capped)).served.desk.product
    statements: list[str] = []
    with open_view(data_file(product.settings.data_dir), TABLES) as view:
        view.db.set_trace_callback(statements.append)
        rules = booking_reads(view.reads).rules()
        view.reads.engine.setting(SAVED_CATALOGUE)
        query = Query("Haircut", TUESDAY, TUESDAY)
        Availability(product.site.shared[LOADER].busy).find(view.reads, rules, query, open_shop.now)
        view.db.set_trace_callback(None)

    read = {name for one in statements for name in re.findall(r"\b(?:FROM|JOIN) (\w+_\w+)", one)}
    read -= {"json_each"}
    writes = {**BOOKING.writes, **SETTING_WRITES}
    assert read == {"bk_claim", "bk_tally", "fd_setting"}
    assert {kind for kind, write in writes.items() if write.table in read} == set(CHANGES_OF_TIMES)
