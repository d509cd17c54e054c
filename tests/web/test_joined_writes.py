"""The head and the body of a response are sent in one packet, without delay."""

import asyncio
import socket
from collections.abc import AsyncIterator
from datetime import timedelta

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route

from frontdesk.embedded.http import JoinedWrites, http_server
from frontdesk.settings import Settings

PATIENCE = timedelta(seconds=60).total_seconds()


class Sent(asyncio.Transport):
    """Records written parts, and 'closed'."""

    def __init__(self) -> None:
        super().__init__()
        self.parts: list[bytes] = []

    def write(self, data: bytes | bytearray | memoryview) -> None:
        self.parts.append(bytes(data))

    def close(self) -> None:
        self.parts.append(b"closed")


def test_a_head_and_its_body_are_one_write_and_a_head_alone_leaves_at_once() -> None:
    async def written() -> list[bytes]:
        sent = Sent()
        writes = JoinedWrites(sent, asyncio.get_running_loop())
        for part in (b"head ", b"body", b"redirect", b"", b"stream"):
            writes.write(part)
        await asyncio.sleep(0)
        for part in (b"chunk", b"last"):
            writes.write(part)
        writes.write(b"refusal")
        writes.close()
        return sent.parts

    assert asyncio.run(written()) == [
        b"head body",
        b"redirect",
        b"stream",
        b"chunklast",
        b"refusal",
        b"closed",
    ]


@pytest.mark.parametrize("path", ["/page", "/stream"])
def test_the_server_sends_whole_responses(path: str) -> None:
    """The first part of a stream is sent before the next one exists."""
    goes_on = asyncio.Event()

    async def page(_request: Request) -> Response:
        return Response("a page")

    async def stream(_request: Request) -> Response:
        async def chunks() -> AsyncIterator[str]:
            yield "a "
            await goes_on.wait()
            yield "page"

        return StreamingResponse(chunks())

    async def answered() -> bytes:
        app = Starlette(routes=[Route("/page", page), Route("/stream", stream)])
        server = http_server(app, Settings())
        listener = socket.create_server(("127.0.0.1", 0))
        serving = asyncio.create_task(server.serve([listener]))
        reader, writer = await asyncio.open_connection(*listener.getsockname())
        writer.write(f"GET {path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n".encode())
        begun = await reader.readuntil(b"a ")
        goes_on.set()
        rest = await reader.read()
        writer.close()
        server.should_exit = True
        await serving
        return begun + rest

    found = asyncio.run(asyncio.wait_for(answered(), PATIENCE))

    assert found.startswith(b"HTTP/1.1 200 OK\r\n")
    assert b"page" in found
