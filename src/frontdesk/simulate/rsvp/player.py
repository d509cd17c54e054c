"""Plays an event on the real engine, checks invariants after every step, and reports."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any, ClassVar, Final, assert_never

from frontdesk.core.localtime import spoken, zone
from frontdesk.core.words import count
from frontdesk.desks.rsvp import commands
from frontdesk.desks.rsvp.doctor import event_problems, night_problems
from frontdesk.desks.rsvp.model import State
from frontdesk.desks.rsvp.story import GuestNames, line
from frontdesk.engine.ports import Outcome, Recorded
from frontdesk.simulate import player
from frontdesk.simulate.names import names
from frontdesk.simulate.player import PlayedTimeline, TimelinePlayer, data_folder, no_progress
from frontdesk.simulate.rsvp import scenario as s
from frontdesk.simulate.rsvp.scenario import EventScenario, EventStage
from frontdesk.simulate.runtime import server_settings
from frontdesk.simulate.scenario import Moment, Progress, ScenarioAction
from frontdesk.store.sqlite.inspection import SqliteInspection

SLUG: Final = "event"
_PAGE: Final = 5_000
PlayedEvent = PlayedTimeline[EventScenario]


def play(
    scenario: EventScenario, *, seed: int = 1, progress: Progress = no_progress
) -> PlayedEvent:
    with data_folder() as folder:
        return _Player(scenario, seed, folder).play_all(progress)


class _Player(TimelinePlayer[EventScenario, EventStage]):
    tells_messages: ClassVar = False

    def __init__(self, scenario: EventScenario, seed: int, folder: Path) -> None:
        super().__init__(scenario, seed)
        self._names = names()
        self._seen = 0
        self.stage = EventStage(
            server_settings(folder),
            scenario.begins_at,
            channel=self.mail,
            ids=self.new_id,
            chance=self.chance.random,
        )

    def begin(self) -> None:
        scenario = self.played.scenario
        self.stage.create(SLUG, scenario.details, scenario.seats, scenario.settings)
        self.look()

    # --- actions --------------------------------------------------------------------------------

    def act(self, action: ScenarioAction) -> Iterator[tuple[str, Outcome | None]]:
        match action:
            case s.CrowdSignsUp():
                self._crowd(action)
            case s.SignsUp() | s.HostInvites() | s.HostSetsSeats() | s.HostMoves():
                yield self._request(action)
            case s.HostCallsOff(words):
                event_id = self.stage.event(SLUG).id
                command = commands.CallOff(event_id, self.stage.new_job(), words)
                yield "The host", self.stage.host(command)
            case s.SomeCancel(guests):
                for who in self._some(State.CONFIRMED, guests):
                    yield who, self.stage.cancel(SLUG, who)
            case s.EverybodyClaims():
                for who in self._some(State.OFFERED):
                    yield who, self.stage.claim(SLUG, who)
            case s.Cancels() | s.Claims() | s.Declines() | s.ComesWithFewer() | s.SaysYes():
                yield action.who, self._answer(action)
            case _:
                self.fault(action)

    def _crowd(self, action: s.CrowdSignsUp) -> None:
        begins_at = self.stage.clock.now()
        seconds = int(action.over.total_seconds())
        arrivals = sorted(self.chance.randint(0, seconds) for _ in range(action.people))
        for second in arrivals:
            self.stage.advance_until(begins_at + timedelta(seconds=second))
            self.stage.sign_up(SLUG, next(self._names))
            self._look_at_seats()
        self.stage.advance_until(begins_at + action.over)

    def _request(
        self, action: s.SignsUp | s.HostInvites | s.HostSetsSeats | s.HostMoves
    ) -> tuple[str, Outcome]:
        match action:
            case s.SignsUp(who, party):
                return who, self.stage.sign_up(SLUG, who, party)
            case s.HostInvites(who):
                return who, self.stage.sign_up(SLUG, who, invite=True)
            case s.HostSetsSeats(seats):
                command = commands.SetCap(self.stage.event(SLUG).id, seats)
                return "The host", self.stage.host(command)
            case s.HostMoves(starts_at):
                return "The host", self.stage.move(SLUG, starts_at)
            case _:
                assert_never(action)

    def _answer(
        self, action: s.Cancels | s.Claims | s.Declines | s.ComesWithFewer | s.SaysYes
    ) -> Outcome | None:
        match action:
            case s.Cancels(who):
                return self.stage.cancel(SLUG, who)
            case s.Claims(who):
                return self.stage.claim(SLUG, who)
            case s.Declines(who):
                return self.stage.act(
                    SLUG, who, lambda guest: commands.DeclineOffer(guest.id, guest.seq)
                )
            case s.ComesWithFewer(who, party):
                return self.stage.act(
                    SLUG, who, lambda guest: commands.ReduceParty(guest.id, party)
                )
            case s.SaysYes(who):
                return self.stage.act(SLUG, who, lambda guest: commands.ConfirmInvitation(guest.id))
            case _:
                assert_never(action)

    def _some(self, state: State, limit: int | None = None) -> list[str]:
        rows = self.stage.ev.guest_rows(
            self.stage.event(SLUG).id, states=frozenset({state}), limit=_PAGE
        )
        everybody = [row.person.name for row in rows]
        if limit is None:
            return everybody
        return self.chance.sample(everybody, min(limit, len(everybody)))

    # --- checks ---------------------------------------------------------------------------------

    def new_facts(self) -> Iterator[Moment]:
        ev, event = self.stage.ev, self.stage.event(SLUG)
        who, tz = GuestNames(ev), zone(event.details.zone)
        for recorded in self._facts():
            told = line(recorded, who, tz)
            yield Moment(told.at, recorded.fact.kind, told.text)

    def _facts(self) -> Iterator[Recorded]:
        while page := self.stage.ev.facts(self.stage.event(SLUG).id, after=self._seen, limit=_PAGE):
            yield from page
            self._seen = page[-1].seq

    def violations(self) -> Iterator[str]:
        event, ev = self.stage.event(SLUG), self.stage.ev
        guests = ev.guests_after(event.id, "", 1_000_000)
        with self.stage.data() as db:
            inspection = SqliteInspection(db)
            timers = frozenset(inspection.timers())
            yield from night_problems(inspection, ev)
        yield from event_problems(ev, event, guests, timers, self.stage.clock.now())

    def _look_at_seats(self) -> None:
        """Checks only the seats, after each of many arrivals."""
        seats = self.stage.event(SLUG).seats
        if seats.taken > seats.cap or seats.free + seats.offered + seats.taken != seats.cap:
            self.complain([f"the seats do not add up: {seats}"])

    def problems_at_the_end(self) -> Iterable[str]:
        if self.played.scenario.may_fail():
            return ()
        with self.stage.data() as db:
            letters = db.execute("SELECT why FROM fd_dead_letter ORDER BY id").fetchall()
        return [f"a dead letter: {why}" for (why,) in letters]

    def figures(self) -> dict[str, int]:
        event, ev = self.stage.event(SLUG), self.stage.ev
        counts, seats = ev.counts(event.id), event.seats
        return {
            "seats": seats.cap,
            "taken": seats.taken,
            "held": seats.offered,
            "free": seats.free,
            "waiting": seats.waiting,
            "pending": counts.get(State.PENDING, (0, 0))[0],
            "cancelled": counts.get(State.CANCELLED, (0, 0))[0],
        }

    def people(self) -> dict[str, str]:
        guests = {who: self.stage.guest(SLUG, who) for who in player.named(self.played.scenario)}
        return {
            who: guest.state.value if guest else "not on the list" for who, guest in guests.items()
        }


_TOGETHER: Final = {
    "ev.confirmed": "{n} people got a seat.",
    "ev.waitlisted": "{n} people joined the line.",
    "ev.cancelled": "{n} guests cancelled.",
    "ev.reminder_due": "{n} guests are reminded.",
    "ev.retimed": "{n} guests are told of the change.",
    "ev.told_of_call_off": "{n} people are told that it is called off.",
    "ev.offer_made": "Seats are held for {n} people.",
    "ev.offer_armed": "{n} offers go out.",
    "ev.offer_lapsed": "{n} offers lapse.",
}
#: Facts that the story leaves out.
_LEFT_OUT: Final = frozenset({"ev.headcount_due"})


def as_data(played: PlayedEvent) -> dict[str, Any]:
    return player.as_data(played, people="guests", messages="mail")


def as_words(played: PlayedEvent) -> Iterator[str]:
    scenario = played.scenario
    tz = zone(scenario.details.zone)
    yield f"{scenario.name}: {scenario.about}"
    starts = spoken(scenario.details.starts_at, tz)
    yield f"{scenario.details.name}, {count(scenario.seats, 'seat')}, {starts}"
    yield ""
    moments = [moment for moment in played.moments if moment.kind not in _LEFT_OUT]
    yield from player.story(moments, tz, _TOGETHER)
    yield ""
    yield ", ".join(f"{name} {figure}" for name, figure in played.figures.items())
    yield from player.messages_and_verdict(
        played.messages, played.not_sent, played.problems, "Mail"
    )
