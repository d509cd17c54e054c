"""Brings each decision of the house the rows that it sees."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Final, Protocol

from frontdesk.core.contacts import BadContact, contact_key, email_key
from frontdesk.core.members import ExtendSession, MemberId
from frontdesk.core.people import PersonId
from frontdesk.core.sends import Send
from frontdesk.desks.house import commands, views
from frontdesk.desks.house.decide.housekeeping import AT_ONCE, TIMER, old_before
from frontdesk.desks.house.decide.people import again_key
from frontdesk.desks.house.model import Membership, Trouble
from frontdesk.desks.house.reads import HouseReads
from frontdesk.engine.follow import send_id
from frontdesk.engine.ports import Reads

#: For finding a session whatever its deadline; the decision compares it with the time.
_EVER: Final = datetime(1970, 1, 1, tzinfo=UTC)


class HasMember(Protocol):
    @property
    def member_id(self) -> MemberId: ...


class HasPerson(Protocol):
    @property
    def person_id(self) -> PersonId: ...


def house(reads: Reads) -> HouseReads:
    desk: HouseReads = reads.desk("fd")
    return desk


def owners(reads: Reads, command: commands.AddFirstOwner) -> views.OwnersView:
    first = next(iter(house(reads).owners()), None)
    return views.OwnersView(first, reads.engine.person_by_email(email_key(command.email)))


def first_owner(reads: Reads, _command: commands.PrintSignIn) -> views.OwnersView:
    return views.OwnersView(next(iter(house(reads).owners()), None))


def by_email(
    reads: Reads, command: commands.AskForSignIn | commands.InviteMember
) -> views.PersonView:
    try:
        person = reads.engine.person_by_email(email_key(command.email))
    except BadContact:
        return views.PersonView(None)
    return _with_memberships(reads, views.PersonView(person))


def person(reads: Reads, command: HasPerson) -> views.PersonView:
    return _with_memberships(reads, views.PersonView(reads.engine.person(command.person_id)))


def contact(reads: Reads, command: commands.CorrectContact) -> views.PersonView:
    found = reads.engine.person(command.person_id)
    mobile = command.mobile if command.mobile is not None else found.mobile if found else ""
    other = reads.engine.person_by_email(contact_key(command.email, mobile))
    return _with_memberships(reads, views.PersonView(found, owner_of_address=other))


def _with_memberships(reads: Reads, view: views.PersonView) -> views.PersonView:
    if view.person is None:
        return view
    memberships = house(reads).memberships_of(view.person.id)
    return views.PersonView(view.person, memberships, view.owner_of_address)


def member(reads: Reads, command: HasMember) -> views.MemberView:
    fd = house(reads)
    return views.MemberView(fd.membership(command.member_id), len(fd.owners()))


def sign_in(reads: Reads, command: commands.SignIn) -> views.SignInView:
    fd = house(reads)
    previous = fd.session(command.previous, _EVER) if command.previous else None
    link = fd.sign_in(command.member_id, command.nonce)
    return views.SignInView(link, fd.membership(command.member_id), previous)


def session(reads: Reads, command: commands.EndSession | ExtendSession) -> views.SessionView:
    return views.SessionView(house(reads).session(command.token_hash, _EVER))


def business(reads: Reads, _command: commands.SetBusiness) -> views.BusinessView:
    return views.BusinessView(house(reads).business())


def troubles(
    reads: Reads, _command: commands.ReportTrouble | commands.EndTrouble
) -> tuple[Trouble, ...]:
    return house(reads).troubles()


def wording(reads: Reads, command: commands.SetWording) -> views.WordingView:
    return views.WordingView(house(reads).wording(command.mail_kind))


def send(reads: Reads, command: commands.SendAgain) -> views.SendView:
    found = reads.engine.send(command.send_id)
    if found is None:
        return views.SendView(None)
    again_id = send_id(again_key(found.key, command), found.person_id)
    letter_id = house(reads).letter_of_send(found.id)
    return views.SendView(found, again_id, letter_id, _without_link(reads, found))


def _without_link(reads: Reads, send: Send) -> Membership | None:
    if (send.desk, send.kind) != ("fd", "invitation"):
        return None
    membership = house(reads).membership(MemberId(send.subject))
    if membership is None or not membership.is_active:
        return None
    link = house(reads).sign_in(membership.id, int(send.params["nonce"]))
    return membership if link is None else None


def mail(reads: Reads, command: commands.DealWithMail) -> views.MailView:
    return views.MailView(reads.engine.raw_mail(command.mail_id))


def planned(reads: Reads, _command: commands.PlanTidying) -> views.TidyView:
    fd = house(reads)
    return views.TidyView(fd.business().zone, fd.timer_at(TIMER))


def old_rows(reads: Reads, command: commands.Tidy) -> views.TidyView:
    fd = house(reads)
    old = {
        what: fd.old_count(what, before, AT_ONCE[what])
        for what, before in old_before(command).items()
    }
    return views.TidyView(fd.business().zone, old=old)


def letter(reads: Reads, command: commands.SettleProblem) -> views.LetterView:
    return views.LetterView(house(reads).dead_letter(command.letter_id) is not None)
