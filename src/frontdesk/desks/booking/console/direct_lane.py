"""The settings page of the direct lane: senders whose mail is forwarded unread."""

from __future__ import annotations

import re
from typing import Final

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from frontdesk.core.contacts import BadContact, clean_email
from frontdesk.core.members import Role
from frontdesk.desks.booking.commands import SetDirectLane
from frontdesk.desks.booking.lanes import DIRECT_LANE, MOST_SENDERS, DirectLane
from frontdesk.web.console.forms import FormField, FormSpec
from frontdesk.web.console.shell import console_page, done, form_of, run, staff
from frontdesk.web.site import site_of

PATH: Final = "/console/settings/direct-senders"
TITLE: Final = "Direct senders"
TEXT: Final = (
    "We forward mail from these senders to you and do not answer it ourselves. When you reply, "
    "your reply goes to the sender. This works only for mail whose sender your mail server has "
    "verified."
)
_DOMAIN: Final = re.compile(r"@(?:[a-z0-9-]{1,63}\.){1,8}[a-z0-9-]{2,63}")


def clean_senders(text: str) -> str:
    """One sender on each line, in lower case: an address, or a domain like '@example.org'."""
    found: dict[str, None] = {}
    for word in re.split(r"[\s,;]+", text.strip().lower()):
        if word:
            found[word if _DOMAIN.fullmatch(word) else _address(word)] = None
    if len(found) > MOST_SENDERS:
        raise BadContact(f"Enter {MOST_SENDERS} senders at most.")
    return "\n".join(found)


def _address(word: str) -> str:
    try:
        return clean_email(word)
    except BadContact:
        raise BadContact(f"'{word[:60]}' is no address, and no domain like @example.org.") from None


FORM: Final = FormSpec(
    fields=(
        FormField(
            "senders",
            "Senders",
            "area",
            hint="One on each line: an address, or a whole domain like @example.org.",
            required=False,
            clean=clean_senders,
        ),
        FormField(
            "forward_to",
            "Forward to",
            "email",
            hint="If you leave it empty, the owners of this business get it.",
            required=False,
            clean=lambda text: clean_email(text) if text.strip() else "",
        ),
    ),
    button="Save",
)


def routes() -> list[BaseRoute]:
    return [
        Route(PATH, staff(show, role=Role.OWNER), methods=["GET"]),
        Route(PATH, staff(save, role=Role.OWNER), methods=["POST"]),
    ]


async def show(request: Request) -> Response:
    lane = site_of(request).reads().engine.setting(DIRECT_LANE)
    return _page(request, {"senders": "\n".join(lane.senders), "forward_to": lane.forward_to}, {})


def _page(
    request: Request, values: dict[str, str], errors: dict[str, str], status: int = 200
) -> Response:
    return console_page(
        request,
        "console/form.html",
        page_title=TITLE,
        active="/console/settings",
        crumbs=(("Settings", "/console/settings"), (TITLE, "")),
        status=status,
        form=FORM.view(PATH, "/console/settings", values, errors, text=TEXT),
    )


async def save(request: Request) -> Response:
    typed = form_of(request).fields
    clean, errors = FORM.read(typed)
    if errors:
        return _page(request, dict(typed), errors, status=422)
    lane = DirectLane(tuple(clean["senders"].split()), clean["forward_to"])
    await run(request, SetDirectLane(lane))
    return done(request, PATH, "Saved.")
