"""Signing in and out, as a browser meets it."""

import asyncio
import re
from datetime import timedelta
from pathlib import Path

import pytest

from frontdesk.core.members import Role
from frontdesk.desks.admin.desk import OWNER_EMAIL
from frontdesk.web.sessions import hash_of
from tests.support.admin import AdminDesk, open_admin_desk, path_of
from tests.support.browser import HeldWork


def ask(desk: AdminDesk, email: str) -> None:
    desk.browser().post("/sign-in", email=email)
    desk.settle()


@pytest.mark.spec("FD-21")
def test_a_mailed_link_lets_its_holder_in_once(desk: AdminDesk) -> None:
    desk.printed_link()
    ask(desk, " Owner@Frontdesk.Example ")
    link = path_of(desk.link_to(OWNER_EMAIL))

    first, second = desk.browser(), desk.browser()
    answer = first.post(link)

    assert (answer.status, answer.location) == (303, "/console")
    assert first.get("/console").heading == "Today"
    assert second.post(link).heading == "This link was used already."
    assert second.get("/console").status == 303
    assert first.get(link).heading == "You are signed in."


@pytest.mark.spec("FD-09")
def test_opening_the_link_spends_nothing(desk: AdminDesk) -> None:
    link = path_of(desk.printed_link())
    browser, before = desk.browser(), desk.dump()

    for method in ("GET", "HEAD", "GET"):
        answer = browser.ask(method, link)
        assert (answer.status, answer.set_cookies) == (200, ())

    assert desk.dump() == before
    assert browser.get(link).heading == "Sign in to Frontdesk"
    assert browser.post(link).status == 303


@pytest.mark.spec("FD-21")
def test_a_mailed_link_is_good_for_half_an_hour(desk: AdminDesk) -> None:
    desk.printed_link()
    ask(desk, OWNER_EMAIL)
    link = path_of(desk.link_to(OWNER_EMAIL))

    desk.clock.move_to(desk.clock.now() + timedelta(minutes=29, seconds=59))
    assert desk.browser().get(link).status == 200
    desk.clock.move_to(desk.clock.now() + timedelta(seconds=1))

    for answer in (desk.browser().get(link), desk.browser().post(link)):
        assert (answer.status, answer.heading) == (410, "This link is too old.")


@pytest.mark.spec("FD-29")
def test_everybody_who_asks_gets_the_same_answer(desk: AdminDesk) -> None:
    desk.printed_link()
    known = desk.browser().post("/sign-in", email=OWNER_EMAIL)
    unknown = desk.browser().post("/sign-in", email="ownex@frontdesk.example")

    def anonymous(text: str, email: str) -> str:
        return text.replace(email, "").replace(nonce_of(text), "")

    assert known.status == unknown.status == 200
    assert set(known.headers) == set(unknown.headers)
    assert known.set_cookies == unknown.set_cookies
    assert anonymous(known.text, OWNER_EMAIL) == anonymous(unknown.text, "ownex@frontdesk.example")
    desk.settle()
    assert len(desk.mails(OWNER_EMAIL)) == 1


@pytest.mark.spec("FD-28", "FD-29")
def test_a_known_address_is_looked_up_after_the_answer_is_sent(desk: AdminDesk) -> None:
    desk.printed_link()
    held = desk.product.site.unseen_work = HeldWork()

    answered = desk.browser().post("/sign-in", email=OWNER_EMAIL)
    desk.settle()
    mails = len(desk.mails(OWNER_EMAIL))
    asyncio.run(held.begin())
    desk.settle()

    assert (answered.status, mails) == (200, 0)
    assert len(desk.mails(OWNER_EMAIL)) == 1


def nonce_of(html: str) -> str:
    return html.partition('nonce="')[2].partition('"')[0]


@pytest.mark.spec("FD-28")
def test_one_address_is_not_flooded_and_nobody_can_tell(desk: AdminDesk) -> None:
    desk.printed_link()
    answers = [desk.browser().post("/sign-in", email=OWNER_EMAIL).status for _ in range(6)]
    desk.settle()

    assert answers == [200] * 6
    assert len(desk.mails(OWNER_EMAIL)) == 3


@pytest.mark.spec("FD-28")
def test_too_many_requests_have_to_wait(desk: AdminDesk) -> None:
    statuses = [
        desk.browser().post("/sign-in", email=f"guess{n}@example.org").status for n in range(12)
    ]

    assert statuses == [200] * 10 + [429] * 2


@pytest.mark.spec("FD-27")
@pytest.mark.parametrize("token", ["x", "A" * 56, "%00", "a/b", "🌱", "A" * 5_000])
def test_a_damaged_link_says_what_to_do(desk: AdminDesk, token: str) -> None:
    answer = desk.browser().post(f"/sign-in/{token}")

    assert answer.status == 404
    assert answer.set_cookies == ()


@pytest.mark.spec("FD-08")
def test_no_part_of_a_link_can_be_changed(desk: AdminDesk) -> None:
    desk.invite("Sam", Role.STAFF)
    desk.settle()
    link = path_of(desk.link_to("sam@example.org"))
    token = link.rpartition("/")[2]

    for place in range(0, len(token), 5):
        other = "A" if token[place] != "A" else "B"
        forged = f"/sign-in/{token[:place]}{other}{token[place + 1 :]}"
        assert desk.browser().post(forged).status == 404
    assert desk.browser().post(link).status == 303


