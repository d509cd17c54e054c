"""Settles incoming mail and tells its sender their status."""

from __future__ import annotations

from datetime import datetime

from frontdesk.core.contacts import email_key
from frontdesk.core.decision import Accepted, Change, Decision, Refused
from frontdesk.core.mail import SettleMail
from frontdesk.core.people import AddPerson, PersonId
from frontdesk.desks.rsvp.commands import (
    AnswerAgain,
    AnswerStranger,
    Cancel,
    IgnoreMail,
    QueueSignUp,
    SignUp,
)
from frontdesk.desks.rsvp.facts import AskedAgain, StrangerAnswered
from frontdesk.desks.rsvp.model import Guest
from frontdesk.desks.rsvp.reasons import Reason
from frontdesk.desks.rsvp.views import GuestView, SeatRequest


def answer_again(view: GuestView | None, command: AnswerAgain, _now: datetime) -> Decision:
    if view is None:
        return Refused(Reason.NO_SUCH_GUEST)
    return send_status(view.guest, command, "answered", cancel_link=command.cancel_link)


def answer_stranger(view: SeatRequest, command: AnswerStranger, _now: datetime) -> Decision:
    if view.event is None:
        return Refused(Reason.NO_SUCH_EVENT)
    if view.guest is not None:
        return send_status(view.guest, command, "answered")
    return answer_unlisted(view, command, "cancelled, but was not on the list", cancelling=True)


def ignore_mail(_view: None, command: IgnoreMail, _now: datetime) -> Decision:
    return Accepted((SettleMail(command.mail_id, "", command.why),))


def send_status(
    guest: Guest,
    command: SignUp | Cancel | AnswerAgain | AnswerStranger,
    outcome: str,
    *,
    cancel_link: bool = False,
) -> Accepted:
    """Settles a mail that changes nothing for a guest on the list, and sends them their status."""
    assert command.mail_id
    fact = AskedAgain(
        guest.event_id,
        guest.id,
        guest.version,
        state=guest.state,
        cancel_link=cancel_link,
        mail_id=command.mail_id,
    )
    return Accepted(settle_mail(command, guest, outcome), (fact,))


def answer_unlisted(
    view: SeatRequest, command: SignUp | AnswerStranger, outcome: str, *, cancelling: bool
) -> Accepted:
    assert command.mail_id
    people, person_id = find_or_add_person(view, command)
    fact = StrangerAnswered(command.event_id, person_id, cancelling, command.mail_id)
    return Accepted((*people, SettleMail(command.mail_id, person_id, outcome)), (fact,))


def settle_mail(
    command: SignUp | Cancel | AnswerAgain | AnswerStranger, guest: Guest, outcome: str
) -> tuple[Change, ...]:
    if not command.mail_id:
        return ()
    return (SettleMail(command.mail_id, guest.person_id, outcome),)


def find_or_add_person(
    view: SeatRequest, command: SignUp | QueueSignUp | AnswerStranger
) -> tuple[tuple[Change, ...], PersonId]:
    """Returns the person with this address, and the change that adds a new person."""
    if view.person is not None:
        return (), view.person.id
    key = email_key(command.email)
    return (AddPerson(command.person_id, command.name, command.email, key),), command.person_id
