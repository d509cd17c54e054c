"""The RSVP desk's reads, for decisions and for display."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from frontdesk.core.members import STAND_IN_EMAIL
from frontdesk.core.people import PersonId
from frontdesk.desks.rsvp.model import Guest, Offer
from frontdesk.desks.rsvp.reads import RsvpSettings
from frontdesk.engine.ports import Recorded
from frontdesk.store.rows import seconds
from frontdesk.store.sqlite import jobs as job_rows
from frontdesk.store.sqlite.desk_reads import SqliteDeskReads
from frontdesk.store.sqlite.rsvp import events as event_rows
from frontdesk.store.sqlite.rsvp import guests
from frontdesk.store.sqlite.rsvp.guests import GUEST, GUEST_COLUMNS, OFFER
from frontdesk.store.sqlite.tables import delegate


class SqliteRsvpReads(SqliteDeskReads, RsvpSettings):
    code = "ev"

    # To decide

    event = delegate(event_rows.event)
    event_by_slug = delegate(event_rows.event_by_slug)

    def guest(self, guest_id: str) -> Guest | None:
        return self._guest("WHERE g.guest_id = :guest", {"guest": guest_id})

    def guest_of(self, event_id: str, person_id: str) -> Guest | None:
        return self._guest(
            "WHERE g.person_id = :person AND g.event_id = :event",
            {"person": person_id, "event": event_id},
        )

    def places_of(self, person_id: str) -> Sequence[Guest]:
        rows = self._db().execute(
            f"SELECT {GUEST_COLUMNS} FROM ev_guest AS g WHERE person_id = ? ORDER BY guest_id",
            (person_id,),
        )
        return [GUEST.read(row) for row in rows]

    def next_in_line(self, event_id: str, round_: int, limit: int) -> Sequence[Guest]:
        found = self._guests(
            "WHERE g.event_id = :event AND g.guest_id IN (SELECT guest_id"
            " FROM ev_guest INDEXED BY ev_guest_in_line"
            " WHERE event_id = :event AND state = 'waiting' AND seen < :round"
            " ORDER BY lapsed, ticket LIMIT :limit)",
            {"event": event_id, "round": round_, "limit": limit},
        )
        return sorted(found, key=lambda guest: (guest.lapsed, guest.ticket))

    def next_that_fits(self, event_id: str, round_: int, seats: int) -> Guest | None:
        return self._guest(
            "WHERE g.event_id = :event AND g.guest_id = (SELECT guest_id"
            " FROM ev_guest INDEXED BY ev_guest_in_line"
            " WHERE event_id = :event AND state = 'waiting' AND seen < :round AND party <= :seats"
            " ORDER BY lapsed, ticket LIMIT 1)",
            {"event": event_id, "round": round_, "seats": seats},
        )

    def last_pending_offer(self, event_id: str) -> Guest | None:
        return self._guest(
            "INDEXED BY ev_guest_with_offer"
            " WHERE g.event_id = :event AND g.state = 'offered' AND g.live = 0"
            " ORDER BY g.lapsed DESC, g.ticket DESC LIMIT 1",
            {"event": event_id},
        )

    def lapsed_waiting(self, event_id: str) -> int:
        return self._number(
            "SELECT count(*) FROM ev_guest INDEXED BY ev_guest_in_line"
            " WHERE event_id = ? AND state = 'waiting' AND lapsed = 1",
            event_id,
        )

    def line_ends(self, event_id: str) -> tuple[int, int]:
        line = (
            "FROM ev_guest INDEXED BY ev_guest_by_ticket"
            " WHERE event_id = ? AND state IN ('waiting', 'offered')"
        )
        lowest = self._number(f"SELECT coalesce(min(ticket), 0) {line}", event_id)
        return lowest, self._number(f"SELECT coalesce(max(ticket), 0) {line}", event_id)

    def offer(self, guest_id: str, seq: int) -> Offer | None:
        row = (
            self._db()
            .execute(
                f"SELECT {OFFER.columns} FROM ev_offer WHERE guest_id = ? AND seq = ?",
                (guest_id, seq),
            )
            .fetchone()
        )
        return OFFER.read_or_none(row)

    def guests_after(self, event_id: str, cursor: str, limit: int) -> Sequence[Guest]:
        return self._guests(
            "WHERE g.event_id = :event AND g.guest_id > :cursor ORDER BY g.guest_id LIMIT :limit",
            {"event": event_id, "cursor": cursor, "limit": limit},
        )

    job = delegate(job_rows.job)
    import_row = delegate(event_rows.import_row)

    # To show

    events = delegate(event_rows.events)

    def position(self, guest: Guest) -> int:
        return 1 + self._number(
            "SELECT count(*) FROM ev_guest INDEXED BY ev_guest_in_line"
            " WHERE event_id = ? AND state = 'waiting' AND (lapsed, ticket) < (?, ?)",
            guest.event_id,
            int(guest.lapsed),
            guest.ticket,
        )

    guest_rows = delegate(guests.rows)
    guest_count = delegate(guests.count)
    counts = delegate(guests.counts)

    def arrived(self, event_id: str) -> int:
        people: int
        (people,) = (
            self._db()
            .execute(
                "SELECT coalesce(sum(arrived), 0) FROM ev_guest"
                " WHERE event_id = ? AND state = 'confirmed'",
                (event_id,),
            )
            .fetchone()
        )
        return people

    def offers(self, event_id: str, *, open_only: bool = False) -> Sequence[Offer]:
        rows = self._db().execute(
            f"SELECT {OFFER.columns} FROM ev_offer WHERE event_id = ?"
            " AND (NOT ? OR state IN ('pending', 'live')) ORDER BY made_at, guest_id, seq",
            (event_id, open_only),
        )
        return [OFFER.read(row) for row in rows]

    def facts_between(
        self, event_id: str, kind: str, since: datetime, until: datetime
    ) -> Sequence[Recorded]:
        """From `since` up to, not including, `until`."""
        return self._facts(
            "WHERE subject = ? AND kind = ? AND at >= ? AND at < ? ORDER BY seq",
            event_id,
            kind,
            seconds(since),
            seconds(until),
        )

    def hosts(self, event_id: str) -> Sequence[PersonId]:
        rows = self._db().execute(
            "SELECT DISTINCT person_id FROM fd_member JOIN fd_person USING (person_id)"
            " WHERE removed_at IS NULL AND email <> ?"
            " AND (role = 'owner' OR (role = 'host' AND event_id = ?)) ORDER BY person_id",
            (STAND_IN_EMAIL, event_id),
        )
        return [person_id for (person_id,) in rows]

    import_rows = delegate(event_rows.import_rows)
    jobs = delegate(job_rows.jobs_of)

    def _guest(self, where: str, values: dict[str, str | int]) -> Guest | None:
        row = (
            self._db().execute(f"SELECT {GUEST_COLUMNS} FROM ev_guest g {where}", values).fetchone()
        )
        return GUEST.read_or_none(row)

    def _guests(self, where: str, values: dict[str, str | int]) -> list[Guest]:
        rows = self._db().execute(f"SELECT {GUEST_COLUMNS} FROM ev_guest g {where}", values)
        return [GUEST.read(row) for row in rows]

    def _number(self, sql: str, *values: str | int) -> int:
        number: int = self._db().execute(sql, values).fetchone()[0]
        return number
