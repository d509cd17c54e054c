"""Loads the view of each decision, and the occupancy for searches."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from datetime import date, datetime, timedelta
from typing import Final

from frontdesk.core.consents import ConsentRecord, Statement
from frontdesk.core.contacts import contact_key
from frontdesk.core.people import Person, PersonId
from frontdesk.desks.booking import commands, views
from frontdesk.desks.booking.decide import tallies
from frontdesk.desks.booking.decide.claims import local_day
from frontdesk.desks.booking.decide.handovers import resource_named
from frontdesk.desks.booking.decide.proposal_holds import HELD_FOR
from frontdesk.desks.booking.lanes import DIRECT_LANE, DirectLane
from frontdesk.desks.booking.model import (
    CODE,
    LONGEST_SPAN,
    TAKES_TIME,
    Booking,
    BookingRequest,
    Handover,
    Hold,
    RequestStatus,
    Tally,
    feed_setting,
    handover_id,
    proposal_hold_id,
)
from frontdesk.desks.booking.reads import BookingReads
from frontdesk.desks.booking.rules import BookingRules, Resource, ResourceId, ServiceRules
from frontdesk.desks.booking.search.query import Occupancy
from frontdesk.desks.booking.search.rules_cache import RulesCache
from frontdesk.desks.booking.ticks import Cell, Span, span_of
from frontdesk.engine.ports import Reads
from frontdesk.values import Frozen, field

Intervals = Sequence[tuple[datetime, datetime]]
_ANYONE: Final = ResourceId("")
#: The most requests whose proposed times are held; further ones are proposed without a hold.
MOST_HELD: Final = 20


class BusyResources(Frozen):
    """The busy times of connected calendars, without the events of this desk."""

    busy: Mapping[ResourceId, Intervals] = field(default_factory=dict)
    unreadable: Mapping[ResourceId, str] = field(default_factory=dict)
    """Why resources have no times: a calendar could not be read, or was read too long ago."""


BusyPort = Callable[[Reads, Sequence[Resource], datetime, datetime], BusyResources]
"""Returns the busy times of resources in a period, as last read. It reads only the store."""
SlotPort = Callable[[Reads, str], views.WaitlistSlot | None]
"""Returns the waitlist's slot with an origin."""


def no_calendars(
    _reads: Reads, _resources: Sequence[Resource], _since: datetime, _until: datetime
) -> BusyResources:
    return BusyResources()


def no_waitlist(_reads: Reads, _origin: str) -> views.WaitlistSlot | None:
    return None


def booking_reads(reads: Reads) -> BookingReads:
    """Returns the booking desk's reads."""
    found: BookingReads = reads.desk(CODE)
    return found


def expected_people(reads: Reads, now: datetime, until: datetime) -> Iterator[PersonId]:
    """Yields the customers with a booking in this period."""
    found = booking_reads(reads).bookings_between(now, until)
    yield from (each.person_id for each in found if each.status in TAKES_TIME)


