"""Answers queries about a guest list from the rows, by fixed rules."""

import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, time, timedelta
from typing import Final

from frontdesk.core.localtime import same_wall_time, spoken, to_wall, zone
from frontdesk.core.words import count, join_names
from frontdesk.desks.rsvp import words
from frontdesk.desks.rsvp.facts import (
    GuestCancelled,
    GuestConfirmed,
    GuestInvited,
    GuestJoinedLine,
)
from frontdesk.desks.rsvp.model import Event, GuestId, State, as_signed_up, open_until
from frontdesk.desks.rsvp.queries import DaySpan, GuestQuery
from frontdesk.desks.rsvp.reads import GuestRow, RsvpReads
from frontdesk.engine.ports import Recorded
from frontdesk.values import Frozen, field

_MOST_NAMES: Final = 20
_MOST_ROWS: Final = 100


class Answer(Frozen):
    """An answer. `topic` is empty if the question was not understood; `names` are the people in the
    answer."""

    topic: str
    text: str
    figures: Mapping[str, int] = field(default_factory=dict)
    names: tuple[str, ...] = ()
    note: str = ""
    """A remark to the host about how the question was answered."""


class QueryContext(Frozen):
    """A query together with the reads that answer it."""

    query: GuestQuery
    ev: RsvpReads
    event: Event
    now: datetime

    def rows(self, *states: State, search: str = "", order: str = "name") -> Sequence[GuestRow]:
        chosen = frozenset(states) or None
        return self.ev.guest_rows(
            self.event.id, states=chosen, search=search, order=order, limit=_MOST_ROWS
        )

    def tally(self, state: State) -> tuple[int, int]:
        return self.ev.counts(self.event.id).get(state, (0, 0))


# --- seats and people -------------------------------------------------------------------------


def free(asked: QueryContext) -> Answer:
    seats = asked.event.seats
    left = max(seats.free, 0)
    is_ = "is" if left == 1 else "are"
    text, figures = f"{count(left, 'seat')} of {seats.cap} {is_} free.", {"free": left}
    if seats.offered:
        text += f" {count(seats.offered, 'seat')} on offer."
        figures["offered"] = seats.offered
    return Answer("", text, {**figures, "cap": seats.cap})


def cap(asked: QueryContext) -> Answer:
    seats = asked.event.seats
    text = f"There are {count(seats.cap, 'seat')} in all; {seats.taken} are taken."
    return Answer("", text, {"cap": seats.cap, "taken": seats.taken})


def coming(asked: QueryContext) -> Answer:
    guests, seats = asked.tally(State.CONFIRMED)
    text = f"{count(seats, 'person', 'people')} of {asked.event.seats.cap}"
    is_ = "is" if seats == 1 else "are"
    figures = {"people": seats, "cap": asked.event.seats.cap, "guests": guests}
    return Answer("", f"{text} {is_} coming, on {count(guests, 'sign-up')}.", figures)


def who_is_coming(asked: QueryContext) -> Answer:
    rows, (guests, _) = asked.rows(State.CONFIRMED), asked.tally(State.CONFIRMED)
    return _list(rows, guests, "is coming", "are coming", "Nobody is coming yet.")


def waiting(asked: QueryContext) -> Answer:
    guests, _ = asked.tally(State.WAITING)
    if asked.query.names:
        rows = asked.rows(State.WAITING, order="line")
        return _list(rows, guests, "is in line", "are in line", "Nobody is in line.")
    is_ = "is" if guests == 1 else "are"
    return Answer("", f"{count(guests, 'guest')} {is_} in line.", {"waiting": guests})


def next_in_line(asked: QueryContext) -> Answer:
    rows = asked.rows(State.WAITING, order="line")
    if not rows:
        return Answer("", "Nobody is in line.")
    first = rows[0]
    party = "" if first.guest.party == 1 else f", with a party of {first.guest.party}"
    return Answer("", f"{_name(first)} is next in line{party}.", names=(_name(first),))


