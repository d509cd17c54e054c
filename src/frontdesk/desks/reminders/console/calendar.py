"""The console page of the calendars with appointments."""

from __future__ import annotations

from typing import Final

from starlette.requests import Request

from frontdesk.desks.reminders.commands import SettleCalendar
from frontdesk.desks.reminders.console.page import (
    REMINDERS,
    ar_of,
    day_and_time,
    name_on,
    reminder_page,
    zone_of,
)
from frontdesk.desks.reminders.model import CODE, AppointmentId
from frontdesk.features.calendars.console import CalendarConsole, CalendarTexts


def _name_of(request: Request, appointment_id: str) -> str:
    one = ar_of(request).appointment(AppointmentId(appointment_id))
    if one is None:
        return ""
    who = name_on(one, ar_of(request).person(one.person_id))
    return f"{who}, {one.service}, {day_and_time(one, zone_of(request))}"


CALENDAR: Final = CalendarConsole(
    CODE,
    path=f"{REMINDERS}/calendar",
    tab="Appointments",
    texts=CalendarTexts(
        title="Calendars with appointments",
        item="appointment",
        on_trouble="Appointments that came from it stay as they are.",
        on_missing="No appointment is cancelled before you say so",
        remove="Cancel them",
        remove_question="Cancel these appointments?",
        removed="They are cancelled.",
        keep="Keep the appointments",
        kept="They stay appointments.",
        how_to="Write #appt into the description of an event, with the customer's name, and a"
        " mobile or an e-mail address.",
        connect="Describe it in calendars.toml in the data folder, with"
        ' appointments = "proposed" or "trusted".',
    ),
    page=reminder_page,
    zone=zone_of,
    name_of=_name_of,
    settle=SettleCalendar,
)
