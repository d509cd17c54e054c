"""The console as a whole: the access of each role, forged forms, and pages that change nothing."""

import re
from datetime import UTC, datetime

import pytest
from starlette.routing import Route

from frontdesk.core.decision import Accepted
from frontdesk.core.mail import KeepMail, MailId, RawMail
from frontdesk.core.members import Role
from frontdesk.core.people import PersonId
from frontdesk.desks.admin.commands import SetBusiness
from frontdesk.desks.admin.console.today import urgency
from frontdesk.desks.admin.desk import OWNER_EMAIL
from frontdesk.desks.admin.model import Business
from frontdesk.desks.admin.reads import MessageFilter
from frontdesk.web.console.sections import TodayCard
from tests.support.admin import AdminDesk
from tests.support.browser import Answer, Browser

EVERYBODY = {"/health", "/metrics", "/sign-in", "/sign-in/{token}"}
OWNERS_ONLY = {"/console/team"}
ANY_MEMBER = {"/console", "/console/you"}


def paths(desk: AdminDesk, method: str) -> list[str]:
    """Returns every path of the site that takes this method, with real ids."""
    desk.settle()
    send = desk.fd.messages(MessageFilter(), limit=1)[0].send
    desk.product.store.add_dead_letter("send", send.id, "no", at=desk.clock.now(), cause=None)
    mail = RawMail(MailId("m1"), desk.clock.now(), "", "desk@example.org", b"Subject: Hello\n\n")
    if desk.product.engine.reads().engine.raw_mail(mail.id) is None:
        kept = Accepted((KeepMail(mail),))
        desk.product.store.commit(kept, by="test", at=desk.clock.now())
    values = {
        "send_id": send.id,
        "mail_id": mail.id,
        "person_id": desk.person(OWNER_EMAIL).id,
        "member_id": desk.fd.owners()[0].id,
        "letter_id": str(desk.fd.problems(1)[0].id),
        "seq": "1",
        "kind": "sign_in",
        "trouble": "model",
        "token": "x",
    }
    found = []
    for route in desk.app.routes:
        assert isinstance(route, Route)
        if method in (route.methods or ()) and not route.path.startswith("/static"):
            names = re.sub(r":\w+", "", route.path)
            found.append((route.path, names.format(**values)))
    return [path for pattern, path in found if pattern not in EVERYBODY]


@pytest.fixture
def busy(desk: AdminDesk) -> AdminDesk:
    """Has members of the team, a message and a problem."""
    desk.printed_link()
    desk.invite("Sam", Role.STAFF)
    desk.settle()
    return desk


@pytest.mark.spec("FD-09")
def test_no_get_and_no_head_changes_anything(busy: AdminDesk) -> None:
    browser = busy.owner()
    pages = [*paths(busy, "GET"), "/health", "/metrics", "/sign-in"]
    before = busy.dump()
    answers = {
        (path, method): browser.ask(method, path) for path in pages for method in ("GET", "HEAD")
    }

    assert busy.dump() == before
    unexpected = {
        key: each.status for key, each in answers.items() if each.status not in (200, 303)
    }
    assert unexpected == {}
    assert len(pages) >= 18


@pytest.mark.spec("FD-29")
def test_no_form_is_taken_without_the_token_of_the_session(busy: AdminDesk) -> None:
    browser, other = busy.owner(), busy.owner()
    posts = paths(busy, "POST")
    forged = other.get("/console").csrf
    before = busy.dump()

    for path in posts:
        assert browser.post(path).status == 403, path
        assert browser.post(path, csrf="").status == 403, path
        assert browser.post(path, csrf=forged).status == 403, path

    assert busy.dump() == before
    assert len(posts) >= 15


@pytest.mark.spec("FD-29")
@pytest.mark.parametrize(
    "headers", [{"origin": "https://evil.example"}, {"sec-fetch-site": "cross-site"}]
)
def test_no_form_is_taken_from_another_site_even_with_the_token(
    busy: AdminDesk, headers: dict[str, str]
) -> None:
    browser = busy.owner()
    token = browser.get("/console").csrf
    browser.sends = headers
    posts = paths(busy, "POST")
    before = busy.dump()

    assert {browser.post(path, csrf=token).status for path in posts} == {403}
    assert busy.dump() == before


