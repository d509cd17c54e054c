"""Redirects, links and files stay on this site, with any Host header."""

import pytest

from tests.security.world import World, is_html, poll
from tests.support.browser import FORM

EVIL = {
    "host": "evil.example",
    "x-forwarded-host": "evil.example",
    "x-forwarded-proto": "gopher",
    "x-forwarded-prefix": "//evil.example",
    "x-original-url": "//evil.example",
    "x-rewrite-url": "/console/team",
    "forwarded": "host=evil.example;proto=gopher",
    "referer": "https://evil.example/",
}
NEXT = (
    "?next=//evil.example&next=https://evil.example&back=//evil.example&url=//evil.example"
    "&return=//evil.example&to=//evil.example"
)


@pytest.mark.spec("FD-29")
@pytest.mark.parametrize("who", ["visitor", "owner", "host"])
def test_no_response_redirects_away_or_repeats_a_forged_host(world: World, who: str) -> None:
    browser = world.team[who]
    for pattern in world.routes("GET"):
        for query in ("", NEXT):
            answer = browser.ask("GET", poll(world.path(pattern) + query), headers=EVIL)
            location = answer.headers.get("location", "/")
            assert location.startswith("/"), pattern
            assert not location.startswith(("//", "/\\")), pattern
            if is_html(answer) and not query:
                assert "evil.example" not in answer.text, pattern


@pytest.mark.spec("FD-29")
@pytest.mark.parametrize(
    ("path", "location"),
    [
        ("/e/pottery/", "/e/pottery"),
        ("/e/pottery/?a=b", "/e/pottery?a=b"),
        ("http://desk.example//evil.example/", "/evil.example"),
        ("http://desk.example///evil.example///", "/evil.example"),
        ("/\\evil.example/", "/%5Cevil.example"),
        ("/https://evil.example/", "/https://evil.example"),
    ],
)
def test_a_slash_too_many_leads_to_the_page_on_this_site(
    world: World, path: str, location: str
) -> None:
    answer = world.visitor.ask("GET", path, headers=EVIL)

    assert (answer.status, answer.location) == (308, location)
    assert world.visitor.ask("POST", path, headers=EVIL).status in (404, 405)


@pytest.mark.spec("FD-29")
def test_a_forged_host_never_gets_into_mails(world: World) -> None:
    desk = world.con.desk
    headers = {**EVIL, "content-type": FORM}
    del headers["host"]
    for host in ("evil.example", "desk.example@evil.example", "[", ""):
        sent = {**headers, "host": host}
        body = b"name=Zoe&email=zoe%40example.org"
        assert world.visitor.ask("POST", "/e/pottery", body, sent).status == 200
        world.visitor.ask("POST", "/sign-in", b"email=sam%40example.org", sent)
    desk.settle()

    for who in ("zoe", "sam"):
        mails = desk.mail_to(who)
        text = "".join(mail.text + mail.html + str(mail.calendar) for mail in mails)
        assert mails
        assert "http://desk.example/" in text
        assert "evil" not in text


@pytest.mark.spec("FD-29")
@pytest.mark.parametrize(
    "path",
    [
        "/static/x/../../wiring.py",
        "/static/..%2f..%2f/wiring.py",
        "/static/{digest}/../templates/base.html",
        "/static/{digest}/..%2Ftemplates%2Fbase.html",
        "/static/{digest}/%2e%2e",
        "/static/{digest}/x",
        "/static/{digest}/{name}%00",
        "/static//etc/passwd",
        "/e/../console",
        "/e/..%2fconsole",
        "/e/pottery%00",
        "/e/pottery/../supper",
        "/e/Pottery%20",
        "http://desk.example//evil.example/..",
        "http://desk.example//evil.example",
        "/l/../console",
        "/frontdesk.db",
        "/.env",
        "/link-keys.json",
    ],
)
def test_no_path_gets_at_a_file_that_is_not_there_for_it(world: World, path: str) -> None:
    answer = world.visitor.get(world.path(path))

    assert (answer.status, answer.heading) in {
        (404, "There is nothing here."),
        (404, "There is no event here."),
        (404, "This link is not complete."),
    }


@pytest.mark.spec("FD-29")
def test_cookies_are_for_us_alone_and_never_go_over_an_open_line(world: World) -> None:
    answer = world.visitor.post(f"/sign-in/{world.sign_in_token()}")
    asked = world.visitor.post("/sign-in", email="sam@example.org", next="/console/team")
    cookies = (*answer.set_cookies, *asked.set_cookies)

    assert len(cookies) == 3
    for cookie in cookies:
        assert {"HttpOnly", "SameSite=lax", "Path=/"} <= {
            part.strip() for part in cookie.split(";")
        }
        assert "domain" not in cookie.lower()
    for pattern in world.routes("GET"):
        assert not world.visitor.get(poll(world.path(pattern))).set_cookies, pattern
