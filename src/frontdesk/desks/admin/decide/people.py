"""Decides what staff do about people, messages, incoming mail and problems."""

from __future__ import annotations

from datetime import datetime

from frontdesk.core.contacts import contact_key
from frontdesk.core.decision import Accepted, Change, Decision, Refused
from frontdesk.core.mail import DEALT_WITH, FOR_A_PERSON, SettleMail
from frontdesk.core.members import Role
from frontdesk.core.notes import Note, Quiet
from frontdesk.core.people import (
    CorrectPerson,
    ErasePerson,
    MarkBounced,
    MarkNumber,
    OptOut,
    Person,
)
from frontdesk.core.sends import DeferSend, QueueSend, Send, SendState
from frontdesk.desks.admin import commands, facts
from frontdesk.desks.admin.changes import AddSignIn, SettleLetter
from frontdesk.desks.admin.model import SignInKind, SignInLink, strongest
from frontdesk.desks.admin.reasons import Reason
from frontdesk.desks.admin.views import LetterView, MailView, PersonView, SendView
from frontdesk.values import replace

MARKED_WRONG = "marked as wrong in the console"


def correct(view: PersonView, command: commands.CorrectContact, now: datetime) -> Decision:
    """Corrects name, address and number. Links sent to an old address or number stop working."""
    person = view.person
    if person is None or person.erased:
        return Refused(Reason.UNKNOWN)
    if _is_out_of_reach(view, command.role):
        return Refused(Reason.OF_THE_TEAM)
    if view.owner_of_address is not None and view.owner_of_address.id != person.id:
        return Refused(Reason.ADDRESS_IN_USE)
    mobile = person.mobile if command.mobile is None else command.mobile
    if not command.email and (not mobile or strongest(view.memberships) is not None):
        return Refused(Reason.NO_ADDRESS)
    if (person.name, person.email, person.mobile) == (command.name, command.email, mobile):
        return Refused(Reason.UNCHANGED)
    key = contact_key(command.email, mobile)
    new_address = key != contact_key(person.email, person.mobile)
    change = CorrectPerson(
        person.id,
        person.contact_version,
        command.name,
        command.email,
        key,
        new_address,
        mobile,
        links_until=now if new_address else None,
    )
    new_number = mobile != person.mobile
    corrected = facts.PersonCorrected(person.id, new_address or new_number, new_number)
    return Accepted(changes=(change,), facts=(corrected,))


def _is_out_of_reach(view: PersonView, role: Role) -> bool:
    """Whether the person is in the team and `role` is not owner: only owners may change the
    team."""
    return strongest(view.memberships) is not None and role is not Role.OWNER


def mark_address(view: PersonView, command: commands.MarkAddress, now: datetime) -> Decision:
    person = _here(view)
    if person is None:
        return Refused(Reason.UNKNOWN)
    if _is_out_of_reach(view, command.role):
        return Refused(Reason.OF_THE_TEAM)
    if bool(person.bounced) is command.wrong:
        return Refused(Reason.UNCHANGED)
    why = MARKED_WRONG if command.wrong else ""
    return Accepted(
        changes=(
            MarkBounced(person.id, person.contact_version, why, now if command.wrong else None),
        ),
        facts=(facts.AddressMarked(person.id, command.wrong),),
    )


def mark_mobile(view: PersonView, command: commands.MarkMobile, _now: datetime) -> Decision:
    person = _here(view)
    if person is None or not person.mobile:
        return Refused(Reason.UNKNOWN)
    if _is_out_of_reach(view, command.role):
        return Refused(Reason.OF_THE_TEAM)
    if person.mobile_fails is command.fails:
        return Refused(Reason.UNCHANGED)
    mark = MarkNumber(person.id, person.mobile, command.fails)
    return Accepted((mark,), (facts.NumberMarked(person.id, command.fails),))


