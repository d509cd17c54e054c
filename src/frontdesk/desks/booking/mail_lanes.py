"""Takes mail to the booking desk: chooses its lane, reads it in a job, and understands answers."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final

from frontdesk.connect.cancel_words import wants_to_cancel
from frontdesk.connect.mail_in import Automatic, BadMail, IncomingMail, read_mail
from frontdesk.core.contacts import email_key
from frontdesk.core.decision import Command
from frontdesk.core.jobs import Job
from frontdesk.core.localtime import to_wall, zone
from frontdesk.core.mail import FOR_A_PERSON, MailId, MailReceived, ReplyHeaders
from frontdesk.core.people import Person, PersonId
from frontdesk.desks.booking.availability import Availability
from frontdesk.desks.booking.commands import (
    ChangeRequest,
    IgnoreMail,
    ReadMail,
    RecordRequest,
    Requester,
)
from frontdesk.desks.booking.decide.bookings import limited_bookings
from frontdesk.desks.booking.lanes import DIRECT_LANE, lane_of
from frontdesk.desks.booking.load import booking_reads
from frontdesk.desks.booking.model import (
    CODE,
    BookingRequest,
    Lane,
    ProposedTime,
    RequestField,
    RequestId,
    RequestStatus,
)
from frontdesk.desks.booking.request_reader import (
    CHECK,
    MOST_TEXT,
    UNREAD,
    RequestText,
    book_proposal,
    certain_value,
    find_proposals,
    held_for,
    query_of,
    read_fields,
    why_checked,
)
from frontdesk.desks.booking.rules import BookingRules
from frontdesk.desks.booking.wish_wording import parts_of_day
from frontdesk.engine.ports import Reads, Recorded
from frontdesk.features.proposals.reader import MailReader, OpenedMail, answered_sends
from frontdesk.logs import log
from frontdesk.reading.model import Confidence, Context, Reader, ReadFields
from frontdesk.reading.proposal_answer import read_proposal_answer
from frontdesk.reading.requests import BETWEEN
from frontdesk.values import Frozen, replace

#: After so many rounds of proposed times, staff answer.
MOST_ROUNDS: Final = 5


class _AnsweredRequest(Frozen):
    """The request that a mail answers, after we proposed times for it."""

    request: BookingRequest
    person: Person
    is_latest: bool
    """Whether it answers the latest times of a request that is still open."""


class MailLanes(MailReader, kw_only=True):
    availability: Availability
    country: str
    reader: Reader | None
    """Reads what the rules do not read for certain: a model, embeddings, or both."""
    reader_name: str
    new_id: Callable[[], str]
    takes_requests: bool = True
    """If false, a mail that answers no proposal of ours waits for a person."""

    # --- the lane -----------------------------------------------------------------------------

    def take(self, reads: Reads, recorded: Recorded) -> Iterable[Command]:
        """Chooses the lane by the sender alone, before anything reads the request."""
        fact = recorded.fact
        assert isinstance(fact, MailReceived)
        if not self.is_addressed(reads, fact.mail_id):
            return ()
        opened = self.open(reads, fact.mail_id)
        lane = Lane.READING if isinstance(opened, str) else self._lane(reads, opened.mail)
        log("booking.lane", mail=fact.mail_id, lane=lane)
        if isinstance(opened, str) or lane is Lane.READING:
            return (ReadMail(fact.mail_id),)
        return (RecordRequest(self._forwarded(reads, opened)),)

    def _lane(self, reads: Reads, mail: IncomingMail) -> Lane:
        """Chooses the lane. Never forwards a mail of our own again."""
        if mail.automatic is Automatic.LOOP or not self.takes_requests:
            return Lane.READING
        direct = reads.engine.setting(DIRECT_LANE)
        return lane_of(mail.from_email, direct, authenticated=mail.authenticated)

    def _forwarded(self, reads: Reads, opened: OpenedMail) -> BookingRequest:
        """The record of a forwarded mail. If no owner has an address, it is a draft for staff."""
        goes_out = bool(booking_reads(reads).owner_people())
        return BookingRequest(
            RequestId(opened.raw.id),
            Lane.DIRECT,
            opened.raw.received_at,
            RequestStatus.FORWARDED if goes_out else RequestStatus.DRAFT,
            mail_id=opened.raw.id,
            sender=opened.mail.from_email,
        )

    # --- a new request ------------------------------------------------------------------------

    def read(self, job: Job) -> Command:
        """Reads the mail of a job and returns the command that follows."""
        reads, mail_id = self.reads(), MailId(job.subject)
        opened = self.open_written(reads, mail_id)
        if isinstance(opened, str):
            return IgnoreMail(mail_id, opened, job.id)
        answered = _find_answered(reads, opened)
        if answered is not None and answered.is_latest:
            return self._answer(reads, opened, answered, job)
        if not self.takes_requests:
            return IgnoreMail(mail_id, FOR_A_PERSON, job.id)
        return self._request(reads, opened, job, is_late=answered is not None)

    def _request(
        self, reads: Reads, opened: OpenedMail, job: Job, *, is_late: bool
    ) -> RecordRequest:
        rules, now, mail = booking_reads(reads).rules(), self.clock.now(), opened.mail
        text = self.text_of(opened)
        found = RequestText(text, mail.from_email, self.own)
        reader = _RecordingReader(self.reader) if self.reader else None
        fields = read_fields(found, rules, now, self.country, reader)
        if text.unread:
            fields = (*fields, RequestField(UNREAD, "\n".join(text.unread), ""))
        request = BookingRequest(
            RequestId(opened.raw.id),
            Lane.READING,
            opened.raw.received_at,
            RequestStatus.DRAFT,
            mail_id=opened.raw.id,
            sender=mail.from_email,
            text=text.text[:MOST_TEXT],
            fields=fields,
            reader=self.reader_name if reader and reader.was_asked else "rules",
        )
        why = "about an earlier request" if is_late else why_checked(reads, request, rules, now)
        if not why and wants_to_cancel(mail.new_text):
            why = "a cancellation"
        proposed = () if why else find_proposals(self.availability, reads, rules, fields, now)
        log("booking.request_read", request=request.id, why=why, proposed=len(proposed))
        if not proposed:
            checked = RequestField(CHECK, why or "no free times", "")
            return RecordRequest(replace(request, fields=(*fields, checked)), job_id=job.id)
        answered = replace(request, status=RequestStatus.OPEN, proposed=proposed)
        return RecordRequest(answered, self._requester(mail, fields), job.id)

    def _requester(self, mail: IncomingMail, fields: tuple[RequestField, ...]) -> Requester:
        return Requester(
            PersonId(self.new_id()),
            certain_value(fields, "name") or mail.sender_name,
            mail.from_email,
            certain_value(fields, "phone"),
        )

    # --- an answer to proposed times ----------------------------------------------------------

    def _answer(
        self, reads: Reads, opened: OpenedMail, answered: _AnsweredRequest, job: Job
    ) -> Command:
        """Books the time that the answer chooses, if that is certain and the time is free."""
        request, rules, now = answered.request, booking_reads(reads).rules(), self.clock.now()
        tz = zone(rules.zone)
        answer = read_proposal_answer(
            opened.mail.new_text,
            [to_wall(one.starts_at, tz) for one in request.proposed],
            to_wall(now, tz),
            parts_of_day(rules),
        )
        log("booking.answer_read", request=request.id, confidence=answer.confidence)
        if answer.confidence is not Confidence.CONFIDENT:
            return self._draft(opened, request, job, "an unclear answer")
        if answer.chosen is None:
            return self._propose_again(reads, opened, request, job)
        chosen = request.proposed[answer.chosen]
        if not self._can_book(reads, rules, answered.person, chosen):
            return self._draft(opened, request, job, "not bookable by mail")
        query, mine = query_of(request.fields, rules, now), held_for(reads, request)
        if query is None or self.availability.check(
            reads, rules, query, chosen.starts_at, now, mine=mine
        ):
            return self._propose_again(reads, opened, request, job)
        return replace(
            book_proposal(request, chosen, answered.person, query.party, self.new_id()),
            job_id=job.id,
            mail_id=opened.raw.id,
        )

    def _can_book(
        self, reads: Reads, rules: BookingRules, person: Person, chosen: ProposedTime
    ) -> bool:
        """Whether the customer only has to choose a time: the service has no required questions,
        and the customer does not have too many bookings."""
        service, now = rules.service(chosen.service), self.clock.now()
        if service is None or any(each.required for each in service.questions):
            return False
        mine = booking_reads(reads).bookings_of(person.id)
        return len(limited_bookings(mine, now, by_owner=True)) < service.most_upcoming

    def _propose_again(
        self, reads: Reads, opened: OpenedMail, request: BookingRequest, job: Job
    ) -> ChangeRequest:
        """Proposes other times. After some rounds, or if nothing is free, staff answer."""
        rules, now = booking_reads(reads).rules(), self.clock.now()
        old = frozenset(one.starts_at for one in request.proposed)
        mine = held_for(reads, request)
        proposed = find_proposals(
            self.availability, reads, rules, request.fields, now, without=old, mine=mine
        )
        if not proposed or request.version >= MOST_ROUNDS:
            return self._draft(opened, request, job, "no time suits")
        after = replace(
            request, proposed=proposed, mail_id=opened.raw.id, version=request.version + 1
        )
        return ChangeRequest(after, job_id=job.id)

    def _draft(
        self, opened: OpenedMail, request: BookingRequest, job: Job, why: str
    ) -> ChangeRequest:
        """Makes a draft for staff, with the answer above the request."""
        said = opened.mail.new_text
        after = replace(
            request,
            status=RequestStatus.DRAFT,
            mail_id=opened.raw.id,
            text=f"{said}{BETWEEN}{request.text}"[:MOST_TEXT],
            fields=(
                *(one for one in request.fields if one.name != CHECK),
                RequestField(CHECK, why, ""),
            ),
            version=request.version + 1,
        )
        return ChangeRequest(after, job_id=job.id)

    # --- replies ------------------------------------------------------------------------------

    def answering(self, reads: Reads, mail_id: MailId) -> ReplyHeaders | None:
        """The mail to reply to, without its subject: our mails do not repeat texts of strangers."""
        raw = reads.engine.raw_mail(mail_id)
        try:
            mail = read_mail(raw.raw) if raw else None
        except BadMail:
            return None
        return ReplyHeaders(mail.message_id, "") if mail and mail.message_id else None


class _RecordingReader:
    """Passes requests to a reader, and records whether it was asked."""

    def __init__(self, reader: Reader) -> None:
        self._reader = reader
        self.was_asked = False

    def read(self, text: str, context: Context) -> ReadFields:
        self.was_asked = True
        return self._reader.read(text, context)


def _find_answered(reads: Reads, opened: OpenedMail) -> _AnsweredRequest | None:
    """Finds the request whose proposal the mail answers. The sender must be its customer."""
    mail = opened.mail
    for answered in answered_sends(opened):
        send = reads.engine.send(answered)
        if send is None or (send.desk, send.kind) != (CODE, "proposals"):
            continue
        bk = booking_reads(reads)
        request, person = bk.request(RequestId(send.subject)), bk.person(send.person_id)
        if request is None or person is None or person.erased:
            return None
        if email_key(person.email) != email_key(mail.from_email):
            return None
        is_latest = (
            request.status is RequestStatus.OPEN and request.version == send.params["version"]
        )
        return _AnsweredRequest(request, person, is_latest)
    return None
