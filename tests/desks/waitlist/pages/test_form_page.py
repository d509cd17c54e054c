"""The form of the waitlist, over real HTTP and without JavaScript."""

from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest

from frontdesk.desks.waitlist.commands import LeaveList, SetCatalogue, StopOffers
from frontdesk.desks.waitlist.model import EntryStatus, Wish
from frontdesk.features.catalogue.model import Catalogue, Service
from frontdesk.values import replace
from frontdesk.web.limits import Limits
from tests.desks.waitlist.pages.salon import COLOUR, SHOP, SPA, Salon, links_in, salon_at
from tests.support.server import FORM, Page

FIRST, LAST = date(2026, 11, 18), date(2026, 12, 2)
GOOD = {
    "name": "Ann Lee",
    "mobile": "9123 4567",
    "email": "",
    "service": COLOUR.name,
    "earliest": FIRST.isoformat(),
    "latest": LAST.isoformat(),
    "staff": "",
}
WANTED = Wish(COLOUR.name, 1, FIRST, LAST)


@pytest.fixture(scope="module")
def unchanging(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Salon]:
    """Provides a server for all tests that change nothing."""
    with salon_at(tmp_path_factory.mktemp("data")) as salon:
        salon.given("bob")
        salon.served.desk.product.site.limits = Limits(enabled=False)
        yield salon


def send(salon: Salon, path: str = "/waitlist", **typed: object) -> Page:
    page = salon.visitor.post(path, **{**GOOD, **typed})
    salon.settle()
    return page


# --- content ----------------------------------------------------------------------------------


@pytest.mark.spec("WL-04")
def test_the_form_shows_the_services_and_explains_joining(salon: Salon) -> None:
    page = salon.given().visitor.get("/waitlist")

    assert (page.status, page.heading) == (200, "Join the waitlist")
    assert "we offer it to you and hold it for 10 minutes." in page.says
    assert "Cut and colour 2 hours · S$120.00 Head spa 45 minutes" in page.says
    assert "Anyone Mia Jo" in page.says
    assert "Just me 2 of us 3 of us" in page.says
    assert (page.fields["earliest"], page.fields["latest"]) == ("2026-11-16", "2026-12-14")
    assert 'min="2026-11-16" max="2027-11-16"' in page.body


def test_a_choice_with_one_option_is_not_shown(salon: Salon) -> None:
    salon.given(shop=Catalogue((COLOUR,)))

    page = salon.visitor.get("/waitlist")

    assert page.fields.keys() >= {"service", "name", "mobile", "email"}
    assert page.fields.keys().isdisjoint({"party", "staff"})
    assert 'value="Cut and colour" checked' in page.body


def test_many_services_are_a_list_that_opens(salon: Salon) -> None:
    salon.given(shop=Catalogue(tuple(Service(f"Massage {n}") for n in range(9))))

    page = salon.visitor.get("/waitlist")

    assert '<select class="input" id="f-service"' in page.body
    assert "Please choose Massage 0 · 1 hour" in page.says
    assert send(salon, service="Massage 8").heading == "You're on the list."


def test_without_any_service_the_waitlist_is_not_open_yet(salon: Salon) -> None:
    pages = [
        salon.visitor.get("/waitlist"),
        salon.visitor.get("/waitlist/embed"),
        send(salon),
        send(salon, "/waitlist/embed"),
    ]

    for page in pages:
        assert (page.status, page.heading) == (200, "The waitlist is not open yet.")
        assert page.buttons == []
    assert salon.listed() == []


# --- joining ----------------------------------------------------------------------------------


@pytest.mark.spec("WL-04")
def test_a_good_row_is_on_the_list_at_once(salon: Salon) -> None:
    salon.given()

    page = salon.visitor.post("/waitlist", **{**GOOD, "email": "Ann@Example.org", "staff": "mia"})

    assert (page.status, page.heading) == (200, "You're on the list.")
    assert salon.listed() == [("Ann Lee", replace(WANTED, staff="Mia"))]
    assert "When Wednesday 18 November to Wednesday 2 December With Mia" in page.says
    assert "Contact +65 …⁠4567, a…⁠@example.org" in page.says.replace("\u00a0", " ")


