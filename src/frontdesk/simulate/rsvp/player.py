"""Plays a scenario in virtual time on the real engine; checks invariants after every step."""

from __future__ import annotations

import random
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import Final, assert_never

from frontdesk.core.ids import ID_BYTES, new_id
from frontdesk.core.localtime import zone
from frontdesk.desks.rsvp import commands
from frontdesk.desks.rsvp.doctor import event_problems, night_problems
from frontdesk.desks.rsvp.model import State
from frontdesk.desks.rsvp.story import GuestNames, line
from frontdesk.engine.ports import Outcome, Recorded
from frontdesk.simulate.channels import SimulatedMail
from frontdesk.simulate.names import address, names
from frontdesk.simulate.played import Moment, Progress, differences
from frontdesk.simulate.rsvp import scenario as s
from frontdesk.simulate.rsvp.scenario import Scenario, Step
from frontdesk.simulate.rsvp.stage import Stage
from frontdesk.simulate.running import refused, sent_by_kind, server_settings
from frontdesk.store.sqlite.inspection import SqliteInspection

SLUG: Final = "event"
_PAGE: Final = 5_000


@dataclass(slots=True)
class Played:
    scenario: Scenario
    seed: int
    moments: list[Moment] = field(default_factory=list)
    figures: dict[str, int] = field(default_factory=dict)
    mail: dict[str, int] = field(default_factory=dict)
    """Sent messages by kind."""
    not_sent: dict[str, int] = field(default_factory=dict)
    guests: dict[str, str] = field(default_factory=dict)
    """The state of each named guest at the end."""
    problems: list[str] = field(default_factory=list)


def play(
    scenario: Scenario, *, seed: int = 1, progress: Progress = lambda _done, _total: None
) -> Played:
    with tempfile.TemporaryDirectory(prefix="frontdesk-") as folder:
        player = _Player(scenario, seed, Path(folder))
        with player.stage:
            for done, step in enumerate(scenario.steps):
                progress(done, len(scenario.steps))
                player.play(step)
            player.finish()
        return player.played


