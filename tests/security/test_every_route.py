"""Every route: reading changes nothing, and actions are protected."""

from collections.abc import Iterator
from itertools import chain

import pytest

from tests.security.world import (
    HOSTILE,
    ODD_QUERIES,
    PUBLIC_FORMS,
    World,
    event_path,
    is_html,
    parameters,
    poll,
)
from tests.support.browser import FORM, Answer

#: Mails as their recipients see them, in a sandbox: one that was sent, and a future reminder.
MAILS = (
    "/console/messages/{send_id}/html",
    "/console/reminders/next/{appointment}/{window}/mail",
)
EMBEDDED = ("/e/{slug}/embed", "/waitlist/embed", "/book/embed", "/book/embed/{service}")
#: A form that would have an effect almost everywhere.
FIELDS = (
    b"name=Zoe&email=zoe%40example.org&party=1&arrived=1&cap=7&words=Bye&sure=1&confirmed=1"
    b"&do=send&role=staff&wrong=yes&out=yes&how=invite&to=x&session=x&zone=UTC&accent=%23123456"
    b"&sender_name=Zoe&pasted=zoe%40example.org&rows0=%5B%5B1,%22Zoe%22,%22zoe%40example.org%22,1%5D%5D"
)


def addresses(world: World, pattern: str) -> Iterator[str]:
    """Yields addresses with valid values, with odd queries, and with each value replaced by
    others."""
    path = world.path(pattern)
    yield from (poll(path + query) for query in ODD_QUERIES)
    for name in parameters(pattern):
        others = world.links().values() if name == "token" else ()
        for value in chain(HOSTILE, others):
            yield poll(world.path(pattern, **{name: value}))


@pytest.mark.spec("FD-09", "FD-27")
@pytest.mark.parametrize("who", ["visitor", "owner", "host"])
def test_get_and_head_change_nothing_anywhere_and_never_fail(world: World, who: str) -> None:
    browser, token = world.team[who], world.sign_in_token()
    before = world.dump()

    for pattern in world.routes("GET"):
        for url in addresses(world, pattern):
            assert browser.get(url).status < 500, url
        for url in (poll(world.path(pattern)), poll(world.path(pattern, token=token))):
            assert browser.ask("HEAD", url).status < 500, url
        assert world.dump() == before, pattern

    assert browser.get(f"/sign-in/{token}").heading != "This link was used already."


@pytest.mark.spec("FD-29")
@pytest.mark.parametrize("who", ["visitor", "owner", "staff", "host"])
def test_every_page_has_strict_headers_and_only_the_embedded_one_can_be_framed(
    world: World, who: str
) -> None:
    browser, pages = world.team[who], 0
    for pattern in world.routes("GET"):
        wrong = dict.fromkeys(parameters(pattern), "x")
        for url in {poll(world.path(pattern)), poll(world.path(pattern, **wrong))}:
            answer = browser.get(url)
            if not is_html(answer):
                continue
            pages += 1
            is_mail = pattern in MAILS and answer.status == 200
            framed = pattern in EMBEDDED and answer.status == 200
            assert headers(answer) == expected(is_mail=is_mail, framed=framed), url
    assert pages >= 10


def headers(answer: Answer) -> dict[str, str | None]:
    policy = dict(
        part.strip().partition(" ")[::2]
        for part in answer.headers["content-security-policy"].split(";")
    )
    nonces = [word for word in policy.get("script-src", "").split() if word.startswith("'nonce-")]
    assert all(len(nonce) >= 24 for nonce in nonces)
    bare = {
        name: " ".join(word for word in value.split() if word not in nonces)
        for name, value in policy.items()
    }
    others = ("x-content-type-options", "referrer-policy", "cache-control", "x-frame-options")
    return bare | {name: answer.headers.get(name) for name in others}


def expected(*, is_mail: bool, framed: bool) -> dict[str, str | None]:
    if is_mail:
        return {
            "default-src": "'none'",
            "style-src": "'unsafe-inline'",
            "img-src": "data:",
            "form-action": "'none'",
            "base-uri": "'none'",
            "frame-ancestors": "'self'",
            "sandbox": "allow-popups allow-popups-to-escape-sandbox",
            "x-content-type-options": "nosniff",
            "referrer-policy": "no-referrer",
            "cache-control": "no-store",
            "x-frame-options": "SAMEORIGIN",
        }
    return {
        "default-src": "'none'",
        "base-uri": "'none'",
        "connect-src": "'self'",
        "font-src": "'self'",
        "form-action": "'self'",
        "frame-src": "'self'",
        "img-src": "'self' data:",
        "manifest-src": "'self'",
        "script-src": "'self'",
        "style-src": "'self'",
        "frame-ancestors": "*" if framed else "'none'",
        "x-content-type-options": "nosniff",
        "referrer-policy": "same-origin",
        "cache-control": "no-store",
        "x-frame-options": None if framed else "DENY",
    }


# --- forms ----------------------------------------------------------------------------------


