"""A demo business to walk around in: its past is played on the real engine, up to this moment."""

from __future__ import annotations

import random
import shutil
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import date, datetime, time, timedelta
from itertools import islice
from pathlib import Path
from typing import Final
from zoneinfo import ZoneInfo

from frontdesk.core.ids import ID_BYTES, new_id
from frontdesk.core.localtime import same_wall_time, to_wall, zone
from frontdesk.core.members import MemberId
from frontdesk.core.people import PersonId
from frontdesk.desks.house.commands import AddFirstOwner, SetBusiness
from frontdesk.desks.house.model import Business
from frontdesk.desks.rsvp.commands import CheckIn, ConfirmInvitation
from frontdesk.desks.rsvp.model import Details, Lane, Settings
from frontdesk.engine.clock import SystemClock
from frontdesk.engine.keys import FILE_NAME as KEYS
from frontdesk.engine.keys import link_keys
from frontdesk.frozen import frozen
from frontdesk.settings import Settings as ServerSettings
from frontdesk.simulate.names import names
from frontdesk.simulate.stage import HOST, Stage
from frontdesk.wiring.one_machine import data_file

BUSINESS: Final = "Kiln Lane Studio"
OWNER: Final = ("Mira Santos", "mira@example.org")
#: The business is where it is day now, so that nothing waits for the end of quiet hours.
ZONES: Final = ("Europe/Lisbon", "Asia/Singapore", "America/New_York", "America/Los_Angeles")
DAY: Final = (time(9, 30), time(20))
_DAYS_OF_PAST: Final = 9

WORKSHOP, SUPPER, OPEN_STUDIO, LAST_SEAT = "workshop", "supper", "open-studio", "last-seat"


def has_data(settings: ServerSettings) -> bool:
    return data_file(settings.data_dir).exists()


def fill(settings: ServerSettings, now: datetime | None = None) -> None:
    """All of it or nothing: it is made beside the data directory's file and then moved there."""
    now = now or SystemClock().now()
    link_keys(settings.data_dir)
    with tempfile.TemporaryDirectory(prefix="demo-", dir=settings.data_dir) as folder:
        beside = replace(settings, data_dir=Path(folder))
        shutil.copy2(settings.data_dir / KEYS, beside.data_dir / KEYS)
        _play(beside, now)
        data_file(beside.data_dir).replace(data_file(settings.data_dir))


def where_it_is_day(now: datetime) -> ZoneInfo:
    return next(
        (tz for name in ZONES if DAY[0] <= to_wall(now, tz := zone(name)).time() < DAY[1]),
        zone(ZONES[0]),
    )


@frozen
class _Scene:
    """Something that happened, or is just happening."""

    at: datetime
    act: Callable[[Stage], object]


def _play(settings: ServerSettings, now: datetime) -> None:
    chance = random.Random("frontdesk")  # noqa: S311 - nothing secret is drawn from it
    tz = where_it_is_day(now)
    begin = now - timedelta(days=_DAYS_OF_PAST)
    ids = random.SystemRandom()
    with Stage(settings, begin, ids=lambda: new_id(ids.randbytes(ID_BYTES))) as stage:
        _open_house(stage, tz)
        play = _Play(now, tz, chance)
        scenes = [*play.workshop(), *play.supper(), *play.open_studio(), *play.last_seat()]
        for scene in sorted(scenes, key=lambda scene: scene.at):
            stage.pass_until(max(scene.at, stage.clock.now()))
            scene.act(stage)
        stage.pass_until(now)


def _open_house(stage: Stage, tz: ZoneInfo) -> None:
    ids = stage.product.engine.new_id
    stage.run(AddFirstOwner(MemberId(ids()), PersonId(ids()), *OWNER), by="cli")
    stage.run(SetBusiness(Business(name=BUSINESS, zone=tz.key)), by=HOST)


