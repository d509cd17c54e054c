"""The booking page over real HTTP, without JavaScript: a sentence, two presses, two fields."""

import re
from collections.abc import Iterator
from datetime import date, timedelta
from urllib.parse import urlencode

import pytest

from frontdesk.core.members import Role
from frontdesk.desks.admin.commands import CorrectContact
from frontdesk.desks.booking.commands import CancelBooking, SetRules
from frontdesk.desks.booking.links import service_key
from frontdesk.desks.booking.model import BookingStatus, Lane
from frontdesk.desks.booking.rules import Approval, Blackout, Need, Question, QuestionKind
from frontdesk.values import replace
from frontdesk.web.limits import Limits
from tests.desks.booking.pages.shop import (
    ANN,
    CUT,
    MIRA,
    RULES,
    SPA,
    TUESDAY,
    Shop,
    at,
    hrefs,
    place,
    shop_at,
    text,
    times_in,
)
from tests.support.server import FORM


@pytest.fixture(scope="module")
def unchanging(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shop]:
    """Provides a server for all tests that change nothing."""
    with shop_at(tmp_path_factory.mktemp("data")) as shop:
        shop.given()
        shop.served.desk.product.site.limits = Limits(enabled=False)
        yield shop


# --- content ----------------------------------------------------------------------------------


@pytest.mark.spec("BK-34", "BK-19")
def test_the_page_starts_with_an_answer(unchanging: Shop) -> None:
    page = unchanging.get("/book")

    assert (page.status, page.heading) == (200, "Book an appointment")
    assert "Next free: Monday 16 November, 11:00 (SGT)" in page.says
    assert page.body.count('class="best"') == 3
    assert "Service Haircut 45 minutes · S$60.00" in page.says
    assert "All times are in SGT." in page.says


@pytest.mark.spec("BK-34")
def test_days_without_times_cannot_be_picked(unchanging: Shop) -> None:
    page = unchanging.get("/book/haircut?from=2026-11-01")

    days = {each[-16:-6] for each in hrefs(page) if each.endswith("#times")}
    assert "2026-11-20" in days
    assert days.isdisjoint({"2026-11-21", "2026-11-22", "2026-11-15"})
    assert 'aria-label="Friday 20 November, ' in page.body


def test_the_next_month_and_the_week_are_links(unchanging: Shop) -> None:
    december = unchanging.get("/book/haircut?from=2026-12-01")
    week = unchanging.get("/book/haircut?day=2026-11-25&view=week")

    assert "December 2026" in december.says
    assert "Tuesday 1 December" in december.says
    assert "23 to 29 November" in week.says
    assert "All 28 times" in week.says


@pytest.mark.spec("BK-34")
def test_a_sentence_is_read_and_changes_nothing(unchanging: Shop) -> None:
    before = unchanging.served.dump()

    page = unchanging.get("/book?q=Head+spa+with+Jo+on+Thursday")

    assert "Service Head spa 1 hour" in page.says
    assert "Thursday 19 November" in page.says
    assert page.fields["q"] == "Head spa with Jo on Thursday"
    assert unchanging.served.dump() == before


@pytest.mark.spec("BK-34")
@pytest.mark.parametrize(
    ("sentence", "best", "words"),
    [
        ("Thursday after 5", ["Thu 19 Nov 17:00", "Thu 19 Nov 17:15"], "These times are free:"),
        ("Thursday at 17:15", ["Thu 19 Nov 17:15"], "This time is free:"),
    ],
)
def test_only_times_that_suit_are_called_free_then(
    unchanging: Shop, sentence: str, best: list[str], words: str
) -> None:
    page = unchanging.get(f"/book?{urlencode({'q': sentence})}")

    shown = re.findall(r'class="best".*?best-day">(.*?)</span> <strong>(.*?)</strong>', page.body)
    assert [" ".join(each) for each in shown] == best
    assert words in page.says


def test_a_sentence_without_a_day_says_what_to_try(unchanging: Shop) -> None:
    page = unchanging.get("/book?q=abracadabra")

    assert "We found none in “abracadabra”." in page.says
    assert page.body.count('class="best"') == 3


