"""Builds Lambda handlers from routes, for the functions that have a URL."""

from __future__ import annotations

import asyncio
import base64
import binascii
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Final
from urllib.parse import unquote

from starlette.applications import Starlette
from starlette.routing import BaseRoute
from starlette.types import ASGIApp, Message, Scope

from frontdesk.aws.container import Deployment, container, deployment
from frontdesk.aws.routing import WITH_OWN_LIMITS, Endpoint, EndpointRouter
from frontdesk.core.links import Keys
from frontdesk.desks.admin.branding import branding_of
from frontdesk.errors import Busy
from frontdesk.logs import failure, log, where
from frontdesk.store.dynamodb.schema import FD_RATELIMIT, WL_RATELIMIT
from frontdesk.values import Frozen, replace
from frontdesk.web.app import create_app
from frontdesk.web.limits import RateLimits
from frontdesk.web.site import Site
from frontdesk.web.unseen_work import PaddedWork
from frontdesk.wiring.application import Application
from frontdesk.wiring.aws import limits_of
from frontdesk.wiring.site import site_on

Payload = Mapping[str, Any]
Answer = dict[str, Any]

#: The payload limit of Lambda, less the overhead of its envelope.
MOST_BYTES: Final = 5_500_000
_TEXT: Final = (
    "text/",
    "application/json",
    "application/javascript",
    "application/manifest+json",
    "image/svg",
)


def serve(app: ASGIApp, payload: Payload) -> Answer:
    """Serves one request. Background work of the response finishes before this returns."""
    try:
        body = _body(payload)
    except ValueError:
        return _plain(400, "That cannot be read.")
    if len(body) > MOST_BYTES:
        return _plain(413, "That is more than we can take at once.")
    response = _Response()
    _loop().run_until_complete(_run(app, _scope(payload), body, response))
    if not response.status:
        return _plain(500, "Something broke on our side. Please try again.")
    answer = response.answer(with_body=payload["requestContext"]["http"]["method"] != "HEAD")
    if len(response.body) > MOST_BYTES or _is_too_long(answer["body"]):
        return _plain(507, "That is more than can be sent at once. Please ask for less.")
    return answer


def _is_too_long(text: str) -> bool:
    """Lambda sends JSON, in which a character has up to six bytes. Base64 is a third longer."""
    least = MOST_BYTES // 6
    return len(text) > least and len(json.dumps(text, ensure_ascii=False).encode()) > MOST_BYTES


@cache
def _loop() -> asyncio.AbstractEventLoop:
    """One event loop for the container: clients and locks of the application belong to it."""
    return asyncio.new_event_loop()