@pytest.mark.spec("WL-04")
def test_a_number_or_an_address_is_enough(salon: Salon) -> None:
    salon.given()

    send(salon, name="Ann", mobile="+65 9123 4567")
    send(salon, name="Bob", mobile="", email="bob@example.org")

    assert [name for name, _ in salon.listed()] == ["Ann", "Bob"]
    (text,), (mail,) = salon.told("+6591234567"), salon.told("bob@example.org")
    for kept in (text, mail):
        page = salon.visitor.get(links_in(kept)[0])
        assert page.heading.endswith("in line for Cut and colour.")


@pytest.mark.spec("WL-04")
def test_a_number_without_a_country_is_from_where_the_business_is(tmp_path: Path) -> None:
    with salon_at(tmp_path, country="DE") as salon:
        salon.given()
        send(salon, mobile="0171 1234567")

        assert len(salon.told("+491711234567")) == 1


def test_where_no_texts_can_be_sent_an_address_is_needed(tmp_path: Path) -> None:
    with salon_at(tmp_path, texts="none") as salon:
        salon.given()

        refused, taken = send(salon), send(salon, email="ann@example.org")

        assert refused.error_at("email") == "Please give an e-mail address."
        assert taken.heading == "You're on the list."


@pytest.mark.spec("WL-05")
def test_joining_twice_is_one_entry_and_sends_the_link_with_which_to_change_it(
    salon: Salon,
) -> None:
    salon.given()
    send(salon, name="Ann", email="ann@example.org", mobile="")
    send(salon, name="Bob", email="bob@example.org", mobile="")
    salon.wait(days=1)

    page = send(salon, name="Ann", email=" ANN@example.org", mobile="", latest="2026-11-30")

    assert page.heading == "You're on the list."
    assert salon.listed() == [("Ann", WANTED), ("Bob", WANTED)]
    last = salon.told("ann@example.org")[-1]
    assert last.subject == "Your own link for Cut and colour"
    assert (
        salon.visitor.get(links_in(last)[0]).heading == "You're first in line for Cut and colour."
    )


@pytest.mark.spec("WL-05", "FD-28")
@pytest.mark.parametrize("path", ["/waitlist", "/waitlist/embed"])
def test_a_stranger_with_an_address_changes_nothing_and_takes_no_offer(
    salon: Salon, path: str
) -> None:
    salon.given("ann", "bob").free()
    before, whose = salon.entry("ann"), salon.person("ann")
    assert salon.tried() == [("ann", "live")]

    typed = {"name": "Mallory", "email": "ann@example.org", "mobile": "9876 5432"}
    stranger = send(salon, path, **{**typed, "email": "new@example.org"})
    page = send(salon, path, **typed, earliest="2026-12-01", latest="2026-12-02", staff="Jo")

    assert (page.status, page.heading) == (stranger.status, stranger.heading)
    assert (salon.entry("ann"), salon.person("ann")) == (before, whose)
    assert salon.tried() == [("ann", "live")]
    assert salon.told("+6598765432")[1:] == []  # messages for the other person with this number
    assert salon.told("ann@example.org")[-1].subject == "Your own link for Cut and colour"


@pytest.mark.spec("WL-05")
def test_a_priority_stays_whatever_the_form_says(salon: Salon) -> None:
    salon.given().join("ann", wish=replace(WANTED, priority=True))

    send(salon, email="ann@example.org", mobile="", latest="2026-11-20", priority="")

    assert salon.listed() == [("Ann", replace(WANTED, priority=True))]


@pytest.mark.spec("WL-05", "FD-28")
def test_however_often_an_address_is_typed_one_link_goes_to_it_in_six_hours(salon: Salon) -> None:
    salon.given("ann").served.desk.product.site.limits = Limits(enabled=False)

    for _ in range(5):
        send(salon, email="ann@example.org", mobile="")
    soon = len(salon.told("ann@example.org"))
    salon.wait(hours=6)
    send(salon, email="ann@example.org", mobile="")

    assert (soon, len(salon.told("ann@example.org"))) == (2, 3)  # the first one is about joining