@pytest.mark.spec("BK-34")
def test_a_sentence_that_names_no_offered_service_says_which_one_is_shown(
    unchanging: Shop,
) -> None:
    page = unchanging.get("/book?q=Manicure+Friday")

    assert "We found none of our services in “Manicure Friday”." in page.says
    assert "These are times for Haircut." in page.says
    assert "Friday 20 November" in page.says
    assert "none of our services" not in unchanging.get("/book?q=Friday,+please").says


@pytest.mark.spec("BK-36")
def test_an_address_presets_service_staff_day_name_and_mail(unchanging: Shop) -> None:
    page = unchanging.get(
        "/book/haircut?staff=jo&day=2026-11-24&name=Ann+Lee&email=ann%40example.org"
    )

    assert "With Jo" in page.says
    assert "Tuesday 24 November" in page.says
    assert (page.fields["name"], page.fields["email"]) == ("Ann Lee", "ann@example.org")
    form = unchanging.get(f"/book/haircut?name=Ann+Lee&email=ann%40example.org&at={text(at(10))}")
    assert (form.fields["name"], form.fields["contact"]) == ("Ann Lee", "ann@example.org")


@pytest.mark.spec("BK-36")
def test_a_preset_name_and_mail_are_in_the_form_after_a_time_is_chosen(shop: Shop) -> None:
    shop.given()
    page = shop.get("/book/haircut?name=Ann+Lee&email=ann%40example.org")

    form = shop.post("/book/choose", **{**page.fields, "at": text(at(10))})

    assert (form.fields["name"], form.fields["contact"]) == ("Ann Lee", "ann@example.org")


@pytest.mark.spec("BK-09")
def test_the_visitors_zone_changes_labels_only(unchanging: Shop) -> None:
    here = unchanging.get("/book/haircut?day=2026-11-24")
    there = unchanging.get("/book/haircut?day=2026-11-24&zone=America/New_York")

    assert times_in(there) == times_in(here)
    assert "20:00 Mon" in there.says
    assert "All times are shown in EST. The business is in SGT." in there.says


@pytest.mark.spec("BK-09")
@pytest.mark.parametrize("view", ["", "week"])
def test_a_page_after_a_change_of_the_clock_names_both_zones(shop: Shop, view: str) -> None:
    far = replace(CUT, horizon=timedelta(days=400))
    shop.given(services=(far,), zone="Europe/Berlin")

    page = shop.get(f"/book/haircut?day=2027-03-30&view={view}")

    assert "All times are in CET or CEST." in page.says
    assert "All times are in CET." in shop.get(f"/book/haircut?view={view}").says


@pytest.mark.spec("BK-35")
def test_nothing_suits_leads_to_the_waitlist_with_the_same_wishes(unchanging: Shop) -> None:
    page = unchanging.get("/book/haircut?staff=jo&name=Ann+Lee")
    (address,) = (each for each in hrefs(page) if "/waitlist?" in each)

    form = unchanging.get(address)

    assert form.heading == "Join the waitlist"
    assert 'value="Haircut" checked' in form.body
    assert '<option value="Jo" selected>' in form.body
    fields = form.fields
    assert (fields["earliest"], fields["latest"]) == ("2026-11-16", "2026-12-14")
    assert fields["name"] == "Ann Lee"


@pytest.mark.spec("BK-35")
def test_a_visitor_who_gave_their_details_joins_the_waitlist_with_one_press(shop: Shop) -> None:
    shop.given(services=(SPA,)).book(service="Head spa", contact="bob@example.org")
    lost = shop.book(service="Head spa")
    form = lost.body.partition('action="/waitlist"')[2].partition("</form>")[0]
    fields = dict(re.findall(r'name="([^"]+)" value="([^"]*)"', form))

    joined = shop.post("/waitlist", **fields)

    assert "Join the waitlist" in lost.buttons
    assert joined.heading == "You're on the list."
    assert "What Head spa" in joined.says


def test_a_service_that_is_not_there_is_explained(unchanging: Shop) -> None:
    page = unchanging.get("/book/perm")

    assert (page.status, page.heading) == (404, "There is no such service.")