def offers(asked: QueryContext) -> Answer:
    rows = asked.rows(State.OFFERED, order="line")
    if not rows:
        return Answer("", "There are no open offers.")
    lines = [_offer_line(asked, row) for row in rows]
    return Answer("", " ".join(lines), names=tuple(_name(row) for row in rows))


def _offer_line(asked: QueryContext, row: GuestRow) -> str:
    claim_by = open_until(asked.event, row.guest)
    if claim_by is None:
        return f"{_name(row)} has an offer that is still to go out."
    return f"{_name(row)} has an offer {words.until(asked.event, claim_by, asked.now)}."


def unanswered(asked: QueryContext) -> Answer:
    guests, _ = asked.tally(State.PENDING)
    rows = asked.rows(State.PENDING)
    return _list(
        rows,
        guests,
        "has not answered the invitation",
        "have not answered the invitation",
        "Everybody who was invited has answered.",
    )


def parties(asked: QueryContext) -> Answer:
    rows = [row for row in _every(asked, State.CONFIRMED) if row.guest.party > 1]
    more = sum(row.guest.party - 1 for row in rows)
    if not rows:
        return Answer("", "Nobody brings anyone.")
    brings = "guest brings" if len(rows) == 1 else "guests bring"
    text = f"{len(rows)} {brings} {count(more, 'other person', 'other people')}."
    return Answer("", text, {"guests": len(rows), "others": more})


def arrived(asked: QueryContext) -> Answer:
    rows = _every(asked, State.CONFIRMED)
    here, expected = sum(row.guest.arrived for row in rows), sum(row.guest.party for row in rows)
    have = "has" if here == 1 else "have"
    text = f"{count(here, 'person', 'people')} of {expected} {have} arrived."
    return Answer("", text, {"arrived": here, "expected": expected})


def not_here(asked: QueryContext) -> Answer:
    rows = [row for row in _every(asked, State.CONFIRMED) if row.guest.arrived == 0]
    return _list(rows, len(rows), "has not arrived", "have not arrived", "Everybody has arrived.")


def _every(asked: QueryContext, state: State) -> list[GuestRow]:
    """Returns all rows of a state, page by page, so that totals are complete."""
    found: list[GuestRow] = []
    while page := asked.ev.guest_rows(
        asked.event.id,
        states=frozenset({state}),
        order="name",
        limit=_MOST_ROWS,
        offset=len(found),
    ):
        found += page
    return found


# --- history ----------------------------------------------------------------------------------


def cancelled(asked: QueryContext) -> Answer:
    span = _span(asked)
    if span is None:
        guests, _ = asked.tally(State.CANCELLED)
        rows = asked.rows(State.CANCELLED)
        return _list(rows, guests, "has cancelled", "have cancelled", "Nobody has cancelled.")
    said, since, until = span
    facts = asked.ev.facts_between(asked.event.id, GuestCancelled.kind, since, until)
    return _happened(asked, facts, "cancelled", said)


def signed_up(asked: QueryContext) -> Answer | None:
    span = _span(asked)
    if span is None:
        return None
    said, since, until = span
    kinds = (GuestConfirmed.kind, GuestJoinedLine.kind, GuestInvited.kind)
    facts = [
        recorded
        for kind in kinds
        for recorded in asked.ev.facts_between(asked.event.id, kind, since, until)
        if getattr(recorded.fact, "before", None) in (None, State.CANCELLED)
    ]
    return _happened(asked, facts, "signed up", said)


def _happened(asked: QueryContext, facts: Iterable[Recorded], verb: str, said: str) -> Answer:
    ids = dict.fromkeys(recorded.fact.about for recorded in facts)
    names = tuple(_name_of(asked.ev, guest_id) for guest_id in ids)
    if not names:
        return Answer("", f"Nobody {verb} {said}.")
    text = f"{count(len(names), 'guest')} {verb} {said}: {_named(names, len(names))}."
    return Answer("", text, {"guests": len(names)}, names)