@pytest.mark.spec("WL-05", "WL-19")
def test_typing_the_address_of_somebody_with_a_slot_does_not_take_it_away(salon: Salon) -> None:
    salon.given("ann").free()
    salon.take(salon.offer_link("ann"))

    send(salon, email="ann@example.org", mobile="")
    kept = (salon.status("ann"), salon.slot().booked_by)
    salon.wait(days=1)
    send(salon, email="ann@example.org", mobile="")

    assert kept == (EntryStatus.BOOKED, salon.entries["ann"])
    assert salon.status("ann") is EntryStatus.WAITING, "the slot is over: they wait for another"


@pytest.mark.spec("WL-05")
def test_the_link_goes_by_mail_as_the_number_may_be_somebody_elses(salon: Salon) -> None:
    salon.given()
    send(salon, name="Mallory", email="ann@example.org", mobile="9876 5432")

    send(salon, name="Ann", email="ann@example.org", mobile="9123 4567")

    assert [one.subject for one in salon.told("ann@example.org")] == [
        "You are on the list for Cut and colour",
        "Your own link for Cut and colour",
    ]
    assert salon.told("+6598765432") == salon.told("+6591234567") == []


@pytest.mark.spec("WL-05", "FD-28")
def test_offers_do_not_go_to_a_number_given_with_somebody_elses_address(
    salon: Salon,
) -> None:
    salon.given()
    send(salon, email="ann@example.org", mobile="9876 5432", earliest="2026-11-16")
    anns = links_in(salon.told("ann@example.org")[0])[0]
    before = salon.visitor.post(anns, do="confirm-number")

    removed = salon.visitor.post(anns, do="remove-number")
    salon.settle()
    salon.free()

    assert "Offers go by text to +65 …\u20605432." in before.says
    assert removed.heading == "This number is removed."
    assert "a…\u2060@example.org" in removed.says
    assert salon.visitor.get(anns).status == 410
    assert [one.subject.split(",")[0] for one in salon.told("ann@example.org")[1:]] == [
        "Your own link for Cut and colour",
        "Cut and colour on Monday 16 November",
    ]
    assert salon.told("+6598765432") == []
    page = salon.visitor.get(links_in(salon.told("ann@example.org")[1])[0])
    assert page.status == 200
    assert "This is not my number" not in page.says


@pytest.mark.spec("WL-05")
def test_a_number_to_which_no_text_goes_is_not_asked_about(salon: Salon) -> None:
    salon.given()
    send(salon, email="ann@example.org", mobile="+44 20 7946 0958")

    page = salon.visitor.get(links_in(salon.told("ann@example.org")[0])[0])

    assert page.heading == "You're first in line for Cut and colour."
    assert "This is not my number" not in page.says


@pytest.mark.spec("WL-05", "FD-04")
def test_a_number_without_an_address_stays_as_nothing_else_reaches_them(salon: Salon) -> None:
    salon.given()
    send(salon, email="", mobile="9876 5432")
    link = links_in(salon.told("+6598765432")[0])[0]

    page = salon.visitor.get(link)
    salon.visitor.post(link, do="remove-number")

    assert "This is not my number" not in page.says
    assert salon.visitor.get(link).status == 200


@pytest.mark.spec("FD-03")
def test_a_form_that_is_sent_twice_joins_once_even_after_they_have_left(salon: Salon) -> None:
    salon.given()
    once = salon.visitor.get("/waitlist").fields["once"]
    first = send(salon, once=once)
    (entry,) = salon.reads.entries(status=EntryStatus.WAITING)
    salon.do(LeaveList(entry.id))

    again = send(salon, once=once)
    left = salon.listed()
    anew = send(salon, once=salon.visitor.get("/waitlist").fields["once"])

    assert first.says == again.says == anew.says
    assert (left, salon.listed()) == ([], [("Ann Lee", WANTED)])


