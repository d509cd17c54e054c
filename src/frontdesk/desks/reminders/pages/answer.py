"""The page behind the links of a reminder: the visits of the message, and the answers to each.

GET shows; POST answers and redirects to the GET, which shows the current state.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any, Final

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from frontdesk.core.localtime import to_wall, zone
from frontdesk.core.occasions import Occasion, Tone, occasion
from frontdesk.desks.reminders.commands import AskToMove, Cancel, Confirm, ReplyCommand
from frontdesk.desks.reminders.links import AnswerLink, Purpose, answer_link
from frontdesk.desks.reminders.load import reminder_reads
from frontdesk.desks.reminders.model import (
    Appointment,
    AppointmentId,
    AppointmentState,
    Means,
    Reminder,
    Reply,
    ReplyAction,
    Window,
    nonce_of,
)
from frontdesk.desks.reminders.reads import ReminderReads
from frontdesk.desks.reminders.rules import ReminderRules
from frontdesk.engine.ports import Reads
from frontdesk.values import Frozen
from frontdesk.web.forms import Form
from frontdesk.web.links import OpenedLink, link_expired, link_outdated
from frontdesk.web.shared_objects import SharedKey
from frontdesk.web.site import Site, site_of

MOST_WISHES: Final = 1_000
MoveUrl = Callable[[Reads, Appointment], str]
#: The key in `Site.shared` of a function that returns the URL of the page with free times for an
#: appointment; empty if free times are not known.
MOVE_URL: Final = SharedKey[MoveUrl]("ar.move_url")
#: The key in `Site.shared` of the URL where customers book; not set if they cannot.
BOOK_URL: Final = SharedKey[str]("ar.book_url")
#: The answers that each link allows. Only `ANSWER` allows all of them.
_ALLOWED: Final = {
    Purpose.ANSWER: ("confirm", "move", "cancel"),
    Purpose.CONFIRM: ("confirm",),
    Purpose.MOVE: ("move",),
    Purpose.CANCEL: ("cancel",),
}


class Visit(Frozen, kw_only=True):
    """The current rows for one opened link."""

    site: Site
    request: Request
    path: str
    link: AnswerLink
    appointments: Sequence[Appointment]
    """The appointments of the message, the link's own first."""
    windows: Mapping[AppointmentId, Window]
    """For each other appointment, the window that the message settled."""
    replies: Mapping[AppointmentId, Sequence[Reply]]
    """The answers of each appointment in its current chain."""
    rules: ReminderRules
    now: datetime


class AppointmentCard(Frozen, kw_only=True):
    """One appointment as the page shows it."""

    id: str
    what: Occasion
    iso_date: str
    state: str
    lead: str
    """The next step, shown below the state."""
    tone: str
    """Empty while the page asks for an answer."""
    can_answer: bool
    is_confirmed: bool
    asked_to_move: bool
    spent: Collection[str]
    """The actions that the customer has already used with this message."""
    can_change: bool
    move_url: str


def at_message(request: Request, opened: OpenedLink) -> Visit | Response:
    link, site = answer_link(opened.link), site_of(request)
    reads = site.reads()
    ar = reminder_reads(reads)
    one = ar.appointment(link.appointment_id) if link else None
    person = ar.person(one.person_id) if one else None
    if link is None or one is None or person is None or person.erased:
        return _outdated(request)
    if person.contact_version % (1 << 16) != link.version or _was_of_another(ar, one, link):
        return _outdated(request)
    if opened.expired:
        return link_expired(request, f"It was for {one.service}.", _book_link(site))
    others = _others_of_message(ar, one, link)
    appointments = (one, *(each for each, _ in others))
    return Visit(
        site=site,
        request=request,
        path=opened.path,
        link=link,
        appointments=appointments,
        windows={each.id: row.window for each, row in others},
        replies={each.id: _replies(ar, each) for each in appointments},
        rules=ar.rules(),
        now=site.clock.now(),
    )


def _replies(ar: ReminderReads, one: Appointment) -> Sequence[Reply]:
    return [each for each in ar.replies_of(one.id) if each.chain == one.chain]


def _has_wished(replies: Iterable[Reply]) -> bool:
    """Whether the customer has sent wishes on this page. Wishes by text or mail do not count,
    because the reply to these contains a link to this page."""
    return any(each.action is ReplyAction.MOVE and each.means is Means.LINK for each in replies)


def _was_of_another(ar: ReminderReads, one: Appointment, link: AnswerLink) -> bool:
    """Whether the message went to another customer, to whom the row of the sheet belonged
    before."""
    if link.chain == one.chain:
        return False
    told = [each for each in ar.archived_reminders(one.id) if each.chain == link.chain]
    return any(each.person_id != one.person_id for each in told)


def _others_of_message(
    ar: ReminderReads, one: Appointment, link: AnswerLink
) -> Sequence[tuple[Appointment, Reminder]]:
    """The other visits of the message, for an `ANSWER` link. Other links are about one
    visit only."""
    if link.purpose is not Purpose.ANSWER or link.chain != one.chain:
        return ()
    return [
        (each, row)
        for each in ar.appointments_of(one.person_id)
        for row in ar.reminders_of(each.id)
        if each.id != one.id and row.is_of(one.id, link.window)
    ]


