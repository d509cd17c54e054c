"""Drives the RSVP desk on a real store in virtual time, in the words of its tests."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from frontdesk.core.ids import new_id
from frontdesk.core.messages import Channel
from frontdesk.core.people import PersonId
from frontdesk.core.sends import SendState, SentMessage
from frontdesk.desks.rsvp.commands import CreateEvent, SignUp
from frontdesk.desks.rsvp.invariants import broken_invariants, unfilled_seat
from frontdesk.desks.rsvp.model import (
    Details,
    Event,
    EventId,
    EventSettings,
    Guest,
    GuestId,
    Lane,
    Offer,
    Seats,
    State,
)
from frontdesk.desks.rsvp.reads import RsvpReads
from frontdesk.desks.rsvp.replay import differences, replay
from frontdesk.engine.clock import VirtualClock
from frontdesk.engine.engine import Engine
from frontdesk.engine.ports import Committed, Outcome, Recorded
from frontdesk.engine.runtime import Runtime
from frontdesk.settings import Settings as ServerSettings
from frontdesk.values import replace
from frontdesk.wiring.one_machine import Frontdesk, build
from tests.support.desk import DrivenDesk

#: A Monday, nine in the morning in Singapore.
NINE = datetime(2026, 11, 16, 1, 0, tzinfo=UTC)
#: Friday of the next week at seven in the evening there.
STARTS = datetime(2026, 11, 27, 11, 0, tzinfo=UTC)
HOUR = timedelta(hours=1)
DETAILS = Details("Pottery workshop", STARTS, STARTS + 2 * HOUR, "Asia/Singapore", "12 Kiln Lane")


@dataclass
class RsvpDesk(DrivenDesk):
    """Drives the desk. `who` is a first name; their address is <who>@example.org."""

    product: Frontdesk
    clock: VirtualClock
    event_id: EventId
    ids: dict[str, GuestId]

    # Tests restart the product, so both are read from it on each use.
    @property
    def engine(self) -> Engine:  # type: ignore[override]
        return self.product.engine

    @property
    def runtime(self) -> Runtime:  # type: ignore[override]
        return self.product.runtime

    def given(
        self,
        *,
        cap: int,
        confirmed: Iterable[str] = (),
        line: Iterable[str] = (),
        details: Details = DETAILS,
        **settings: Any,
    ) -> RsvpDesk:
        """Creates an event, signs these people up and settles."""
        self.run(
            CreateEvent(
                self.event_id, "pottery", details, replace(EventSettings(), **settings), cap
            )
        )
        for who in (*confirmed, *line):
            self.sign_up(who)
        self.settle()
        return self

    def sign_up(self, who: str, party: int = 1, lane: Lane = Lane.FORM, **more: Any) -> Outcome:
        guest_id = GuestId(self.product.engine.new_id())
        person_id = PersonId(self.product.engine.new_id())
        command = SignUp(
            self.event_id,
            guest_id,
            person_id,
            who.title(),
            f"{who}@example.org",
            party,
            lane,
            **more,
        )
        outcome = self.run(command)
        if isinstance(outcome, Committed):
            self.ids.setdefault(who, guest_id)
        return outcome

    @property
    def reads(self) -> RsvpReads:
        reads: RsvpReads = self.product.engine.reads().desk("ev")
        return reads

    @property
    def event(self) -> Event:
        event = self.reads.event(self.event_id)
        assert event is not None
        return event

    @property
    def seats(self) -> Seats:
        return self.event.seats

    def id(self, who: str) -> GuestId:
        return self.ids[who]

    def guest(self, who: str) -> Guest:
        guest = self.reads.guest(self.ids[who])
        assert guest is not None
        return guest

    def state(self, who: str) -> State:
        return self.guest(who).state

    def states(self) -> dict[str, State]:
        return {who: self.state(who) for who in self.ids}

    def offers(self, who: str) -> list[Offer]:
        return [one for one in self.reads.offers(self.event_id) if one.guest_id == self.ids[who]]

    def mail_to(self, who: str) -> list[SentMessage]:
        """Returns the messages to them, the oldest first."""
        db = self._db()
        rows = db.execute(
            "SELECT send_id FROM fd_message WHERE to_email = ? ORDER BY sent_at, rowid",
            (f"{who}@example.org",),
        )
        engine = self.product.engine.reads().engine
        return [kept for (send_id,) in rows if (kept := engine.sent_message(send_id)) is not None]

    def dropped(self, kind: str) -> list[str]:
        """Returns why messages of this kind were not sent."""
        sends = self.product.store.sends_in(SendState.DROPPED, 1_000_000)
        return [one.why for one in sends if one.kind == kind]

    def facts(self, kind: str | None = None) -> list[Recorded]:
        found = self.reads.facts(self.event_id, limit=1_000_000)
        return [one for one in found if kind is None or one.fact.kind == kind]

    def timers(self) -> dict[str, datetime]:
        rows = self._db().execute("SELECT name, due_at FROM fd_timer ORDER BY name")
        return {name: datetime.fromtimestamp(due_at, UTC) for name, due_at in rows}

    def problems(self) -> list[str]:
        """Returns every broken invariant; one of them is that a replay of the audit gives the same
        rows."""
        guests = list(self.reads.guests_after(self.event_id, "", 1_000_000))
        found = list(broken_invariants(self.event, guests, frozenset(self.timers())))
        if self.clock.now() < self.event.details.starts_at and (
            left := unfilled_seat(self.event, guests)
        ):
            found.append(left)
        return found + differences(replay(self.facts()), [self.event], guests)

    def dead_letters(self) -> list[str]:
        return [why for (why,) in self._db().execute("SELECT why FROM fd_dead_letter")]

    def _db(self) -> Any:
        import sqlite3

        return sqlite3.connect(self.product.settings.data_dir / "frontdesk.db")


def rsvp_desk(folder: Path, *, channel: Channel | None = None, **settings: Any) -> RsvpDesk:
    clock = VirtualClock(NINE)
    product = build(ServerSettings(data_dir=folder, **settings), clock=clock, channel=channel)
    return RsvpDesk(product, clock, EventId(new_id(os.urandom(16))), {})