@pytest.mark.spec("FD-11", "FD-28")
def test_the_answer_is_the_same_whoever_is_known_here(salon: Salon) -> None:
    salon.given("bob", "cat", "dan")
    salon.do(LeaveList(salon.entries["cat"]))
    salon.do(StopOffers(salon.person("dan").id))
    same = {"name": "X", "mobile": ""}

    pages = [
        send(salon, **same, email=f"{who}@example.org") for who in ("bob", "cat", "dan", "eve")
    ]
    again = send(salon, **same, email="eve@example.org")

    said = {page.says.replace(f"{who}…", "…") for who, page in zip("bcde", pages, strict=True)}
    assert said | {again.says.replace("e…", "…")} == said
    assert len(said) == 1
    assert salon.status("dan") is EntryStatus.STOPPED
    for page in pages:
        assert "/l/" not in page.body
        assert "@example.org" not in page.body.replace("…\u2060@example.org", "")


@pytest.mark.spec("FD-28")
def test_a_robot_that_fills_the_hidden_field_sees_success_and_changes_nothing(
    salon: Salon,
) -> None:
    salon.given()
    before = salon.served.dump()

    robot = send(salon, website="https://spam.example")
    unchanged = salon.served.dump() == before
    person = send(salon)

    assert unchanged
    assert (robot.status, robot.says) == (200, person.says)


@pytest.mark.spec("WL-04", "FD-28")
def test_one_address_can_put_a_family_on_the_list_but_not_a_town(salon: Salon) -> None:
    seconds = [0.0]
    salon.given().served.desk.product.site.limits = Limits(lambda: seconds[0])

    answers = [send(salon, email=f"guest{n}@example.org").status for n in range(21)]
    seconds[0] = 6
    later = [send(salon, email=f"later{n}@example.org").status for n in range(2)]

    assert answers == [200] * 20 + [429]
    assert later == [200, 429]
    assert salon.visitor.get("/waitlist").status == 200


# --- invalid input ----------------------------------------------------------------------------

BAD = [
    ({"name": ""}, {"name": "Please give a name."}),
    ({"mobile": ""}, {"mobile": "Please give an e-mail address or a mobile number."}),
    ({"mobile": "12"}, {"mobile": "That phone number is too short: is a digit missing?"}),
    (
        {"mobile": "6123 4567"},
        {
            "mobile": "Texts don't reach this number."
            " Please give a mobile number or an e-mail address."
        },
    ),
    (
        {"mobile": "", "email": "ann"},
        {"email": "Please give one e-mail address, like ann@example.org."},
    ),
    ({"service": ""}, {"service": "Please choose one of these."}),
    ({"service": "Root canal"}, {"service": "Please choose one of these."}),
    ({"staff": "Zoe"}, {"staff": "Please choose one of these."}),
    ({"party": "2"}, {"party": "This is for at most 1 person at a time."}),
    (
        {"service": SPA.name, "party": "4"},
        {"party": "This is for at most 3 people at a time."},
    ),
    ({"party": "-1"}, {"party": "This is for at most 1 person at a time."}),
    ({"party": "²"}, {"party": "This is for at most 1 person at a time."}),
    ({"earliest": "2026-11-15"}, {"earliest": "This day has passed."}),
    ({"earliest": ""}, {"earliest": "Please give a day, like 2026-11-20."}),
    ({"earliest": "20261120"}, {"earliest": "Please give a day, like 2026-11-20."}),
    ({"latest": "2026-02-30"}, {"latest": "Please give a day, like 2026-11-20."}),
    ({"latest": "2026-11-17"}, {"latest": "This is before the first day."}),
    ({"latest": "2027-11-17"}, {"latest": "Please choose a day within a year."}),
    (
        {"name": "<>", "mobile": "x", "email": "a b@c", "service": "x", "latest": "x"},
        {
            "service": "Please choose one of these.",
            "latest": "Please give a day, like 2026-11-20.",
            "name": "Please give a name.",
            "mobile": "Please give one phone number, in digits, like +65 6123 4567.",
            "email": "An e-mail address has no spaces in it.",
        },
    ),
]
FIELDS = ("name", "mobile", "email", "service", "party", "earliest", "latest", "staff")


