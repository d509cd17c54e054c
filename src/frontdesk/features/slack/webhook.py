"""The door for presses of a button in Slack: `POST /hooks/slack`, signed. Pressed twice, it is
done once, and whoever was second sees what the first one did."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final
from urllib.parse import parse_qs

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route

from frontdesk.connect.slack import SlackFailed, escaped, is_signed
from frontdesk.core.decision import Refused
from frontdesk.desks.waitlist.commands import ApproveProposal, DiscardProposal
from frontdesk.desks.waitlist.console.requests import REQUESTS, read_values
from frontdesk.desks.waitlist.console.rows import customs_of, joining, read_typed, refusal
from frontdesk.desks.waitlist.load import waitlist
from frontdesk.desks.waitlist.model import Lane, Proposal, ProposalId, ProposalStatus
from frontdesk.desks.waitlist.reasons import Reason
from frontdesk.desks.waitlist.slack.blocks import APPROVE, DISCARD
from frontdesk.features.slack.posts import Postroom
from frontdesk.frozen import frozen
from frontdesk.logs import failure, log
from frontdesk.web.forms import BadForm, json_object, read_body
from frontdesk.web.limits import Rate
from frontdesk.web.site import Site, site_of

#: By which name the door finds who posts.
NAME: Final = "wl.postroom"
MOST_BYTES: Final = 128 * 1024
MOST_CHARACTERS: Final = 100
RATE: Final = Rate(burst=60, per_minute=60)
FORGED_RATE: Final = Rate(burst=20, per_minute=6)
#: A signed request is good for five minutes each way, and only once.
ONCE: Final = Rate(burst=1, per_minute=0.05)


class BadPress(ValueError):
    """This cannot be read; the text says what is wrong."""


@frozen
class Press:
    user: str
    action: str
    proposal_id: ProposalId
    channel: str

    @property
    def by(self) -> str:
        return f"slack:{self.user}"


def routes() -> list[BaseRoute]:
    return [Route("/hooks/slack", take, methods=["POST"])]


async def take(request: Request) -> Response:
    site = site_of(request)
    room = site.memory[NAME]
    assert isinstance(room, Postroom)
    _limit(request, site, "slack", RATE)
    try:
        body = await read_body(request, MOST_BYTES)
    except BadForm as error:
        return _no(413, str(error))
    if not is_signed(request.headers, body, site.settings.slack_signing_secret, site.clock.now()):
        _limit(request, site, "forged slack", FORGED_RATE)
        return _no(401, "The X-Slack-Signature header does not fit this body, or is too old.")
    if not site.limits.take("slack once", request.headers["x-slack-signature"], ONCE):
        return _no(409, "This very request was here before.")
    try:
        press = read_press(body)
    except BadPress as error:
        return _no(422, str(error))
    if press is not None and press.channel == room.slack.channel:
        await _do(request, room, press)
    return Response(status_code=200)


def read_press(body: bytes) -> Press | None:
    """Nothing if it is about something else, like the button that only opens a page."""
    said = _decoded(body)
    actions = said.get("actions")
    action = actions[0] if isinstance(actions, list) and actions else None
    if said.get("type") != "block_actions" or not isinstance(action, dict):
        return None
    if action.get("action_id") not in (APPROVE, DISCARD):
        return None
    return Press(
        _text(said, "user", "id"),
        action["action_id"],
        ProposalId(_text(action, "value")),
        _text(said, "channel", "id"),
    )


# --- what is done -----------------------------------------------------------------------------


async def _do(request: Request, room: Postroom, press: Press) -> None:
    """Whatever is worth saying to who pressed goes to them alone; the message in the channel
    changes once it is committed."""
    proposal = waitlist(site_of(request).reads()).proposal(press.proposal_id)
    if proposal is None:
        says = "This request is not there any more."
    elif press.action == APPROVE:
        says = await _approve(request, press, proposal)
    else:
        says = await _discard(request, press, proposal)
    if says == _SETTLED:
        says = _what_happened(request, room, press.proposal_id)
    if says:
        await run_in_threadpool(_whisper, room, press.user, says)


async def _approve(request: Request, press: Press, proposal: Proposal) -> str:
    """As it was read. Where something is missing, staff put it right in the console."""
    if proposal.status is not ProposalStatus.OPEN:
        return _SETTLED
    site, customs = site_of(request), customs_of(request)
    typed = read_typed(read_values(proposal, customs.zone), customs)
    if typed.errors:
        return _not_yet(site, proposal, typed.errors)
    join = joining(
        typed.said, customs, entry_id=site.new_id(), person_id=site.new_id(), lane=Lane.INBOX
    )
    command = ApproveProposal(proposal.id, replace(join, joined_at=proposal.received_at))
    outcome = await site.run(command, by=press.by)
    if not isinstance(outcome, Refused):
        return ""
    if outcome.reason in (Reason.SETTLED, Reason.NO_SUCH_PROPOSAL):
        return _SETTLED
    return _not_yet(site, proposal, refusal(outcome.reason))


async def _discard(request: Request, press: Press, proposal: Proposal) -> str:
    outcome = await site_of(request).run(DiscardProposal(proposal.id), by=press.by)
    return _SETTLED if isinstance(outcome, Refused) else ""


_SETTLED: Final = "settled"


def _not_yet(site: Site, proposal: Proposal, errors: Mapping[str, str]) -> str:
    url = f"{site.settings.console_at}{REQUESTS}/{proposal.id}"
    why = " ".join(escaped(each) for each in errors.values())
    return f"They are not on the list yet. {why} <{url}|Put it right in the console>."


def _what_happened(request: Request, room: Postroom, proposal_id: ProposalId) -> str:
    proposal = waitlist(site_of(request).reads()).proposal(proposal_id)
    if proposal is None or proposal.status is ProposalStatus.OPEN:
        return "This request is not there any more."
    who = room.who_settled(proposal_id)
    if proposal.status is ProposalStatus.APPROVED:
        return f"{who} has approved it already: they are on the list. Nothing was changed."
    return f"{who} has discarded it already. Nothing was changed."


def _whisper(room: Postroom, user: str, says: str) -> None:
    """What was done stays done if Slack does not take this."""
    try:
        room.slack.whisper(user, says)
    except SlackFailed as error:
        log("slack.not_told", why=failure(error))


# --- what is sent -----------------------------------------------------------------------------


def _decoded(body: bytes) -> Mapping[str, Any]:
    try:
        form = parse_qs(body.decode("utf-8"), max_num_fields=10)
        return json_object(form["payload"][0].encode())
    except (ValueError, KeyError) as error:
        raise BadPress("The body should be a form with a payload of JSON.") from error


def _text(said: Mapping[str, Any], *path: str) -> str:
    found: Any = said
    for name in path:
        found = found.get(name) if isinstance(found, dict) else None
    if not isinstance(found, str) or not found.isascii() or not 0 < len(found) <= MOST_CHARACTERS:
        raise BadPress(f"{'.'.join(path)} is missing.")
    return found


def _limit(request: Request, site: Site, purpose: str, rate: Rate) -> None:
    if not site.limits.take(purpose, request.client.host if request.client else "", rate):
        raise HTTPException(429)


def _no(status: int, problem: str) -> Response:
    return JSONResponse({"problem": problem, "means": "Nothing was changed."}, status)