@pytest.mark.parametrize(
    "query",
    [
        "day=9999-12-31",
        "day=2026-13-01",
        "from=0001-01-01",
        "from=2200-12-31",
        "at=junk",
        "party=99999999999",
        "zone=%00%01",
        "staff=%F0%9F%92%A9",
        "service=" + "x" * 5_000,
        "q=" + "Thursday+" * 500,
        "q=%ff%fe",
        "hold=AAAA",
        "key=" + "A" * 56,
        "day[]=1&day=&=&&;;",
        "view=week&day=2026-12-31&from=2026-12-31",
    ],
)
@pytest.mark.parametrize("path", ["/book", "/book/embed", "/api/booking/times"])
def test_hostile_addresses_are_answered(unchanging: Shop, path: str, query: str) -> None:
    names_a_wrong_party = path.startswith("/api") and query.startswith("party")
    expected = (422,) if names_a_wrong_party else (200, 404)
    assert unchanging.get(f"{path}?{query}").status in expected


def test_without_any_service_booking_is_not_open(shop: Shop) -> None:
    for path in ("/book", "/book/embed", "/book/haircut"):
        page = shop.get(path)
        assert (page.status, page.heading) == (200, "Online booking is not open yet.")


def test_without_free_times_the_page_says_so_and_leads_on(shop: Shop) -> None:
    closed = Blackout(date(2026, 1, 1), date(2028, 1, 1))
    page = shop.given(blackouts=(closed,)).get("/book")

    assert "No times are free online right now." in page.says
    assert "Join the waitlist" in page.says
    assert times_in(page) == []


# --- two presses and two fields ---------------------------------------------------------------


@pytest.mark.spec("BK-01", "BK-34", "BK-17")
def test_two_presses_and_two_fields_book_a_time(shop: Shop) -> None:
    first = shop.given().get("/book")
    chosen = shop.post("/book/choose", **first.fields, at=times_in(first)[0])

    assert chosen.heading == "Your details"
    assert "We hold this time for you until 09:05 today (SGT)" in chosen.says
    typed = [name for name in chosen.fields if not chosen.fields[name]]
    assert typed == ["name", "contact", "website"]

    booked = shop.post("/book", **{**chosen.fields, **ANN})

    assert (booked.status, booked.heading) == (200, "It's booked.")
    assert "A message with these details is on its way to you." in booked.says
    assert place(booked).startswith("/l/")
    booking = shop.booking
    assert (booking.name, booking.email) == ("Ann Lee", "ann@example.org")
    assert (booking.lane, booking.status) == (Lane.FORM, BookingStatus.CONFIRMED)
    assert text(booking.starts_at) == times_in(first)[0]


def test_a_mobile_number_is_enough(shop: Shop) -> None:
    shop.given().book(contact="9123 4567")

    assert (shop.booking.email, shop.booking.mobile) == ("", "+6591234567")


def test_wrong_fields_are_explained_and_what_was_typed_is_kept(shop: Shop) -> None:
    page = shop.given().book(name="", contact="ann@")

    assert (page.status, page.heading) == (422, "Your details")
    assert page.error_at("name") == "Please give a name."
    assert page.error_at("contact") == "The part after the @ should be like example.org."
    assert page.fields["contact"] == "ann@"
    assert shop.bookings() == []


def test_a_form_that_is_sent_twice_books_once(shop: Shop) -> None:
    form = {**shop.given().get(f"/book/haircut?at={text(at(10))}").fields, **ANN}

    pages = [shop.post("/book", **form) for _ in range(2)]

    assert [page.heading for page in pages] == ["It's booked.", "It's booked."]
    assert place(pages[0]) == place(pages[1])
    assert len(shop.bookings()) == 1


@pytest.mark.spec("FD-03", "BK-32")
def test_two_loads_of_the_form_without_a_hold_book_once(shop: Shop) -> None:
    """The browser that booked sees its booking, and can move it."""
    url = shop.given().get(f"/book/haircut?at={text(at(10))}").url
    forms = [shop.get(url).fields for _ in range(2)]
    booked = shop.post_only("/book", **{**forms[0], **ANN})
    cookie = booked.headers["set-cookie"].partition(";")[0]
    link = booked.headers["location"].removesuffix("?done=booked")

    body = urlencode({**forms[1], **ANN}).encode()
    own = shop.visitor.send("POST", "/book", body, {"content-type": FORM, "cookie": cookie})

    assert forms[0]["once"] != forms[1]["once"]
    assert (own.status, own.heading) == (409, "You have booked this already.")
    assert {link, f"{link}?do=move"} <= set(hrefs(own))
    assert shop.settle().booking.name == "Ann Lee"


