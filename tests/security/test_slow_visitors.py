"""The server disconnects clients that send slowly, endlessly or nothing, or do not read the
response."""

import socket
import threading
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import ExitStack, closing, contextmanager, suppress

import pytest
import uvloop
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from frontdesk.embedded import http
from frontdesk.embedded.http import BoundedConnection, http_server, listen
from frontdesk.settings import Settings
from frontdesk.web.app import create_app
from frontdesk.web.forms import MOST_FORM_BYTES
from tests.security.world import World
from tests.support.browser import Browser
from tests.support.machine import until

TIMEOUT = 20


async def reads_all(_scope: Scope, receive: Receive, send: Send) -> None:
    """Reads the whole request before it answers, as pages with forms do."""
    while (await receive()).get("more_body"):
        pass
    await send(
        {"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"2")]}
    )
    await send({"type": "http.response.body", "body": b"ok"})


async def reads_nothing(_scope: Scope, _receive: Receive, send: Send) -> None:
    await send(
        {"type": "http.response.start", "status": 404, "headers": [(b"content-length", b"2")]}
    )
    await send({"type": "http.response.body", "body": b"no"})


async def answers_each_piece(_scope: Scope, receive: Receive, send: Send) -> None:
    await send({"type": "http.response.start", "status": 200, "headers": []})
    more = True
    while more:
        piece = await receive()
        more = piece.get("more_body", False)
        await send({"type": "http.response.body", "body": piece["body"], "more_body": more})


def large(*, more: bool) -> ASGIApp:
    async def is_large(_scope: Scope, _receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b"x" * 32_000_000, "more_body": more})
        if more:
            await send({"type": "http.response.body", "body": b"x"})

    return is_large


@contextmanager
def served(app: ASGIApp) -> Iterator[tuple[str, int]]:
    settings = Settings(host="127.0.0.1", port=0)
    with closing(listen(settings)) as listener:
        server = http_server(app, settings)
        run = threading.Thread(target=uvloop.run, args=(server.serve([listener]),))
        run.start()
        try:
            yield listener.getsockname()[:2]
        finally:
            server.should_exit = True
            run.join(TIMEOUT)
            assert not run.is_alive()


@pytest.fixture(autouse=True)
def _impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HEAD_SECONDS", "BODY_SECONDS", "FETCH_SECONDS"):
        monkeypatch.setattr(http, name, 0.2)
    monkeypatch.setattr(http, "KEEP_ALIVE_SECONDS", 0.2)


def said_until_the_end(where: tuple[str, int], *sent: bytes, after: bytes = b"") -> bytes:
    """Returns all bytes until the server disconnects. Sends `after` once the server has
    answered."""
    with socket.create_connection(where, timeout=TIMEOUT) as line:
        for each in sent:
            line.sendall(each)
        said = line.recv(10_000) if after else b""
        if after:
            line.sendall(after)
        while more := line.recv(10_000):
            said += more
    return said


HEAD = b"POST / HTTP/1.1\r\nhost: x\r\n"


@pytest.mark.spec("FD-27")
@pytest.mark.parametrize(
    "sent",
    [
        b"",
        b"\r\n\r\n",
        b"POST / HT",
        HEAD,
        HEAD + b"content-length: 50\r\n\r\nname=",
        HEAD + b"transfer-encoding: chunked\r\n\r\n5\r\nname=\r\n",
        HEAD + b"content-length: 50\r\nexpect: 100-continue\r\n\r\n",
    ],
)
def test_a_request_that_never_ends_is_disconnected(sent: bytes) -> None:
    with served(reads_all) as where:
        said = said_until_the_end(where, sent)

    assert said in (b"", b"HTTP/1.1 100 Continue\r\n\r\n")


@pytest.mark.spec("FD-27")
@pytest.mark.parametrize(
    ("padding", "status"),
    [
        (b"a: " + b"x" * 30_000, b"200"),
        (b"a: " + b"x" * 33_000, b"400"),
        (b"\r\n".join([b"a: x"] * 8_000), b"400"),
    ],
    ids=["within the bound", "one long header", "many headers"],
)
def test_the_head_of_a_request_is_bounded_also_if_one_read_brings_it(
    padding: bytes, status: bytes
) -> None:
    with served(reads_all) as where:
        sent = b"GET / HTTP/1.1\r\n" + padding + b"\r\nconnection: close\r\n\r\n"
        said = said_until_the_end(where, sent)

    assert said.split()[1] == status


