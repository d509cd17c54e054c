"""The demo's waitlist: people who wait for a wheel, a lesson or a table, and freed slots."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import datetime, time, timedelta
from itertools import cycle
from typing import Final

from frontdesk.core.localtime import same_wall_time, to_wall
from frontdesk.core.people import PersonId
from frontdesk.desks.waitlist import commands, rules_doc
from frontdesk.desks.waitlist.load import waitlist
from frontdesk.desks.waitlist.model import (
    DocumentName,
    EntryId,
    Lane,
    Opening,
    Slot,
    Wish,
)
from frontdesk.desks.waitlist.slot_intake import slot_intake_in
from frontdesk.embedded.demo.studio import DAYS_OF_PAST, DemoScene, Studio
from frontdesk.embedded.demo.waitlist import requests
from frontdesk.features.catalogue.model import Catalogue, Service
from frontdesk.simulate.names import address
from frontdesk.simulate.runtime import Simulation
from frontdesk.values import Frozen, replace

WHEEL, LESSON, TABLE = "Wheel hour", "Private lesson", "Table for painting"
STAFF: Final = ("Mira", "Jonas", "Aiko")
SERVICES: Final = (
    Service(WHEEL, timedelta(hours=1), 3500, aliases=("wheel", "throwing")),
    Service(LESSON, timedelta(minutes=90), 8000, aliases=("lesson", "one to one")),
    Service(TABLE, timedelta(hours=2), 6000, most=6, aliases=("painting", "paint a mug")),
)
CURRENCIES: Final = {"Europe/Lisbon": "€", "Asia/Singapore": "S$"}
RULES: Final = replace(rules_doc.DEFAULT_RULES, claim_window=timedelta(minutes=30), down_fitting=2)
#: Entries from the studio's paper list, and those that joined by the form since.
FROM_PAPER, BY_FORM = 24, 28
#: Only two parties are large enough for the table of six.
PARTIES: Final = (2, 4, 3, 2, 5, 2, 3, 2, 3, 2)
CLOSES: Final = time(20, 30)


class DemoPerson(Frozen):
    """Somebody on the list."""

    name: str
    email: str
    mobile: str
    wish: Wish


class FreedSlot(Frozen):
    """A slot that came free, and the answers of those asked, each with its delay in minutes."""

    origin: str
    service: str
    staff: str
    freed_at: datetime
    starts_at: datetime
    answers: tuple[tuple[int, type[commands.OfferCommand]], ...] = ()
    places: int = 1


def scenes(studio: Studio) -> Iterator[DemoScene]:
    return DemoWaitlist(studio).scenes()


class DemoWaitlist:
    def __init__(self, studio: Studio) -> None:
        self._studio = studio

    def scenes(self) -> Iterator[DemoScene]:
        begin = self._studio.ago(days=DAYS_OF_PAST)
        yield DemoScene(begin, self._open)
        people = self._people()
        for days, who in enumerate(people[:FROM_PAPER]):
            joined_at = begin - timedelta(days=FROM_PAPER - days)
            yield DemoScene(begin, self._joins(who, Lane.STAFF, joined_at))
        moments = self._studio.moments(BY_FORM, days_ago=8.5, until_days=0.2)
        for at, who in zip(moments, people[FROM_PAPER:], strict=True):
            yield DemoScene(at, self._joins(who, Lane.FORM))
        for freed in (*self._past(), *self._now()):
            yield from self._comes_free(freed)
        yield DemoScene(self._studio.ago(days=2, hours=3), self._leaves(people[30]))
        yield from requests.scenes(self._studio, people[1].mobile, people[27].mobile)

    # --- freed slots --------------------------------------------------------------------------

    def _past(self) -> Iterator[FreedSlot]:
        """Slots of the last days: the first or second person asked took most of them."""
        yes, no = commands.ClaimOffer, commands.DeclineOffer
        for days, at, service, staff, answers in (
            (8, time(10, 5), WHEEL, "Jonas", ((7, yes),)),
            (8, time(15, 40), LESSON, "Mira", ((12, no), (21, yes))),
            (7, time(9, 15), WHEEL, "Aiko", ((3, yes),)),
            (6, time(11, 30), TABLE, "", ((19, yes),)),
            (6, time(17, 5), WHEEL, "Mira", ((48, yes),)),
            (5, time(12, 20), LESSON, "Jonas", ((5, yes),)),
            (4, time(8, 45), WHEEL, "Jonas", ((4, no), (9, yes))),
            (3, time(16, 10), WHEEL, "Mira", ((11, yes),)),
            (2, time(10, 50), TABLE, "", ((6, no), (44, yes))),
            (1, time(14, 25), WHEEL, "Aiko", ((2, yes),)),
            (1, time(16), LESSON, "Mira", ((15, yes),)),
        ):
            freed_at = self._studio.on(-days, at)
            starts_at = self._studio.on(1 - days, time(9 + days))
            yield self._freed(service, staff, freed_at, starts_at, answers, 3)

    def _now(self) -> Iterator[FreedSlot]:
        """Slots of today: one for each state that the board shows."""
        ago, yes, no = self._studio.ago, commands.ClaimOffer, commands.DeclineOffer
        yield self._freed(WHEEL, "Aiko", ago(minutes=75), self._soon(2), ((6, yes),))
        yield self._freed(TABLE, "", ago(minutes=70), self._soon(5), ((8, no), (23, no)), 6)
        yield self._freed(WHEEL, "Mira", ago(minutes=50), self._soon(4))
        yield self._freed(LESSON, "Aiko", ago(minutes=40), self._studio.on(2, time(11)))
        yield self._freed(WHEEL, "Jonas", ago(minutes=8), self._soon(3))

    def _freed(
        self,
        service: str,
        staff: str,
        freed_at: datetime,
        starts_at: datetime,
        answers: tuple[tuple[int, type[commands.OfferCommand]], ...] = (),
        table: int = 1,
    ) -> FreedSlot:
        """Gives each slot its own origin, as if a booking tool had reported it."""
        origin = f"cal.com:{freed_at:%Y%m%dT%H%M}"
        places = table if service == TABLE else 1
        return FreedSlot(origin, service, staff, freed_at, starts_at, answers, places)

    def _soon(self, hours: int) -> datetime:
        """Returns a half hour today if the studio is open then, otherwise a time tomorrow."""
        at = to_wall(self._studio.now + timedelta(hours=hours), self._studio.tz)
        if at.date() != self._studio.today or at.time() > CLOSES:
            return self._studio.on(1, time(9 + hours))
        return same_wall_time(at.date(), time(at.hour, 30), self._studio.tz)

    @staticmethod
    def _comes_free(freed: FreedSlot) -> Iterator[DemoScene]:
        yield DemoScene(freed.freed_at, lambda stage: _free(stage, freed))
        for minutes, answer in freed.answers:
            at = freed.freed_at + timedelta(minutes=minutes)
            yield DemoScene(at, _answers(freed.origin, answer))

    # --- entries ------------------------------------------------------------------------------

    def _people(self) -> list[DemoPerson]:
        names = self._studio.people(FROM_PAPER + BY_FORM)
        services = cycle((WHEEL, WHEEL, LESSON, WHEEL, TABLE))
        lessons, parties = cycle(STAFF[:2]), cycle(PARTIES)
        found = []
        for number, (name, service) in enumerate(zip(names, services, strict=False)):
            party = next(parties) if service == TABLE else 1
            staff = next(lessons) if service == LESSON else ""
            if service == WHEEL and number % 4 == 0:
                staff = STAFF[number % 3]
            wish = self._wish(number, service, staff, party)
            email = address(name) if number % 3 else ""
            mobile = "" if number % 3 == 2 else f"+121255501{number:02}"
            found.append(DemoPerson(name, email, mobile, wish))
        return found

    def _wish(self, number: int, service: str, staff: str, party: int) -> Wish:
        today = self._studio.today
        latest_on = today + timedelta(days=-2 if number in (10, 18) else 4 + number % 22)
        earliest_on = today + timedelta(days=3 if number % 6 == 5 else -DAYS_OF_PAST)
        return Wish(service, party, earliest_on, latest_on, staff, priority=number in (8, 21))

    def _open(self, stage: Simulation) -> None:
        currency = CURRENCIES.get(self._studio.tz.key, "$")
        slot_intake_in(stage.product.site).documents.open()
        stage.run(
            commands.SetCatalogue(Catalogue(SERVICES, STAFF, currency)), by=self._studio.owner
        )
        slot_intake_in(stage.product.site).documents.write(
            DocumentName.RULES, rules_doc.write(RULES), by=self._studio.owner
        )

    def _joins(
        self, who: DemoPerson, lane: Lane, joined_at: datetime | None = None
    ) -> Callable[[Simulation], object]:
        def act(stage: Simulation) -> None:
            new_id = stage.product.engine.new_id
            entry_id, person_id = EntryId(new_id()), PersonId(new_id())
            command = commands.JoinList(
                entry_id,
                person_id,
                who.name,
                who.email,
                who.wish,
                lane,
                joined_at,
                who.mobile,
            )
            by = self._studio.owner if lane is Lane.STAFF else f"guest:{entry_id}"
            stage.run(command, by=by)
            if lane is Lane.FORM and who.email and who.mobile:
                stage.run(commands.ConfirmNumber(entry_id), by=by)

        return act

    @staticmethod
    def _leaves(who: DemoPerson) -> Callable[[Simulation], object]:
        def act(stage: Simulation) -> None:
            wl = waitlist(stage.product.engine.reads())
            person = wl.person_by_email(who.email or who.mobile)
            assert person is not None, f"{who.name} is on the list"
            [entry] = wl.entries_of(person.id)
            stage.run(commands.LeaveList(entry.id), by=f"guest:{entry.id}")

        return act


def _free(stage: Simulation, freed: FreedSlot) -> None:
    service = waitlist(stage.product.engine.reads()).catalogue().service(freed.service)
    assert service is not None, f"there is no {freed.service}"
    opening = Opening(
        service.name,
        freed.starts_at,
        service.duration,
        freed.places,
        freed.staff,
        service.price_cents,
    )
    slot_intake_in(stage.product.site).free(freed.origin, opening, by="webhook:cal.com")


def _answers(origin: str, answer: type[commands.OfferCommand]) -> Callable[[Simulation], object]:
    def act(stage: Simulation) -> None:
        slot = _slot(stage, origin)
        offer = waitlist(stage.product.engine.reads()).offer(slot.id, slot.offer_seq)
        assert offer is not None, f"{origin} is on offer"
        stage.run(answer(slot.id, offer.seq), by=f"guest:{offer.entry_id}")

    return act


def _slot(stage: Simulation, origin: str) -> Slot:
    slot = waitlist(stage.product.engine.reads()).slot_by_origin(origin)
    assert slot is not None, f"{origin} came free"
    return slot
