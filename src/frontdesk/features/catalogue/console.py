"""The console pages of the catalogue: services, team and currency."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection, Mapping
from typing import Any, Final, Protocol
from urllib.parse import urlencode

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from frontdesk.core.decision import Command, Refused
from frontdesk.core.words import count, how_long
from frontdesk.features.catalogue.form import (
    Values,
    errors_in_staff,
    read_service,
    split_names,
    values_of,
    with_former_name,
)
from frontdesk.features.catalogue.model import CATALOGUE, MOST_CURRENCY, Catalogue, Reason, Service
from frontdesk.values import Frozen, replace
from frontdesk.web.console.forms import confirm_page, is_confirmed
from frontdesk.web.console.shell import done, form_of, run, staff
from frontdesk.web.shared_objects import SharedKey
from frontdesk.web.site import or_404, site_of

#: Moves the users of a service to another one. Returns how many could not be moved yet.
Move = Callable[[Request, str, str], Awaitable[int]]
#: Moves the users of a desk that stores the current name of a service. The pages of every desk call
#: it after a rename.
MOVE_USERS: Final = SharedKey[Move]("catalogue.move_users")

_CANNOT: Final = "That could not be saved: please look at the names again. Nothing was changed."


class UserTexts(Frozen):
    """A desk's texts about the people who use a service."""

    lead: str
    column: str
    """The heading of the column with the number of users."""
    empty: str
    """Shown while there are no services."""
    staff_gone: str
    """Follows '3 people wait': says whom they asked for."""
    unlisted: str
    """Tells staff what to do about people who use a service that is not in the catalogue."""
    renaming: str
    removing: str
    """Tell staff what renaming or removing a service means for its users."""
    verbs: tuple[str, str]
    """A noun and a verb each: 'person waits', 'people wait'."""
    on_list: str
    """'on the list': the place where they are."""
    is_unused: str
    was_unused: str
    """Says that nobody uses, or used, a service that is removed."""
    removed: str
    """Follows 'Taken off.'; contains '{users}': '3 people wait'."""
    price_hint: str
    not_moved: str
    """Says where staff find people who could not be moved to a new name."""
    moved: str = ""
    """Contains '{before}' and '{to}'. Needed where people can be moved."""


class NextStep(Frozen):
    """Tells a business what to do next until it can use the desk."""

    title: str
    text: str
    url: str
    button: str


class ServiceUsers(Protocol):
    """The people who use a desk's services."""

    @property
    def texts(self) -> UserTexts: ...
    def by_service(self, request: Request) -> Mapping[str, int]:
        """The number of people who use each service."""

    def asking_for(self, request: Request, members: Collection[str]) -> int:
        """The number of people who asked for one of these members of the team."""

    def url(self, service: str) -> str:
        """The page that lists the users of this service."""


