"""The Approve and Discard buttons of a request in Slack. A request is settled once; a second
press tells what happened."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from starlette.requests import Request

from frontdesk.channels.slack.client import escaped
from frontdesk.core.decision import Refused
from frontdesk.desks.waitlist.commands import ApproveProposal, DiscardProposal
from frontdesk.desks.waitlist.console.requests import read_values
from frontdesk.desks.waitlist.console.rows import read_typed, refusal, schema_of
from frontdesk.desks.waitlist.load import waitlist
from frontdesk.desks.waitlist.model import Lane
from frontdesk.desks.waitlist.reasons import Reason
from frontdesk.desks.waitlist.slack.posts import APPROVE, DISCARD, request_url, who_settled
from frontdesk.features.proposals.model import Proposal, ProposalId, ProposalStatus
from frontdesk.features.slack.webhook import Buttons, Press
from frontdesk.values import replace
from frontdesk.web.site import Site, site_of

_GONE: Final = "This request is not there any more."


async def _approve(request: Request, press: Press) -> str:
    """Approves a request as it was read. If something is missing, staff use the console."""
    site, schema = site_of(request), schema_of(request)
    proposal = waitlist(site.reads()).proposal(ProposalId(press.subject))
    if proposal is None or proposal.status is not ProposalStatus.OPEN:
        return _what_happened(site, press)
    typed = read_typed(read_values(proposal, schema.zone), schema)
    if typed.errors:
        return _not_yet(site, proposal, typed.errors)
    join = schema.join(typed.said, entry_id=site.new_id(), person_id=site.new_id(), lane=Lane.INBOX)
    command = ApproveProposal(proposal.id, replace(join, joined_at=proposal.received_at))
    outcome = await site.run(command, by=press.by)
    if not isinstance(outcome, Refused):
        return ""
    if outcome.reason in (Reason.SETTLED, Reason.NO_SUCH_PROPOSAL):
        return _what_happened(site, press)
    return _not_yet(site, proposal, refusal(outcome.reason))


async def _discard(request: Request, press: Press) -> str:
    site = site_of(request)
    outcome = await site.run(DiscardProposal(ProposalId(press.subject)), by=press.by)
    return _what_happened(site, press) if isinstance(outcome, Refused) else ""


def _not_yet(site: Site, proposal: Proposal, errors: Mapping[str, str]) -> str:
    url = request_url(site.settings.console_at, proposal)
    why = " ".join(escaped(each) for each in errors.values())
    return f"They are not on the list yet. {why} <{url}|Put it right in the console>."


def _what_happened(site: Site, press: Press) -> str:
    proposal = waitlist(site.reads()).proposal(ProposalId(press.subject))
    if proposal is None or proposal.status is ProposalStatus.OPEN:
        return _GONE
    who = who_settled(site.reads(), proposal.id)
    if proposal.status is ProposalStatus.APPROVED:
        return f"{who} has approved it already: they are on the list. Nothing was changed."
    return f"{who} has discarded it already. Nothing was changed."


BUTTONS: Final[Buttons] = {APPROVE: _approve, DISCARD: _discard}
