"""Loads the rows that each decision of the admin desk needs."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Final, Protocol

from frontdesk.core.consents import TEXT_CONSENT, TextConsent
from frontdesk.core.contacts import BadContact, contact_key, email_key
from frontdesk.core.members import ExtendSession, MemberId
from frontdesk.core.people import PersonId
from frontdesk.core.sends import Send
from frontdesk.desks.admin import commands, views
from frontdesk.desks.admin.decide.housekeeping import AT_ONCE, TIMER, old_before
from frontdesk.desks.admin.decide.people import again_key
from frontdesk.desks.admin.model import Membership, Trouble
from frontdesk.desks.admin.reads import AdminReads
from frontdesk.engine.follow import send_id
from frontdesk.engine.ports import Reads
from frontdesk.values import replace

#: Finds a session regardless of its expiry; the decision compares it with the time.
_EVER: Final = datetime(1970, 1, 1, tzinfo=UTC)


class HasMember(Protocol):
    @property
    def member_id(self) -> MemberId: ...


class HasPerson(Protocol):
    @property
    def person_id(self) -> PersonId: ...


def admin(reads: Reads) -> AdminReads:
    desk: AdminReads = reads.desk("fd")
    return desk


def owners(reads: Reads, command: commands.AddFirstOwner) -> views.OwnersView:
    first = next(iter(admin(reads).owners()), None)
    return views.OwnersView(first, reads.engine.person_by_email(email_key(command.email)))


def first_owner(reads: Reads, _command: commands.PrintSignIn) -> views.OwnersView:
    return views.OwnersView(next(iter(admin(reads).owners()), None))


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


def consent(reads: Reads, command: commands.RecordConsent) -> views.PersonView:
    found = person(reads, command)
    if found.person is None:
        return found
    return replace(found, consent=reads.engine.consent(found.person.id))


def text_consent(reads: Reads, _command: commands.SetTextConsent) -> TextConsent:
    return reads.engine.setting(TEXT_CONSENT)


def contact(reads: Reads, command: commands.CorrectContact) -> views.PersonView:
    found = reads.engine.person(command.person_id)
    mobile = command.mobile if command.mobile is not None else found.mobile if found else ""
    other = reads.engine.person_by_email(contact_key(command.email, mobile))
    return _with_memberships(reads, views.PersonView(found, owner_of_address=other))


def _with_memberships(reads: Reads, view: views.PersonView) -> views.PersonView:
    if view.person is None:
        return view
    memberships = admin(reads).memberships_of(view.person.id)
    return views.PersonView(view.person, memberships, view.owner_of_address)


def member(reads: Reads, command: HasMember) -> views.MemberView:
    fd = admin(reads)
    return views.MemberView(fd.membership(command.member_id), len(fd.owners()))


def sign_in(reads: Reads, command: commands.SignIn) -> views.SignInView:
    fd = admin(reads)
    previous = fd.session(command.previous, _EVER) if command.previous else None
    link = fd.sign_in(command.member_id, command.nonce)
    membership = fd.membership(command.member_id)
    person = reads.engine.person(membership.person_id) if membership else None
    return views.SignInView(link, membership, previous, person)


def session(reads: Reads, command: commands.EndSession | ExtendSession) -> views.SessionView:
    return views.SessionView(admin(reads).session(command.token_hash, _EVER))


def business(reads: Reads, _command: commands.SetBusiness) -> views.BusinessView:
    return views.BusinessView(admin(reads).business())


def troubles(
    reads: Reads, _command: commands.ReportTrouble | commands.EndTrouble
) -> tuple[Trouble, ...]:
    return admin(reads).troubles()


def send(reads: Reads, command: commands.SendAgain) -> views.SendView:
    found = reads.engine.send(command.send_id)
    if found is None:
        return views.SendView(None)
    again_id = send_id(again_key(found.key, command), found.person_id)
    letter_id = admin(reads).letter_of_send(found.id)
    return views.SendView(found, again_id, letter_id, _without_link(reads, found))


def _without_link(reads: Reads, send: Send) -> Membership | None:
    if (send.desk, send.kind) != ("fd", "invitation"):
        return None
    membership = admin(reads).membership(MemberId(send.subject))
    if membership is None or not membership.is_active:
        return None
    link = admin(reads).sign_in(membership.id, int(send.params["nonce"]))
    return membership if link is None else None


def mail(reads: Reads, command: commands.DealWithMail) -> views.MailView:
    return views.MailView(reads.engine.raw_mail(command.mail_id))


def planned(reads: Reads, _command: commands.PlanTidying) -> views.TidyView:
    fd = admin(reads)
    return views.TidyView(fd.business().zone, fd.timer_at(TIMER))


def old_rows(reads: Reads, command: commands.Tidy) -> views.TidyView:
    fd = admin(reads)
    old = {
        what: fd.old_count(what, before, AT_ONCE[what])
        for what, before in old_before(command).items()
    }
    return views.TidyView(fd.business().zone, old=old)


def letter(reads: Reads, command: commands.SettleProblem) -> views.LetterView:
    return views.LetterView(admin(reads).dead_letter(command.letter_id) is not None)