@pytest.mark.spec("FD-29")
def test_a_session_never_uses_a_token_from_the_browser(desk: AdminDesk) -> None:
    """A cookie that somebody plants must not become a session."""
    browser = desk.browser()
    browser.cookies["fd_session"] = "planted"
    browser.post(path_of(desk.printed_link()))
    attacker = desk.browser()
    attacker.cookies["fd_session"] = "planted"

    assert browser.cookies["fd_session"] != "planted"
    assert len(browser.cookies["fd_session"]) == 43
    assert browser.get("/console").status == 200
    assert attacker.get("/console").status == 303


@pytest.mark.spec("FD-29")
def test_signing_in_again_ends_the_session_that_the_browser_had(desk: AdminDesk) -> None:
    browser = desk.owner()
    old = desk.browser()
    old.cookies.update(browser.cookies)

    browser.post(path_of(desk.printed_link()))

    assert old.get("/console").status == 303
    assert browser.get("/console").status == 200


@pytest.mark.spec("FD-29")
def test_the_session_token_is_not_stored(desk: AdminDesk) -> None:
    token = desk.owner().cookies["fd_session"]
    kept = "\n".join(desk.dump())

    assert token not in kept
    assert hash_of(token) in kept


@pytest.mark.spec("FD-29")
@pytest.mark.parametrize(
    ("base_url", "name", "secure"),
    [
        ("http://127.0.0.1:8080", "fd_session", False),
        ("https://desk.example", "__Host-fd_session", True),
    ],
)
def test_the_cookie_is_out_of_reach_of_scripts_and_other_sites(
    tmp_path: Path, base_url: str, name: str, secure: bool
) -> None:
    with open_admin_desk(tmp_path, base_url=base_url) as desk:
        browser = desk.browser()
        answer = browser.post(path_of(desk.printed_link()))
        assert browser.get("/console").status == 200
        assert browser.post("/sign-out").status == 403, "a form without its token"

    cookie = next(each for each in answer.set_cookies if each.startswith(f"{name}="))
    assert "domain=" not in cookie.lower()
    attributes = {part.strip().lower() for part in cookie.split(";")[1:]}
    assert {"httponly", "samesite=lax", "path=/", "max-age=2592000"} <= attributes
    assert ("secure" in attributes) is secure


@pytest.mark.spec("FD-29")
@pytest.mark.parametrize(
    "headers",
    [
        {"origin": "https://evil.example"},
        {"origin": "null"},
        {"sec-fetch-site": "cross-site"},
        {"sec-fetch-site": "same-site"},
    ],
)
def test_another_site_cannot_sign_somebody_in(desk: AdminDesk, headers: dict[str, str]) -> None:
    link = path_of(desk.printed_link())
    browser = desk.browser()
    browser.sends = headers

    answer = browser.post(link)

    assert (answer.status, answer.set_cookies) == (403, ())
    assert desk.browser().post(link).status == 303


@pytest.mark.spec("FD-29")
@pytest.mark.parametrize(
    "then",
    [
        "https://evil.example/",
        "//evil.example",
        "/\\evil.example",
        "/console/../../evil",
        "/consolex",
        "/console\r\nset-cookie: x=1",
        "javascript:alert(1)",
        "/sign-out",
    ],
)
def test_signing_in_never_redirects_to_another_site(desk: AdminDesk, then: str) -> None:
    link = path_of(desk.printed_link())
    browser = desk.browser()
    browser.post("/sign-in", email="who@example.org", next=then)
    assert browser.cookies["fd_next"].strip('"') == "/console"
    browser.cookies["fd_next"] = then.replace("\r\n", "")

    assert browser.post(link).location == "/console"
    assert browser.get(f"/sign-in?next={then}".replace("\r\n", "")).location == "/console"


def test_signing_in_leads_back_to_the_requested_page(desk: AdminDesk) -> None:
    browser = desk.browser()
    asked = browser.get("/console/people?q=ann")
    assert asked.location == "/sign-in?next=/console/people%3Fq%3Dann"
    assert 'name="next" value="/console/people?q=ann"' in browser.get(asked.location).text
    link = path_of(desk.printed_link())
    browser.post("/sign-in", email="who@example.org", next="/console/people?q=ann")

    assert browser.post(link).location == "/console/people?q=ann"


@pytest.mark.spec("FD-21")
def test_signing_out_ends_the_session_also_for_a_copy_of_its_cookie(desk: AdminDesk) -> None:
    browser = desk.owner()
    copy = desk.browser()
    copy.cookies.update(browser.cookies)

    desk.wait(days=2)  # by now, use would have extended the session
    answer = browser.post("/sign-out", csrf=browser.get("/console").csrf)

    assert answer.location == "/sign-in"
    assert "fd_session" not in browser.cookies
    assert copy.get("/console").status == 303
    assert desk.kinds()[-1] == "fd.sessions_ended"


@pytest.mark.spec("FD-21")
def test_one_session_is_ended_from_another(desk: AdminDesk) -> None:
    here, there = desk.owner(), desk.owner()
    page = here.get("/console/you")
    assert page.says.count("Firefox on Linux") == 2
    (session,) = re.findall(r'name="session" value="(\w+)"', page.text)

    after = here.submit("/console/you", "/console/you/end-session", session=session)

    assert after.flash == "That browser is signed out."
    assert there.get("/console").status == 303
    assert here.get("/console").status == 200


@pytest.mark.spec("FD-29")
def test_where_the_site_is_encrypted_a_neighbouring_host_cannot_plant_a_cookie(
    tmp_path: Path,
) -> None:
    with open_admin_desk(tmp_path, base_url="https://desk.example") as desk:
        token = desk.owner().cookies["__Host-fd_session"]
        planted = desk.browser()
        planted.cookies["fd_session"] = token

        assert planted.get("/console").location == "/sign-in?next=/console"
