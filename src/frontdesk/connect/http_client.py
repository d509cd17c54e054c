"""One HTTP request to an outside system, bounded in size and time.

Redirects are not followed, so a secret in a header goes to no other host.
"""

from __future__ import annotations

import http.client
import math
import time
import urllib.error
import urllib.request
from collections.abc import Mapping
from typing import Any, Final

from frontdesk.connect.network_reasons import network_reason
from frontdesk.values import Frozen

_CHUNK: Final = 65_536


class Response(Frozen):
    status: int
    headers: Mapping[str, str]
    """Names are in lower case."""
    body: bytes


class Unreachable(Exception):
    """There is no complete response; the text says why, in plain words."""

    def __init__(self, why: str, *, sent: bool = True) -> None:
        super().__init__(why)
        self.sent = sent
        """Whether the server may have got the whole request."""


class TooLarge(Exception):
    """The response has more bytes than allowed."""


def send(
    url: str,
    headers: Mapping[str, str],
    body: bytes | None = None,
    *,
    method: str | None = None,
    seconds: float,
    within: float | None = None,
    max_bytes: int,
) -> Response:
    """`seconds` limits each wait for the server, `within` the whole request."""
    until = math.inf if within is None else time.monotonic() + within
    request = urllib.request.Request(  # noqa: S310 - addresses are from the settings
        url, body, dict(headers), method=method
    )
    try:
        with _opened(request, seconds) as found:
            lower = {name.lower(): value for name, value in found.headers.items()}
            return Response(found.status, lower, _read(found, until, max_bytes))
    except urllib.error.URLError as error:  # the connection or the request failed
        raise Unreachable(network_reason(error), sent=False) from None
    except (OSError, http.client.HTTPException, ValueError) as error:
        raise Unreachable(network_reason(error)) from None


def _opened(request: urllib.request.Request, seconds: float) -> Any:
    """Returns the response with any status."""
    try:
        return _OPENER.open(request, timeout=seconds)
    except urllib.error.HTTPError as error:
        return error


def _read(found: Any, until: float, max_bytes: int) -> bytes:
    data = bytearray()
    while chunk := found.read1(_CHUNK):
        data += chunk
        if len(data) > max_bytes:
            raise TooLarge
        if time.monotonic() > until:
            raise TimeoutError
    return bytes(data)


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_: Any) -> None:
        return None


_OPENER: Final = urllib.request.build_opener(_NoRedirect)
