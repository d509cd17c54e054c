"""Plays a day of a waitlist in virtual time; checks invariants after every step."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

from frontdesk.core.decision import Refused
from frontdesk.core.localtime import to_wall, zone
from frontdesk.desks.waitlist.doctor import list_problems
from frontdesk.desks.waitlist.model import EntryId, Lane, Offer, SlotId
from frontdesk.desks.waitlist.reasons import Reason
from frontdesk.desks.waitlist.story import EntryNames, line
from frontdesk.engine.ports import Outcome
from frontdesk.simulate.played import Moment, Progress, differences
from frontdesk.simulate.running import refused
from frontdesk.simulate.waitlist import scenario as s
from frontdesk.simulate.waitlist.playing import Playing
from frontdesk.simulate.waitlist.scenario import Day, Step
from frontdesk.simulate.waitlist.watch import left_in_vain
from frontdesk.values import replace

#: The kind of a moment that is a message.
MESSAGE: Final = "message"
_LINK: Final = re.compile(r"https?://\S+")
_MINUTE: Final = timedelta(minutes=1)


@dataclass(slots=True)
class PlayedDay:
    scenario: Day
    seed: int
    moments: list[Moment] = field(default_factory=list)
    figures: dict[str, int] = field(default_factory=dict)
    messages: dict[str, int] = field(default_factory=dict)
    """Sent messages by kind."""
    not_sent: dict[str, int] = field(default_factory=dict)
    people: dict[str, str] = field(default_factory=dict)
    """The state of each person at the end."""
    problems: list[str] = field(default_factory=list)


def play_day(
    day: Day, *, seed: int = 1, progress: Progress = lambda _done, _total: None
) -> PlayedDay:
    with tempfile.TemporaryDirectory(prefix="frontdesk-") as folder:
        player = _Player(day, seed, Path(folder))
        with player.salon:
            player.begin()
            for done, step in enumerate(day.steps):
                progress(done, len(day.steps))
                player.play(step)
            player.finish()
        return player.played


class _Player(Playing):
    def __init__(self, day: Day, seed: int, folder: Path) -> None:
        self.played = PlayedDay(day, seed)
        self._told = 0
        self._step: Step | None = None
        self._tz = zone(day.place.zone)
        super().__init__(day.place, day.begins_at, seed, folder, may_fail=day.may_fail)

    def begin(self) -> None:
        """Adds the people of the list. Without a given time, they joined one minute apart."""
        guests = self.played.scenario.guests
        for left, guest in zip(range(len(guests), 0, -1), guests, strict=True):
            joined_at = guest.joined_at or self.played.scenario.begins_at - left * _MINUTE
            joined = replace(guest, joined_at=joined_at)
            self._answered(guest.name, self.salon.join(joined, self.contact(guest), Lane.STAFF))
        self.salon.settle()
        self._look()

    def play(self, step: Step) -> None:
        self._step = step
        self.salon.pass_until(step.at)
        self._listen()
        for who, outcome in self._deed(step.deed):
            self._answered(who, outcome)
        if step.then_crashes:
            self.salon.restart()
        self.salon.settle()
        self._look()

    def finish(self) -> None:
        self._step = None
        self.salon.pass_until(self.played.scenario.ends_at)
        self._look()
        played = self.played
        played.figures = self.figures()
        played.messages, played.not_sent = self.messages()
        self._complain(self.dead_letters())
        for who, contact in self.contacts.items():
            entries = self.salon.entries(contact)
            played.people[who] = entries[0].status.value if entries else "not on the list"
        played.problems += differences(played.scenario.expects, played.figures)
        played.problems += differences(played.scenario.expects_of, played.people)

    # --- actions ------------------------------------------------------------------------------

    def _deed(self, deed: s.Deed) -> Iterator[tuple[str, Outcome | None]]:
        match deed:
            case s.ComesFree():
                self._freed(self.salon.free(deed))
            case s.TakesBack(at):
                yield "Staff", self._take_back(at)
            case s.Joins(guest):
                yield guest.name, self.salon.join(guest, self.contact(guest), Lane.FORM)
            case s.Claims() | s.Declines():
                yield deed.who, self._answer(deed)
            case s.Leaves() | s.ChangesDates():
                yield deed.who, self._change(deed)
            case s.Texts(who, words):
                self._say(f"{who} texts {words}.")
                self.salon.text(self.contacts[who], words)
            case s.StaysSilent(who):
                self._say(f"{who} stays silent.")
            case s.Crashes():
                self.salon.restart()
            case s.EverythingAgain():
                self._say("Everything that happened is delivered again.")
                self.salon.forget_places()
            case _:
                self._bad_luck(deed)

    def _freed(self, outcome: Outcome) -> None:
        if outcome == Refused(Reason.ALREADY_FREED):
            self._say("It is told a second time, and stays one slot.")
        else:
            self._answered("They", outcome)

    def _answer(self, deed: s.Claims | s.Declines) -> Outcome:
        offer = self._offer(deed)
        if offer is None:
            return Refused(Reason.NO_SUCH_OFFER)
        if isinstance(deed, s.Claims):
            return self.salon.claim(offer.slot_id, offer.seq)
        return self.salon.decline(offer.slot_id, offer.seq, leave=deed.leave)

    def _offer(self, deed: s.Answer) -> Offer | None:
        """Returns the last offer to this person, in any state."""
        theirs = frozenset(EntryId(one.id) for one in self.salon.entries(self.contacts[deed.who]))
        for offer in reversed(self.watch.offers_to(theirs)):
            if not deed.at or self._starts(offer.slot_id) == deed.at:
                return offer
        return None

    def _take_back(self, at: str) -> Outcome:
        """Takes back the slot with this start that came free last."""
        slots = [slot_id for slot_id in self.watch.slots if self._starts(slot_id) == at]
        return self.salon.take_back(slots[-1]) if slots else Refused(Reason.NO_SUCH_SLOT)

    def _starts(self, slot_id: SlotId) -> str:
        return f"{to_wall(self.watch.slots[slot_id].opening.starts_at, self._tz):%H:%M}"

    def _change(self, deed: s.Leaves | s.ChangesDates) -> Outcome | None:
        entries = self.salon.entries(self.contacts[deed.who])
        if not entries:
            return None
        if isinstance(deed, s.Leaves):
            return self.salon.leave(entries[0])
        return self.salon.change_dates(entries[0], deed.earliest_on, deed.latest_on)

    def _bad_luck(self, deed: s.Deed) -> None:
        match deed:
            case s.Fails(texts=texts, down=down):
                (self.texts if texts else self.mail).is_down = down
                what = "phone network" if texts else "mail server"
                self._say(f"The {what} goes down." if down else f"The {what} comes back.")
            case s.Refuses(who, texts=texts):
                contact = self.contacts[who]
                (self.texts if texts else self.mail).refuses.add(contact.mobile or contact.email)
                self._say(f"From now on no {'text' if texts else 'mail'} is taken for {who}.")
            case s.Loses(who):
                self.texts.loses.add(self.contacts[who].mobile)
                self._say(f"From now on nobody can tell whether texts reach {who}.")
            case s.CrashesTexting(who):
                self.texts.crashes.add(self.contacts[who].mobile)
            case _:
                raise AssertionError(f"nobody knows how to play {deed}")

    def crashed(self) -> None:
        self._say("The process crashes, and starts again.")

    def _answered(self, who: str, outcome: Outcome | None) -> None:
        if why := refused(outcome):
            self._say(f"{who} could not: {why}.")

    # --- checks -------------------------------------------------------------------------------

    def _say(self, text: str) -> None:
        self._listen()
        self.played.moments.append(Moment(self.salon.clock.now(), "", text))

    def _listen(self) -> None:
        """Adds the new facts and messages to the story."""
        names, told = EntryNames(self.salon.product.engine.reads()), list(self._messages())
        for recorded in self.watch.new():
            self._complain(self.watch.take(recorded))
            text = line(recorded, names, self._tz).text
            told.append(Moment(recorded.at, recorded.fact.kind, text))
        self.played.moments += sorted(told, key=lambda one: (one.at, one.kind == MESSAGE))

    def _messages(self) -> Iterator[Moment]:
        with self.salon.data() as db:
            rows = db.execute(
                "SELECT rowid, sent_at, to_name, to_mobile, subject, text FROM fd_message"
                " WHERE rowid > ? ORDER BY rowid",
                (self._told,),
            ).fetchall()
        for self._told, sent_at, name, mobile, subject, text in rows:
            said = f"Text to {name}: {_LINK.sub('(link)', text)}" if mobile else None
            words = " ".join((said or f"Mail to {name}: {subject}").split())
            yield Moment(datetime.fromtimestamp(sent_at, UTC), MESSAGE, words)

    def _look(self) -> None:
        """Checks all invariants after a step."""
        self._listen()
        wl = self.salon.wl
        self._complain(list_problems(wl, self.salon.timers(), self.salon.clock.now()))
        self._complain(left_in_vain(wl, list(self.watch.slots)))

    def _complain(self, problems: Iterable[str]) -> None:
        where = f"after line {self._step.line}" if self._step else "at the end"
        self.played.problems += [f"{where}: {problem}" for problem in problems]