@pytest.mark.spec("FD-29")
def test_no_form_of_the_console_is_taken_without_signing_in(world: World) -> None:
    before, visitor = world.dump(), world.visitor
    assert set(world.routes("POST")) > PUBLIC_FORMS

    for pattern in world.guarded_forms():
        answer = visitor.ask("POST", world.path(pattern), FIELDS, {"content-type": FORM})
        assert (answer.status, answer.location) == (303, "/sign-in"), pattern
        as_json = {"content-type": "application/json"}
        assert visitor.ask("POST", world.path(pattern), b"{}", as_json).status == 401, pattern

    assert world.dump() == before


@pytest.mark.spec("FD-29")
@pytest.mark.parametrize("who", ["owner", "staff", "host"])
@pytest.mark.parametrize(
    ("token", "sent"),
    [
        ("", {}),
        ("x" * 22, {}),
        ("another's", {}),
        ("own", {"origin": "https://evil.example"}),
        ("own", {"origin": "null"}),
        ("own", {"origin": "http://desk.example.evil.example"}),
        ("own", {"origin": "http://["}),
        ("own", {"sec-fetch-site": "cross-site"}),
        ("own", {"sec-fetch-site": "same-site"}),
    ],
)
def test_no_forged_form_is_taken(world: World, who: str, token: str, sent: dict[str, str]) -> None:
    before, browser = world.dump(), world.team[who]
    tokens = {"own": browser, "another's": world.stranger}
    csrf = tokens[token].get("/console/you").csrf if token in tokens else token
    headers = {"content-type": FORM, "origin": "http://desk.example", **sent}

    for pattern in world.guarded_forms():
        body = FIELDS + f"&csrf={csrf}".encode()
        answer = browser.ask("POST", world.path(pattern), body, headers)
        assert answer.status == 403, pattern
        in_a_header = {**headers, "x-csrf-token": csrf, "content-type": "application/json"}
        assert browser.ask("POST", world.path(pattern), b"{}", in_a_header).status == 403

    assert world.dump() == before


ANY_MEMBER = {
    "/console",
    "/console/you",
    "/console/events",
    "/console/live",
    "/console/door/{token}",
    "/sign-out",
    "/console/you/end-session",
    "/console/you/end-others",
}
OWNERS_ALONE = {
    "/console/team",
    "/console/settings",
    "/console/team/{member_id}/remove",
    "/console/team/{member_id}/role",
    "/console/team/{member_id}/sign-out",
}


@pytest.mark.spec("FD-11", "FD-29")
def test_a_host_reaches_no_other_event_and_no_page_of_the_business(world: World) -> None:
    before, browser = world.dump(), world.stranger
    csrf = browser.get("/console/you").csrf
    for pattern in console(world, "GET"):
        assert browser.get(poll(world.path(pattern))).status == 403, pattern
    for pattern in console(world, "POST"):
        answer = browser.ask("POST", world.path(pattern), *form(csrf))
        assert answer.status == 403, pattern

    ticket = browser.get(world.path("/console/door/{token}"))
    assert (ticket.status, "Ann" in ticket.text) == (403, False)
    assert world.dump() == before


@pytest.mark.spec("FD-11", "FD-29")
def test_a_guest_of_another_event_is_not_reached_through_the_hosts_own_event(world: World) -> None:
    before, csrf = world.dump(), world.host.get("/console/you").csrf
    guest = world.other_guest
    paths = [pattern for pattern in world.routes("GET") if event_path(pattern)]
    forms = [pattern for pattern in world.routes("POST") if event_path(pattern)]

    for pattern in (each for each in paths if "{guest}" in each):
        assert world.host.get(world.path(pattern, guest=guest)).status == 404, pattern
    for pattern in (each for each in forms if "{guest}" in each):
        answer = world.host.ask("POST", world.path(pattern, guest=guest), *form(csrf))
        assert answer.status == 404, pattern
    job = world.path("/console/events/{event}/import/{job}", event=world.other_event)
    assert world.stranger.get(job).status == 404
    story = f"/console/events/{world.con.desk.event_id}/story?guest={guest}"
    assert "Zelda" not in world.host.get(story).text
    assert world.dump() == before


@pytest.mark.spec("FD-29")
def test_staff_do_nothing_that_is_up_to_the_owners(world: World) -> None:
    before, csrf = world.dump(), world.staff.get("/console/you").csrf

    for pattern in world.guarded_forms():
        if pattern in OWNERS_ALONE:
            assert world.staff.ask("POST", world.path(pattern), *form(csrf)).status == 403, pattern
    owner = world.con.desk.product.engine.reads().desk("fd").owners()[0].person_id
    for act in ("correct", "address", "erase"):
        world.staff.ask("POST", f"/console/people/{owner}/{act}", *form(csrf))

    assert world.dump() == before


def console(world: World, method: str) -> list[str]:
    """Returns the routes for staff, or for a host of the event."""
    known = [path for path in world.routes(method) if path.startswith("/console")]
    return [path for path in known if path not in ANY_MEMBER]


def form(csrf: str) -> tuple[bytes, dict[str, str]]:
    headers = {"content-type": FORM, "origin": "http://desk.example"}
    return FIELDS + f"&csrf={csrf}".encode(), headers
