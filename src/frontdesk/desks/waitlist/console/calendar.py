"""The console page of the calendar in which staff put openings."""

from __future__ import annotations

from typing import Final

from starlette.requests import Request

from frontdesk.desks.waitlist.commands import SettleCalendar
from frontdesk.desks.waitlist.console.formatting import service_and_staff, when
from frontdesk.desks.waitlist.console.page import WAITLIST, waitlist_page, wl_of, zone_of
from frontdesk.desks.waitlist.model import SlotId
from frontdesk.features.calendars.console import CalendarConsole, CalendarTexts
from frontdesk.web.console.sections import ConsoleSection, SettingsLink
from frontdesk.web.site import site_of


def _name_of(request: Request, slot_id: str) -> str:
    slot = wl_of(request).slot(SlotId(slot_id))
    return f"{service_and_staff(slot)}, {when(slot, site_of(request).clock.now())}" if slot else ""


OPENINGS: Final = CalendarConsole(
    "wl",
    path=f"{WAITLIST}/calendar",
    tab="Board",
    texts=CalendarTexts(
        title="Calendar of openings",
        item="opening",
        on_trouble="Slots that came from it stay as they are.",
        on_missing="No slot is taken back before you say so",
        remove="Take them back",
        remove_question="Take these slots back?",
        removed="They are taken back.",
        keep="Keep them as slots",
        kept="They stay slots.",
        how_to="Put an event into the calendar with a title like “Free: Cut with Mia”. It is"
        " offered to the first on the list whom it suits.",
        connect="Give its address in the setting calendar_url.",
    ),
    page=waitlist_page,
    zone=zone_of,
    name_of=_name_of,
    settle=SettleCalendar,
)
#: Installed only if the calendar is set up.
SECTION: Final = ConsoleSection(
    today=(OPENINGS.today,),
    settings=(
        SettingsLink(
            OPENINGS.texts.title,
            "When it was read last, and what in it needs a look.",
            OPENINGS.path,
        ),
    ),
)