@pytest.mark.spec("FD-21")
def test_nobody_sees_a_page_without_signing_in(busy: AdminDesk) -> None:
    stranger = busy.browser()
    wanted = paths(busy, "GET")
    before = busy.dump()

    assert {stranger.get(path).location.partition("?")[0] for path in wanted} == {"/sign-in"}
    assert {stranger.post(path).location for path in paths(busy, "POST")} == {"/sign-in"}
    assert stranger.get("/console", accept="application/json").status == 401
    assert [line for line in busy.dump() if "fd_dead_letter" not in line] == [
        line for line in before if "fd_dead_letter" not in line
    ]


@pytest.mark.spec("FD-21")
def test_a_host_sees_nothing_of_the_business_but_themselves(busy: AdminDesk) -> None:
    host = busy.member("Hana", Role.HOST, "1")
    seen = {path: host.get(path).status for path in paths(busy, "GET")}

    assert {path for path, status in seen.items() if status != 403} == ANY_MEMBER
    assert host.get("/console").location == "/console/e/1"
    assert host.get("/metrics").status == 404
    csrf = host.get("/console/you").csrf
    assert host.post("/console/settings", csrf=csrf, name="Mine").status == 403


@pytest.mark.spec("FD-21")
def test_staff_see_everything_but_the_team(busy: AdminDesk) -> None:
    staff = busy.member("Tom", Role.STAFF)
    seen = {path: staff.get(path).status for path in paths(busy, "GET") if "/people/" not in path}

    assert {path for path, status in seen.items() if status == 403} == OWNERS_ONLY
    answer = staff.post("/console/settings", csrf=staff.get("/console").csrf, name="Mine")
    assert answer.heading == "This page is not open to you."
    assert busy.fd.business() == Business()


@pytest.mark.spec("FD-29")
def test_staff_do_not_see_the_links_with_which_others_sign_in(busy: AdminDesk) -> None:
    """Anybody who can read these links could become an owner."""
    staff = busy.member("Tom", Role.STAFF)
    send = busy.fd.messages(MessageFilter(), limit=1)[0].send
    owner = busy.person(OWNER_EMAIL)

    assert staff.get("/console/messages").says.count("invited to the team") == 0
    assert staff.get(f"/console/messages/{send.id}").status == 404
    assert staff.get(f"/console/messages/{send.id}/html").status == 404
    assert staff.get(f"/console/people/{owner.id}/export.json").status == 403
    assert busy.owner().get(f"/console/messages/{send.id}").status == 200


@pytest.mark.spec("FD-29")
def test_every_page_has_strict_headers_and_is_in_no_frame(busy: AdminDesk) -> None:
    browser = busy.owner()
    for path in paths(busy, "GET"):
        if path.endswith((".json", "/html")):
            continue
        answer = browser.get(path)
        policy = answer.headers["content-security-policy"]
        assert "frame-ancestors 'none'" in policy
        assert "unsafe" not in policy
        assert (answer.headers["x-frame-options"], answer.headers["cache-control"]) == (
            "DENY",
            "no-store",
        )
        assert not re.search(r"<[^>]+\s(style|on\w+)=", answer.text), path


@pytest.mark.spec("FD-29")
def test_text_that_people_typed_is_shown_unchanged(busy: AdminDesk) -> None:
    hostile = "<img src=x onerror=alert(1)>"
    browser = busy.owner()
    for path in (
        f"/console/people?q={hostile}",
        f"/console/messages?q={hostile}&kind={hostile}&state={hostile}",
        f"/console/audit?kind={hostile}&about={hostile}&desk={hostile}",
        f"/console/settings?accent={hostile}",
    ):
        assert hostile not in browser.get(path.replace(" ", "%20")).text


