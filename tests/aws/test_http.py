"""Function URLs: each payload becomes a request, and each answer what Lambda understands."""

from __future__ import annotations

import base64
import json
from datetime import UTC, datetime
from typing import Any

import pytest
from starlette.applications import Starlette
from starlette.background import BackgroundTask
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from frontdesk.aws.pages import MOST_BYTES, serve
from frontdesk.aws.routing import Endpoint, EndpointRouter, endpoint_of
from frontdesk.core.links import Keys, Link, LinkKey, sign
from frontdesk.desks.booking.links import Purpose as BookingPurpose
from frontdesk.desks.waitlist.links import Purpose
from frontdesk.settings import Settings
from frontdesk.wiring.desks import DESKS
from tests.aws.payloads import request


async def echo(asked: Request) -> Response:
    body = await asked.body()
    return JSONResponse(
        {
            "method": asked.method,
            "from": f"{asked.url.scheme}://{asked.url.netloc}",
            "name": asked.path_params.get("name", ""),
            "query": dict(asked.query_params),
            "cookies": asked.cookies,
            "client": asked.client.host if asked.client else None,
            "body": body.decode("latin-1"),
        }
    )


async def two_cookies(_asked: Request) -> Response:
    answer = PlainTextResponse("hello", headers={"x-one": "1"})
    answer.headers.append("vary", "cookie")
    answer.headers.append("vary", "accept")
    answer.set_cookie("a", "1")
    answer.set_cookie("b", "2")
    return answer


async def picture(_asked: Request) -> Response:
    return Response(b"\x89PNG\xff", media_type="image/png")


async def afterwards(_asked: Request) -> Response:
    return PlainTextResponse("hello", background=BackgroundTask(DONE.append, "done"))


async def too_much(_asked: Request) -> Response:
    return Response(b"x" * (MOST_BYTES + 1), media_type="text/plain")


async def too_much_once_it_is_encoded(asked: Request) -> Response:
    """Base64 is a third longer, and JSON writes a line break with two characters."""
    kind = asked.path_params["kind"]
    content = b"x" * (MOST_BYTES - 1) if kind == "zip" else b"\n" * (MOST_BYTES - 1)
    return Response(content, media_type="application/zip" if kind == "zip" else "text/csv")


async def broken(_asked: Request) -> Response:
    raise RuntimeError("broken")


async def our_page_for_it(_asked: Request, _error: Exception) -> Response:
    return PlainTextResponse("Something broke on our side.", 500)


DONE: list[str] = []
APP = Starlette(
    routes=[
        Route("/echo/{name}", echo, methods=["GET", "POST"]),
        Route("/cookies", two_cookies),
        Route("/picture", picture),
        Route("/afterwards", afterwards),
        Route("/too-much", too_much),
        Route("/nearly/{kind}", too_much_once_it_is_encoded),
        Route("/broken", broken),
    ],
    exception_handlers={Exception: our_page_for_it},
)


def test_a_request_arrives_with_its_path_query_cookies_and_the_visitors_own_address() -> None:
    asked = request(
        "GET", "/echo/caf%C3%A9", query="a=1%202&b=", cookies=["s=1", "t=2"], source="192.0.2.9"
    )

    answer = serve(APP, asked)

    assert answer["statusCode"] == 200
    assert answer["isBase64Encoded"] is False
    assert json.loads(answer["body"]) == {
        "method": "GET",
        "from": "https://abc.lambda-url.ap-southeast-1.on.aws",
        "name": "caf\u00e9",
        "query": {"a": "1 2", "b": ""},
        "cookies": {"s": "1", "t": "2"},
        "client": "192.0.2.9",
        "body": "",
    }


@pytest.mark.parametrize("encoded", [False, True])
def test_a_body_arrives_as_it_was_sent(encoded: bool) -> None:
    sent = "name=Ann"
    body = base64.b64encode(sent.encode()).decode() if encoded else sent

    answer = serve(APP, request("POST", "/echo/x", body=body, base64=encoded))

    assert '"body":"name=Ann"' in answer["body"]


