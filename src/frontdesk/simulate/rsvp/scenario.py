"""Defines a scenario, and a stage with a method for each action of guests and hosts."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Final

from frontdesk.core.contacts import email_key
from frontdesk.core.decision import Command
from frontdesk.core.jobs import JobId
from frontdesk.core.people import PersonId
from frontdesk.desks.rsvp import commands
from frontdesk.desks.rsvp.model import Details, Event, EventId, EventSettings, Guest, GuestId, Lane
from frontdesk.desks.rsvp.reads import RsvpReads
from frontdesk.engine.ports import Outcome
from frontdesk.simulate.names import address
from frontdesk.simulate.runtime import Simulation
from frontdesk.simulate.scenario import PersonAction, ScenarioAction, TimelineScenario
from frontdesk.values import replace


class SignsUp(PersonAction):
    party: int = 1


class CrowdSignsUp(ScenarioAction):
    """Strangers sign up at random moments within `over`."""

    people: int
    over: timedelta = timedelta()


class SomeCancel(ScenarioAction):
    """Confirmed guests, chosen at random, cancel."""

    guests: int


class Cancels(PersonAction):
    pass


class Claims(PersonAction):
    pass


class EverybodyClaims(ScenarioAction):
    """Everybody with a live offer claims it."""


class Declines(PersonAction):
    pass


class ComesWithFewer(PersonAction):
    party: int


class SaysYes(PersonAction):
    """Somebody accepts an invitation."""


class HostInvites(PersonAction):
    pass


class HostSetsSeats(ScenarioAction):
    seats: int


class HostMoves(ScenarioAction):
    """The host moves the event to another start; its length stays."""

    starts_at: datetime


class HostCallsOff(ScenarioAction):
    words: str = ""


class EventScenario(TimelineScenario):
    details: Details
    seats: int
    settings: EventSettings


HOST: Final = "member:host"


class EventStage(Simulation):
    """One event or several, by their slugs."""

    # --- actions ------------------------------------------------------------------------------

    @property
    def ev(self) -> RsvpReads:
        reads: RsvpReads = self.product.engine.reads().desk("ev")
        return reads

    def event(self, slug: str) -> Event:
        found = self.ev.event_by_slug(slug)
        assert found is not None, f"there is no event {slug}"
        return found

    def guest(self, slug: str, who: str) -> Guest | None:
        person = self.ev.person_by_email(email_key(address(who)))
        return None if person is None else self.ev.guest_of(self.event(slug).id, person.id)

    def create(
        self, slug: str, details: Details, seats: int, settings: EventSettings | None = None
    ) -> None:
        event_id = EventId(self._ids())
        self.run(
            commands.CreateEvent(event_id, slug, details, settings or EventSettings(), seats),
            by=HOST,
        )

    def sign_up(
        self, slug: str, who: str, party: int = 1, *, lane: Lane = Lane.FORM, invite: bool = False
    ) -> Outcome:
        guest_id = GuestId(self._ids())
        command = commands.SignUp(
            self.event(slug).id,
            guest_id,
            PersonId(self._ids()),
            who,
            address(who),
            party,
            lane,
            invite=invite,
        )
        return self.run(command, by=HOST if lane is Lane.HOST else f"guest:{guest_id}")

    def act(self, slug: str, who: str, make: Callable[[Guest], Command]) -> Outcome | None:
        """Runs a command as a guest; returns None if they are not on the list."""
        guest = self.guest(slug, who)
        return None if guest is None else self.run(make(guest), by=f"guest:{guest.id}")

    def cancel(self, slug: str, who: str) -> Outcome | None:
        return self.act(slug, who, lambda guest: commands.Cancel(guest.id))

    def claim(self, slug: str, who: str) -> Outcome | None:
        return self.act(slug, who, lambda guest: commands.ClaimOffer(guest.id, guest.seq))

    def move(self, slug: str, starts_at: datetime) -> Outcome:
        event = self.event(slug)
        length = event.details.ends_at - event.details.starts_at
        details = replace(event.details, starts_at=starts_at, ends_at=starts_at + length)
        return self.host(
            commands.EditEvent(
                event.id, event.version, slug, details, event.settings, JobId(self._ids())
            )
        )

    def host(self, command: Command) -> Outcome:
        return self.run(command, by=HOST)

    def new_job(self) -> JobId:
        return JobId(self._ids())