def _span(asked: QueryContext) -> tuple[str, datetime, datetime] | None:
    """Returns the query's span as text and instants, in the event's time zone."""
    span = asked.query.span
    if span is None:
        return None
    tz = zone(asked.event.details.zone)
    today = to_wall(asked.now, tz).date()
    monday = today - timedelta(days=today.weekday())
    day, week = timedelta(days=1), timedelta(days=7)
    first, after = {
        DaySpan.YESTERDAY: (today - day, today),
        DaySpan.TODAY: (today, today + day),
        DaySpan.THIS_WEEK: (monday, monday + week),
        DaySpan.LAST_WEEK: (monday - week, monday),
    }[span]
    return span.value, same_wall_time(first, time(), tz), same_wall_time(after, time(), tz)


# --- one person, the event --------------------------------------------------------------------


def about_person(asked: QueryContext) -> Answer | None:
    """Tells the state of the named guest; None if the words are not a name."""
    name = re.sub(r"^(the|our|my|guest) ", "", asked.query.person).removesuffix("'s").strip()
    if not name or name.casefold() in _NOBODY:
        return None
    rows = asked.rows(search=name)
    if not rows:
        return Answer("", f"There is nobody called {name.title()} on the list.")
    lines = [f"{_name(row)} {_state_sentence(asked, row)}." for row in rows[:_MOST_NAMES]]
    return Answer("", " ".join(lines), names=tuple(_name(row) for row in rows))


def _state_sentence(asked: QueryContext, row: GuestRow) -> str:
    guest = row.guest
    match guest.state:
        case State.PENDING:
            return "is invited and has not answered"
        case State.CONFIRMED if guest.arrived:
            return "has arrived"
        case State.CONFIRMED if guest.party > 1:
            return f"is coming, with a party of {guest.party}"
        case State.CONFIRMED:
            return "is coming"
        case State.WAITING:
            return f"is in line, at place {asked.ev.position(guest)}"
        case State.OFFERED:
            return _offer_line(asked, row).removeprefix(f"{_name(row)} ").removesuffix(".")
        case State.CANCELLED:
            return "has cancelled"


def since_when(asked: QueryContext) -> Answer | None:
    name = asked.query.person.strip()
    if not name:
        return None
    rows = asked.rows(search=name)
    if not rows:
        return Answer("", f"There is nobody called {name.title()} on the list.")
    tz = zone(asked.event.details.zone)
    lines = [
        f"{_name(row)} signed up on {spoken(row.guest.joined_at, tz)}."
        for row in rows[:_MOST_NAMES]
        if row.guest.joined_at is not None
    ]
    text = " ".join(lines) or "That was not recorded."
    return Answer("", text, names=tuple(_name(row) for row in rows))


def when(asked: QueryContext) -> Answer:
    return Answer("", f"It is on {words.occasion(asked.event.details).when}.")


def where(asked: QueryContext) -> Answer:
    venue = asked.event.details.venue
    return Answer("", f"It is at {venue}." if venue else "No place has been set yet.")


def _list(rows: Sequence[GuestRow], total: int, one: str, more: str, none: str) -> Answer:
    names = tuple(_name(row) for row in rows)
    if not names:
        return Answer("", none)
    verb = one if total == 1 else more
    text = f"{count(total, 'guest')} {verb}: {_named(names, total)}."
    return Answer("", text, {"guests": total}, names)


def _named(names: Sequence[str], total: int) -> str:
    """Lists the first names, and how many more there are."""
    shown = list(names[:_MOST_NAMES])
    rest = total - len(shown)
    return join_names([*shown, f"{rest} more"] if rest > 0 else shown)


def _name(row: GuestRow) -> str:
    return row.person.name or row.person.email


def _name_of(ev: RsvpReads, guest_id: str) -> str:
    guest = ev.guest(GuestId(guest_id))
    person = None if guest is None else ev.person(guest.person_id)
    if guest is None or person is None or person.erased:
        return "somebody"
    return as_signed_up(guest, person).name


_NOBODY: Final = frozenset(
    {
        *("it", "there", "anyone", "anybody", "someone", "somebody", "everyone", "everybody"),
        *("event", "party", "all", "they", "people", "guests", "nobody", "that", "this"),
    }
)