class CatalogueConsole(Frozen):
    """The console pages of a desk's catalogue. The desk passes these values."""

    path: str
    save: Callable[[Request, Catalogue], Awaitable[str]]
    """Returns the reason if it was not saved, or ''."""
    users: ServiceUsers
    page: Callable[..., Response]
    """Renders a template, which extends `frame`, in the frame of the desk."""
    desk: tuple[str, str]
    """The desk's name and URL, for the breadcrumbs."""
    move: Move | None = None
    """Moves the users of a service to another. None for a desk whose users stay with a service
    under its former name."""
    next_step: Callable[[Request], NextStep | None] = lambda _request: None

    def routes(self) -> list[BaseRoute]:
        handlers = [
            ("GET", "", self._services),
            ("POST", "", self._save_team),
            ("GET", "/one", self._service),
            ("POST", "/one", self._save_service),
            ("POST", "/remove", self._remove),
        ]
        if self.move is not None:
            handlers.append(("POST", "/another", self._move_to_another))
        return [
            Route(f"{self.path}{more}", staff(handler), methods=[method])
            for method, more, handler in handlers
        ]

    def known(self, request: Request) -> Catalogue:
        return site_of(request).reads().engine.setting(CATALOGUE)

    async def _services(self, request: Request) -> Response:
        known = self.known(request)
        values = {"staff": "\n".join(known.staff), "currency": known.currency}
        return await self._page(request, values, {})

    async def _page(
        self, request: Request, values: Values, errors: Mapping[str, str], *, status: int = 200
    ) -> Response:
        known, users = self.known(request), self.users
        using = await run_in_threadpool(users.by_service, request)
        return self.page(
            request,
            "catalogue/services.html",
            tab="Services",
            page_title="Services",
            status=status,
            path=self.path,
            texts=users.texts,
            rows=[
                self._row(one, known, using.get(one.name, 0))
                for one in sorted(known.services, key=lambda each: each.name.casefold())
            ],
            unlisted=[
                {"name": name, "people": _users(users.texts, using[name]), "url": users.url(name)}
                for name in known.missing(using)
            ],
            services=[(one.name, one.name) for one in known.services] if self.move else [],
            next_step=self.next_step(request),
            v=values,
            errors=errors,
            most_currency=MOST_CURRENCY,
        )

    def _row(self, service: Service, known: Catalogue, using: int) -> dict[str, Any]:
        return {
            "url": f"{self.path}/one?{urlencode({'name': service.name})}",
            "name": service.name,
            "takes": how_long(service.duration),
            "price": known.price(service.price_cents) if service.price_cents else "",
            "party": "" if service.most == 1 else f"up to {service.most}",
            "aliases": ", ".join(service.aliases),
            "using": using,
        }

    async def _save_team(self, request: Request) -> Response:
        """Saves team and currency, and tells how many people asked for a member who is gone."""
        form, users = form_of(request), self.users
        values = {"staff": form.fields.get("staff", ""), "currency": form["currency"]}
        members, before = split_names(values["staff"]), self.known(request)
        errors = errors_in_staff(members)
        if len(values["currency"]) > MOST_CURRENCY:
            errors["currency"] = f"Please write at most {MOST_CURRENCY} characters, like S$."
        if errors:
            return await self._page(request, values, errors, status=422)
        gone = {*before.staff} - {*members}
        missed = await run_in_threadpool(users.asking_for, request, gone) if gone else 0
        after = replace(before, staff=members, currency=values["currency"])
        if why := await self.save(request, after):
            return done(request, self.path, why, kind="problem")
        if missed:
            says = f"Saved. {_users(users.texts, missed)} {users.texts.staff_gone}"
            return done(request, self.path, says, kind="problem")
        return done(request, self.path, "Saved.")

    async def _service(self, request: Request) -> Response:
        """Shows the form of a service; without a name in the address, that of a new one."""
        name, known = request.query_params.get("name", ""), self.known(request)
        values = values_of(_named(known, name) if name else Service(""))
        return await self._form(request, name, values, {})

    async def _form(
        self,
        request: Request,
        before: str,
        values: Values,
        errors: Mapping[str, str],
        *,
        status: int = 200,
    ) -> Response:
        using = await self._using(request, before)
        return self.page(
            request,
            "catalogue/service.html",
            tab="Services",
            page_title=before or "Add a service",
            status=status,
            path=self.path,
            texts=self.users.texts,
            before=before,
            using=f"{using:,} {_noun(self.users.texts, using)}" if before and using else "",
            users_url=self.users.url(before),
            currency=self.known(request).currency,
            v=values,
            errors=errors,
        )

    async def _using(self, request: Request, name: str) -> int:
        return (await run_in_threadpool(self.users.by_service, request)).get(name, 0)

    async def _save_service(self, request: Request) -> Response:
        form, known, texts = form_of(request), self.known(request), self.users.texts
        before = form["before"]
        others = [one for one in known.services if one.name != before]
        known_before = _named(known, before) if before else None
        values = {key: form[key] for key in values_of(Service(""))}
        read = read_service(values, others, known_before)
        if isinstance(read, dict):
            return await self._form(request, before, values, read, status=422)
        is_renamed = known_before is not None and read.name != before
        if known_before is not None:
            read = with_former_name(read, known_before, others)
        using = await self._using(request, before) if is_renamed else 0
        if using and not is_confirmed(request):
            question = f"Rename {before} to {read.name}?"
            means = _means(texts, using, texts.renaming)
            return self._ask(request, question, means, "Rename it")
        services = tuple(read if one.name == before else one for one in known.services)
        after = replace(known, services=services if before else (*services, read))
        if why := await self.save(request, after):
            return done(request, self.path, why, kind="problem")
        if is_renamed and (left := await _move_users(request, before, read.name)):
            says = f"Saved. {_not_moved(left)} {texts.not_moved}"
            return done(request, self.path, says, kind="problem")
        return done(request, self.path, "Saved.")

    async def _move_to_another(self, request: Request) -> Response:
        """Moves people from a service that is not in the catalogue."""
        form = form_of(request)
        before, to = form["name"], _named(self.known(request), form["to"]).name
        if self.move and (left := await self.move(request, before, to)):
            says = f"{_not_moved(left)} {self.users.texts.not_moved}"
            return done(request, self.path, says, kind="problem")
        return done(request, self.path, self.users.texts.moved.format(before=before, to=to))

    async def _remove(self, request: Request) -> Response:
        """Removes a service. Its users keep it, and staff are told how many they are."""
        name, known, texts = form_of(request)["name"], self.known(request), self.users.texts
        service = _named(known, name)
        using = await self._using(request, name)
        if not is_confirmed(request):
            means = _means(texts, using, texts.removing) if using else texts.is_unused
            question = f"Take {name} off the list of services?"
            return self._ask(request, question, means, "Take it off")
        services = tuple(one for one in known.services if one is not service)
        if why := await self.save(request, replace(known, services=services)):
            return done(request, self.path, why, kind="problem")
        if using:
            says = f"Taken off. {texts.removed.format(users=_users(texts, using))}"
            return done(request, self.path, says, kind="problem")
        return done(request, self.path, f"Taken off. {texts.was_unused}")

    def _ask(self, request: Request, question: str, means: str, label: str) -> Response:
        return confirm_page(
            request,
            question=question,
            means=means,
            label=label,
            keep_url=self.path,
            active=self.desk[1],
            crumbs=(self.desk, ("Services", self.path), ("Please confirm", "")),
        )


