"""What the team is told, from facts."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from frontdesk.core.decision import Fact
from frontdesk.core.notes import Note, Quiet, To
from frontdesk.desks.admin.facts import MemberInvited, SignInAsked, TroubleBegan
from frontdesk.desks.admin.model import SignInKind


def sign_in_asked(fact: SignInAsked) -> Note | None:
    """A printed link is where it was printed, and in no mail."""
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


#: A fact that is not here is told to nobody, on purpose.
NOTES: Mapping[type[Fact], Callable[[Any], Note | None]] = {
    SignInAsked: sign_in_asked,
    MemberInvited: invited,
    TroubleBegan: trouble_began,
}