class _Player:
    def __init__(self, scenario: Scenario, seed: int, folder: Path) -> None:
        self._chance = random.Random(seed)  # noqa: S311 - a simulation
        self._mail = SimulatedMail(local=not scenario.mail_may_fail)
        self._names = names()
        self._seen = 0
        self._step: Step | None = None
        self.played = Played(scenario, seed)
        self.stage = Stage(
            server_settings(folder),
            scenario.begins_at,
            channel=self._mail,
            ids=lambda: new_id(self._chance.randbytes(ID_BYTES)),
            chance=self._chance.random,
        )
        self.stage.create(SLUG, scenario.details, scenario.seats, scenario.settings)
        self._look()

    def play(self, step: Step) -> None:
        self._step = step
        self.stage.pass_until(step.at)
        self._listen()
        self._do(step)
        self.stage.settle()
        self._look()

    def finish(self) -> None:
        self._step = None
        self.stage.pass_until(self.played.scenario.ends_at)
        self._look()
        self._count()
        self._compare()

    # --- actions --------------------------------------------------------------------------------

    def _do(self, step: Step) -> None:
        if isinstance(step.deed, s.CrowdSignsUp):
            self._crowd(step.deed)
            return
        for who, outcome in self._deed(step.deed):
            if why := refused(outcome):
                self._say(f"{who} could not: {why}.")
        if step.then_crashes:
            self._restart()

    def _crowd(self, deed: s.CrowdSignsUp) -> None:
        begins_at = self.stage.clock.now()
        seconds = int(deed.over.total_seconds())
        arrivals = sorted(self._chance.randint(0, seconds) for _ in range(deed.people))
        for second in arrivals:
            self.stage.pass_until(begins_at + timedelta(seconds=second))
            self.stage.sign_up(SLUG, next(self._names))
            self._look_at_seats()
        self.stage.pass_until(begins_at + deed.over)

    def _deed(self, deed: s.Deed) -> Iterator[tuple[str, Outcome | None]]:
        match deed:
            case s.SignsUp() | s.HostInvites() | s.HostSetsSeats() | s.HostMoves():
                yield self._request(deed)
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
            case s.StaysSilent(who):
                self._say(f"{who} stays silent.")
            case s.MailServerFails() | s.MailBounces() | s.Crashes() | s.EverythingAgain():
                self._bad_luck(deed)
            case s.Cancels() | s.Claims() | s.Declines() | s.ComesWithFewer() | s.SaysYes():
                yield deed.who, self._answer(deed)
            case _:
                raise AssertionError(f"nobody knows how to play {deed}")

    def _request(
        self, deed: s.SignsUp | s.HostInvites | s.HostSetsSeats | s.HostMoves
    ) -> tuple[str, Outcome]:
        match deed:
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
                assert_never(deed)

    def _answer(
        self, deed: s.Cancels | s.Claims | s.Declines | s.ComesWithFewer | s.SaysYes
    ) -> Outcome | None:
        match deed:
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
                assert_never(deed)

    def _bad_luck(
        self, deed: s.MailServerFails | s.MailBounces | s.Crashes | s.EverythingAgain
    ) -> None:
        match deed:
            case s.MailServerFails(down):
                self._mail.is_down = down
                self._say("The mail server goes down." if down else "The mail server comes back.")
            case s.MailBounces(who):
                self._mail.refuses.add(address(who))
                self._say(f"From now on the address of {who} takes no mail.")
            case s.Crashes():
                self._restart()
            case s.EverythingAgain():
                self._say("Everything that happened is delivered again.")
                self.stage.forget_places()
            case _:
                assert_never(deed)

    def _some(self, state: State, limit: int | None = None) -> list[str]:
        rows = self.stage.ev.guest_rows(
            self.stage.event(SLUG).id, states=frozenset({state}), limit=_PAGE
        )
        everybody = [row.person.name for row in rows]
        if limit is None:
            return everybody
        return self._chance.sample(everybody, min(limit, len(everybody)))

    def _restart(self) -> None:
        self._say("The process crashes, and starts again.")
        self.stage.restart()

    # --- checks ---------------------------------------------------------------------------------

    def _say(self, text: str) -> None:
        self.played.moments.append(Moment(self.stage.clock.now(), "", text))

    def _listen(self) -> None:
        """Adds the new facts to the story."""
        ev, event = self.stage.ev, self.stage.event(SLUG)
        who, tz = GuestNames(ev), zone(event.details.zone)
        for recorded in self._new_facts():
            told = line(recorded, who, tz)
            self.played.moments.append(Moment(told.at, recorded.fact.kind, told.text))

    def _new_facts(self) -> Iterator[Recorded]:
        while page := self.stage.ev.facts(self.stage.event(SLUG).id, after=self._seen, limit=_PAGE):
            yield from page
            self._seen = page[-1].seq

    def _look(self) -> None:
        """Checks all invariants after a step."""
        self._listen()
        event, ev = self.stage.event(SLUG), self.stage.ev
        guests = ev.guests_after(event.id, "", 1_000_000)
        with self.stage.data() as db:
            inspection = SqliteInspection(db)
            timers = frozenset(inspection.timers())
            in_the_night = night_problems(inspection, ev)
        self._complain(in_the_night)
        self._complain(event_problems(ev, event, guests, timers, self.stage.clock.now()))

    def _look_at_seats(self) -> None:
        """Checks only the seats, after each of many arrivals."""
        seats = self.stage.event(SLUG).seats
        if seats.taken > seats.cap or seats.free + seats.offered + seats.taken != seats.cap:
            self._complain([f"the seats do not add up: {seats}"])

    def _complain(self, problems: list[str]) -> None:
        where = f"after line {self._step.line}" if self._step else "at the end"
        self.played.problems += [f"{where}: {problem}" for problem in problems]

    def _count(self) -> None:
        event, ev = self.stage.event(SLUG), self.stage.ev
        counts, seats = ev.counts(event.id), event.seats
        self.played.figures = {
            "seats": seats.cap,
            "taken": seats.taken,
            "held": seats.offered,
            "free": seats.free,
            "waiting": seats.waiting,
            "pending": counts.get(State.PENDING, (0, 0))[0],
            "cancelled": counts.get(State.CANCELLED, (0, 0))[0],
        }
        with self.stage.data() as db:
            self.played.mail = sent_by_kind(db, "state = 'sent'")
            self.played.not_sent = sent_by_kind(db, "state <> 'sent'")
            letters = db.execute("SELECT why FROM fd_dead_letter ORDER BY id").fetchall()
        if not self.played.scenario.mail_may_fail:
            self._complain([f"a dead letter: {why}" for (why,) in letters])

    def _compare(self) -> None:
        scenario, played = self.played.scenario, self.played
        for who in _named(scenario):
            guest = self.stage.guest(SLUG, who)
            played.guests[who] = "not on the list" if guest is None else guest.state.value
        played.problems += differences(scenario.expects, played.figures)
        played.problems += differences(scenario.expects_of, played.guests)


def _named(scenario: Scenario) -> list[str]:
    found = (getattr(step.deed, "who", None) for step in scenario.steps)
    return list(dict.fromkeys(who for who in found if who is not None))
