"""A waitlist small enough to visit all its states: changes are applied in memory.

The conditions and updates are written here a second time, from the descriptions of the changes, so
that a difference between a store and the rules shows.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Any, cast

from frontdesk.core.decision import Accepted, Change, Command, Decision, SetTimer
from frontdesk.core.people import Person, PersonId
from frontdesk.desks.waitlist import changes as c
from frontdesk.desks.waitlist import commands
from frontdesk.desks.waitlist.desk import RULES as DESK_RULES
from frontdesk.desks.waitlist.eligibility import failure, in_order
from frontdesk.desks.waitlist.invariants import (
    broken_invariants,
    overlapping,
    skipped,
    unbooked_entries,
)
from frontdesk.desks.waitlist.model import (
    Entry,
    EntryId,
    EntryStatus,
    Lane,
    Offer,
    OfferState,
    Opening,
    Rules,
    Slot,
    SlotId,
    SlotStatus,
)
from frontdesk.engine.ports import Reads
from frontdesk.features.catalogue.model import Catalogue
from frontdesk.values import Frozen, replace
from tests.support.waitlist import HOUR, MINUTE, NINE, OPENING, RULES, entry

NOW = NINE
LATER = NINE + 10 * MINUTE
SMALL_RULES = replace(RULES, send_tries=2)
OPEN_STATES = (OfferState.PENDING, OfferState.LIVE)


class World(Frozen):
    """One state. Frozen, because states are stored in sets."""

    entries: tuple[Entry, ...]
    most_slots: int
    slots: tuple[Slot, ...] = ()
    offers: tuple[Offer, ...] = ()
    timers: frozenset[tuple[str, datetime]] = frozenset()
    fickle: bool = False
    """People change their wishes, leave, and come back."""
    twins: bool = False
    """All slots are at the same time, with the same staff member."""
    cancels: bool = False
    """Bookings are cancelled or missed, and staff answer offers for people."""

    # --- what can happen --------------------------------------------------------------------

    def commands(self) -> Iterator[tuple[Command, datetime]]:
        for number in range(self.most_slots):
            slot_id = SlotId(f"s{number}")
            yield commands.FreeSlot(slot_id, f"webhook:{number}", self._opening(number)), NOW
        for slot in self.slots:
            yield commands.MakeMove(slot.id), NOW
            yield commands.MakeMove(slot.id), LATER
            yield commands.MakeMove(slot.id), slot.opening.starts_at
            yield commands.TakeBackSlot(slot.id), NOW
            if self.cancels:
                yield from self._ends_of(slot)
        for one in self.offers:
            yield from self._said_about(one)
        for person in self.entries if self.fickle else ():
            wish = person.wish
            yield commands.LeaveList(person.id), NOW
            yield commands.ChangeWish(person.id, replace(wish, party=3 - wish.party)), NOW
            yield self._join(person), NOW

    def _opening(self, number: int) -> Opening:
        return replace(OPENING, starts_at=OPENING.starts_at + (0 if self.twins else number) * HOUR)

    def _ends_of(self, slot: Slot) -> Iterator[tuple[Command, datetime]]:
        """Yields how a booking may end. A slot that came from such an end has no further end."""
        new_id, booked_by = SlotId(f"{slot.id}x"), EntryId(slot.booked_by)
        if slot.id.endswith("x"):
            return
        for stay in (False, True):
            yield commands.CancelBooking(slot.id, booked_by, new_id, stay=stay), NOW
        yield commands.CancelBooking(slot.id, booked_by, new_id, by_staff=True, offer=False), NOW
        yield commands.MarkNoShow(slot.id, new_id), slot.opening.starts_at
        yield commands.OfferAgain(slot.id, new_id), NOW

    def _said_about(self, one: Offer) -> Iterator[tuple[Command, datetime]]:
        yield commands.ArmOffer(one.slot_id, one.seq), NOW
        yield commands.DisarmOffer(one.slot_id, one.seq), NOW
        yield commands.GiveUpOffer(one.slot_id, one.seq), NOW
        yield commands.ClaimOffer(one.slot_id, one.seq), NOW
        yield commands.ClaimOffer(one.slot_id, one.seq), LATER
        yield commands.DeclineOffer(one.slot_id, one.seq), NOW
        if self.fickle:
            yield commands.DeclineOffer(one.slot_id, one.seq, leave=True), NOW
        yield commands.LapseOffer(one.slot_id, one.seq), NOW
        yield commands.LapseOffer(one.slot_id, one.seq), LATER
        yield commands.WithdrawOffer(one.slot_id, one.seq), NOW
        if self.cancels:
            yield commands.ClaimOffer(one.slot_id, one.seq, by_staff=True), NOW
            yield commands.TakeOfferBack(one.slot_id, one.seq), NOW

    def _join(self, person: Entry) -> Command:
        address = f"{person.id}@example.org"
        return commands.JoinList(
            person.id, person.person_id, person.id, address, person.wish, Lane.STAFF
        )

    def decide(self, command: Command, now: datetime) -> Decision:
        rule = DESK_RULES[type(command)]
        return rule.decide(rule.load(cast(Reads, _Reads(self)), command), command, now)

    # --- what is there ----------------------------------------------------------------------

    def slot(self, slot_id: str) -> Slot | None:
        return next((one for one in self.slots if one.id == slot_id), None)

    def entry(self, entry_id: str) -> Entry | None:
        return next((one for one in self.entries if one.id == entry_id), None)

    def offers_of(self, slot_id: str) -> list[Offer]:
        return [one for one in self.offers if one.slot_id == slot_id]

    def candidates(self, slot: Slot) -> list[Entry]:
        had = {one.entry_id for one in self.offers_of(slot.id)} | set(slot.not_to)
        fitting = [
            one
            for one in self.entries
            if one.status is EntryStatus.WAITING and one.id not in had and not failure(one, slot)
        ]
        return in_order(fitting, slot.rules.order)

    # --- what is wrong ----------------------------------------------------------------------

    def problems(self) -> list[str]:
        timers = dict(self.timers)
        return [
            *overlapping(self.slots),
            *(
                problem
                for slot in self.slots
                for problem in (
                    *broken_invariants(slot, self.offers_of(slot.id), timers),
                    *unbooked_entries(slot, self.entry(slot.booked_by), NOW),
                )
            ),
        ]

    def skipped_for(self, after: World) -> list[str]:
        """Returns the people skipped by an offer that `after` has and this world has not."""
        return [
            problem
            for slot in after.slots
            if len(after.offers_of(slot.id)) > len(self.offers_of(slot.id))
            for problem in skipped(slot, after.offers_of(slot.id), self.entries)
        ]

    def unsuited_in(self, after: World) -> list[str]:
        """Returns people who got an offer in `after` and should not have."""
        return [
            one.entry_id
            for one in after.offers[len(self.offers) :]
            if (slot := self.slot(one.slot_id)) and one.entry_id not in self._fitting(slot)
        ]

    def _fitting(self, slot: Slot) -> list[EntryId]:
        return [one.id for one in self.candidates(slot)]

    def booked_twice(self) -> list[str]:
        claimed = [one.entry_id for one in self.offers if one.state is OfferState.CLAIMED]
        return [each for each in claimed if claimed.count(each) > 1]

    def left_over(self) -> list[str]:
        """Returns idle slots that suit somebody."""
        return [
            slot.id
            for slot in self.slots
            if slot.status is SlotStatus.OPEN and not slot.offer_seq and self.candidates(slot)
        ]

    def key(self) -> tuple[object, ...]:
        """Equal for states that differ only in when and how things ended."""
        slots = [
            (one.id, one.status, one.live, one.nobody_fits, one.not_to, one.booked_by)
            for one in self.slots
        ]
        offers = [
            (one.slot_id, one.entry_id, _kind(one), one.refusals if one.claim_by is None else 0)
            for one in self.offers
        ]
        entries = [(one.status, one.party) for one in self.entries]
        return (tuple(slots), frozenset(offers), tuple(entries))

    def after(self, decision: Accepted) -> World | None:
        """Returns the next state; None if a condition does not hold."""
        world: World | None = self
        for change in decision.changes:
            if world is None:
                return None
            world = _applied(world, change)
        if world is None:
            return None
        timers = dict(world.timers)
        for timer in decision.timers:
            timers.pop(timer.name, None)
            if isinstance(timer, SetTimer):
                timers[timer.name] = timer.due_at
        return replace(world, timers=frozenset(timers.items()))


def _kind(offer: Offer) -> str:
    if offer.state in OPEN_STATES or offer.state is OfferState.CLAIMED:
        return offer.state.value
    return "ended"


class _Reads:
    """Implements the reads that these commands use."""

    def __init__(self, world: World) -> None:
        self._world = world

    def desk(self, _code: str) -> Any:
        return self

    def rules(self) -> Rules:
        return SMALL_RULES

    def catalogue(self) -> Catalogue:
        return Catalogue()

    def slot(self, slot_id: str) -> Slot | None:
        return self._world.slot(slot_id)

    def slot_by_origin(self, origin: str) -> Slot | None:
        return next((one for one in self._world.slots if one.origin == origin), None)

    def offers(self, slot_id: str) -> Sequence[Offer]:
        return self._world.offers_of(slot_id)

    def offer(self, slot_id: str, seq: int) -> Offer | None:
        return next((one for one in self.offers(slot_id) if one.seq == seq), None)

    def entry(self, entry_id: str) -> Entry | None:
        return self._world.entry(entry_id)

    def person_by_email(self, key: str) -> Person | None:
        name = key.partition("@")[0]
        return Person(PersonId(f"p-{name}"), name, key)

    def entries_of(self, person_id: str) -> Sequence[Entry]:
        return [one for one in self._world.entries if one.person_id == person_id]

    def slots_between(self, since: datetime, until: datetime) -> Sequence[Slot]:
        return [one for one in self._world.slots if since <= one.opening.starts_at < until]

    def bookings(self, entry_id: str) -> Sequence[Slot]:
        booked = (one for one in self._world.slots if one.status is SlotStatus.BOOKED)
        return [one for one in booked if one.booked_by == entry_id]

    def candidates(self, slot: Slot, limit: int) -> Sequence[Entry]:
        return self._world.candidates(slot)[:limit]


def _applied(world: World, change: Change) -> World | None:
    match change:
        case c.AddSlot(slot, instead_of):
            used = any(one.id == slot.id or one.origin == slot.origin for one in world.slots)
            taken = _taken(world, slot, instead_of)
            return None if used or taken else replace(world, slots=(*world.slots, slot))
        case c.EndBooking(slot_id, entry_id, status, at):
            booked = world.slot(slot_id)
            if booked is None or booked.status is not SlotStatus.BOOKED:
                return None
            if booked.booked_by != entry_id:
                return None
            ended = replace(booked, status=status, closed_at=at)
            others = tuple(ended if one.id == slot_id else one for one in world.slots)
            return replace(world, slots=others)
        case c.AddOffer(offer):
            theirs = world.offers_of(offer.slot_id)
            if any(one.seq == offer.seq or one.entry_id == offer.entry_id for one in theirs):
                return None
            return replace(world, offers=(*world.offers, offer))
        case c.MoveOffer():
            return _offer_moved(world, change)
        case c.WriteEntry(entry):
            if not _is_version(world, entry.id, entry.version - 1):
                return None
            rest = tuple(entry if one.id == entry.id else one for one in world.entries)
            return replace(world, entries=rest)
        case c.EntryAsRead(entry_id, version):
            return world if _is_version(world, entry_id, version) else None
        case c.SlotChange():
            before = world.slot(change.slot_id)
            after = None if before is None else _slot_after(before, change)
            if after is None:
                return None
            slots = tuple(after if one.id == after.id else one for one in world.slots)
            return replace(world, slots=slots)
        case _:
            raise AssertionError(f"not a change of this world: {change}")


def _taken(world: World, slot: Slot, instead_of: str) -> bool:
    return any(
        one.takes_time
        and one.id not in (*slot.beside, instead_of)
        and one.opening.staff == slot.opening.staff
        and one.opening.starts_at < slot.opening.ends_at
        and slot.opening.starts_at < one.opening.ends_at
        for one in world.slots
    )


def _is_version(world: World, entry_id: EntryId, version: int) -> bool:
    found = world.entry(entry_id)
    return found is not None and found.version == version


def _offer_moved(world: World, change: c.MoveOffer) -> World | None:
    moved = []
    held = False
    for one in world.offers:
        if (one.slot_id, one.seq) == (change.slot_id, change.seq) and one.state is change.before:
            held = True
            again = change.after is OfferState.PENDING
            live = change.after is OfferState.LIVE
            moved.append(
                replace(
                    one,
                    state=change.after,
                    refusals=one.refusals + change.refused,
                    claim_by=None if again else change.claim_by if live else one.claim_by,
                    ended_at=None if change.after in OPEN_STATES else change.at,
                )
            )
        else:
            moved.append(one)
    return replace(world, offers=tuple(moved)) if held else None


def _slot_after(s: Slot, change: c.SlotChange) -> Slot | None:
    if s.status is not SlotStatus.OPEN:
        return None
    current = (s.offer_seq, s.live)
    match change:
        case c.HoldSlot(_, seq):
            fits = s.offer_seq == 0 and s.offers == seq - 1
            return replace(s, offer_seq=seq, offers=seq) if fits else None
        case c.ArmSlot(_, seq):
            return replace(s, live=True) if current == (seq, False) else None
        case c.DisarmSlot(_, seq):
            return replace(s, live=False) if current == (seq, True) else None
        case c.BookSlot(_, seq, entry_id, at, live):
            booked = replace(s, status=SlotStatus.BOOKED, booked_by=entry_id, closed_at=at)
            return replace(booked, offer_seq=0, live=False) if current == (seq, live) else None
        case c.FreeOfOffer(_, seq, live):
            return replace(s, offer_seq=0, live=False) if current == (seq, live) else None
        case c.MarkNobodyFits():
            fits = s.offer_seq == 0 and not s.nobody_fits
            return replace(s, nobody_fits=True) if fits else None
        case c.SlotAsRead(_, seq, live):
            return s if current == (seq, live) else None
        case c.HandBackSlot(_, seq, live, at):
            back = replace(s, status=SlotStatus.HANDED_BACK, closed_at=at)
            return replace(back, offer_seq=0, live=False) if current == (seq, live) else None
        case _:
            raise AssertionError(f"no such change: {change}")


def small_world(people: int, slots: int, **kind: bool) -> World:
    line = tuple(entry(f"e{number}", joined=number) for number in range(people))
    return World(line, slots, **kind)  # type: ignore[arg-type]
