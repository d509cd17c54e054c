"""The signed webhook for Slack buttons, `POST /hooks/slack`. Each request counts once."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Final
from urllib.parse import parse_qs

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route

from frontdesk.channels.slack.client import Slack, SlackFailed, is_signed
from frontdesk.logs import failure, log
from frontdesk.values import Frozen
from frontdesk.web.forms import BadForm, json_object, read_body
from frontdesk.web.limits import Rate
from frontdesk.web.site import limit_visitor, site_of

MAX_BYTES: Final = 128 * 1024
MAX_CHARACTERS: Final = 100
RATE: Final = Rate(burst=60, per_minute=60)
FORGED_RATE: Final = Rate(burst=20, per_minute=6)
#: A signed request is valid for five minutes each way, and only once.
ONCE: Final = Rate(burst=1, per_minute=0.05)


class BadPress(ValueError):
    """A press cannot be read. The text says what is wrong."""


class Press(Frozen):
    user: str
    action: str
    subject: str
    channel: str

    @property
    def by(self) -> str:
        return f"slack:{self.user}"


PATH: Final = "/hooks/slack"
Buttons = Mapping[str, Callable[[Request, Press], Awaitable[str]]]
"""The functions of the buttons, by action id. The person who pressed sees the returned text; after
the commit, the message in the channel changes for everybody."""


def routes(slack: Slack, buttons: Buttons) -> list[BaseRoute]:
    async def take(request: Request) -> Response:
        return await _take(request, slack, buttons)

    return [Route(PATH, take, methods=["POST"])]


async def _take(request: Request, slack: Slack, buttons: Buttons) -> Response:
    site = site_of(request)
    limit_visitor(request, "slack", RATE)
    try:
        body = await read_body(request, MAX_BYTES)
    except BadForm as error:
        return _no(413, str(error))
    if not is_signed(request.headers, body, site.settings.slack_signing_secret, site.clock.now()):
        limit_visitor(request, "forged slack", FORGED_RATE)
        return _no(401, "The X-Slack-Signature header does not fit this body, or is too old.")
    if not site.limits.take("slack once", request.headers["x-slack-signature"], ONCE):
        return _no(409, "This request was already received.")
    try:
        press = _press(body, buttons)
    except BadPress as error:
        return _no(422, str(error))
    if press is not None and press.channel == slack.channel:
        answer = await buttons[press.action](request, press)
        if answer:
            await run_in_threadpool(_answer_privately, slack, press.user, answer)
    return Response(status_code=200)


def _answer_privately(slack: Slack, user: str, text: str) -> None:
    """Tells the person who pressed. A failure is only logged, because the command is done."""
    try:
        slack.post_privately(user, text)
    except SlackFailed as error:
        log("slack.answer_not_sent", why=failure(error))


def _press(body: bytes, buttons: Buttons) -> Press | None:
    """Reads a press; None if it is something else, such as a button that only opens a page."""
    payload = _decoded(body)
    actions = payload.get("actions")
    action = actions[0] if isinstance(actions, list) and actions else None
    if payload.get("type") != "block_actions" or not isinstance(action, dict):
        return None
    if action.get("action_id") not in tuple(buttons):  # it may have any type
        return None
    return Press(
        _text(payload, "user", "id"),
        action["action_id"],
        _text(action, "value"),
        _text(payload, "channel", "id"),
    )


def _decoded(body: bytes) -> Mapping[str, Any]:
    try:
        form = parse_qs(body.decode("utf-8"), max_num_fields=10)
        return json_object(form["payload"][0].encode())
    except (ValueError, KeyError) as error:
        raise BadPress("The body should be a form with a payload of JSON.") from error


def _text(payload: Mapping[str, Any], *path: str) -> str:
    found: Any = payload
    for name in path:
        found = found.get(name) if isinstance(found, dict) else None
    if not isinstance(found, str) or not found.isascii() or not 0 < len(found) <= MAX_CHARACTERS:
        raise BadPress(f"{'.'.join(path)} is missing.")
    return found


def _no(status: int, problem: str) -> Response:
    return JSONResponse({"problem": problem, "means": "Nothing was changed."}, status)
