"""The pages of proposed appointments: staff check the values that were read, and approve or discard
them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final
from zoneinfo import ZoneInfo

from starlette.requests import Request
from starlette.routing import BaseRoute

from frontdesk.core.localtime import parse_day
from frontdesk.core.people import PersonId
from frontdesk.core.phones import shown
from frontdesk.desks.reminders.commands import ApproveProposal
from frontdesk.desks.reminders.console.page import (
    PROPOSED,
    REMINDERS,
    appointment_url,
    reminder_page,
    zone_of,
)
from frontdesk.desks.reminders.console.rows import FORM, at_same_time, refusal, schema_of
from frontdesk.desks.reminders.decide.proposals import PROPOSALS
from frontdesk.desks.reminders.model import AppointmentSource
from frontdesk.features.proposals.console import ProposalConsole, ProposalTexts
from frontdesk.features.proposals.model import Proposal
from frontdesk.features.sheet_sync.form import Values
from frontdesk.values import replace
from frontdesk.web.console.formatting import Chip, short_date
from frontdesk.web.console.lists import Column
from frontdesk.web.console.shell import form_of
from frontdesk.web.site import site_of

#: Maps the reader's field names to the form's.
FIELDS: Final = {
    "name": "name",
    "phone": "mobile",
    "email": "email",
    "service": "service",
    "date": "date",
    "time": "time",
    "minutes": "minutes",
    "staff": "staff",
}
LABELS: Final = {name: label for name, (_, label) in FORM.columns.items()}
TEXTS: Final = ProposalTexts(
    lead="Appointments that were read from mails and calendars. Reminders go out once you approve.",
    empty="Forward the confirmation of an appointment by mail: it is read, and waits here for your"
    " approval.",
    became="Approved",
    approved="This is an appointment.",
    see="See the appointment",
    not_yet="Not approved yet: a few things need a look.",
    would_be="The appointment",
    approve="Approve",
    done="Approved. Its reminders go out in time.",
    discarding="There will be no appointment, and nobody is told.",
    tab="To approve",
    noun="proposal",
)
_THERE: Final = "They have an appointment at this time already."


def routes() -> list[BaseRoute]:
    return ProposalConsole(
        path=PROPOSED,
        desk=PROPOSALS,
        name=("Reminders", REMINDERS),
        texts=TEXTS,
        fields=FIELDS,
        labels=LABELS,
        columns=(
            Column("service", "Service", lambda one: one.value("service")),
            Column("when", "When", _when),
        ),
        readiness=_readiness,
        became_url=appointment_url,
        template="proposal.html",
        values=read_values,
        context=_context,
        approval=_approval,
        refusal=refusal,
        page=reminder_page,
        zone=zone_of,
    ).routes()


def _when(proposal: Proposal) -> str:
    """'Mon 30 Nov 2026, 10:00'; what was not read is left out."""
    on, clock = proposal.value("date"), proposal.value("time")
    try:
        day = parse_day(on)
    except ValueError:
        return ", ".join(filter(None, (on, clock)))
    return ", ".join(filter(None, (f"{short_date(day)} {day.year}", clock)))


def _readiness(proposal: Proposal) -> Chip:
    needed = all(proposal.value(name) for name in ("name", "service", "date", "time"))
    is_ready = needed and bool(proposal.value("email") or proposal.value("phone"))
    return Chip("Ready", "good") if is_ready else Chip("Incomplete", "waiting")


def read_values(proposal: Proposal, _tz: ZoneInfo) -> Values:
    """Fills the form with the values that were read."""
    values = dict.fromkeys(FORM.columns, "")
    values |= {FIELDS[one.name]: one.value for one in proposal.fields if one.name in FIELDS}
    values["mobile"] = values["mobile"] and shown(values["mobile"])
    values["tags"] = proposal.value("tags")
    return values


def _context(request: Request, _proposal: Proposal, _values: Mapping[str, str]) -> dict[str, Any]:
    catalogue = schema_of(request).catalogue
    return {"services": [one.name for one in catalogue.services], "team": list(catalogue.staff)}


def _approval(
    request: Request, proposal: Proposal
) -> tuple[Values, ApproveProposal | Mapping[str, str]]:
    form, schema, site = form_of(request), schema_of(request), site_of(request)
    values = {field: form[field].strip() for field in FORM.columns}
    typed = FORM.read(values, schema)
    if typed.errors:
        return values, typed.errors
    source = AppointmentSource.CALENDAR if proposal.origin else AppointmentSource.MAIL
    ref, fields = proposal.origin or proposal.id, schema.complete(typed.fields)
    record = schema.record(fields, source, ref, PersonId(site.new_id()))
    if at_same_time(request, record) is not None:
        return values, {"time": _THERE}
    # A mail does not prove who wrote it, so it corrects nobody's contact.
    return values, ApproveProposal(proposal.id, replace(record, corrects=False))