@dataclass(slots=True)
class _Response:
    status: int = 0
    """0 until the response has started."""
    headers: list[tuple[str, str]] = field(default_factory=list)
    body: bytearray = field(default_factory=bytearray)

    async def hear(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.status = message["status"]
            self.headers = [
                (name.decode("latin-1").lower(), value.decode("latin-1"))
                for name, value in message.get("headers", ())
            ]
        elif message["type"] == "http.response.body" and len(self.body) <= MOST_BYTES:
            self.body += message.get("body", b"")

    def answer(self, *, with_body: bool) -> Answer:
        headers: dict[str, str] = {}
        for name, value in self.headers:
            if name != "set-cookie":
                headers[name] = f"{headers[name]}, {value}" if name in headers else value
        is_text = headers.get("content-type", "").startswith(_TEXT)
        is_text = is_text and "content-encoding" not in headers
        sent = bytes(self.body) if with_body else b""
        return {
            "statusCode": self.status,
            "headers": headers,
            "cookies": [value for name, value in self.headers if name == "set-cookie"],
            "body": sent.decode() if is_text else base64.b64encode(sent).decode(),
            "isBase64Encoded": not is_text,
        }


async def _run(app: ASGIApp, scope: Scope, body: bytes, response: _Response) -> None:
    asked = False

    async def receive() -> Message:
        nonlocal asked
        if asked:
            return {"type": "http.disconnect"}
        asked = True
        return {"type": "http.request", "body": body, "more_body": False}

    try:
        await app(scope, receive, response.hear)
    except Exception as error:  # the application has sent its error page by now, if it could
        if not response.status:
            log("page.failed", path=scope["path"], why=failure(error), where=where(error))


def _body(payload: Payload) -> bytes:
    text: str = payload.get("body") or ""
    if not payload.get("isBase64Encoded"):
        return text.encode()
    try:
        return base64.b64decode(text, validate=True)
    except binascii.Error as error:
        raise ValueError("not base64") from error


def _scope(payload: Payload) -> Scope:
    """Joins cookies, which come apart from the headers; takes the client address from AWS."""
    http = payload["requestContext"]["http"]
    headers = {name.lower(): value for name, value in payload.get("headers", {}).items()}
    if cookies := payload.get("cookies"):
        headers["cookie"] = "; ".join(cookies)
    host = headers.get("host") or payload["requestContext"].get("domainName", "")
    return {
        "type": "http",
        "asgi": {"version": "3.0", "spec_version": "2.4"},
        "http_version": "1.1",
        "method": http["method"],
        "scheme": "https",
        "path": unquote(payload["rawPath"]),
        "raw_path": payload["rawPath"].encode(),
        "query_string": payload.get("rawQueryString", "").encode(),
        "root_path": "",
        "headers": [
            (name.encode("latin-1", "replace"), value.encode("latin-1", "replace"))
            for name, value in headers.items()
        ],
        "client": (http.get("sourceIp", ""), 0),
        "server": (host.partition(":")[0], 443),
    }


def _plain(status: int, says: str) -> Answer:
    return {
        "statusCode": status,
        "headers": {"content-type": "text/plain; charset=utf-8"},
        "cookies": [],
        "body": says + "\n",
        "isBase64Encoded": False,
    }


Routes = Callable[[Deployment], Sequence[BaseRoute]]


def while_on(desk: str, routes: Routes) -> Routes:
    """Serves the routes only while the desk is switched on. Links in messages are always served."""
    return lambda now: routes(now) if now.settings.has_desk(desk) else ()


@dataclass(slots=True)
class Pages:
    """A Lambda handler that serves some routes; rebuilt when the settings change."""

    endpoint: Endpoint
    routes: Routes
    install: Callable[[Site, Starlette, Deployment], None] = lambda _site, _app, _deployment: None
    _built: _Built | None = None

    def __call__(self, payload: Payload, _context: object) -> Answer:
        try:
            app = self._app()
        except Busy:
            return _plain(503, "Many people are here at once. Please try again in a few seconds.")
        return serve(app, payload)

    def _app(self) -> ASGIApp:
        now = deployment()
        if self._built is None or self._built.deployment is not now:
            self._built = self._build(now)
        elif self._built.reading != container.readings:
            self._built.site.renderer.set_branding(
                branding_of(now.back.engine.reads(), now.settings)
            )
            self._built = replace(self._built, reading=container.readings)
        return self._built.app

    def _build(self, deployment: Deployment) -> _Built:
        site = site_on(deployment.back, self._keys(deployment), self._limits(deployment))
        site.live.streams = False
        site.unseen_work = PaddedWork()
        site.bad_link = lambda: _bad_link(deployment.back)
        app = create_app(site, self.routes(deployment))
        self.install(site, app, deployment)
        endpoint = EndpointRouter(app, self.endpoint, deployment.settings)
        return _Built(deployment, site, endpoint, container.readings)

    def _keys(self, deployment: Deployment) -> Callable[[], Keys]:
        return deployment.claim_keys if self.endpoint in WITH_OWN_LIMITS else deployment.keys

    def _limits(self, deployment: Deployment) -> RateLimits:
        table = WL_RATELIMIT if self.endpoint in WITH_OWN_LIMITS else FD_RATELIMIT
        return limits_of(deployment.account, table)


class _Built(Frozen):
    deployment: Deployment
    site: Site
    app: ASGIApp
    reading: int


def _bad_link(back: Application) -> None:
    """Counts links with a bad signature for the alarm: somebody may be guessing."""
    log("link.bad_signature")
    back.bad_signatures.seen(back.clock.now())