class Loader(Frozen):
    """Loads views. The wiring gives it the ports, because they read other desks' rows."""

    options: views.DeskOptions = views.DeskOptions()
    busy: BusyPort = no_calendars
    slot: SlotPort = no_waitlist

    def book(self, reads: Reads, command: commands.Book) -> views.BookView:
        """Reads the person's tally before their bookings: a booking that is added in between
        makes the commit fail."""
        bk = booking_reads(reads)
        person = bk.person_by_email(contact_key(command.email, command.mobile))
        mine = _by_key(bk.tallies([tallies.person_key(person.id)])) if person else {}
        of_person = bk.bookings_of(person.id) if person else ()
        request = _answered(reads, command) if command.request_id else None
        hold = bk.hold(command.hold_id) if command.hold_id else None
        holds = ([hold] if hold else []) + list(request.proposals.holds if request else ())
        rules = bk.rules()
        time = self._time(
            reads,
            rules,
            command.service,
            command.starts_at,
            holds,
            wished=command.resource,
            also=mine,
        )
        known = bk.booking(command.booking_id)
        consent = _consent(reads, person, command.consent)
        return views.BookView(time, known, person, of_person, holds, request, consent)

    def booking(self, reads: Reads, command: commands.BookingCommand) -> views.BookingView | None:
        bk = booking_reads(reads)
        found = bk.booking(command.booking_id)
        return None if found is None else self._view(reads, found)

    def _view(self, reads: Reads, booking: Booking) -> views.BookingView:
        bk = booking_reads(reads)
        cells = bk.cells(booking.resources, booking.span) if booking.takes_time else ()
        return views.BookingView(bk.rules(), self.options, booking, cells)

    def moving(self, reads: Reads, command: commands.MoveBooking) -> views.MoveView | None:
        bk = booking_reads(reads)
        found = bk.booking(command.booking_id)
        if found is None:
            return None
        hold = bk.hold(command.hold_id) if command.hold_id else None
        holds = [hold] if hold else []
        time = self._time(reads, bk.rules(), found.service, command.starts_at, holds, booking=found)
        return views.MoveView(time, found, hold)

    def calendar(
        self, reads: Reads, command: commands.CalendarCommand
    ) -> views.CalendarView | None:
        view = self.booking(reads, command)
        if view is None:
            return None
        return views.CalendarView(
            view, reads.engine.job(command.job_id) if command.job_id else None
        )

    def holding(self, reads: Reads, command: commands.HoldTime) -> views.HoldView:
        bk = booking_reads(reads)
        hold = None if command.is_first else bk.hold(command.hold_id)
        holds = [hold] if hold else []
        time = self._time(
            reads, bk.rules(), command.service, command.starts_at, holds, wished=command.resource
        )
        return views.HoldView(time, hold)

    def dropping(
        self, reads: Reads, command: commands.DropHold | commands.ForgetHold
    ) -> views.HoldView:
        bk = booking_reads(reads)
        hold = bk.hold(command.hold_id)
        cells = bk.cells(hold.resources, hold.span) if hold else ()
        return views.HoldView(views.TimeView(bk.rules(), self.options, cells, Occupancy()), hold)

    def request(
        self, reads: Reads, command: commands.RecordRequest | commands.ChangeRequest
    ) -> views.RequestView:
        bk, asks, mail_id = booking_reads(reads), command.requester, command.request.mail_id
        known = bk.request(command.request.id)
        person = bk.person_by_email(contact_key(asks.email, asks.mobile)) if asks else None
        return views.RequestView(
            known,
            person,
            reads.engine.job(command.job_id) if command.job_id else None,
            bool(mail_id) and reads.engine.knows_mail(mail_id),
            self._proposals(reads, known, command.request),
            _consent(reads, person, asks.consent if asks else None),
        )

    def _proposals(
        self, reads: Reads, known: BookingRequest | None, request: BookingRequest
    ) -> views.ProposalsView:
        """The holds of a request, and the state around its new times if the rules hold them."""
        bk = booking_reads(reads)
        rules, holds = bk.rules(), proposal_holds(bk, known) if known else []
        is_held = rules.hold_proposals and not _holds_many(bk, request)
        times = [
            self._time(reads, rules, one.service, one.starts_at)
            for one in (request.proposed if is_held else ())
        ]
        own = _cells(bk, [(hold.resources, hold.span) for hold in holds])
        found = {
            (cell.resource, cell.tick, cell.place): cell
            for cells in (own, *(time.cells for time in times))
            for cell in cells
        }
        return views.ProposalsView(holds, tuple(found.values()), times)

    def taking_over(self, reads: Reads, command: commands.TakeHandover) -> views.HandoverView:
        bk = booking_reads(reads)
        known = bk.handover(handover_id(command.origin))
        time = self._offered(
            reads, known, command.service, command.staff, command.starts_at, command.ends_at
        )
        return views.HandoverView(time, known, None, None, None)

    def settling(self, reads: Reads, command: commands.SettleHandover) -> views.HandoverView:
        bk = booking_reads(reads)
        known = bk.handover(command.handover_id)
        origin = known.origin if known else command.origin
        slot = self.slot(reads, origin) if origin else None
        if slot is not None:
            time = self._offered(
                reads, known, slot.service, slot.staff, slot.starts_at, slot.ends_at
            )
        else:
            time = self._offered(reads, known, "", "", None, None)
        booking = bk.booking(known.booking_id) if known and known.booking_id else None
        person = bk.person(slot.person_id) if slot and slot.person_id else None
        return views.HandoverView(time, known, slot, booking, person)

    def _offered(
        self,
        reads: Reads,
        known: Handover | None,
        service: str,
        staff: str,
        starts_at: datetime | None,
        ends_at: datetime | None,
    ) -> views.TimeView:
        """The cells that a handover has or needs."""
        bk = booking_reads(reads)
        rules = bk.rules()
        asked: list[tuple[Collection[ResourceId], Span]] = []
        if known is not None:
            asked.append((known.resources, known.span))
        first = resource_named(rules, staff)
        if first is not None and starts_at is not None and ends_at is not None:
            found = rules.service(service)
            before, after = (
                (found.buffer_before, found.buffer_after) if found else (timedelta(), timedelta())
            )
            others = _possible(found)[1:] if found else []
            ids = {first.id, *(each for pool in others for each in pool)}
            if ends_at - starts_at <= LONGEST_SPAN:
                asked.append((ids, span_of(starts_at, ends_at, before, after)))
        return views.TimeView(rules, self.options, _cells(bk, asked), Occupancy())

    def _time(
        self,
        reads: Reads,
        rules: BookingRules,
        service_name: str,
        starts_at: datetime,
        holds: Sequence[Hold] = (),
        *,
        wished: ResourceId = _ANYONE,
        booking: Booking | None = None,
        also: Mapping[tuple[str, str], Tally] | None = None,
    ) -> views.TimeView:
        """The state of all resources that can serve the visit, around the wished time."""
        bk = booking_reads(reads)
        asked: list[tuple[Collection[ResourceId], Span]] = []
        asked += [(hold.resources, hold.span) for hold in holds]
        if booking is not None:
            asked.append((booking.resources, booking.span))
        service = rules.service(service_name)
        if service is None:
            return views.TimeView(rules, self.options, _cells(bk, asked), Occupancy())
        on = local_day(starts_at, rules.zone)
        key = (service.name, on, wished)
        needed = _NEEDED.get(rules, key, lambda: _needed(rules, service, on, wished))
        ends_at = starts_at + service.duration
        span = span_of(starts_at, ends_at, service.buffer_before, service.buffer_after)
        asked.append((needed.ids, span))
        keys = needed.tallies | set(tallies.keys_of(booking)) if booking else needed.tallies
        counted = {**_by_key(bk.tallies(keys)), **(also or {})}
        margin = service.buffer_before + service.buffer_after
        busy = self.busy(reads, needed.resources, starts_at - margin, ends_at + margin)
        occupancy = Occupancy(
            busy=busy.busy,
            unreadable=busy.unreadable,
            tallies=counted,
            last_booked_at=_last(counted, needed.ids),
        )
        return views.TimeView(rules, self.options, _cells(bk, asked), occupancy)


