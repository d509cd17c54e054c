"""The frame of the reminders desk's console pages, and lookups that they share."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from typing import Any, Final
from zoneinfo import ZoneInfo

from starlette.requests import Request
from starlette.responses import Response

from frontdesk.core.localtime import zone
from frontdesk.core.people import Person
from frontdesk.core.phones import shown
from frontdesk.desks.reminders.figures import customer_record
from frontdesk.desks.reminders.load import Loader, reminder_reads
from frontdesk.desks.reminders.model import Appointment, AppointmentId, AppointmentState
from frontdesk.desks.reminders.reads import ReminderReads
from frontdesk.engine.ports import Reads
from frontdesk.engine.stories import ERASED
from frontdesk.features.proposals.model import ProposalStatus
from frontdesk.values import Frozen
from frontdesk.web.console.formatting import Chip, badge_number, short_time
from frontdesk.web.console.shell import DeskFrame
from frontdesk.web.shared_objects import SharedKey
from frontdesk.web.site import or_404, site_of

REMINDERS: Final = "/console/reminders"
PROPOSED: Final = f"{REMINDERS}/proposed"
MOST_PROPOSED: Final = 50
#: The key in `Site.shared` of the loader, whose planner computes when messages go out.
LOADER: Final = SharedKey[Loader]("ar.loader")


class SourcePages(Frozen):
    """The pages of an appointment at the desk that it comes from."""

    see_url: str
    move_url: str


#: The key in `Site.shared` of a function that finds these pages. It returns None if another program
#: manages the appointment.
SOURCE_PAGES: Final = SharedKey[Callable[[Appointment], SourcePages | None]]("ar.source_pages")

CHIPS: Final[Mapping[AppointmentState, Chip]] = {
    AppointmentState.EXPECTED: Chip("No answer yet", "waiting"),
    AppointmentState.CONFIRMED: Chip("Confirmed", "good"),
    AppointmentState.CANCELLED: Chip("Cancelled", "gone"),
    AppointmentState.NO_SHOW: Chip("No-show", "gone"),
    AppointmentState.CAME: Chip("Came", "good"),
}
WANTS_TO_MOVE: Final = Chip("Wants another time", "ending")

_FRAME: Final = DeskFrame(
    name="Reminders",
    path=REMINDERS,
    tabs=(
        ("Appointments", REMINDERS),
        ("To approve", PROPOSED),
        ("Going out next", f"{REMINDERS}/next"),
        ("Weeks", f"{REMINDERS}/weeks"),
        ("Messages", f"{REMINDERS}/voice"),
        ("Wordings", f"{REMINDERS}/wordings"),
        ("Rules", f"{REMINDERS}/rules"),
    ),
    tabs_label="Reminders",
    templates="reminders/console",
)


def ar_of(request: Request) -> ReminderReads:
    return reminder_reads(site_of(request).reads())


def appointment_of(request: Request) -> Appointment:
    """The appointment that the URL names; raises 404 if there is none."""
    return or_404(ar_of(request).appointment(AppointmentId(request.path_params["appointment"])))


def appointment_url(appointment_id: str) -> str:
    return f"{REMINDERS}/one/{appointment_id}"


def zone_of(request: Request) -> ZoneInfo:
    return zone(ar_of(request).rules().zone)


def reminder_page(
    request: Request, template: str, *, tab: str, page_title: str, **context: Any
) -> Response:
    """Renders a page of the desk in its frame."""
    badges = {"To approve": open_proposals(ar_of(request))}
    return _FRAME.page(request, template, tab=tab, page_title=page_title, badges=badges, **context)


def open_proposals(ar: ReminderReads) -> str:
    """The number of proposed appointments as text; empty if there are none."""
    return badge_number(len(ar.proposals(ProposalStatus.OPEN, MOST_PROPOSED)), MOST_PROPOSED)


def badge(reads: Reads) -> str:
    return open_proposals(reminder_reads(reads))


def record_lines(
    visits: Iterable[Appointment], tz: ZoneInfo, now: datetime
) -> list[tuple[str, str]]:
    """A customer's record: visits, no-shows, cancellations and the last visit."""
    record = customer_record(visits, now)
    seen_at = record.last_seen_at
    return [
        ("Visits", f"{record.visits:,}"),
        ("No-shows", f"{record.no_shows:,}"),
        ("Cancelled", f"{record.cancelled:,}"),
        ("Last seen", short_time(seen_at, tz) or "Not yet"),
    ]


def chip_of(appointment: Appointment) -> Chip:
    if wants_to_move(appointment):
        return WANTS_TO_MOVE
    return CHIPS[appointment.state]


def wants_to_move(appointment: Appointment) -> bool:
    is_expected = appointment.state is AppointmentState.EXPECTED
    return is_expected and appointment.answered_at is not None


def customer(person: Person | None) -> str:
    if person is None or person.erased:
        return ERASED
    return person.name or shown(person.mobile) or person.email


def name_on(appointment: Appointment, person: Person | None) -> str:
    """The name at the source, such as a child's; otherwise the name of the customer."""
    return appointment.name or customer(person)


def day_and_time(appointment: Appointment, tz: ZoneInfo) -> str:
    return short_time(appointment.starts_at, tz)
