"""Console pages to read and change the wordings of a desk's mails."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from frontdesk.core.decision import Command, Refused
from frontdesk.core.members import Role
from frontdesk.core.wording import (
    MOST_BODY,
    MOST_SUBJECT,
    Wording,
    WordingSpec,
    check,
    fill,
    wording_setting,
)
from frontdesk.engine.ports import Outcome, Reads
from frontdesk.values import Frozen
from frontdesk.web.console.forms import (
    confirm_page,
    is_confirmed,
)
from frontdesk.web.console.shell import console_page, done, form_of, signed_in, staff
from frontdesk.web.site import site_of

SETTINGS_PATH: Final = "/console/settings"
#: The heading of the mails whose preview is addressed to the team.
TO_STAFF: Final = "To staff"
TEAM: Final = "Your team"


class WordingPages(Frozen, kw_only=True):
    """The mails of one desk, for staff to read and for owners to change."""

    desk: str
    path: str
    title: str
    groups: Sequence[tuple[str, Mapping[str, WordingSpec]]]
    """Headings, each with its mails by the kind of their notes."""
    change: Callable[[str, Wording | None], Command]
    tone: Callable[[Reads], str] = lambda _reads: ""
    """Returns how the messages should sound, in the words of the business."""

    @property
    def _specs(self) -> dict[str, WordingSpec]:
        return {kind: spec for _, specs in self.groups for kind, spec in specs.items()}

    def routes(self) -> list[BaseRoute]:
        one = f"{self.path}/{{kind}}"
        return [
            Route(self.path, staff(self.listed), methods=["GET"]),
            Route(one, staff(self.edit_page), methods=["GET"]),
            Route(one, staff(self.save, role=Role.OWNER), methods=["POST"]),
            Route(f"{one}/reset", staff(self.reset, role=Role.OWNER), methods=["POST"]),
        ]

    async def listed(self, request: Request) -> Response:
        return console_page(
            request,
            "wordings/all.html",
            page_title=self.title,
            active=SETTINGS_PATH,
            crumbs=(("Settings", SETTINGS_PATH), (self.title, "")),
            groups=[
                (heading, [self._row(request, kind, spec) for kind, spec in specs.items()])
                for heading, specs in self.groups
            ],
        )

    def _row(self, request: Request, kind: str, spec: WordingSpec) -> dict[str, Any]:
        own = self._own(request, kind)
        wording = own or spec.default
        is_sound = not check(spec, wording)
        return {
            "url": self._url(kind),
            "title": spec.title,
            "subject": fill(wording, spec.placeholders).subject if is_sound else wording.subject,
            "is_own": own is not None,
            "is_sound": is_sound,
        }

    async def edit_page(self, request: Request) -> Response:
        kind = self._kind(request)
        return self._page(request, kind, self._own(request, kind) or self._specs[kind].default)

    async def save(self, request: Request) -> Response:
        """Saves a valid wording. The default wording is saved as None."""
        kind, form = self._kind(request), form_of(request)
        typed = Wording(form["subject"], "\n".join(form["body"].splitlines()))
        is_tried = form["do"] == "preview"
        spec = self._specs[kind]
        if is_tried or check(spec, typed):
            return self._page(request, kind, typed, is_tried=is_tried)
        await self._set(request, kind, None if typed == spec.default else typed)
        return done(request, self._url(kind), "Saved. Mails that go out from now on say this.")

    async def reset(self, request: Request) -> Response:
        kind = self._kind(request)
        url = self._url(kind)
        if not is_confirmed(request):
            return confirm_page(
                request,
                page_title="Restore the default?",
                question="Restore the default text?",
                means="Your own text is deleted.",
                label="Restore it",
                keep_label="Keep mine",
                keep_url=url,
                active=SETTINGS_PATH,
            )
        if isinstance(await self._set(request, kind, None), Refused):
            return done(request, url, "It has the default text already.")
        return done(request, url, "This mail has the default text again.")

    async def _set(self, request: Request, kind: str, wording: Wording | None) -> Outcome:
        command = self.change(kind, wording)
        return await site_of(request).run(command, by=signed_in(request).member.by)

    def _own(self, request: Request, kind: str) -> Wording | None:
        return site_of(request).reads().engine.setting(wording_setting(self.desk, kind))

    def _url(self, kind: str) -> str:
        return f"{self.path}/{kind}"

    def _kind(self, request: Request) -> str:
        kind: str = request.path_params["kind"]
        if kind not in self._specs:
            raise HTTPException(404)
        return kind

    def _page(
        self, request: Request, kind: str, wording: Wording, *, is_tried: bool = False
    ) -> Response:
        spec = self._specs[kind]
        problems = check(spec, wording)
        return console_page(
            request,
            "wordings/one.html",
            page_title=spec.title,
            active=SETTINGS_PATH,
            crumbs=(("Settings", SETTINGS_PATH), (self.title, self.path), (spec.title, "")),
            status=422 if problems and request.method == "POST" else 200,
            action=self._url(kind),
            wording=wording,
            tone=self.tone(site_of(request).reads()),
            errors={
                part: " ".join(each.text for each in problems if each.part == part)
                for part in ("subject", "body")
            },
            placeholders=[
                (f"{{{{ {name} }}}}", _sample(name, sample), name in spec.must)
                for name, sample in spec.placeholders.items()
            ],
            shown=None if problems else fill(wording, spec.placeholders),
            sample=spec.placeholders,
            to=TEAM if kind in dict(self.groups).get(TO_STAFF, ()) else "",
            is_own=self._own(request, kind) is not None,
            is_tried=is_tried and not problems,
            is_owner=signed_in(request).member.role is Role.OWNER,
            most_subject=MOST_SUBJECT,
            most_body=MOST_BODY,
        )


def _sample(name: str, sample: str) -> str:
    """The sample value, or an explanation if the sample alone would not help."""
    if name == "details":
        return "What, when and where, as a card. In a paragraph of its own."
    if name.endswith("_link"):
        return "A link. On a line of its own, below the words of its button."
    return sample or "Only said when there is something to say."
