"""Reads the current text of `rules.yml` for a form, and writes the edited text."""

from __future__ import annotations

from collections.abc import Callable
from hashlib import blake2b
from typing import Final

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response

from frontdesk.core.decision import Refused
from frontdesk.core.yaml_edit import CannotEdit
from frontdesk.desks.booking.console.broken_list import after_saving
from frontdesk.desks.booking.console.page import BOOKINGS, bk_of
from frontdesk.desks.booking.decide.documents import RULES_NAME
from frontdesk.desks.booking.documents import EDITED_RULES
from frontdesk.desks.booking.rules import BookingRules
from frontdesk.desks.booking.rules_file.parser import parse_rules
from frontdesk.features.documents.console import AfterSaving
from frontdesk.features.documents.model import Reason
from frontdesk.features.documents.sync import Documents
from frontdesk.values import Frozen
from frontdesk.web.console.shell import done, form_of, signed_in
from frontdesk.web.site import site_of

RULES: Final = f"{BOOKINGS}/rules"
BROKEN: Final = "The rules have mistakes. Correct them first; the hours are in the same file."
CHANGED: Final = "Somebody changed the rules meanwhile. Look at them again; nothing was saved."
OPEN_NOW: Final = "Saved. Your booking page is open: customers can book."
ELSEWHERE: Final = "The rules are written in Google Drive. Change them there."
#: The pages about the rules, for the links between them.
LINKS: Final = (
    ("Rules", RULES),
    ("Hours", f"{BOOKINGS}/hours"),
    ("Time off", f"{BOOKINGS}/time-off"),
    ("Booking page", f"{BOOKINGS}/links"),
)


def documents_of(request: Request) -> Documents:
    """The document `rules.yml` with its files. Its methods block, so call them in a thread."""
    return site_of(request).shared[EDITED_RULES]


class Editable(Frozen):
    """The text of `rules.yml` that a form edits."""

    text: str
    rules: BookingRules
    """The rules of this text; those in force if it has mistakes."""
    problem: str = ""
    """The reason why it cannot be edited by a form."""
    is_first: bool = False
    """Whether nothing can be booked yet, and saving opens the booking page."""

    @property
    def stamp(self) -> str:
        return blake2b(self.text.encode(), digest_size=9).hexdigest()


def editable(request: Request) -> Editable:
    """Reads the file, too, so that a form never overwrites an edit that was made there."""
    documents = documents_of(request)
    known = documents.known(RULES_NAME)
    in_file = documents.in_file(known)
    text = documents.desk.text(known) if in_file is None else in_file
    in_force = bk_of(request).rules()
    parsed = parse_rules(text, in_force.zone).rules
    problem = "" if parsed else BROKEN
    if documents.files.edited_at(RULES_NAME):
        problem = ELSEWHERE
    rules = parsed or in_force
    return Editable(text, rules, problem, bool(rules.services) and not in_force.services)


async def write_edit(
    request: Request,
    url: str,
    edit: Callable[[str], str],
    says: str,
    *,
    tells_broken: bool = False,
) -> Response:
    """Edits the text and puts it in force, unless the text has changed since the form was shown.
    With `tells_broken`, the answer counts the bookings that do not fit any more, and its page may
    list them."""
    now = await run_in_threadpool(editable, request)
    if now.problem:
        return done(request, url, now.problem, kind="problem")
    if form_of(request)["stamp"] != now.stamp:
        return done(request, url, CHANGED, kind="problem")
    try:
        text = edit(now.text)
    except CannotEdit:
        why = "That part of the file cannot be edited by a form. Please edit the rules themselves."
        return done(request, RULES, why, kind="problem")
    if parse_rules(text).rules is None:
        why = "The rules would have mistakes. Please edit the rules themselves. Nothing was saved."
        return done(request, url, why, kind="problem")
    more = AfterSaving()
    if tells_broken:
        more = await run_in_threadpool(after_saving, text, request)
    by, write = signed_in(request).member.by, documents_of(request).write
    outcome = await run_in_threadpool(write, RULES_NAME, text, by=by)
    if isinstance(outcome, Refused) and outcome.reason != Reason.UNCHANGED:
        return done(request, url, "That could not be saved. Please try again.", kind="problem")
    is_open_now = now.is_first and bk_of(request).rules().services
    says = OPEN_NOW if is_open_now else f"{says}{more.says}"
    return done(request, f"{url}{more.query}", says)
