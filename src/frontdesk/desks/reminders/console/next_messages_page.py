"""Going out next: messages of seven days, with warnings and cost; pause, send now, preview."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import Final

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from frontdesk.core.messages import Message, Text
from frontdesk.core.people import Person
from frontdesk.core.sms import size
from frontdesk.core.text_rules import text_rules
from frontdesk.core.words import count
from frontdesk.cost.prices import price_list
from frontdesk.desks.reminders.commands import PauseReminders, ResumeReminders, SkipReminder
from frontdesk.desks.reminders.console.appointment import refusal
from frontdesk.desks.reminders.console.next_messages import (
    MAIL,
    ComingMessage,
    coming_messages,
    render_message,
    texts_this_month,
    with_segments,
)
from frontdesk.desks.reminders.console.page import (
    LOADER,
    REMINDERS,
    appointment_of,
    appointment_url,
    ar_of,
    day_and_time,
    name_on,
    reminder_page,
    zone_of,
)
from frontdesk.desks.reminders.console.text_forecast import TextsSpentReads, forecast, month_notice
from frontdesk.desks.reminders.model import CODE, PAUSE_STATE, Window
from frontdesk.desks.reminders.story import WINDOWS
from frontdesk.features.messages.kinds import takes_sms
from frontdesk.values import Frozen
from frontdesk.web.console.formatting import Chip, short_time
from frontdesk.web.console.lists import Column, EmptyState, ListSpec, matches
from frontdesk.web.console.mail_frame import mail_frame
from frontdesk.web.console.shell import act, staff
from frontdesk.web.site import or_404, site_of

PATH: Final = f"{REMINDERS}/next"
_WINDOWS_BY_NAME: Final = {each.value: each for each in Window}


def routes() -> list[BaseRoute]:
    return [
        Route(PATH, staff(show), methods=["GET"]),
        Route(f"{PATH}/pause", staff(pause), methods=["POST"]),
        Route(f"{PATH}/resume", staff(resume), methods=["POST"]),
        Route(f"{PATH}/{{appointment}}/{{window}}", staff(preview), methods=["GET"]),
        Route(f"{PATH}/{{appointment}}/{{window}}/mail", staff(preview_mail), methods=["GET"]),
        Route(f"{REMINDERS}/one/{{appointment}}/skip/{{window}}", staff(skip), methods=["POST"]),
    ]


def _name(row: ComingMessage) -> str:
    return name_on(row.appointment, row.person)


def _url(row: ComingMessage) -> str:
    one = row.appointment.id
    return appointment_url(one) if row.window is Window.GAP else f"{PATH}/{one}/{row.window.value}"


def _kind(row: ComingMessage) -> str:
    return WINDOWS[row.window].capitalize()


def _about(row: ComingMessage) -> str:
    more = f" and {len(row.together)} more" if row.together else ""
    return f"{row.appointment.service}{more}, {day_and_time(row.appointment, row.tz)}"


LIST: Final = ListSpec[ComingMessage](
    id="going-out",
    path=PATH,
    caption="Messages of the next seven days",
    columns=(
        Column("at", "Goes out", lambda row: short_time(row.at, row.tz)),
        Column("to", "Customer", _name, long=True),
        Column("about", "Message", lambda row: f"{_kind(row)}: {_about(row)}", long=True),
        Column("via", "By", lambda row: _channel_chip(row)),
    ),
    row_url=_url,
    filters=(
        ("", "All"),
        ("text", "By text"),
        ("warned", "With a notice"),
        ("unreached", "No way to reach them"),
    ),
    search="Search by name or service",
    empty=EmptyState(
        "Nothing goes out in the next seven days",
        "Reminders of appointments without an answer are listed here before they go out.",
        "messages",
    ),
)
_FITS: Final[dict[str, Callable[[ComingMessage], bool]]] = {
    "": lambda _row: True,
    "text": lambda row: row.is_text,
    "warned": lambda row: bool(row.warnings),
    "unreached": lambda row: not row.via and row.window is not Window.GAP,
}


async def show(request: Request) -> Response:
    query, site = LIST.query(request), site_of(request)
    found = await run_in_threadpool(_of, request)
    rows = [
        row
        for row in found
        if _FITS[query.filter](row)
        and matches(query.search, f"{_name(row)} {row.appointment.service}")
    ]
    since = site.reads().engine.setting(PAUSE_STATE).since
    return reminder_page(
        request,
        "going_out.html",
        tab="Going out next",
        page_title="Going out next",
        lead=_says(found),
        cost=_cost(request, found),
        limit=month_notice(found, text_rules(site.settings), site.clock.now()),
        paused_since=short_time(since, zone_of(request)),
        path=PATH,
        list=LIST.view(query, query.slice(rows), total=len(rows)),
    )


def _of(request: Request) -> Sequence[ComingMessage]:
    site = site_of(request)
    settings, reads = site.settings, site.reads()
    planner = site.shared[LOADER].planner(reads)
    rules = text_rules(settings)

    @cache
    def reached(person: Person) -> bool:
        return settings.texts_by != "none" and takes_sms(reads, rules, person)

    found = coming_messages(ar_of(request), planner, reached, site.clock.now())
    rows = with_segments(site.engine.desks[CODE].delivery.render, reads, found)
    if settings.texts_by in ("none", "mailbox"):  # these texts have no limits
        return rows
    return forecast(rows, rules, reads.engine)


def _says(found: Sequence[ComingMessage]) -> str:
    to_customers = [each for each in found if each.window is not Window.GAP]
    if not to_customers:
        return "A customer's answer stops later reminders."
    unreached = sum(not each.via for each in to_customers)
    texts = sum(each.is_text for each in to_customers)
    parts = [count(len(to_customers), "reminder"), f"{texts} of them by text"]
    if unreached:
        parts.append(f"{unreached} cannot be delivered")
    return f"{', '.join(parts)}. A customer's answer stops later reminders."


def _cost(request: Request, found: Sequence[ComingMessage]) -> str:
    """Tells the number of texts this month and their approximate cost."""
    site = site_of(request)
    sent = texts_this_month(site.reads(), site.clock.now())
    planned = sum(each.segments for each in found if each.is_text)
    if not sent and not planned:
        return ""
    country = next(iter(text_rules(site.settings).countries), site.settings.country)
    price = price_list().texts.get(country)
    said = f"Texts: {sent:,} sent this month, {count(planned, 'segment')} in the next seven days"
    if price is None:
        return f"{said}. We know no price of texts to {country}."
    cost = f"{said}, together about US${(sent + planned) * price.usd:.2f}"
    if site.settings.texts_by == "mailbox":
        return f"{cost} by SNS. Here they stay in the console and cost nothing."
    return f"{cost}."


def _channel_chip(row: ComingMessage) -> Chip:
    if row.window is Window.GAP:
        return Chip("Staff", "neutral")
    if not row.via:
        return Chip(", ".join(row.warnings).capitalize(), "ending")
    return Chip(", ".join((row.via, *row.warnings)), "waiting" if row.warnings else "good")


# --- one message ----------------------------------------------------------------------------


class PreviewedMessage(Frozen):
    row: ComingMessage
    message: Message | Text | None
    is_next: bool
    """Whether no other reminder of the appointment goes out first."""


async def preview(request: Request) -> Response:
    one, found = appointment_of(request), await run_in_threadpool(_preview_of, request)
    row, message = found.row, found.message
    is_paused = site_of(request).reads().engine.setting(PAUSE_STATE).since is not None
    url = f"{PATH}/{one.id}/{row.window.value}"
    return reminder_page(
        request,
        "preview.html",
        tab="Going out next",
        page_title=f"{_kind(row)} for {_name(row)}",
        lead=f"{'Goes out' if row.via else 'Due'} {short_time(row.at, row.tz)}, unless the customer"
        " answers before.",
        about=_about(row),
        warnings=row.warnings,
        message=message,
        mail_url=f"{url}/mail" if isinstance(message, Message) and message.html else "",
        kept_back=bool(row.kept_back) and not row.via,
        size=_size(message.text) if isinstance(message, Text) else "",
        url=appointment_url(one.id),
        skip_url=f"{appointment_url(one.id)}/skip/{row.window.value}",
        is_next=found.is_next and bool(row.via) and not is_paused,
    )


async def preview_mail(request: Request) -> Response:
    message = (await run_in_threadpool(_preview_of, request)).message
    if not isinstance(message, Message) or not message.html:
        raise HTTPException(404)
    return mail_frame(message.html)


def _preview_of(request: Request) -> PreviewedMessage:
    one, window, site = appointment_of(request), _window(request), site_of(request)
    mine = [each for each in _of(request) if each.appointment.id == one.id]
    row = next((each for each in mine if each.window is window), None)
    if row is None or window is Window.GAP:
        raise HTTPException(404)
    message, reads = None, site.reads()
    if row.via:
        shown = TextsSpentReads(reads) if row.kept_back and row.via == MAIL else reads
        message = render_message(site.engine.desks[CODE].delivery.render, shown, row)
    return PreviewedMessage(row, message, mine[0].window is row.window)


def _size(text: str) -> str:
    measured_ = size(text)
    return f"{count(measured_.units, 'character')}, {count(measured_.segments, 'segment')}"


def _window(request: Request) -> Window:
    return or_404(_WINDOWS_BY_NAME.get(request.path_params["window"]))


async def skip(request: Request) -> Response:
    one = appointment_of(request)
    command = SkipReminder(one.id, _window(request))
    says = "This reminder is left out."
    return await act(request, command, appointment_url(one.id), says, refusal)


# --- all messages ---------------------------------------------------------------------------


async def pause(request: Request) -> Response:
    says = "Reminders are paused. Nobody is reminded until you resume them."
    return await act(request, PauseReminders(), PATH, says, "They are paused already.")


async def resume(request: Request) -> Response:
    says = "Reminders go out again. What was missed is made up where it still helps."
    return await act(request, ResumeReminders(), PATH, says, "They go out already.")