def show(visit: Visit) -> Response:
    allowed = _ALLOWED[visit.link.purpose]
    wanted = visit.request.query_params.get("do", "")
    asked = wanted if wanted in allowed else allowed[0]
    cards = [_card(visit, each) for each in visit.appointments]
    is_several = len(cards) > 1
    if asked == "move" and cards[0].can_change and cards[0].move_url:
        return RedirectResponse(cards[0].move_url, 303)
    title = _title(visit, cards[0], asked) if not is_several else "Your appointments"
    return visit.site.renderer.page(
        "reminders/answer.html",
        visit.now,
        page_title=title,
        title=title,
        path=visit.path,
        cards=cards,
        asked="confirm" if is_several else asked,
        allowed=allowed,
        is_several=is_several,
        is_moved=visit.link.chain != visit.appointments[0].chain,
        book_url=visit.site.shared.get(BOOK_URL) or "",
        most_wishes=MOST_WISHES,
    )


def _title(visit: Visit, card: AppointmentCard, asked: str) -> str:
    if visit.link.chain != visit.appointments[0].chain:
        return "Your appointment has a new time."
    if not card.can_answer:
        return card.state
    if asked == "cancel":
        return "Cancel this appointment?"
    if card.asked_to_move:
        return card.state
    if asked == "move":
        return "Ask for another time"
    is_asking = card.state == _ASKING.state
    return card.state if card.is_confirmed or is_asking else "Are you coming?"


class StateText(Frozen):
    state: str
    lead: str = ""
    tone: str = ""


_OVER: Final = StateText("This appointment is over.", tone=Tone.GONE.value)
_STATES: Final = {
    AppointmentState.EXPECTED: StateText("Please answer."),
    AppointmentState.CONFIRMED: StateText("You're coming. See you then.", tone=Tone.GOOD.value),
    AppointmentState.CANCELLED: StateText(
        "This appointment is cancelled.", "You don't have to do anything else.", Tone.GONE.value
    ),
    AppointmentState.NO_SHOW: _OVER,
    AppointmentState.CAME: _OVER,
}
_ASKING: Final = StateText(
    "You asked for another time.", "Your appointment stays as it is until then.", Tone.WAITING.value
)
_WISHES: Final = StateText(
    "We got your wishes, and will be in touch.",
    "Your appointment stays as it is until then.",
    Tone.WAITING.value,
)


def _card(visit: Visit, one: Appointment) -> AppointmentCard:
    rules, tz = visit.rules, zone(visit.rules.zone)
    cut_off = rules.schedule(one.service).cut_off
    is_newest = visit.link.chain == visit.appointments[0].chain
    can_answer = one.is_live and visit.now < one.starts_at and is_newest
    is_asking = one.state is AppointmentState.EXPECTED and one.answered_at is not None
    replies = visit.replies[one.id]
    nonce = nonce_of(one.chain, visit.windows.get(one.id, visit.link.window))
    asked_to_move = is_asking and _has_wished(replies)
    text = _WISHES if asked_to_move else _ASKING if is_asking else _STATES[one.state]
    where = f"with {one.staff}" if one.staff else ""
    move_url = visit.site.shared.get(MOVE_URL)
    return AppointmentCard(
        id=one.id,
        what=occasion(one.service, one.starts_at, one.ends_at, rules.zone, where),
        iso_date=to_wall(one.starts_at, tz).date().isoformat(),
        state=text.state,
        lead=text.lead,
        tone=text.tone,
        can_answer=can_answer,
        is_confirmed=one.state is AppointmentState.CONFIRMED,
        asked_to_move=asked_to_move,
        spent=[each.action.value for each in replies if each.nonce == nonce],
        can_change=can_answer and visit.now <= one.starts_at - cut_off,
        move_url=move_url(visit.site.reads(), one) if move_url and can_answer else "",
    )


async def act(visit: Visit, form: Form) -> Response | None:
    """Runs the answer for one visit of the message. The page then shows the current state."""
    wanted = form["visit"] or visit.link.appointment_id
    one = next((each for each in visit.appointments if each.id == wanted), None)
    command = None if one is None else _command(visit, one, form)
    if command is not None:
        await visit.site.run(command, by=f"guest:{visit.appointments[0].person_id}")
    return None


def _command(visit: Visit, one: Appointment, form: Form) -> ReplyCommand | None:
    """The command for a press of a button. A link of an older chain has an older nonce, so it is
    refused."""
    is_of_link = one.id == visit.link.appointment_id
    chain = visit.link.chain if is_of_link else one.chain
    window = visit.windows.get(one.id, visit.link.window)
    named: dict[str, Any] = {
        "appointment_id": one.id,
        "chain": chain,
        "nonce": nonce_of(chain, window),
        "means": Means.LINK,
    }
    if form["do"] not in _ALLOWED[visit.link.purpose]:
        return None
    match form["do"]:
        case "confirm":
            return Confirm(**named)
        case "cancel":
            return Cancel(**named)
        case "move":
            return AskToMove(**named, wishes=form["wishes"][:MOST_WISHES])
        case _:
            return None


def _outdated(request: Request) -> Response:
    return link_outdated(request, _book_link(site_of(request)))


def _book_link(site: Site) -> tuple[str, str] | None:
    url = site.shared.get(BOOK_URL)
    return (url, "To the booking page") if url else None
