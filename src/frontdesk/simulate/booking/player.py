"""Plays a booked week in virtual time; checks invariants after every step."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from frontdesk.core.decision import Refused
from frontdesk.core.localtime import spoken_date, zone
from frontdesk.core.members import MemberId
from frontdesk.core.people import PersonId
from frontdesk.core.words import count
from frontdesk.desks.admin.commands import AddFirstOwner, SetBusiness
from frontdesk.desks.admin.model import Business
from frontdesk.desks.booking import commands as bk
from frontdesk.desks.booking import facts as f
from frontdesk.desks.booking.doctor import every_booking
from frontdesk.desks.booking.load import booking_reads
from frontdesk.desks.booking.model import Booking, BookingStatus, HoldId, Lane, booking_id
from frontdesk.desks.booking.reads import BookingReads
from frontdesk.desks.booking.story import WORDS, line
from frontdesk.desks.waitlist import commands as wl
from frontdesk.desks.waitlist.load import waitlist
from frontdesk.desks.waitlist.model import Entry, EntryId, Offer, Wish
from frontdesk.desks.waitlist.model import Lane as WaitlistLane
from frontdesk.desks.waitlist.story import EntryNames
from frontdesk.desks.waitlist.story import line as waitlist_line
from frontdesk.doctor import check_up
from frontdesk.engine.ports import Outcome, Recorded
from frontdesk.engine.stories import full_name
from frontdesk.simulate.booking import scenario as s
from frontdesk.simulate.booking.scenario import Week
from frontdesk.simulate.booking.watch import BookingWatch
from frontdesk.simulate.names import address
from frontdesk.simulate.player import (
    PlayedTimeline,
    TimelinePlayer,
    data_folder,
    listed,
    messages_and_verdict,
    named,
    no_progress,
    story,
)
from frontdesk.simulate.runtime import NO_SUCH_MAILBOX, Simulation, server_settings
from frontdesk.simulate.scenario import Moment, Progress, ScenarioAction
from frontdesk.store.sqlite.view import open_view
from frontdesk.values import replace
from frontdesk.wiring.one_machine import TABLES, data_file

STAFF: Final = "member:staff"
OWNER: Final = "owner@example.org"
_MANY: Final = 1_000_000
#: Facts about times between the two desks, in the words of the report.
_BETWEEN_DESKS: Final = {
    f.TimeFreed: "The time is free, and goes to the waitlist.",
    f.HandoverBooked: "The time that was held for the waitlist is booked.",
    f.HandoverReleased: "Nobody on the waitlist took it: everybody can book it.",
}


PlayedWeek = PlayedTimeline[Week]


def play_week(week: Week, *, seed: int = 1, progress: Progress = no_progress) -> PlayedWeek:
    with data_folder() as folder:
        return _Player(week, seed, folder).play_all(progress)


class _Player(TimelinePlayer[Week, Simulation]):
    def __init__(self, week: Week, seed: int, folder: Path) -> None:
        super().__init__(week, seed)
        self._folder = folder
        self._tz = zone(week.place.zone)
        self._watch = BookingWatch({one.id: one.capacity for one in week.place.rules.resources})
        self.stage = Simulation(
            replace(server_settings(folder), desks_off="reminders"),
            week.begins_at,
            channel=self.mail,
            ids=self.new_id,
            chance=self.chance.random,
            heard=self._watch.hear,
        )

    def begin(self) -> None:
        """Sets up the business with an owner, who gets the messages to staff."""
        place = self.played.scenario.place
        self.stage.run(SetBusiness(Business(name=place.name, zone=place.zone)), by=STAFF)
        owner = MemberId(self.new_id()), PersonId(self.new_id())
        self.stage.run(AddFirstOwner(*owner, place.name, OWNER), by=STAFF)
        self.stage.run(bk.TakeRules(place.text, place.zone), by=STAFF)
        self.stage.settle()
        self.look()

    def people(self) -> dict[str, str]:
        return {who: self._state(who) for who in named(self.played.scenario)}

    # --- actions ------------------------------------------------------------------------------

    def act(self, action: ScenarioAction) -> Iterator[tuple[str, Outcome | None]]:
        match action:
            case s.Books():
                yield action.who, self._book(action)
            case s.Moves() | s.Cancels() | s.Misses() | s.Decides():
                booking = self._booking(action.who)
                if booking is None:
                    self.say_refused(action.who, "no booking")
                else:
                    yield action.who, self._change(booking, action)
            case s.JoinsWaitlist():
                yield action.who, self._join(action)
            case s.Claims(who):
                offer = self._offer(who)
                if offer is None:
                    self.say_refused(who, "no offer")
                else:
                    command = wl.ClaimOffer(offer.slot_id, offer.seq)
                    yield who, self.stage.run(command, by="link")
            case _:
                self.fault(action)

    def _book(self, action: s.Books) -> Outcome:
        """A visitor of the page holds the time first, as the form does."""
        hold_id = HoldId("" if action.by_staff else self.new_id())
        if hold_id:
            held = self.stage.run(
                bk.HoldTime(
                    hold_id, action.service, action.starts_at, action.party, action.resource
                ),
                by="form",
            )
            if isinstance(held, Refused):
                return held
        command = bk.Book(
            booking_id=booking_id(self.new_id()),
            person_id=PersonId(self.new_id()),
            service=action.service,
            starts_at=action.starts_at,
            name=action.who,
            email=address(action.who),
            party=action.party,
            resource=action.resource,
            lane=Lane.STAFF if action.by_staff else Lane.FORM,
            hold_id=hold_id,
        )
        return self.stage.run(command, by=STAFF if action.by_staff else "form")

    def _change(
        self, booking: Booking, action: s.Moves | s.Cancels | s.Misses | s.Decides
    ) -> Outcome:
        match action:
            case s.Moves(_, starts_at, by_staff):
                command: bk.BookingCommand = bk.MoveBooking(
                    booking.id, starts_at, by_staff=by_staff
                )
            case s.Cancels(_, by_staff):
                command = bk.CancelBooking(booking.id, by_staff=by_staff)
            case s.Misses():
                command = bk.MarkNoShow(booking.id)
            case s.Decides(_, approve):
                kind = bk.ApproveBooking if approve else bk.DeclineBooking
                command = kind(booking.id)
        by_customer = isinstance(action, s.Moves | s.Cancels) and not action.by_staff
        return self.stage.run(command, by="link" if by_customer else STAFF)

    def _join(self, action: s.JoinsWaitlist) -> Outcome:
        wish = Wish(action.service, 1, action.earliest_on, action.latest_on)
        return self.stage.run(
            wl.JoinList(
                EntryId(self.new_id()),
                PersonId(self.new_id()),
                action.who,
                address(action.who),
                wish,
                WaitlistLane.FORM,
            ),
            by="form",
        )

    # --- rows ---------------------------------------------------------------------------------

    @property
    def _bk(self) -> BookingReads:
        return booking_reads(self.stage.product.engine.reads())

    def _booking(self, who: str) -> Booking | None:
        """Returns their next booking that takes time, or else the last one."""
        theirs = self._bookings(who)
        live = [one for one in theirs if one.takes_time]
        return next(iter(live), theirs[-1] if theirs else None)

    def _bookings(self, who: str) -> list[Booking]:
        person = self._bk.person_by_email(address(who))
        return list(self._bk.bookings_of(person.id)) if person else []

    def _entries(self, who: str) -> list[Entry]:
        reads = waitlist(self.stage.product.engine.reads())
        person = reads.person_by_email(address(who))
        return list(reads.entries_of(person.id)) if person else []

    def _offer(self, who: str) -> Offer | None:
        """Returns the last offer of the waitlist to this person, in any state."""
        reads = waitlist(self.stage.product.engine.reads())
        theirs = {entry.id for entry in self._entries(who)}
        offers = [
            offer
            for slot in reads.slots(_MANY)
            for offer in reads.offers(slot.id)
            if offer.entry_id in theirs
        ]
        return max(offers, key=lambda one: one.made_at, default=None)

    def _state(self, who: str) -> str:
        """Returns the state of the booking that they made last, or of their place on the list."""
        if theirs := self._bookings(who):
            return max(theirs, key=lambda one: (one.takes_time, one.booked_at)).status.value
        entries = self._entries(who)
        return entries[-1].status.value if entries else "unknown"

    def figures(self) -> dict[str, int]:
        bookings = list(every_booking(self._bk))
        states = Counter(one.status for one in bookings)
        return {
            "bookings": len(bookings),
            **{status.value: states[status] for status in BookingStatus},
            "moved": self._watch.moved,
            "refilled": sum(one.lane is Lane.WAITLIST for one in bookings),
        }

    # --- checks -------------------------------------------------------------------------------

    def new_facts(self) -> Iterator[Moment]:
        for facts in self._watch.new():
            self.complain(self._watch.take(facts))
            for recorded in facts:
                yield from self._told(recorded)

    def _told(self, recorded: Recorded) -> Iterator[Moment]:
        reads, fact = self.stage.product.engine.reads(), recorded.fact
        if isinstance(fact, f.BookingFact) and type(fact) in WORDS:
            name = full_name(self._bk.person(fact.person_id))
            text = f"{name}: {line(reads, recorded, self._tz).text}"
            yield Moment(recorded.at, fact.kind, text)
        elif words := _BETWEEN_DESKS.get(type(fact)):
            yield Moment(recorded.at, fact.kind, words)
        elif fact.kind.startswith("wl."):
            text = waitlist_line(recorded, EntryNames(reads), self._tz).text
            yield Moment(recorded.at, fact.kind, text)

    def violations(self) -> Iterator[str]:
        self.stage.flush()
        with open_view(data_file(self._folder), TABLES) as view:
            checkup = check_up(view, self.stage.clock.now(), served=False)
        yield from (each for each in checkup.problems if not self._is_refusal(each))
        twice = (mail for mail, times in self.mail.taken.items() if times > 1)
        yield from (f"the mail {mail} was sent twice" for mail in twice)

    def _is_refusal(self, problem: str) -> bool:
        """Whether it is about mail that the scenario lets bounce."""
        return bool(self.mail.refuses) and problem.endswith(NO_SUCH_MAILBOX)


# --- the report -------------------------------------------------------------------------------

#: Facts that the story leaves out.
_LEFT_OUT: Final = frozenset(
    {"wl.house_kept", "wl.rules_changed", "wl.shop_changed", "wl.document_taken"}
)


def as_words(played: PlayedWeek) -> Iterator[str]:
    week = played.scenario
    tz = zone(week.place.zone)
    yield f"{week.name}: {week.about}"
    services = count(len(week.place.rules.services), "service")
    yield f"{week.place.name}, {services}, from {spoken_date(week.begins_at, tz)}"
    yield ""
    moments = [moment for moment in played.moments if moment.kind not in _LEFT_OUT]
    yield from story(moments, tz, {}, "%H:%M:%S")
    yield ""
    some = {name: number for name, number in played.figures.items() if number}
    yield f"{listed(some).capitalize()}."
    yield from messages_and_verdict(played.messages, played.not_sent, played.problems)
