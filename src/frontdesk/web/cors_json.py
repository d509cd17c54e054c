"""JSON for scripts on any site. No cookies are used, so every origin is allowed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

MOST_KEY_CHARACTERS: Final = 200
CORS: Final = {"access-control-allow-origin": "*"}
PREFLIGHT: Final = {
    **CORS,
    "access-control-allow-methods": "GET, POST, OPTIONS",
    "access-control-allow-headers": "accept, content-type, idempotency-key",
    "access-control-max-age": "86400",
}
KEY_MEANS: Final = f"Please send up to {MOST_KEY_CHARACTERS} visible characters."


async def preflight(_request: Request) -> Response:
    """Answers a CORS preflight request: every origin is allowed."""
    return Response(status_code=204, headers=PREFLIGHT)


def is_usable(key: str) -> bool:
    """Returns whether a text can be an idempotency key."""
    return 0 < len(key) <= MOST_KEY_CHARACTERS and key.isascii() and key.isprintable()


def as_json(body: Mapping[str, Any], status: int = 200) -> Response:
    headers = {**CORS, "cache-control": "no-store", "x-content-type-options": "nosniff"}
    return JSONResponse(body, status, headers)


def no(status: int, problem: str, means: str) -> Response:
    return as_json({"problem": problem, "means": means}, status)


def key_reused() -> Response:
    return no(
        422,
        "This Idempotency-Key was used for another request.",
        "Nothing was changed. Please send a new key with a new request.",
    )


def wrong_fields(fields: Mapping[str, str]) -> Response:
    means = "Nothing was changed. Please correct these fields and send it again."
    body = {"problem": " ".join(fields.values()), "means": means, "fields": dict(fields)}
    return as_json(body, 422)
