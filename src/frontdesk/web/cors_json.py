"""JSON for scripts on any site. It uses no cookies, so every origin is allowed."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Mapping
from functools import wraps
from typing import Any, Final

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from frontdesk.errors import KeyReused
from frontdesk.web.forms import BadForm, read_json, read_public_form

MOST_KEY_CHARACTERS: Final = 200
CORS: Final = {"access-control-allow-origin": "*"}
HEADERS: Final = {**CORS, "cache-control": "no-store", "x-content-type-options": "nosniff"}
PREFLIGHT: Final = {
    **CORS,
    "access-control-allow-methods": "GET, POST, OPTIONS",
    "access-control-allow-headers": "accept, content-type, idempotency-key",
    "access-control-max-age": "86400",
}


async def preflight(_request: Request) -> Response:
    """Answers a CORS preflight request: every origin is allowed."""
    return Response(status_code=204, headers=PREFLIGHT)


class JsonRefused(Exception):
    """Ends the request with this answer."""

    def __init__(self, answer: Response) -> None:
        super().__init__()
        self.answer = answer


Handler = Callable[[Request], Awaitable[Response]]


def json_api(handle: Handler) -> Handler:
    """Answers errors in JSON: too many requests, an unreadable body, a refused or reused key."""

    @wraps(handle)
    async def answered(request: Request) -> Response:
        try:
            return await handle(request)
        except JsonRefused as refused:
            return refused.answer
        except BadForm as error:
            return no(400, str(error), "Nothing was changed.")
        except KeyReused:
            return _key_reused()
        except HTTPException as error:
            if error.status_code != 429:
                raise
            return no(429, "That was a lot at once.", "Please wait a minute, then try again.")

    return answered


async def read_public_body(request: Request) -> Mapping[str, Any]:
    """Reads JSON, or a form whose sender wants a JSON answer."""
    if request.headers.get("content-type", "").startswith("application/json"):
        return await read_json(request)
    form = await read_public_form(request)
    return {**form.fields, "party": form.number("party", 1)}


def wrong_types(
    body: Mapping[str, Any], texts: Iterable[str], *, nullable: bool = True
) -> dict[str, str]:
    """Returns errors by field: `texts` must be texts, and `party` a whole number."""
    text_types = (str, type(None)) if nullable else str
    wrong = {
        name: "Please send this as text."
        for name in texts
        if not isinstance(body.get(name, ""), text_types)
    }
    party = body.get("party", 1)
    if not isinstance(party, int) or isinstance(party, bool):
        wrong["party"] = "Please send this as a whole number."
    return wrong


def idempotency_key(request: Request) -> str | None:
    """Returns the key in the header. Raises `JsonRefused` if it cannot be used."""
    key = request.headers.get("idempotency-key")
    if key is None or (0 < len(key) <= MOST_KEY_CHARACTERS and key.isascii() and key.isprintable()):
        return key
    means = f"Please send up to {MOST_KEY_CHARACTERS} visible characters."
    raise JsonRefused(no(422, "This Idempotency-Key cannot be used.", means))


def as_json(body: Mapping[str, Any], status: int = 200) -> Response:
    return JSONResponse(body, status, HEADERS)


def encoded_json(body: bytes) -> Response:
    """Answers with JSON that is encoded already."""
    return Response(body, headers=HEADERS, media_type=JSONResponse.media_type)


def no(status: int, problem: str, means: str) -> Response:
    return as_json({"problem": problem, "means": means}, status)


def _key_reused() -> Response:
    return no(
        422,
        "This Idempotency-Key was used for another request.",
        "Nothing was changed. Please send a new key with a new request.",
    )


def wrong_fields(fields: Mapping[str, str]) -> Response:
    """Says each problem once, although several fields may have it."""
    means = "Nothing was changed. Please correct these fields and send it again."
    problem = " ".join(dict.fromkeys(fields.values()))
    body = {"problem": problem, "means": means, "fields": dict(fields)}
    return as_json(body, 422)