@pytest.mark.spec("BK-32")
@pytest.mark.parametrize("minutes", [0, 15, -15])
def test_another_browser_gets_the_link_of_an_overlapping_booking_by_mail_only(
    shop: Shop, minutes: int
) -> None:
    """Anybody can type the contact of another person."""
    shop.given().book(at(10))
    told = shop.told("ann@example.org")

    page = shop.book(at(10) + timedelta(minutes=minutes), once="another form")

    assert (page.status, page.heading) == (409, "Is this a second appointment?")
    assert shop.links() not in page.body
    assert "10:00" not in page.says
    assert len(shop.bookings()) == 1
    assert len(shop.told("ann@example.org")) == len(told) + 1


@pytest.mark.spec("BK-32")
def test_a_second_yes_books_the_same_time_for_another_person_once(shop: Shop) -> None:
    shop.given().book()
    asked = shop.book(once="another form")

    pages = [shop.post("/book", **asked.fields) for _ in range(2)]

    assert asked.fields["another"] == "yes"
    assert [page.heading for page in pages] == ["It's booked.", "It's booked."]
    assert len(shop.bookings()) == 2


@pytest.mark.spec("BK-32")
def test_the_next_time_another_service_and_a_cancelled_visit_are_no_second_booking(
    shop: Shop,
) -> None:
    shop.given().book()
    later = shop.book(at(14), once="2")
    shop.do(CancelBooking(shop.bookings()[0].id, by_staff=True))
    again = shop.book(once="3")

    assert [later.heading, again.heading] == ["It's booked.", "It's booked."]


@pytest.mark.spec("FD-03")
def test_a_visitor_who_goes_back_to_the_form_and_sends_it_again_books_once(shop: Shop) -> None:
    chosen = shop.given().post("/book/choose", service="Haircut", at=text(at(10)))
    booked = shop.post("/book", **{**chosen.fields, **ANN})
    shop.wait(minutes=20)
    again = shop.get(chosen.url)

    repeated = shop.post("/book", **{**again.fields, **ANN})
    other = shop.post("/book", **{**again.fields, **ANN, "name": "Bob Lee"})

    assert again.fields["once"] != chosen.fields["once"]
    assert (repeated.heading, place(repeated)) == ("It's booked.", place(booked))
    assert [each.name for each in shop.bookings()] == ["Ann Lee", "Bob Lee"]
    assert other.heading == "It's booked."


def test_back_after_booking_leads_to_the_booking_and_never_says_that_it_was_taken(
    shop: Shop,
) -> None:
    """Only Mira does this service, so the time is gone for all other visitors."""
    chosen = shop.given(services=(replace(CUT, needs=(Need((MIRA,)),)),)).post(
        "/book/choose", service="Haircut", at=text(at(10))
    )
    booked = shop.post_only("/book", **{**chosen.fields, **ANN})
    cookie = booked.headers["set-cookie"].partition(";")[0]
    own = booked.headers["location"].removesuffix("?done=booked")

    back = shop.visitor.get(chosen.url, cookie=cookie)
    other = shop.visitor.get(chosen.url.replace("02%3A00Z", "02%3A30Z"), cookie=cookie)
    stranger = shop.get(chosen.url)

    assert (back.status, back.headers["location"]) == (303, own)
    assert (other.status, stranger.status) == (409, 409)
    assert "This one was just taken." in stranger.says


@pytest.mark.spec("FD-10")
def test_back_leads_nobody_to_a_booking_whose_contact_has_changed(shop: Shop) -> None:
    chosen = shop.given(services=(replace(CUT, needs=(Need((MIRA,)),)),)).post(
        "/book/choose", service="Haircut", at=text(at(10))
    )
    booked = shop.post_only("/book", **{**chosen.fields, **ANN})
    cookie = booked.headers["set-cookie"].partition(";")[0]
    person = shop.reads.person(shop.booking.person_id)
    assert person is not None

    shop.do(CorrectContact(person.id, person.name, "ann.lee@example.org", Role.OWNER))

    assert shop.visitor.get(chosen.url, cookie=cookie).status == 409


