"""The rows for one message of the reminders desk, and values that several messages share."""

from __future__ import annotations

from datetime import datetime
from functools import cached_property
from typing import Final

from frontdesk.core.localtime import spoken_start, to_wall, zone
from frontdesk.core.occasions import Occasion, occasion
from frontdesk.desks.reminders.links import AnswerLinks
from frontdesk.desks.reminders.load import reminder_reads
from frontdesk.desks.reminders.model import Appointment, AppointmentId, Window
from frontdesk.desks.reminders.rules import ReminderRules
from frontdesk.features.messages.kinds import MessageContext
from frontdesk.features.messages.samples import SAMPLE_TELL_US, VISIT_SAMPLE

CONSOLE_LINK: Final = "https://salon.example/console"
#: Sample values of placeholders.
SAMPLE: Final = {
    **VISIT_SAMPLE,
    "how_soon": "tomorrow at 15:00",
    "day_and_time": "tomorrow at 15:00",
    "tell_us": SAMPLE_TELL_US,
}


class ReminderContext(MessageContext):
    """One send about an appointment, which may have changed since it was queued."""

    @cached_property
    def rules(self) -> ReminderRules:
        return reminder_reads(self.reads).rules()

    @cached_property
    def appointment(self) -> Appointment | None:
        return reminder_reads(self.reads).appointment(AppointmentId(self.send.subject))

    @cached_property
    def open_visits(self) -> list[Appointment]:
        """The visits of a reminder that are still unanswered, by their start."""
        together = str(self.send.params.get("together", ""))
        found = self.visits(f"{self.send.subject} {together}")
        return [each for each in found if each.is_unanswered]

    def visits(self, ids: str) -> list[Appointment]:
        """The visits with these ids that will still take place, by their start."""
        ar = reminder_reads(self.reads)
        rows = (ar.appointment(AppointmentId(each)) for each in ids.split())
        found = [each for each in rows if each and each.is_live and self.now < each.starts_at]
        return sorted(found, key=lambda each: (each.starts_at, each.id))

    def own_window(self, one: Appointment, window: Window) -> Window:
        """The window that the message of `window` settled for this visit."""
        rows = reminder_reads(self.reads).reminders_of(one.id)
        lead = AppointmentId(self.send.subject)
        return next((each.window for each in rows if each.is_of(lead, window)), window)

    def links(self, window: Window) -> AnswerLinks:
        sender, version = self.sender, self.person.contact_version
        return AnswerLinks(sender.links_url, sender.keys, window, version)

    def when(self, at: datetime) -> str:
        return spoken_start(at, zone(self.rules.zone))

    def values(self, one: Appointment) -> dict[str, str]:
        phone = self.sender.contact.phone
        return {
            "service": one.service,
            "with_staff": f"with {one.staff}" if one.staff else "",
            "when": self.when(one.starts_at),
            "how_soon": self.how_soon(one),
            "day_and_time": self.day_and_time(one),
            "tell_us": f"Please call {phone}." if phone else "Please tell us.",
            "console_link": f"{self.sender.console_url}/console",
        }

    def how_soon(self, one: Appointment) -> str:
        tz = zone(self.rules.zone)
        start = to_wall(one.starts_at, tz)
        match (start.date() - to_wall(self.now, tz).date()).days:
            case 0:
                return f"today at {start:%H:%M}"
            case 1:
                return f"tomorrow at {start:%H:%M}"
            case days:
                return f"in {days} days"

    def day_and_time(self, one: Appointment) -> str:
        """'tomorrow at 15:00', or 'Friday 20 November at 15:00'."""
        start = to_wall(one.starts_at, zone(self.rules.zone))
        soon = self.how_soon(one)
        is_far = soon.startswith("in ")
        return f"{start:%A} {start.day} {start:%B} at {start:%H:%M}" if is_far else soon

    def occasion(self, one: Appointment) -> Occasion:
        where = self.sender.contact.address
        return occasion(one.service, one.starts_at, one.ends_at, self.rules.zone, where)


def context_of(base: MessageContext) -> ReminderContext:
    return ReminderContext(base.sender, base.reads, base.send, base.person, base.now)
