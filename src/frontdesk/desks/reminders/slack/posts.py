"""The reminders desk's messages in Slack: gaps that staff can still fill."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from functools import partial
from typing import Final

from frontdesk.channels.slack.client import Post, escaped
from frontdesk.core.contacts import plain_name
from frontdesk.core.localtime import spoken_start, zone
from frontdesk.core.people import Person
from frontdesk.core.phones import shown
from frontdesk.desks.reminders.facts import GapReason, WeekSummedUp
from frontdesk.desks.reminders.load import reminder_reads
from frontdesk.desks.reminders.model import Appointment, AppointmentId, AppointmentState
from frontdesk.desks.reminders.slack.news import GAP, WEEK
from frontdesk.desks.reminders.weeks import figures_text, summary
from frontdesk.engine.ports import Reads
from frontdesk.features.slack.posts import SlackMessage, news, short

_SAYS: Final[Mapping[GapReason, str]] = {
    GapReason.UNANSWERED: "has not answered",
    GapReason.CANCELLED: "cancelled",
}
_STATES: Final[Mapping[GapReason, AppointmentState]] = {
    GapReason.UNANSWERED: AppointmentState.EXPECTED,
    GapReason.CANCELLED: AppointmentState.CANCELLED,
}


def messages(console_at: str) -> Mapping[str, SlackMessage]:
    return {
        GAP: SlackMessage(partial(_gap, console_at)),
        WEEK: SlackMessage(partial(_week, console_at)),
    }


def _gap(console_at: str, reads: Reads, subject: str, now: datetime) -> Post | None:
    """Names the customer, the visit and how to reach them; None if the gap has closed meanwhile."""
    appointment_id, chain, why = subject.split("/")
    reason, ar = GapReason(why), reminder_reads(reads)
    one = ar.appointment(AppointmentId(appointment_id))
    if one is None or one.chain != int(chain) or one.starts_at <= now:
        return None
    if one.state is not _STATES[reason]:
        return None
    person = ar.person(one.person_id)
    is_known = person is not None and not person.erased
    name = one.name or (plain_name(person.name) if person and is_known else "")
    when = spoken_start(one.starts_at, zone(ar.rules().zone))
    what = f"{one.service} with {one.staff}" if one.staff else one.service
    sentence = (
        f"*{escaped(short(name or 'Somebody'))}* {_SAYS[reason]}: {escaped(short(what))}, {when}."
        f" {escaped(short(_reach(one, person)))}"
    )
    url = f"{console_at}/console/reminders/one/{one.id}"
    return news(sentence, "See the appointment", url)


def _reach(one: Appointment, person: Person | None) -> str:
    known = (shown(person.mobile), person.email) if person else ()
    ways = ", ".join(filter(None, (*known, one.phone)))
    return f"You reach them at {ways}." if ways else "We know no way to reach them."


def _week(console_at: str, reads: Reads, subject: str, _now: datetime) -> Post | None:
    """The summary of the week with its figures. Does not name customers."""
    newest = reminder_reads(reads).newest_facts("reminders", WeekSummedUp.kind)
    facts = (each.fact for each in newest)
    found = next(
        (each for each in facts if isinstance(each, WeekSummedUp) and f"{each.week}" == subject),
        None,
    )
    if found is None:
        return None
    says = found.paragraph or summary(found.week, found.figures)
    text = f"{escaped(says)}\n{figures_text(found.figures)}"
    return news(text, "See the weeks", f"{console_at}/console/reminders/weeks?week={found.week}")
