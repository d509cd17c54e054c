"""Callbacks into the application, tabs, chips and texts that several admin pages need."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, Final
from zoneinfo import ZoneInfo

from starlette.exceptions import HTTPException
from starlette.requests import Request

from frontdesk.core.localtime import zone
from frontdesk.core.members import Role
from frontdesk.core.messages import IncomingText
from frontdesk.core.sends import SendState
from frontdesk.desks.admin.load import admin
from frontdesk.desks.admin.model import Part
from frontdesk.desks.admin.reads import AdminReads, MailFilter
from frontdesk.engine.delivery import MAYBE_SENT
from frontdesk.engine.health import Health
from frontdesk.engine.replay import Replay
from frontdesk.values import Frozen
from frontdesk.web.console.formatting import Chip
from frontdesk.web.console.lists import number
from frontdesk.web.console.shell import signed_in, tabs
from frontdesk.web.site import site_of


class AdminCallbacks(Frozen):
    """Callbacks that may be slow, so pages call them in a thread."""

    health: Callable[[], Health]
    replay: Callable[[int, str], Replay]
    """Replays a dead letter; takes its number and the actor."""
    text_in: Callable[[IncomingText], str]
    """Receives a text as if it came from a phone, and returns its outcome."""
    try_part: Callable[[Part], bool] = lambda _part: False
    """Tries a part that has failed; returns whether it works."""
    out_of_reach: Callable[[], int] = lambda: 0
    """Counts people whom no message reaches until texts go out again."""


def reads_of(request: Request) -> AdminReads:
    return admin(site_of(request).reads())


def zone_of(request: Request) -> ZoneInfo:
    return zone(reads_of(request).business().zone)


def number_in(request: Request, name: str) -> int:
    """Returns a number from the path. Raises a 404 if it is not a number."""
    found = number(request.path_params[name])
    if not found:
        raise HTTPException(404)
    return found


SEND_CHIPS: Final[Mapping[SendState, Chip]] = {
    SendState.SENT: Chip("Sent", "good"),
    SendState.QUEUED: Chip("On its way", "waiting"),
    SendState.HELD: Chip("Held", "waiting"),
    SendState.SENDING: Chip("Being sent", "waiting"),
    SendState.FAILED: Chip("Failed", "ending"),
    SendState.UNKNOWN: Chip("Unclear", "ending"),
    SendState.DROPPED: Chip("Not sent", "gone"),
}


def kind_word(kind: str) -> str:
    """Turns 'offer_lapsed' into 'Offer lapsed'."""
    return kind.replace("_", " ").capitalize()


#: Explains to staff the reasons with which a desk refuses to send a message.
_REFUSALS: Final = {
    "begun": "It has begun meanwhile.",
    "changed_meanwhile": "It has changed meanwhile.",
    "ended": "It was over before this could go out.",
    "in_debt": "More seats are taken than there are now; nothing is offered until there is room.",
    "not_waiting": "They do not wait any more.",
    "nothing_due": "There was nothing to say any more.",
    "offer_gone": "The offer had ended before this could go out.",
    "quiet_hours": "It is held because of quiet hours.",
    "slot_closed": "The slot was gone before this could go out.",
    "stopped": "They want no offers any more.",
    "too_late": "It would have come too late to be of use.",
}
_CLASS: Final = re.compile(r"[A-Z]\w*[a-z][A-Z]\w*|\w+Error|Busy|Conflict")


def reason_sentence(why: str) -> str:
    """Returns why a message was or was not sent, as a sentence for staff."""
    head = why.removeprefix(MAYBE_SENT).partition(":")[0]
    if _CLASS.fullmatch(head):
        maybe = "It may have been sent. " if why.startswith(MAYBE_SENT) else ""
        return f"{maybe}Frontdesk itself failed here. Try again; its log says more."
    if why in _REFUSALS:
        return _REFUSALS[why]
    plain = why.replace("_", " ") if why.isidentifier() else why
    text = plain[:1].upper() + plain[1:].rstrip()
    return text if text.endswith((".", "!", "?", "…")) or not text else f"{text}."


def message_tabs(request: Request) -> dict[str, Any]:
    waiting = reads_of(request).mail_count(MailFilter(for_a_person=True))
    items = (("Sent", "/console/messages"), ("Came in", "/console/messages/in"))
    return {
        "tabs": tabs(items, request.url.path, {"Came in": waiting}),
        "tabs_label": "Messages",
    }


def settings_tabs(request: Request) -> dict[str, Any]:
    is_owner = signed_in(request).member.role is Role.OWNER
    items = (
        ("Business", "/console/settings"),
        *((("Team", "/console/team"),) if is_owner else ()),
        ("Problems", "/console/problems"),
        ("Health", "/console/health"),
        ("Audit", "/console/audit"),
        ("Your sessions", "/console/you"),
    )
    problems = reads_of(request).problem_count()
    return {
        "tabs": tabs(items, request.url.path, {"Problems": problems}),
        "tabs_label": "Settings",
    }
