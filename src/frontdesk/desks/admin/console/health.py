"""Reports health, and shows what failed after all retries with a button to try again."""

from __future__ import annotations

from ipaddress import ip_address
from typing import Any, Final

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import BaseRoute, Route

from frontdesk.core.decision import Refused
from frontdesk.core.members import Role
from frontdesk.core.sends import SendId, SendState
from frontdesk.desks.admin.commands import SettleProblem
from frontdesk.desks.admin.console.page import (
    SEND_CHIPS,
    AdminCallbacks,
    kind_word,
    number_in,
    reads_of,
    settings_tabs,
    zone_of,
)
from frontdesk.desks.admin.console.today import cards_of_all
from frontdesk.desks.admin.model import Part, Trouble
from frontdesk.desks.admin.trouble_words import WORDS, unreached_text
from frontdesk.engine.health import metrics
from frontdesk.engine.ports import DeadLetter
from frontdesk.engine.replay import Replay
from frontdesk.web.console.formatting import relative_time
from frontdesk.web.console.shell import (
    Handler,
    console_page,
    done,
    member_of,
    run,
    signed_in,
    staff,
)
from frontdesk.web.site import or_404, site_of

NO_STORE = {"cache-control": "no-store"}


def routes(callbacks: AdminCallbacks) -> list[BaseRoute]:
    return [
        Route("/health", _health_json(callbacks), methods=["GET"]),
        Route("/metrics", _metrics(callbacks), methods=["GET"]),
        Route("/console/health", staff(_health_page(callbacks)), methods=["GET"]),
    ]


def _health_json(callbacks: AdminCallbacks) -> Handler:
    """Answers only 'ok' or 'alarm', because anybody may ask."""

    async def health_json(_request: Request) -> Response:
        found = await run_in_threadpool(callbacks.health)
        return JSONResponse({"status": "ok" if found.is_well else "alarm"}, headers=NO_STORE)

    return health_json


def _metrics(callbacks: AdminCallbacks) -> Handler:
    async def answer(request: Request) -> Response:
        if not _is_local(request) and not _is_staff(request):
            raise HTTPException(404)
        text = metrics(await run_in_threadpool(callbacks.health))
        return PlainTextResponse(text, media_type="text/plain; version=0.0.4", headers=NO_STORE)

    return answer


def _is_staff(request: Request) -> bool:
    member = member_of(request)
    return member is not None and member.role.is_at_least(Role.STAFF)


def _is_local(request: Request) -> bool:
    """Whether the request comes from this machine, and not through an undeclared proxy."""
    passed_on = any(name in request.headers for name in ("forwarded", "x-forwarded-for"))
    if request.client is None or (passed_on and not site_of(request).settings.behind_proxy):
        return False
    try:
        return ip_address(request.client.host).is_loopback
    except ValueError:
        return False


def _health_page(callbacks: AdminCallbacks) -> Handler:
    async def health_page(request: Request) -> Response:
        found = await run_in_threadpool(callbacks.health)
        numbers = found.numbers
        cards = await run_in_threadpool(cards_of_all, request)
        return console_page(
            request,
            "admin/health.html",
            page_title="Health",
            active="/console/settings",
            **settings_tabs(request),
            alarms=found.alarms,
            for_a_person=sum(card.needs_you for card in cards),
            sends=[(SEND_CHIPS[state].word, numbers.sends.get(state, 0)) for state in SendState],
            lag=sorted(found.lag.items()),
            numbers=numbers,
            bad_links=found.bad_signatures,
            channel=site_of(request).settings.channel,
        )

    return health_page


MOST_SHOWN: Final = 100


def problem_routes(callbacks: AdminCallbacks) -> list[BaseRoute]:
    path = "/console/problems"
    return [
        Route(path, staff(_problems(callbacks)), methods=["GET"]),
        Route(f"{path}/troubles/{{trouble}}/try", staff(_try_part(callbacks)), methods=["POST"]),
        Route(f"{path}/{{letter_id}}/retry", staff(_retry(callbacks)), methods=["POST"]),
        Route(f"{path}/{{letter_id}}/set-aside", staff(set_aside), methods=["POST"]),
    ]