@pytest.mark.spec("FD-27")
@pytest.mark.parametrize(
    "path",
    [
        "/console/messages/nothing",
        "/console/messages/nothing/html",
        "/console/people/nobody",
        "/console/people/nobody/export.json",
        "/console/people/nobody/erase",
        "/console/audit/999999",
        "/console/audit/99999999999999999999999",
        "/console/nowhere",
    ],
)
def test_a_missing_page_is_a_404(busy: AdminDesk, path: str) -> None:
    assert busy.owner().get(path).status == 404


@pytest.mark.spec("FD-27")
@pytest.mark.parametrize("page", ["0", "-1", "x", "99999999999", "²"])
def test_invalid_page_numbers_show_a_page_of_the_list(busy: AdminDesk, page: str) -> None:
    browser = busy.owner()
    for path in ("/console/messages", "/console/people"):
        assert browser.get(f"{path}?page={page}").status == 200
    assert browser.get(f"/console/audit?before={page}").status == 200


# --- Today, settings, audit -----------------------------------------------------------------


def test_settings_stand_below_the_names_of_their_desks(desk: AdminDesk) -> None:
    says = desk.owner().get("/console/settings").says

    assert "More settings Events Event defaults Quiet hours. All desks Consent to texts" in says


@pytest.mark.spec("FD-21")
def test_today_tells_a_new_business_what_to_do_first(desk: AdminDesk) -> None:
    browser = desk.owner()
    assert "Name your business" in browser.get("/console").says
    assert "Nothing needs you" in browser.get("/console").says
    assert "Check your time zone and country" in browser.get("/console").says
    assert "The console shows times of UTC." in browser.get("/console").says
    assert "are read as numbers of SG." in browser.get("/console").says
    assert "Country: SG." in browser.get("/console/settings").says

    desk.do(SetBusiness(Business(name="The Glasshouse")))
    browser.submit("/console/you", "/console/you", name="Mira", email="mira@example.org")

    assert "First steps" not in browser.get("/console").says


@pytest.mark.spec("FD-21")
def test_today_shows_what_needs_somebody_before_the_day(busy: AdminDesk) -> None:
    paths(busy, "GET")

    says = busy.owner().get("/console").says

    assert says.index("1 problem to look at") < says.index("The day") < says.index("12 of 40 seats")


@pytest.mark.spec("FD-21")
def test_today_lists_urgent_cards_first_and_in_each_rank_the_earliest() -> None:
    def card(title: str, state: str, hour: int | None = None) -> TodayCard:
        at = None if hour is None else datetime(2026, 11, 18, hour, tzinfo=UTC)
        return TodayCard(title=title, text="", url="", state=state, at=at)

    cards = [
        card("thanks", "neutral", 8),
        card("approve later", "waiting", 15),
        card("handed back", "ending", 16),
        card("approve", "waiting", 12),
        card("message", "ending"),
    ]

    ordered = [one.title for one in sorted(cards, key=urgency)]
    assert ordered == ["message", "handed back", "approve", "approve later", "thanks"]


@pytest.mark.spec("FD-21")
def test_the_business_is_named_and_coloured_by_its_owner(desk: AdminDesk) -> None:
    browser = desk.owner()
    after = save(browser, name="The Glasshouse", accent="#0f766e", zone="Asia/Singapore")

    assert after.flash == "Saved. Every page and every new mail looks like this now."
    assert desk.fd.business() == Business(
        name="The Glasshouse", accent="#0f766e", zone="Asia/Singapore"
    )
    page = desk.browser().get("/sign-in").text
    assert "The Glasshouse" in page
    assert "--accent:#0f766e" in page
    assert browser.get("/console/settings").flash == ""


def test_the_contact_of_the_business_is_on_every_public_page(desk: AdminDesk) -> None:
    save(
        desk.owner(),
        name="The Glasshouse",
        accent="#0f766e",
        zone="UTC",
        phone="+65 6123 4567",
        address="12 Kiln Lane, Singapore",
        website="www.glass.example",
    )

    page = desk.browser().get("/sign-in").text
    assert '<a href="tel:+6561234567">+65 6123 4567</a>' in page
    assert "12 Kiln Lane, Singapore" in page
    assert '<a href="https://www.glass.example" rel="noopener">glass.example</a>' in page


