"""Shows what needs attention now, then the rest of the day."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Final

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from frontdesk.core.members import Role
from frontdesk.core.people import Person
from frontdesk.core.sends import SendState
from frontdesk.core.words import count
from frontdesk.desks.admin.console.page import zone_of
from frontdesk.desks.admin.desk import OWNER_EMAIL
from frontdesk.desks.admin.load import admin
from frontdesk.desks.admin.reads import MailFilter, MessageFilter
from frontdesk.desks.admin.refused_mail import way_out, why_no_mail, without_mail
from frontdesk.engine.ports import Reads
from frontdesk.web.console.sections import TodayCard, shell_of
from frontdesk.web.console.shell import console_page, nav_url, signed_in, staff
from frontdesk.web.site import site_of

#: Urgent cards come first, then those that wait for a decision; in each rank the earliest.
_RANKS: Final = {"ending": 0, "waiting": 1}
_HELD: Final = frozenset({SendState.HELD})
_AT_ANY_TIME: Final = datetime.min.replace(tzinfo=UTC)


def routes() -> list[BaseRoute]:
    return [Route("/console", staff(today, role=Role.HOST), methods=["GET"])]


async def today(request: Request) -> Response:
    member = signed_in(request).member
    if member.role is Role.HOST:
        return _to_their_event(request)
    site = site_of(request)
    now, tz = site.clock.now(), zone_of(request)
    cards = cards_of_all(request)
    cards.sort(key=urgency)
    return console_page(
        request,
        "admin/today.html",
        page_title="Today",
        active="/console",
        date=f"{now.astimezone(tz):%A}, {now.astimezone(tz).day} {now.astimezone(tz):%B}",
        needs=[card for card in cards if card.needs_you],
        day=[card for card in cards if not card.needs_you],
        first_steps=_first_steps(request, member.email),
    )


def urgency(card: TodayCard) -> tuple[int, datetime]:
    """Returns the sort key of a card."""
    return _RANKS.get(card.state, len(_RANKS)), card.at or _AT_ANY_TIME


def cards_of_all(request: Request) -> list[TodayCard]:
    """Returns the current cards of every desk."""
    site = site_of(request)
    now = site.clock.now()
    return [card for source in shell_of(request).today for card in source(site.reads(), now)]


def _to_their_event(request: Request) -> Response:
    member = signed_in(request).member
    items = sorted(shell_of(request).nav, key=lambda item: item.order)
    return RedirectResponse(next(url for item in items if (url := nav_url(item, member))), 303)


def _first_steps(request: Request, email: str) -> list[TodayCard]:
    """Lists the steps that a new installation still needs."""
    steps, site = [], site_of(request)
    business = admin(site.reads()).business()
    if not business.name:
        why = "Its name and colour are on every page and in every mail."
        steps.append(
            TodayCard(
                title="Name your business",
                text=why,
                url="/console/settings",
                button="Open the settings",
                icon="settings",
            )
        )
        steps.append(
            TodayCard(
                title="Check your time zone and country",
                text=f"The console shows times of {business.zone}. Phone numbers without a country "
                f"code are read as numbers of {site.settings.country}.",
                url="/console/settings",
                button="Check them",
                icon="clock",
            )
        )
    if email == OWNER_EMAIL:
        why = "Then you can sign in by mail from anywhere, and are told what matters."
        steps.append(
            TodayCard(
                title="Give your own address",
                text=why,
                url="/console/you",
                button="Enter your address",
                icon="messages",
            )
        )
    return steps


def cards(reads: Reads, _now: datetime) -> Sequence[TodayCard]:
    """Lists problems, messages and held mail that need attention."""
    fd = admin(reads)
    found = [_no_mail(person) for person in without_mail(reads)]
    if problems := fd.problem_count() + sum(each.is_shown for each in fd.troubles()):
        found.append(
            TodayCard(
                title=count(problems, "problem") + " to look at",
                text="Something could not be done, also after several tries.",
                url="/console/problems",
                button="See the problem" if problems == 1 else "See the problems",
                icon="alert",
                state="ending",
            )
        )
    if waiting := fd.mail_count(MailFilter(for_a_person=True)):
        found.append(
            TodayCard(
                title=count(waiting, "message") + " for a person to answer",
                text="Somebody has answered one of our mails or texts, or written to us.",
                url="/console/messages/in?state=person",
                button="Read the message" if waiting == 1 else "Read the messages",
                icon="messages",
                state="ending",
            )
        )
    if held := fd.message_counts(MessageFilter(states=_HELD)).get(SendState.HELD, 0):
        found.append(
            TodayCard(
                title=count(held, "message") + " held until quiet hours end",
                text="They go out by themselves.",
                url="/console/messages?state=held",
                button="See the messages",
                icon="hourglass",
                state="waiting",
                needs_you=False,
            )
        )
    return found


def _no_mail(person: Person) -> TodayCard:
    return TodayCard(
        title=f"{person.name} of your team gets no mail",
        text=f"{why_no_mail(person)} {way_out(person)}",
        url=f"/console/people/{person.id}",
        button="See the person",
        icon="alert",
        state="ending",
    )
