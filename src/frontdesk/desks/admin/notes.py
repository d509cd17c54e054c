"""Turns facts into notes to the team."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from frontdesk.core.decision import Fact
from frontdesk.core.notes import Note, Quiet, To
from frontdesk.desks.admin.facts import MemberInvited, SignInAsked, TroubleBegan
from frontdesk.desks.admin.model import SignInKind


def sign_in_asked(fact: SignInAsked) -> Note | None:
    """Mails the link, unless it was printed."""
    if fact.link_kind is not SignInKind.MAILED:
        return None
    return _with_link("sign_in", fact)


def invited(fact: MemberInvited) -> Note:
    return _with_link("invitation", fact)


def _with_link(kind: str, fact: SignInAsked | MemberInvited) -> Note:
    return Note(
        kind=kind,
        to=fact.person_id,
        key=f"fd/{fact.member_id}/{kind}/{fact.nonce}",
        subject=fact.member_id,
        about=fact.person_id,
        quiet=Quiet.IGNORE,
        tell_by=fact.link_expires_at,
        params={"nonce": fact.nonce, "expires": int(fact.link_expires_at.timestamp())},
    )


def trouble_began(fact: TroubleBegan) -> Note | None:
    if not fact.by_mail:
        return None
    return Note(
        kind="trouble",
        to=To.HOSTS,
        key=f"fd/trouble/{fact.part}/{int(fact.since.timestamp())}",
        subject=fact.subject,
        quiet=Quiet.IGNORE,
        params={"part": fact.part.value, "why": fact.why},
    )


#: Facts that are not listed here lead to no message, on purpose.
NOTES: Mapping[type[Fact], Callable[[Any], Note | None]] = {
    SignInAsked: sign_in_asked,
    MemberInvited: invited,
    TroubleBegan: trouble_began,
}
