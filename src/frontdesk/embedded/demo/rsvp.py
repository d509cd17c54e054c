"""Four events around today, with their history so far."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import time, timedelta

from frontdesk.desks.rsvp.commands import CheckIn, ConfirmInvitation
from frontdesk.desks.rsvp.model import Details, EventSettings, Lane
from frontdesk.embedded.demo.studio import DAYS_OF_PAST, DemoScene, Studio
from frontdesk.simulate.rsvp.scenario import EventStage
from frontdesk.values import replace

WORKSHOP, SUPPER, OPEN_STUDIO, LAST_SEAT = "workshop", "supper", "open-studio", "last-seat"


def scenes(studio: Studio) -> Iterator[DemoScene]:
    return Events(studio).scenes()


class Events:
    def __init__(self, studio: Studio) -> None:
        self._studio = studio

    def scenes(self) -> Iterator[DemoScene]:
        yield from self.workshop()
        yield from self.supper()
        yield from self.open_studio()
        yield from self.last_seat()

    def workshop(self) -> Iterator[DemoScene]:
        """Next week, nearly full; three invitations are out, and one was answered."""
        details = self._details("Pottery workshop", 7, time(18, 30), 150, "12 Kiln Lane")
        details = replace(
            details,
            description="Throw your first bowl. Clay, apron and tea are there; bring nothing.",
        )
        yield self._create(WORKSHOP, details, 40, replace(EventSettings(), party_limit=3))
        for at, who in zip(
            self._studio.moments(30, days_ago=8.5), self._studio.people(30), strict=True
        ):
            yield DemoScene(
                at, self._signs_up(WORKSHOP, who, self._studio.chance.choice((1, 1, 1, 1, 2)))
            )
        gone, back = self._studio.people(2)
        yield DemoScene(self._studio.ago(hours=80), self._signs_up(WORKSHOP, gone))
        yield DemoScene(self._studio.ago(hours=30), lambda stage: stage.cancel(WORKSHOP, gone))
        for who in (*self._studio.people(3), back):
            yield DemoScene(
                self._studio.ago(hours=50),
                lambda stage, who=who: stage.sign_up(  # type: ignore[misc]
                    WORKSHOP, who, lane=Lane.HOST, invite=True
                ),
            )
        yield DemoScene(
            self._studio.ago(hours=26),
            lambda stage: stage.act(WORKSHOP, back, lambda guest: ConfirmInvitation(guest.id)),
        )

    def supper(self) -> Iterator[DemoScene]:
        """Sold out, with a line; two seats came free, and one offer is open right now."""
        details = self._details("Supper by candlelight", 3, time(19), 180, "The back room")
        yield self._create(SUPPER, details, 12)
        seated, line = self._studio.people(12), self._studio.people(5)
        for at, who in zip(self._studio.moments(12, days_ago=8, until_days=5), seated, strict=True):
            yield DemoScene(at, self._signs_up(SUPPER, who))
        for hours, who in zip((90, 72, 51, 29, 12), line, strict=True):
            yield DemoScene(self._studio.ago(hours=hours), self._signs_up(SUPPER, who))
        yield DemoScene(self._studio.ago(hours=25), lambda stage: stage.cancel(SUPPER, seated[4]))
        yield DemoScene(self._studio.ago(hours=24.6), lambda stage: stage.claim(SUPPER, line[0]))
        yield DemoScene(self._studio.ago(hours=0.7), lambda stage: stage.cancel(SUPPER, seated[8]))

    def open_studio(self) -> Iterator[DemoScene]:
        """Three days ago; most came, and a thank-you note waits to be sent."""
        details = self._details("Open studio", -3, time(11), 240, "12 Kiln Lane")
        yield self._create(OPEN_STUDIO, details, 20)
        guests = self._studio.people(18)
        for at, who in zip(self._studio.moments(18, days_ago=8, until_days=4), guests, strict=True):
            yield DemoScene(at, self._signs_up(OPEN_STUDIO, who))
        yield DemoScene(
            self._studio.ago(days=4), lambda stage: stage.cancel(OPEN_STUDIO, guests[3])
        )
        for minute, who in enumerate(guest for guest in guests[:16] if guest is not guests[3]):
            at = details.starts_at + timedelta(minutes=minute)
            yield DemoScene(at, self._arrives(OPEN_STUDIO, who))

    def last_seat(self) -> Iterator[DemoScene]:
        """One seat left: open the page in two windows to see which sign-up gets it."""
        details = self._details("Glaze tasting", 5, time(17), 90, "The small table")
        yield self._create(LAST_SEAT, details, 3)
        for hours, who in zip((40, 20), self._studio.people(2), strict=True):
            yield DemoScene(self._studio.ago(hours=hours), self._signs_up(LAST_SEAT, who))

    # --- scene builders ---------------------------------------------------------------------------

    def _create(
        self, slug: str, details: Details, seats: int, settings: EventSettings | None = None
    ) -> DemoScene:
        at = self._studio.ago(days=DAYS_OF_PAST)
        return DemoScene(at, lambda stage: stage.create(slug, details, seats, settings))

    def _details(self, name: str, days: int, at: time, minutes: int, venue: str) -> Details:
        starts_at = self._studio.on(days, at)
        zone = self._studio.tz.key
        return Details(name, starts_at, starts_at + timedelta(minutes=minutes), zone, venue)

    @staticmethod
    def _signs_up(slug: str, who: str, party: int = 1) -> Callable[[EventStage], object]:
        return lambda stage: stage.sign_up(slug, who, party)

    @staticmethod
    def _arrives(slug: str, who: str) -> Callable[[EventStage], object]:
        return lambda stage: stage.act(slug, who, lambda guest: CheckIn(guest.id, guest.party))
