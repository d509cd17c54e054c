"""Everything that must always hold, looked at in the data as it is: in words, and read-only."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime, timedelta
from itertools import groupby
from operator import attrgetter
from sqlite3 import Connection
from typing import Final

from frontdesk import checkup_waitlist
from frontdesk.checkup_waitlist import every_entry, list_problems
from frontdesk.core.decision import Fact
from frontdesk.core.mail import MailReceived
from frontdesk.core.sends import Send
from frontdesk.core.unreadable import Unreadable
from frontdesk.core.words import count
from frontdesk.desks.house import notes as house_notes
from frontdesk.desks.rsvp import notes as rsvp_notes
from frontdesk.desks.rsvp.facts import EventCreated, EventEdited, GuestConfirmed
from frontdesk.desks.rsvp.invariants import broken, sent_in_quiet_hours, unfilled, versions
from frontdesk.desks.rsvp.model import Event, EventId, Guest
from frontdesk.desks.rsvp.react import MAY_CHANGE_WHO_IS_NEXT
from frontdesk.desks.rsvp.reads import RsvpReads
from frontdesk.desks.rsvp.replay import differences, replay
from frontdesk.desks.waitlist import notes as waitlist_notes
from frontdesk.desks.waitlist import react as waitlist_react
from frontdesk.desks.waitlist.reads import WaitlistReads
from frontdesk.engine.keys import NUMBER_FILE
from frontdesk.engine.ports import Recorded
from frontdesk.frozen import frozen
from frontdesk.store.sqlite.people import numbers_lost
from frontdesk.store.sqlite.sends import SEND_COLUMNS, read_send
from frontdesk.store.sqlite.view import View

#: What is due is normally done within a second.
LATE: Final = timedelta(minutes=5)
_MANY: Final = 1_000_000
_PAGE: Final = 5_000
_FIRST: Final = datetime.min.replace(tzinfo=UTC)
_LAST: Final = datetime.max.replace(tzinfo=UTC)


@frozen
class Checkup:
    """`problems` must not be; `notes` are worth knowing and pass by themselves."""

    problems: tuple[str, ...]
    notes: tuple[str, ...]
    events: int
    guests: int
    facts: int
    slots: int = 0
    entries: int = 0

    @property
    def is_well(self) -> bool:
        return not self.problems


def check_up(view: View, now: datetime, *, served: bool) -> Checkup:
    """`served`: a server works on it, so that nothing may be long overdue."""
    ev: RsvpReads = view.reads.desk("ev")
    names = timer_names(view.db)
    behind = list(_behind(view.db))
    problems: list[str] = [*_file(view.db), *_sends(view.db), *_offer_timers(view.db)]
    problems += _stopped_numbers(view.db)
    problems += night_problems(view.db, ev)
    events, guests = list(ev.events()), 0
    for event in events:
        listed = ev.guests_after(event.id, "", _MANY)
        guests += len(listed)
        problems += event_problems(ev, event, listed, names, now, settled=not behind)
    wl: WaitlistReads = view.reads.desk("wl")
    problems += list_problems(wl, timers(view.db), now)
    problems += checkup_waitlist.night_problems(wl, _sent(view.db, "wl"), timers(view.db))
    notes = list(_unfinished(view.db))
    late = [str(lag) for lag in behind if now - lag.since > LATE]
    notes += [str(lag) for lag in behind if now - lag.since <= LATE]
    (problems if served else notes).extend([*late, *_overdue(view.db, now)])
    problems += _dead_letters(view.db)
    facts: int = view.db.execute("SELECT count(*) FROM fd_fact").fetchone()[0]
    slots = len(wl.slots(_MANY))
    entries = sum(1 for _ in every_entry(wl))
    return Checkup(tuple(problems), tuple(notes), len(events), guests, facts, slots, entries)


def event_problems(
    ev: RsvpReads,
    event: Event,
    guests: Iterable[Guest],
    timers: frozenset[str],
    now: datetime,
    *,
    settled: bool = True,
) -> list[str]:
    """Sums, places and timers; the audit says the same as the rows; no seat is left in vain."""
    listed = list(guests)
    found = list(broken(event, listed, timers))
    if settled and now < event.details.starts_at and (left := unfilled(event, listed)):
        found.append(left)
    return [*found, *audit_problems(ev, event, listed)]


def audit_problems(ev: RsvpReads, event: Event, guests: Iterable[Guest]) -> list[str]:
    """Where the list says something else than what its facts add up to."""
    audit = list(_audit(ev, event))
    unreadable = [each for each in audit if isinstance(each.fact, Unreadable)]
    if unreadable:
        return [f"fact {each.seq} ({each.fact.kind}) cannot be read" for each in unreadable]
    return differences(replay(audit), [event], guests)


def _audit(ev: RsvpReads, event: Event) -> Iterator[Recorded]:
    after = 0
    while page := ev.facts(event.id, after=after, limit=_PAGE):
        yield from page
        after = page[-1].seq


def night_problems(db: Connection, ev: RsvpReads) -> list[str]:
    """What went out in quiet hours although nobody had just asked for it."""
    found: list[str] = []
    for event_id, sends in groupby(_sent(db, "ev"), key=attrgetter("subject")):
        history = versions(
            (recorded.at, recorded.fact)
            for kind in (EventCreated.kind, EventEdited.kind)
            for recorded in ev.facts_between(EventId(event_id), kind, _FIRST, _LAST)
        )
        event = ev.event(EventId(event_id))
        where = f"event {event.slug if event else event_id}"
        found += (f"{where}: {each}" for each in sent_in_quiet_hours(history, sends))
    return found


def _sent(db: Connection, desk: str) -> Iterator[Send]:
    """By what they are about."""
    rows = db.execute(
        f"SELECT {SEND_COLUMNS} FROM fd_send"
        " WHERE desk = ? AND state = 'sent' ORDER BY subject, sent_at, send_id",
        (desk,),
    )
    return map(read_send, rows)


def timers(db: Connection) -> dict[str, datetime]:
    rows = db.execute("SELECT name, due_at FROM fd_timer WHERE name LIKE 'wl/%'")
    return {name: datetime.fromtimestamp(due_at, UTC) for name, due_at in rows}


def timer_names(db: Connection) -> frozenset[str]:
    return frozenset(name for (name,) in db.execute("SELECT name FROM fd_timer"))


# --- the engine's own -----------------------------------------------------------------------


def _file(db: Connection) -> Iterator[str]:
    for (complaint,) in db.execute("PRAGMA integrity_check(5)"):
        if complaint != "ok":
            yield f"The data file is damaged: {complaint}."
    for table, *_ in db.execute("PRAGMA foreign_key_check"):
        yield f"A row in {table} points at a row that is gone."


def _sends(db: Connection) -> Iterator[str]:
    """Each message stands in the ledger as sent, and each that was sent is kept."""
    for (send_id,) in db.execute(
        "SELECT send_id FROM fd_message JOIN fd_send USING (send_id) WHERE state <> 'sent'"
    ):
        yield f"The message {send_id} went out, and the ledger does not say so."
    for (send_id,) in db.execute(
        "SELECT s.send_id FROM fd_send s LEFT JOIN fd_message m USING (send_id)"
        " WHERE s.state = 'sent' AND m.send_id IS NULL"
    ):
        yield f"The ledger says that {send_id} was sent, and no message is kept."
    for key, person_id in db.execute(
        "SELECT key, person_id FROM fd_send GROUP BY key, person_id HAVING count(*) > 1"
    ):
        yield f"The ledger has {key} for person {person_id} more than once."


def _stopped_numbers(db: Connection) -> Iterator[str]:
    if lost := numbers_lost(db):
        yield (
            f"{count(lost, 'number')} said STOP and would get texts again: the file {NUMBER_FILE}"
            " is not the one that was beside the data then. Put it back."
        )


def _offer_timers(db: Connection) -> Iterator[str]:
    for (guest_id,) in db.execute(
        "SELECT g.guest_id FROM ev_guest g"
        " JOIN fd_timer t ON t.name = 'ev/offer/' || g.guest_id || '/' || g.seq"
        " WHERE g.live AND t.due_at > g.claim_by"
    ):
        yield f"The timer of the live offer of guest {guest_id} comes after its deadline."


@frozen
class _Lag:
    follower: str
    facts: int
    since: datetime

    def __str__(self) -> str:
        return f"{self.follower} still has to act on {count(self.facts, 'fact')}."


_FOLLOWED: Final[Mapping[str, Iterable[type[Fact]]]] = {
    "ev.react": (*MAY_CHANGE_WHO_IS_NEXT, GuestConfirmed, MailReceived),
    "ev.tell": tuple(rsvp_notes.NOTES),
    "wl.react": tuple(waitlist_react.REACTIONS),
    "wl.tell": tuple(waitlist_notes.NOTES),
    "fd.tell": tuple(house_notes.NOTES),
}


def _behind(db: Connection) -> Iterator[_Lag]:
    for follower, facts in _FOLLOWED.items():
        kinds = json.dumps([fact.kind for fact in facts])
        facts_left, since = db.execute(
            "SELECT count(*), min(at) FROM fd_fact"
            " WHERE seq > coalesce((SELECT seq FROM fd_follower WHERE name = ?), 0)"
            " AND kind IN (SELECT value FROM json_each(?))",
            (follower, kinds),
        ).fetchone()
        if facts_left:
            yield _Lag(follower, facts_left, datetime.fromtimestamp(since, UTC))


def _overdue(db: Connection, now: datetime) -> Iterator[str]:
    at = int((now - LATE).timestamp())
    timers = db.execute("SELECT count(*) FROM fd_timer WHERE due_at <= ?", (at,)).fetchone()[0]
    if timers:
        yield f"Timers that were due more than five minutes ago: {timers}."
    sends = db.execute(
        "SELECT count(*) FROM fd_send WHERE state IN ('queued', 'held') AND due_at <= ?", (at,)
    ).fetchone()[0]
    if sends:
        yield f"Messages that were due more than five minutes ago: {sends}."


def _unfinished(db: Connection) -> Iterator[str]:
    sending = db.execute("SELECT count(*) FROM fd_send WHERE state = 'sending'").fetchone()[0]
    if sending:
        yield f"Messages that are being sent: {sending}."
    jobs = db.execute("SELECT count(*) FROM fd_job WHERE NOT finished").fetchone()[0]
    if jobs:
        yield f"Imports and other work that is not finished: {jobs}."


def _dead_letters(db: Connection) -> Iterator[str]:
    for id_, what, why in db.execute(
        "SELECT id, what, why FROM fd_dead_letter WHERE replayed_at IS NULL ORDER BY id LIMIT 20"
    ):
        yield f"Dead letter {id_}: a {what} could not be processed: {why}"