@pytest.mark.spec("FD-27")
@pytest.mark.parametrize(
    ("field", "value", "says"),
    [
        ("phone", "call me", "Please write a phone number, like +65 6123 4567."),
        ("website", "javascript:alert(1)", "Please write the address of a website"),
        ("name", "", "Please give a name."),
        ("accent", "red; } body {", "Please write the colour like #2b50d8."),
        ("zone", "Mars/Base", "Please choose a time zone of the list, like Europe/Berlin."),
        ("zone", "../../etc/passwd", "Please choose a time zone of the list"),
        ("sender_name", "Win www.evil.example", "Please give a name without a link"),
    ],
)
def test_a_setting_that_makes_no_sense_is_named_and_nothing_changes(
    desk: AdminDesk, field: str, value: str, says: str
) -> None:
    good = {"name": "Glasshouse", "accent": "#0f766e", "zone": "UTC", "sender_name": ""}
    answer = save(desk.owner(), **{**good, field: value})

    assert answer.status == 422
    assert says in answer.says
    assert desk.fd.business() == Business()


def test_a_colour_is_previewed_without_being_saved(desk: AdminDesk) -> None:
    browser = desk.owner()

    assert 'fill="#be185d"' in browser.get("/console/settings?accent=%23be185d").text
    tried = save(browser, name="Glasshouse", accent="#b45309", zone="UTC", do="preview")
    assert 'fill="#b45309"' in tried.text
    assert desk.fd.business() == Business()


def save(browser: Browser, **fields: str) -> Answer:
    return browser.submit("/console/settings", "/console/settings", **fields)


@pytest.mark.spec("FD-06")
def test_the_audit_shows_all_facts_newest_first_and_names_who_did_it(desk: AdminDesk) -> None:
    browser = desk.owner()
    save(browser, name="The Glasshouse", accent="#0f766e", zone="UTC")

    assert rows(browser, "/console/audit") == [
        "fd.business_changed",
        "fd.signed_in",
        "fd.sign_in_asked",
        "fd.owner_added",
    ]
    newest = browser.get(f"/console/audit/{len(desk.kinds())}")
    assert newest.heading == "Business changed"
    assert "By Owner" in newest.says
    assert "#0f766e" in newest.text


@pytest.mark.spec("FD-27")
@pytest.mark.parametrize("kind", ["ev.confirmed", "zz.from_the_future"])
def test_the_audit_shows_what_this_version_cannot_read_as_it_is_kept(
    desk: AdminDesk, kind: str
) -> None:
    browser = desk.owner()
    row = (1, "cli", kind[:2], kind, "x", "y", '{"colour":"<blue>"')
    with desk._db() as db, db:
        seq = db.execute(
            "INSERT INTO fd_fact (at, by, desk, kind, subject, about, body)"
            " VALUES (?, ?, ?, ?, ?, ?, ?)",
            row,
        ).lastrowid
    desk.settle()

    assert kind in browser.get("/console/audit").says
    one = browser.get(f"/console/audit/{seq}")
    assert one.status == 200
    assert "This version of Frontdesk cannot read it: " in one.says
    assert '{"colour":"<blue>"' in one.says


@pytest.mark.spec("FD-06")
def test_the_audit_is_narrowed_by_desk_kind_and_person(busy: AdminDesk) -> None:
    browser = busy.owner()
    sam = busy.person("sam@example.org")

    assert "Member invited" in browser.get(f"/console/audit?about={sam.id}").says
    assert rows(browser, f"/console/audit?about={sam.id}") == ["fd.member_invited"]
    assert set(rows(browser, "/console/audit?kind=fd.signed_in")) == {"fd.signed_in"}
    assert rows(browser, "/console/audit?desk=ev") == []
    assert rows(browser, "/console/audit?before=3") == ["fd.sign_in_asked", "fd.owner_added"]
    assert sam.name not in browser.get(f"/console/audit?about={PersonId(sam.id)}").says


def rows(browser: Browser, path: str) -> list[str]:
    return re.findall(r'data-label="Kind">([\w.]+)<', browser.get(path).text)
