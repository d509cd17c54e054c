"""Sends requests of a botocore client to the emulator without HTTP, in a third of the time.

The client validates, serializes, retries and parses as usual; only the transport is different.
"""

from __future__ import annotations

import json
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from botocore.awsrequest import AWSPreparedRequest, AWSResponse

from frontdesk.values import Frozen

SENT = ("Content-Type", "X-Amz-Target")


class EmulatorSocket:
    """A hook for `before-send`: its answer replaces the answer of the HTTP server."""

    def __init__(self, path: Path, **headers: str) -> None:
        self._path = path
        self._headers = headers
        self._idle: list[socket.socket] = []

    def __call__(self, request: AWSPreparedRequest, **_more: Any) -> AWSResponse:
        headers = self._headers | {name.lower(): _text(request.headers[name]) for name in SENT}
        frame = json.dumps(headers).encode() + b"\n" + request.body
        with self._connection() as connection:
            connection.sendall(len(frame).to_bytes(4, "big") + frame)
            answer = _read(connection, int.from_bytes(_read(connection, 4), "big"))
        head, _, body = answer.partition(b"\n")
        status, answered = json.loads(head)
        return AWSResponse(request.url, status, answered, _Body(body))

    @contextmanager
    def _connection(self) -> Iterator[socket.socket]:
        """Lends a connection to one request at a time. A connection that failed is not used
        again."""
        try:
            connection = self._idle.pop()
        except IndexError:
            connection = socket.socket(socket.AF_UNIX)
            connection.connect(str(self._path))
        try:
            yield connection
        except BaseException:
            connection.close()
            raise
        self._idle.append(connection)


class _Body(Frozen):
    content: bytes

    def stream(self) -> Iterator[bytes]:
        yield self.content


def _text(value: str | bytes) -> str:
    return value if isinstance(value, str) else value.decode()


def _read(connection: socket.socket, size: int) -> bytes:
    parts: list[bytes] = []
    while size:
        part = connection.recv(size)
        if not part:
            raise ConnectionError("the emulator has closed its socket")
        parts.append(part)
        size -= len(part)
    return b"".join(parts)
