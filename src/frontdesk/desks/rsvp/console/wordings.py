"""What each mail says: how it reads, in the business's own words, or in ours again."""

from __future__ import annotations

from typing import Any, Final

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from frontdesk.core.decision import Refused
from frontdesk.core.members import Role
from frontdesk.desks.rsvp import voice
from frontdesk.desks.rsvp.commands import SetWording
from frontdesk.desks.rsvp.console.frame import ev_of, is_sure, member, run
from frontdesk.desks.rsvp.host_mails import TO_HOSTS
from frontdesk.desks.rsvp.mail_kinds import KINDS
from frontdesk.desks.rsvp.model import Wording
from frontdesk.web.console_shell import console_page, done, form_of, signed_in, staff

PATH: Final = "/console/settings/mails"
SETTINGS_PATH: Final = "/console/settings"
TITLE: Final = "What mails say"


def routes() -> list[BaseRoute]:
    one = f"{PATH}/{{kind}}"
    return [
        Route(PATH, staff(listed), methods=["GET"]),
        Route(one, staff(edit_page), methods=["GET"]),
        Route(one, staff(save, role=Role.OWNER), methods=["POST"]),
        Route(f"{one}/reset", staff(reset, role=Role.OWNER), methods=["POST"]),
    ]


async def listed(request: Request) -> Response:
    groups = [
        ("To guests", [_row(request, kind) for kind in KINDS if kind not in TO_HOSTS]),
        ("To hosts", [_row(request, kind) for kind in KINDS if kind in TO_HOSTS]),
    ]
    return console_page(
        request,
        "rsvp/console/wordings.html",
        page_title=TITLE,
        active=SETTINGS_PATH,
        crumbs=(("Settings", SETTINGS_PATH), (TITLE, "")),
        groups=groups,
    )


def _row(request: Request, kind: str) -> dict[str, Any]:
    own = ev_of(request).wording(kind)
    wording = own or voice.default(kind)
    is_sound = voice.is_sound(kind, wording)
    shown = voice.preview(kind, wording.subject, wording.body) if is_sound else None
    return {
        "url": f"{PATH}/{kind}",
        "title": KINDS[kind].title,
        "subject": shown.subject if shown else wording.subject,
        "is_own": own is not None,
        "is_sound": is_sound,
    }


async def edit_page(request: Request) -> Response:
    kind = _kind(request)
    return _page(request, kind, ev_of(request).wording(kind) or voice.default(kind))


async def save(request: Request) -> Response:
    """Nothing is taken that could not be used. Our own words are no change."""
    kind, form = _kind(request), form_of(request)
    typed = Wording(form["subject"], "\n".join(form["body"].splitlines()))
    if form["do"] == "preview" or not voice.is_sound(kind, typed):
        return _page(request, kind, typed, is_tried=form["do"] == "preview")
    await run(request, SetWording(kind, None if typed == voice.default(kind) else typed))
    return done(request, f"{PATH}/{kind}", "Saved. Mails that go out from now on say this.")


async def reset(request: Request) -> Response:
    kind = _kind(request)
    if not is_sure(request):
        return console_page(
            request,
            "confirm.html",
            page_title="Our words again?",
            active=SETTINGS_PATH,
            question="Let this mail say what it said at first?",
            means="What you wrote is gone then.",
            action=f"{PATH}/{kind}/reset",
            label="Use our words",
            keep_label="Keep yours",
            keep_url=f"{PATH}/{kind}",
            fields={"csrf": signed_in(request).csrf},
        )
    outcome = await run(request, SetWording(kind, None))
    if isinstance(outcome, Refused):
        return done(request, f"{PATH}/{kind}", "It says what it said at first already.")
    return done(request, f"{PATH}/{kind}", "This mail says what it said at first.")


def _kind(request: Request) -> str:
    kind: str = request.path_params["kind"]
    if kind not in KINDS:
        raise HTTPException(404)
    return kind


def _page(request: Request, kind: str, wording: Wording, *, is_tried: bool = False) -> Response:
    mail = KINDS[kind]
    problems = voice.check(kind, wording.subject, wording.body)
    is_own = ev_of(request).wording(kind) is not None
    return console_page(
        request,
        "rsvp/console/wording.html",
        page_title=mail.title,
        active=SETTINGS_PATH,
        crumbs=(("Settings", SETTINGS_PATH), (TITLE, PATH), (mail.title, "")),
        status=422 if problems and request.method == "POST" else 200,
        action=f"{PATH}/{kind}",
        wording=wording,
        errors={
            part: " ".join(each.text for each in problems if each.part == part)
            for part in ("subject", "body")
        },
        placeholders=[
            (f"{{{{ {name} }}}}", _sample(name, sample), name in mail.must)
            for name, sample in mail.placeholders.items()
        ],
        shown=None if problems else voice.preview(kind, wording.subject, wording.body),
        sample=mail.placeholders,
        is_own=is_own,
        is_tried=is_tried and not problems,
        is_owner=member(request).role is Role.OWNER,
        most_subject=voice.MOST_SUBJECT,
        most_body=voice.MOST_BODY,
    )


def _sample(name: str, sample: str) -> str:
    """What stands there in the preview, said where it is not plain to see."""
    if name == "details":
        return "What, when and where, as a card. In a paragraph of its own."
    if name.endswith("_link"):
        return "A link. On a line of its own, below the words of its button."
    return sample or "Only said when there is something to say."