class _Play:
    """Four events around today, each with what happened to it so far."""

    def __init__(self, now: datetime, tz: ZoneInfo, chance: random.Random) -> None:
        self._now = now
        self._tz = tz
        self._chance = chance
        self._names = names()

    def workshop(self) -> Iterator[_Scene]:
        """Next week, nearly full; three invitations are out, and one was answered."""
        details = self._details("Pottery workshop", 7, time(18, 30), 150, "12 Kiln Lane")
        details = replace(
            details,
            description="Throw your first bowl. Clay, apron and tea are there; bring nothing.",
        )
        yield self._create(WORKSHOP, details, 40, replace(Settings(), party_limit=3))
        for at, who in zip(self._moments(30, days_ago=8.5), self._people(30), strict=True):
            yield _Scene(at, self._signs_up(WORKSHOP, who, self._chance.choice((1, 1, 1, 1, 2))))
        gone, back = self._people(2)
        yield _Scene(self._ago(hours=80), self._signs_up(WORKSHOP, gone))
        yield _Scene(self._ago(hours=30), lambda stage: stage.cancel(WORKSHOP, gone))
        for who in (*self._people(3), back):
            yield _Scene(
                self._ago(hours=50),
                lambda stage, who=who: stage.sign_up(  # type: ignore[misc]
                    WORKSHOP, who, lane=Lane.HOST, invite=True
                ),
            )
        yield _Scene(
            self._ago(hours=26),
            lambda stage: stage.act(WORKSHOP, back, lambda guest: ConfirmInvitation(guest.id)),
        )

    def supper(self) -> Iterator[_Scene]:
        """Sold out, with a line; two seats came free, and one offer is open right now."""
        details = self._details("Supper by candlelight", 3, time(19), 180, "The back room")
        yield self._create(SUPPER, details, 12)
        seated, line = self._people(12), self._people(5)
        for at, who in zip(self._moments(12, days_ago=8, until_days=5), seated, strict=True):
            yield _Scene(at, self._signs_up(SUPPER, who))
        for hours, who in zip((90, 72, 51, 29, 12), line, strict=True):
            yield _Scene(self._ago(hours=hours), self._signs_up(SUPPER, who))
        yield _Scene(self._ago(hours=25), lambda stage: stage.cancel(SUPPER, seated[4]))
        yield _Scene(self._ago(hours=24.6), lambda stage: stage.claim(SUPPER, line[0]))
        yield _Scene(self._ago(hours=0.7), lambda stage: stage.cancel(SUPPER, seated[8]))

    def open_studio(self) -> Iterator[_Scene]:
        """Three days ago; most came, and a thank-you note waits to be sent."""
        details = self._details("Open studio", -3, time(11), 240, "12 Kiln Lane")
        yield self._create(OPEN_STUDIO, details, 20)
        guests = self._people(18)
        for at, who in zip(self._moments(18, days_ago=8, until_days=4), guests, strict=True):
            yield _Scene(at, self._signs_up(OPEN_STUDIO, who))
        yield _Scene(self._ago(days=4), lambda stage: stage.cancel(OPEN_STUDIO, guests[3]))
        for minute, who in enumerate(guest for guest in guests[:16] if guest is not guests[3]):
            at = details.starts_at + timedelta(minutes=minute)
            yield _Scene(at, self._arrives(OPEN_STUDIO, who))

    def last_seat(self) -> Iterator[_Scene]:
        """One seat left: open it in two windows and see who gets it."""
        details = self._details("Glaze tasting", 5, time(17), 90, "The small table")
        yield self._create(LAST_SEAT, details, 3)
        for hours, who in zip((40, 20), self._people(2), strict=True):
            yield _Scene(self._ago(hours=hours), self._signs_up(LAST_SEAT, who))

    # --- pieces ---------------------------------------------------------------------------------

    def _create(
        self, slug: str, details: Details, seats: int, settings: Settings | None = None
    ) -> _Scene:
        at = self._ago(days=_DAYS_OF_PAST)
        return _Scene(at, lambda stage: stage.create(slug, details, seats, settings))

    def _details(self, name: str, days: int, at: time, minutes: int, venue: str) -> Details:
        today: date = to_wall(self._now, self._tz).date()
        starts_at = same_wall_time(today + timedelta(days=days), at, self._tz)
        return Details(name, starts_at, starts_at + timedelta(minutes=minutes), self._tz.key, venue)

    def _people(self, number: int) -> list[str]:
        return list(islice(self._names, number))

    def _ago(self, *, days: float = 0, hours: float = 0) -> datetime:
        return (self._now - timedelta(days=days, hours=hours)).replace(microsecond=0)

    def _moments(self, number: int, *, days_ago: float, until_days: float = 0.5) -> list[datetime]:
        spread = (self._chance.uniform(until_days, days_ago) for _ in range(number))
        return sorted(self._ago(days=days) for days in spread)

    @staticmethod
    def _signs_up(slug: str, who: str, party: int = 1) -> Callable[[Stage], object]:
        return lambda stage: stage.sign_up(slug, who, party)

    @staticmethod
    def _arrives(slug: str, who: str) -> Callable[[Stage], object]:
        return lambda stage: stage.act(slug, who, lambda guest: CheckIn(guest.id, guest.party))
