"""Turns openings in a calendar into slots, and takes a slot back when its opening is gone."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Final
from zoneinfo import ZoneInfo

from frontdesk.connect.calendars.model import CalendarEvent
from frontdesk.core.decision import Fact, Refused
from frontdesk.core.localtime import zone
from frontdesk.desks.waitlist.commands import TakeBackSlot
from frontdesk.desks.waitlist.facts import CalendarHalted, SlotHandedBack
from frontdesk.desks.waitlist.load import waitlist
from frontdesk.desks.waitlist.model import Opening, Slot, SlotStatus
from frontdesk.desks.waitlist.openings import is_appointment, is_cancelled, read_opening
from frontdesk.desks.waitlist.reads import WaitlistReads
from frontdesk.desks.waitlist.reasons import Reason
from frontdesk.desks.waitlist.slot_chain import last_of
from frontdesk.desks.waitlist.slot_intake import SlotIntake
from frontdesk.features.calendars.sync import BY, Report, Unclear, following, origin_of
from frontdesk.values import Frozen, replace


class OpeningsCalendar(Frozen):
    intake: SlotIntake
    code: str = "wl"
    noun: str = "openings"

    @property
    def _wl(self) -> WaitlistReads:
        return waitlist(self.intake.engine.reads())

    def zone(self) -> ZoneInfo:
        return zone(self.intake.zone(self.intake.engine.reads()))

    def reader(
        self, events: Sequence[CalendarEvent]
    ) -> Callable[[CalendarEvent], Opening | Unclear | None]:
        catalogue = self._wl.catalogue()

        def read(event: CalendarEvent) -> Opening | Unclear | None:
            opening = read_opening(event, catalogue)
            if isinstance(opening, Opening) and is_cancelled(event):
                return None if _is_replaced(opening, events) else opening
            return opening

        return read

    def origin_of(self, event: CalendarEvent) -> str:
        """The origin contains the time, so a moved opening counts as another one."""
        return origin_of(event)

    def items(self, start: datetime, end: datetime) -> Sequence[Slot]:
        return self._wl.slots_between(start, end)

    def is_open(self, item: Slot) -> bool:
        """Whether the time is still open, in this slot or in a later one with the same time."""
        return last_of(self._wl, item).status is SlotStatus.OPEN

    def put(
        self, origin: str, event: CalendarEvent, meant: Opening, item: Slot | None, report: Report
    ) -> None:
        """Frees a new or changed opening. A later slot than `item` may have the time already."""
        if item is None:
            self._free(origin, event, meant, report)
            return
        last, is_same = last_of(self._wl, item), _is_same_opening(item.opening, meant)
        if last.status is SlotStatus.BOOKED:
            if not is_same:
                why = "It was changed, but it is booked as it was before."
                report.problem(event.title, event.starts_at, why)
        elif not is_same:
            if last.status is not SlotStatus.OPEN or self._take_back(last, report):
                self._free(following(item.origin), event, meant, report)
        elif last.status is SlotStatus.HANDED_BACK and self._taken_back_by_us(last):
            self._free(following(item.origin), event, meant, report)

    def remove(self, item: Slot, report: Report) -> None:
        last = last_of(self._wl, item)
        if last.status is SlotStatus.OPEN:
            self._take_back(last, report)
        elif last.status is SlotStatus.BOOKED:
            why = "It is gone from the calendar, but somebody has booked it."
            report.problem(last.opening.service, last.opening.starts_at, why)

    def halted(self, missing: int, at: datetime) -> Fact:
        return CalendarHalted(missing, at)

    def _free(self, origin: str, event: CalendarEvent, opening: Opening, report: Report) -> None:
        outcome = self.intake.free(origin, opening, by=BY)
        if not isinstance(outcome, Refused):
            report.did += 1
        elif outcome.reason is not Reason.ALREADY_FREED:
            why = _REFUSED.get(outcome.reason, "It was not taken.")
            report.problem(event.title, event.starts_at, why)

    def _take_back(self, slot: Slot, report: Report) -> bool:
        """Takes the slot back; False if it is no longer open, which the next sync reports."""
        now = self.intake.clock.now()
        outcome = self.intake.engine.run(TakeBackSlot(slot.id), by=BY, now=now)
        done = not isinstance(outcome, Refused)
        report.did += done
        return done

    def _taken_back_by_us(self, slot: Slot) -> bool:
        facts = self._wl.facts(slot.id)
        return any(each.by == BY for each in facts if isinstance(each.fact, SlotHandedBack))


def _is_replaced(opening: Opening, events: Sequence[CalendarEvent]) -> bool:
    """Whether another appointment takes the time of a cancelled one."""
    words = (opening.staff or opening.service).split()[0].casefold()
    return any(
        is_appointment(other)
        and other.starts_at is not None
        and other.starts_at < opening.ends_at
        and (other.ends_at or other.starts_at + opening.duration) > opening.starts_at
        and words in other.title.casefold()
        for other in events
    )


def _is_same_opening(one: Opening, other: Opening) -> bool:
    """Whether both are the same, apart from the price, which comes from the catalogue."""
    return replace(one, price_cents=0) == replace(other, price_cents=0)


_REFUSED: Final[Mapping[object, str]] = {
    Reason.NO_SUCH_SERVICE: "There is no such service. Use a name that is listed under Services.",
    Reason.BEGUN: "Its time has begun.",
    Reason.BAD_SLOT: "It makes no sense as a slot.",
    Reason.OVERLAPS: "There is another slot at this time, with the same staff member or place.",
    Reason.TAKEN: "Somebody is booked at this time, or it is held, with the same staff member.",
}
