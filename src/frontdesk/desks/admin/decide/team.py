"""Decides who is in the team and with which role, how members sign in, and how sessions end."""

from __future__ import annotations

from datetime import datetime

from frontdesk.core.contacts import email_key
from frontdesk.core.decision import Accepted, Change, Decision, Refused
from frontdesk.core.members import SESSION_LASTS, ExtendSession, Role
from frontdesk.core.people import AddPerson, Person, PersonId
from frontdesk.core.saved_settings import WriteSetting
from frontdesk.desks.admin import changes, commands, facts
from frontdesk.desks.admin.decide.people import MARKED_WRONG
from frontdesk.desks.admin.model import (
    SAVED_BUSINESS,
    Membership,
    SignInKind,
    SignInLink,
    strongest,
)
from frontdesk.desks.admin.reasons import Reason
from frontdesk.desks.admin.views import (
    BusinessView,
    MemberView,
    OwnersView,
    PersonView,
    SessionView,
    SignInView,
)


def add_first_owner(view: OwnersView, command: commands.AddFirstOwner, now: datetime) -> Decision:
    if view.first is not None:
        return Refused(Reason.ALREADY_THERE)
    person_id, added = _known_or_new(view.person, command)
    membership = Membership(command.member_id, person_id, Role.OWNER, "", now)
    return Accepted(
        changes=(*added, changes.AddOwner(membership)),
        facts=(facts.OwnerAdded(membership.id, person_id),),
    )


def invite(view: PersonView, command: commands.InviteMember, now: datetime) -> Decision:
    """Adds somebody to the team and mails them a link, unless they have this role or a stronger
    one."""
    if (command.role is Role.HOST) != bool(command.event_id):
        return Refused(Reason.UNKNOWN)
    if _has(view, command):
        return Refused(Reason.ALREADY_THERE)
    person_id, added = _known_or_new(view.person, command)
    membership = Membership(command.member_id, person_id, command.role, command.event_id, now)
    link = SignInLink(
        membership.id, command.nonce, SignInKind.INVITED, now + SignInKind.INVITED.lasts
    )
    fact = facts.MemberInvited(
        membership.id, person_id, command.role, command.event_id, link.nonce, link.expires_at
    )
    return Accepted(
        changes=(*added, changes.AddMember(membership), changes.AddSignIn(link)), facts=(fact,)
    )


def _has(view: PersonView, command: commands.InviteMember) -> bool:
    best = strongest(view.memberships)
    if best is None:
        return False
    if command.role is not Role.HOST or best.role is not Role.HOST:
        return best.role.is_at_least(command.role)
    return any(each.event_id == command.event_id for each in view.memberships if each.is_active)


def _known_or_new(
    person: Person | None, command: commands.AddFirstOwner | commands.InviteMember
) -> tuple[PersonId, tuple[Change, ...]]:
    if person is not None:
        return person.id, ()
    added = AddPerson(command.person_id, command.name, command.email, email_key(command.email))
    return command.person_id, (added,)


def remove(view: MemberView, command: commands.RemoveMember, now: datetime) -> Decision:
    """Removes a member and ends their sessions at once."""
    membership = view.membership
    if membership is None or not membership.is_active:
        return Refused(Reason.UNKNOWN)
    if _is_last_owner(view, membership):
        return Refused(Reason.LAST_OWNER)
    return Accepted(
        changes=(changes.EndMembership(membership.id, now),),
        facts=(facts.MemberRemoved(membership.id, membership.person_id),),
    )


def change_role(view: MemberView, command: commands.ChangeRole, _now: datetime) -> Decision:
    membership = view.membership
    if membership is None or not membership.is_active:
        return Refused(Reason.UNKNOWN)
    if Role.HOST in (membership.role, command.role):
        return Refused(Reason.NOT_NOW)
    if membership.role is command.role:
        return Refused(Reason.UNCHANGED)
    if _is_last_owner(view, membership):
        return Refused(Reason.LAST_OWNER)
    before, after = membership.role, command.role
    return Accepted(
        changes=(changes.WriteRole(membership.id, before, after),),
        facts=(facts.RoleChanged(membership.id, membership.person_id, before, after),),
    )