def test_the_form_says_how_long_the_booking_can_be_changed(shop: Shop) -> None:
    shop.given(services=(replace(CUT, change_notice=timedelta(hours=12)),))

    later = shop.get(f"/book/haircut?at={text(at(10))}")
    soon = shop.get(f"/book/haircut?at={text(at(17, on=TUESDAY - timedelta(days=1)))}")

    until = "You can move or cancel it online until 22:00 today (SGT)."
    assert until in later.says
    assert "This time is so soon that you can't move or cancel it online." in soon.says


def test_a_note_is_answered_with_what_comes_next(shop: Shop) -> None:
    shop.given()
    assert "For example: Haircut with Mira, Thursday" in shop.get("/book/ask").says

    page = shop.post("/book/ask", **ANN, note="A haircut on Thursday after 3, please.")

    assert page.heading == "We have your request."
    assert "Nothing is booked yet." in page.says


@pytest.mark.spec("BK-37")
def test_the_questions_of_the_service_are_asked_and_kept(shop: Shop) -> None:
    asking = replace(
        CUT,
        questions=(
            Question("note", "Anything we should know?"),
            Question("length", "Hair length", QuestionKind.CHOICE, ("Short", "Long")),
            Question("terms", "I agree", QuestionKind.CONSENT, required=True),
        ),
    )
    shop.given(services=(asking,))

    answers = {"answer-note": "Curly", "answer-length": "Long"}
    refused = shop.book(at(10), **answers)
    shop.book(at(10), **answers, **{"answer-terms": "yes"})

    assert refused.error_at("answer-terms") == "Please tick this to book."
    assert "Curly" in refused.body
    assert shop.booking.answers == {"note": "Curly", "length": "Long", "terms": "yes"}
    file = shop.get(f"{shop.links()}/calendar.ics")
    assert "Curly" not in file.body
    assert "Curly" not in shop.get(shop.links()).body


def test_a_party_is_booked_where_the_service_has_one(shop: Shop) -> None:
    table = replace(CUT, most=4)
    page = shop.given(services=(table,)).get("/book")

    assert "How many Just me" in page.says
    shop.book(party=3)
    assert shop.booking.party == 3


def test_a_larger_party_is_led_to_a_note(shop: Shop) -> None:
    page = shop.given(services=(replace(CUT, most=4),)).get("/book")

    assert "4 of us More than 4 Write us a note" in page.says
    assert "More than" not in shop.get("/book/embed").says


@pytest.mark.spec("BK-34")
def test_an_old_link_says_that_its_time_has_passed(shop: Shop) -> None:
    page = shop.given().get("/book/haircut?at=2020-01-01T02:00Z")

    assert page.status == 409
    assert "This time has passed. These are the next best times." in page.says


TOO_LARGE = (
    "You can book online for at most 4 people: these are times for 4. Are you 8?"
    " Please get in touch with us."
)


@pytest.mark.spec("BK-34")
@pytest.mark.parametrize("url", ["/book?party=8", "/book?q=Haircut+on+Friday+for+8+people"])
def test_the_page_says_that_a_party_is_too_large(shop: Shop, url: str) -> None:
    shop.given(services=(replace(CUT, most=4),))

    assert TOO_LARGE in shop.get(url).says
    assert TOO_LARGE not in shop.get(url.replace("8", "4")).says


def test_a_party_that_is_too_large_is_neither_held_nor_booked(shop: Shop) -> None:
    shop.given(services=(replace(CUT, most=4),))

    chosen = shop.post("/book/choose", service="Haircut", at=text(at(10)), party=8)
    booked = shop.book(party=8)

    assert [(page.status, TOO_LARGE in page.says) for page in (chosen, booked)] == [(422, True)] * 2
    assert 'name="name" value="Ann Lee"' in booked.body
    assert shop.bookings() == []


