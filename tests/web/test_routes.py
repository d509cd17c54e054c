"""Paths lead to the same routes, in the same order, as in Starlette."""

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from frontdesk.web.app import PathRouter
from tests.support.browser import Browser


async def _say(request: Request) -> Response:
    return PlainTextResponse(f"{request.scope['route'].name} {dict(request.path_params)}")


ROUTES = [
    Route("/book", _say, methods=["GET"], name="show"),
    Route("/book", _say, methods=["POST"], name="take"),
    Route("/book/{service}", _say, methods=["GET"], name="service"),
    Route("/book/link", _say, methods=["GET"], name="hidden link"),
    Route("/book/link", _say, methods=["POST"], name="link"),
    Route("/{desk}/help/{page}", _say, methods=["GET"], name="help"),
    Route("/book/{service}/{day}", _say, methods=["GET"], name="day"),
    Route("/by-{name}/today", _say, methods=["GET"], name="today"),
    Route("/", _say, methods=["GET"], name="home"),
]


def _answers(app: Starlette) -> list[tuple[int, str]]:
    visitor = Browser(app, "http://localhost")
    asked = [
        *(("GET", "/book"), ("POST", "/book"), ("PUT", "/book"), ("HEAD", "/book")),
        *(("GET", "/book/haircut"), ("POST", "/book/haircut")),
        *(("GET", "/book/link"), ("POST", "/book/link"), ("PUT", "/book/link")),
        *(("GET", "/book/"), ("GET", "/nothing"), ("GET", "/BOOK"), ("GET", "/book/a/b")),
        *(("GET", "/book/help/x"), ("GET", "/desk/help/x"), ("POST", "/desk/help/x")),
        *(("GET", "/by-mia/today"), ("GET", "/"), ("GET", "//help/x"), ("GET", "/book/help/x/")),
    ]
    return [(one.status, one.text) for one in (visitor.ask(*each) for each in asked)]


def test_every_path_matches_the_same_route_as_in_starlette() -> None:
    plain = Starlette(routes=ROUTES)
    plain.router.redirect_slashes = False
    by_path = Starlette()
    by_path.router = PathRouter(ROUTES)

    found = _answers(by_path)

    assert found == _answers(plain)
    assert found[:3] == [(200, "show {}"), (200, "take {}"), (405, "Method Not Allowed")]
    assert found[6:8] == [(200, "service {'service': 'link'}"), (200, "link {}")]
