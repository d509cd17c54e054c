"""Sessions: safe redirects, forged forms, flash messages and access."""

from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urljoin, urlsplit

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from frontdesk.core.members import Role
from frontdesk.web.app import PathRouter
from frontdesk.web.console.shell import done, form_of, member_of, staff
from frontdesk.web.forms import read_json
from frontdesk.web.sessions import device_of, new_session, safe_next
from tests.support.admin import AdminDesk, open_admin_desk
from tests.support.browser import Browser


async def show(request: Request) -> Response:
    member = member_of(request)
    return PlainTextResponse(member.name if member else "")


async def say(request: Request) -> Response:
    return done(request, "/console", "Done as asked.", undo_url="/undo")


async def echo(request: Request) -> Response:
    form = form_of(request)
    return PlainTextResponse(f"{form['text']} {form.files}")


async def echo_json(request: Request) -> Response:
    return PlainTextResponse((await read_json(request))["text"])


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[AdminDesk]:
    with open_admin_desk(tmp_path) as opened:
        opened.app.router = PathRouter(
            [
                *opened.app.routes,
                Route("/console/e/{event}", staff(show, event_param="event")),
                Route("/console/all", staff(show)),
                Route("/say", staff(say), methods=["POST"]),
                Route("/echo", staff(echo), methods=["POST"]),
                Route("/echo-json", staff(echo_json), methods=["POST"]),
            ]
        )
        opened.printed_link()
        yield opened


@pytest.mark.spec("FD-21")
def test_a_host_sees_their_own_event_and_no_other(desk: AdminDesk) -> None:
    host = desk.member("Hana", Role.HOST, "1")

    assert host.get("/console/e/1").text == "Hana"
    assert host.get("/console/e/2").status == 403
    assert host.get("/console/all").status == 403
    assert "who sees the events they host" in host.get("/console/e/2").says
    assert desk.member("Sam", Role.STAFF).get("/console/e/2").text == "Sam"


@pytest.mark.spec("FD-29")
@given(st.text(max_size=40))
@settings(max_examples=300)
@example("/console//evil.example")
@example("/console/\\evil.example")
@example("/console/%2e%2e/%2e%2e//evil.example")
@example("//evil.example/console")
@example("/console?next=//evil.example")
@example("/console/x\ty")
def test_a_next_page_is_always_one_of_the_console(path: str) -> None:
    for text in (path, f"/console{path}", f"/console/{path}"):
        landed = urlsplit(urljoin("http://desk.example/sign-in", safe_next(text)))

        assert landed.netloc == "desk.example"
        assert landed.path == "/console" or landed.path.startswith("/console/")


@pytest.mark.parametrize("path", ["/console", "/console/people?q=a%20b&page=2", "/console/e/1"])
def test_signing_in_continues_to_a_page_of_the_console(path: str) -> None:
    assert safe_next(path) == path


@pytest.mark.spec("FD-29")
def test_tokens_are_long_and_never_the_same() -> None:
    sessions = [new_session() for _ in range(100)]

    assert len({each.token for each in sessions} | {each.csrf for each in sessions}) == 200
    assert {len(each.token) for each in sessions} == {43}


def test_a_flash_message_is_shown_once_with_a_link_to_undo(desk: AdminDesk) -> None:
    browser = desk.owner()
    page = browser.submit("/console", "/say")

    assert page.flash == "Done as asked."
    assert 'action="/undo"' in page.text
    assert browser.get("/console").flash == ""


@pytest.mark.spec("FD-29")
def test_a_forged_flash_message_is_not_shown(desk: AdminDesk) -> None:
    """Another site of the domain can set a cookie, but cannot sign it."""
    browser, other = desk.owner(), desk.owner()
    other.post("/say", csrf=other.get("/console").csrf)
    good = other.cookies["fd_flash"]
    body, _, mac = good.partition(".")

    for planted in (good, f"{body}x.{mac}", f".{mac}", "x", "", f"{body}.", "é.é"):
        browser.cookies["fd_flash"] = planted
        answer = browser.ask("GET", "/console")
        assert (answer.status, answer.flash) == (200, "")
    assert other.get("/console").flash == "Done as asked."


@pytest.mark.spec("FD-29")
def test_a_script_of_ours_may_send_the_token_in_a_header(desk: AdminDesk) -> None:
    browser = desk.owner()
    token = browser.get("/console").csrf
    browser.sends = {"x-csrf-token": token}
    assert browser.post("/say").status == 303
    assert browser.post("/echo", text="hello").text == "hello {}"
    sent = {"x-csrf-token": token, "content-type": "application/json"}
    assert browser.ask("POST", "/echo-json", b'{"text": "hello"}', sent).text == "hello"
    browser.sends = {"x-csrf-token": "wrong"}
    assert browser.post("/say", csrf=token).status == 403


@pytest.mark.spec("FD-27")
def test_a_form_that_is_too_large_or_garbled_is_refused(desk: AdminDesk) -> None:
    browser = desk.owner()
    token = browser.get("/console").csrf

    assert browser.post("/echo", csrf=token, text="x" * 70_000).status == 400
    sent = {"content-type": "multipart/form-data; boundary=x", "sec-fetch-site": "same-origin"}
    assert browser.ask("POST", "/echo", b"--y\r\n", sent).status in (400, 403)


def test_files_come_with_the_form(desk: AdminDesk) -> None:
    browser = desk.owner()
    token = browser.get("/console").csrf
    body = (
        f'--x\r\nContent-Disposition: form-data; name="csrf"\r\n\r\n{token}\r\n'
        '--x\r\nContent-Disposition: form-data; name="list"; filename="a.csv"\r\n\r\nann'
        "\r\n--x--\r\n"
    )
    sent = {"content-type": "multipart/form-data; boundary=x"}

    answer = browser.ask("POST", "/echo", body.encode(), sent)

    assert answer.text == " {'list': ('a.csv', b'ann')}"


@pytest.mark.spec("FD-29")
@pytest.mark.parametrize("cookie", ["", "x", "x" * 10_000, "é", "'; DROP TABLE fd_session; --"])
def test_an_odd_cookie_is_no_session(desk: AdminDesk, cookie: str) -> None:
    browser = desk.browser()
    browser.cookies["fd_session"] = cookie

    assert browser.get("/console").location == "/sign-in?next=/console"


def test_a_browser_is_described_in_two_words() -> None:
    def device(agent: str) -> str:
        return device_of(Request({"type": "http", "headers": [(b"user-agent", agent.encode())]}))

    chrome = "Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 Chrome/126.0 Mobile Safari/537.36"
    assert device(chrome) == "Chrome on Android"
    assert device("Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) Safari/604.1") == (
        "Safari on an iPhone"
    )
    assert device("") == "A browser"


@pytest.mark.spec("FD-21")
def test_reading_never_writes_to_the_session(desk: AdminDesk) -> None:
    browser: Browser = desk.owner()
    desk.wait(days=10)
    before = desk.dump()
    answer = browser.get("/console")

    assert answer.set_cookies == ()
    assert desk.dump() == before
