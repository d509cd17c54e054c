"""Limits on requests from one address, and on mails that a stranger can cause."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from frontdesk.embedded.http import http_server
from frontdesk.settings import Settings
from frontdesk.web.limits import Limits
from tests.security.world import World, open_world
from tests.support.browser import Browser

FORGED = "/l/" + "A" * 56


@pytest.fixture
def limited(tmp_path: Path) -> Iterator[World]:
    """Uses a clock that does not move."""
    with open_world(tmp_path) as world:
        world.con.desk.product.site.limits = Limits(lambda: 0.0)
        yield world


@pytest.mark.spec("FD-28")
@pytest.mark.parametrize(
    ("method", "path", "allowed"),
    [
        ("POST", "/e/pottery", 30),
        ("POST", "/e/pottery/embed", 30),
        ("POST", "/api/events/pottery/guests", 30),
        ("POST", "/sign-in", 10),
        ("GET", "/sign-in/x", 30),
        ("POST", "/sign-in/x", 30),
        ("GET", FORGED, 30),
        ("POST", FORGED, 30),
        ("GET", FORGED + "/calendar.ics", 30),
        ("GET", "/l/{manage}", 240),
        ("POST", "/waitlist", 20),
        ("POST", "/api/waitlist", 20),
        ("GET", "/book", 120),
        ("GET", "/book/embed", 120),
        ("GET", "/api/booking/times", 120),
        ("POST", "/book/choose", 40),
        ("POST", "/book/embed/choose", 40),
        ("POST", "/book", 30),
        ("POST", "/book/ask", 30),
        ("POST", "/api/booking", 30),
        ("POST", "/book/link", 10),
        ("GET", "/feed/mira/x.ics", 60),
    ],
)
def test_one_address_is_told_to_wait_and_others_are_not(
    limited: World, method: str, path: str, allowed: int
) -> None:
    url = path.format(manage=limited.links()["manage"])

    def statuses(address: str, count: int) -> set[int]:
        browser = Browser(limited.con.app, "http://desk.example", address)
        return {browser.ask(method, url).status for _ in range(count)}

    assert 429 not in statuses("192.0.2.1", allowed)
    assert statuses("192.0.2.1", 3) == {429}
    assert statuses("::ffff:192.0.2.1", 1) == {429}
    assert 429 not in statuses("192.0.2.2", 1)


@pytest.mark.spec("FD-28")
def test_a_household_with_many_addresses_counts_once(limited: World) -> None:
    statuses = [
        Browser(limited.con.app, "http://desk.example", f"2001:db8:1:2::{number:x}")
        .post("/sign-in", email="x")
        .status
        for number in range(11)
    ]

    assert statuses[-1] == 429


@pytest.mark.spec("FD-28")
def test_nobody_gets_another_address_by_claiming_one(limited: World) -> None:
    claims = [
        {"x-forwarded-for": f"198.51.100.{number}", "x-real-ip": "198.51.100.7"}
        for number in range(31)
    ]

    statuses = [limited.visitor.ask("GET", FORGED, headers=claim).status for claim in claims]

    assert statuses[-1] == 429


@pytest.mark.spec("FD-28")
@pytest.mark.parametrize("behind_proxy", [True, False])
def test_a_proxy_is_believed_only_when_there_is_one_and_it_is_on_this_machine(
    behind_proxy: bool,
) -> None:
    config = http_server(lambda *_: None, Settings(behind_proxy=behind_proxy)).config  # type: ignore[arg-type]

    assert (config.proxy_headers, config.forwarded_allow_ips) == (behind_proxy, "127.0.0.1,::1")


@pytest.mark.spec("FD-28")
@pytest.mark.parametrize("path", ["/e/pottery", "/e/pottery/embed"])
def test_a_robot_that_fills_the_hidden_field_gets_the_usual_answer_and_is_not_stored(
    limited: World, path: str
) -> None:
    before = limited.dump()

    trapped = limited.visitor.post(path, name="Bot", email="bot@example.org", website="x")
    body = b'{"name": "Bot", "email": "bot@example.org", "website": "x"}'
    kind = {"content-type": "application/json"}
    by_json = limited.visitor.ask("POST", "/api/events/pottery/guests", body, kind)

    assert (trapped.status, by_json.status) == (200, 200)
    assert limited.dump() == before
    person = limited.visitor.post(path, name="Bot", email="bot@example.org")
    assert trapped.heading == person.heading


@pytest.mark.spec("FD-28")
@pytest.mark.parametrize(
    "name",
    [
        "Win at www.evil.example",
        "http://evil.example",
        "evil.com",
        "Call me@evil.example",
        "go to evil。com now",
        "ｅｖｉｌ.com",
        "evil.example/x",
        "hxxps://evil",
        "A" * 121,
        "Ann\u202egnp.exe",
        "\u200b",
    ],
)
def test_a_strangers_words_are_not_mailed_to_others(limited: World, name: str) -> None:
    before = limited.dump()

    answer = limited.visitor.post("/e/pottery", name=name, email="victim@example.org")

    assert (answer.status, limited.dump() == before) == (422, True)


@pytest.mark.spec("FD-28")
def test_the_mail_to_an_address_that_somebody_typed_has_nothing_of_theirs_but_the_name(
    limited: World,
) -> None:
    body = (
        b"name=Vic&email=vic%40example.org&party=2&note=EVIL&comment=EVIL&subject=EVIL&do=EVIL"
        b"&message=EVIL"
    )
    headers = {
        "content-type": "application/x-www-form-urlencoded",
        "user-agent": "EVIL",
        "referer": "http://EVIL",
        "accept-language": "EVIL",
    }
    assert limited.visitor.ask("POST", "/e/pottery?name=EVIL", body, headers).status == 200
    limited.con.desk.settle()

    (mail,) = limited.con.desk.mail_to("vic")
    assert "EVIL" not in f"{mail.subject}{mail.text}{mail.html}{mail.to_name}"
    assert "Vic" not in mail.subject