def _is_last_owner(view: MemberView, membership: Membership) -> bool:
    return membership.role is Role.OWNER and view.owners <= 1


def set_business(view: BusinessView, command: commands.SetBusiness, _now: datetime) -> Decision:
    if view.business == command.business:
        return Refused(Reason.UNCHANGED)
    return Accepted(
        changes=(WriteSetting(SAVED_BUSINESS, view.business, command.business),),
        facts=(facts.BusinessChanged(command.business),),
    )


def ask(view: PersonView, command: commands.AskForSignIn, now: datetime) -> Decision:
    """Sends a link to members of the team only. The page answers everybody the same."""
    membership = strongest(view.memberships)
    if membership is None:
        return Refused(Reason.UNKNOWN)
    return _link(membership, command.nonce, SignInKind.MAILED, now)


def print_link(view: OwnersView, command: commands.PrintSignIn, now: datetime) -> Decision:
    if view.first is None:
        return Refused(Reason.UNKNOWN)
    return _link(view.first, command.nonce, SignInKind.PRINTED, now)


def _link(membership: Membership, nonce: int, kind: SignInKind, now: datetime) -> Decision:
    link = SignInLink(membership.id, nonce, kind, now + kind.lasts)
    fact = facts.SignInAsked(membership.id, membership.person_id, nonce, kind, link.expires_at)
    return Accepted(changes=(changes.AddSignIn(link),), facts=(fact,))


def sign_in(view: SignInView, command: commands.SignIn, now: datetime) -> Decision:
    """Spends the link and opens the session in one commit."""
    link, membership = view.link, view.membership
    if link is None or membership is None or not membership.is_active:
        return Refused(Reason.UNKNOWN)
    if link.spent_at is not None:
        return Refused(Reason.LINK_SPENT)
    if now >= link.expires_at:
        return Refused(Reason.LINK_EXPIRED)
    ended: tuple[Change, ...] = ()
    if view.previous is not None:
        ended = (changes.EndOneSession(view.previous.token_hash, now),)
    opened = changes.AddSession(
        command.token_hash, membership.id, command.csrf, command.device, now, now + SESSION_LASTS
    )
    works = link.was_mailed and _came_back(view.person)
    signed_in = facts.SignedIn(membership.id, membership.person_id, command.device)
    works_again = facts.AddressMarked(membership.person_id, wrong=False)
    return Accepted(
        changes=(changes.SpendSignIn(membership.id, link.nonce, now, works), opened, *ended),
        facts=(signed_in, works_again) if works else (signed_in,),
    )


def _came_back(person: Person | None) -> bool:
    """Whether mail to the address came back. A link that was mailed to it later proves that the
    address works: anybody can write a mail that looks like a bounce."""
    return person is not None and person.bounced not in ("", MARKED_WRONG)


def extend(view: SessionView, command: ExtendSession, now: datetime) -> Decision:
    """Extends the session. Records no fact, because this is not worth auditing."""
    if view.session is None or now >= view.session.expires_at:
        return Refused(Reason.UNKNOWN)
    return Accepted(changes=(changes.MoveSessionEnd(command.token_hash, now + SESSION_LASTS),))


def end(view: SessionView, command: commands.EndSession, now: datetime) -> Decision:
    if view.session is None:
        return Refused(Reason.UNKNOWN)
    member = view.session.member
    return Accepted(
        changes=(changes.EndOneSession(command.token_hash, now),),
        facts=(facts.SessionsEnded(member.id, member.person_id, all_of_them=False),),
    )


def end_all(view: MemberView, command: commands.EndAllSessions, now: datetime) -> Decision:
    membership = view.membership
    if membership is None:
        return Refused(Reason.UNKNOWN)
    return Accepted(
        changes=(changes.EndSessionsOf(membership.id, now, command.but),),
        facts=(facts.SessionsEnded(membership.id, membership.person_id, all_of_them=True),),
    )