@pytest.mark.spec("WL-04", "FD-27")
@pytest.mark.parametrize(("typed", "errors"), BAD)
def test_an_error_is_shown_at_its_field_and_the_input_is_kept(
    unchanging: Salon, typed: dict[str, str], errors: dict[str, str]
) -> None:
    before = unchanging.served.dump()

    page = send(unchanging, **typed)

    kept = ("name", "mobile", "email", "earliest", "latest")
    assert page.status == 422
    assert {at: page.error_at(at) for at in FIELDS if page.error_at(at)} == errors
    assert {name: page.fields[name] for name in kept} == {
        name: {**GOOD, **typed}[name] for name in kept
    }
    assert unchanging.served.dump() == before


@pytest.mark.spec("FD-29")
@pytest.mark.parametrize("path", ["/waitlist", "/waitlist/embed"])
def test_any_input_is_shown_as_text(unchanging: Salon, path: str) -> None:
    typed = {name: f"<i>{name}\"'" for name in (*FIELDS, "once")}

    page = send(unchanging, path, **typed)

    assert page.status == 422
    assert "<i>" not in page.body
    assert {name: page.fields[name] for name in ("name", "mobile", "email", "once")} == {
        name: typed[name] for name in ("name", "mobile", "email", "once")
    }


def test_the_choices_stay_when_an_error_is_shown(unchanging: Salon) -> None:
    page = send(unchanging, name="", service=SPA.name, party="3", staff="Jo")

    assert 'value="Head spa" checked' in page.body
    assert '<option value="3" selected>' in page.body
    assert '<option value="Jo" selected>' in page.body


def test_a_service_that_is_given_up_meanwhile_is_said_beside_its_field(salon: Salon) -> None:
    salon.given().do(SetCatalogue(replace(SHOP, services=(SPA,))))

    page = send(salon)

    assert (page.status, page.error_at("service")) == (422, "Please choose one of these.")
    assert salon.listed() == []


BAD_BODIES = [
    (b"\xff\xfe\x00", FORM, 400),
    (b"a=1&" * 500, FORM, 400),
    (b"name=" + b"x" * 70_000, FORM, 400),
    (b"%%%%", FORM, 422),
    (b"", "text/plain", 422),
    (b"no parts at all", "multipart/form-data; boundary=x", 400),
    (b"{", "application/json", 400),
    (b"[]", "application/json", 400),
    (b"{}", "application/json", 422),
]


@pytest.mark.spec("FD-27")
@pytest.mark.parametrize(("body", "kind", "status"), BAD_BODIES)
@pytest.mark.parametrize("path", ["/waitlist", "/api/waitlist"])
def test_a_body_that_makes_no_sense_gets_a_clear_answer_and_changes_nothing(
    unchanging: Salon, path: str, body: bytes, kind: str, status: int
) -> None:
    before = unchanging.served.dump()

    page = unchanging.visitor.send("POST", path, body, {"content-type": kind})

    assert page.status == status
    assert page.body
    assert unchanging.served.dump() == before


@pytest.mark.spec("FD-09")
def test_looking_at_the_form_changes_nothing(unchanging: Salon) -> None:
    before = unchanging.served.dump()

    for path in ("/waitlist", "/waitlist/embed", "/api/waitlist"):
        assert unchanging.visitor.get(f"{path}?name=Ann&service=x").status == 200
        assert unchanging.visitor.head(path).status == 200

    assert unchanging.served.dump() == before


# --- on another site --------------------------------------------------------------------------


def test_only_the_embedded_form_can_be_framed_and_it_stays_in_its_frame(salon: Salon) -> None:
    salon.given()

    plain, framed = (salon.visitor.get(path) for path in ("/waitlist", "/waitlist/embed"))
    wrong, answer = send(salon, "/waitlist/embed", name=""), send(salon, "/waitlist/embed")

    assert plain.headers["x-frame-options"] == "DENY"
    for page in (framed, wrong, answer):
        assert "x-frame-options" not in page.headers
        assert "public-head" not in page.body
        assert '"/waitlist/embed"' in page.body
    assert (answer.heading, [name for name, _ in salon.listed()]) == (
        "You're on the list.",
        ["Ann Lee"],
    )
