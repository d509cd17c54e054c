"""The whole product in virtual time on a real data file, with verbs for what people do."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path
from types import TracebackType
from typing import Final, Self

from frontdesk.core.contacts import email_key
from frontdesk.core.decision import Command, Refused
from frontdesk.core.jobs import JobId
from frontdesk.core.messages import Channel, Message, SendLater, SendRefused
from frontdesk.core.people import PersonId
from frontdesk.desks.rsvp import commands
from frontdesk.desks.rsvp.model import Details, Event, EventId, Guest, GuestId, Lane, Settings
from frontdesk.desks.rsvp.reads import RsvpReads
from frontdesk.engine.clock import VirtualClock
from frontdesk.engine.ports import Outcome
from frontdesk.engine.works import advance
from frontdesk.settings import Settings as ServerSettings
from frontdesk.simulate.names import address
from frontdesk.wiring.one_machine import Frontdesk, put_together

HOST: Final = "member:host"


@dataclass
class SimulatedMail:
    """A mail server that can fail. `local`: it never does, and mail is delivered by being kept."""

    local: bool
    is_down: bool = False
    refuses: set[str] = field(default_factory=set)
    name: Final[str] = "simulation"

    def send(self, message: Message) -> None:
        if self.is_down:
            raise SendLater("the mail server does not answer")
        if message.to_email in self.refuses:
            raise SendRefused("550 no such mailbox", about_recipient=True)


class Stage(AbstractContextManager["Stage"]):
    """`ids` and `chance` make every run the same."""

    def __init__(
        self,
        settings: ServerSettings,
        start: datetime,
        *,
        channel: Channel | None = None,
        ids: Callable[[], str],
        chance: Callable[[], float] = lambda: 0.5,
    ) -> None:
        self.clock = VirtualClock(start)
        self._settings = settings
        self._channel = channel
        self._ids = ids
        self._chance = chance
        self.product = self._open()

    def _open(self) -> Frontdesk:
        return put_together(
            self._settings,
            clock=self.clock,
            channel=self._channel,
            ids=self._ids,
            chance=self._chance,
        )

    def __exit__(
        self,
        _kind: type[BaseException] | None,
        _error: BaseException | None,
        _trace: TracebackType | None,
    ) -> None:
        self.product.close()

    def __enter__(self) -> Self:
        return self

    def restart(self) -> None:
        """The process ends, whatever it was about to do, and another takes over."""
        self.product.close()
        self.product = self._open()
        self.product.works.start(self.clock.now())

    # --- time ---------------------------------------------------------------------------------

    def pass_until(self, at: datetime) -> None:
        advance(self.product.works, self.clock, at)

    def settle(self) -> None:
        self.product.works.settle(self.clock.now())

    # --- what people do -----------------------------------------------------------------------

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
        self, slug: str, details: Details, seats: int, settings: Settings | None = None
    ) -> None:
        event_id = EventId(self._ids())
        self.run(
            commands.CreateEvent(event_id, slug, details, settings or Settings(), seats), by=HOST
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
        """A guest does something; nothing if they are not on the list."""
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

    def run(self, command: Command, *, by: str) -> Outcome:
        """Committed; what follows from it waits for `settle` or `pass_until`."""
        return self.product.engine.run(command, by=by, now=self.clock.now())


def refused(outcome: Outcome | None) -> str:
    """Why something was not done, or nothing if it was."""
    match outcome:
        case None:
            return "not on the list"
        case Refused(reason):
            return reason.value.replace("_", " ")
        case _:
            return ""


def server_settings(folder: Path) -> ServerSettings:
    return ServerSettings(data_dir=folder, base_url="http://frontdesk.example")