class _Needed(Frozen):
    """The rows that decide a claim of a service on a day."""

    resources: tuple[Resource, ...]
    ids: tuple[ResourceId, ...]
    tallies: frozenset[tallies.Key]


_NEEDED: Final = RulesCache[tuple[str, date, ResourceId], _Needed](most=4_000)


def _needed(rules: BookingRules, service: ServiceRules, on: date, wished: ResourceId) -> _Needed:
    """The rows for a claim. If the customer wishes for a resource, only it can meet the first
    need."""
    wanted = {
        each
        for at, pool in enumerate(_possible(service))
        for each in pool
        if at > 0 or wished in (_ANYONE, each)
    }
    resources = tuple(one for one in rules.resources if one.id in wanted)
    keys = frozenset(tallies.deciding_keys(rules, service, resources, on))
    return _Needed(resources, tuple(one.id for one in resources), keys)


def _consent(
    reads: Reads, person: Person | None, statement: Statement | None
) -> ConsentRecord | None:
    return reads.engine.consent(person.id) if person and statement else None


def _answered(reads: Reads, command: commands.Book) -> views.RequestView:
    job = reads.engine.job(command.job_id) if command.job_id else None
    kept = bool(command.mail_id) and reads.engine.knows_mail(command.mail_id)
    bk = booking_reads(reads)
    request = bk.request(command.request_id)
    proposals = (
        views.ProposalsView(proposal_holds(bk, request)) if request else views.ProposalsView()
    )
    return views.RequestView(request, None, job, kept, proposals)


def proposal_holds(bk: BookingReads, request: BookingRequest) -> list[Hold]:
    """The holds of the times that are proposed to a customer."""
    ids = (proposal_hold_id(request.id, place) for place in range(len(request.proposed)))
    return [hold for each in ids if (hold := bk.hold(each)) is not None]


def reading(reads: Reads, command: commands.ReadMail | commands.IgnoreMail) -> views.RequestView:
    return views.RequestView(
        job=reads.engine.job(command.job_id), mail_kept=reads.engine.knows_mail(command.mail_id)
    )


def direct_lane(reads: Reads, _command: commands.SetDirectLane) -> DirectLane:
    return reads.engine.setting(DIRECT_LANE)


def feed_version(reads: Reads, command: commands.RenewFeed) -> int:
    return reads.engine.setting(feed_setting(command.resource))


def rules(reads: Reads, _command: commands.SetRules) -> BookingRules:
    return booking_reads(reads).rules()


def _holds_many(bk: BookingReads, request: BookingRequest) -> bool:
    """Whether times are held for many requests already, so that strangers cannot block a week."""
    since = request.received_at - HELD_FOR
    return len(bk.requests(RequestStatus.OPEN, MOST_HELD, since=since)) >= MOST_HELD


def _possible(service: ServiceRules) -> list[tuple[ResourceId, ...]]:
    return [need.anyone_of for need in service.needs]


def _cells(
    bk: BookingReads, asked: Iterable[tuple[Collection[ResourceId], Span]]
) -> Sequence[Cell]:
    """The cells of several spans, each once."""
    spans = list(asked)
    if len(spans) == 1:
        return bk.cells(*spans[0])
    found: dict[tuple[ResourceId, int, int], Cell] = {}
    for ids, span in spans:
        for cell in bk.cells(ids, span):
            found[cell.resource, cell.tick, cell.place] = cell
    return tuple(found.values())


def _by_key(rows: Iterable[Tally]) -> dict[tuple[str, str], Tally]:
    return {(one.scope, one.period): one for one in rows}


def _last(
    counted: Mapping[tuple[str, str], Tally], ids: Iterable[ResourceId]
) -> dict[ResourceId, datetime]:
    found = ((each, counted.get(tallies.last_key(each))) for each in ids)
    return {each: tally.last_at for each, tally in found if tally and tally.last_at}
