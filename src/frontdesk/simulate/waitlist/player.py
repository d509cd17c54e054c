"""Plays a day of a waitlist in virtual time; checks invariants after every step."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Final, assert_never

from frontdesk.core.decision import Refused
from frontdesk.core.localtime import to_wall, zone
from frontdesk.core.sends import Via
from frontdesk.desks.waitlist.doctor import list_problems
from frontdesk.desks.waitlist.model import EntryId, Lane, Offer, SlotId
from frontdesk.desks.waitlist.reasons import Reason
from frontdesk.desks.waitlist.story import EntryNames, line
from frontdesk.engine.ports import Outcome
from frontdesk.simulate.player import PlayedTimeline, TimelinePlayer, data_folder, no_progress
from frontdesk.simulate.runtime import SimulatedTexts, server_settings
from frontdesk.simulate.scenario import Moment, Progress, ScenarioAction
from frontdesk.simulate.waitlist import scenario as s
from frontdesk.simulate.waitlist.salon import Salon
from frontdesk.simulate.waitlist.scenario import TEXT_FAULTS, Day
from frontdesk.simulate.waitlist.watch import FactWatch, unoffered_slots
from frontdesk.values import replace

_MINUTE: Final = timedelta(minutes=1)


PlayedDay = PlayedTimeline[Day]


def play_day(day: Day, *, seed: int = 1, progress: Progress = no_progress) -> PlayedDay:
    with data_folder() as folder:
        return _Player(day, seed, folder).play_all(progress)


class _Player(TimelinePlayer[Day, Salon]):
    def __init__(self, day: Day, seed: int, folder: Path) -> None:
        super().__init__(day, seed, *TEXT_FAULTS)
        self._tz = zone(day.place.zone)
        self._may_fail = day.may_fail(*TEXT_FAULTS)
        self._texts = SimulatedTexts(local=not self._may_fail)
        self._watch = FactWatch()
        self.stage = Salon(
            server_settings(folder),
            day.begins_at,
            channels={Via.MAIL: self.mail, Via.TEXT: self._texts},
            ids=self.new_id,
            chance=self.chance.random,
            heard=self._watch.hear,
            crashed=lambda: self.say("The process crashes, and starts again."),
        )

    def begin(self) -> None:
        """Adds the people of the list. Without a given time, they joined one minute apart."""
        self.stage.open(self.played.scenario.place)
        guests = self.played.scenario.guests
        for left, guest in zip(range(len(guests), 0, -1), guests, strict=True):
            joined_at = guest.joined_at or self.played.scenario.begins_at - left * _MINUTE
            joined = replace(guest, joined_at=joined_at)
            self.answered(
                guest.name, self.stage.join(joined, self.stage.contact(guest), Lane.STAFF)
            )
        self.stage.settle()
        self.look()

    def crash(self) -> None:
        self.stage.restart()

    # --- actions ------------------------------------------------------------------------------

    def act(self, action: ScenarioAction) -> Iterator[tuple[str, Outcome | None]]:
        match action:
            case s.ComesFree():
                self._freed(self.stage.free(action))
            case s.TakesBack(at):
                yield "Staff", self._take_back(at)
            case s.Joins(guest):
                yield guest.name, self.stage.join(guest, self.stage.contact(guest), Lane.FORM)
            case s.Claims() | s.Declines():
                yield action.who, self._answer(action)
            case s.Leaves() | s.ChangesDates():
                yield action.who, self._change(action)
            case s.Texts(who, words):
                self.say(f"{who} texts {words}.")
                self.stage.text(self.stage.contacts[who], words)
            case s.TextsFail() | s.TextsRefused() | s.TextsLost() | s.CrashesTexting():
                self._text_fault(action)
            case _:
                self.fault(action)

    def _freed(self, outcome: Outcome) -> None:
        if outcome == Refused(Reason.ALREADY_FREED):
            self.say("It is told a second time, and stays one slot.")
        else:
            self.answered("They", outcome)

    def _answer(self, action: s.Claims | s.Declines) -> Outcome:
        offer = self._offer(action)
        if offer is None:
            return Refused(Reason.NO_SUCH_OFFER)
        if isinstance(action, s.Claims):
            return self.stage.claim(offer.slot_id, offer.seq)
        return self.stage.decline(offer.slot_id, offer.seq, leave=action.leave)

    def _offer(self, action: s.OfferAnswer) -> Offer | None:
        """Returns the last offer to this person, in any state."""
        theirs = frozenset(
            EntryId(one.id) for one in self.stage.entries(self.stage.contacts[action.who])
        )
        for offer in reversed(self._watch.offers_to(theirs)):
            if not action.at or self._starts(offer.slot_id) == action.at:
                return offer
        return None

    def _take_back(self, at: str) -> Outcome:
        """Takes back the slot with this start that came free last."""
        slots = [slot_id for slot_id in self._watch.slots if self._starts(slot_id) == at]
        return self.stage.take_back(slots[-1]) if slots else Refused(Reason.NO_SUCH_SLOT)

    def _starts(self, slot_id: SlotId) -> str:
        return f"{to_wall(self._watch.slots[slot_id].opening.starts_at, self._tz):%H:%M}"

    def _change(self, action: s.Leaves | s.ChangesDates) -> Outcome | None:
        entries = self.stage.entries(self.stage.contacts[action.who])
        if not entries:
            return None
        if isinstance(action, s.Leaves):
            return self.stage.leave(entries[0])
        return self.stage.change_dates(entries[0], action.earliest_on, action.latest_on)

    def _text_fault(
        self, action: s.TextsFail | s.TextsRefused | s.TextsLost | s.CrashesTexting
    ) -> None:
        match action:
            case s.TextsFail(down):
                self._texts.is_down = down
                self.say(f"The phone network {'goes down' if down else 'comes back'}.")
            case s.TextsRefused(who):
                self._texts.refuses.add(self.stage.contacts[who].mobile)
                self.say(f"From now on no text is taken for {who}.")
            case s.TextsLost(who):
                self._texts.loses.add(self.stage.contacts[who].mobile)
                self.say(f"From now on nobody can tell whether texts reach {who}.")
            case s.CrashesTexting(who):
                self._texts.crashes.add(self.stage.contacts[who].mobile)
            case _:
                assert_never(action)

    # --- checks -------------------------------------------------------------------------------

    def new_facts(self) -> Iterator[Moment]:
        names = EntryNames(self.stage.product.engine.reads())
        for recorded in self._watch.new():
            self.complain(self._watch.take(recorded))
            text = line(recorded, names, self._tz).text
            yield Moment(recorded.at, recorded.fact.kind, text)

    def violations(self) -> Iterator[str]:
        wl = self.stage.wl
        yield from list_problems(wl, self.stage.timers(), self.stage.clock.now())
        yield from unoffered_slots(wl, list(self._watch.slots))

    def problems_at_the_end(self) -> Iterator[str]:
        return self.stage.dead_letters(messages_may_fail=self._may_fail)

    def figures(self) -> dict[str, int]:
        return self.stage.figures()

    def people(self) -> dict[str, str]:
        entries = {who: self.stage.entries(at) for who, at in self.stage.contacts.items()}
        return {
            who: own[0].status.value if own else "not on the list" for who, own in entries.items()
        }