def set_opt_out(view: PersonView, command: commands.SetOptOut, _now: datetime) -> Decision:
    person = _here(view)
    if person is None:
        return Refused(Reason.UNKNOWN)
    if _is_out_of_reach(view, command.role):
        return Refused(Reason.OF_THE_TEAM)
    if person.opted_out is command.out:
        return Refused(Reason.UNCHANGED)
    return Accepted(
        changes=(OptOut(person.id, command.out),), facts=(facts.OptedOut(person.id, command.out),)
    )


def erase(view: PersonView, _command: commands.Erase, _now: datetime) -> Decision:
    """Erases a person. Team members must be removed from the team first."""
    person = _here(view)
    if person is None:
        return Refused(Reason.UNKNOWN)
    if strongest(view.memberships) is not None:
        return Refused(Reason.OF_THE_TEAM)
    return Accepted(changes=(ErasePerson(person.id),), facts=(facts.PersonErased(person.id),))


def _here(view: PersonView) -> Person | None:
    return view.person if view.person and not view.person.erased else None


def send_again(view: SendView, command: commands.SendAgain, now: datetime) -> Decision:
    """Queues a new copy of a message that was sent; retries one that was not."""
    send = view.send
    if send is None:
        return Refused(Reason.UNKNOWN)
    fact = facts.MessageRepeated(send.person_id, send.id)
    if view.without_link is not None and send.state not in (SendState.SENDING, SendState.HELD):
        return Accepted(changes=_invited_again(view, command, now), facts=(fact,))
    match send.state:
        case SendState.SENDING | SendState.HELD:
            return Refused(Reason.NOT_NOW)
        case SendState.SENT:
            assert view.again_id is not None
            queued = QueueSend(view.again_id, send.desk, _again(send, command), send.person_id, now)
            return Accepted(changes=(queued,), facts=(fact,))
        case _:
            queued_again = DeferSend(send.id, send.state, SendState.QUEUED, now, send.why)
            return Accepted(changes=(queued_again, *_settled(view, now)), facts=(fact,))


def _invited_again(
    view: SendView, command: commands.SendAgain, now: datetime
) -> tuple[Change, ...]:
    """Queues the invitation with a new link, because the one in the old mail is invalid."""
    send, membership = view.send, view.without_link
    assert send is not None
    assert membership is not None
    assert view.again_id is not None
    kind = SignInKind.INVITED
    link = SignInLink(membership.id, command.nonce, kind, now + kind.lasts)
    words = {"nonce": link.nonce, "expires": int(link.expires_at.timestamp())}
    note = replace(_again(send, command), tell_by=link.expires_at, params=words)
    queued = QueueSend(view.again_id, send.desk, note, send.person_id, now)
    return (AddSignIn(link), queued, *_settled(view, now))


def _settled(view: SendView, now: datetime) -> tuple[Change, ...]:
    """Closes the problem that the failed message had become, if there is one."""
    return () if view.letter_id is None else (SettleLetter(view.letter_id, now),)


def again_key(key: str, command: commands.SendAgain) -> str:
    return f"{key}/again/{command.occasion}"


def _again(send: Send, command: commands.SendAgain) -> Note:
    return Note(
        kind=send.kind,
        to=send.person_id,
        key=again_key(send.key, command),
        subject=send.subject,
        about=send.about,
        quiet=Quiet.IGNORE,
        tell_by=send.tell_by,
        params=dict(send.params),
    )


def deal_with_mail(view: MailView, _command: commands.DealWithMail, _now: datetime) -> Decision:
    mail = view.mail
    if mail is None or mail.outcome != FOR_A_PERSON:
        return Refused(Reason.UNKNOWN)
    return Accepted(
        changes=(SettleMail(mail.id, mail.person_id, DEALT_WITH),),
        facts=(facts.MailDealtWith(mail.id),),
    )


def settle_problem(view: LetterView, command: commands.SettleProblem, now: datetime) -> Decision:
    if not view.is_open:
        return Refused(Reason.UNKNOWN)
    fact = facts.ProblemReplayed if command.replayed else facts.ProblemSetAside
    return Accepted(
        changes=(SettleLetter(command.letter_id, now),), facts=(fact(command.letter_id),)
    )
