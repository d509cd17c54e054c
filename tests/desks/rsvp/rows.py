"""The rows of one event in memory, with the reads that messages, questions and stories need."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any, cast

from frontdesk.core.decision import Fact
from frontdesk.core.ids import new_id
from frontdesk.core.links import Keys, LinkKey
from frontdesk.core.notes import Note
from frontdesk.core.people import Person, PersonId
from frontdesk.core.sends import Send, SendId, SendState
from frontdesk.core.wording import Wording
from frontdesk.desks.rsvp.model import (
    Details,
    Event,
    EventId,
    EventSettings,
    Guest,
    GuestId,
    Lane,
    Offer,
    OfferState,
    Seats,
    State,
)
from frontdesk.desks.rsvp.reads import GuestRow, RsvpReads
from frontdesk.engine.ports import Recorded
from frontdesk.features.messages.kinds import SenderProfile
from frontdesk.values import replace

#: Thursday, ten in the morning in Singapore.
NOW = datetime(2026, 11, 19, 2, 0, tzinfo=UTC)
HOUR = timedelta(hours=1)
DAY = timedelta(days=1)

KEYS = Keys(LinkKey(1, b"k" * 32))

SENDER = SenderProfile(
    pages_url="https://desk.example",
    links_url="https://desk.example",
    console_url="https://desk.example",
    business="The Long Table",
    from_email="hello@longtable.example",
    keys=lambda: KEYS,
)

#: Friday, six to nine in the evening in Singapore.
SUPPER = Details(
    name="Supper Club",
    starts_at=datetime(2026, 11, 20, 10, 0, tzinfo=UTC),
    ends_at=datetime(2026, 11, 20, 13, 0, tzinfo=UTC),
    zone="Asia/Singapore",
    venue="5 Keong Saik Road, Singapore",
    description="Four courses, one long table.",
)


def an_id(name: str) -> str:
    """Returns the same id for the same name."""
    return new_id(name.encode().ljust(16, b"\0")[:16])


EVENT_ID = EventId(an_id("supper"))
HOST_ID = PersonId(an_id("host"))


@dataclass
class Rows:
    """A read-only stand-in for a store with the rows of a test."""

    event_row: Event = field(
        default_factory=lambda: Event(
            EVENT_ID, "supper-club", SUPPER, EventSettings(), Seats(cap=4, free=4)
        )
    )
    guests: dict[GuestId, Guest] = field(default_factory=dict)
    people: dict[PersonId, Person] = field(default_factory=dict)
    offer_rows: list[Offer] = field(default_factory=list)
    audit: list[Recorded] = field(default_factory=list)
    wordings: dict[str, Wording] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.people[HOST_ID] = Person(HOST_ID, "Dora Host", "dora@example.org")

    # --- the rows of a test -----------------------------------------------------------------

    def add(self, name: str, state: State, **more: Any) -> Guest:
        """Adds a guest with this name and a matching address."""
        first = name.split()[0].lower()
        person = Person(PersonId(an_id(f"p-{first}")), name, f"{first}@example.org")
        row: dict[str, Any] = {
            "party": 1,
            "lane": Lane.FORM,
            "version": 1,
            "joined_at": NOW - DAY,
        } | more
        if state is State.WAITING and "ticket" not in row:
            row["ticket"] = len(self.guests) + 1
        guest = Guest(GuestId(an_id(f"g-{first}")), EVENT_ID, person.id, state, **row)
        self.people[person.id] = person
        self.guests[guest.id] = guest
        self._count()
        return guest

    def offer_to(self, name: str, *, claim_by: datetime, seq: int = 1, party: int = 1) -> Guest:
        guest = self.add(
            name, State.OFFERED, live=True, claim_by=claim_by, seq=seq, party=party, ticket=1
        )
        offer = Offer(EVENT_ID, guest.id, seq, party, OfferState.LIVE, NOW, NOW, claim_by=claim_by)
        self.offer_rows.append(offer)
        return guest

    def change(self, guest: Guest, **more: Any) -> Guest:
        self.guests[guest.id] = replace(guest, **more)
        self._count()
        return self.guests[guest.id]

    def edit(self, **more: Any) -> None:
        self.event_row = replace(self.event_row, **more)

    def record(self, fact: Fact, at: datetime = NOW, by: str = "timer") -> Recorded:
        recorded = Recorded(len(self.audit) + 1, at, by, fact)
        self.audit.append(recorded)
        return recorded

    def _count(self) -> None:
        seats = self.event_row.seats
        taken = sum(g.party for g in self.guests.values() if g.state is State.CONFIRMED)
        offered = sum(g.party for g in self.guests.values() if g.state is State.OFFERED)
        waiting = sum(1 for g in self.guests.values() if g.state is State.WAITING)
        free = seats.cap - taken - offered
        counted = replace(seats, free=free, taken=taken, offered=offered, waiting=waiting)
        self.event_row = replace(self.event_row, seats=counted)

    # --- the reads --------------------------------------------------------------------------

    @property
    def engine(self) -> Any:
        return self

    def desk(self, code: str) -> Any:
        assert code == "ev"
        return self

    @property
    def ev(self) -> RsvpReads:
        return cast(RsvpReads, self)

    def wording(self, mail_kind: str) -> Wording | None:
        return self.wordings.get(mail_kind)

    def person(self, person_id: PersonId) -> Person | None:
        return self.people.get(person_id)

    def event(self, event_id: EventId) -> Event | None:
        return self.event_row if event_id == self.event_row.id else None

    def guest(self, guest_id: GuestId) -> Guest | None:
        return self.guests.get(guest_id)

    def hosts(self, _event_id: EventId) -> Sequence[PersonId]:
        return (HOST_ID,)

    def position(self, guest: Guest) -> int:
        line = sorted(
            (g for g in self.guests.values() if g.state is State.WAITING),
            key=lambda g: (g.lapsed, g.ticket),
        )
        return [g.id for g in line].index(guest.id) + 1

    def counts(self, _event_id: EventId) -> dict[State, tuple[int, int]]:
        by_state: dict[State, tuple[int, int]] = {}
        for guest in self.guests.values():
            guests, seats = by_state.get(guest.state, (0, 0))
            by_state[guest.state] = guests + 1, seats + guest.party
        return by_state

    def guest_rows(
        self,
        _event_id: EventId,
        *,
        states: frozenset[State] | None = None,
        search: str = "",
        order: str = "name",
        limit: int = 100,
        offset: int = 0,
    ) -> Sequence[GuestRow]:
        rows = [
            GuestRow(guest, self.people[guest.person_id])
            for guest in self.guests.values()
            if states is None or guest.state in states
        ]
        found = [
            row
            for row in rows
            if search.casefold() in f"{row.person.name} {row.person.email}".casefold()
        ]
        if order == "line":
            found.sort(key=lambda row: (row.guest.lapsed, row.guest.ticket))
        else:
            found.sort(key=lambda row: row.person.name.casefold())
        return found[offset : offset + limit]

    def guest_count(
        self, event_id: EventId, *, states: frozenset[State] | None = None, search: str = ""
    ) -> int:
        return len(self.guest_rows(event_id, states=states, search=search, limit=10**6))

    def offers(self, _event_id: EventId, *, open_only: bool = False) -> Sequence[Offer]:
        still = (OfferState.PENDING, OfferState.LIVE)
        return [each for each in self.offer_rows if not open_only or each.state in still]

    def facts(
        self, _event_id: EventId, *, about: str = "", after: int = 0, limit: int = 500
    ) -> Sequence[Recorded]:
        found = [
            each
            for each in self.audit
            if each.seq > after and (not about or each.fact.about == about)
        ]
        return found[:limit]

    def facts_between(
        self, _event_id: EventId, kind: str, since: datetime, until: datetime
    ) -> Sequence[Recorded]:
        return [each for each in self.audit if each.fact.kind == kind and since <= each.at < until]


def a_send(note: Note, person_id: PersonId, at: datetime = NOW) -> Send:
    """Returns the row of a note in the ledger, as the engine would write it."""
    return Send(
        id=SendId(f"id-of-{note.kind}"),
        key=note.key,
        desk="ev",
        kind=note.kind,
        person_id=person_id,
        subject=note.subject,
        about=note.about,
        state=SendState.QUEUED,
        queued_at=at,
        due_at=at,
        quiet=note.quiet,
        tell_by=note.tell_by,
        params=note.params,
    )