def _problems(callbacks: AdminCallbacks) -> Handler:
    async def problems(request: Request) -> Response:
        fd = reads_of(request)
        shown = [each for each in fd.troubles() if each.is_shown]
        unreached = 0
        if any(each.part is Part.TEXTS for each in shown):
            unreached = await run_in_threadpool(callbacks.out_of_reach)
        return console_page(
            request,
            "admin/problems.html",
            page_title="Problems",
            active="/console/settings",
            **settings_tabs(request),
            troubles=[_trouble(request, each, unreached) for each in shown],
            problems=[_problem_values(request, letter) for letter in fd.problems(MOST_SHOWN)],
            count=fd.problem_count(),
        )

    return problems


#: Staff check documents on their own pages; only the model can be tried here.
TRIED_HERE: Final = frozenset({Part.MODEL})


def _try_part(callbacks: AdminCallbacks) -> Handler:
    async def try_part(request: Request) -> Response:
        try:
            part = Part(request.path_params["trouble"])
        except ValueError:
            raise HTTPException(404) from None
        if part not in TRIED_HERE:
            raise HTTPException(404)
        works_again = await run_in_threadpool(callbacks.try_part, part)
        says = "It works again." if works_again else "It was tried again, and failed again."
        return done(request, "/console/problems", says, kind="good" if works_again else "problem")

    return try_part


def _trouble(request: Request, trouble: Trouble, unreached: int) -> dict[str, Any]:
    words, now = WORDS[trouble.part], site_of(request).clock.now()
    is_about_texts = trouble.part is Part.TEXTS
    return {
        "part": trouble.part.value,
        "can_be_tried": trouble.part in TRIED_HERE,
        "what": words.what,
        "means": f"{unreached_text(unreached, now)} {words.means}"
        if is_about_texts
        else words.means,
        "url": site_of(request).open_url(words.url),
        "why": trouble.why,
        "since": relative_time(trouble.since, now, zone_of(request)),
    }


def _retry(callbacks: AdminCallbacks) -> Handler:
    async def retry(request: Request) -> Response:
        letter, by = _letter(request), signed_in(request).member.by
        outcome = await run_in_threadpool(callbacks.replay, letter.id, by)
        kind = "problem" if outcome in (Replay.FAILED, Replay.NOTHING) else "good"
        return done(request, "/console/problems", outcome.value, kind=kind)

    return retry


async def set_aside(request: Request) -> Response:
    command = SettleProblem(_letter(request).id, replayed=False)
    outcome = await run(request, command)
    if isinstance(outcome, Refused):
        return done(request, "/console/problems")
    return done(request, "/console/problems", "It is set aside. The audit remembers it.")


def _letter(request: Request) -> DeadLetter:
    return or_404(reads_of(request).dead_letter(number_in(request, "letter_id")))


def _problem_values(request: Request, letter: DeadLetter) -> dict[str, Any]:
    site = site_of(request)
    happened, means, url = _explanation(request, letter)
    return {
        "id": letter.id,
        "happened": happened,
        "means": means,
        "why": letter.why,
        "ref": letter.ref,
        "url": url,
        "when": relative_time(letter.at, site.clock.now(), zone_of(request)),
    }


def _explanation(request: Request, letter: DeadLetter) -> tuple[str, str, str]:
    """Returns what happened, what it means, and the address of a page with details."""
    match letter.what:
        case "send":
            return _send_explanation(request, letter)
        case "fact":
            seq = letter.ref.rpartition("/")[2]
            return (
                "Something that happened was not acted on.",
                "It is recorded, but what should follow from it, such as a mail, was not done.",
                f"/console/audit/{seq}" if seq.isdigit() else "",
            )
        case "timer":
            return (
                "Something that was due was not done.",
                "A reminder, a deadline or the like came due, and asking what to do failed.",
                "",
            )
        case "job":
            return (
                "Work that concerns many people has stopped.",
                "Some were told and some were not yet. Trying again goes on where it stopped.",
                "",
            )
        case _:
            return (
                "A mail that came in could not be read.",
                "It is kept as it came. Its sender has had no answer.",
                "",
            )


def _send_explanation(request: Request, letter: DeadLetter) -> tuple[str, str, str]:
    engine = site_of(request).reads().engine
    send = engine.send(SendId(letter.ref))
    person = engine.person(send.person_id) if send else None
    if send is None or person is None:
        return "A message could not be sent.", "Nobody was told.", ""
    who = person.name or "somebody who was erased"
    return (
        f"The message “{kind_word(send.kind)}” to {who} could not be sent.",
        "They do not know yet. If the address is wrong, correct it first, then try again.",
        f"/console/messages/{send.id}",
    )