@pytest.mark.spec("BK-01")
@pytest.mark.parametrize(
    ("field", "value", "says"),
    [
        ("party", "-3", "We could not read how many you are."),
        ("party", "0", "We could not read how many you are."),
        ("party", "two", "We could not read how many you are."),
        ("party", "\x07", "We could not read how many you are."),
        ("staff", "nobody", "The person that you chose cannot be booked for Haircut."),
    ],
)
def test_a_form_that_cannot_be_read_is_neither_held_nor_booked_as_something_else(
    shop: Shop, field: str, value: str, says: str
) -> None:
    """A staff member may leave while the form is open: the form must not book another one."""
    shop.given(services=(replace(CUT, most=4),))
    before, typed = shop.served.dump(), {field: value}

    chosen = shop.post("/book/choose", service="Haircut", at=text(at(10)), **typed)
    booked = shop.book(at(10), **typed)

    assert [(page.status, says in page.says) for page in (chosen, booked)] == [(422, True)] * 2
    assert 'name="name" value="Ann Lee"' in booked.body
    assert shop.served.dump() == before


@pytest.mark.spec("BK-34")
def test_a_sentence_says_how_many_they_are(shop: Shop) -> None:
    page = shop.given(services=(replace(CUT, most=4),)).get("/book?q=Haircut+for+3+on+Friday")

    assert "How many 3 of us" in page.says
    assert 'name="party" value="3"' in page.body
    assert "/book/haircut?party=2" in hrefs(page), "another number than in the sentence"


def test_a_wished_staff_member_serves(shop: Shop) -> None:
    shop.given().book(staff="mira")

    assert (shop.booking.resources, shop.booking.anyone) == ((MIRA,), False)


# --- holds and races --------------------------------------------------------------------------


@pytest.mark.spec("BK-17")
def test_a_held_time_is_not_offered_to_others_and_stays_bookable_for_the_visitor(
    shop: Shop,
) -> None:
    shop.given(services=(SPA,))
    held = shop.post("/book/choose", service="Head spa", at=text(at(10)))

    others = shop.get("/book/head-spa?day=2026-11-17")
    lost = shop.book(service="Head spa", contact="bob@example.org")
    mine = shop.post("/book", **{**held.fields, **ANN})

    assert text(at(10)) not in times_in(others)
    assert lost.status == 409
    assert mine.heading == "It's booked."


@pytest.mark.spec("BK-17")
def test_the_form_of_a_held_time_stays_open_when_its_notice_passes(shop: Shop) -> None:
    shop.given(services=(replace(SPA, notice=timedelta(hours=2)),))
    soonest = times_in(shop.get("/book/head-spa"))[0]
    held = shop.post("/book/choose", service="Head spa", at=soonest)
    shop.wait(minutes=3)

    again = shop.get(place(held))

    assert soonest == text(shop.now + timedelta(hours=2) - timedelta(minutes=3))
    assert again.heading == "Your details"
    assert shop.post("/book", **{**again.fields, **ANN}).heading == "It's booked."


@pytest.mark.spec("BK-17")
def test_a_hold_ends_by_itself(shop: Shop) -> None:
    shop.given(services=(SPA,))
    held = shop.post("/book/choose", service="Head spa", at=text(at(10)))
    shop.wait(minutes=6)

    assert text(at(10)) in times_in(shop.get("/book/head-spa?day=2026-11-17"))
    late = shop.get(place(held))
    assert "We hold this time" not in late.says
    assert shop.post("/book", **{**late.fields, **ANN}).heading == "It's booked."


def test_choosing_another_time_moves_the_hold(shop: Shop) -> None:
    shop.given(services=(SPA,))
    first = shop.post("/book/choose", service="Head spa", at=text(at(10)))

    second = shop.post(
        "/book/choose", service="Head spa", at=text(at(15)), hold=first.fields["hold"]
    )

    free = times_in(shop.get("/book/head-spa?day=2026-11-17"))
    assert second.heading == "Your details"
    assert (text(at(10)) in free, text(at(15)) in free) == (True, False)


def test_ones_own_hold_counts_as_free_on_the_way_back(shop: Shop) -> None:
    shop.given(services=(SPA,))
    held = shop.post("/book/choose", service="Head spa", at=text(at(10)))

    back = shop.get(f"/book/head-spa?day=2026-11-17&hold={held.fields['hold']}")

    assert text(at(10)) in times_in(back)