def test_cookies_go_back_one_by_one_and_other_headers_in_one_line() -> None:
    assert serve(APP, request("GET", "/cookies")) == {
        "statusCode": 200,
        "headers": {
            "content-length": "5",
            "content-type": "text/plain; charset=utf-8",
            "x-one": "1",
            "vary": "cookie, accept",
        },
        "cookies": ["a=1; Path=/; SameSite=lax", "b=2; Path=/; SameSite=lax"],
        "body": "hello",
        "isBase64Encoded": False,
    }


def test_bytes_go_back_as_base64() -> None:
    answer = serve(APP, request("GET", "/picture"))

    assert answer["isBase64Encoded"] is True
    assert base64.b64decode(answer["body"]) == b"\x89PNG\xff"


def test_head_has_the_headers_and_no_body() -> None:
    answer = serve(APP, request("HEAD", "/cookies"))

    assert (answer["statusCode"], answer["headers"]["x-one"], answer["body"]) == (200, "1", "")


@pytest.mark.spec("FD-27")
@pytest.mark.parametrize(
    ("payload", "status"),
    [
        (request("POST", "/echo/x", body="no base64!", base64=True), 400),
        (request("POST", "/echo/x", body="x" * (MOST_BYTES + 1)), 413),
        (request("GET", "/too-much"), 507),
        (request("GET", "/nearly/zip"), 507),
        (request("GET", "/nearly/csv"), 507),
        (request("HEAD", "/nearly/zip"), 200),
        (request("GET", "/nowhere"), 404),
    ],
)
def test_a_request_that_cannot_be_served_gets_an_error(
    payload: dict[str, Any], status: int
) -> None:
    assert serve(APP, payload)["statusCode"] == status


def test_work_after_the_response_is_done_before_the_container_freezes() -> None:
    DONE.clear()

    serve(APP, request("GET", "/afterwards"))

    assert DONE == ["done"]


def test_a_page_that_breaks_is_answered_by_our_page_for_it() -> None:
    answer = serve(APP, request("GET", "/broken"))

    assert (answer["statusCode"], answer["body"]) == (500, "Something broke on our side.")


def test_an_application_that_breaks_altogether_is_answered_in_plain_words() -> None:
    async def app(_scope: Scope, _receive: Receive, _send: Send) -> None:
        raise RuntimeError("broken")

    answer = serve(app, request("GET", "/"))

    assert (answer["statusCode"], answer["headers"]["content-type"]) == (
        500,
        "text/plain; charset=utf-8",
    )


SETTINGS = Settings(
    base_url="https://events.example",
    links_url="https://links.example",
    console_url="https://desk.example",
    waitlist_url="https://list.example",
    claims_url="https://claims.example",
    booking_url="https://book.example",
)


def token(purpose: int) -> str:
    link = Link(purpose, bytes(16), 1, datetime(2026, 11, 27, 12, tzinfo=UTC))
    return sign(link, Keys(LinkKey(1, bytes(32))))


CLAIM, CANCEL, MANAGE = token(Purpose.OFFER), token(1), token(BookingPurpose.MANAGE)