async def save_by(
    request: Request, command: Command, refusals: Mapping[str, str] | None = None
) -> str:
    """Runs the command that saves a catalogue. Returns the reason if it was refused, or ''."""
    outcome = await run(request, command)
    if not isinstance(outcome, Refused) or outcome.reason == Reason.UNCHANGED:
        return ""
    return (refusals or {}).get(outcome.reason, _CANNOT)


def _users(texts: UserTexts, n: int) -> str:
    """'3 people wait'."""
    return count(n, *texts.verbs)


def _named(known: Catalogue, name: str) -> Service:
    return or_404(next((one for one in known.services if one.name == name), None))


def _not_moved(left: int) -> str:
    return f"{count(left, 'person', 'people')} could not be moved yet:"


async def _move_users(request: Request, before: str, after: str) -> int:
    """Moves the users of a renamed service, if a desk has any to move."""
    move = site_of(request).shared.get(MOVE_USERS)
    return await move(request, before, after) if move else 0


def _means(texts: UserTexts, using: int, more: str) -> str:
    verb = texts.verbs[using != 1].split()[1]
    return f"{using:,} {_noun(texts, using)} {texts.on_list} {verb} for it. {more}"


def _noun(texts: UserTexts, n: int) -> str:
    """'people'."""
    return texts.verbs[n != 1].split()[0]
