"""Decides about the records of requests, their mail, and some settings of the desk."""

from __future__ import annotations

from datetime import datetime
from typing import Final

from frontdesk.core.consents import consent_changes
from frontdesk.core.contacts import contact_key
from frontdesk.core.decision import Accepted, Change, Decision, Refused
from frontdesk.core.jobs import AddJob, Job, end_reading
from frontdesk.core.localtime import spoken_start, zone
from frontdesk.core.mail import NO_MAIL, MailId, SettleMail
from frontdesk.core.people import AddPerson
from frontdesk.core.saved_settings import WriteSetting
from frontdesk.desks.booking import commands, facts
from frontdesk.desks.booking.changes import AddRequest, WriteRequest
from frontdesk.desks.booking.decide.proposal_holds import hold_proposals
from frontdesk.desks.booking.lanes import DIRECT_LANE, DirectLane
from frontdesk.desks.booking.model import (
    CERTAIN,
    CODE,
    SAVED_RULES,
    UNSETTLED,
    Booking,
    BookingRequest,
    ProposedTime,
    RequestField,
    RequestStatus,
    feed_setting,
)
from frontdesk.desks.booking.reasons import Reason
from frontdesk.desks.booking.rules import BookingRules, ResourceId
from frontdesk.desks.booking.views import RequestView
from frontdesk.values import replace

#: The kind of the job that reads a mail.
READ_JOB: Final = "read"
#: The outcomes that are noted on a mail.
OUTCOMES: Final = {
    RequestStatus.OPEN: "answered: times proposed",
    RequestStatus.DRAFT: "a request to check",
    RequestStatus.BOOKED: "booked",
    RequestStatus.FORWARDED: "forwarded unread",
    RequestStatus.WAITLISTED: "on the waitlist",
    RequestStatus.DISCARDED: "discarded",
}


def read_mail(view: RequestView, command: commands.ReadMail, _now: datetime) -> Decision:
    if view.job is not None:
        return Refused(Reason.DONE)
    return Accepted((AddJob(Job(command.job_id, CODE, READ_JOB, command.mail_id, total=1)),))


def ignore_mail(view: RequestView, command: commands.IgnoreMail, _now: datetime) -> Decision:
    done = end_reading(view.job)
    if not done:
        return Refused(Reason.DONE)
    if not view.mail_kept:
        return Accepted(done)
    settled = SettleMail(command.mail_id, "", command.why)
    return Accepted((*done, settled), (facts.RequestMailIgnored(command.mail_id, command.why),))


def record(view: RequestView, command: commands.RecordRequest, now: datetime) -> Decision:
    """Adds a request. A mail that is read twice becomes one request."""
    done = end_reading(view.job)
    if view.request is not None:
        return Accepted(done) if done else Refused(Reason.DONE)
    proposals = hold_proposals(view.proposals, command.request, now)
    is_answered = proposals.request.status is RequestStatus.OPEN
    requester = command.requester if is_answered else None
    request, added = _asked_by(view, proposals.request, requester, now)
    settled = _settled_mail(view, request, request.mail_id)
    changes = (AddRequest(request), *added, *settled, *done, *proposals.changes)
    return Accepted(changes, (_fact(facts.RequestReceived, request), *proposals.facts))


def change(view: RequestView, command: commands.ChangeRequest, now: datetime) -> Decision:
    if view.request is None:
        return Refused(Reason.NO_SUCH_REQUEST)
    if command.request.version != view.request.version + 1:
        return Refused(Reason.CHANGED_MEANWHILE)
    proposals = hold_proposals(view.proposals, command.request, now)
    request, added = _asked_by(view, proposals.request, command.requester, now)
    settled = _settled_mail(view, request, request.mail_id)
    changes = (WriteRequest(request), *added, *settled, *end_reading(view.job), *proposals.changes)
    return Accepted(changes, (_fact(facts.RequestChanged, request), *proposals.facts))


def is_unsettled(view: RequestView | None) -> bool:
    return bool(view and view.request and view.request.status in UNSETTLED)


