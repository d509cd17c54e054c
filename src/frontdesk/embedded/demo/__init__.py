"""A demo business: its past is played on the real engine, up to now."""

from __future__ import annotations

import contextlib
import io
import random
import shutil
import tempfile
from datetime import datetime, time, timedelta
from pathlib import Path
from typing import Final
from zoneinfo import ZoneInfo

from frontdesk.core.contact_card import ContactCard
from frontdesk.core.ids import ID_BYTES, new_id
from frontdesk.core.localtime import to_wall, zone
from frontdesk.core.members import MemberId
from frontdesk.core.people import PersonId
from frontdesk.desks.admin.commands import AddFirstOwner, SetBusiness
from frontdesk.desks.admin.model import Business
from frontdesk.embedded.demo.studio import DAYS_OF_PAST, DemoScene, Studio
from frontdesk.engine.clock import SystemClock
from frontdesk.engine.keys import FILE_NAME as KEYS
from frontdesk.engine.keys import NUMBER_FILE, link_keys, number_key
from frontdesk.settings import Settings
from frontdesk.simulate.rsvp.scenario import HOST, EventStage
from frontdesk.values import replace
from frontdesk.wiring.desks import desk_modules
from frontdesk.wiring.one_machine import data_file

BUSINESS: Final = "Kiln Lane Studio"
#: The number is reserved for fiction, and the website's domain for examples.
CONTACT: Final = ContactCard(
    phone="+1 202-555-0147", address="4 Kiln Lane", website="https://kiln-lane.example"
)
OWNER: Final = ("Mira Santos", "mira@example.org")
#: The business is in a zone where it is daytime now, so that no quiet hours hold messages.
ZONES: Final = ("Europe/Lisbon", "Asia/Singapore", "America/New_York", "America/Los_Angeles")
DAY: Final = (time(9, 30), time(20))
#: The country of the people's phone numbers, which are reserved for fiction.
NUMBERS_OF: Final = "US"


def has_data(settings: Settings) -> bool:
    return data_file(settings.data_dir).exists()


def for_demo(settings: Settings) -> Settings:
    """Allows texts to the numbers of the demo's people."""
    countries = f"{settings.text_countries or settings.country} {NUMBERS_OF}"
    return replace(settings, text_countries=countries)


def _kept_here(settings: Settings) -> Settings:
    """Settings to play the past: no mail server, no phone, no Slack, no calendar, no model."""
    return replace(
        settings,
        channel="mailbox",
        texts="" if settings.texts == "sns" else settings.texts,
        slack_token="",
        slack_channel="",
        slack_signing_secret="",
        model_by="none",
        embeddings_by="none",
        calendars="",
    )


def fill(settings: Settings, now: datetime | None = None) -> None:
    """Creates the demo atomically: builds the data file in a temporary folder, then moves it.

    The logs of the played past are discarded.
    """
    now = now or SystemClock().now()
    link_keys(settings.data_dir)
    number_key(settings.data_dir)
    with tempfile.TemporaryDirectory(prefix="demo-", dir=settings.data_dir) as folder:
        beside = replace(_kept_here(for_demo(settings)), data_dir=Path(folder))
        for name in (KEYS, NUMBER_FILE):
            shutil.copy2(settings.data_dir / name, beside.data_dir / name)
        with contextlib.redirect_stderr(io.StringIO()):
            _play(beside, now)
        data_file(beside.data_dir).replace(data_file(settings.data_dir))


def where_it_is_day(now: datetime) -> ZoneInfo:
    return next(
        (tz for name in ZONES if DAY[0] <= to_wall(now, tz := zone(name)).time() < DAY[1]),
        zone(ZONES[0]),
    )


def _play(settings: Settings, now: datetime) -> None:
    tz = where_it_is_day(now)
    begin = now - timedelta(days=DAYS_OF_PAST)
    ids = random.SystemRandom()
    with EventStage(settings, begin, ids=lambda: new_id(ids.randbytes(ID_BYTES))) as stage:
        studio = Studio(now, tz, _open_house(stage, tz))
        desks = desk_modules("frontdesk.embedded.demo")
        scenes: list[DemoScene] = [scene for desk in desks for scene in desk.scenes(studio)]
        for scene in sorted(scenes, key=lambda scene: scene.at):
            stage.advance_until(max(scene.at, stage.clock.now()))
            scene.act(stage)
        stage.advance_until(now)


def _open_house(stage: EventStage, tz: ZoneInfo) -> MemberId:
    """Creates the business; returns its owner."""
    ids = stage.product.engine.new_id
    owner = MemberId(ids())
    stage.run(AddFirstOwner(owner, PersonId(ids()), *OWNER), by="cli")
    stage.run(SetBusiness(Business(name=BUSINESS, zone=tz.key, contact=CONTACT)), by=HOST)
    return owner
