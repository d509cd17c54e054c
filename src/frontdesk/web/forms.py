"""Reads forms, uploads and JSON with size limits; errors have texts for the user."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar
from urllib.parse import parse_qsl

import msgspec
from starlette.requests import ClientDisconnect, Request

from frontdesk.core.contacts import BadContact
from frontdesk.values import Frozen, field

T = TypeVar("T")

MOST_FORM_BYTES = 64 * 1024
MOST_UPLOAD_BYTES = 12 * 1024 * 1024
MOST_PART_BYTES = 1024 * 1024
MOST_FIELDS = 200
MOST_JSON_DEPTH = 32
#: Browsers use these encodings. Others could decode to invalid text.
ENCODINGS = frozenset({b"utf-8", b"utf8", b"us-ascii"})
#: A honeypot in public forms: people do not see this field, robots fill it in.
TRAP = "website"


class BadForm(ValueError):
    """The body cannot be parsed. The message can be shown to the user."""


class BadField(ValueError):
    """A wrong value. The text is for the person who typed it."""


class FieldReader:
    """Reads typed fields one by one and collects the errors."""

    def __init__(self, typed: Mapping[str, str]) -> None:
        self._typed = typed
        self.errors: dict[str, str] = {}

    def has(self, field: str) -> bool:
        return bool(self._typed.get(field))

    def read(self, field: str, by: Callable[[str], T]) -> T | None:
        try:
            return by(self._typed.get(field, "").strip())
        except (BadContact, BadField) as error:
            self.errors[field] = str(error)
            return None


class Form(Frozen):
    """Has one text for each field; the last one wins. Files are separate."""

    fields: Mapping[str, str]
    files: Mapping[str, tuple[str, bytes]] = field(default_factory=dict)

    def __getitem__(self, name: str) -> str:
        """Returns the field without surrounding spaces; empty if it was not sent."""
        return self.fields.get(name, "").strip()

    def number(self, name: str, default: int) -> int | None:
        """Parses a whole number; returns the default if empty, None if it is not a number."""
        text = self[name]
        if not text:
            return default
        return int(text) if text.isascii() and text.isdigit() and len(text) <= 9 else None

    def ticked(self, name: str) -> bool:
        return name in self.fields


async def read_body(request: Request, most: int) -> bytes:
    """Reads the body; raises `BadForm` as soon as it exceeds the limit."""
    if _declared(request) > most:
        raise BadForm("That is more than we can take at once.")
    body = bytearray()
    try:
        async for chunk in request.stream():
            body += chunk
            if len(body) > most:
                raise BadForm("That is more than we can take at once.")
    except ClientDisconnect:
        raise BadForm("The connection was lost.") from None
    return bytes(body)


def _declared(request: Request) -> int:
    """Returns the declared content length; 0 if it is not a number."""
    text = request.headers.get("content-length", "0")
    is_number = text.isascii() and text.isdigit()
    return int(text[:_MOST_DIGITS]) if is_number else 0


_MOST_DIGITS = 12


async def read_form(request: Request) -> Form:
    """Reads an HTML form without files."""
    body = await read_body(request, MOST_FORM_BYTES)
    try:
        pairs = parse_qsl(body.decode("utf-8"), keep_blank_values=True, max_num_fields=MOST_FIELDS)
    except ValueError:
        raise BadForm("The form could not be read.") from None
    return Form(dict(pairs))


async def read_public_form(request: Request) -> Form:
    """Reads a form without files. Scripts on other sites may send it as multipart."""
    return await read_upload(request, MOST_FORM_BYTES)


async def read_upload(request: Request, most: int = MOST_UPLOAD_BYTES) -> Form:
    """Reads an HTML form with files."""
    if not request.headers.get("content-type", "").startswith("multipart/form-data"):
        return await read_form(request)
    body = await read_body(request, most)
    return await _multipart(request, body)


async def _multipart(request: Request, body: bytes) -> Form:
    from python_multipart.multipart import parse_options_header
    from starlette.formparsers import MultiPartException, MultiPartParser

    _, options = parse_options_header(request.headers["content-type"])
    if options.get(b"charset", b"utf-8").lower() not in ENCODINGS:
        raise BadForm("The form could not be read.")

    async def once() -> Any:
        yield body

    parser = MultiPartParser(
        request.headers, once(), max_files=5, max_fields=MOST_FIELDS, max_part_size=MOST_PART_BYTES
    )
    fields: dict[str, str] = {}
    uploads: dict[str, tuple[str, bytes]] = {}
    try:
        sent = await parser.parse()
        for name, value in sent.multi_items():
            if isinstance(value, str):
                fields[name] = value
            else:
                uploads[name] = (value.filename or "", await value.read())
    except (MultiPartException, ValueError, KeyError, UnicodeDecodeError):
        raise BadForm("The form could not be read.") from None
    return Form(fields, uploads)


async def read_json(request: Request) -> dict[str, Any]:
    return json_object(await read_body(request, MOST_FORM_BYTES))


def json_object(body: bytes) -> dict[str, Any]:
    """Parses a JSON object strictly: no lone surrogates, no `NaN`, no infinite numbers, and no
    deep nesting, however much of it this version of Python can take.
    """
    try:
        found = msgspec.json.decode(body, type=dict[str, Any])
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        raise BadForm("The body is not a JSON object.") from None
    if _is_deep(found):
        raise BadForm("The body is not a JSON object.")
    return found


def _is_deep(value: dict[str, Any]) -> bool:
    level: list[dict[str, Any] | list[Any]] = [value]
    for _ in range(MOST_JSON_DEPTH):
        level = [
            each
            for one in level
            for each in (one.values() if isinstance(one, dict) else one)
            if isinstance(each, dict | list)
        ]
        if not level:
            return False
    return True


def party_options(most: int) -> tuple[tuple[str, str], ...]:
    """The choices of a party size on a public form."""
    more = tuple((str(n), f"{n} of us") for n in range(2, most + 1))
    return (("1", "Just me"), *more)