def test_without_holds_a_time_is_chosen_all_the_same(shop: Shop) -> None:
    chosen = shop.given(hold_for=timedelta()).post(
        "/book/choose", service="Haircut", at=text(at(10))
    )

    assert chosen.heading == "Your details"
    assert "We hold this time" not in chosen.says
    assert shop.post("/book", **{**chosen.fields, **ANN}).heading == "It's booked."


def test_a_visitor_whose_holds_are_used_up_is_not_told_that_a_time_is_held(shop: Shop) -> None:
    shop.given()
    chosen = [
        shop.post("/book/choose", service="Haircut", at=text(at(hour))) for hour in (10, 11, 14, 15)
    ]

    assert ["We hold this time" in page.says for page in chosen] == [True, True, True, False]
    assert {page.heading for page in chosen} == {"Your details"}
    assert "hold=" not in place(chosen[3])
    assert shop.post("/book", **{**chosen[3].fields, **ANN}).heading == "It's booked."


@pytest.mark.spec("BK-11")
def test_after_a_lost_race_the_page_shows_the_next_best_times_and_keeps_the_input(
    shop: Shop,
) -> None:
    shop.given(services=(SPA,))
    shop.book(service="Head spa", contact="bob@example.org")

    lost = shop.book(service="Head spa")

    assert lost.status == 409
    assert "This one was just taken. These are the next best times." in lost.says
    assert (lost.fields["name"], lost.fields["contact"]) == (ANN["name"], ANN["contact"])
    assert [each for each in hrefs(lost) if "ann" in each.lower()] == []
    again = shop.post("/book/choose", **lost.fields, at=times_in(lost)[0])
    assert (again.fields["name"], again.fields["contact"]) == (ANN["name"], ANN["contact"])
    assert "ann" not in place(again)
    assert shop.post("/book", **again.fields).heading == "It's booked."


def test_a_time_that_is_taken_when_it_is_chosen_shows_others(shop: Shop) -> None:
    shop.given(services=(SPA,)).book(service="Head spa")

    page = shop.post("/book/choose", service="Head spa", at=text(at(10)))

    assert page.status == 409
    assert "This one was just taken." in page.says


def test_a_link_to_a_time_that_was_taken_meanwhile_shows_others(shop: Shop) -> None:
    shop.given(services=(SPA,)).book(service="Head spa")

    page = shop.get(f"/book/head-spa?at={text(at(10))}")

    assert "This one was just taken. These are the next best times." in page.says
    assert text(at(11)) in times_in(page)


@pytest.mark.parametrize("hour", [3, 12, 20])
def test_a_time_that_does_not_exist_cannot_be_booked(shop: Shop, hour: int) -> None:
    page = shop.given().book(at(hour))

    assert page.status == 409
    assert shop.bookings() == []


# --- approval and limits ----------------------------------------------------------------------


@pytest.mark.spec("BK-33")
def test_a_request_waits_for_approval_and_its_page_says_so(shop: Shop) -> None:
    shop.given(services=(replace(CUT, approval=Approval.ALWAYS),))
    form = shop.get(f"/book/haircut?at={text(at(10))}")

    page = shop.book()

    assert "We confirm each request ourselves." in form.says
    assert form.buttons[-1] == "Request this time"
    assert page.heading == "Your request is waiting for approval."
    assert "Add to your calendar" not in page.says
    assert shop.get(f"{shop.links()}/calendar.ics").status == 404


@pytest.mark.spec("BK-33")
def test_first_visits_get_the_same_answer_as_known_customers(shop: Shop) -> None:
    shop.given()
    shop.book(at(9), contact="known@example.org")
    first_visits = replace(CUT, approval=Approval.FIRST_VISIT)
    shop.do(SetRules(replace(RULES, services=(first_visits,))))

    known = shop.book(at(14), contact="known@example.org")
    new = shop.book(at(15), contact="new@example.org")

    states = {one.email: one.status for one in shop.bookings() if one.starts_at > at(10)}
    assert states == {
        "known@example.org": BookingStatus.CONFIRMED,
        "new@example.org": BookingStatus.PENDING,
    }
    assert known.says == new.says
    assert known.heading == "We have your request."


