"""Pages to change what mails say. Each desk hands in its own mails."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from frontdesk.core.decision import Command, Refused
from frontdesk.core.members import Role
from frontdesk.core.wording import MOST_BODY, MOST_SUBJECT, Wording, WordingSpec, check, fill
from frontdesk.engine.ports import Outcome, Reads
from frontdesk.values import Frozen
from frontdesk.web.console.shell import console_page, done, form_of, signed_in, staff
from frontdesk.web.site import site_of

SETTINGS_PATH: Final = "/console/settings"


class Mails(Frozen, kw_only=True):
    """The mails of one desk: what they are, and how their words are found and changed."""

    path: str
    title: str
    groups: Sequence[tuple[str, Mapping[str, WordingSpec]]]
    """Under a heading each; by the kind of their notes."""
    own: Callable[[Reads, str], Wording | None]
    change: Callable[[str, Wording | None], Command]

    @property
    def kinds(self) -> dict[str, WordingSpec]:
        return {kind: mail for _, kinds in self.groups for kind, mail in kinds.items()}


class WordingPages:
    def __init__(self, mails: Mails) -> None:
        self._mails = mails

    def routes(self) -> list[BaseRoute]:
        path = self._mails.path
        one = f"{path}/{{kind}}"
        return [
            Route(path, staff(self.listed), methods=["GET"]),
            Route(one, staff(self.edit_page), methods=["GET"]),
            Route(one, staff(self.save, role=Role.OWNER), methods=["POST"]),
            Route(f"{one}/reset", staff(self.reset, role=Role.OWNER), methods=["POST"]),
        ]

    async def listed(self, request: Request) -> Response:
        title = self._mails.title
        return console_page(
            request,
            "wordings/all.html",
            page_title=title,
            active=SETTINGS_PATH,
            crumbs=(("Settings", SETTINGS_PATH), (title, "")),
            groups=[
                (heading, [self._row(request, kind, mail) for kind, mail in kinds.items()])
                for heading, kinds in self._mails.groups
            ],
        )

    def _row(self, request: Request, kind: str, mail: WordingSpec) -> dict[str, Any]:
        own = self._own(request, kind)
        wording = own or self._mails.kinds[kind].default
        is_sound = not check(mail, wording)
        return {
            "url": self._url(kind),
            "title": mail.title,
            "subject": fill(wording, mail.placeholders).subject if is_sound else wording.subject,
            "is_own": own is not None,
            "is_sound": is_sound,
        }

    async def edit_page(self, request: Request) -> Response:
        kind = self._kind(request)
        return self._page(
            request, kind, self._own(request, kind) or self._mails.kinds[kind].default
        )

    async def save(self, request: Request) -> Response:
        """Nothing is taken that could not be used. Our own words are no change."""
        kind, form = self._kind(request), form_of(request)
        typed = Wording(form["subject"], "\n".join(form["body"].splitlines()))
        is_tried = form["do"] == "preview"
        if is_tried or check(self._mails.kinds[kind], typed):
            return self._page(request, kind, typed, is_tried=is_tried)
        await self._set(request, kind, None if typed == self._mails.kinds[kind].default else typed)
        return done(request, self._url(kind), "Saved. Mails that go out from now on say this.")

    async def reset(self, request: Request) -> Response:
        kind, form = self._kind(request), form_of(request)
        url = self._url(kind)
        if not (form.ticked("confirmed") or form.ticked("sure")):
            return console_page(
                request,
                "confirm.html",
                page_title="Our words again?",
                active=SETTINGS_PATH,
                question="Let this mail say what it said at first?",
                means="What you wrote is gone then.",
                action=f"{url}/reset",
                label="Use our words",
                keep_label="Keep yours",
                keep_url=url,
                fields={"csrf": signed_in(request).csrf},
            )
        if isinstance(await self._set(request, kind, None), Refused):
            return done(request, url, "It says what it said at first already.")
        return done(request, url, "This mail says what it said at first.")

    async def _set(self, request: Request, kind: str, wording: Wording | None) -> Outcome:
        command = self._mails.change(kind, wording)
        return await site_of(request).run(command, by=signed_in(request).member.by)

    def _own(self, request: Request, kind: str) -> Wording | None:
        return self._mails.own(site_of(request).reads(), kind)

    def _url(self, kind: str) -> str:
        return f"{self._mails.path}/{kind}"

    def _kind(self, request: Request) -> str:
        kind: str = request.path_params["kind"]
        if kind not in self._mails.kinds:
            raise HTTPException(404)
        return kind

    def _page(
        self, request: Request, kind: str, wording: Wording, *, is_tried: bool = False
    ) -> Response:
        mail, mails = self._mails.kinds[kind], self._mails
        problems = check(mail, wording)
        return console_page(
            request,
            "wordings/one.html",
            page_title=mail.title,
            active=SETTINGS_PATH,
            crumbs=(("Settings", SETTINGS_PATH), (mails.title, mails.path), (mail.title, "")),
            status=422 if problems and request.method == "POST" else 200,
            action=self._url(kind),
            wording=wording,
            errors={
                part: " ".join(each.text for each in problems if each.part == part)
                for part in ("subject", "body")
            },
            placeholders=[
                (f"{{{{ {name} }}}}", _sample(name, sample), name in mail.must)
                for name, sample in mail.placeholders.items()
            ],
            shown=None if problems else fill(wording, mail.placeholders),
            sample=mail.placeholders,
            is_own=self._own(request, kind) is not None,
            is_tried=is_tried and not problems,
            is_owner=signed_in(request).member.role is Role.OWNER,
            most_subject=MOST_SUBJECT,
            most_body=MOST_BODY,
        )


def _sample(name: str, sample: str) -> str:
    """What stands there in the preview, said where it is not plain to see."""
    if name == "details":
        return "What, when and where, as a card. In a paragraph of its own."
    if name.endswith("_link"):
        return "A link. On a line of its own, below the words of its button."
    return sample or "Only said when there is something to say."