@pytest.mark.parametrize(
    ("door", "path", "query", "where"),
    [
        (Endpoint.EVENTS, "/l/abc", "", "https://links.example/l/abc"),
        (
            Endpoint.EVENTS,
            "/console/events",
            "a=1&b=%20",
            "https://desk.example/console/events?a=1&b=%20",
        ),
        (Endpoint.LINKS, "/", "", "https://events.example/"),
        (Endpoint.FORM, "/", "", "/waitlist"),
        (Endpoint.BOOKING, "", "", "/book"),
        (Endpoint.LINKS, "/e/pottery", "", "https://events.example/e/pottery"),
        (Endpoint.LINKS, "/sign-in/x", "", "https://desk.example/sign-in/x"),
        (Endpoint.CONSOLE, "/api/events/x", "", "https://events.example/api/events/x"),
        (Endpoint.CONSOLE, "/e/caf%C3%A9", "", "https://events.example/e/caf%C3%A9"),
        (Endpoint.CONSOLE, "/", "", "/console"),
        (Endpoint.EVENTS, "/waitlist", "", "https://list.example/waitlist"),
        (Endpoint.EVENTS, "/api/waitlist", "", "https://list.example/api/waitlist"),
        (Endpoint.FORM, "/api/events/x", "", "https://events.example/api/events/x"),
        (Endpoint.FORM, "/l/abc", "", "https://links.example/l/abc"),
        (Endpoint.LINKS, f"/l/{CLAIM}", "", f"https://claims.example/l/{CLAIM}"),
        (Endpoint.EVENTS, f"/l/{CLAIM}", "", f"https://claims.example/l/{CLAIM}"),
        (Endpoint.CLAIMS, f"/l/{CANCEL}/x.ics", "", f"https://links.example/l/{CANCEL}/x.ics"),
        (Endpoint.CLAIMS, "/l/abc", "", "https://links.example/l/abc"),
        (Endpoint.CLAIMS, "/waitlist", "", "https://list.example/waitlist"),
        (Endpoint.HOOKS, "/", "", "https://events.example/"),
        (Endpoint.EVENTS, "/book/Haircut", "", "https://book.example/book/Haircut"),
        (Endpoint.EVENTS, "/api/booking/times", "", "https://book.example/api/booking/times"),
        (Endpoint.CONSOLE, "/feed/abc", "", "https://book.example/feed/abc"),
        (Endpoint.LINKS, f"/l/{MANAGE}", "do=move", f"https://book.example/l/{MANAGE}?do=move"),
        (Endpoint.CLAIMS, f"/l/{MANAGE}", "", f"https://book.example/l/{MANAGE}"),
        (Endpoint.BOOKING, f"/l/{CLAIM}", "", f"https://claims.example/l/{CLAIM}"),
        (Endpoint.BOOKING, f"/l/{CANCEL}", "", f"https://links.example/l/{CANCEL}"),
        (Endpoint.BOOKING, "/e/pottery", "", "https://events.example/e/pottery"),
    ],
)
def test_a_request_for_another_function_is_redirected_to_it(
    door: Endpoint, path: str, query: str, where: str
) -> None:
    answer = serve(EndpointRouter(APP, door, SETTINGS), request("POST", path, query=query))

    assert (answer["statusCode"], answer["headers"]["location"]) == (307, where)


@pytest.mark.parametrize("path", ["/cookies", "/elsewhere", "/echo/x", "/"])
def test_a_path_of_no_other_function_is_answered_here(path: str) -> None:
    answer = serve(EndpointRouter(APP, Endpoint.EVENTS, SETTINGS), request("GET", path))

    assert answer["statusCode"] in (200, 404)


@pytest.mark.parametrize(
    ("door", "path"),
    [
        (Endpoint.CLAIMS, f"/l/{CLAIM}"),
        (Endpoint.FORM, "/waitlist/embed"),
        (Endpoint.HOOKS, "/hooks/waitlist/x"),
        (Endpoint.BOOKING, f"/l/{MANAGE}"),
        (Endpoint.BOOKING, "/book"),
    ],
)
def test_each_function_of_the_waitlist_serves_its_own_paths(door: Endpoint, path: str) -> None:
    answer = serve(EndpointRouter(APP, door, SETTINGS), request("GET", path))

    assert answer["statusCode"] == 404  # the application behind it has no such page


def test_every_link_is_answered_by_the_function_of_its_desk() -> None:
    """Each desk has its own numbers for the purposes of its links."""
    doors = {
        "rsvp": Endpoint.LINKS,
        "waitlist": Endpoint.CLAIMS,
        "booking": Endpoint.BOOKING,
        "reminders": Endpoint.REPLIES,
    }
    key = Keys(LinkKey(1, b"k" * 32))
    expires_at = datetime(2030, 1, 1, tzinfo=UTC)
    for desk in DESKS:
        for purpose in desk.links():
            token = sign(Link(purpose, b"x" * 16, 1, expires_at), key)
            assert endpoint_of(f"/l/{token}") is doors[desk.name], purpose


def test_behind_one_common_address_there_is_no_redirect_loop() -> None:
    one = Settings(base_url="https://events.example")

    answer = serve(EndpointRouter(APP, Endpoint.EVENTS, one), request("GET", "/console"))

    assert answer["statusCode"] == 404