@pytest.mark.spec("FD-27")
@pytest.mark.parametrize(
    ("begin", "endless"),
    [(b"0\r\n", b"a: x\r\n"), (b"0\r\na: ", b"x" * 6), (b"1;a=", b"x" * 6)],
    ids=["headers after the body", "one long header after the body", "words beside a piece"],
)
def test_the_framing_of_chunks_in_a_body_is_bounded(
    begin: bytes, endless: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(http, "BODY_SECONDS", 60)
    with served(reads_all) as where, socket.create_connection(where, timeout=TIMEOUT) as line:
        line.sendall(HEAD + b"transfer-encoding: chunked\r\n\r\n1\r\nx\r\n" + begin)

        with pytest.raises(ConnectionError):
            line.sendall(endless * 3_000_000)


@pytest.mark.spec("FD-27")
@pytest.mark.parametrize("many", [http.MOST_WAITING + 1, http.MOST_WAITING + 2])
def test_few_requests_wait_behind_the_one_that_is_answered(many: int) -> None:
    with served(reads_all) as where:
        said = said_until_the_end(where, b"GET / HTTP/1.1\r\nhost: x\r\n\r\n" * many)

    if many > http.MOST_WAITING + 1:
        assert said.startswith(b"HTTP/1.1 400")
    else:
        assert said.count(b"HTTP/1.1 200") == many


@pytest.mark.spec("FD-27")
@pytest.mark.parametrize(
    "after", [b"\r\n", b"GET", b"POST / HTTP/1.1\r\ncontent-length: 5\r\n\r\nx"]
)
def test_an_idle_connection_is_closed(after: bytes) -> None:
    with served(reads_all) as where:
        said = said_until_the_end(where, b"GET / HTTP/1.1\r\nhost: x\r\n\r\n", after=after)

    assert said.count(b"HTTP/1.1") == 1
    assert said.endswith(b"ok")


@pytest.mark.spec("FD-27")
@pytest.mark.parametrize("after", [b"me=", b"name=", b"name=\r\n"])
def test_the_body_of_a_refused_request_is_not_read(after: bytes) -> None:
    with served(reads_nothing) as where:
        said = said_until_the_end(where, HEAD + b"content-length: 5\r\n\r\n", after=after)

    assert said.startswith(b"HTTP/1.1 404")


@pytest.mark.spec("FD-27")
def test_a_body_that_is_being_sent_is_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(http, "BODY_SECONDS", 0)  # checks all the time
    monkeypatch.setattr(http, "BODY_BYTES", 0)
    with (
        served(answers_each_piece) as where,
        socket.create_connection(where, timeout=TIMEOUT) as line,
    ):
        line.sendall(HEAD + b"content-length: 30\r\n\r\n")
        for number in range(30):
            line.sendall(b"%c" % (65 + number))
            while b"%c\r\n" % (65 + number) not in line.recv(10_000):
                pass


@pytest.mark.spec("FD-27")
@pytest.mark.parametrize("more", [True, False])
def test_a_client_that_does_not_read_the_response_is_disconnected(
    more: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    let_go, lost = threading.Event(), BoundedConnection.connection_lost

    def connection_lost(self: BoundedConnection, error: Exception | None) -> None:
        lost(self, error)
        let_go.set()

    monkeypatch.setattr(BoundedConnection, "connection_lost", connection_lost)
    with served(large(more=more)) as where, socket.socket() as line:
        line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4_096)
        line.connect(where)
        line.sendall(b"GET / HTTP/1.1\r\nhost: x\r\n\r\n")

        assert let_go.wait(TIMEOUT)


@pytest.mark.spec("FD-27")
def test_a_body_that_grows_past_its_bound_is_answered_while_it_comes(world: World) -> None:
    with served(world.con.app) as where, socket.create_connection(where, timeout=TIMEOUT) as line:
        line.sendall(b"POST /e/pottery HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n")
        chunk = b"%x\r\n%s\r\n" % (16_384, b"x" * 16_384)
        line.sendall(chunk * (MOST_FORM_BYTES // 16_384 + 1))

        assert line.recv(10_000).startswith(b"HTTP/1.1 400")


@pytest.mark.spec("FD-27")
@pytest.mark.parametrize(
    "sent",
    [
        b"GET /e/\xff\xfe HTTP/1.1\r\nhost: x\r\n\r\n",
        b"GET http://[ HTTP/1.1\r\nhost: x\r\n\r\n",
        b"GET " + b"/" * 20_000 + b" HTTP/1.1\r\nhost: x\r\n\r\n",
        b"GET /e/pottery HTTP/1.1\r\nhost: [\r\nconnection: close\r\n\r\n",
        b"GET /e/pottery HTTP/1.1\r\n" + b"a: b\r\n" * 4_000 + b"connection: close\r\n\r\n",
        b"POST /e/pottery HTTP/1.1\r\nhost: x\r\ncontent-length: " + b"9" * 40 + b"\r\n\r\n",
        HEAD
        + b"content-length: 5\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\nGET / HTTP/1.1\r\n\r\n",
        b"POST /e/pottery HTTP/1.1\r\ncontent-length: 5\r\ncontent-length: 6\r\n\r\nname=x",
        b"CONNECT evil.example:443 HTTP/1.1\r\nhost: x\r\n\r\n",
        b"GET /e/pottery HTTP/1.1\r\nhost: x\r\nupgrade: websocket\r\nconnection: upgrade\r\n\r\n",
        b"GET /e/pottery HTTP/0.9\r\n\r\n",
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
        b"EHLO x\r\n",
    ],
)
def test_an_invalid_request_is_answered_once_and_the_connection_closed(
    world: World, sent: bytes
) -> None:
    before = world.dump()
    with served(world.con.app) as where:
        said = said_until_the_end(where, sent)

    assert said == b"" or int(said.split()[1]) < 500
    assert said.count(b"HTTP/1.1 ") <= 1
    assert world.dump() == before


@pytest.mark.spec("FD-27", "FD-29")
def test_many_idle_connections_of_one_address_leave_room_for_others(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(http, "MOST_OF_ONE_ADDRESS", 5)
    monkeypatch.setattr(http, "HEAD_SECONDS", 60)
    with served(reads_nothing) as where, ExitStack() as lines:
        idle = [
            lines.enter_context(socket.create_connection(where, timeout=TIMEOUT)) for _ in range(20)
        ]
        refused = [line.recv(100).partition(b"\r\n")[0] for line in idle[5:]]
        other = socket.create_connection(where, TIMEOUT, source_address=("127.0.0.2", 0))
        with other:
            other.sendall(b"GET / HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n")
            assert other.recv(100).startswith(b"HTTP/1.1 404")

        assert refused == [b"HTTP/1.1 503 Service Unavailable"] * 15
        idle[0].close()
        assert _is_let_in_again(where)


def _is_let_in_again(where: tuple[str, int]) -> bool:
    """Returns whether a new client is served, once the server has noticed that another left."""
    for _ in range(1_000):
        with socket.create_connection(where, timeout=TIMEOUT) as line:
            line.sendall(b"GET / HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n")
            try:
                if line.recv(100).startswith(b"HTTP/1.1 404"):
                    return True
            except ConnectionResetError:
                continue
    return False


@pytest.mark.spec("FD-27")
def test_a_client_that_disconnects_midway_breaks_no_page(
    world: World, capsys: pytest.CaptureFixture[str]
) -> None:
    """The requests go to forms, JSON and webhooks, signed in or not; none of them is an error of
    the server."""
    cookie = "; ".join(f"{name}={value}" for name, value in world.owner.cookies.items())
    paths = [world.path(pattern) for pattern in world.routes("POST")]
    watched = Watched(world.con.app)
    with served(watched) as where:
        for path in paths:
            head = (
                f"POST {path} HTTP/1.1\r\nhost: desk.example\r\n"
                f"cookie: {cookie}\r\ncontent-type: application/x-www-form-urlencoded\r\n"
                "content-length: 500\r\n\r\nname=A"
            )
            with socket.create_connection(where, timeout=TIMEOUT) as line:
                line.sendall(head.encode())
        until(lambda: len(watched.outcomes) == len(paths))

    assert sorted(watched.outcomes, key=str) == sorted([(path, None) for path in paths], key=str)
    assert "page.failed" not in capsys.readouterr().err


class Watched:
    """Records the end of each request to an application, and its error."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app
        self.outcomes: list[tuple[str, BaseException | None]] = []

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        wrong: BaseException | None = None
        try:
            await self.app(scope, receive, send)
        except BaseException as error:
            wrong = error
            raise
        finally:
            self.outcomes.append((scope["path"], wrong))


async def _is_gone(request: Request) -> Response:
    raise ClientDisconnect


async def _goes_in_the_middle(request: Request) -> Response:
    async def pieces() -> AsyncIterator[bytes]:
        yield b"x"
        raise BrokenPipeError

    return StreamingResponse(pieces())


@pytest.mark.spec("FD-27")
@pytest.mark.parametrize("handler", [_is_gone, _goes_in_the_middle])
def test_a_disconnect_is_not_logged_as_a_broken_page(
    world: World,
    capsys: pytest.CaptureFixture[str],
    handler: Callable[[Request], Awaitable[Response]],
) -> None:
    app = create_app(world.con.desk.product.site, [Route("/x", handler)])
    with suppress(ClientDisconnect, RuntimeError):
        Browser(app, "http://desk.example").get("/x")

    assert "page.failed" not in capsys.readouterr().err
