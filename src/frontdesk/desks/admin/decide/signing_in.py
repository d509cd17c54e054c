"""Decides how members sign in and how sessions end."""

from __future__ import annotations

from datetime import datetime

from frontdesk.core.decision import Accepted, Change, Decision, Refused
from frontdesk.core.members import SESSION_LASTS, ExtendSession
from frontdesk.desks.admin.changes import (
    AddSession,
    AddSignIn,
    EndOneSession,
    EndSessionsOf,
    MoveSessionEnd,
    SpendSignIn,
)
from frontdesk.desks.admin.commands import (
    AskForSignIn,
    EndAllSessions,
    EndSession,
    PrintSignIn,
    SignIn,
)
from frontdesk.desks.admin.facts import SessionsEnded, SignedIn, SignInAsked
from frontdesk.desks.admin.model import Membership, SignInKind, SignInLink, strongest
from frontdesk.desks.admin.reasons import Reason
from frontdesk.desks.admin.views import (
    MemberView,
    OwnersView,
    PersonView,
    SessionView,
    SignInView,
)


def ask(view: PersonView, command: AskForSignIn, now: datetime) -> Decision:
    """Send a link to members of the team only. The page answers everybody the same."""
    membership = strongest(view.memberships)
    if membership is None:
        return Refused(Reason.UNKNOWN)
    return _link(membership, command.nonce, SignInKind.MAILED, now)


def print_link(view: OwnersView, command: PrintSignIn, now: datetime) -> Decision:
    if view.first is None:
        return Refused(Reason.UNKNOWN)
    return _link(view.first, command.nonce, SignInKind.PRINTED, now)


def _link(membership: Membership, nonce: int, kind: SignInKind, now: datetime) -> Decision:
    link = SignInLink(membership.id, nonce, kind, now + kind.lasts)
    fact = SignInAsked(membership.id, membership.person_id, nonce, kind, link.expires_at)
    return Accepted(changes=(AddSignIn(link),), facts=(fact,))


def sign_in(view: SignInView, command: SignIn, now: datetime) -> Decision:
    """Spend the link and open the session in one commit."""
    link, membership = view.link, view.membership
    if link is None or membership is None or not membership.is_active:
        return Refused(Reason.UNKNOWN)
    if link.spent_at is not None:
        return Refused(Reason.LINK_SPENT)
    if now >= link.expires_at:
        return Refused(Reason.LINK_EXPIRED)
    ended: tuple[Change, ...] = ()
    if view.previous is not None:
        ended = (EndOneSession(view.previous.token_hash, now),)
    opened = AddSession(
        command.token_hash, membership.id, command.csrf, command.device, now, now + SESSION_LASTS
    )
    return Accepted(
        changes=(SpendSignIn(membership.id, link.nonce, now), opened, *ended),
        facts=(SignedIn(membership.id, membership.person_id, command.device),),
    )


def extend(view: SessionView, command: ExtendSession, now: datetime) -> Decision:
    """Extend the session. States no fact, because this is not worth auditing."""
    if view.session is None or now >= view.session.expires_at:
        return Refused(Reason.UNKNOWN)
    return Accepted(changes=(MoveSessionEnd(command.token_hash, now + SESSION_LASTS),))


def end(view: SessionView, command: EndSession, now: datetime) -> Decision:
    if view.session is None:
        return Refused(Reason.UNKNOWN)
    member = view.session.member
    return Accepted(
        changes=(EndOneSession(command.token_hash, now),),
        facts=(SessionsEnded(member.id, member.person_id, all_of_them=False),),
    )


def end_all(view: MemberView, command: EndAllSessions, now: datetime) -> Decision:
    membership = view.membership
    if membership is None:
        return Refused(Reason.UNKNOWN)
    return Accepted(
        changes=(EndSessionsOf(membership.id, now, command.but),),
        facts=(SessionsEnded(membership.id, membership.person_id, all_of_them=True),),
    )