def settle_request(view: RequestView, booking: Booking, mail_id: MailId, now: datetime) -> Accepted:
    """Settles the request that a booking answers, in the commit of the booking."""
    assert view.request is not None
    request = replace(
        view.request,
        status=RequestStatus.BOOKED,
        person_id=booking.person_id,
        chosen=ProposedTime(
            booking.service,
            booking.starts_at,
            ResourceId("") if booking.anyone else booking.resources[0],
        ),
        booking_id=booking.id,
        settled_at=now.replace(microsecond=0),
        version=view.request.version + 1,
    )
    changes = (
        WriteRequest(request),
        *_settled_mail(view, request, mail_id),
        *end_reading(view.job),
    )
    return Accepted(changes, (_fact(facts.RequestChanged, request),))


def given_request(booking: Booking, command: commands.Book, rules: BookingRules) -> BookingRequest:
    """The record of a request whose values were all given. The booking answers it at once, and both
    have the same id."""
    staff = rules.resource(command.resource)
    values = {
        "service": booking.service,
        "when": spoken_start(booking.starts_at, zone(rules.zone)),
        "staff": staff.name if staff else "",
        "resource": command.resource,
        "party": str(booking.party),
        "name": booking.name,
        "phone": booking.mobile,
        "email": booking.email,
    }
    chosen = ProposedTime(booking.service, booking.starts_at, command.resource)
    return BookingRequest(
        booking.request_id,
        booking.lane,
        booking.booked_at,
        RequestStatus.BOOKED,
        booking.person_id,
        fields=tuple(RequestField(*each, CERTAIN) for each in values.items() if each[1]),
        reader=command.given_by.value,
        proposed=(chosen,),
        chosen=chosen,
        booking_id=booking.id,
        settled_at=booking.booked_at,
    )


def _asked_by(
    view: RequestView, request: BookingRequest, requester: commands.Requester | None, now: datetime
) -> tuple[BookingRequest, tuple[Change, ...]]:
    """Returns the request with its person, and the changes: a new person, and their consent."""
    if requester is None:
        return request, ()
    if view.person is not None:
        is_theirs = view.person.mobile == requester.mobile
        said = requester.consent if is_theirs else None
        agreed = consent_changes(view.consent, view.person.id, requester.mobile, said, now)
        return replace(request, person_id=view.person.id), agreed
    key = contact_key(requester.email, requester.mobile)
    added = AddPerson(requester.person_id, requester.name, requester.email, key, requester.mobile)
    new_id, mobile = requester.person_id, requester.mobile
    agreed = consent_changes(None, new_id, mobile, requester.consent, now)
    return replace(request, person_id=new_id), (added, *agreed)


def _settled_mail(
    view: RequestView, request: BookingRequest, mail_id: MailId
) -> tuple[Change, ...]:
    """Notes the outcome on the mail, if it still exists."""
    if not view.mail_kept or mail_id == NO_MAIL:
        return ()
    return (SettleMail(mail_id, request.person_id, OUTCOMES[request.status]),)


def _fact(kind: type[facts.RequestFact], request: BookingRequest) -> facts.RequestFact:
    return kind(
        request.id,
        request.version,
        request.lane,
        request.status,
        request.person_id,
        request.booking_id,
        request.without_person,
    )


# --- settings ---------------------------------------------------------------------------------


def renew_feed(version: int, command: commands.RenewFeed, _now: datetime) -> Decision:
    setting = feed_setting(command.resource)
    return Accepted(
        (WriteSetting(setting, version, version + 1),), (facts.FeedRenewed(command.resource),)
    )


def set_rules(before: BookingRules, command: commands.SetRules, _now: datetime) -> Decision:
    if command.rules == before:
        return Refused(Reason.UNCHANGED)
    written = WriteSetting(SAVED_RULES, before, command.rules)
    return Accepted((written,), (facts.RulesChanged(command.rules),))


def set_direct_lane(
    before: DirectLane, command: commands.SetDirectLane, _now: datetime
) -> Decision:
    if command.lane == before:
        return Refused(Reason.UNCHANGED)
    written = WriteSetting(DIRECT_LANE, before, command.lane)
    return Accepted((written,), (facts.DirectLaneChanged(len(command.lane.senders)),))