def test_the_cookie_of_a_booking_opens_no_page(shop: Shop) -> None:
    """A stranger could type somebody's contact and learn whether the booking was confirmed at
    once."""
    shop.given(services=(replace(CUT, approval=Approval.FIRST_VISIT),))

    made = shop.post_only("/book", service="Haircut", at=text(at(14)), **ANN)
    token = made.headers["set-cookie"].partition(";")[0].partition("=")[2]

    assert shop.get(f"/l/{token}").status == 404


@pytest.mark.spec("BK-32")
def test_too_many_upcoming_bookings_are_refused_without_telling_about_them(shop: Shop) -> None:
    shop.given(services=(replace(CUT, most_upcoming=1),))
    shop.book(at(9))

    page = shop.book(at(14))

    assert (page.status, page.heading) == (409, "This could not be booked online.")
    assert "we have sent you the links to move or cancel them" in page.says
    assert "Did somebody else book in your name?" in page.says
    assert "/book/ask" in hrefs(page)
    assert "09:00" not in page.says
    assert shop.told("ann@example.org")[-1].startswith("Your link: Haircut on Tuesday 17 November")
    assert len(shop.bookings()) == 1


@pytest.mark.spec("BK-32")
def test_the_browser_that_made_the_booking_is_led_to_move_it(shop: Shop) -> None:
    shop.given(services=(replace(CUT, most_upcoming=1),))
    form = {"service": "Haircut", **ANN}
    first = shop.post_only("/book", at=text(at(9)), **form)
    cookie = {"cookie": first.headers["set-cookie"].partition(";")[0], "content-type": FORM}
    move = "Move the appointment that you have"

    again = urlencode({**form, "at": text(at(14))}).encode()
    page = shop.visitor.send("POST", "/book", again, cookie)

    assert (page.status, move in page.says) == (409, True)
    assert shop.links().partition("/l/")[2] in page.body
    assert move not in shop.book(at(14)).says, "another browser"


# --- private links ----------------------------------------------------------------------------


@pytest.mark.spec("BK-36")
def test_an_unlisted_service_is_booked_by_its_private_link_only(shop: Shop) -> None:
    shop.given(services=(CUT, replace(SPA, unlisted=True)))
    key = service_key("Head spa", shop.served.desk.product.keys)

    page = shop.get(f"/book/head-spa?key={key}")
    refused = shop.book(service="Head spa", contact="bob@example.org")
    booked = shop.book(service="Head spa", key=key)

    assert "Head spa" not in shop.get("/book").says
    assert shop.get("/book/head-spa").status == 404
    assert "Service Head spa 1 hour" in page.says
    assert refused.status == 404
    assert booked.heading == "It's booked."


# --- abuse ------------------------------------------------------------------------------------


def test_a_robot_that_fills_in_everything_books_nothing(shop: Shop) -> None:
    page = shop.given().book(website="https://spam.example")

    assert (page.status, page.heading) == (200, "We have your request.")
    assert shop.bookings() == []


def test_one_visitor_cannot_hold_the_whole_day(shop: Shop) -> None:
    shop.given(services=(SPA,))

    for hour in (9, 10, 11, 13, 14, 15, 16, 17):
        shop.post("/book/choose", service="Head spa", at=text(at(hour)))

    free = times_in(shop.get("/book/head-spa?day=2026-11-17"))
    assert text(at(15)) in free
    assert text(at(9)) not in free


def test_one_contact_gets_few_bookings_from_any_visitor(shop: Shop) -> None:
    shop.given(services=(replace(CUT, most_upcoming=1_000),))
    starts = [at(9 + n // 4, 15 * (n % 4), on=date(2026, 11, 18)) for n in range(12)]
    starts += [each + timedelta(days=1) for each in starts]

    answers = [shop.book(each).status for each in starts[::2]]

    assert answers.count(200) <= 10
    assert 409 in answers


def test_very_many_requests_of_one_visitor_are_paused(shop: Shop) -> None:
    shop.given()

    answers = [shop.post_only("/book", service="Haircut").status for _ in range(32)]

    assert answers.index(429) == 30


def test_a_huge_form_is_refused(shop: Shop) -> None:
    shop.given()

    page = shop.post_only("/book", name="x" * 1_000_000)

    assert page.status == 400


def test_names_with_markup_are_text(shop: Shop) -> None:
    page = shop.given().book(name="<script>alert(1)</script>", contact="")

    assert "<script>alert" not in page.body
